-- One row per protocol, scenario and measure. The row contains sizes and baselines of the scenario.
-- key: protocol, scenario_id, measure
-- n: number of instances that count under the protocol; null without runs
-- algos: number of algorithms with runs
-- reps: number of different repetitions of the runs
-- as in scenario_summary: sbs_cost, vbs_cost, room, solved, sbs, cutoff, missing
-- sbs_value: mean value of SBS by a quality measure, in the direction of the measure; null for runtimes
-- vbs_value: mean value of VBS by a quality measure, in the direction of the measure; null for runtimes
-- unsolvable: number of instances that no algorithm solves
-- features: number of instance features with values
-- folds: number of folds in cv.arff; 1 for a fixed split
-- type: type of the measure: runtime or solution_quality
-- selectors: number of selectors for each combination of split, origin, seed and version
with trained as (
    select protocol, scenario_id, trained, count(*) as n
    from selector_origin
    group by all
),

listed as (
    select
        protocol, scenario_id,
        string_agg(n || ': ' || trained, '; ' order by n desc, trained) as selectors
    from trained
    group by all
)

select
    p.tag as protocol, s.scenario_id, s.measure,
    s.n_instances as n,
    s.n_algorithms as algos,
    s.n_repetitions as reps,
    s.sbs,
    own_value(s.sbs_cost, s.measure_type, s.maximize) as sbs_value,
    own_value(s.vbs_cost, s.measure_type, s.maximize) as vbs_value,
    s.sbs_cost, s.vbs_cost, s.room, s.solved,
    s.n_unsolvable as unsolvable,
    s.cutoff,
    s.n_features as features,
    s.n_folds as folds,
    s.measure_type as type,
    nullif(array_to_string(s.missing, ' '), '') as missing,
    l.selectors
from scenario_summary as s
inner join protocol as p using (protocol)
left join listed as l using (protocol, scenario_id)
order by s.scenario_id, s.measure, s.protocol
