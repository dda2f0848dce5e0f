-- One row per protocol, scenario, measure and instance. The row contains the best values of the algorithms (VBS) and the worst values (VWS).
-- key: protocol, scenario_id, measure, instance_id, repetition
-- as in instance_kept: measure_type, cutoff, n_solving
-- vbs_solved: largest share of repetitions that an algorithm solves, 0 to 1
-- vws_solved: smallest share of repetitions that an algorithm solves, 0 to 1
-- vbs_time: least runtime of an algorithm; the cutoff if no algorithm solves the instance [scenario time unit]
-- vws_time: largest runtime of an algorithm; the cutoff if some algorithm does not solve the instance [scenario time unit]
-- vbs_par1: least PAR1 of an algorithm [scenario time unit]
-- vws_par1: largest PAR1 of an algorithm [scenario time unit]
-- vbs_par2: least PAR2 of an algorithm [scenario time unit]
-- vws_par2: largest PAR2 of an algorithm [scenario time unit]
-- vbs_par10: least PAR10 of an algorithm [scenario time unit]
-- vws_par10: largest PAR10 of an algorithm [scenario time unit]
-- vbs_cost: least cost of an algorithm
-- vws_cost: largest cost of an algorithm; null if some algorithm has no cost
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
