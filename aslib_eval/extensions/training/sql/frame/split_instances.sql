-- One row per repetition of a split and instance of a scenario.
-- key: cv_repetition, instance_id
-- as in stg_fold: cv_repetition, fold, instance_id
select cv_repetition, fold, instance_id
from stg_fold
where scenario_id = $scenario and cv_scheme = $scheme
order by cv_repetition, fold, instance_id
