-- One row per protocol and selector.
-- key: protocol, solver
-- caption: Selectors over all scenarios: means over the scenarios.
-- headings: solver selector; n_scenarios n; median_gap median gap; borda MZNC; mean_rank mean rank
-- digits: closed_gap 4, median_gap 4, speedup 4, incomplete 4, borda 4, mean_rank 2
-- bold: closed_gap max, median_gap max, speedup max, incomplete max, borda max, mean_rank min
-- within: protocol
-- rank: closed_gap, borda
-- mark: closed_gap closed_gap scenarios
-- protocol: name of the protocol
-- solver: selector
-- n_scenarios: scenarios (and measures) with a closed gap
-- closed_gap: mean closed gap; 1 = VBS, 0 = SBS
-- median_gap: median closed gap
-- speedup: mean of cost of VBS / cost
-- incomplete: mean of the incomplete score
-- borda: mean of the MiniZinc Challenge score, summed over the other selectors
-- mean_rank: mean rank by closed gap among the selectors
-- source: Amadini et al. 2023, Table 2
select
    protocol,
    solver,
    max(n_scenarios) filter (metric = 'closed_gap') as n_scenarios,
    max(mean) filter (metric = 'closed_gap') as closed_gap,
    max(median) filter (metric = 'closed_gap') as median_gap,
    max(mean) filter (metric = 'speedup') as speedup,
    max(mean) filter (metric = 'incomplete') as incomplete,
    max(mean) filter (metric = 'borda') as borda,
    max(mean_rank) filter (metric = 'closed_gap') as mean_rank
from suite_solver
where kind = 'selector'
group by protocol, solver
order by protocol, closed_gap desc nulls last, solver
