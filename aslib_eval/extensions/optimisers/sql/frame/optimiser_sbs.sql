-- One row per method that is the single best of an experiment by a measure; the method of the best suited measure comes first.
-- key: sbs
-- sbs: single best algorithm under the protocol's sbs_criterion; the first by name if several tie
select sbs
from scenario_baseline
where protocol = $protocol
    and scenario_id = $scenario
    and measure in ($measure, 'normalised_loss')
group by sbs
order by min(measure = $measure)
