-- One row per protocol, scenario, measure and run (instance, algorithm, repetition).
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- repetition: repetition of the run
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- runstatus: as in stg_run
-- failed: whether the run failed: it is not solved or has no value
-- solved: whether the run counts as solved
-- time: runtime if solved, else the cutoff [scenario time unit]
-- par1: penalised runtime with k = 1; null for quality measures [scenario time unit]
-- par2: penalised runtime with k = 2 [scenario time unit]
-- par10: penalised runtime with k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty; or the quality, negated if higher is better
-- source: Amadini et al. 2023, Definition 1
select
    * exclude (maximize, cost),
    par(time, solved, cutoff, 1) as par1,
    par(time, solved, cutoff, 2) as par2,
    par(time, solved, cutoff, 10) as par10,
    cost
from stg_run
