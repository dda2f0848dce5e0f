-- One row per protocol, scenario and training instance of a fixed split.
-- key: protocol, scenario_id, instance_id
-- instance_id: instance that serves only for training and is never tested
select distinct protocol, scenario_id, instance_id
from raw_fold
cross join protocol
where cv_scheme = 'split' and fold is null
