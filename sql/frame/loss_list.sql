-- One row per protocol, scenario, measure, selector and step. The steps lead from VBS over each cause of a loss or gain to the selector.
-- key: protocol, scenario_id, measure, solver, step
-- solver: name of the selector
-- step: step from VBS to the selector: VBS, wrong choice, schedule, feature cost, cut off, no answer, run outside, or the selector
-- gap_share: share of the gap between SBS and VBS that the selector loses to this cause: mean loss / (mean cost of SBS - mean cost of VBS), where SBS is chosen on all instances. 1 minus all shares is the closed gap. Null if SBS equals VBS, and for VBS and the selector
-- loss: mean cost lost to this cause; null for VBS and the selector
-- n_affected: number of instances on which this cause brings a loss or gain; null for VBS and the selector
-- n_main: number of instances on which this cause is the main cause; null for VBS and the selector
-- as in solver_shapley: shapley, alone
-- level: mean cost after this step: cost of VBS plus the losses up to this step; null from the first null loss on
-- n: number of instances that count under the protocol
-- unsolvable: number of instances that count under the protocol and that no algorithm solves
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
