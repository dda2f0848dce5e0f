-- One row per protocol, scenario, measure and run. The row contains the time and outcome that schedules use. Under `repetitions = mean_par`, each repetition has its own run of an algorithm; if there is only one run, every repetition uses it. Under other settings, the runs are merged.
-- key: protocol, scenario_id, measure, instance_id, repetition, run_repetition, algorithm
-- run_repetition: repetition of the run; equal to `repetition` except under `repetitions = mean_par`
-- solved: whether the run counts as solved
-- time: runtime; the cutoff if unsolved [scenario time unit]
-- cost: for a runtime, PAR with the protocol's penalty; for a quality, its value, or minus its value if higher is better
with each_run as (
    select r.*
    from run_par as r
    inner join protocol as p using (protocol)
    where p.repetitions = 'mean_par'
),

-- Instances with several repetitions, and the algorithms that have a single run there.
repeated as (
    select protocol, scenario_id, measure, instance_id
    from each_run
    group by all
    having min(repetition) < max(repetition)
),

met as (
    select distinct
        protocol, scenario_id, measure, instance_id, repetition as run_repetition
    from each_run
    semi join repeated using (protocol, scenario_id, measure, instance_id)
),

lone as (
    select
        protocol, scenario_id, measure, instance_id, algorithm,
        any_value(repetition) as repetition,
        any_value(solved) as solved,
        any_value(time) as time,
        any_value(cost) as cost
    from each_run
    semi join repeated using (protocol, scenario_id, measure, instance_id)
    group by all
    having count(*) = 1
)

select
    protocol, scenario_id, measure, instance_id,
    0 as repetition,
    repetition as run_repetition,
    algorithm, solved, time, cost
from each_run
union all
select
    protocol, scenario_id, measure, instance_id,
    0 as repetition,
    run_repetition, algorithm, solved, time, cost
from lone
inner join met using (protocol, scenario_id, measure, instance_id)
where run_repetition <> repetition
union all
select
    protocol, scenario_id, measure, instance_id, repetition,
    repetition as run_repetition,
    algorithm,
    solved > 0 as solved,
    time, cost
from instance_algorithm
inner join protocol using (protocol)
where repetitions <> 'mean_par'
