-- One row per protocol, scenario and measure.
-- key: protocol, scenario_id, measure
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- measure_type: runtime or solution_quality
-- sbs: single best algorithm under the protocol's sbs_criterion, the first by name if several tie
-- sbs_tied: all algorithms that tie for it
-- sbs_par10: its mean PAR10 [scenario time unit]
-- vbs_par10: mean PAR10 of the virtual best solver [scenario time unit]
-- vws_par10: mean PAR10 of the virtual worst solver [scenario time unit]
-- sbs_cost: mean cost of SBS
-- vbs_cost: mean cost of VBS
-- vws_cost: mean cost of VWS
-- attainable_cost: mean cost of a VBS that pays for the features as the protocol charges them
-- sbs_solved: share of instances solved by SBS
-- vbs_solved: share of instances solved by VBS
-- runs_solved: share of all algorithms' runs solved
-- n_instances: instances that count under the protocol
-- n_unsolvable: instances (under separate: and repetitions) that no algorithm solves, whether or not they count
-- n_algorithms: algorithms with runs
-- reason: why there is no gap between SBS and VBS
-- source: Amadini et al. 2023, section 2.2
with score as materialized (select * from solver_score),

candidate as (
    select
        s.*,
        sbs_order(p.sbs_criterion, s.cost, s.par1, s.solved) as value
    from score as s
    inner join protocol as p on p.protocol = s.protocol
    where s.kind = 'algorithm'
),

best as (
    select *, min(value) over (partition by protocol, scenario_id, measure) as least
    from candidate
),

chosen as (
    select
        protocol,
        scenario_id,
        measure,
        min(solver) filter (value = least) as sbs,
        list(solver order by solver) filter (value = least) as sbs_tied,
        mean_of(solved) as runs_solved
    from best
    group by protocol, scenario_id, measure
),

base as (
    select
        protocol,
        scenario_id,
        measure,
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
    group by protocol, scenario_id, measure
),

attainable as (
    select protocol, scenario_id, measure, mean_or_null(cost) as cost
    from instance_attainable
    group by protocol, scenario_id, measure
),

-- Also where the protocol drops every instance.
whole as (
    select
        protocol,
        scenario_id,
        measure,
        measure_type,
        case
            when count(n_solving) > 0 then count(
                distinct case when n_solving = 0 then (instance_id, repetition) end
            )
        end as n_unsolvable,
        count(distinct algorithm) as n_algorithms
    from instance_algorithm as a
    where not exists (
        select 1
        from raw_fold as f
        where f.cv_scheme = 'split'
            and f.fold is null
            and f.scenario_id = a.scenario_id
            and f.instance_id = a.instance_id
    )
    group by protocol, scenario_id, measure, measure_type
)

select
    w.protocol,
    w.scenario_id,
    w.measure,
    w.measure_type,
    c.sbs,
    c.sbs_tied,
    b.sbs_par10,
    b.vbs_par10,
    b.vws_par10,
    b.sbs_cost,
    b.vbs_cost,
    b.vws_cost,
    t.cost as attainable_cost,
    b.sbs_solved,
    b.vbs_solved,
    c.runs_solved,
    coalesce(b.n_instances, 0) as n_instances,
    w.n_unsolvable,
    w.n_algorithms,
    case
        when b.n_instances is null then 'no instance counts: none is solved'
        when b.sbs_cost is null then 'no algorithm has a cost on every instance'
        when abs(b.sbs_cost - b.vbs_cost) <= 1e-12 * abs(b.sbs_cost) then 'SBS equals VBS'
    end as reason
from whole as w
left join base as b
    on b.protocol = w.protocol
    and b.scenario_id = w.scenario_id
    and b.measure = w.measure
left join chosen as c
    on c.protocol = w.protocol
    and c.scenario_id = w.scenario_id
    and c.measure = w.measure
left join attainable as t
    on t.protocol = w.protocol
    and t.scenario_id = w.scenario_id
    and t.measure = w.measure
