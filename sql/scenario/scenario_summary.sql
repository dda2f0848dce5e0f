-- One row per protocol, scenario and measure that the protocol chooses.
-- stored: yes
-- key: protocol, scenario_id, measure
-- as in chosen_measure: folder, measure_type, maximize, cutoff, unit
-- n_instances: instances that count under the protocol; null without runs
-- n_algorithms: number of algorithms with runs
-- n_repetitions: number of distinct repetitions of the runs
-- n_features: instance features with values
-- n_steps: steps that compute instance features
-- n_folds: folds of cv.arff; 1 for a fixed split, 0 without splits
-- solved: share of instances that an algorithm solves, averaged over the algorithms
-- n_unsolvable: instances that no algorithm solves, including those that the protocol leaves out; under `repetitions = separate`, each repetition of an instance counts
-- sbs: single best algorithm
-- as in scenario_baseline: sbs_par10, vbs_par10, sbs_cost, vbs_cost
-- room: cost of SBS / cost of VBS, the gain of a perfect selection
-- missing: files of the ASlib format that the scenario lacks
with runs as (
    select scenario_id, measure, count(distinct repetition) as n_repetitions
    from raw_run
    group by all
),

features as (
    select scenario_id, count(*) as n_features
    from raw_feature
    where of = 'instance' and has_values
    group by all
),

steps as (
    select scenario_id, count(*) as n_steps
    from raw_feature_step
    where of = 'instance'
    group by all
),

folds as (
    select scenario_id, count(distinct fold) as n_folds
    from raw_fold
    where cv_scheme in ('aslib', 'split')
    group by all
)

select
    protocol, scenario_id, measure, s.folder, s.measure_type, s.maximize, s.cutoff,
    s.unit,
    b.n_instances, b.n_algorithms, r.n_repetitions,
    coalesce(f.n_features, 0) as n_features,
    coalesce(t.n_steps, 0) as n_steps,
    coalesce(c.n_folds, 0) as n_folds,
    b.runs_solved as solved,
    b.n_unsolvable, b.sbs, b.sbs_par10, b.vbs_par10, b.sbs_cost, b.vbs_cost,
    case when b.vbs_cost >= 0 then ratio(b.sbs_cost, b.vbs_cost) end as room,
    s.missing
from chosen_measure as s
left join scenario_baseline as b using (protocol, scenario_id, measure)
left join runs as r using (scenario_id, measure)
left join features as f using (scenario_id)
left join steps as t using (scenario_id)
left join folds as c using (scenario_id)
