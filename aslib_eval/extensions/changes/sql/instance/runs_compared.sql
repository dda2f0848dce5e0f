-- One row per protocol, scenario, measure, instance and two solvers that ran it: what changed from the one to the other.
-- key: protocol, scenario_id, measure, instance_id, before_kind, before, after_kind, after
-- outcome: gained, lost, faster, slower, level, or neither, which neither solves; a solver solves an instance if it does in half of the repetitions; faster and slower are beyond the noise (of a quality: better and worse)
-- n_runs: repetitions that both have; 1 where the protocol makes them one
-- measure_type: runtime or solution_quality
-- solved_before: share of them that the one solves, 0 to 1
-- solved_after: the same of the other
-- value_before: mean time, the cutoff where unsolved; of a quality its cost [scenario time unit]
-- value_after: the same of the other
-- cost_before: mean cost, lower is better
-- cost_after: the same of the other
-- noise: factor by which values are apart if noise_level is all there is, in 95 of 100 instances where it knows the spread
-- advantage: how much less the other takes where both solve: the logarithm of the ratio of times, of a quality the difference; 0 within factor and margin of noise_level; null where not both solve
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
