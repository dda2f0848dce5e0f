-- One row per rule, run and other solver. Only rules that give points for pairs have rows.
-- key: rule, scenario_id, instance_id, repetition, solver, other
-- other: the other solver
-- points: points that `solver` gets against `other`
-- why: reason for these points: failed, other failed, both failed, proof, no proof, better, worse, faster, slower, equal, or time (the other solver's time divided by the sum of both times)
-- source: MiniZinc Challenge 2025, rules, assessment; Amadini et al. 2023, section 2.2
with entrant as (
    select
        n.*, r.proofs, r.worse_of_unproved, r.equal_quality,
        r.both_failed, r.pair_points
    from rule_run as n
    inner join rule as r using (rule)
    where r.scoring = 'pairs' and n.removed is null
),

-- An answer to a problem without objective is as good as any other.
compared as (
    select
        a.rule, a.scenario_id, a.instance_id, a.repetition, a.solver,
        o.solver as other,
        a.time,
        o.time as other_time,
        a.worse_of_unproved, a.both_failed, a.pair_points,
        case
            when not a.solved and not o.solved then 'both failed'
            when not a.solved then 'failed'
            when not o.solved then 'other failed'
            when a.proofs and a.proved and not o.proved then 'proof'
            when a.proofs and o.proved and not a.proved then 'no proof'
            when a.objective < o.objective then 'better'
            when a.objective > o.objective then 'worse'
            when a.equal_quality = 'half' and a.objective = o.objective then 'equal'
            when a.equal_quality <> 'faster' then 'time'
            when a.time < o.time then 'faster'
            when a.time > o.time then 'slower'
            else 'equal'
        end as why
    from entrant as a
    inner join entrant as o using (rule, scenario_id, instance_id, repetition)
    where a.solver <> o.solver
)

select
    rule, scenario_id, instance_id, repetition, solver, other,
    pair_points * case
        when why = 'both failed' then both_failed
        when why in ('failed', 'no proof', 'slower') then 0
        when why in ('other failed', 'proof', 'better', 'faster') then 1
        when why = 'worse' then worse_of_unproved
        when why = 'equal' or time + other_time = 0 then 0.5
        else other_time / (time + other_time)
    end as points,
    why
from compared
