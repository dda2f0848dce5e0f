"""Which differences are real, in words beside the scores, with their legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aslib_eval.analysis.compare.for_report import Compared, groups_legend, legend
from aslib_eval.analysis.compare.verdicts import is_clear
from aslib_eval.figures.intervals import advantage
from aslib_eval.reports.html import Header, Html, tag
from aslib_eval.text import brief, number

_STORED = "; under the protocol, whatever is chosen"
GROUP = Header("sk_group", "group", f"Scott-Knott group by mean, 1 = best{_STORED}")
VS_BEST = Header("mark", "vs best", f"beside the best mean{_STORED}")


def compared_columns(found: Compared | None, against: str, unit: str) -> tuple[list[Header], list[Header]]:
    """The verdict beside the SBS, or the best; and on how many instances it wins.

    Behind the verdict is the interval that it rests on [unit].
    """
    if found is None:
        return [], []
    about = f"beside {found.question.versus}{_STORED}"
    rests = f"interval of the mean cost saved, which the verdict rests on, {about}"
    return [Header("mark_sbs", f"vs {against}", about), Header("ahead", f"ahead{unit}, 95 %", rests)], [
        Header("better_on", "better on", f"instances where it costs less{_STORED}"),
        Header("same_on", "same on", f"instances where both cost the same{_STORED}"),
        Header("worse_on", "worse on", f"instances where it costs more{_STORED}"),
    ]


def verdict_of(row: Mapping[str, Any]) -> Html | str:
    """The verdict of a row, coloured if it says better or worse."""
    word: str = row["verdict"]
    return tag("span", word, attrs={"class": word}) if is_clear(word) else word


def marked(
    system: str, *, best: Compared | None = None, sbs: Compared | None = None, alone: str = "SBS"
) -> dict[str, Any]:
    """The cells of one system, and what they say. alone: what who is compared is."""
    cells: dict[str, Any] = {}
    tips: dict[str, str] = {}
    if sbs is not None:
        row = sbs.of(system)
        # Who is missing among the others is SBS itself.
        cells["mark_sbs"] = verdict_of(row) if row else alone
        cells["sk_group"] = (row or sbs.of("SBS")).get("sk_group")
        tips["mark_sbs"] = advantage(row, sbs) if row else f"{system} is SBS"
        if row:
            ends = [row["lower"], row["upper"]]
            cells["ahead"] = None if None in ends else " to ".join(map(brief, ends))
            counts = (("better", "wins"), ("same", "ties"), ("worse", "losses"))
            cells |= {f"{word}_on": row[name] for word, name in counts}
        tips["sk_group"] = f"of {_groups(sbs)} groups, SBS among them"
    if best is not None and (row := best.of(system)):
        cells["mark"] = verdict_of(row) if row["mark"] != "o" else "best"
        cells["sk_group"] = row["sk_group"]
        tips["mark"] = f"mean rank {number(row['mean_rank'])}, n = {row['n']}"
        tips["sk_group"] = f"of {_groups(best)} groups"
    return cells | {"_tips": tips}


def _groups(found: Compared) -> int:
    return max((row["sk_group"] or 0 for row in found.rows), default=0)


def legends(found: Compared | None, *, groups: bool = False, against: str = "SBS") -> Html:
    """What the verdicts, or the groups, say: test, unit, n, correction, level."""
    if found is None:
        return Html()
    words = groups_legend(found) if groups else legend(found)
    if against == "best":  # of algorithms that is SBS, whom a reader need not know
        words = words.replace("Beside SBS,", "Beside the best,")
    return tag("p", words, attrs={"class": "population as-stored"})
