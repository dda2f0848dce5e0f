-- One row per protocol and selector: means over some scenarios.
-- key: protocol, solver
-- parameter ids: scenarios; null = all
-- protocol: name of the protocol
-- closed_gap: mean closed gap
-- speedup: mean speedup
-- incomplete: mean incomplete score
select
    protocol, solver,
    mean_of(closed_gap) as closed_gap,
    mean_of(speedup) as speedup,
    mean_of(incomplete) as incomplete
from solver_gap
where kind = 'selector' and ($ids is null or list_contains($ids, scenario_id))
group by all
