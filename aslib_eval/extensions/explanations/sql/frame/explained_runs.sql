-- One row per protocol, scenario, measure, instance and repetition: runs of a solver, costs of SBS and VBS, and the instance's part of the closed gap.
-- key: protocol, scenario_id, measure, instance_id, repetition
-- as in instance_solver: solved, time, par1, par2, par10, cost, protocol, vbs_cost
-- ran: for a selector on a runtime measure: the steps that it runs in the lowest repetition, with their times
-- sbs: single best algorithm; if gaps are over folds, the single best algorithms of the instance's folds
-- sbs_cost: cost of sbs on the instance, mean over the folds
-- vbs: algorithm with the least cost; the first by name if several are equal
-- gap_part: part of the instance in the closed gap; all parts sum to the closed gap; null without a gap, and for medians and geometric means over folds
-- The folds, or all instances as one, with the two ends of the gap.
with part as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, sbs,
        sbs_cost - vbs_cost as headroom,
        closed_gap is not null as counts,
        fold_aggregate = 'mean' as adds_up
    from fold_gap
    inner join protocol using (protocol)
    where kind = $kind and solver = $solver and fold_aggregate <> 'pooled'
        and cv_scheme in ('aslib', 'split')
    union all by name
    select
        protocol, scenario_id, measure, 'pooled' as cv_scheme, 0 as cv_repetition,
        0 as fold, sbs,
        sbs_cost - vbs_cost as headroom,
        closed_gap is not null as counts,
        true as adds_up
    from solver_gap
    inner join scenario_baseline using (protocol, scenario_id, measure)
    inner join protocol using (protocol)
    where kind = $kind and solver = $solver and fold_aggregate = 'pooled'
),

faced as (
    select
        protocol, scenario_id, measure, instance_id, repetition, p.sbs,
        s.cost as sbs_cost,
        case when p.counts and p.adds_up then (s.cost - e.cost) / p.headroom end
            / count(*) over (
                partition by
                    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
            )
            / p.n_parts as gap_part
    from instance_part as e
    inner join (
        select
            *,
            count(*) filter (counts) over (
                partition by protocol, scenario_id, measure
            ) as n_parts
        from part
    ) as p using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold)
    inner join (
        select * exclude (kind, solver), solver as sbs
        from instance_part
        where kind = 'algorithm'
    ) as s using (
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, sbs,
        instance_id, repetition
    )
    where e.kind = $kind and e.solver = $solver
),

barred as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        string_agg(distinct sbs, ', ' order by sbs) as sbs,
        mean_of(sbs_cost) as sbs_cost,
        sum_of(gap_part) as gap_part
    from faced
    group by all
),

best as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        arg_min(solver, (cost, solver)) as vbs
    from instance_solver
    where kind = 'algorithm'
    group by all
),

-- A schedule, which may have been executed on several repetitions.
executed as (
    select
        protocol, scenario_id, measure, instance_id, repetition, cv_repetition,
        run_repetition,
        string_agg(
            name || format(' {:.4g}', least(needs, cutoff - begins)),
            ', ' order by position
        ) as ran
    from schedule_step
    semi join (select * from instance_selector where is_home) using (
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition
    )
    where runs and selector = $solver and $kind = 'selector'
        and measure_type = 'runtime'
    group by all
),

walked as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        arg_min(ran, (cv_repetition, run_repetition)) as ran
    from executed
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition, ran, i.solved, i.time,
    i.par1, i.par2, i.par10, i.cost, sbs, sbs_cost, vbs, i.vbs_cost, gap_part
from instance_solver as i
left join barred using (protocol, scenario_id, measure, instance_id, repetition)
left join best using (protocol, scenario_id, measure, instance_id, repetition)
left join walked using (protocol, scenario_id, measure, instance_id, repetition)
where i.kind = $kind and i.solver = $solver
order by instance_id, repetition
