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
with whole as (
    select
        protocol,
        scenario_id,
        measure,
        selector,
        cost,
        vbs_cost,
        cause,
        instance_id,
        n_solving,
        [
            lost_choice,
            lost_schedule,
            lost_features,
            lost_cut_off,
            lost_unanswered,
            lost_outside
        ] as losses
    from ledger
    where is_home
),

room as (
    select
        protocol,
        scenario_id,
        measure,
        mean_of(case when solver = 'SBS' then cost end)
        - mean_of(case when solver = 'VBS' then cost end) as room
    from instance_solver
    where kind = 'baseline'
    group by protocol, scenario_id, measure
),

cause as (
    select
        unnest([1, 2, 3, 4, 5, 6]) as position,
        unnest([
            'wrong choice', 'schedule', 'feature cost', 'cut off', 'no answer',
            'run outside'
        ]) as step
),

summed as (
    select
        w.protocol,
        w.scenario_id,
        w.measure,
        w.selector as solver,
        c.position,
        c.step,
        mean_or_null(w.losses[c.position]) as loss,
        mean_or_null(w.vbs_cost) as vbs,
        count(distinct case when w.losses[c.position] <> 0 then w.instance_id end)
            as n_affected,
        count(distinct case when w.cause = c.step then w.instance_id end) as n_main,
        count(distinct w.instance_id) as n_instances,
        count(distinct case when w.n_solving = 0 then w.instance_id end) as n_unsolvable
    from whole as w
    cross join cause as c
    group by w.protocol, w.scenario_id, w.measure, w.selector, c.position, c.step
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
    union all
    select
        protocol,
        scenario_id,
        measure,
        solver,
        e.position,
        case e.position when 0 then 'VBS' else solver end as step,
        0 as loss,
        vbs,
        0 as n_affected,
        0 as n_main,
        n_instances,
        n_unsolvable,
        case e.position when 0 then vbs else level end as level
    from levelled
    cross join (select unnest([0, 7]) as position) as e
    where levelled.position = 6
)

select
    e.protocol,
    e.scenario_id,
    e.measure,
    e.solver,
    e.position,
    e.step,
    e.loss,
    e.level,
    ratio(e.loss, r.room) as points,
    e.n_affected,
    e.n_main,
    e.n_instances,
    e.n_unsolvable
from ended as e
inner join room as r
    on r.protocol = e.protocol
    and r.scenario_id = e.scenario_id
    and r.measure = e.measure
