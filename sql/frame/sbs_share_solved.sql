-- One row per scenario: the instances that SBS solves as a share of those of VBS.
-- key: scenario_id
-- parameter scenario: scenario
-- scenario_id: scenario
-- share: solved by SBS / solved by VBS
select
    scenario_id,
    max(solved) filter (solver = 'SBS') / max(solved) filter (solver = 'VBS') as share
from solver_score
where kind = 'baseline' and scenario_id = $scenario
group by scenario_id
