-- One row per protocol, scenario, measure, split and fold. The row contains the single best algorithms of the fold, and their means.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
-- as in fold_compared: n_instances, sbs_train, sbs_test, sbs_all, sbs_train_par10, sbs_test_par10, sbs_all_par10, sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances
select distinct
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, n_instances,
    sbs_train, sbs_test, sbs_all, sbs_train_par10, sbs_test_par10, sbs_all_par10,
    sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost
from fold_compared
