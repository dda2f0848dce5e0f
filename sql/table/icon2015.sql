-- One row per protocol, scenario, measure and selector.
-- key: protocol, scenario_id, measure, solver
-- caption: Remaining gap with respect to three metrics and their mean: 0 is VBS, 1 is SBS of each metric.
-- headings: scenario_id scenario; n_instances n; solver selector; remaining_solved solved; remaining_mcp MCP; remaining_par10 PAR10
-- digits: remaining_solved 3, remaining_mcp 3, remaining_par10 3, mean 3
-- bold: remaining_solved min, remaining_mcp min, remaining_par10 min, mean min
-- within: protocol, scenario_id
-- hide: measure
-- n_instances: number of instances that count under the protocol
-- solver: name of the selector
-- remaining_solved: remaining gap of the share solved
-- remaining_mcp: remaining gap of the misclassification penalty
-- remaining_par10: remaining gap of PAR10
-- mean: mean of the three remaining gaps; null if one of them is null
-- source: Kotthoff, Hurley, O'Sullivan 2017: the ICON challenge of 2015; Amadini et al. 2023, footnote 6
select
    protocol, scenario_id, measure,
    any_value(metric_gap.n_instances) as n_instances,
    solver,
    max(remaining_gap) filter (metric = 'solved') as remaining_solved,
    max(remaining_gap) filter (metric = 'mcp') as remaining_mcp,
    max(remaining_gap) filter (metric = 'par10') as remaining_par10,
    case when count(remaining_gap) = 3 then mean_of(remaining_gap) end as mean
from metric_gap
inner join scenario_baseline using (protocol, scenario_id, measure)
where kind = 'selector' and measure_type = 'runtime'
    and metric in ('solved', 'mcp', 'par10')
group by protocol, scenario_id, measure, solver
order by protocol, scenario_id, measure, mean nulls last, solver
