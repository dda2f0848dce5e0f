-- One row per selector, instance and cause that brings a loss or gain on the instance.
-- key: selector, instance, position
-- instance: name of the instance; if each repetition counts as an instance, followed by # and the number of the repetition
-- position: position of the cause, as in ledger_loss
-- loss: cost that the selector loses to the cause, as a mean over the repetitions of the split
select
    cast(selector as varchar) as selector,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance,
    position,
    mean_of(loss) as loss
from ledger_loss
where scenario_id = $scenario and measure = $measure and is_home
group by selector, instance_id, repetition, position
having mean_of(loss) <> 0
order by all
