-- One row per protocol, scenario, measure, objective, kind of step and method.
-- key: protocol, scenario_id, measure, objective, by, method
-- caption: Optimisers after the last step. The score is 100 (1 - mean loss). A loss of 0 is the optimum, 1 the baseline's median after one draw.
-- headings: scenario_id scenario; mean_low from; mean_high to; normed_mean mean / baseline's
-- digits: step 0, n 0, trials 0, score 2, mean 4, mean_low 4, mean_high 4, normed_mean 4, median 4, anytime 4
-- bold: score max, mean min, normed_mean min, median min, anytime min
-- within: protocol, scenario_id, measure, objective, by
-- hide: measure, objective, by
-- measure: measure of the scenario
-- objective: objective of the losses
-- by: evaluations or time
-- baseline: method that sets the scale of the losses
-- step: the last step [evaluations or scenario time unit]
-- method: optimiser
-- n: problems with a scale
-- trials: number of trials on each problem
-- score: 100 (1 - mean)
-- mean: mean over problems of the mean clipped loss
-- mean_low: lower end of the 95 % error bar of mean over problems
-- mean_high: upper end of that interval
-- normed_mean: mean divided by the mean of the baseline
-- median: median over problems of the median loss; 1 = the baseline's median at that step
-- anytime: mean of the mean loss over all steps
-- source: bayesmark, "How scoring works"
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, objective, "by",
    baseline, step, method, n, trials, score, mean, mean_low, mean_high,
    normed_mean, median, anytime
from optimiser_score
order by protocol, scenario_id, measure, objective, "by", score desc nulls last, method
