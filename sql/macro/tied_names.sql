-- The first solvers as lists print them: equals are joined by =, and counted from the fourth on.
create or replace macro tied_names(names) as
    array_to_string(names[:3], ' = ')
    || case when len(names) > 3 then ' and ' || (len(names) - 3) || ' more' else '' end
