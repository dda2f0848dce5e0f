-- One row per scenario, and selector that answered its fixed split: the remaining gaps of the contest of 2017.
-- key: scenario_id, solver
-- solver: name of the selector; null if no selector has answered a fixed split
-- measure_type: type of the measure: runtime or solution_quality
-- remaining_train: 1 - closed gap by SBS of the training set
-- remaining_test: 1 - closed gap by SBS of the test set
with answered as (
    select
        scenario_id, measure, solver,
        1 - closed_gap_train as remaining_train,
        1 - closed_gap_test as remaining_test
    from fold_gap
    where kind = 'selector' and cv_scheme = 'split' and own_split
)

select s.scenario_id, a.solver, s.measure_type, a.remaining_train, a.remaining_test
from scenario_summary as s
left join answered as a using (scenario_id, measure)
order by all
