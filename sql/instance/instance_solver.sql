-- One row per protocol, scenario, measure, instance and solver. Only tested instances that the protocol includes have rows. VBS has the best value of any algorithm in each column, and VWS the worst.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, kind, solver
-- kind: algorithm, selector or baseline (VBS, VWS and SBS, which is chosen on all instances)
-- as in instance_kept: measure_type, cutoff
-- n_failed: for algorithms and SBS, number of runs that do not solve the instance or have no value; null for other solvers
-- solved: share of the repeated runs that solve the instance, 0 to 1; for a selector, averaged over repeated cross-validations
-- as in instance_kept: time, par1, par2, par10
-- cost: for a runtime, PAR with the protocol's penalty; for a quality, its value, or minus its value if higher is better
-- n_solving: number of algorithms that solve the instance
-- vbs_par1: PAR1 of VBS on the instance; for a quality, the cost of VBS
-- vbs_cost: cost of VBS on the instance
-- metrics: cost, par1, par2, par10, solved
-- metric time: min, 1 digit, "time", in the scenario's unit, from 0 to 1 cutoffs
-- source: Amadini et al. 2023, section 2.2
with kept as materialized (
    select * from instance_kept where tested
),

virtual as materialized (select * from instance_virtual),

entry as (
    select
        protocol, scenario_id, measure, instance_id, repetition, 'algorithm' as kind,
        algorithm as solver, n_failed, solved, time, par1, par2, par10, cost
    from kept
    union all
    select
        protocol, scenario_id, measure, instance_id, repetition, 'baseline' as kind,
        'SBS' as solver, n_failed, solved, time, par1, par2, par10, cost
    from kept
    inner join scenario_sbs using (protocol, scenario_id, measure)
    where algorithm = sbs
    union all by name
    select
        protocol, scenario_id, measure, instance_id, repetition, 'baseline' as kind,
        'VBS' as solver, vbs_solved as solved, vbs_time as time, vbs_par1 as par1,
        vbs_par2 as par2, vbs_par10 as par10, vbs_cost as cost
    from virtual
    union all by name
    select
        protocol, scenario_id, measure, instance_id, repetition, 'baseline' as kind,
        'VWS' as solver, vws_solved as solved, vws_time as time, vws_par1 as par1,
        vws_par2 as par2, vws_par10 as par10, vws_cost as cost
    from virtual
    union all by name
    select
        protocol, scenario_id, measure, instance_id, repetition, 'selector' as kind,
        selector as solver,
        mean_of(solved) as solved,
        mean_of(time) as time,
        mean_of(par1) as par1,
        mean_of(par2) as par2,
        mean_of(par10) as par10,
        mean_or_null(cost) as cost
    from instance_selector
    where is_home
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition, e.kind, e.solver,
    v.measure_type, v.cutoff, e.n_failed, e.solved, e.time, e.par1, e.par2, e.par10,
    e.cost, v.n_solving,
    coalesce(v.vbs_par1, v.vbs_cost) as vbs_par1,
    v.vbs_cost
from entry as e
inner join virtual as v
    using (protocol, scenario_id, measure, instance_id, repetition)
