-- One row per protocol, scenario, measure and algorithm that is SBS of a split of a scheme.
-- key: protocol, scenario_id, measure, cv_scheme, algorithm
-- as in split_sbs: all
-- protocol: name@hash
select p.tag as protocol, s.* exclude (protocol)
from split_sbs as s
inner join protocol as p using (protocol)
where s.cv_scheme = $scheme
order by
    s.scenario_id, s.measure, s.protocol, s.n_train desc, s.n_test desc, s.algorithm
