-- One row per protocol, scenario, selector and split with a known time of training or of choosing.
-- key: protocol, scenario_id, selector, cv_scheme
-- protocol: name of the protocol; no other column depends on it
-- selector: name of the selector
-- cv_scheme: split on which the selector was trained
-- training_time: mean time to train the selector for a fold; null if unknown [s]
-- n_trained: number of folds whose training time is known
-- choosing_time: mean time in which the selector chooses for an instance, without the time for features; null if unknown [s]
-- n_chosen: number of instances whose choosing time is known
-- The times come from an imported file, or are CPU times from `train --times`. No score includes these times.
select
    p.protocol, s.scenario_id, s.selector, s.cv_scheme,
    s.training_time, coalesce(s.n_trained, 0) as n_trained,
    s.choosing_time, coalesce(s.n_chosen, 0) as n_chosen
from raw_selector as s
cross join protocol as p
where s.training_time is not null or s.choosing_time is not null
