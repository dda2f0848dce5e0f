-- One row per protocol, scenario, measure and run (instance, algorithm, repetition). The row contains the PAR scores of the run.
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- as in stg_run: repetition, measure_type
-- cutoff: time limit [scenario time unit]
-- as in stg_run: runstatus, failed
-- solved: whether the protocol counts the run as solved
-- time: runtime of a solved run, else the cutoff; null for quality measures, and for runtimes without cutoff [scenario time unit]
-- par1: PAR1 of the run, its penalised runtime with k = 1; null for quality measures [scenario time unit]
-- par2: PAR2 of the run, its penalised runtime with k = 2; null for quality measures [scenario time unit]
-- par10: PAR10 of the run, its penalised runtime with k = 10; null for quality measures [scenario time unit]
-- cost: for runtimes PARk with the protocol's setting `penalty` as k; for qualities the value, negated if larger values are better
-- source: Amadini et al. 2023, Definition 1
select
    * exclude (maximize, cost),
    par(time, solved, cutoff, 1) as par1,
    par(time, solved, cutoff, 2) as par2,
    par(time, solved, cutoff, 10) as par10,
    cost
from stg_run
