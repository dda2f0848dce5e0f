-- Name of a family in lists. Instances without a value of the attribute have the family
-- (not known); a value that reads (not known) stands in quotes.
create or replace macro family_name(family) as
    case
        when family = '' then '(not known)'
        when trim(cast(family as varchar), '"') = '(not known)'
            then '"' || family || '"'
        else family
    end
