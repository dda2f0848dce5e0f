-- One row per scenario: instances that SBS solves divided by instances that VBS solves, with repetitions counted in three ways.
-- key: scenario_id
-- share: solved by SBS / solved by VBS, under the protocol
-- n_vbs: instances that VBS solves under the protocol
-- share_every: an algorithm solves an instance in every repetition
-- share_any: an algorithm solves an instance in at least one repetition
-- n_repetitions: most repetitions of a run
with of_runs as (
    select
        instance_id, algorithm, min(solved) as every_run, max(solved) as any_run,
        count(*) as n
    from stg_run
    where scenario_id = $scenario
    group by all
),

of_instances as (
    select
        r.instance_id,
        max(r.every_run) as vbs_every,
        max(r.any_run) as vbs_any,
        max(r.every_run) filter (r.algorithm = b.sbs) as sbs_every,
        max(r.any_run) filter (r.algorithm = b.sbs) as sbs_any,
        max(r.n) as n
    from of_runs as r
    cross join (from scenario_baseline where scenario_id = $scenario) as b
    group by all
),

repeated as (
    select
        sum(sbs_every) / sum(vbs_every) as share_every,
        sum(sbs_any) / sum(vbs_any) as share_any,
        max(n) as n_repetitions
    from of_instances
),

under_protocol as (
    select
        scenario_id,
        max(solved) filter (solver = 'SBS') as sbs_solved,
        max(solved) filter (solver = 'VBS') as vbs_solved,
        max(n_instances) as n
    from solver_score
    where kind = 'baseline' and scenario_id = $scenario
    group by scenario_id
)

select
    scenario_id,
    sbs_solved / vbs_solved as share,
    cast(round(vbs_solved * n) as bigint) as n_vbs,
    share_every, share_any, n_repetitions
from under_protocol
cross join repeated
