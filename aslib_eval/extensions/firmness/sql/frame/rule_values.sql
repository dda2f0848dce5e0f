-- One row per rule, board, solver with a place and instance: its totals over all repetitions.
-- key: rule, scenario_id, part_of, part, solver, instance_id
-- parameter rule: pattern of the names of rules
-- parameter first: first of these rules by name, so that DuckDB can limit both sides of a join
-- parameter last: last of these rules by name
-- rule: name of the rule
-- part_of: kind of the part: all, division, logic or family
-- part: name of the division, logic or family; all = all instances
-- errors: runs that the rule counts as errors
-- solved: runs that solve the instance
-- points: points, weighted as the rule's balanced says
-- wall: wall-clock time that is added up [s]
-- cpu: CPU time that is added up [s]
-- time: CPU time or wall-clock time, as the rule's column `clock` says [s]
-- n: runs that count
-- sound: false if an answer of the solver in the division contradicts a known answer, else true
-- family: family of the instance; null = not stated
-- order_by: quantities that decide the place, first to last
-- aggregation: way to aggregate the points, as in rule
-- scoring: way to score a run, as in rule
-- times: runs with times that are added up
-- balanced: groups with equal weight; null = instances
-- penalty: for par: cost of an unsolved run, in time limits
-- cutoff: time limit of the rule, else of the runs [s]
-- source: the views rule_part and rule
with named as (
    select
        scenario_id, instance_id,
        any_value(family order by family) as family,
        max(cutoff) as cutoff
    from competition_run
    group by all
)

select
    p.rule, p.scenario_id, p.part_of, p.part, p.solver, p.instance_id,
    sum(p.error) as errors,
    sum(p.solved) as solved,
    sum_of(p.weighed) as points,
    coalesce(sum_of(p.wall), 0) as wall,
    coalesce(sum_of(p.cpu), 0) as cpu,
    coalesce(sum_of(p.time), 0) as time,
    count(*) as n,
    bool_and(p.sound) as sound,
    any_value(a.family) as family,
    any_value(r.order_by)::varchar[] as order_by,
    any_value(r.aggregation)::varchar as aggregation,
    any_value(r.scoring)::varchar as scoring,
    any_value(r.times)::varchar as times,
    any_value(r.balanced)::varchar as balanced,
    any_value(r.penalty) as penalty,
    coalesce(any_value(r.time_limit), any_value(a.cutoff)) as cutoff
from rule_part as p
inner join rule as r using (rule)
inner join rule_board as b using (rule, scenario_id, part_of, part, solver)
inner join named as a using (scenario_id, instance_id)
where
    p.rule glob $rule
    and p.rule between $first and $last
    and b.place is not null
group by all
order by all
