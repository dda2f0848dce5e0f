-- One row per scenario with runs, its folder, and each solver by kind and name.
-- key: scenario_id, kind, solver
-- folder: name of the folder or archive it came from
-- kind: selector, algorithm or baseline
with named as (
    select scenario_id, 'selector' as kind, selector as solver from raw_selection
    union
    select scenario_id, 'selector' as kind, selector as solver from raw_outcome
    union
    select scenario_id, 'algorithm' as kind, algorithm as solver from raw_run
    union
    select scenario_id, 'baseline' as kind, unnest(['SBS', 'VBS', 'VWS']) as solver
    from raw_run
)

select distinct scenario_id, folder, kind, solver
from named
inner join raw_scenario using (scenario_id)
semi join raw_run using (scenario_id)
order by all
