-- One row per protocol, scenario and measure with repeated runs. The row measures how much of the advantage of VBS is luck. The protocol's setting `repetitions` has no effect here.
-- key: protocol, scenario_id, measure
-- n_instances: instances that count under the protocol
-- n_repeated: instances that count under the protocol and on which an algorithm has several runs
-- sbs_cost: mean cost of the best single algorithm, averaged over repetitions and then over instances
-- vbs_cost: mean cost of the VBS of expectations. On each instance, it uses the algorithm with the least mean cost over repetitions
-- vbs_of_runs: mean cost of the VBS of runs. Its cost on an instance is the expected least cost if one run of each algorithm is drawn at random
-- vbs_of_best_runs: mean over instances of the least cost of any run
-- luck: vbs_cost - vbs_of_runs, the saving that no choice of algorithms can achieve; never negative
-- closed_gap_of_runs: closed gap of the VBS of runs between SBS (0) and the VBS of expectations (1); null if both have the same cost
-- source: Amadini et al. 2023, section 2.4: with randomised solvers VBS can be outperformed
with run as materialized (
    select protocol, scenario_id, measure, instance_id, algorithm, cost
    from run_par
    semi join (
        select distinct protocol, scenario_id, measure, instance_id
        from instance_kept
        where tested
    ) using (protocol, scenario_id, measure, instance_id)
    semi join (select scenario_id, measure from raw_run where repetition > 1)
        using (scenario_id, measure)
),

algorithm as materialized (
    select
        protocol, scenario_id, measure, instance_id, algorithm,
        mean_or_null(cost) as cost,
        min(cost) as least,
        count(*) as n_runs
    from run
    group by all
),

level as (
    select distinct protocol, scenario_id, measure, instance_id, cost as level from run
),

-- Chance that every algorithm's run costs more than a level.
above as (
    select
        protocol, scenario_id, measure, instance_id, level,
        product(share order by share) as above
    from (
        select
            protocol, scenario_id, measure, instance_id, level, algorithm,
            sum(cast(cost > level as integer)) / count(*) as share
        from level
        inner join run using (protocol, scenario_id, measure, instance_id)
        group by all
    )
    group by all
),

drawn as (
    select
        *,
        level * (lag(above, 1, 1) over (
            partition by protocol, scenario_id, measure, instance_id order by level
        ) - above) as term
    from above
),

expected as (
    select protocol, scenario_id, measure, instance_id, sum_of(term) as of_runs
    from drawn
    group by all
),

instance as (
    select
        protocol, scenario_id, measure, instance_id,
        case when count(cost) = count(*) then min(cost) end as vbs,
        case when count(cost) = count(*) then min(least) end as of_best_runs,
        case when count(cost) = count(*) then any_value(of_runs) end as of_runs,
        max(n_runs) > 1 as repeated
    from algorithm
    left join expected using (protocol, scenario_id, measure, instance_id)
    group by all
),

best as (
    select protocol, scenario_id, measure, min(cost) as sbs_cost
    from (
        select
            protocol, scenario_id, measure, algorithm,
            mean_or_null(cost) as cost
        from algorithm
        group by all
    )
    group by all
),

summed as (
    select
        protocol, scenario_id, measure,
        count(*) as n_instances,
        count(*) filter (repeated) as n_repeated,
        mean_or_null(vbs) as vbs_cost,
        mean_or_null(of_runs) as vbs_of_runs,
        mean_or_null(of_best_runs) as vbs_of_best_runs
    from instance
    group by all
)

select
    protocol, scenario_id, measure, n_instances, n_repeated, sbs_cost, vbs_cost,
    vbs_of_runs, vbs_of_best_runs,
    case
        when abs(vbs_cost - vbs_of_runs) <= 1e-12 * abs(vbs_cost) then 0
        else vbs_cost - vbs_of_runs
    end as luck,
    closed_gap(vbs_of_runs, sbs_cost, vbs_cost) as closed_gap_of_runs
from summed
inner join best using (protocol, scenario_id, measure)
