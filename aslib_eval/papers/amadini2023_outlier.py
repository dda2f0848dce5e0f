"""RF's fall on TSP-LION2015: what the runs alone can say of a gap of -19."""

from __future__ import annotations

from aslib_eval.database.protocol import PRESETS
from aslib_eval.papers.amadini2023 import PROTOCOL, Lake
from aslib_eval.papers.amadini2023_printed import (
    OUTLIER,
    OUTLIER_RF,
    OUTLIER_SBS,
    TABLE1,
)
from aslib_eval.papers.amadini2023_tables import pairs
from aslib_eval.papers.parts import Claim


def outlier_claims(seen: Lake) -> list[Claim]:
    """How close SBS is to VBS there, and what that does to a gap.

    Nothing where the runs are not in the lake.
    """
    scenario = {**seen.scenarios, **seen.others}.get(OUTLIER)
    if scenario is None:
        text, said = f"RF's fall on {OUTLIER}.", "closed gap -19.1569"
        return [Claim(text, said, "its runs are not in the lake", None)]
    return [_sbs(seen, scenario), _loss(seen, scenario), _fall(seen)]


def _sbs(seen: Lake, scenario: str) -> Claim:
    sql = """
        select max(solved) filter (solver = 'SBS') / max(solved) filter (solver = 'VBS')
        from solver_score where kind = 'baseline' and scenario_id = $scenario
    """
    ((share,),) = seen.con.sql(sql, params={"scenario": scenario}).fetchall()
    return Claim(
        f"On {OUTLIER} SBS solves nearly all that VBS solves.",
        f"{OUTLIER_SBS:.2%}",
        f"{share:.2%}",
        round(share, 4) == OUTLIER_SBS,
    )


def _loss(seen: Lake, scenario: str) -> Claim:
    """How many more instances RF must have lost for the printed gap.

    Each costs nearly k times the cutoff; that it then takes no time at all elsewhere
    gives the most, and so the least share solved.
    """
    sql = """
        select b.sbs_cost, b.vbs_cost, b.n_instances, s.cutoff
        from scenario_baseline as b
        inner join scenario_summary as s using (protocol, scenario_id, measure)
        where scenario_id = $scenario
    """
    ((sbs, vbs, n, cutoff),) = seen.con.sql(
        sql, params={"scenario": scenario}
    ).fetchall()
    gap = TABLE1[OUTLIER].rf_gap
    cost = sbs - gap * (sbs - vbs)
    most = cost / (PRESETS[PROTOCOL].penalty * cutoff)
    points = PRESETS[PROTOCOL].penalty * cutoff / n / (sbs - vbs)
    return Claim(
        f"On {OUTLIER} a gap of {gap} leaves room for more than 90 % solved.",
        f"more than {OUTLIER_RF:.0%} solved",
        f"an instance lost costs {points:.3f} points of the gap, as SBS - VBS is only "
        f"{sbs - vbs:.1f} of {cutoff:g}; the gap means at least {1 - most:.1%} solved",
        1 - most > OUTLIER_RF,
    )


def _fall(seen: Lake) -> Claim:
    """The fall itself, where the lake has answers."""
    found = pairs(seen).get(OUTLIER)
    gap = TABLE1[OUTLIER].rf_gap
    if found is None:
        here, holds = "no answers of ASAP and RF in the lake", None
    else:
        here, holds = (
            f"RF {found.rf_gap:.4f}, ASAP {found.asap_gap:.4f}",
            found.rf_gap < 0,
        )
    return Claim(f"RF is far below SBS on {OUTLIER}.", f"RF {gap}", here, holds)
