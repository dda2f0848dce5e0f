"""Every scenario by every selector, under the metric and protocol that one chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.rankings import Definitions, short
from aslib_eval.analysis.suite_results import ScenarioLine, SuiteResults
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, embed, glossed, join, tag
from aslib_eval.reports.sections.significance import verdict_of
from aslib_eval.text import brief, comparable, join_words, plural

_UNSURE = "but not significantly"
_FEW = "but so few scenarios prove nothing"
_DIGITS = 6  # of a score that is embedded: more than a cell shows


def matrix(suite: SuiteResults) -> Section | None:
    """A sentence, and the matrix of closed gaps as a map; None without any."""
    lines = [line for line in suite.lines if line.gaps]
    if not lines:
        return None
    names = sorted({s for e in lines for s in e.gaps}, key=suite.places.__getitem__)
    body = join(
        [
            tag("p", *_sentence(suite, lines), attrs={"class": "story"}),
            _choosers(lines),
            _table(suite, lines, names),
            embed("scores", _scores(lines, names)),
        ]
    )
    n = plural(len(suite.lines), "scenario")
    some = "" if len(lines) == len(suite.lines) else f", {len(lines)} with selectors"
    over = f"{n}{some} · protocol {suite.protocol}"
    return Section("matrix", "At a glance", over, body)


def _means(suite: SuiteResults, lines: list[ScenarioLine]) -> dict[str, float]:
    """Mean closed gap of the selectors that answer on most scenarios."""
    n = max(len([e for e in lines if s in e.gaps]) for s in suite.places)
    return {
        s: sum(e.gaps[s] for e in lines if s in e.gaps) / n
        for s in suite.places
        if sum(s in e.gaps for e in lines) == n
    }


def _sentence(suite: SuiteResults, lines: list[ScenarioLine]) -> list[Html]:
    """Who closes most of the gap in the mean over scenarios that all answer."""
    n = max(len([e for e in lines if s in e.gaps]) for s in suite.places)
    means = _means(suite, lines)
    order = sorted(means, key=lambda s: (-comparable(means[s]), s))
    most = comparable(means[order[0]])
    first = [s for s in order if comparable(means[s]) == most]
    others = order[len(first) : len(first) + 2]
    over = f"in the mean over {plural(n, 'scenario')}"
    if len(lines) == 1:
        over = f"on {lines[0].row['name']}"
    who, share = tag("b", join_words(first)), brief(abs(most))
    ahead = "\n"  # which is in bold
    one = len(first) == 1
    told, between = _tested(suite, *order[:2]) if len(lines) > 1 else ("", "")
    if most < 0:
        says = f"No selector is better than the best algorithm {over}: "
        lead = [says, who, " loses least, " if one else " each lose least, "]
        told = told.replace(_UNSURE, "no difference is significant")
        told = told.replace(_FEW, "so few scenarios can show no difference")
        ends = f"; {told}" if told else ""
    else:
        does = " closes " if one else " each close "
        if told:
            does = f" {'leads' if one else 'lead'}, {told}: "
            does += "it closes " if one else "each closes "
        lead, ends = [who, does], f" of the gap {over}"
    lead += [share, " of the gap" if most < 0 else ""]
    words = ""
    after: list[str] = []
    for s in others:
        sure = between if one and s == order[1] else ""
        by = brief(means[order[0]] - means[s])
        of = "" if after else " of it"
        after.append(f"{by}{of} ahead of {s} ({_share_of(means[s])}{sure})")
    if after:
        words = f", {join_words(after)}"
        ahead = after[0].partition(" (")[0]
    words = words + ends if most < 0 else ends + words
    if len(lines) == 1:
        words += "; how sure that is stands on its page."
    else:
        words += f". {_first_on(lines)}"
    before, bold, rest = words.partition(ahead)
    parts = [*lead, before, *([tag("b", bold)] if bold else []), rest]
    return [part if isinstance(part, Html) else glossed(part) for part in parts]


def _first_on(lines: list[ScenarioLine]) -> str:
    """Who is first on most scenarios; on how many nobody beats the best algorithm.

    Who ties there is counted with each of the first.
    """
    first = []
    for line in lines:
        best = max(map(comparable, line.gaps.values()))
        first.append({s for s, gap in line.gaps.items() if comparable(gap) == best})
    tied = Counter(s for names in first for s in names)
    alone = Counter(s for names in first for s in names if len(names) == 1)
    most = max(tied.values())
    leaders = sorted(s for s in tied if tied[s] == most)
    are = "is" if len(leaders) == 1 else "are each"
    how, alone_on = "first", ""
    if any(alone[s] < most for s in leaders):
        counts = [f"{s} on {alone[s]}" for s in leaders if alone[s]]
        how, alone_on = "first or tied", f", alone {join_words(counts) or 'on none'}"
    of = plural(len(lines), "scenario")
    below = sum(max(e.gaps.values()) <= 0 for e in lines)
    more = f"; on {below} nobody beats the best algorithm" if below else ""
    return f"{join_words(leaders)} {are} {how} on {most} of {of}{alone_on}{more}."


def _share_of(gap: float) -> str:
    """A closed gap in words: what is worse than SBS loses."""
    return f"{'loses ' if gap < 0 else ''}{brief(abs(gap))}"


def _too_few(found: Compared) -> bool:
    """Whether the test is never significant with so few scenarios, whatever they say.

    Its least two-sided p is 2 to the power of 1 - n, corrected for all others.
    """
    others = len(found.rows) - 1
    return bool(others * 2.0 ** (1 - found.rows[0]["n"]) > found.question.alpha)


def _tested(suite: SuiteResults, first: str, second: str = "") -> tuple[str, str]:
    """Whether the test over the scenarios tells the first one from others, in words.

    If not, also between what its lead over the second may be.
    """
    found = suite.tested
    if found is None or found.of(first).get("mark") != "o":
        return "", ""
    if _too_few(found):
        return _FEW, ""
    worse = [row["system"] for row in found.rows if row["mark"] == "-"]
    if worse:
        return f"significantly better than {join_words(worse)}", ""
    row = found.of(second)
    low, high = row.get("lower"), row.get("upper")
    if low is None or high is None:
        return _UNSURE, ""
    ends = f"{brief(low)} to {brief(high)}"
    return _UNSURE, f"; 95\N{NO-BREAK SPACE}% interval of the lead {ends}"


def _beside(suite: SuiteResults, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row of verdicts over scenarios, beside who is first; none without a test."""
    found = suite.tested
    rows = {r["system"]: r for r in found.rows} if found is not None else {}
    first = next((name for name, row in rows.items() if row["mark"] == "o"), None)
    if found is None or first is None or _too_few(found):
        return []
    words = {f"of {s}": verdict_of(rows[s]) for s in names if s in rows and s != first}
    return [{"name": f"beside {first}", **words, f"of {first}": "first"}]


def _defined(lines: list[ScenarioLine]) -> list[tuple[int, Definitions]]:
    """The lines whose selectors are ranked under all definitions, by number."""
    found = [(at, line.definitions) for at, line in enumerate(lines)]
    return [(at, d) for at, d in found if d is not None and d.kind == "selector"]


def _metrics(lines: list[ScenarioLine]) -> dict[str, Metric]:
    return {n: m for _, d in _defined(lines) for n, m in d.metrics.items()}


def _choosers(lines: list[ScenarioLine]) -> Html | None:
    metrics = _metrics(lines)
    if not metrics:
        return None
    protocols = dict.fromkeys(p for _, d in _defined(lines) for p in d.protocols)
    of_gap = [n for n, m in metrics.items() if m.label == "closed gap"]
    order = [*of_gap, *(n for n in metrics if n not in of_gap)]
    return tag(
        "p",
        _chooser("metric", "Metric", {n: metrics[n].label for n in order}),
        _chooser("protocol", "Protocol", {p: short(p) for p in protocols}),
        tag("span", attrs={"id": "matrix-says", "class": "count", "role": "status"}),
        attrs={"class": "pair"},
    )


def _chooser(name: str, title: str, options: dict[str, str]) -> Html:
    shown = (tag("option", t, attrs={"value": v}) for v, t in options.items())
    return tag("label", f"{title} ", tag("select", *shown, attrs={"id": name}))


def _table(suite: SuiteResults, lines: list[ScenarioLine], names: list[str]) -> Html:
    rows: list[dict[str, Any]] = []
    for line in lines:
        best = max(map(comparable, line.gaps.values()))
        ends = {s for s, gap in line.gaps.items() if comparable(gap) == best}
        shown = {f"of {name}": gap for name, gap in line.gaps.items()}
        bold = {f"of {name}" for name in ends} if len(line.gaps) > 1 else set()
        row = {k: line.row[k] for k in ("name", "_link", "_n")}
        rows.append({**row, **shown, "_best": bold})
    columns = [Header("name", "scenario"), *(Header(f"of {s}", s, f"closed gap of {s}") for s in names)]
    caption = "Closed gap of every selector, the best in bold, the more colour the better"
    means = {f"of {name}": mean for name, mean in _means(suite, lines).items()}
    table = HtmlTable(
        "matrix-table",
        caption,
        columns,
        rows,
        protocol=suite.protocol,
        even=True,
        foot=[{"name": "mean", **means, "_best": _first_of(means)}, *_beside(suite, names)]
        if len(lines) > 1
        else (),
    )
    return table.html()


def _first_of(means: dict[str, float]) -> set[str]:
    """The keys of the best mean; none where all are equal."""
    known = {key: comparable(mean) for key, mean in means.items()}
    best = max(known.values())
    first = {key for key, mean in known.items() if mean == best}
    return first if len(first) < len(known) else set()


def _scores(lines: list[ScenarioLine], names: list[str]) -> dict[str, Any]:
    """Metric → label and which end is better; protocol and metric → rows of scores.

    n: of a protocol, the instances of every row.
    """
    values: dict[str, dict[str, list[list[float | None]]]] = {}
    n: dict[str, list[int | None]] = {}
    for at, found in _defined(lines):
        for (protocol, metric, system), score in found.scores.items():
            if system not in names or metric not in found.metrics:
                continue
            of_metric = values.setdefault(protocol, {}).setdefault(
                metric, [[None] * len(names) for _ in lines]
            )
            of_metric[at][names.index(system)] = float(f"{score:.{_DIGITS}g}")
        for protocol in found.protocols:
            n.setdefault(protocol, [None] * len(lines))[at] = found.n.get(protocol)
    metrics = {
        name: {"label": m.label, "better": m.better, "about": m.meaning}
        for name, m in _metrics(lines).items()
    }
    return {"values": values, "metrics": metrics, "n": n}
