-- One row per scenario, measure, fold of the scenario's own split and selector.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, solver
-- columns: all of fold_gap
select *
from fold_gap
where cv_scheme in ('aslib', 'split') and kind = 'selector'
order by cv_repetition, fold, solver
