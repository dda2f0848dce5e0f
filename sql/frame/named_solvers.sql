-- One row per kind and name of a solver with runs or predictions, and of the baselines.
-- key: kind, solver
-- kind: selector, algorithm or baseline, in this order
with named as (
    select 1 as place, 'selector' as kind, selector as solver from raw_selection
    union
    select 1 as place, 'selector' as kind, selector as solver from raw_outcome
    union
    select 2 as place, 'algorithm' as kind, algorithm as solver from raw_run
    union
    select 3 as place, 'baseline' as kind, unnest(['SBS', 'VBS', 'VWS']) as solver
)

select kind, solver
from named
order by place, solver
