-- Name of a family in lists. Instances without a value of the attribute form the family
-- (not known). If a value has exactly this text, quotes stand around the value.
create or replace macro family_name(family) as
    case
        when family = '' then '(not known)'
        when trim(cast(family as varchar), '"') = '(not known)'
            then '"' || family || '"'
        else family
    end
