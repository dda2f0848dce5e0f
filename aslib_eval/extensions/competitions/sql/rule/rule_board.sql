-- One row per rule, scenario, part of the scenario and solver that was run there. The row contains the totals and the place of the solver.
-- key: rule, scenario_id, part_of, part, solver
-- as in rule_part: part_of, part, role
-- place: place, from 1. Equal solvers share a place. Null for roles without a place and for disqualified solvers
-- n: runs that count
-- errors: runs that the rule counts as errors
-- solved: instances solved
-- solved_sat: instances solved with an answer other than unsat
-- solved_unsat: instances solved with the answer unsat
-- points: sum or mean of the points, as the rule's column `aggregation` says; unsolved instances count, too
-- wall: sum of the wall-clock times that the rule adds up [s]
-- cpu: sum of the CPU times that the rule adds up [s]
-- time: `wall` or `cpu`, as the rule's column `clock` says [s]
-- mean_time: mean time of the runs whose times are added up [s]
-- timeouts: runs that ended with timeout
-- memouts: runs that ended with memout
-- alone: instances that only this solver solves
-- memory: sum of the memory of all runs, in the unit of the file
-- sound: false if an answer of the solver contradicts a known answer, else true
with halves as (
    select
        n.rule, scenario_id,
        count(distinct (instance_id, repetition)) / 2 as half,
        max(penalty * cutoff) as unsolved
    from rule_run as n
    inner join rule as r using (rule)
    where r.aggregation in ('half', 'half_unsolved')
    group by n.rule, scenario_id
),

summed as (
    select
        rule, scenario_id, part_of, part, solver, role,
        bool_and(p.placed) as placed,
        any_value(r.order_by) as order_by,
        count(*) as n,
        sum(error)::bigint as errors,
        sum(solved)::bigint as solved,
        count(*) filter (solved = 1 and answer <> 'unsat') as solved_sat,
        count(*) filter (solved = 1 and answer = 'unsat') as solved_unsat,
        case any_value(r.aggregation)
            when 'sum' then sum_of(weighed)
            when 'mean' then mean_of(weighed)
            when 'half' then sum_of(weighed) / any_value(h.half)
            else (sum_of(weighed) + case when any_value(r.scoring) = 'par'
                then any_value(h.unsolved) * greatest(any_value(h.half) - count(*), 0) else 0 end
            ) / any_value(h.half)
        end as points,
        coalesce(sum_of(wall), 0) as wall,
        coalesce(sum_of(cpu), 0) as cpu,
        coalesce(sum_of(time), 0) as time,
        mean_of(time) as mean_time,
        count(*) filter (ended = 'timeout') as timeouts,
        count(*) filter (ended = 'memout') as memouts,
        sum(alone)::bigint as alone,
        sum_of(memory) as memory,
        bool_and(sound) as sound
    from rule_part as p
    inner join rule as r using (rule)
    left join halves as h using (rule, scenario_id)
    group by rule, scenario_id, part_of, part, solver, role
    having not bool_and(ended is not distinct from 'not_applicable')
),

-- What decides, as numbers of which the smaller is better; without a value it is last.
keyed as (
    select
        *,
        list_transform(order_by, lambda word: coalesce(
            case word
                when 'errors' then errors
                when '-solved' then -solved
                when 'points' then points
                when '-points' then -points
                when 'wall' then wall
                when 'cpu' then cpu
                when 'time' then time
                when 'mean_time' then mean_time
            end::double,
            'infinity'::double
        )) as decides
    from summed
)

select
    rule, scenario_id, part_of, part, solver, role,
    case
        when placed then rank() over (
            partition by rule, scenario_id, part_of, part, placed order by decides
        )
    end as place,
    n, errors, solved, solved_sat, solved_unsat, points,
    wall, cpu, time, mean_time, timeouts, memouts, alone, memory, sound
from keyed
