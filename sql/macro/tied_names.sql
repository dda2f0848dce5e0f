-- Names of equal solvers as lists print them: the first three, joined by =, and the number
-- of the others.
create or replace macro tied_names(names) as
    array_to_string(names[:3], ' = ')
    || case when len(names) > 3 then ' and ' || (len(names) - 3) || ' more' else '' end
