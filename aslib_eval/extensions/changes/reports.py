"""The page of ``diff`` and its charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import polars as pl

from aslib_eval.analysis.results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.changes.analysis import Changes, changes, sides_of, told_rows
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Logarithmic, Rule
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    figure,
    join,
    link,
    page,
    tag,
    with_places,
)
from aslib_eval.text import brief, list_names, number, plural

# Verdict → its colour and mark: shape as well, for who does not tell the colours.
_VERDICTS = {
    "better": ("low", "triangle-down"),
    "worse": ("high", "square"),
    "typically better": ("low", "ring"),
    "typically worse": ("high", "ring"),
    "mixed": ("ink", "ring"),
    "no difference": ("faint", "ring"),
}
_LOOKS = {
    "gained": ("low", "triangle-down"),
    "lost": ("high", "triangle-up"),
    "faster": ("low", "circle"),
    "slower": ("high", "square"),
    "level": ("faint", "ring"),
    "neither": ("faint", "cross"),
}
_LEAST = 1e-6  # of the longest time: what is below stands there


def changes_of(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """The times of two solvers of one scenario, of which the first is the older."""
    if len(solvers) != 2:  # noqa: PLR2004
        raise _wrong_number("two solvers", solvers, "changes")
    found = _changes(results, solvers)
    return times_of_two(found.instances, found.cost)


def history_of(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """The history of a solver whose versions are given, the oldest first."""
    if len(solvers) < 2:  # noqa: PLR2004
        raise _wrong_number("two solvers or more", solvers, "history")
    found = _changes(results, solvers)
    return history(found.summary, found.cost)


def _wrong_number(wanted: str, solvers: Sequence[str], figure: str) -> AslibError:
    what = f"it shows {wanted}, these are {len(solvers)}"
    return AslibError(what, figure, "Type --solver OLD --solver NEW.")


def _changes(results: LakeResults, solvers: Sequence[str]) -> Changes:
    return changes(sides_of(solvers, None, results.lake.path, lambda _: results.lake))


CHANGES = FigureEntry(
    "scatter plot of the times of two solvers (give --solver twice)",
    "lake",
    needs="two solvers with runtimes",
    chosen=True,
    make=changes_of,
)
HISTORY = FigureEntry(
    "mean cost of each version of a solver (give --solver for each)",
    "lake",
    needs="two solvers or more, the oldest first",
    chosen=True,
    make=history_of,
)


def history(summary: pl.DataFrame, cost: str = "mean cost") -> Chart:
    """A row a step: the change of the mean cost with its interval, and the verdict.

    summary: as in ``Changes``, of one scenario and measure; of families a row each. cost: its name, with
    its unit.
    """
    if summary.select("protocol", "scenario_id", "measure").unique().height != 1:
        raise AslibError(
            "it shows the history on one scenario", None, "Choose one with --scenario, and one protocol."
        )
    rows = summary.to_dicts()
    names = [f"{_of(row)}{row['before']} → {row['after']}" for row in rows]
    lines: list[Line] = []
    dots: dict[str, list[tuple[float, int, str]]] = {name: [] for name in _VERDICTS}
    for at, row in enumerate(rows):
        ends = [row["change_low"], row["change_high"]]
        counts = ", ".join(f"{row[n]} {n}" for n in ("gained", "lost"))
        tip = (
            f"{names[at]}: {row['verdict']}, mean cost {number(row['cost_before'])} to "
            f"{number(row['cost_after'])}, {counts}, n = {row['n']}"
        )
        if None not in ends:
            dash = None if row["verdict"] in {"better", "worse"} else "4 3"
            lines.append(Line([(end, at, tip) for end in ends], color="faint", dash=dash))
        dots[row["verdict"]].append((row["change"], at, tip))
    values = [0.0, *(p[0] for some in dots.values() for p in some)]
    values += [p[0] for line in lines for p in line.points]
    room = 0.04 * (max(values) - min(values))
    marks = [
        Dots(dots[name], name=name, color=color, symbol=symbol, r=5)
        for name, (color, symbol) in _VERDICTS.items()
        if dots[name]
    ]
    return Chart(
        f"{rows[0]['scenario_id']}: from {rows[0]['before']} to {rows[-1]['after']}",
        "Each mark is the change of the mean cost from one to the next (left of 0: it falls), each line "
        "its 95 % interval. Lines are dashed and marks open where the two tests and the interval disagree.",
        Linear(f"change of the {cost}", min(values) - room, max(values) + room),
        Band(names),
        [Rule(x=0.0), *lines, *marks],
        f"{rows[0]['scenario_id']}, {rows[0]['protocol']}",
        row_height=30,
    )


def _of(row: dict[str, Any]) -> str:
    return f"{row['family']}: " if "family" in row else ""


def times_of_two(instances: pl.DataFrame, cost: str = "") -> Chart:
    """A dot an instance: right and below the diagonal the later one is faster.

    instances: as in ``Changes``, of one scenario and step, with runtimes. What is not solved stands at its
    cutoff. cost: of ``Changes``, which ends in the unit.
    """
    one = ("protocol", "scenario_id", "measure", "before", "after")
    if instances.select(one).unique().height != 1 or instances["ratio"].null_count() == instances.height:
        raise AslibError(
            "it shows the times of one scenario", None, "Choose one with --scenario, and one protocol."
        )
    old, new = instances.select("before", "after").row(0)
    unit = cost[cost.index(" [") :] if " [" in cost else ""
    ran = instances.select("instance_id", "value_before", "value_after", "outcome")
    high = max([_LEAST, *(max(was, now) for _, was, now, _ in ran.rows())])
    low = high * _LEAST
    points: dict[str, list[tuple[float, float, str]]] = {}
    for name, was, now, outcome in ran.rows():
        points.setdefault(outcome, []).append((max(was, low), max(now, low), f"{name}: {outcome}"))
    low = min(min(x, y) for part in points.values() for x, y, _ in part)
    at_cutoff = not points.keys().isdisjoint(("gained", "lost", "neither"))
    dots = [
        Dots(points[outcome], name=f"{outcome} ({len(points[outcome])})", color=color, symbol=symbol)
        for outcome, (color, symbol) in _LOOKS.items()
        if outcome in points
    ]
    return Chart(
        f"{instances['scenario_id'][0]}: {new} against {old}",
        f"Below the diagonal {new} takes less time; what is unsolved is at the cutoff.",
        Logarithmic(f"time of {old}{unit}", low, high, cutoff=at_cutoff),
        Logarithmic(f"time of {new}{unit}", low, high, cutoff=at_cutoff),
        [Line([(low, low), (high, high)], color="muted", dash="4 4"), *dots],
        height=520,
        max_width=600,
    )


# What is the same in every row of a table stands above it, or nowhere.
_SCOPE = ("scenario_id", "measure", "protocol", "family", "before", "after")
_SAID = ("apart",)  # in sentences
_BESIDE = ("solved_before", "solved_after", "n_runs")  # status and outcome say it
_ABOUT = {
    "n": "instances that both ran",
    "gained": "only the later one solves it",
    "lost": "only the earlier one solves it",
    "faster": "both solve it, the later one in less time, beyond the noise",
    "slower": "both solve it, the later one in more time, beyond the noise",
    "level": "both solve it, and no difference is beyond the noise",
    "neither": "neither solves it",
    "change": "cost_after - cost_before",
    "95 % interval": "of the change, for any distribution within the bounds of PARk",
    "ratio": "value_after / value_before",
    "noise": "factor up to which two times count as equal",
}


def changes_page(found: Changes) -> bytes:
    """The whole file; the instances with the largest loss are the first.

    The figure is of two solvers with runtimes in one scenario, or of three or more in one scenario how the
    mean cost changes; else there is none.
    """
    old, new = found.summary["before"][0], found.summary["after"][-1]
    told = found.sentences[len(found.verdicts) :]
    level = " ".join(text for text in told if "count as equal" in text)
    charts = _charts(found)
    lost = found.instances.filter(outcome="lost")["instance_id"].to_list()
    glance = [
        *(_story(text, found, row) for text, row in zip_longest(found.verdicts, told_rows(found.summary))),
        _table("changes", "What changed", _with_interval(found.summary), cost=found.cost),
        *(figure(name, _TITLES[name], f"{charts[name].about} {level}".strip()) for name in charts),
    ]
    more = [text for text in told if not charts or "count as equal" not in text]
    some = f": {list_names(lost, most=3, quoted=False)}" if lost else ""
    sections = [
        Section("glance", "At a glance", "", join(glance), charts, follows="never"),
        Section(
            "instances",
            f"Instances ({found.instances.height})",
            "",
            _table("instances-table", "Instances that both ran, the largest loss first",
                   found.instances.drop(_BESIDE), first="instance_id"),
            follows="never",
            finding=f"{plural(len(lost), 'instance')} lost{some}.",
        ),
        Section(
            "how", "How sure", "", join([tag("p", text) for text in more]),
            follows="never", finding="The tests and intervals behind the verdict.", group="sure",
        ),
    ]  # fmt: skip
    if n := found.families.height:
        body = _table("families-table", "Outcomes in each family", found.families, first="family")
        lost_in = found.families.filter(pl.col("lost") > pl.col("gained")).height
        says = f"In {lost_in or 'none'} of {plural(n, 'family', 'families')}, more is lost than gained."
        of = Section("families", f"Families ({n})", "", body, follows="never", finding=says, group="why")
        sections.insert(1, of)
    if found.apart.height:
        body = _table("apart-table", "Runs that do not count", found.apart, first="instance_id")
        says = f"{plural(found.apart.height, 'run')} exist on one side only and do not count."
        sections.insert(2, Section("apart", "Apart", "", body, follows="never", finding=says))
    return with_places(page(title=f"{old} → {new}", sections=sections).encode(), [], None)


def _story(said: str, found: Changes, row: Mapping[str, Any] | None) -> Html:
    """The verdict, in bold, then the counts; what is lost leads to these instances.

    One that is lost is named.
    """
    verdict, stop, rest = said.partition(". ")
    if row is None:
        return tag("p", tag("b", verdict), stop, rest, attrs={"class": "story"})
    better, worse = ("better", "worse") if found.cost == Changes.cost else ("faster", "slower")
    net, words = row["gained"] - row["lost"], [". "]
    if row["gained"] or row["lost"] or better == "faster":
        words.append(f"{abs(net)} {'more' if net > 0 else 'fewer'} solved" if net else "As many solved")
    if row["lost"]:
        own = {name: row[name] for name in _SCOPE if name in row}
        lost = found.instances.with_row_index("at").filter(outcome="lost", **own)
        name = f": {lost['instance_id'][0]}" if row["lost"] == 1 else ""
        words += [" (", link(f"{row['lost']} lost", to="#instances", rows=lost["at"].to_list()), f"{name})"]
    words.append(f"{'; ' if words[1:] else ''}{row['faster']} {better}, {row['slower']} {worse}.")
    return tag("p", tag("b", verdict), *words, attrs={"class": "story"})


def _with_interval(summary: pl.DataFrame) -> pl.DataFrame:
    """The rows with the interval of the change as one text, as sentences have it."""
    ends = summary.select("change_low", "change_high").rows()
    texts = [None if None in pair else " to ".join(brief(end) for end in pair) for pair in ends]
    found = summary.drop(*_SAID, "change_low", "change_high")
    at = found.get_column_index("change") + 1
    return found.insert_column(at, pl.Series("95 % interval", texts, pl.String()))


_TITLES = {"times": "Times of both, instance by instance", "history": "The mean cost from each to the next"}


def _charts(found: Changes) -> dict[str, Chart]:
    steps = found.summary.select("before", "after").unique().height
    try:
        if steps > 1:
            return {"history": history(found.summary, found.cost)}
        return {"times": times_of_two(found.instances, found.cost)}
    except AslibError:  # of several scenarios, or of a quality
        return {}


def _table(name: str, caption: str, frame: pl.DataFrame, *, first: str = "", cost: str = "") -> Html:
    """A frame as a table, without columns that say the same in every row.

    cost: what a change is of.
    """
    stays = () if first else ("before", "after")
    names = [
        one
        for one in frame.columns
        if one not in _SCOPE or one in stays or one == first or frame[one].n_unique() > 1
        if frame[one].null_count() < frame.height
    ]
    if first:
        names.insert(0, names.pop(names.index(first)))
    if "verdict" in names:  # the answer beside who it is about
        names.remove("verdict")
        names.insert(sum(one in _SCOPE for one in names), "verdict")
    columns = [Header(one, _title(one, cost), _ABOUT.get(one, ""), words=one == "why") for one in names]
    return HtmlTable(name, caption, columns, frame.select(names).to_dicts()).html()


def _title(column: str, cost: str) -> str:
    """The title of a column; a change names its cost: change of PAR10 [s]."""
    of = f" of {cost.removeprefix('mean ')}" if column == "change" and cost else ""
    return f"{column.replace('_', ' ')}{of}"
