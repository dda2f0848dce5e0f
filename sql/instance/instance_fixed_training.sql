-- One row per protocol, scenario and instance of the training part of a fixed split.
-- key: protocol, scenario_id, instance_id
-- protocol: name of the protocol; no other column depends on it
-- instance_id: instance that is only trained on, never tested
select distinct protocol, scenario_id, instance_id
from raw_fold
cross join protocol
where cv_scheme = 'split' and fold is null
