-- One row per protocol, scenario, measure, instance and algorithm that counts under the protocol.
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- n_failed: number of failed runs
-- solved: share of the repetitions that are solved, 0 to 1
-- time: runtime; the cutoff if unsolved [scenario time unit]
-- par1: penalised runtime, k = 1 [scenario time unit]
-- par2: penalised runtime, k = 2 [scenario time unit]
-- par10: penalised runtime, k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty; or the quality, negated if higher is better
-- n_solving: number of algorithms that solve the instance
-- tested: false for the training part of a fixed split, which only serves to choose SBS
with left_out as (
    select protocol, scenario_id, instance_id
    from raw_reference
    inner join protocol on disputed_answers = 'left_out'
    where role = 'disputed'
    union
    select protocol, scenario_id, instance_id
    from raw_run
    inner join protocol on wrong_answers = 'left_out'
    where runstatus = 'wrong'
)

select
    a.* exclude (n_repetitions),
    t.instance_id is null as tested
from instance_algorithm as a
inner join protocol as p using (protocol)
left join instance_fixed_training as t using (protocol, scenario_id, instance_id)
anti join left_out using (protocol, scenario_id, instance_id)
where p.unsolvable = 'keep' or coalesce(a.n_solving, 1) > 0
