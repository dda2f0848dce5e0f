-- One row per protocol, scenario, measure, attribute and family. The row compares algorithms and baselines on the instances of the family.
-- key: protocol, scenario_id, measure, attribute, family
-- n_instances: instances of the family that count under the protocol
-- share: share of the scenario's instances that belong to the family
-- sbs: single best algorithm of the scenario
-- sbs_cost: mean cost of `sbs` on the family
-- best: single best algorithm of the family under the protocol's setting `sbs_criterion`; the first by name if several tie
-- best_tied: all algorithms that tie as best of the family, including `best`
-- best_cost: mean cost of `best` on the family
-- vbs_cost: mean cost of VBS on the family
-- vws_cost: mean cost of VWS on the family
-- sbs_par10: mean PAR10 of `sbs` on the family [scenario time unit]
-- best_par10: mean PAR10 of `best` on the family [scenario time unit]
-- vbs_par10: mean PAR10 of VBS on the family [scenario time unit]
-- sbs_solved: share of the family's instances that `sbs` solves
-- vbs_solved: share of the family's instances that VBS solves
-- share_of_gap: share of the scenario's gap between SBS and VBS (summed over instances) that comes from the family; null if the scenario has no gap
-- reason: reason why there is no gap between SBS and VBS
with score as materialized (select * from solver_score_by),

base as (
    select
        protocol, scenario_id, measure, attribute, family,
        max(n_instances) as n_instances,
        max(cost) filter (solver = 'SBS') as sbs_cost,
        max(cost) filter (solver = 'VBS') as vbs_cost,
        max(cost) filter (solver = 'VWS') as vws_cost,
        max(par10) filter (solver = 'SBS') as sbs_par10,
        max(par10) filter (solver = 'VBS') as vbs_par10,
        max(solved) filter (solver = 'SBS') as sbs_solved,
        max(solved) filter (solver = 'VBS') as vbs_solved
    from score
    where kind = 'baseline'
    group by all
),

criterion as (
    select
        protocol, scenario_id, measure, attribute, family, solver, cost, par10,
        sbs_order(sbs_criterion, cost, par1, solved) as value,
        min(value) over (
            partition by protocol, scenario_id, measure, attribute, family
        ) as least
    from score
    inner join protocol using (protocol)
    where kind = 'algorithm'
),

best as (
    select
        protocol, scenario_id, measure, attribute, family,
        list(solver order by solver) as best_tied,
        arg_min(cost, solver) as best_cost,
        arg_min_null(par10, solver) as best_par10
    from criterion
    where value = least
    group by all
),

whole as (
    select
        *,
        sum(n_instances) over scenario as n_all,
        (sbs_cost - vbs_cost) * n_instances as gap,
        sum((sbs_cost - vbs_cost) * n_instances) over scenario as gap_of_all
    from base
    window scenario as (partition by protocol, scenario_id, measure, attribute)
)

select
    protocol, scenario_id, measure, attribute, family, n_instances,
    n_instances / n_all as share,
    sbs, sbs_cost, best_tied[1] as best, best_tied, best_cost, vbs_cost, vws_cost,
    sbs_par10, best_par10, vbs_par10, sbs_solved, vbs_solved,
    case when gap_of_all > 0 then gap / gap_of_all end as share_of_gap,
    case
        when sbs_cost is null then 'no algorithm has a cost on every instance'
        when abs(sbs_cost - vbs_cost) <= 1e-12 * abs(sbs_cost) then 'SBS equals VBS'
    end as reason
from whole
left join best using (protocol, scenario_id, measure, attribute, family)
left join scenario_sbs using (protocol, scenario_id, measure)
