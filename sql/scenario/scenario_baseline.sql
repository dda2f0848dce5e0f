-- One row per protocol, scenario and measure. The row describes SBS, VBS and VWS.
-- stored: yes
-- key: protocol, scenario_id, measure
-- measure_type: type of the measure: runtime or solution_quality
-- sbs: single best algorithm under the protocol's setting `sbs_criterion`; ties are broken as in scenario_sbs
-- sbs_tied: all algorithms that tie as single best, including `sbs`
-- sbs_par10: mean PAR10 of SBS [scenario time unit]
-- vbs_par10: mean PAR10 of VBS [scenario time unit]
-- vws_par10: mean PAR10 of VWS [scenario time unit]
-- sbs_cost: mean cost of SBS
-- vbs_cost: mean cost of VBS
-- vws_cost: mean cost of VWS
-- attainable_cost: mean cost of a VBS that pays for the features; null if an instance has no algorithm with a cost
-- sbs_solved: share of the instances that SBS solves
-- vbs_solved: share of the instances that VBS solves
-- runs_solved: share of instances that an algorithm solves, averaged over the algorithms
-- n_instances: instances that count under the protocol
-- n_unsolvable: instances that no algorithm solves, including those that the protocol leaves out; under `repetitions = separate`, each repetition of an instance counts
-- n_algorithms: number of algorithms with runs
-- reason: reason why there is no gap between SBS and VBS
-- source: Amadini et al. 2023, section 2.2
with score as materialized (select * from solver_score),

base as (
    select
        protocol, scenario_id, measure,
        max(n_instances) as n_instances,
        max(par10) filter (solver = 'SBS') as sbs_par10,
        max(par10) filter (solver = 'VBS') as vbs_par10,
        max(par10) filter (solver = 'VWS') as vws_par10,
        max(cost) filter (solver = 'SBS') as sbs_cost,
        max(cost) filter (solver = 'VBS') as vbs_cost,
        max(cost) filter (solver = 'VWS') as vws_cost,
        max(solved) filter (solver = 'SBS') as sbs_solved,
        max(solved) filter (solver = 'VBS') as vbs_solved
    from score
    where kind = 'baseline'
    group by all
),

runs as (
    select protocol, scenario_id, measure, mean_of(solved) as runs_solved
    from score
    where kind = 'algorithm'
    group by all
),

-- Also where the protocol drops every instance.
whole as (
    select
        protocol, scenario_id, measure, measure_type,
        count(n_solving) > 0 as timed,
        count(distinct case when n_solving = 0 then (instance_id, repetition) end)
            as n_unsolvable,
        count(distinct algorithm) as n_algorithms
    from instance_algorithm
    anti join instance_fixed_training using (protocol, scenario_id, instance_id)
    group by all
)

select
    protocol, scenario_id, measure, measure_type, sbs, sbs_tied, sbs_par10, vbs_par10,
    vws_par10, sbs_cost, vbs_cost, vws_cost, attainable_cost, sbs_solved, vbs_solved,
    runs_solved,
    coalesce(n_instances, 0) as n_instances,
    case when timed then n_unsolvable end as n_unsolvable,
    n_algorithms,
    case
        when n_instances is null then 'no instance counts: none is solved'
        when sbs_cost is null then 'no algorithm has a cost on every instance'
        when abs(sbs_cost - vbs_cost) <= 1e-12 * abs(sbs_cost) then 'SBS equals VBS'
    end as reason
from whole
left join base using (protocol, scenario_id, measure)
left join runs using (protocol, scenario_id, measure)
left join scenario_sbs using (protocol, scenario_id, measure)
left join scenario_attainable using (protocol, scenario_id, measure)
