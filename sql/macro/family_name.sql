-- How lists call a family: (not known) where the instances have no value of the
-- attribute; a value that is spelled so stands in quotes.
create or replace macro family_name(family) as
    case
        when family = '' then '(not known)'
        when trim(cast(family as varchar), '"') = '(not known)'
            then '"' || family || '"'
        else family
    end
