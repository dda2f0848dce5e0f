-- One row per protocol, scenario, measure and run (instance, algorithm, repetition). The row contains the PAR scores of the run.
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- repetition: number of the run's repetition
-- measure_type: type of the measure: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- runstatus: status of the run, as in the file or as the protocol's settings `wrong_answers` and `disputed_answers` change it
-- failed: whether the run failed: the run is not solved, or has no value; null for a runtime without cutoff
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
