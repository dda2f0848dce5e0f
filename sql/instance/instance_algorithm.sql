-- One row per protocol, scenario, measure, instance and algorithm. The row merges the algorithm's runs as the protocol's setting `repetitions` says. Under `median`, the most frequent status decides whether the instance is solved. Under `mean_runtime`, the instance is solved if the mean time is within the cutoff.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- as in run_counted: measure_type, cutoff
-- n_repetitions: number of merged runs
-- n_failed: merged runs that do not solve the instance or have no value; null for a runtime without cutoff
-- solved: share of the merged runs that solve the instance, 0 to 1; always 0 or 1 under `median`, `first` and, for runtimes, `mean_runtime`
-- time: runtime; the cutoff if unsolved [scenario time unit]
-- par1: PAR1: the runtime if solved, else the cutoff [scenario time unit]
-- par2: PAR2: the runtime if solved, else twice the cutoff [scenario time unit]
-- par10: PAR10: the runtime if solved, else ten times the cutoff [scenario time unit]
-- cost: for a runtime, PAR with the protocol's penalty; for a quality, its value, or minus its value if higher is better
-- n_solving: number of algorithms that solve the instance in at least one repetition; null for a runtime without cutoff
with run as (
    select
        r.*, p.repetitions, p.penalty,
        case when r.solved then r.time else r.cutoff + 1 end as time_or_more
    from run_counted as r
    inner join protocol as p using (protocol)
),

-- Most scenarios have one run of each algorithm, which is its own mean and median.
single as (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm,
        measure_type,
        cutoff, repetitions, penalty,
        1 as n_repetitions,
        cast(failed as integer) as n_failed,
        case repetitions
            when 'first' then solved
            when 'median' then coalesce(solved, false)
            when 'mean_runtime' then time_or_more <= cutoff
        end as whole_solved,
        cast(cast(solved as integer) as double) as solved,
        case when repetitions = 'mean_runtime' then time_or_more else time end as time,
        par1, par2, par10,
        case when repetitions in ('first', 'median') or isfinite(cost) then cost end
            as cost
    from run
    where not several
),

merged as (
    select
        r.protocol, r.scenario_id, r.measure, r.instance_id, r.repetition, r.algorithm,
        r.measure_type, r.cutoff, r.repetitions, r.penalty,
        count(*) as n_repetitions,
        case when count(r.failed) > 0 then count(*) filter (r.failed) end as n_failed,
        case
            when r.repetitions = 'first' then arg_min(r.solved, r.run_repetition)
            when r.repetitions = 'median' then
                count(*) filter (r.solved)
                + case when arg_min(r.solved, r.run_repetition) then 0.5 else 0 end
                > greatest(
                    count(*) filter (not r.solved and r.runstatus = 'ok'),
                    count(*) filter (not r.solved and r.runstatus = 'timeout'),
                    count(*) filter (r.runstatus = 'memout'),
                    count(*) filter (r.runstatus = 'crash'),
                    count(*) filter (r.runstatus = 'not_applicable'),
                    count(*) filter (r.runstatus in ('other', 'wrong'))
                )
            when r.repetitions = 'mean_runtime'
                then mean_of(r.time_or_more) <= r.cutoff
        end as whole_solved,
        mean_of(cast(r.solved as integer)) as solved,
        case r.repetitions
            when 'first' then arg_min(r.time, r.run_repetition)
            when 'median'
                then median(case when r.repetitions = 'median' then r.time end)
            when 'mean_runtime' then mean_of(r.time_or_more)
            else mean_of(r.time)
        end as time,
        mean_of(r.par1) as par1,
        mean_of(r.par2) as par2,
        mean_of(r.par10) as par10,
        case r.repetitions
            when 'first' then arg_min_null(r.cost, r.run_repetition)
            when 'median' then case
                when count(r.cost) = count(*)
                    then median(case when r.repetitions = 'median' then r.cost end)
            end
            else mean_or_null(r.cost)
        end as cost
    from run as r
    where r.several
    group by
        r.protocol, r.scenario_id, r.measure, r.instance_id, r.repetition, r.algorithm,
        r.measure_type, r.cutoff, r.repetitions, r.penalty
),

-- A single status for all repetitions: PAR follows from it and the one time.
whole as materialized (
    select
        * exclude (solved),
        whole_solved is not null and measure_type = 'runtime' as by_status,
        coalesce(cast(whole_solved as integer), solved) as solved
    from (from single union all by name from merged)
),

solving as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        case when count(solved) > 0 then count(*) filter (solved > 0) end as n_solving
    from whole
    group by all
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
    n_solving
from whole
inner join solving using (protocol, scenario_id, measure, instance_id, repetition)
