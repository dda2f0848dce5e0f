-- One row per protocol, scenario, quality measure and solver. The row contains scores for optimisation problems.
-- key: protocol, scenario_id, measure, kind, solver
-- caption: Scores for optimisation problems. Lower is better for the MiniZinc area, higher for all others.
-- headings: scenario_id scenario; incomplete MaxSAT; satisficing IPC; mznc MZNC; minizinc_area MiniZinc area
-- digits: incomplete 3, satisficing 3, scaled 3, mznc 3, area 3, minizinc_area 1
-- bold: incomplete max, satisficing max, scaled max, mznc max, area max, minizinc_area min
-- within: protocol, scenario_id, measure, kind
-- hide: measure, kind
-- measure: name of the quality measure
-- kind: algorithm or selector
-- n: number of instances that count under the protocol
-- incomplete: score of the MaxSAT Evaluation, as a mean over instances
-- satisficing: score of the IPC, as a mean over instances
-- scaled: score between 0 and 1 from the protocol's settings `alpha` and `beta`, as a mean over instances
-- mznc: MiniZinc Challenge score with objectives, as a mean over instances
-- area: progress from the trivial objective (0) to the best known objective (1), averaged over the time to the cutoff
-- minizinc_area: area score of the MiniZinc Challenge [scenario time unit]
-- source: Amadini et al. 2023, section 2.3
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, kind, solver, n,
    incomplete, satisficing, scaled, mznc, area, minizinc_area
from quality_score
order by all
