"""What ``diff`` finds as one offline page: the verdict, its figure, the instances."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import polars as pl

from aslib_eval.errors import AslibError
from aslib_eval.extensions.changes.analysis.changes import Changes, told_rows
from aslib_eval.extensions.changes.figures import history, times_of_two
from aslib_eval.figures.chart import Chart
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
from aslib_eval.text import MINUS, brief, plural

# What is the same in every row of a table stands above it, or nowhere.
_SCOPE = ("scenario_id", "measure", "protocol", "family", "before", "after")
_SAID = ("cost_before", "cost_after", "p_solved", "p_time", "apart")  # in sentences
_BESIDE = ("solved_before", "solved_after", "n_runs")  # status and outcome say it
_ABOUT = {
    "n": "instances that both ran",
    "gained": "only the later one solves it",
    "lost": "only the earlier one solves it",
    "faster": "both solve it, the later one in less time, beyond the noise",
    "slower": "both solve it, the later one in more time, beyond the noise",
    "level": "both solve it, and no difference is beyond the noise",
    "neither": "none solves it",
    "change": "cost_after - cost_before",
    "95 % interval": "of the change, for any distribution within the bounds of PARk",
    "ratio": "value_after / value_before",
    "noise": "factor up to which two times are level",
}


def changes_page(found: Changes) -> bytes:
    """The whole file; the instances with the largest loss are the first.

    The figure is of two solvers with runtimes in one scenario, or of three or more in one scenario how the
    mean cost changes; else there is none.
    """
    old, new = found.summary["before"][0], found.summary["after"][-1]
    told = found.sentences[len(found.verdicts) :]
    level = " ".join(text for text in told if text.startswith("Level in "))
    charts = _charts(found)
    lost = found.instances.filter(outcome="lost")["instance_id"].to_list()
    glance = [
        *(_story(text, found.instances, row)
          for text, row in zip_longest(found.verdicts, told_rows(found.summary))),
        _table("changes", "What changed", _with_interval(found.summary),
               cost=found.cost),
        *(figure(name, _TITLES[name], f"{charts[name].about} {level}".strip())
          for name in charts),
    ]  # fmt: skip
    more = [text for text in told if not charts or not text.startswith("Level in ")]
    some = f": {', '.join(lost[:_NAMED])}" if lost else ""
    rest = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    n = plural(len(lost), "instance")
    sections = [
        Section("glance", "At a glance", "", join(glance), charts, follows="never"),
        Section(
            "instances",
            f"Instances ({found.instances.height})",
            "",
            _table("instances-table", "All that both ran, the largest loss first",
                   found.instances.drop(_BESIDE), first="instance_id"),
            follows="never",
            finding=f"{n} lost{some}{rest}.",
        ),
        Section(
            "how", "How sure", "", join([tag("p", text) for text in more]),
            follows="never", finding="What the verdict rests on.",
        ),
    ]  # fmt: skip
    if found.apart.height:
        body = _table("apart-table", "Runs that do not count", found.apart,
                      first="instance_id")  # fmt: skip
        says = f"{plural(found.apart.height, 'run')} of one side alone count nowhere."
        sections.insert(2, Section("apart", "Apart", "", body, follows="never", finding=says))
    whole = page(title=f"{old} → {new}", sections=sections)
    return with_places(whole.encode(), [], None)


_NAMED = 3  # instances in a sentence


def _story(said: str, instances: pl.DataFrame, row: Mapping[str, Any] | None) -> Html:
    """A verdict, in bold, and its numbers, none of which is torn from its sign.

    What is lost leads to these instances, and is named where it is one in all.
    """
    verdict, stop, rest = said.partition(". ")
    joined = re.sub(r" (%|=|<) ?", lambda sign: sign[0].replace(" ", "\xa0"), rest)
    signed = stop + re.sub(r"(?<![\w.])-(?=\d)", MINUS, joined)
    words: list[Html | str] = [signed]
    if row and row["lost"]:
        own = {name: row[name] for name in _SCOPE if name in row}
        lost = instances.with_row_index("at").filter(outcome="lost", **own)
        at, end = re.search(r"[1-9]\d* lost", signed).span()  # type: ignore[union-attr]
        p, semicolon, more = signed[end:].partition(";")
        name = f": {lost['instance_id'][0]}" if row["lost"] == 1 else ""
        rows = lost["at"].to_list()
        linked = link(signed[at:end], to="#instances", rows=rows)
        words = [signed[:at], linked, f"{p}{name}{semicolon}{more}"]
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
        if one not in _SCOPE or one in stays or frame[one].n_unique() > 1
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
    """Of a column; a change with what it is of: change of PAR10 [s]."""
    of = f" of {cost.removeprefix('mean ')}" if column == "change" and cost else ""
    return f"{column.replace('_', ' ')}{of}"
