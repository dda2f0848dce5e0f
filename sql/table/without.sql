-- One row per protocol and left-out scenario. The row contains the winners over the other scenarios.
-- key: protocol, left_out, measure
-- caption: Winners by the sum of closed gaps and of MZNC scores, without one scenario at a time.
-- headings: left_out without; n_scenarios n; gap_first first by gap; gap_total sum; gap_lead lead; borda_first first by MZNC; borda_total sum; borda_lead lead
-- digits: gap_total 4, gap_lead 4, borda_total 4, borda_lead 4
-- hide: measure
-- left_out: scenario that is left out; `(none)` in the row with the sums over all scenarios
-- measure: measure of the left-out scenario; empty in the row with the sums over all scenarios
-- n_scenarios: number of scenarios that the sums contain; a scenario with several measures counts once for each measure
-- gap_first: selector with the largest mean closed gap among the selectors with a gap in the most scenarios; if several tie, all their names
-- gap_total: sum of the closed gaps of the selector in gap_first
-- gap_lead: gap_total minus the sum of the selector with the next rank; null if no other selector has a rank
-- borda_first: selector with the largest mean MiniZinc Challenge score among the selectors with a score in the most scenarios; if several tie, all their names
-- borda_total: sum of the MiniZinc Challenge scores of the selector in borda_first
-- borda_lead: borda_total minus the sum of the selector with the next rank; null if no other selector has a rank
-- source: Amadini et al. 2023, Table 1
with less as (
    select
        protocol, scenario_id, measure, metric, solver, total, n_scenarios, rank,
        0 as place
    from suite_without
    where kind = 'selector' and rank is not null and metric in ('closed_gap', 'borda')
),

everything as (
    select
        protocol,
        '(none)' as scenario_id,
        '' as measure,
        metric, solver,
        any_value(total_all) as total,
        any_value(n_scenarios + case when score is null then 0 else 1 end)
            as n_scenarios,
        any_value(rank_all) as rank,
        1 as place
    from suite_without
    where kind = 'selector'
        and rank_all is not null
        and metric in ('closed_gap', 'borda')
    group by protocol, metric, solver
),

led as (
    select
        place, protocol, scenario_id, measure, metric,
        max(n_scenarios) as n_scenarios,
        string_agg(
            case when rank = 1 then cast(solver as varchar) end, ' = ' order by solver
        ) as leader,
        max(total) filter (rank = 1) as total,
        max(total) filter (rank = 1) - max(total) filter (rank > 1) as lead
    from (select * from less union all select * from everything)
    group by all
)

select
    protocol,
    cast(scenario_id as varchar) as left_out,
    cast(measure as varchar) as measure,
    max(n_scenarios) as n_scenarios,
    max(leader) filter (metric = 'closed_gap') as gap_first,
    max(total) filter (metric = 'closed_gap') as gap_total,
    max(lead) filter (metric = 'closed_gap') as gap_lead,
    max(leader) filter (metric = 'borda') as borda_first,
    max(total) filter (metric = 'borda') as borda_total,
    max(lead) filter (metric = 'borda') as borda_lead
from led
group by place, protocol, scenario_id, measure
order by protocol, place, left_out, measure
