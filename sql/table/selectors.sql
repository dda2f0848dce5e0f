-- One row per protocol and selector. The row contains means over the scenarios.
-- key: protocol, solver
-- caption: Selectors over all scenarios: means over the scenarios.
-- headings: solver selector; n_scenarios n; median_gap median gap; borda MZNC; mean_rank mean rank
-- digits: closed_gap 4, median_gap 4, speedup 4, incomplete 4, borda 4, mean_rank 2
-- bold: closed_gap max, median_gap max, speedup max, incomplete max, borda max, mean_rank min
-- within: protocol
-- rank: closed_gap, borda
-- mark: closed_gap closed_gap scenarios
-- over: closed_gap n_scenarios n_gaps, median_gap n_scenarios n_gaps, mean_rank n_scenarios n_gaps, speedup n_speedup n_speedups, incomplete n_incomplete n_incompletes, borda n_borda n_bordas
-- hide: n_gaps, n_speedup, n_speedups, n_incomplete, n_incompletes, n_borda, n_bordas
-- solver: name of the selector
-- n_scenarios: number of scenarios in which the selector has a closed gap; a scenario with several measures counts once for each measure
-- closed_gap: mean of the closed gaps; 1 = VBS, 0 = SBS
-- median_gap: median of the closed gaps
-- speedup: mean of the speedups: cost of VBS, divided by cost of the selector
-- incomplete: mean of the incomplete scores
-- borda: mean of the MiniZinc Challenge scores, which are sums of points against the other selectors
-- mean_rank: mean rank by closed gap among the selectors
-- n_gaps: number of scenarios in which any selector has a closed gap
-- n_speedup: number of scenarios in which the selector has a speedup
-- n_speedups: number of scenarios in which any selector has a speedup
-- n_incomplete: number of scenarios in which the selector has an incomplete score
-- n_incompletes: number of scenarios in which any selector has an incomplete score
-- n_borda: number of scenarios in which the selector has a MiniZinc Challenge score
-- n_bordas: number of scenarios in which any selector has a MiniZinc Challenge score
-- source: Amadini et al. 2023, Table 2
with met as (
    select protocol, metric, count(distinct (scenario_id, measure)) as n_all
    from solver_rank
    where kind = 'selector' and score is not null
    group by all
),

found as (
    select
        protocol, solver,
        max(n_scenarios) filter (metric = 'closed_gap') as n_scenarios,
        max(mean) filter (metric = 'closed_gap') as closed_gap,
        max(median) filter (metric = 'closed_gap') as median_gap,
        max(mean) filter (metric = 'speedup') as speedup,
        max(mean) filter (metric = 'incomplete') as incomplete,
        max(mean) filter (metric = 'borda') as borda,
        max(mean_rank) filter (metric = 'closed_gap') as mean_rank,
        max(n_all) filter (metric = 'closed_gap') as n_gaps,
        max(n_scenarios) filter (metric = 'speedup') as n_speedup,
        max(n_all) filter (metric = 'speedup') as n_speedups,
        max(n_scenarios) filter (metric = 'incomplete') as n_incomplete,
        max(n_all) filter (metric = 'incomplete') as n_incompletes,
        max(n_scenarios) filter (metric = 'borda') as n_borda,
        max(n_all) filter (metric = 'borda') as n_bordas
    from suite_solver
    left join met using (protocol, metric)
    where kind = 'selector'
    group by all
)

select *
from found
order by
    protocol, n_scenarios is distinct from n_gaps, closed_gap desc nulls last, solver
