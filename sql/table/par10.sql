-- One row per protocol, scenario, measure and selector.
-- key: protocol, scenario_id, measure, solver
-- caption: Mean PAR10 of every selector between VBS and SBS.
-- headings: scenario_id scenario; n_instances n; vbs_par10 VBS; sbs_par10 SBS
-- across: solver par10
-- digits: par10 1, vbs_par10 1, sbs_par10 1
-- bold: par10 min
-- mark: par10 par10 instances
-- hide: measure
-- as in scenario_baseline: n_instances, vbs_par10, sbs_par10
-- as in solver_score: solver, par10
-- source: Amadini et al. 2023, Definition 1
select
    protocol, scenario_id, measure, s.n_instances, b.vbs_par10, b.sbs_par10, s.solver,
    s.par10
from solver_score as s
inner join scenario_baseline as b using (protocol, scenario_id, measure)
where s.kind = 'selector' and s.measure_type = 'runtime'
order by protocol, scenario_id, measure, solver
