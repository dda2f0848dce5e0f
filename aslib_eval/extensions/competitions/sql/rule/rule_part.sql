-- One row per rule, run that counts under the rule, and kind of part (all, division, logic or family). Each part has its own ranking. The row contains the run's part and its weighted points.
-- key: rule, part_of, scenario_id, instance_id, repetition, solver
-- part_of: kind of the part: all, division, logic or family
-- part: name of the division, logic or family; all = all instances
-- role: role of the solver in the competition; virtual for VBS
-- placed: whether the solver may have a place; false if its role gets no place, or if errors in any part disqualify it
-- weighed: weighted points of the run; all groups that the rule's column `balanced` names have the same total weight
-- as in rule_points: answer, sound, error, solved, alone
-- wall: wall-clock time; null = not added up [s]
-- cpu: CPU time; null = not added up [s]
-- time: CPU time or wall-clock time, as the rule's column `clock` says; null = not added up [s]
-- as in rule_run: ended, memory
with board as (
    select rule, placed, balanced, unnest(parts)::varchar as part_of
    from rule
),

-- Who is disqualified is so on every board, of sat or of one division, too.
entered as (
    select
        n.rule, n.scenario_id, n.solver,
        case any_value(r.wrong)
            when 'disqualified' then bool_or(n.error)
            when 'family'
                then count(distinct coalesce(n.family, '')) filter (n.error) > 1
            else false
        end as disqualified
    from rule_run as n
    inner join rule as r using (rule)
    where n.removed is distinct from 'disagreement'
    group by n.rule, n.scenario_id, n.solver
),

parted as (
    select
        p.*, r.part_of,
        case r.part_of
            when 'all' then 'all'
            when 'division' then coalesce(p.division, '')
            when 'logic' then coalesce(p.logic, '')
            else coalesce(p.family, '')
        end as part,
        list_contains(r.placed, p.role)
            and not coalesce(e.disqualified, false) as placed,
        case r.balanced
            when 'division' then coalesce(p.division, '')
            when 'logic' then coalesce(p.logic, '')
            when 'family' then coalesce(p.family, '')
        end as balance,
        r.balanced is not null as is_balanced
    from rule_points as p
    inner join board as r using (rule)
    left join entered as e using (rule, scenario_id, solver)
)

select
    rule, part_of, scenario_id, instance_id, repetition, solver, part, role, placed,
    case
        when not is_balanced then points
        else points * count(*) over solver_part
            / count(distinct balance) over solver_part
            / count(*) over (
                partition by rule, scenario_id, part_of, part, solver, balance
            )
    end as weighed,
    answer, sound, error, solved, alone,
    case when timed then wall end as wall,
    case when timed then cpu end as cpu,
    case when timed then time end as time,
    ended, memory
from parted
window solver_part as (partition by rule, scenario_id, part_of, part, solver)
