-- One row per protocol, scenario, measure, selector and step: VBS, each cause by which something is lost or won, and the selector.
-- key: protocol, scenario_id, measure, solver, step
-- solver: selector
-- step: VBS, wrong choice, schedule, feature cost, cut off, no answer, run outside, or the selector
-- gap_share: share of the pooled gap that this cause costs, loss / (SBS - VBS), SBS of all instances: 1 minus all shares is the closed gap; null where SBS equals VBS, and of VBS and the selector, which are no causes
-- loss: mean cost lost by this cause; null of VBS and the selector
-- n_affected: instances on which something is lost (or, if negative, won) by this cause; null of VBS and the selector
-- n_main: instances of which it is the main cause; null of VBS and the selector
-- shapley: mean cost that putting this cause right saves, in the mean over all orders of putting the causes right; null of VBS and the selector
-- alone: mean cost that it saves if it alone is put right; null of VBS and the selector
-- level: mean cost after this step; VBS plus all losses is the selector's cost; null from a loss on that is null
-- n: instances that count
-- unsolvable: of these, instances that no algorithm solves
select
    p.tag as protocol, w.scenario_id, w.measure, w.solver, w.step,
    case when w.position not in (0, 7) then w.gap_share end as gap_share,
    case when w.position not in (0, 7) then w.loss end as loss,
    case when w.position not in (0, 7) then w.n_affected end as n_affected,
    case when w.position not in (0, 7) then w.n_main end as n_main,
    s.shapley, s.alone,
    w.level,
    w.n_instances as n,
    w.n_unsolvable as unsolvable
from solver_loss as w
inner join protocol as p using (protocol)
left join solver_shapley as s
    using (protocol, scenario_id, measure, solver, position)
where w.position in (0, 7) or w.loss <> 0 or w.n_affected > 0 or s.shapley <> 0
order by w.scenario_id, w.measure, w.protocol, w.solver, w.position
