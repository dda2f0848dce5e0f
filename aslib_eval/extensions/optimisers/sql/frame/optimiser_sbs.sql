-- One row per measure that can choose the single best method of an experiment, the best suited first.
-- key: sbs
-- parameter protocol: name of the protocol
-- parameter scenario: scenario
-- parameter measure: measure of the experiment
-- sbs: single best algorithm under the protocol's sbs_criterion, the first by name if several tie
select sbs
from scenario_baseline
where protocol = $protocol
    and scenario_id = $scenario
    and measure in ($measure, 'normalised_loss')
order by measure = $measure
