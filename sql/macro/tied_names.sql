-- Who is first, as lists print it: equals are joined by =, and from the fourth on counted.
create or replace macro tied_names(names) as
    array_to_string(names[:3], ' = ')
    || case when len(names) > 3 then ' and ' || (len(names) - 3) || ' more' else '' end
