-- One row per scenario, measure, fold and selector. Only the scenario's own split has rows.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, solver
-- as in fold_gap: all
select *
from fold_gap
where cv_scheme in ('aslib', 'split') and kind = 'selector'
order by cv_repetition, fold, solver
