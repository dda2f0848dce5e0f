-- One row per problem of an experiment whose function has a signature.
-- key: problem
-- problem: optimised function
-- signature: values of the function at fixed points, each the median over the studies
select
    instance_id as problem,
    list(value order by cast(replace(role, 'signature_', '') as integer)) as signature
from raw_reference
where scenario_id = $scenario
    and role like 'signature\_%' escape '\'
    and role != 'signature_error'
group by instance_id
order by instance_id
