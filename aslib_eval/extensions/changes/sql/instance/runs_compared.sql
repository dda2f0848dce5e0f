-- One row per protocol, scenario, measure, instance and two solvers that ran on the instance. The row describes the change from `before` to `after`.
-- key: protocol, scenario_id, measure, instance_id, before_kind, before, after_kind, after
-- outcome: gained (only `after` solves the instance), lost (only `before` solves it) or neither (no solver solves it). If both solve it: faster or slower (for a quality: lower or higher cost), or level (the difference is noise). A solver solves an instance if it solves at least half of the repetitions
-- n_runs: repetitions that both solvers have; 1 if the protocol merges the repetitions
-- measure_type: type of the measure: runtime or solution_quality
-- solved_before: share of the common repetitions that `before` solves, 0 to 1
-- solved_after: share of the common repetitions that `after` solves, 0 to 1
-- value_before: mean time of `before`, the cutoff if unsolved; for a quality, the mean cost [scenario time unit]
-- value_after: mean time of `after`, the cutoff if unsolved; for a quality, the mean cost [scenario time unit]
-- cost_before: mean cost of `before`, lower is better
-- cost_after: mean cost of `after`, lower is better
-- noise: largest ratio of two times that counts as noise; at least `factor` of noise_level. If runs are repeated, two equal solvers exceed this ratio on at most about 5 of 100 instances
-- advantage: how much better `after` is: the logarithm of the ratio of the times, or the difference of the qualities. 0 if the difference counts as noise; null if a solver does not solve the instance
with pair as (
    select
        protocol, scenario_id, measure, instance_id,
        b.kind as before_kind, b.solver as before,
        a.kind as after_kind, a.solver as after,
        b.measure_type,
        count(*) as n_runs,
        mean_of(b.solved) as solved_before,
        mean_of(a.solved) as solved_after,
        mean_or_null(coalesce(b.time, b.cost)) as value_before,
        mean_or_null(coalesce(a.time, a.cost)) as value_after,
        mean_or_null(b.cost) as cost_before,
        mean_or_null(a.cost) as cost_after
    from instance_solver as b
    inner join instance_solver as a
        using (protocol, scenario_id, measure, instance_id, repetition)
    where (b.kind, b.solver) <> (a.kind, a.solver)
        and b.cutoff is not distinct from a.cutoff
        and b.solved is not null and a.solved is not null
    group by all
),

judged as (
    select
        *,
        solved_before >= 0.5 as had,
        solved_after >= 0.5 as has,
        greatest(factor, coalesce(exp(1.96 * spread * sqrt(2 / n_runs)), 1)) as noise,
        greatest(margin, 1e-9) as floor
    from pair
    inner join noise_level using (protocol, scenario_id, measure)
)

select
    protocol, scenario_id, measure, instance_id, before_kind, before, after_kind,
    after,
    case
        when not had and not has then 'neither'
        when not had then 'gained'
        when not has then 'lost'
        when not differs(value_before, value_after, noise, margin) then 'level'
        when value_after < value_before then 'faster'
        else 'slower'
    end as outcome,
    n_runs, measure_type, solved_before, solved_after, value_before, value_after,
    cost_before, cost_after, noise,
    case
        when not had or not has then null
        when not differs(value_before, value_after, factor, margin) then 0
        when measure_type <> 'runtime' then value_before - value_after
        else ln(greatest(value_before, floor) / greatest(value_after, floor))
    end as advantage
from judged
