"""The ranking: who leads, by how much, how sure; the first table of a page."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import Attributes, Header, Html, HtmlTable, join, live, own_column, tag
from aslib_eval.reports.sections.significance import compared_columns, legends, marked
from aslib_eval.text import aligned, number, plural

_NO_END = "no end"
_IN_SIGHT = 3  # columns that a phone shows before the verdict
_MILDER = 2  # cutoffs that an unsolved instance costs, beside those of the protocol
# Statuses with a colour of their own; all others share one.
_STATUSES = ("ok", "timeout", "memout", "crash")


def kind_of(results: ScenarioResults) -> str:
    """Who is ranked first on the page: the selectors, else the algorithms."""
    present = results.frames["score"]["kind"].to_list()
    return "selector" if "selector" in present else "algorithm"


def ranking(results: ScenarioResults, kind: str, *, name: str) -> Html:
    """The table of one kind, the best first, with what its verdicts mean below.

    Selectors have a bar from SBS to VBS with its interval, and SBS and VBS among them; algorithms the
    status of their runs as a bar, and a box to leave them out.
    """
    chooses = kind == "algorithm"
    rows = _rows(results, kind)
    found = results.compared(f"{kind}s_sbs")
    against = "SBS" if _is_beside(results, kind) else "best"
    verdict, often = compared_columns(found, against, results.cost_unit)
    columns = [Header("solver", kind), *_measures(results, rows, gap=not chooses)]
    columns[_IN_SIGHT:_IN_SIGHT] = verdict
    if chooses and _has(rows, "statuses"):
        columns.append(Header("statuses", "runs by status", bar="status"))
    columns += often
    tools = [_statuses(results)] if chooses else []
    if chooses and len(rows) > 1:
        tools += [
            tag("button", text, attrs={"type": "button", "id": f"choose-{which}"})
            for which, text in (("shown", "tick only those shown"), ("all", "tick all"))
        ]
    table = HtmlTable(
        name,
        f"The {plural(len(rows), kind)}, the best first",
        columns,
        _with_baselines(results, rows, kind),
        number(results.n),
        results.protocol,
        tools,
    )
    is_first = kind == kind_of(results)
    return join([table.html(), legends(found, against=against) if is_first else None])


def _is_beside(results: ScenarioResults, kind: str) -> bool:
    """Whether the page is on selectors, so that the best algorithm is their SBS."""
    return kind_of(results) == "selector" or kind == "selector"


def _has(rows: list[dict[str, Any]], key: str) -> bool:
    return any(row.get(key) is not None for row in rows)


def _measures(results: ScenarioResults, rows: list[dict[str, Any]], *, gap: bool) -> list[Header]:
    found = []
    if gap and _has(rows, "gap"):
        about = "closed gap: 1 = VBS, 0 = SBS of the chosen portfolio"
        found.append(Header("bar", "from SBS to VBS", about, bar="gap"))
        found.append(Header("gap", "closed gap", about, live="gap", best="max"))
        if _has(rows, "interval"):
            says = "95 % interval of the closed gap: the instances are drawn anew 2000 "
            says += "times, with SBS and VBS chosen in each draw; selectors are not "
            says += "trained anew"
            found.append(Header("interval", "closed gap, 95 %", says))
    if not results.timed:
        maximize = results.summary["maximize"]
        return [*found, own_column(results.measure, maximize=maximize)]
    solved = "share of the instances solved"
    found.append(Header("solved", "solved", solved, live="solved", best="max"))
    k, unit = results.choices["penalty"], results.cost_unit
    about = "mean PARk of the chosen k and instances"
    title = f"PAR{number(k)}{unit}"
    found.append(Header("now", title, about, live="par", best="min", unit=unit))
    milder = f"par{_MILDER}"
    if k != _MILDER and _has(rows, milder) and not gap:
        about = "a run that is not solved counts twice the cutoff"
        found.append(Header(milder, f"PAR{_MILDER}{unit}", about, best="min"))
    return found


def _rows(results: ScenarioResults, kind: str) -> list[dict[str, Any]]:
    frame, matrix = results.frames["score"], results.matrix
    found = results.compared(f"{kind}s_sbs")
    intervals = _intervals(results)
    statuses = _parts(results) if kind == "algorithm" else {}
    alone = "SBS" if _is_beside(results, kind) else "best"
    return [
        {
            **row,
            **marked(row["solver"], sbs=found, alone=alone),
            "now": row["cost"],
            "gap": row["closed_gap"],
            "own": results.own(row["cost"]),
            "interval": intervals.get(row["solver"]) if kind == "selector" else None,
            "statuses": statuses.get(row["solver"]),
            "_solver": matrix.number(kind, row["solver"]) if matrix else None,
            "_choose": kind == "algorithm" and matrix is not None,
        }
        for row in frame.filter(frame["kind"] == kind).to_dicts()
    ]


def _intervals(results: ScenarioResults) -> dict[str, str]:
    frame = results.frames.get("gap_interval")
    if frame is None:
        return {}
    ends = {s: interval_of(results, s) for s in frame.drop_nulls("closed_gap")["solver"]}
    return {
        s: f"{_end(low)} to {_end(high)}" for s, (low, high) in ends.items() if (low, high) != (None, None)
    }


def interval_of(results: ScenarioResults, solver: str) -> tuple[float | None, ...]:
    """Both ends of the interval of its closed gap; None where there is none."""
    frame = results.frames.get("gap_interval")
    ends = frame.filter(solver=solver) if frame is not None else None
    if ends is None or not ends.height:
        return None, None
    return ends["gap_low"][0], ends["gap_high"][0]


def _end(value: float | None) -> str:
    return _NO_END if value is None else aligned(value, 2)


def _with_baselines(
    results: ScenarioResults, rows: list[dict[str, Any]], kind: str
) -> list[dict[str, Any]]:
    """The rows with VBS, and SBS if it is none of them, where their cost puts them."""
    found = results.baseline
    if found is None:
        return rows
    sbs = tag("span", live("sbs", found["sbs"]), attrs={"class": "who"})
    names = {"vbs": Html("VBS")}
    frame, milder = results.frames["score"], f"par{_MILDER}"
    mild = dict(frame.filter(kind="baseline").select("solver", milder).rows())
    if kind == "selector":
        names["sbs"] = join(["SBS ", sbs])
    lines = []
    for of, name in names.items():
        cost = found[f"{of}_cost"]
        lines.append(
            {
                "solver": name,
                "now": cost,
                "own": results.own(cost),
                milder: mild.get(of.upper()) if results.timed else None,
                "solved": found[f"{of}_solved"] if results.timed else None,
                "gap": float(of == "vbs") if not found["reason"] else None,
                "_baseline": of,
            }
        )
    last = float("inf")
    return sorted([*lines, *rows], key=lambda row: last if row["now"] is None else row["now"])


def _parts(results: ScenarioResults) -> dict[str, Html]:
    """The runs of each algorithm by status: a bar, and words for who hears it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for algorithm, status, n in results.frames["status"].rows():
        found.setdefault(algorithm, []).append((status, n))
    return {
        name: join(
            [
                tag("span", ", ".join(f"{s} {n}" for s, n in parts), attrs=_SAID),
                tag(
                    "span",
                    *(
                        tag("i", attrs={"class": _class(status), "style": f"flex-grow:{n}"})
                        for status, n in sorted(parts, key=_place)
                    ),
                    attrs={"class": "stack", "aria-hidden": "true"},
                ),
            ]
        )
        for name, parts in found.items()
    }


_SAID: Attributes = {"class": "said"}


def _class(status: str) -> str:
    return f"s-{status}" if status in _STATUSES else "s-other"


def _place(part: tuple[str, int]) -> tuple[int, str]:
    status, _ = part
    return ([*_STATUSES, status].index(status), status)


def _statuses(results: ScenarioResults) -> Html:
    """The legend of the bars of statuses, with how many runs ended so."""
    total: dict[str, int] = {}
    for _, status, n in results.frames["status"].rows():
        total[status] = total.get(status, 0) + n
    order = [*_STATUSES]
    shown = sorted(total, key=lambda s: (order.index(s) if s in order else 9, s))
    parts = (tag("span", tag("i", attrs={"class": _class(s)}), f" {s} {total[s]}") for s in shown)
    return tag("span", *parts, attrs={"class": "legend"})
