-- One row per protocol, scenario and measure that has a single best algorithm. The row names this algorithm.
-- stored: yes
-- key: protocol, scenario_id, measure
-- sbs: single best algorithm of all tested instances under the protocol's setting `sbs_criterion`. The first by name wins a tie; under `second_decides = ties`, the algorithm with the least mean of the second measure wins
-- sbs_tied: all algorithms that tie as single best, including `sbs`
-- source: Amadini et al. 2023, section 2.2
with tie_break as (
    select s.*
    from instance_second as s
    inner join protocol using (protocol)
    where second_decides = 'ties'
),

mean as (
    select
        protocol, scenario_id, measure, algorithm,
        mean_or_null(cost) as cost,
        mean_or_null(par1) as par1,
        mean_of(solved) as solved,
        mean_or_null(second) as second
    from instance_kept
    left join tie_break
        using (protocol, scenario_id, measure, instance_id, repetition, algorithm)
    where tested
    group by all
),

criterion as (
    select
        protocol, scenario_id, measure, algorithm,
        sbs_order(sbs_criterion, cost, par1, solved) as value,
        comparable(second) as second,
        min(value) over (partition by protocol, scenario_id, measure) as least
    from mean
    inner join protocol using (protocol)
)

select
    protocol, scenario_id, measure,
    arg_min(algorithm, (second, algorithm)) as sbs,  -- null is greatest
    list(algorithm order by algorithm) as sbs_tied
from criterion
where value = least
group by all
