-- One row per protocol, scenario, measure, split, fold and solver. The row compares the solver with the single best algorithms, VBS and VWS on the fold.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- own_split: whether the selector was trained on this split; null for algorithms and baselines
-- par10: the solver's mean PAR10 on the fold [scenario time unit]
-- cost: the solver's mean cost on the fold
-- n_instances: instances of the fold
-- as in fold_choice: sbs_train, sbs_test, sbs_all
-- sbs_train_par10: mean PAR10 of the algorithm in `sbs_train` on this fold [scenario time unit]
-- sbs_test_par10: mean PAR10 of the algorithm in `sbs_test` on this fold [scenario time unit]
-- sbs_all_par10: mean PAR10 of the algorithm in `sbs_all` on this fold [scenario time unit]
-- sbs_train_cost: mean cost of the algorithm in `sbs_train` on this fold
-- sbs_test_cost: mean cost of the algorithm in `sbs_test` on this fold
-- sbs_all_cost: mean cost of the algorithm in `sbs_all` on this fold
-- vbs_cost: mean cost of VBS on this fold
-- vws_cost: mean cost of VWS on this fold
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances

-- Of families too: SBS is chosen on all instances of the folds, so that the join is by
-- scenario alone, whose measure stands before it.
with fold as materialized (select * from fold_solver)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    own_split, par10, cost, n_instances, sbs_train, sbs_test, sbs_all,
    max(par10) filter (kind = 'algorithm' and solver = sbs_train) over fold
        as sbs_train_par10,
    max(par10) filter (kind = 'algorithm' and solver = sbs_test) over fold
        as sbs_test_par10,
    max(par10) filter (kind = 'algorithm' and solver = sbs_all) over fold
        as sbs_all_par10,
    max(cost) filter (kind = 'algorithm' and solver = sbs_train) over fold
        as sbs_train_cost,
    max(cost) filter (kind = 'algorithm' and solver = sbs_test) over fold
        as sbs_test_cost,
    max(cost) filter (kind = 'algorithm' and solver = sbs_all) over fold
        as sbs_all_cost,
    max(cost) filter (kind = 'baseline' and solver = 'VBS') over fold as vbs_cost,
    max(cost) filter (kind = 'baseline' and solver = 'VWS') over fold as vws_cost
from fold_choice
inner join fold
    using (protocol, measure, scenario_id, cv_scheme, cv_repetition, fold)
window fold as (
    partition by protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
)
