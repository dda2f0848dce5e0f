-- One row per protocol, scenario, measure, cross-validation scheme and solver. The row describes how the solver's closed gap varies over the splits. Here, a split is one test fold of one repetition, with its training folds.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver
-- n_splits: splits in which the solver has a closed gap; the splits share instances, so they are not independent
-- n_undefined: splits in which the solver has no closed gap; all statistics leave these splits out
-- mean: mean of the closed gap over the splits; the protocol's setting `sbs_scope` says how SBS is chosen
-- sd: standard deviation of the closed gap over the splits; not a standard error of the mean
-- least: smallest closed gap in a split
-- q05: 5 % quantile of the closed gap over the splits, linear between values
-- q25: 25 % quantile of the closed gap over the splits
-- median: median of the closed gap over the splits
-- geometric: geometric mean of the closed gap over the splits; null if a closed gap is <= 0
-- q75: 75 % quantile of the closed gap over the splits
-- q95: 95 % quantile of the closed gap over the splits
-- most: largest closed gap in a split
-- beats_sbs: share of the splits in which the closed gap is above 0
-- source: Amadini et al. 2023, section 2.4, which asks for randomly repeated cross-validation
select
    protocol, scenario_id, measure, cv_scheme, kind, solver,
    count(closed_gap) as n_splits,
    count(*) - count(closed_gap) as n_undefined,
    mean_of(closed_gap) as mean,
    stddev_samp(closed_gap order by closed_gap) as sd,
    min(closed_gap) as least,
    quantile_cont(closed_gap, 0.05) as q05,
    quantile_cont(closed_gap, 0.25) as q25,
    median(closed_gap) as median,
    geomean(closed_gap) as geometric,
    quantile_cont(closed_gap, 0.75) as q75,
    quantile_cont(closed_gap, 0.95) as q95,
    max(closed_gap) as most,
    ratio(count(*) filter (closed_gap > 0), n_splits) as beats_sbs
from fold_gap
group by all
