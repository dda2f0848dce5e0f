-- One row per repetition of a split and instance of a scenario.
-- key: cv_repetition, instance_id
-- parameter scenario: scenario
-- parameter scheme: cross-validation scheme
-- cv_repetition: repetition of the cross-validation; only the first of identical copies (TSP-LION2015 has ten)
-- fold: fold in which the instance is tested; null = only trained on
-- instance_id: instance
select cv_repetition, fold, instance_id
from stg_fold
where scenario_id = $scenario and cv_scheme = $scheme
order by cv_repetition, fold, instance_id
