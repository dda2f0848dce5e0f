-- One row per protocol, scenario, measure, selector and cause: the way from VBS down to the selector.
-- key: protocol, scenario_id, measure, solver, position
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- solver: selector
-- position: 0 = VBS, then the losses in their order, 7 = the selector
-- step: VBS, wrong choice, schedule, feature cost, cut off, no answer, run outside, or the selector
-- loss: mean cost lost by this cause; VBS and the selector: 0
-- level: mean cost after this step; VBS plus all losses is the selector's cost; null from a loss on that is null
-- points: loss in points of the pooled closed gap, loss / (SBS - VBS), SBS of all instances; null where SBS equals VBS
-- n_affected: instances on which something is lost (or, if negative, won) by this cause
-- n_main: instances of which it is the main cause
-- n_instances: instances that count
-- n_unsolvable: of these, instances that no algorithm solves; nothing is lost there
with headroom as (
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
        mean_or_null(vbs_cost) as vbs,
        count(distinct case when loss <> 0 then instance_id end) as n_affected,
        count(distinct case when is_main then instance_id end) as n_main,
        count(distinct instance_id) as n_instances,
        count(distinct case when n_solving = 0 then instance_id end) as n_unsolvable
    from ledger_loss
    where is_home
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
    window down as (
        partition by protocol, scenario_id, measure, solver order by position
    )
),

ended as (
    select * from levelled
    union all by name
    select
        protocol, scenario_id, measure, solver, e.position,
        case e.position when 0 then 'VBS' else solver end as step,
        0 as loss,
        case e.position when 0 then vbs else level end as level,
        0 as n_affected,
        0 as n_main,
        n_instances, n_unsolvable
    from levelled
    cross join (select unnest([0, 7]) as position) as e
    where levelled.position = 6
)

select
    protocol, scenario_id, measure, solver, position, step, loss, level,
    ratio(loss, headroom) as points,
    n_affected, n_main, n_instances, n_unsolvable
from ended
inner join headroom using (protocol, scenario_id, measure)
