-- One row per protocol, scenario, measure, selector and cause. The rows lead from the cost of VBS, loss by loss, to the cost of the selector.
-- stored: yes
-- key: protocol, scenario_id, measure, solver, position
-- position: 0 for VBS, 1 to 6 for the causes of losses, 7 for the selector
-- step: VBS, a cause as in ledger_loss, or the name of the selector
-- loss: mean loss of the selector by this cause; 0 in the rows of VBS and of the selector
-- level: mean cost of VBS plus the losses up to this row; null once a loss is unknown
-- gap_share: loss / (mean cost of SBS - mean cost of VBS); null if SBS equals VBS
-- n_affected: instances on which this cause changes the cost
-- n_main: instances on which this cause is the main cause
-- n_instances: instances that count under the protocol
-- n_unsolvable: instances that count under the protocol and that no algorithm solves
with home as materialized (select * from ledger_loss where is_home),

headroom as (
    select
        protocol, scenario_id, measure,
        mean_of(case when solver = 'SBS' then cost end)
        - mean_of(case when solver = 'VBS' then cost end) as headroom
    from instance_solver
    where kind = 'baseline'
    group by all
),

summed as (
    select
        protocol, scenario_id, measure,
        selector as solver,
        position,
        cause as step,
        mean_or_null(loss) as loss,
        mean_or_null(vbs_cost) as vbs
    from home
    group by all
),

-- An instance has a row for each repetition, of its runs and of the split.
met as (
    select
        protocol, scenario_id, measure, selector, position, instance_id,
        bool_or(loss <> 0) as affected,
        bool_or(is_main) as is_main,
        bool_or(n_solving = 0) as unsolvable
    from home
    group by all
),

counted as (
    select
        protocol, scenario_id, measure,
        selector as solver,
        position,
        count(*) filter (affected) as n_affected,
        count(*) filter (is_main) as n_main,
        count(*) as n_instances,
        count(*) filter (unsolvable) as n_unsolvable
    from met
    group by all
),

levelled as (
    select
        *,
        case
            when count(loss) over down = count(*) over down
                then vbs + sum(loss) over down
        end as level
    from summed
    inner join counted using (protocol, scenario_id, measure, solver, position)
    window down as (
        partition by protocol, scenario_id, measure, solver order by position
    )
),

-- VBS stands before the first cause, the selector after the last, where its level is.
ended as (
    select * from levelled
    union all by name
    select
        * replace (
            0 as position, 'VBS' as step, 0 as loss, vbs as level,
            0 as n_affected, 0 as n_main
        )
    from levelled
    where position = 1
    union all by name
    select
        * replace (
            position + 1 as position, solver as step, 0 as loss,
            0 as n_affected, 0 as n_main
        )
    from levelled
    where position = (select max(position) from levelled)
)

select
    protocol, scenario_id, measure, solver, position, step, loss, level,
    ratio(loss, headroom) as gap_share,
    n_affected, n_main, n_instances, n_unsolvable
from ended
inner join headroom using (protocol, scenario_id, measure)
