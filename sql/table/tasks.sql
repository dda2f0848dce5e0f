-- One row per protocol, scenario, measure, instance and algorithm with repeated runs.
-- key: protocol, scenario_id, measure, instance_id, algorithm
-- caption: Mean and standard deviation of the repeated runs of every algorithm, instance by instance.
-- headings: scenario_id scenario; instance_id instance; n_runs runs
-- across: algorithm mean sd
-- digits: mean 3, sd 3
-- bold: mean min
-- foot: mean
-- hide: measure
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- n_runs: repeated runs of each algorithm that have a cost
-- algorithm: algorithm
-- mean: of the costs of its runs [measure's unit; negated where it is maximised]
-- sd: standard deviation of them
with counted as (
    select
        protocol, scenario_id, measure, instance_id, algorithm,
        count(cost) as n_runs, mean_of(cost) as mean, stddev_samp(cost) as sd
    from stg_run
    group by protocol, scenario_id, measure, instance_id, algorithm
),

least as (
    select protocol, scenario_id, measure, instance_id, min(n_runs) as n_runs
    from counted
    group by protocol, scenario_id, measure, instance_id
)

select
    c.protocol, c.scenario_id, c.measure, c.instance_id, l.n_runs, c.algorithm,
    c.mean, c.sd
from counted as c
inner join least as l using (protocol, scenario_id, measure, instance_id)
where l.n_runs > 1
order by c.protocol, c.scenario_id, c.measure, c.instance_id, c.algorithm
