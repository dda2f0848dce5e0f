"""HTML from values: everything that is not markup already is escaped."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from aslib_eval.text import number as number  # noqa: PLC0414

_VOID = frozenset({"input", "meta", "br"})


class Html(str):
    """Text that is markup; made by the functions of this module only."""

    __slots__ = ()


Content = Html | str | int | float | None
Attributes = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True)
class Section:
    """A part of a page: its anchor, title, what its numbers are over, and its body."""

    id: str
    title: str
    population: str
    body: Html


def tag(name: str, *content: Content, attrs: Attributes | None = None) -> Html:
    """An element; attributes that are None or False are left out, True stands bare."""
    said = "".join(_attribute(k, v) for k, v in (attrs or {}).items())
    if name in _VOID:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{join(content)}</{name}>")


def _attribute(name: str, value: str | float | bool | None) -> str:  # noqa: FBT001
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def join(content: Sequence[Content]) -> Html:
    """One after the other, escaped unless they are markup; None is nothing."""
    return Html(
        "".join(
            part if isinstance(part, Html) else escape(str(part))
            for part in content
            if part is not None
        )
    )


def link(text: str, *, to: str) -> Html:
    """A link to a place of this report."""
    return tag("a", text, attrs={"href": to})


def embed(name: str, data: Any) -> Html:
    """Data for the page's JavaScript; no name in it can end the element.

    Numbers keep every digit. Raises ValueError for NaN and infinity: JSON has none.
    """
    text = json.dumps(
        data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True
    )
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Html(f'<script type="application/json" id="{escape(name)}">{text}</script>')


def finite(data: Any) -> Any:
    """The same data with None for what JSON has not: a mean that overflowed."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return data
