-- One row per protocol, scenario, measure, instance and solver of every kind.
-- key: protocol, scenario_id, measure, instance_id, repetition, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under a protocol that keeps them separate
-- kind: algorithm, selector, or baseline (VBS, SBS, VWS of the algorithms; SBS chosen on all instances)
-- solver: name
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- n_failed: algorithms (and SBS): runs without a result of their own: not solved, or a quality without value
-- solved: share of the repetitions solved, 0 to 1 (selectors: also mean over the repetitions of their split); VBS takes the largest, VWS the smallest
-- time: runtime, the cutoff where unsolved [scenario time unit]
-- par1: penalised runtime, k = 1; each of VBS's columns is the least of the algorithms', of VWS's the largest [scenario time unit]
-- par2: penalised runtime, k = 2 [scenario time unit]
-- par10: penalised runtime, k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty, or the quality turned so that lower is better; VWS's is null if one algorithm's is
-- n_solving: algorithms that solve the instance
-- vbs_par1: PAR1 of VBS on the instance; for quality measures its cost
-- vbs_cost: cost of VBS on the instance
-- metrics: cost, par1, par2, par10, solved
-- metric time: min, 1 digit, "time", in the scenario's unit, from 0 to 1 cutoffs
-- source: Amadini et al. 2023, section 2.2
with kept as materialized (
    select * from instance_kept where tested
),

virtual as materialized (
    select
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        measure_type,
        cutoff,
        n_solving,
        max(solved) as best_solved,
        min(solved) as worst_solved,
        min(time) as best_time,
        max(time) as worst_time,
        min(par1) as best_par1,
        max(par1) as worst_par1,
        min(par2) as best_par2,
        max(par2) as worst_par2,
        min(par10) as best_par10,
        max(par10) as worst_par10,
        min(cost) as best_cost,
        case when count(cost) = count(*) then max(cost) end as worst_cost
    from kept
    group by
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        measure_type,
        cutoff,
        n_solving
),

mean as (
    select
        protocol,
        scenario_id,
        measure,
        algorithm,
        mean_or_null(cost) as cost,
        mean_or_null(par1) as par1,
        mean_of(solved) as solved
    from kept
    group by protocol, scenario_id, measure, algorithm
),

criterion as (
    select
        m.protocol,
        m.scenario_id,
        m.measure,
        m.algorithm,
        sbs_order(p.sbs_criterion, m.cost, m.par1, m.solved) as value
    from mean as m
    inner join protocol as p on p.protocol = m.protocol
),

single_best as (
    select
        protocol,
        scenario_id,
        measure,
        arg_min(algorithm, (value, algorithm)) as algorithm
    from criterion
    where value is not null
    group by protocol, scenario_id, measure
),

entry as (
    select
        k.protocol,
        k.scenario_id,
        k.measure,
        k.instance_id,
        k.repetition,
        k.algorithm,
        k.measure_type,
        k.cutoff,
        k.n_failed,
        k.solved,
        k.time,
        k.par1,
        k.par2,
        k.par10,
        k.cost,
        v.n_solving,
        coalesce(v.best_par1, v.best_cost) as vbs_par1,
        v.best_cost as vbs_cost,
        k.algorithm = s.algorithm as is_sbs
    from kept as k
    inner join virtual as v
        on v.protocol = k.protocol
        and v.scenario_id = k.scenario_id
        and v.measure = k.measure
        and v.instance_id = k.instance_id
        and v.repetition = k.repetition
    left join single_best as s
        on s.protocol = k.protocol
        and s.scenario_id = k.scenario_id
        and s.measure = k.measure
)

select
    e.protocol,
    e.scenario_id,
    e.measure,
    e.instance_id,
    e.repetition,
    r.kind,
    case r.kind when 'algorithm' then e.algorithm else 'SBS' end as solver,
    e.measure_type,
    e.cutoff,
    e.n_failed,
    e.solved,
    e.time,
    e.par1,
    e.par2,
    e.par10,
    e.cost,
    e.n_solving,
    e.vbs_par1,
    e.vbs_cost
from entry as e
inner join (select unnest(['algorithm', 'baseline']) as kind) as r
    on r.kind = 'algorithm' or e.is_sbs
union all
select
    v.protocol,
    v.scenario_id,
    v.measure,
    v.instance_id,
    v.repetition,
    'baseline' as kind,
    b.solver,
    v.measure_type,
    v.cutoff,
    null as n_failed,
    case b.solver when 'VBS' then v.best_solved else v.worst_solved end as solved,
    case b.solver when 'VBS' then v.best_time else v.worst_time end as time,
    case b.solver when 'VBS' then v.best_par1 else v.worst_par1 end as par1,
    case b.solver when 'VBS' then v.best_par2 else v.worst_par2 end as par2,
    case b.solver when 'VBS' then v.best_par10 else v.worst_par10 end as par10,
    case b.solver when 'VBS' then v.best_cost else v.worst_cost end as cost,
    v.n_solving,
    coalesce(v.best_par1, v.best_cost) as vbs_par1,
    v.best_cost as vbs_cost
from virtual as v
cross join (select unnest(['VBS', 'VWS']) as solver) as b
union all
select
    v.protocol,
    v.scenario_id,
    v.measure,
    v.instance_id,
    v.repetition,
    'selector' as kind,
    s.selector as solver,
    v.measure_type,
    v.cutoff,
    null as n_failed,
    mean_of(s.solved) as solved,
    mean_of(s.time) as time,
    mean_of(s.par1) as par1,
    mean_of(s.par2) as par2,
    mean_of(s.par10) as par10,
    mean_or_null(s.cost) as cost,
    v.n_solving,
    coalesce(v.best_par1, v.best_cost) as vbs_par1,
    v.best_cost as vbs_cost
from instance_selector as s
inner join virtual as v
    on v.protocol = s.protocol
    and v.scenario_id = s.scenario_id
    and v.measure = s.measure
    and v.instance_id = s.instance_id
    and v.repetition = s.repetition
where s.is_home
group by
    v.protocol,
    v.scenario_id,
    v.measure,
    v.instance_id,
    v.repetition,
    s.selector,
    v.measure_type,
    v.cutoff,
    v.n_solving,
    v.best_par1,
    v.best_cost
