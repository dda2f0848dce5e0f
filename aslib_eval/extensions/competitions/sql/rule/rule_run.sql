-- One row per rule and run that counts under the rule. The row describes how the rule treats the run.
-- key: rule, scenario_id, instance_id, repetition, solver
-- division: division of the instance; null = not stated
-- logic: logic of the instance; null = not stated
-- family: family of the instance; null = not stated
-- role: role of the solver in the competition; virtual for VBS
-- answer: answer that the solver gave in time; null = none
-- truth: known answer (sat or unsat), else the answer of the solvers that the rule trusts; null = unknown
-- sound: false if an answer of the solver in the division contradicts a known answer, else true
-- removed: reason why the instance does not count: disagreement (answers contradict each other) or answers (the rule counts only instances with another answer, such as sat). Null if the instance counts
-- error: whether the rule counts the run as an error (a wrong answer, or no answer)
-- solved: whether the run solves the instance
-- proved: whether the solver proved that its solution is optimal
-- objective: objective of the best solution of the run, lower is better; null = none
-- sense: goal of the instance: satisfy, minimize or maximize; null = not stated
-- best_known: objective of the best known solution, lower is better
-- wall: wall-clock time, after rounding; the limit if the rule's column `capped` demands it [s]
-- cpu: CPU time, after rounding; the limit if the rule's column `capped` or `sequential` demands it [s]
-- time: CPU time or wall-clock time, as the rule's column `clock` says [s]
-- cutoff: time limit of the rule, else of the runs [s]
-- n_answers: number of answers of the run that count; null if the run was late
-- ended: how the run ended
-- memory: memory that the run used, as in the file
with entered as (
    select
        c.* replace (
            coalesce(c.role, 'competing') as role,
            coalesce(r.time_limit, c.cutoff) as cutoff
        ),
        r.rule, r.answers, r.answers_of, r.disagreement, r.truth_by, r.clock,
        r.rounding, r.wrong, r.no_answer, r.solves, r.time_limit, r.capped,
        case when r.sequential then coalesce(r.time_limit, c.cutoff) end as cpu_limit,
        c.judged is not distinct from 'wrong' as judged_wrong
    from competition_run as c
    inner join rule as r
        on list_contains(r.counts, coalesce(c.role, 'competing'))
        and (r.track is null or c.track = r.track)
        and (r.category is null or list_contains(c.categories, r.category))
),

-- Whether it is late is a question of the times as they are.
timed as (
    select
        * replace (
            if(rounding = 'seconds', trunc(wall), wall) as wall,
            least(if(rounding = 'seconds', trunc(cpu), cpu), cpu_limit) as cpu
        ),
        cpu > cpu_limit or if(clock = 'cpu', cpu, wall) > time_limit as is_over,
        coalesce(is_over, false) as late
    from entered
),

-- Of a rule that caps times the late runs are known: their times are over.
limited as (
    select
        * exclude (wall, cpu),
        capped and coalesce(
            late or ended = 'memout' or (cpu_limit is null and wall > cutoff), false
        ) as is_capped,
        case when is_capped then cutoff else wall end as wall,
        case when is_capped then cutoff else cpu end as cpu
    from timed
),

-- Sound is who contradicts nothing that was known before the competition.
checked as (
    select
        *,
        not bool_or(
            judged_wrong
            or coalesce(claim in ('sat', 'unsat') and truth in ('sat', 'unsat')
                and claim <> truth, false)
        ) over (partition by rule, scenario_id, division, solver) as sound,
        sound or truth_by = 'all' as tells
    from limited
),

voted as (
    select
        *,
        count(*) filter (sound and claim = 'sat') over said as sound_sat,
        count(*) filter (sound and claim = 'unsat') over said as sound_unsat,
        count(*) filter (tells and claim = 'sat') over said as n_sat,
        count(*) filter (tells and claim = 'unsat') over said as n_unsat
    from checked
    window said as (partition by rule, scenario_id, instance_id)
),

known as (
    select
        * exclude (truth),
        truth as known_truth,
        sound_sat > 0 and sound_unsat > 0 as disputed,
        case
            when disagreement = 'majority' and n_sat > n_unsat then 'sat'
            when disagreement = 'majority' and n_sat < n_unsat then 'unsat'
            when truth is not null then truth
            when n_sat > 0 and n_unsat = 0 then 'sat'
            when n_sat = 0 and n_unsat > 0 then 'unsat'
        end as truth
    from voted
),

-- What an instance that they contradict each other on is, is sat and unsat.
judged as (
    select
        *,
        case
            when answers = 'all' then true
            when answers_of = 'run' and claim in ('sat', 'unsat') and not late
                then claim = answers
            when truth is null and truth_by = 'all'
                then case when answers = 'sat' then n_sat else n_unsat end > 0
            else truth is not distinct from answers
        end as is_asked,
        coalesce(judged_wrong or (
            claim in ('sat', 'unsat') and truth in ('sat', 'unsat') and claim <> truth
        ), false) and wrong <> 'kept' as is_wrong,
        no_answer = 'error' and claim is null and ended <> 'not_applicable'
            and known_truth is not null and not is_capped
            and coalesce(wall <= cutoff, true) as is_missing
    from known
)

select
    rule, scenario_id, instance_id, repetition, solver, division, logic, family, role,
    case
        when late then null
        when claim is distinct from 'solved' or truth is null then claim
        when judged_wrong = (truth = 'sat') then 'unsat'
        else 'sat'
    end as answer,
    truth, sound,
    case
        when disagreement = 'removed' and disputed then 'disagreement'
        when not is_asked then 'answers'
    end as removed,
    (is_wrong and wrong <> 'unsolved' or is_missing) and not late as error,
    coalesce(
        not late and not is_wrong and list_contains(solves, claim)
        and not (wrong = 'family' and bool_or(is_wrong) over in_family),
        false
    ) as solved,
    coalesce(claim = 'optimal', false) as proved,
    case when sense = 'maximize' then -objective else objective end as objective,
    sense,
    case when sense = 'maximize' then -best_known else best_known end as best_known,
    wall, cpu,
    case when clock = 'cpu' then cpu else wall end as time,
    cutoff,
    case when not late then n_answers end as n_answers,
    ended, memory
from judged
window in_family as (partition by rule, scenario_id, family, solver)
