"""Which differences are real, beside the scores: marks, groups and intervals."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.compare.for_report import Compared, groups_legend, legend
from aslib_eval.figures.intervals import advantage
from aslib_eval.reports.html import Header, Html, tag
from aslib_eval.text import MINUS, number

MARKED = f"+ better, {MINUS} worse by mean, test and interval"
MARKS = (
    Header("mark", "vs best", f"{MARKED}, ± by the test "
           "alone, = no difference shown from the best mean, which has o; under the "
           "protocol, whatever is chosen"),
    Header("mark_sbs", "vs SBS", f"{MARKED}, ± by the test "
           "alone, = no difference shown from SBS, which has o; under the protocol, "
           "whatever is chosen"),
    Header("saved", "saved vs SBS", "mean cost saved against SBS; under the "
           "protocol, whatever is chosen"),
    Header("better_on", "better on", "instances with a lower cost than SBS; under the "
           "protocol, whatever is chosen"),
    Header("worse_on", "worse on", "instances with a higher cost than SBS; under the "
           "protocol, whatever is chosen"),
    Header("sk_group", "group", "Scott-Knott group by mean cost, 1 = best; under the "
           "protocol, whatever is chosen"),
)  # fmt: skip
_MINUS = {"-": MINUS}


def marked(
    system: str, *, best: Compared | None = None, sbs: Compared | None = None
) -> dict[str, Any]:
    """The cells of MARKS of one system, and what they say."""
    cells: dict[str, Any] = {}
    tips: dict[str, str] = {}
    if sbs is not None:
        row = sbs.of(system)
        # Who is missing among the others is SBS itself.
        cells["mark_sbs"] = _MINUS.get(row["mark"], row["mark"]) if row else "o"
        cells["sk_group"] = (row or sbs.of("SBS")).get("sk_group")
        tips["mark_sbs"] = advantage(row, sbs) if row else f"{system} is SBS"
        if row:
            cells["saved"] = row["advantage"]
            cells["better_on"], cells["worse_on"] = row["wins"], row["losses"]
        tips["sk_group"] = f"of {_groups(sbs)} groups, SBS among them"
    if best is not None and (row := best.of(system)):
        cells["mark"] = _MINUS.get(row["mark"], row["mark"])
        cells["sk_group"] = row["sk_group"]
        tips["mark"] = f"mean rank {number(row['mean_rank'])}, n = {row['n']}"
        tips["sk_group"] = f"of {_groups(best)} groups"
    return cells | {"_tips": tips}


def _groups(found: Compared) -> int:
    return max((row["sk_group"] or 0 for row in found.rows), default=0)


def legends(*found: Compared | None) -> Html:
    """What the marks and groups say: test, unit, n, correction, level."""
    known = [one for one in found if one is not None]
    words = [legend(one) for one in known]
    words += [groups_legend(known[0])] if known else []
    return tag("p", " ".join(words), attrs={"class": "population"}) if words else Html()
