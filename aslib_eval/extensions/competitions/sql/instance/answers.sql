-- One row per answer that contradicts another answer or a known one.
-- key: scenario_id, instance_id, repetition, solver, other
-- claim: claim of the solver: sat, unsat, optimal, solution
-- objective: objective of the solver's solution, as in the file; null = none
-- other: name of the other solver; empty if the answer contradicts the known answer
-- other_claim: claim of the other solver, or the known answer
-- other_objective: objective of the other solution, or the best known one; null = none
-- why: kind of the contradiction: `sat and unsat`, `an optimum that is beaten`, `known to be wrong` or `judged wrong`
with said as (
    select
        scenario_id, instance_id, repetition, solver, claim, objective, truth,
        best_known, judged, sense,
        claim in ('sat', 'solution', 'optimal') as has_solution,
        case sense when 'maximize' then -objective else objective end as cost,
        case sense when 'maximize' then -best_known else best_known end as known_cost
    from competition_run
    where claim in ('sat', 'unsat', 'optimal', 'solution')
),

-- A proof that there is none, or nothing better, beside a solution that is.
proofs as (
    select * from said where claim in ('unsat', 'optimal')
),

between as (
    select
        p.scenario_id, p.instance_id, p.repetition, p.solver, p.claim, p.objective,
        s.solver as other,
        s.claim as other_claim,
        s.objective as other_objective,
        case when p.claim = 'unsat' then 'sat and unsat'
            else 'an optimum that is beaten' end as why
    from proofs as p
    inner join said as s using (scenario_id, instance_id, repetition)
    where
        s.has_solution
        and (p.claim = 'unsat' or coalesce(s.cost < p.cost, false))
),

known as (
    select
        scenario_id, instance_id, repetition, solver, claim, objective,
        '' as other,
        case when claim = 'unsat' or truth = 'unsat' then truth else 'optimal' end
            as other_claim,
        best_known as other_objective,
        case
            when truth = 'unsat' and has_solution then 'known to be wrong'
            when truth = 'sat' and claim = 'unsat' then 'known to be wrong'
            when claim = 'optimal' and known_cost < cost
                then 'an optimum that is beaten'
            when judged = 'wrong' then 'judged wrong'
        end as why
    from said
)

select * from between
union all
select * from known where why is not null
