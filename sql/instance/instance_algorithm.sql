-- One row per protocol, scenario, measure, instance and algorithm: its repetitions as one.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- algorithm: algorithm
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- n_repetitions: runs that the row stands for
-- n_failed: those that have no result of their own: not solved, or a quality without value; null for a runtime without cutoff
-- solved: share of them solved, 0 to 1 (0 or 1 under median, mean_runtime and first)
-- time: runtime, the cutoff where unsolved [scenario time unit]
-- par1: penalised runtime, k = 1 [scenario time unit]
-- par2: penalised runtime, k = 2 [scenario time unit]
-- par10: penalised runtime, k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty, or the quality turned so that lower is better; null if one repetition has none
-- n_solving: algorithms that solve the instance in at least one of the repetitions that the row stands for; null without a cutoff
-- repetitions = mean_par: mean of each column. median: median time, solved iff that is
-- the most frequent status, the lowest repetition's if two are. mean_runtime: mean time
-- with cutoff + 1 for a failure, solved iff within the cutoff (asf). first: the lowest
-- repetition alone. separate: each repetition counts as an instance.
with merged as (
    select
        r.protocol, r.scenario_id, r.measure, r.instance_id,
        case when p.repetitions = 'separate' then r.repetition else 0 end as repetition,
        r.algorithm, r.measure_type, r.cutoff, p.repetitions, p.penalty,
        count(*) as n_repetitions,
        case when count(r.failed) > 0 then count(*) filter (r.failed) end as n_failed,
        case
            when p.repetitions = 'first' then arg_min(r.solved, r.repetition)
            when p.repetitions = 'median' then
                count(*) filter (r.solved)
                + case when arg_min(r.solved, r.repetition) then 0.5 else 0 end
                > greatest(
                    count(*) filter (not r.solved and r.runstatus = 'ok'),
                    count(*) filter (r.runstatus = 'timeout'),
                    count(*) filter (r.runstatus = 'memout'),
                    count(*) filter (r.runstatus = 'crash'),
                    count(*) filter (r.runstatus = 'not_applicable'),
                    count(*) filter (r.runstatus = 'other')
                )
            when p.repetitions = 'mean_runtime' then
                mean_of(case when r.solved then r.time else r.cutoff + 1 end)
                <= r.cutoff
        end as whole_solved,
        mean_of(cast(r.solved as integer)) as solved,
        case p.repetitions
            when 'first' then arg_min(r.time, r.repetition)
            when 'median'
                then median(case when p.repetitions = 'median' then r.time end)
            when 'mean_runtime'
                then mean_of(case when r.solved then r.time else r.cutoff + 1 end)
            else mean_of(r.time)
        end as time,
        mean_of(r.par1) as par1,
        mean_of(r.par2) as par2,
        mean_of(r.par10) as par10,
        case p.repetitions
            when 'first' then arg_min_null(r.cost, r.repetition)
            when 'median' then case
                when count(r.cost) = count(*)
                    then median(case when p.repetitions = 'median' then r.cost end)
            end
            else mean_or_null(r.cost)
        end as cost
    from run_par as r
    inner join protocol as p using (protocol)
    group by
        r.protocol, r.scenario_id, r.measure, r.instance_id,
        case when p.repetitions = 'separate' then r.repetition else 0 end,
        r.algorithm, r.measure_type, r.cutoff, p.repetitions, p.penalty
),

-- A single status for all repetitions: PAR follows from it and the one time.
whole as (
    select
        * exclude (solved),
        whole_solved is not null and measure_type = 'runtime' as by_status,
        coalesce(cast(whole_solved as integer), solved) as solved
    from merged
)

select
    protocol, scenario_id, measure, instance_id, repetition, algorithm, measure_type,
    cutoff, n_repetitions, n_failed, solved,
    case when by_status then par(time, whole_solved, cutoff, 1) else time end as time,
    case when by_status then par(time, whole_solved, cutoff, 1) else par1 end as par1,
    case when by_status then par(time, whole_solved, cutoff, 2) else par2 end as par2,
    case when by_status then par(time, whole_solved, cutoff, 10) else par10 end
        as par10,
    case
        when by_status then par(time, whole_solved, cutoff, penalty) else cost
    end as cost,
    cast(sum(cast(solved > 0 as integer)) over (
        partition by protocol, scenario_id, measure, instance_id, repetition
    ) as bigint) as n_solving
from whole
