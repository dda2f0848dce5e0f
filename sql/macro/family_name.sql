-- Name of a family in lists. Instances of unknown family belong to a family with the name
-- "(not known)".
create or replace macro family_name(family) as
    case
        when family = '' then '(not known)'
        when trim(cast(family as varchar), '"') = '(not known)'
            then '"' || family || '"'
        else family
    end
