-- One row per protocol, scenario, measure and pair of systems. The rows are in the order of p and end at the first pair without a significant difference.
-- key: protocol, scenario_id, measure, comparison
-- caption: Percent differences between every selector and SBS, tested in the order of p by Holm's method.
-- compare: versus SBS; kind selector; test t; differences percent
-- headings: scenario_id scenario; advantage mean difference; half ±
-- digits: d 2
-- hide: measure
-- comparison: names of the two systems; a positive difference means that the first one is better
-- level: significance level of this pair: 0.05 / (K - rank + 1) for the rank of p among K pairs
-- p: p value of this pair, not corrected
-- advantage: mean of the differences as shares of the cost of SBS; 0.05 is 5 %
-- half: half the width of the interval of the column `advantage`, with confidence 1 - level
-- d: Cohen's d of the differences
-- n: number of instances
-- source: Campelo and Wanner 2020, Tables 1 and 2
with step as (
    select *, split_part(test_step.protocol, '@', 1) as name
    from test_step
),

tested as (
    select
        name as protocol, scenario_id, measure, rank::double as place,
        system || ' vs ' || other as comparison,
        format('{:.2g}', level)::double as level,
        format('{:.2g}', p)::double as p,
        format('{:.2g}', advantage)::double as advantage,
        format('{:.2g}', (upper - lower) / 2)::double as half,
        d, n
    from step
),

stopped as (
    select
        name as protocol, scenario_id, measure,
        max(rank) filter (rejected = 'yes') + 0.5 as place,
        'stop rejecting H0' as comparison,
        null as level, null as p, null as advantage, null as half, null as d, null as n
    from step
    group by name, scenario_id, measure
    having count(distinct rejected) = 2
),

every_row as (
    from tested
    union all by name
    from stopped
)

select
    protocol, scenario_id, measure, comparison, level, p, advantage, half, d, n
from every_row
order by protocol, scenario_id, measure, place
