-- One row per protocol, scenario, measure, instance and algorithm. Instances that the protocol leaves out have no row.
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- as in instance_algorithm: measure_type, cutoff
-- n_failed: number of failed runs of the algorithm on the instance
-- solved: share of the repetitions in which the instance is solved, 0 to 1
-- as in instance_algorithm: time, par1, par2, par10
-- cost: for a runtime, PAR with the protocol's penalty; for a quality, its value, or minus its value if higher is better
-- n_solving: number of algorithms that solve the instance
-- tested: whether the instance is tested; false for the training part of a fixed split, which only serves to choose SBS
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
