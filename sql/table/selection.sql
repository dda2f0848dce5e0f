-- One row per protocol, scenario, measure and solver: SBS, VBS, and all selectors or the solvers that you name.
-- key: protocol, scenario_id, measure, kind, solver
-- caption: Selectors, SBS and VBS: share solved, mean PAR10, closed gap (0 is SBS, 1 is VBS) with its 95 % interval (from, to), and p of a paired test against SBS, also corrected by Holm.
-- headings: scenario_id scenario; n_instances n; mean_cost cost; closed_gap gap; gap_low from; gap_high to; p_adjusted Holm
-- blocks: protocol, scenario_id, measure, n_instances
-- digits: gap_low 3, gap_high 3, p 3, p_adjusted 3
-- within: protocol, scenario_id, measure, kind
-- compare: versus SBS; kind selector
-- remarks: reason, remark, tested
-- hide: measure, kind, scenario_id
-- n_instances: number of instances that count under the protocol
-- as in solver_score: kind, solver, solved, par10
-- value: mean value of a quality measure, in the direction of the measure; null for runtimes
-- mean_cost: mean cost of a runtime measure if the protocol's cost is not PAR10; gaps and tests use this cost
-- closed_gap: closed gap of the solver: 1 = VBS, 0 = SBS
-- gap_low: lower end of the 95 % interval of closed_gap
-- gap_high: upper end of the 95 % interval of closed_gap
-- p: p value of the test of this selector against SBS, or against the solver that you name
-- p_adjusted: p value, corrected by Holm's method for the number of selectors of the scenario
-- verdict: verdict of the test, as in `compare`: how the selector differs from SBS, or from the solver that you name
-- reason: reason why the solver has no closed gap
-- remark: remark on the interval; in the row of SBS, the name of the algorithm
-- tested: remark on the test: tested families, left-out instances, or the reason why there is no test
-- source: Amadini et al. 2023, Definition 3
select
    protocol, scenario_id, measure, g.n_instances, kind, solver, s.solved, s.par10,
    s.quality as value,
    case when s.measure_type = 'runtime' and penalty <> 10 then s.cost end as mean_cost,
    g.closed_gap, g.gap_low, g.gap_high, t.p, t.p_adjusted, t.verdict, g.reason,
    case when solver = 'SBS' and kind = 'baseline' then b.sbs else g.remark end
        as remark,
    case
        when t.n_families is not null
            then format('tested on {} families with {} instances, while the interval '
                'of the gap resamples instances', t.n_families, t.n)
        when t.n <> g.n_instances then format('tested on {} instances', t.n)
        when t.n is null and kind = 'selector' and solver <> max(t.other) over scenario
            then 'equal to ' || max(t.other) over scenario || ', so no test'
    end as tested
from asked_gap as g
inner join solver_score as s using (protocol, scenario_id, measure, kind, solver)
inner join scenario_baseline as b using (protocol, scenario_id, measure)
inner join protocol as p using (protocol)
left join test_pair as t
    on t.protocol = p.tag and t.scenario_id = g.scenario_id and t.measure = g.measure
        and g.kind = 'selector' and t.system = g.solver
window scenario as (partition by protocol, scenario_id, measure)
order by
    protocol, scenario_id, measure,
    case kind when 'baseline' then 0 when 'algorithm' then 1 else 2 end,
    case when kind <> 'baseline' then s.cost end nulls last,
    solver
