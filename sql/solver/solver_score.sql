-- One row per protocol, scenario, measure and solver. The row contains the mean scores of the solver.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, kind, solver
-- measure_type: type of the measure: runtime or solution_quality
-- n_instances: instances that count under the protocol
-- n_failed: for algorithms and SBS, number of runs that do not solve the instance or have no value. For a quality, the protocol's setting `failures` determines the cost of these runs
-- solved: mean over instances of the share of repetitions that are solved, 0 to 1
-- par1: mean PAR1; null for quality measures [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost, lower is better; null if an instance has no cost
-- normalised: mean over instances of cost / (penalty times cutoff); null for quality measures
-- sgm: shifted geometric mean of the time, with shift 10; an unsolved instance counts as the cutoff [scenario time unit]
-- unique_solved: instances that only this algorithm solves; null for selectors and baselines
-- mcp: misclassification penalty: mean over instances of the solver's PAR1 minus the PAR1 of VBS; for a quality measure, of the solver's cost minus the cost of VBS
-- incomplete: score of MaxSAT's incomplete tracks: mean over instances of (1 + cost of VBS) / (1 + cost of the solver), 1 = VBS; null if a cost is missing or negative
-- quality: mean value of a quality measure, in the measure's own direction; null for runtimes
-- metric par10: min, 1 digit, "PAR10", in the scenario's unit, from 0 to 10 cutoffs
-- metric par2: min, 1 digit, "PAR2", in the scenario's unit, from 0 to 2 cutoffs, not swept
-- metric par1: min, 1 digit, "PAR1", in the scenario's unit, from 0 to 1 cutoffs, not swept
-- metric cost: min, 1 digit, "cost", in the scenario's unit, from 0 to penalty cutoffs, order of par10, not swept
-- metric normalised: min, 3 digits, "normalised PAR", from 0 to 1, order of par10, not swept
-- metric solved: max, 3 digits, "solved", from 0 to 1
-- metric solved_then_par1: min, 1 digit, "solved, then PAR1", in the scenario's unit, par1 after solved
-- metric sgm: min, 1 digit, "SGM", in the scenario's unit
-- metric mcp: min, 1 digit, "MCP", in the scenario's unit, relative, not ranked, not swept
-- metric unique_solved: max, 0 digits, "unique", relative, not ranked, not swept
-- metric incomplete: max, 3 digits, "incomplete", relative
-- source: Amadini et al. 2023, Definition 1; Bischl et al. 2016 for the misclassification penalty; MaxSAT Evaluation 2022 for incomplete

-- Each repetition has a row of its own.
with separate as (
    select
        protocol, scenario_id, measure, kind, solver,
        count(distinct instance_id) as n_instances
    from instance_solver
    inner join protocol using (protocol)
    where repetitions = 'separate'
    group by all
),

valued as (
    select
        *,
        coalesce(par1, cost) - vbs_par1 as above_vbs,
        incomplete_points(cost, vbs_cost) as incomplete
    from instance_solver
    inner join protocol using (protocol)
    inner join (select protocol, scenario_id, measure, maximize from chosen_measure)
        using (protocol, scenario_id, measure)
)

select
    protocol, scenario_id, measure, kind, solver, measure_type,
    coalesce(any_value(s.n_instances), count(*)) as n_instances,
    cast(sum(n_failed) as bigint) as n_failed,
    mean_of(solved) as solved,
    mean_or_null(par1) as par1,
    mean_or_null(par2) as par2,
    mean_or_null(par10) as par10,
    mean_or_null(cost) as cost,
    mean_or_null(
        case when measure_type = 'runtime' then cost / (penalty * cutoff) end
    ) as normalised,
    shifted_geomean(time, 10) as sgm,
    case
        when kind = 'algorithm' then count(*) filter (solved > 0 and n_solving = 1)
    end as unique_solved,
    mean_or_null(above_vbs) as mcp,
    mean_or_null(incomplete) as incomplete,
    own_value(mean_or_null(cost), measure_type, any_value(maximize)) as quality
from valued
left join separate as s using (protocol, scenario_id, measure, kind, solver)
group by protocol, scenario_id, measure, kind, solver, measure_type
