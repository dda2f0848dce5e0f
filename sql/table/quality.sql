-- One row per protocol, scenario, quality measure and solver, of all measures.
-- key: protocol, scenario_id, measure, kind, solver
-- caption: Scores of optimisation. Lower is better for the MiniZinc area, higher for all others.
-- headings: scenario_id scenario; incomplete MaxSAT; satisficing IPC; mznc MZNC; minizinc_area MiniZinc area
-- digits: incomplete 3, satisficing 3, scaled 3, mznc 3, area 3, minizinc_area 1
-- bold: incomplete max, satisficing max, scaled max, mznc max, area max, minizinc_area min
-- within: protocol, scenario_id, measure, kind
-- hide: measure, kind
-- measure: quality measure
-- kind: algorithm or selector
-- n: instances that count
-- incomplete: score of the MaxSAT Evaluation, mean over instances
-- satisficing: score of the IPC, mean over instances
-- scaled: score from 0 to 1 by the protocol's alpha and beta, mean over instances
-- mznc: MiniZinc Challenge score with objectives, mean over instances
-- area: mean share of time and way from the trivial to the best known objective
-- minizinc_area: area of the MiniZinc Challenge [scenario time unit]
-- source: Amadini et al. 2023, section 2.3
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, kind, solver, n,
    incomplete, satisficing, scaled, mznc, area, minizinc_area
from quality_score
order by all
