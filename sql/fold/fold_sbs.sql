-- One row per protocol, scenario, measure, split and fold. The row contains the single best algorithms of the fold, and their means.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
-- n_instances: instances of the fold
-- sbs_train: single best algorithm of the other folds, or of the training set of a fixed split; null if there is none
-- sbs_test: single best algorithm of this fold
-- sbs_all: single best algorithm of all folds together
-- sbs_train_par10: mean PAR10 of the algorithm in `sbs_train` on this fold [scenario time unit]
-- sbs_test_par10: mean PAR10 of the algorithm in `sbs_test` on this fold [scenario time unit]
-- sbs_all_par10: mean PAR10 of the algorithm in `sbs_all` on this fold [scenario time unit]
-- sbs_train_cost: mean cost of the algorithm in `sbs_train` on this fold
-- sbs_test_cost: mean cost of the algorithm in `sbs_test` on this fold
-- sbs_all_cost: mean cost of the algorithm in `sbs_all` on this fold
-- vbs_cost: mean cost of VBS on this fold
-- vws_cost: mean cost of VWS on this fold
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances
select distinct
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, n_instances,
    sbs_train, sbs_test, sbs_all, sbs_train_par10, sbs_test_par10, sbs_all_par10,
    sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost
from fold_compared
