-- One row per protocol, scenario, measure and solver. The row contains the gaps of the solver.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, kind, solver
-- closed_gap: closed gap between SBS (0) and VBS (1). The protocol's setting fold_aggregate says whether gaps are pooled over instances or aggregated over folds. Null if SBS equals VBS
-- remaining_gap: remaining gap between VBS (0) and SBS (1); aggregated like closed_gap
-- bounded_gap: closed gap if the solver is at least as good as SBS; a worse solver gets a value between 0 (SBS) and -1 (the virtual worst solver). Aggregated like closed_gap
-- bounded_printed: closed gap if the solver is at least as good as SBS; a worse solver gets (SBS - cost) / (VWS - VBS), as printed in Amadini et al. 2023. Pooled over instances
-- clipped_gap: closed gap, or the protocol's setting gap_floor if the closed gap is lower
-- gap: gap of the kind that the protocol's setting `gap` names; a closed or bounded gap below the setting `gap_floor` is raised to `gap_floor`
-- attainable_gap: closed gap, pooled over instances, of a VBS that pays for the charged features; no selector with these features can reach more
-- speedup: mean cost of VBS / mean cost of the solver, 1 = VBS; null if costs are negative
-- improvement: mean cost of SBS / mean cost of the solver, 1 = SBS; null if costs are negative
-- as in solver_score: incomplete, n_instances
-- n_folds: number of folds whose gaps are aggregated; 0 if gaps are pooled over instances
-- n_undefined: number of folds whose gap is undefined; the aggregate leaves these folds out
-- reason: reason why closed_gap is null
-- metric closed_gap: max, 3 digits, "closed gap", relative
-- metric remaining_gap: min, 3 digits, "remaining gap", relative, order of closed_gap, not swept
-- metric bounded_gap: max, 3 digits, "bounded gap", relative
-- metric bounded_printed: max, 3 digits, "bounded gap as printed", relative, not ranked, not swept
-- metric clipped_gap: max, 3 digits, "clipped gap", relative, order of closed_gap, not swept
-- metric speedup: max, 3 digits, "speedup", relative
-- metric improvement: max, 3 digits, "improvement", relative, not swept
-- source: Amadini et al. 2023, Definition 3 and section 2.2
with score as (
    select
        *,
        max(cost) filter (kind = 'baseline' and solver = 'VBS') over scenario as vbs,
        max(cost) filter (kind = 'baseline' and solver = 'SBS') over scenario as sbs,
        max(cost) filter (kind = 'baseline' and solver = 'VWS') over scenario as vws
    from solver_score
    window scenario as (partition by protocol, scenario_id, measure)
),

pooled as (
    select
        *,
        closed_gap(cost, sbs, vbs) as closed_gap,
        1 - closed_gap(cost, sbs, vbs) as remaining_gap,
        bounded_gap(cost, sbs, vbs, vws) as bounded_gap
    from score
    inner join protocol using (protocol)
    where fold_aggregate = 'pooled'
),

-- A scenario has cv.arff or a fixed split, never both.
folded as (
    select
        protocol, scenario_id, measure, kind, solver,
        over_folds(closed_gap, any_value(fold_aggregate)) as closed_gap,
        over_folds(remaining_gap, any_value(fold_aggregate)) as remaining_gap,
        over_folds(bounded_gap, any_value(fold_aggregate)) as bounded_gap,
        count(closed_gap) as n_folds,
        count(*) - count(closed_gap) as n_undefined
    from fold_gap
    inner join protocol using (protocol)
    where cv_scheme in ('aslib', 'split') and fold_aggregate <> 'pooled'
    group by all
),

gaps as (
    select * from pooled
    union all by name
    select *
    from score
    inner join protocol using (protocol)
    left join folded using (protocol, scenario_id, measure, kind, solver)
    where fold_aggregate <> 'pooled'
),

clipped as (
    select
        *,
        case
            when closed_gap is not null
                then greatest(closed_gap, coalesce(gap_floor, closed_gap))
        end as clipped_gap
    from gaps
)

select
    protocol, scenario_id, measure, kind, solver, closed_gap, remaining_gap,
    bounded_gap,
    bounded_gap_printed(cost, sbs, vbs, vws) as bounded_printed,
    clipped_gap,
    case
        when gap = 'remaining' then remaining_gap
        when gap = 'bounded' and bounded_gap is not null
            then greatest(bounded_gap, coalesce(gap_floor, bounded_gap))
        else clipped_gap
    end as gap,
    closed_gap(attainable_cost, sbs, vbs) as attainable_gap,
    case when vbs >= 0 then ratio(vbs, cost) end as speedup,
    case when vbs >= 0 then ratio(sbs, cost) end as improvement,
    incomplete, n_instances,
    coalesce(n_folds, 0) as n_folds,
    coalesce(n_undefined, 0) as n_undefined,
    case
        when closed_gap is not null then null
        when sbs is null then 'no algorithm has a cost on every instance'
        when cost is null
            then 'an instance without cost (failed, no cutoff, or too large)'
        when abs(sbs - vbs) <= 1e-12 * abs(sbs) then 'SBS equals VBS'
        when fold_aggregate <> 'pooled' and n_folds is null
            then 'no folds: is there a cv.arff?'
        when n_folds > 0 then 'a fold with a gap <= 0 (geometric mean)'
        else 'no fold with a gap'
    end as reason
from clipped
left join scenario_attainable using (protocol, scenario_id, measure)
