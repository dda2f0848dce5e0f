-- One row per scenario with a fixed split and selector: the remaining gaps of the contest of 2017.
-- key: scenario_id, solver
-- scenario_id: scenario
-- solver: name
-- remaining_train: 1 - closed gap by SBS of the training set
-- remaining_test: 1 - closed gap by SBS of the test set
select
    scenario_id, solver,
    1 - closed_gap_train as remaining_train,
    1 - closed_gap_test as remaining_test
from fold_gap
where kind = 'selector' and cv_scheme = 'split'
