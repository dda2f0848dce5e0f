"""HTML from values: everything that is not markup already is escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any, Literal

from aslib_eval._version import __version__
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.figures.chart import DARK, LIGHT, Chart
from aslib_eval.tables.to_text import in_script
from aslib_eval.text import aligned, brief, decimals, number, percent, short_names, telling

_VOID = frozenset({"input", "meta", "br"})


class Html(str):
    """Text that is markup; made by the functions of this module only."""

    __slots__ = ()


Content = Html | str | int | float | None
Attributes = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True)
class Section:
    """A part of a page: its anchor, title, what its numbers are over, and its body.

    charts: by name, for the figures that the body has places for. follows: how much of it the page computes
    anew for its reader's choices: all, a part, nothing, or that they are no matter here. finding: what it
    says in one sentence; a section with one is folded to it, below those without. group: what it answers;
    the page and its menu list the folded sections by it.
    """

    id: str
    title: str
    population: str
    body: Html
    charts: Mapping[str, Chart] = field(default_factory=dict)
    follows: Literal["all", "part", "nothing", "never"] = "nothing"
    finding: str = ""
    group: Literal["who", "why", "sure", "data"] = "data"


_GROUPS = {"who": "Who", "why": "Why", "sure": "How sure", "data": "Data"}


def tag(name: str, *content: Content, attrs: Attributes | None = None) -> Html:
    """An element; attributes that are None or False are left out, True stands bare."""
    words = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in (attrs or {}).items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{words}>")
    return Html(f"<{name}{words}>{join(content)}</{name}>")


def join(content: Sequence[Content]) -> Html:
    """One after the other, escaped unless they are markup; None is nothing."""
    return Html(
        "".join(
            part if isinstance(part, Html) else escape(str(part)) for part in content if part is not None
        )
    )


def link(text: str, *, to: str, title: str | None = None, rows: Sequence[int] | None = None) -> Html:
    """A link to a place of this report; title: what it says in full.

    rows: numbers of the rows of the table there that it counts, and leads to.
    """
    only = None if rows is None else ",".join(map(str, rows))
    return tag("a", text, attrs={"href": to, "data-rows": only, "title": title, "aria-label": title})


def embed(name: str, data: Any) -> Html:
    """Data for the page's JavaScript; no name in it can end the element.

    Numbers keep every digit; nan and infinity, which JSON has not, are null.
    """
    written = partial(
        json.dumps, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True
    )
    try:
        text = written(data)
    except ValueError:
        text = written(finite(data))
    return Html(f'<script type="application/json" id="{escape(name)}">{in_script(text)}</script>')


def finite(data: Any) -> Any:
    """The same data with None for what JSON has not: a mean that overflowed."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return data


Row = Mapping[str, Any]
# What the page computes anew → the metric that it is under the report's protocol.
LIVE = {"par": "cost", "solved": "solved", "gap": "closed_gap"}


@dataclass(frozen=True)
class Header:
    """The head of a column: where its values are, its title, and what they mean.

    live: what the page computes anew into it (``par``, ``solved`` or ``gap``).
    best: which end of it is set in bold. words: prose, which may wrap. places: its decimals; None: three
    digits of the middle number, more to tell who is best. unit: of what is computed anew, as it stands
    behind its title. bar: its cells are drawn.
    """

    key: str
    title: str
    about: str = ""
    live: Literal["par", "solved", "gap"] | None = None
    best: Literal["min", "max"] | None = None
    words: bool = False
    places: int | None = None
    unit: str = ""
    bar: Literal["gap", "status", "places"] | None = None

    @classmethod
    def of(cls, metric: Metric) -> Header:
        """The column of a metric, as its view declares it."""
        of = "relative to the solvers present" if metric.relative else "absolute"
        return cls(metric.name, metric.label, f"{metric.meaning} ({of})", best=metric.better)


def metric_columns(metrics: Iterable[Metric], rows: Sequence[Row]) -> list[Header]:
    """A column for each metric with a value in some row, but for those of LIVE.

    Not those that put solvers in the same order as another.
    """
    return [
        Header.of(m)
        for m in metrics
        if m.order_of is None and m.name not in LIVE.values()
        if any(row.get(m.name) is not None for row in rows)
    ]


# In what a column means: its values have the unit of the scenario's times.
IN_UNIT = " [scenario time unit]"


def in_unit(columns: Iterable[Header], unit: str) -> list[Header]:
    """The columns, those with IN_UNIT in their meaning with the unit in their title."""
    return [
        replace(c, title=c.title + unit, about=c.about.replace(IN_UNIT, unit)) if IN_UNIT in c.about else c
        for c in columns
    ]


@dataclass(frozen=True)
class HtmlTable:
    """A table: ``n`` and ``protocol`` are those of every number in it.

    even: all columns have as many decimals. foot: rows below all, which stay there.

    The first column names the row. A row may hold ``_solver`` (its number in the
    page's data) or ``_baseline`` (``sbs`` or ``vbs``, which follow the choices too), ``_choose`` (whether
    it can be left out of the portfolio), ``_n``
    and ``_protocol`` (if they differ), ``_link`` (where its name leads), ``_best`` (keys of cells in bold,
    besides those of a column) and ``_tips`` (by key: more
    about a cell).
    """

    id: str
    caption: str
    columns: Sequence[Header]
    rows: Sequence[Row]
    n: str = ""
    protocol: str = ""
    tools: Sequence[Html] = field(default=())
    even: bool = False
    foot: Sequence[Row] = ()

    def html(self) -> Html:
        """The table with a place for its tools, which the page's JavaScript fills."""
        places = {c.key: self._places(c) for c in self.columns}
        if self.even:
            values = [row.get(key) for row in self.rows for key in places]
            places = dict.fromkeys(places, decimals(values))
        best = {c.key: self._best(c, places[c.key]) for c in self.columns}
        table = tag(
            "table",
            tag("caption", self.caption),
            tag("thead", tag("tr", *map(_head, self.columns))),
            tag("tbody", *(_row(row, self.columns, best, places) for row in self.rows)),
            tag("tfoot", *(_row(row, self.columns, {}, places) for row in self.foot))
            if self.foot
            else None,
            attrs={
                "class": "data",
                "id": self.id,
                "data-n": self.n or None,
                "data-protocol": self.protocol or None,
            },
        )
        scroll: Attributes = {
            "class": "scroll",
            "tabindex": 0,
            "role": "region",
            "aria-label": self.caption,
        }
        # Its name is for who sees it, the caption for who hears it.
        name = tag("strong", self.caption, attrs={"aria-hidden": "true"})
        tools = tag("div", name, *self.tools, attrs={"class": "tools"})
        return tag("div", tools, tag("div", table, attrs=scroll), attrs={"class": "table"})

    def _places(self, column: Header) -> int | None:
        if column.places is not None:
            return column.places
        found = decimals(row.get(column.key) for row in self.rows)
        return telling(self._ranked(column), found, b) if (b := column.best) else found

    def _ranked(self, column: Header) -> list[Any]:
        values = [row.get(column.key) for row in self.rows if "_baseline" not in row and column.best]
        return [v for v in values if v is not None and v == v]  # noqa: PLR0124

    def _best(self, column: Header, places: int | None) -> str | None:
        known = self._ranked(column)
        if len({aligned(v, places) for v in known}) < 2:  # noqa: PLR2004
            return None  # alone, or all look alike: nobody stands out
        return aligned(min(known) if column.best == "min" else max(known), places)


def _head(column: Header) -> Html:
    attrs = {
        "scope": "col",
        "data-help": column.about or None,
        "data-k": column.live == "par",
        "data-unit": column.unit or None,
        "data-now": bool(column.live),
        "data-best": column.best if column.live else None,
        "data-bar": column.bar,
        "class": "words" if column.words else None,
    }
    return tag("th", column.title, attrs=attrs)


def _row(
    row: Row, columns: Sequence[Header], best: Mapping[str, str | None], places: Mapping[str, int | None]
) -> Html:
    keys = ("solver", "baseline", "n", "protocol")
    first, *others = columns
    cells = (_cell(row, c, best.get(c.key), places[c.key]) for c in others)
    attrs = {f"data-{key}": row.get(f"_{key}") for key in keys}
    return tag("tr", _name(row, row[first.key]), *cells, attrs=attrs)


def _name(row: Row, value: Any) -> Html:
    if isinstance(value, Html):
        return tag("th", value, attrs={"scope": "row"})
    text = number(value)
    name: Content = tag("a", text, attrs={"href": row["_link"]}) if "_link" in row else text
    if row.get("_choose"):
        box = {"type": "checkbox", "checked": True, "data-choose": row["_solver"]}
        name = tag("label", tag("input", attrs=box), " ", text)
    return tag("th", name, attrs={"scope": "row", "title": text, "data-v": _exact(value)})


def _exact(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return "" if value != value else repr(value + 0)  # noqa: PLR0124


def _cell(row: Row, column: Header, best: str | None, places: int | None) -> Html:
    value = row.get(column.key)
    shown = value if isinstance(value, Html) else aligned(value, places)
    # What looks like the best is bold too; VBS is no competitor.
    is_best = (shown == best and "_baseline" not in row) or column.key in row.get("_best", ())
    empty = value is None and bool(column.words or column.bar)
    classes = (
        "best" if is_best and value is not None else "",
        "words" if column.words else "",
        f"bar {column.bar}" if column.bar else "",
    )
    attrs = {
        "class": " ".join(filter(None, classes)) or None,
        "data-column": column.live,
        "data-tip": row.get("_tips", {}).get(column.key),
        "data-v": "" if value is None and not empty else _exact(value),
    }
    return tag("td", "" if empty else shown, attrs=attrs)


def figure(name: str, title: str, about: str = "") -> Html:
    """A place for a chart, which the page's JavaScript draws, with its two files."""
    buttons: list[Content] = []
    for kind in ("SVG", "CSV"):
        says = f"Save the chart {title} as {kind}"
        attrs = {"type": "button", "class": kind.lower(), "aria-label": says}
        buttons += [tag("button", kind, attrs=attrs), " "]
    told = tag("p", about, attrs={"class": "population"}) if about else None
    caption = tag("figcaption", tag("strong", title), tag("span", *buttons))
    canvas = tag("div", attrs={"class": "canvas"})
    return tag("figure", caption, canvas, told, attrs={"id": name, "class": "chart"})


@dataclass(frozen=True)
class Card:
    """A fact: what, its value, a small note below, and what it means and is over."""

    what: str
    value: Content
    small: Content = None
    about: str = ""


def cards(facts: Sequence[Card], *, population: str) -> Html:
    """A row of facts; each says its meaning and population under pointer and focus."""
    shown = []
    for fact in facts:
        about = fact.about or fact.what
        tip = " · ".join(filter(None, [about, population]))
        small = tag("span", fact.small, attrs={"class": "small"}) if fact.small else None
        value = fact.value if isinstance(fact.value, Html) else brief(fact.value)
        attrs: Attributes = {"tabindex": 0, "data-help": about, "data-tip": tip}
        shown.append(tag("div", tag("dt", fact.what), tag("dd", value, small, attrs=attrs)))
    return tag("dl", *shown, attrs={"class": "facts"})


def own_column(measure: str, *, maximize: bool) -> Header:
    """The mean of a quality measure, under its own name and in its own direction."""
    best: Any = "max" if maximize else "min"
    return Header("own", measure, f"mean {measure}", best=best)


def live(name: str, value: Any, *, share: bool = False) -> Html:
    """A number that the page computes anew when a choice changes; a share is shown in percent."""
    exact = "" if value is None else value
    shown = percent(value) if share else brief(value)
    return tag("span", shown, attrs={"data-live": name, "data-share": share, "data-exact": exact})


def details(summary: str, *content: Content) -> Html:
    """Something to unfold."""
    return tag("details", tag("summary", summary), *content)


# What the words of the field mean; the first of each in a paragraph says it.
GLOSSARY = {
    "SBS": "single best solver: the algorithm with the least mean cost over all instances",
    "VBS": "virtual best solver: the best algorithm of the portfolio on each instance",
    "VWS": "virtual worst solver: the worst algorithm on each instance",
    "PARk": "penalised average runtime: an unsolved run counts k times the cutoff; PAR10 is usual",
    "closed gap": "the share of the difference in mean cost between SBS (0) and VBS (1) that a selector "
    "closes; below 0 the selector is worse than SBS",
    "Borda": "on each instance a solver gets points for every other solver it beats",
    "delta": "\N{GREEK SMALL LETTER DELTA}: times that differ by at most \N{GREEK SMALL LETTER DELTA} "
    "count as equal",
    "cutoff": "time after which a run is stopped",
    "SGM": "shifted geometric mean of the times",
}
_TERM = re.compile(rf"\b(?:{'|'.join(GLOSSARY)}|PAR\d+)\b")


def glossed(text: str) -> Html:
    """Text in which the first of each word of GLOSSARY says what it means."""
    parts: list[Content] = []
    told, end = set(), 0
    for found in _TERM.finditer(text):
        term = found[0] if found[0] in GLOSSARY else "PARk"
        if term not in told:
            told.add(term)
            meaning = tag("dfn", found[0], attrs={"data-tip": f"{term}: {GLOSSARY[term]}"})
            parts += [text[end : found.start()], meaning]
            end = found.end()
    return join([*parts, text[end:]])


def paragraph(*content: Content) -> Html:
    """A paragraph; its plain text is ``glossed``."""
    return tag("p", *(glossed(part) if type(part) is str else part for part in content))


def glossary() -> Section:
    """All words of GLOSSARY."""
    rows = [part for word, about in GLOSSARY.items() for part in (tag("dt", word), tag("dd", about))]
    finding = "What SBS, VBS, PARk and the other terms of the field mean."
    body = tag("dl", *rows, attrs={"class": "words-of-field"})
    return Section("words", "Words", "", body, follows="never", finding=finding)


def both(*parts: Html) -> Html:
    """Parts side by side where there is room."""
    return tag("div", join(parts), attrs={"class": "two"})


# Sections → one HTML file that needs nothing else.


@dataclass(frozen=True)
class Own:
    """What one page has beside what all have: JavaScript, style, and more of a policy.

    policy: what stands there behind the script that it allows.
    """

    script: str = ""
    style: str = ""
    policy: str = ""


_ONLY_ALIKE = Own()

# Where the links to the other pages stand: they are put in when all pages are known.
PLACES = "<!--places--><!--/places-->"
_BEFORE = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
_AFTER = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


@dataclass(frozen=True)
class Place:
    """A page of the report as another page leads to it: its name and its address."""

    name: str
    address: str


def with_places(
    page: bytes, places: Sequence[Place], at: int | None, beside: Sequence[Place] = ()
) -> bytes:
    """The page with links to the other pages: all, the one before and the one after.

    at: which of the places it is; None: it is the index. beside: what else it links to.
    """
    begin, end = (f"<!--{name}-->".encode() for name in ("places", "/places"))
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return before + begin + _links(places, at, beside).encode() + end + after


def _links(places: Sequence[Place], at: int | None, beside: Sequence[Place]) -> Html:
    near: list[Html] = []
    if at is not None and len(places) > 1:
        near.append(link("All", to="../index.html", title="All scenarios"))
        for i, sign in ((at - 1, _BEFORE), (at + 1, _AFTER)):
            if 0 <= i < len(places):
                near.append(link(sign, to=places[i].address, title=places[i].name))
    near += (tag("a", p.name, attrs={"href": p.address, "class": "beside"}) for p in beside)
    known = (tag("option", attrs={"value": p.name, "data-to": p.address}) for p in places)
    listed = tag("datalist", *known, attrs={"id": "pages"})
    return tag("nav", *near, listed, attrs={"id": "places", "aria-label": "Pages"})


_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = (*("text", "chart", "figure", "table", "portfolio", "live", "instances", "families"), "page")


def page(
    *,
    title: str,
    sections: Sequence[Section],
    head: Html | None = None,
    data: Mapping[str, Any] | None = None,
    details: Mapping[str, Any] | None = None,
    controls: Html | None = None,
    full: bool = False,
    own: Own = _ONLY_ALIKE,
) -> str:
    """The whole file. Its policy forbids every request and all scripts but its own.

    head: what stands above the sections. details: data that are read when a reader
    asks for an instance. full: nothing is folded. own: what no other page has.
    """
    style, script = _style() + own.style, _script(own.script)
    charts = {name: c.spec() for s in sections for name, c in s.charts.items()}
    shown, folded = ([s for s in sections if bool(s.finding) is has] for has in (False, True))
    grouped = {g: [s for s in folded if s.group == g] for g in _GROUPS}
    over = Counter(s.population for s in sections).most_common(1)
    make = partial(_section, usual=over[0][0] if over else "", full=full)
    body = tag(
        "body",
        tag("a", "Skip to the content", attrs={"class": "skip", "href": "#content"}),
        _header(title, {"": shown, **grouped}, controls),
        tag(
            "main",
            head,
            *map(make, shown),
            tag("div", _by_group(grouped, make), attrs={"id": "more"}) if folded else None,
            attrs={"id": "content", "tabindex": -1},
        ),
        tag("footer", tag("p", f"aslib-eval {__version__}")),
        tag("div", attrs={"id": "tip", "role": "tooltip", "hidden": True}),
        tag("div", attrs={"id": "said", "class": "said", "aria-live": "polite"}),
        embed("charts", charts),
        embed("short", _short(charts, data)),
        embed("data", data) if data is not None else None,
        embed("details", details) if details else None,
        tag("script", Html(script)),
    )
    # Inline styles are those of the tip and of a saved chart; no data writes one.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'{own.policy}"
    )
    heads = tag(
        "head",
        tag("meta", attrs={"charset": "utf-8"}),
        tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": policy}),
        tag("meta", attrs={"name": "viewport", "content": "width=device-width,initial-scale=1"}),
        tag("title", title),
        tag("style", Html(style)),
    )
    whole = tag("html", heads, "\n", body, attrs={"lang": "en"})
    return f"<!doctype html>\n{whole}\n"


def redirection(title: str, to: str) -> str:
    """A file that leads to another one at once."""
    refresh = tag("meta", attrs={"http-equiv": "refresh", "content": f"0; url={to}"})
    head = tag("head", tag("meta", attrs={"charset": "utf-8"}), refresh, tag("title", title))
    body = tag("body", tag("p", link(title, to=to)))
    return f"<!doctype html>\n{tag('html', head, body, attrs={'lang': 'en'})}\n"


def _short(charts: Mapping[str, Mapping[str, Any]], data: Mapping[str, Any] | None) -> dict[str, str]:
    names = [solver["name"] for solver in data["solvers"]] if data else []
    for chart in charts.values():
        names += [m["name"] for m in chart["marks"] if m.get("name")]
        names += [n for axis in ("x", "y") for n in chart[axis].get("names", ())]
    short = short_names(names)
    return {name: text for name, text in short.items() if text != name}


def _section(section: Section, *, usual: str, full: bool) -> Html:
    """usual: population of most sections, which is told where it is not as usual."""
    heading, body = f"{section.id}-title", section.body
    title = tag("h2", section.title, attrs={"id": heading})
    told = "population usual" if section.population == usual else "population"
    over = tag("p", section.population, attrs={"class": told}) if section.population else None
    if full:  # what is text has no such element
        body = Html(body.replace("<details>", "<details open>"))
    parts: tuple[Content, ...] = (title, over, body)
    if said := section.finding:
        said = said if isinstance(said, Html) else glossed(said)
        summary = tag("summary", title, " ", tag("span", said, attrs={"class": "finding"}))
        parts = (tag("details", summary, over, body, attrs={"open": full}),)
    attrs: Attributes = {
        "id": section.id,
        "tabindex": -1,
        "aria-labelledby": heading,
        "data-follows": section.follows,
    }
    return tag("section", *parts, attrs=attrs)


def _by_group(grouped: Mapping[str, Sequence[Section]], make: Callable[[Section], Html]) -> Html:
    """What is made of each section, below the name of its group where there are several groups."""
    several = sum(map(bool, grouped.values())) > 1
    parts: list[Html] = []
    for group, some in grouped.items():
        name = _GROUPS.get(group) if several and some else None
        parts += [tag("p", name, attrs={"class": "group"}) if name else Html(), *map(make, some)]
    return join(parts)


def _header(title: str, sections: Mapping[str, Sequence[Section]], controls: Html | None) -> Html:
    """One row: the name, the section one is in, what can be changed, and Find."""
    links = _by_group(sections, lambda s: link(s.title, to=f"#{s.id}"))
    nav = tag("nav", links, attrs={"aria-label": "Sections"})
    first = next((s.title for some in sections.values() for s in some), "")
    find = {"type": "search", "id": "find", "list": "pages", "placeholder": "Find", "aria-label": "Find"}
    theme = {"type": "button", "id": "theme", "aria-pressed": "false"}
    bar = tag(
        "div",
        Html(PLACES),
        tag("h1", title, attrs={"title": title}),
        _drop("menu", first, nav),
        None if controls is None else _drop("recompute", "Recompute", controls),
        tag("input", attrs=find),
        tag(
            "button",
            "\N{CIRCLE WITH RIGHT HALF BLACK}",
            attrs={**theme, "title": "dark", "aria-label": "dark"},
        ),
        attrs={"class": "top"},
    )
    return tag("header", bar, tag("p", attrs={"id": "state", "role": "status", "hidden": True}))


def _drop(name: str, title: str, content: Html) -> Html:
    panel = tag("div", content, attrs={"class": "panel"})
    return tag("details", tag("summary", title), panel, attrs={"id": name, "class": "drop"})


@cache
def _style() -> str:
    """The palette as variables, and how the page looks; paper is always light."""
    light, dark = (
        " ".join([f"color-scheme: {scheme};", *(f"--{k}: {v};" for k, v in colors.items())])
        for scheme, colors in (("light", LIGHT), ("dark", DARK))
    )
    colors = (
        f":root {{ {light} }}\n"
        "@media screen and (prefers-color-scheme: dark) {\n"
        f':root:not([data-theme="light"]) {{ {dark} }}\n}}\n'
        f'@media screen {{ :root[data-theme="dark"] {{ {dark} }} }}\n'
    )
    return colors + (_ASSETS / "page.css").read_text(encoding="utf-8")


@cache
def _script(own: str = "") -> str:
    parts = ((_ASSETS / f"{n}.js").read_text(encoding="utf-8") for n in _SCRIPTS)
    return f"(() => {{\n{''.join(parts)}{own}}})();\n"


def controls(*, timed: bool, penalty: float, shown: Mapping[str, Html], families: bool) -> Html:
    """The choices that hold for the whole page, and what they make of the baselines.

    families: whether instances have families to choose from.
    """
    parts: list[Html] = []
    if timed:
        k: Attributes = {"type": "number", "id": "k", "min": 1, "step": "any", "value": penalty}
        parts = [
            tag("label", "penalty \N{MULTIPLICATION SIGN} ", tag("input", attrs=k)),
            tag("span", attrs={"id": "k-says", "role": "alert", "class": "warning"}),
            tag("label", tag("input", attrs={"type": "checkbox", "id": "drop"}), " hide unsolvable"),
        ]
    if families:
        parts.append(tag("label", "family ", tag("select", attrs={"id": "family"})))
    parts.append(tag("span", attrs={"id": "part-says", "class": "population"}))
    words = [tag("span", f"{name} ", tag("b", value)) for name, value in shown.items()]
    reset = tag("button", "reset", attrs={"type": "button", "id": "reset"})
    return tag("div", *parts, *words, reset, attrs={"class": "controls"})
