-- One row per protocol, scenario, measure, objective, kind of step, problem and method.
-- key: protocol, scenario_id, measure, objective, by, problem, method
-- caption: Mean clipped loss on every problem after the last step: 0 is the optimum, 1 the baseline's median after one draw.
-- headings: scenario_id scenario
-- digits: trials 0, normed_mean 4
-- bold: normed_mean min
-- within: protocol, scenario_id, measure, objective, by, problem
-- across: method normed_mean
-- hide: measure, objective, by
-- measure: measure of the scenario
-- objective: objective of the losses
-- by: evaluations or time
-- baseline: method that sets the scale of the losses
-- problem: optimised function
-- trials: number of trials on each problem
-- method: optimiser
-- normed_mean: mean clipped loss; 1 = the baseline's median after one draw
-- source: bayesmark, "How scoring works"
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, objective, "by",
    baseline, problem, trials, method, normed_mean
from optimiser_problem
order by protocol, scenario_id, measure, objective, "by", problem, method
