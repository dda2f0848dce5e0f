-- One row per contest and task, solver and limit.
-- key: scenario_id, solver, limit_
-- caption: Mean score of every solver at every limit, in the order of the final score: 0 is the trivial solver, 100 the best known answer.
-- headings: scenario_id task; score final
-- across: limit_ score
-- digits: score 2, place 0, n 0
-- scenario_id: contest and task
-- place: place in the final order; equal scores share the better place
-- solver: solver of the answer
-- n: number of instances, including those without an answer of the solver
-- limit_: the limit; final = mean over all limits with the weights of the contest
-- score: mean over all n instances
-- source: UAI inference competition 2022, evaluation
with last as (
    select scenario_id, solver, place
    from contest_board
    qualify row_number() over (
        partition by scenario_id, solver order by "limit" = 'final' desc
    ) = 1
)

select
    b.scenario_id, last.place, b.solver, b.n, b."limit" as limit_, b.score
from contest_board as b
inner join last using (scenario_id, solver)
order by
    b.scenario_id, last.place, b.solver, b."limit" = 'final',
    try_cast(b."limit" as double)
