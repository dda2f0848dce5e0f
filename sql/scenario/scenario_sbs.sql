-- One row per protocol, scenario and measure that has a single best solver.
-- stored: yes
-- key: protocol, scenario_id, measure
-- sbs: single best algorithm of all tested instances under the protocol's sbs_criterion, the first by name if several tie
-- sbs_tied: all algorithms that tie for it
-- source: Amadini et al. 2023, section 2.2
with mean as (
    select
        protocol, scenario_id, measure, algorithm,
        mean_or_null(cost) as cost,
        mean_or_null(par1) as par1,
        mean_of(solved) as solved
    from instance_kept
    where tested
    group by all
),

criterion as (
    select
        protocol, scenario_id, measure, algorithm,
        sbs_order(sbs_criterion, cost, par1, solved) as value,
        min(value) over (partition by protocol, scenario_id, measure) as least
    from mean
    inner join protocol using (protocol)
)

select
    protocol, scenario_id, measure,
    min(algorithm) as sbs,
    list(algorithm order by algorithm) as sbs_tied
from criterion
where value = least
group by all
