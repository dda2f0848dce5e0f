-- One row per scenario, measure and fold. Only the scenario's own split has rows.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
-- as in fold_sbs: all
select *
from fold_sbs
where cv_scheme in ('aslib', 'split')
order by cv_repetition, fold
