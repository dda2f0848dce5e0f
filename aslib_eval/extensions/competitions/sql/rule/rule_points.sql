-- One row per rule and run that counts under the rule. The row contains the points of the run. If the rule gives no points for pairs, the best run of each instance has a second row, with the solver VBS.
-- key: rule, scenario_id, instance_id, repetition, solver
-- as in rule_run: division, logic, family, role
-- truth: known answer (sat or unsat), else the answer of the solvers that the rule trusts; null = unknown
-- answer: answer that the solver gave in time; null = none
-- sound: false if an answer of the solver in the division contradicts a known answer, else true
-- error: 1 if the rule counts the run as an error (a wrong answer, or no answer)
-- solved: 1 if the run solves the instance
-- alone: 1 if only this solver solves the instance
-- timed: whether the times of the run are added up
-- wall: wall-clock time [s]
-- cpu: CPU time [s]
-- time: CPU time or wall-clock time, as the rule's column `clock` says [s]
-- points: points by the rule's scoring; if the scoring is par, the penalised time, lower is better [s]
-- as in rule_run: ended, memory
with compared as (
    select
        *,
        count(*) filter (solved) over instance as n_solved,
        least(
            min(objective) filter (solved) over instance, best_known
        ) as best
    from rule_run
    where removed is null
    window instance as (partition by rule, scenario_id, instance_id, repetition)
),

-- Each has 0 points beside those that it has against others.
paired as (
    select rule, scenario_id, instance_id, repetition, solver, sum_of(points) as points
    from (
        select rule, scenario_id, instance_id, repetition, solver, points from rule_pair
        union all
        select n.rule, n.scenario_id, n.instance_id, n.repetition, n.solver, 0 as points
        from rule_run as n
        inner join rule as r using (rule)
        where r.scoring = 'pairs'
    )
    group by rule, scenario_id, instance_id, repetition, solver
),

-- Two parts, and each a filter on the rule reaches: no pairs are made for another.
scored as (
    select
        c.*, r.scoring, r.times,
        case
            when r.scoring = 'par' then par(c.time, c.solved, c.cutoff, r.penalty)
            when c.error and c.answer = 'unsat' then r.points_wrong_unsat
            when c.error then r.points_wrong_sat
            when r.scoring = 'answers' and r.n_answers then coalesce(c.n_answers, 0)
            when not c.solved then r.points_unsolved
            when r.scoring = 'ratio' then ratio_to_best(c.objective, best, r.shift)
            when r.scoring = 'value'
                then case when c.sense = 'maximize' then -c.objective else c.objective end
            when r.scoring = 'log' then log_points(c.time, c.cutoff)
            when c.answer = 'unsat' then r.points_unsat
            else r.points_sat
        end as points
    from compared as c
    inner join rule as r using (rule)
    where r.scoring <> 'pairs'
    union all
    select c.*, r.scoring, r.times, p.points
    from compared as c
    inner join rule as r using (rule)
    inner join paired as p using (rule, scenario_id, instance_id, repetition, solver)
),

placed as (
    select
        *,
        row_number() over (
            partition by rule, scenario_id, instance_id, repetition
            order by
                error, not solved, case when scoring = 'par' then points else -points end,
                time, solver
        ) as place_of_run
    from scored
)

select
    rule, scenario_id, instance_id, repetition,
    case when is_best then 'VBS' else solver end as solver,
    division, logic, family,
    case when is_best then 'virtual' else role end as role,
    truth, answer,
    sound or is_best as sound,
    error::integer as error,
    solved::integer as solved,
    (solved and n_solved = 1 and not is_best)::integer as alone,
    times = 'all' or solved or (times = 'answered' and answer is not null) as timed,
    wall, cpu, time, points, ended, memory
from placed
inner join (values (false), (true)) as v(is_best)
    on not is_best or (place_of_run = 1 and scoring <> 'pairs')
