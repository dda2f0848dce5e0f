-- One row per protocol, scenario, measure and instance: the best and the worst of its algorithms.
-- key: protocol, scenario_id, measure, instance_id, repetition
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- n_solving: number of algorithms that solve the instance
-- vbs_solved: largest share solved, 0 to 1
-- vws_solved: smallest share solved, 0 to 1
-- vbs_time: least runtime; the cutoff if no algorithm solves the instance [scenario time unit]
-- vws_time: largest runtime; the cutoff if some algorithm does not solve the instance [scenario time unit]
-- vbs_par1: least PAR1 [scenario time unit]
-- vws_par1: largest PAR1 [scenario time unit]
-- vbs_par2: least PAR2 [scenario time unit]
-- vws_par2: largest PAR2 [scenario time unit]
-- vbs_par10: least PAR10 [scenario time unit]
-- vws_par10: largest PAR10 [scenario time unit]
-- vbs_cost: least cost
-- vws_cost: largest cost; null if one algorithm has none
-- source: Amadini et al. 2023, section 2.2
select
    protocol, scenario_id, measure, instance_id, repetition, measure_type, cutoff,
    n_solving,
    max(solved) as vbs_solved,
    min(solved) as vws_solved,
    min(time) as vbs_time,
    max(time) as vws_time,
    min(par1) as vbs_par1,
    max(par1) as vws_par1,
    min(par2) as vbs_par2,
    max(par2) as vws_par2,
    min(par10) as vbs_par10,
    max(par10) as vws_par10,
    min(cost) as vbs_cost,
    case when count(cost) = count(*) then max(cost) end as vws_cost
from instance_kept
where tested
group by all
