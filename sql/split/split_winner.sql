-- One row per protocol, scenario, measure, cross-validation scheme and kind of solver. The row says how often the best solver of a split is not the best solver of all splits together.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, kind
-- kind: algorithm or selector
-- n_solvers: solvers of the kind with a cost in every split
-- n_splits: number of splits; the splits share instances, so they are not independent
-- winner: solver with the least mean cost over all instances of all splits; the first by name if several tie
-- winner_tied: all solvers that tie as winner, including `winner`
-- winner_cost: mean cost of the winner over all instances of all splits
-- n_won: number of splits in which no solver has a lower mean cost than the winner; if several solvers tie as winner, the smallest number of these solvers
-- n_winners: number of solvers that are best in at least one split
-- changed: 1 - n_won / n_splits, the share of the splits in which another solver has a lower mean cost than the winner
with entrant as materialized (
    select
        *,
        count(cost) over solver = count(*) over solver as whole
    from fold_gap
    where kind <> 'baseline'
    window solver as (
        partition by protocol, scenario_id, measure, cv_scheme, kind, solver
    )
),

judged as materialized (
    select
        *,
        comparable(cost) = min(comparable(cost)) over (
            partition by
                protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind
        ) as best
    from entrant
    where whole
),

total as (
    select
        protocol, scenario_id, measure, cv_scheme, kind, solver,
        count(*) as n_splits,
        sum(cost * 9.094947017729282e-13 * n_instances order by cv_repetition, fold)
            / sum(n_instances) * 1099511627776e0 as cost,
        count(*) filter (best) as n_won
    from judged
    group by all
),

placed as (
    select
        *,
        comparable(cost) = min(comparable(cost)) over (
            partition by protocol, scenario_id, measure, cv_scheme, kind
        ) as first
    from total
)

select
    protocol, scenario_id, measure, cv_scheme, kind,
    count(*) as n_solvers,
    max(n_splits) as n_splits,
    min(solver) filter (first) as winner,
    list(solver order by solver) filter (first) as winner_tied,
    min(cost) as winner_cost,
    min(n_won) filter (first) as n_won,
    count(*) filter (n_won > 0) as n_winners,
    1 - min(n_won) filter (first) / max(n_splits) as changed
from placed
group by all
