-- One row per kind and name of a solver. Algorithms with runs, selectors with predictions and the baselines have rows.
-- key: kind, solver
-- kind: kind of the solver: selector, algorithm or baseline; the rows are in this order
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
