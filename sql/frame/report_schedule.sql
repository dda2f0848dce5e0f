-- One row per selector and instance that the selector answers. The row lists the steps of the schedule.
-- key: selector, instance
-- instance: name of the instance; if each repetition counts as an instance, followed by # and the number of the repetition
-- names: names of the algorithms and feature steps of the schedule, in their order
-- needs: time that each step needs if it runs, at most the time left until the cutoff; 0 if unknown [scenario time unit]
-- ends: end of each step: 0 = the step did not run, 1 = it ran, 2 = it solved the instance within the cutoff; always 1 for quality measures
-- source: the first schedule, if the selector has several for the instance or the program executed the schedule several times
with home as (
    select selector, cv_scheme, instance_id, repetition, min(cv_repetition) as made
    from instance_selector
    where scenario_id = $scenario and measure = $measure and is_home and answered
    group by all
),

step as (
    select
        s.*,
        dense_rank() over (
            partition by selector, instance_id, repetition order by run_repetition
        ) as executed,
        solves
        and (cutoff is null or in_time(begins + needs, cutoff, at_cutoff)) as solved
    from schedule_step as s
    inner join home as h using (selector, cv_scheme, instance_id, repetition)
    inner join protocol using (protocol)
    where scenario_id = $scenario and measure = $measure and cv_repetition = made
)

select
    cast(selector as varchar) as selector,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance,
    list(coalesce(cast(name as varchar), cast(action as varchar)) order by position)
        as names,
    list(coalesce(least(needs, cutoff - begins), 0) order by position) as needs,
    list(
        case
            when measure_type <> 'runtime' then 1
            when runs then 1 + solved::int
            else 0
        end
        order by position
    ) as ends
from step
where executed = 1
group by selector, instance_id, repetition
order by selector, instance
