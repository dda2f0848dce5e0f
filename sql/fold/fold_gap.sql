-- One row per protocol, scenario, measure, split, fold and solver. The row contains the gaps of the solver on the fold.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- as in fold_compared: own_split, n_instances, par10, cost
-- sbs: single best algorithm of the instances that the protocol's setting `sbs_scope` names
-- sbs_cost: mean cost of the algorithm in `sbs` on the fold
-- vbs_cost: mean cost of VBS on the fold
-- closed_gap: closed gap on the fold between the algorithm in `sbs` (0) and VBS (1); null if both have the same cost
-- remaining_gap: 1 - closed_gap
-- bounded_gap: closed gap if the solver is at least as good as SBS; a worse solver gets a value between 0 (SBS) and -1 (the virtual worst solver)
-- closed_gap_train: closed gap, with the single best algorithm of the other folds as SBS
-- closed_gap_test: closed gap, with the single best algorithm of this fold as SBS
-- closed_gap_all: closed gap, with the single best algorithm of all folds as SBS
-- reason: reason why closed_gap is null
-- metrics: closed_gap, remaining_gap, bounded_gap
-- metric closed_gap_train: max, 3 digits, "closed gap, SBS of the other folds", relative
-- metric closed_gap_test: max, 3 digits, "closed gap, SBS of the fold", relative
-- metric closed_gap_all: max, 3 digits, "closed gap, SBS of all folds", relative
-- source: Amadini et al. 2023, Definition 3 and section 2.4
with scoped as (
    select
        f.*,
        case p.sbs_scope
            when 'train' then f.sbs_train when 'test' then f.sbs_test else f.sbs_all
        end as sbs,
        case p.sbs_scope
            when 'train' then f.sbs_train_cost
            when 'test' then f.sbs_test_cost
            else f.sbs_all_cost
        end as sbs_cost
    from fold_compared as f
    inner join protocol as p using (protocol)
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    own_split, n_instances, par10, cost, sbs, sbs_cost, vbs_cost,
    closed_gap(cost, sbs_cost, vbs_cost) as closed_gap,
    1 - closed_gap(cost, sbs_cost, vbs_cost) as remaining_gap,
    bounded_gap(cost, sbs_cost, vbs_cost, vws_cost) as bounded_gap,
    closed_gap(cost, sbs_train_cost, vbs_cost) as closed_gap_train,
    closed_gap(cost, sbs_test_cost, vbs_cost) as closed_gap_test,
    closed_gap(cost, sbs_all_cost, vbs_cost) as closed_gap_all,
    case
        when sbs is null then 'no SBS: no training fold, or no algorithm with a cost'
        when cost is null then 'an instance without cost'
        when abs(sbs_cost - vbs_cost) <= 1e-12 * abs(sbs_cost) then 'SBS equals VBS'
    end as reason
from scoped
