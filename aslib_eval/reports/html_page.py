"""Sections → one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from aslib_eval._version import __version__
from aslib_eval.reports.html import Attributes, Html, Section, embed, finite, link, tag

_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("text", "chart", "figure", "table", "portfolio", "live", "page")


def page(
    *,
    title: str,
    head: Html,
    sections: Sequence[Section],
    data: Mapping[str, Any] | None = None,
    controls: Html | None = None,
) -> str:
    """The whole file. Its policy forbids every request and all scripts but its own."""
    style, script = _style(), _script()
    charts = {name: c.spec() for s in sections for name, c in s.charts.items()}
    body = tag(
        "body",
        tag("a", "Skip to the content", attrs={"class": "skip", "href": "#content"}),
        tag("header", tag("div", head), tag("div", _theme())),
        _navigation(sections, controls),
        tag("main", *map(_section, sections), attrs={"id": "content", "tabindex": -1}),
        tag("footer", tag("p", f"aslib-eval {__version__}")),
        tag("div", attrs={"id": "tip", "role": "tooltip", "hidden": True}),
        tag("div", attrs={"id": "said", "class": "said", "aria-live": "polite"}),
        embed("charts", finite(charts)),
        embed("data", finite(data)) if data is not None else None,
        tag("script", Html(script)),
    )
    whole = tag("html", _head(title, style, script), "\n", body, attrs={"lang": "en"})
    return f"<!doctype html>\n{whole}\n"


def _head(title: str, style: str, script: str) -> Html:
    # Inline styles are those of the tip and of a saved chart; no data writes one.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
        f"form-action 'none'; script-src '{_hash(script)}'"
    )
    view = "width=device-width,initial-scale=1"
    return tag(
        "head",
        tag("meta", attrs={"charset": "utf-8"}),
        tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": policy}),
        tag("meta", attrs={"name": "viewport", "content": view}),
        tag("title", title),
        tag("style", Html(style)),
    )


def _section(section: Section) -> Html:
    heading = f"{section.id}-title"
    population = section.population
    return tag(
        "section",
        tag("h2", section.title, attrs={"id": heading}),
        tag("p", population, attrs={"class": "population"}) if population else None,
        section.body,
        attrs={"id": section.id, "tabindex": -1, "aria-labelledby": heading},
    )


def _navigation(sections: Sequence[Section], controls: Html | None) -> Html:
    links = (tag("li", link(s.title, to=f"#{s.id}")) for s in sections)
    inner = tag("div", tag("ul", *links), controls)
    return tag("nav", inner, attrs={"aria-label": "Sections"})


def _theme() -> Html:
    attrs = {"type": "button", "id": "theme", "aria-pressed": "false"}
    return tag("button", "dark", attrs=attrs)


@cache
def _style() -> str:
    return (_ASSETS / "page.css").read_text(encoding="utf-8")


@cache
def _script() -> str:
    parts = [(_ASSETS / f"{n}.js").read_text(encoding="utf-8") for n in _SCRIPTS]
    return f"(() => {{\n{''.join(parts)}}})();\n"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def controls(*, timed: bool, penalty: float, shown: Mapping[str, Html]) -> Html:
    """The choices that hold for the whole page, and what they make of the baselines."""
    parts: list[Html] = []
    if timed:
        k: Attributes = {
            "type": "number",
            "id": "k",
            "min": 1,
            "step": "any",
            "value": penalty,
        }
        drop: Attributes = {"type": "checkbox", "id": "drop"}
        parts = [
            tag("label", "k ", tag("input", attrs=k)),
            tag("label", tag("input", attrs=drop), " hide unsolvable"),
        ]
    words = [tag("span", f"{name} ", tag("b", value)) for name, value in shown.items()]
    reset = tag("button", "reset", attrs={"type": "button", "id": "reset"})
    return tag("div", *parts, *words, reset, attrs={"class": "controls"})
