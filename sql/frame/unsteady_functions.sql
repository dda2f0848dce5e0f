-- One row per function of DuckDB that may return another value in the next call.
-- key: function_name
-- function_name: name of the function in lower case
select distinct function_name
from duckdb_functions()
where
    coalesce(stability, '') <> 'CONSISTENT'
    and (
        function_type = 'scalar'
        or function_type like '%table%'
        or function_type = 'pragma'
        or regexp_matches(macro_definition, 'current_|duckdb_|get_')
    )
order by function_name
