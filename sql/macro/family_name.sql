-- Name of a family in lists: (not known) if the instances have no value of the attribute;
-- a value with the same spelling is quoted.
create or replace macro family_name(family) as
    case
        when family = '' then '(not known)'
        when trim(cast(family as varchar), '"') = '(not known)'
            then '"' || family || '"'
        else family
    end
