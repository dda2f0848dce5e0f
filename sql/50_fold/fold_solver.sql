-- One row per protocol, scenario, measure, split, fold and solver.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- cv_scheme: aslib = cv.arff
-- cv_repetition: repetition of the cross-validation
-- fold: test fold
-- kind: algorithm or baseline (SBS here is the one of all instances)
-- solver: name
-- n_instances: instances of the fold
-- solved: mean share solved, 0 to 1
-- par1: mean PAR1 [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost; null if an instance has none
select
    s.protocol,
    s.scenario_id,
    s.measure,
    f.cv_scheme,
    f.cv_repetition,
    f.fold,
    s.kind,
    s.solver,
    count(distinct s.instance_id) as n_instances,
    avg(s.solved) as solved,
    mean_or_null(s.par1) as par1,
    mean_or_null(s.par2) as par2,
    mean_or_null(s.par10) as par10,
    mean_or_null(s.cost) as cost
from stg_fold as f
inner join instance_solver as s
    on s.protocol = f.protocol
    and s.scenario_id = f.scenario_id
    and s.instance_id = f.instance_id
group by
    s.protocol,
    s.scenario_id,
    s.measure,
    f.cv_scheme,
    f.cv_repetition,
    f.fold,
    s.kind,
    s.solver
