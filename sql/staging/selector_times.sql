-- One row per protocol, scenario, selector and split with a known time of training or choosing.
-- key: protocol, scenario_id, selector, cv_scheme
-- protocol: name of the protocol; no other column depends on it
-- selector: name of the selector
-- cv_scheme: split that the selector was trained on
-- training_time: mean time to train the selector for a fold; null if unknown [s]
-- n_trained: folds whose training time is known
-- choosing_time: mean time to choose for an instance, without features; null if unknown [s]
-- n_chosen: instances whose choosing time is known
-- Times come from a file, or are CPU times of 'train --times'. No score counts them.
select
    p.protocol, s.scenario_id, s.selector, s.cv_scheme,
    s.training_time, coalesce(s.n_trained, 0) as n_trained,
    s.choosing_time, coalesce(s.n_chosen, 0) as n_chosen
from raw_selector as s
cross join protocol as p
where s.training_time is not null or s.choosing_time is not null
