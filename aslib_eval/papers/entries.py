"""The entries of a manifest: what may stand in them, and where what is wrong stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from aslib_eval.errors import Finding
from aslib_eval.formats.settings import line_of
from aslib_eval.papers.catalogue import LIVE_CHARTS, SCENARIO_CHARTS, page_charts
from aslib_eval.tables.writing import PAPER

Kind = Literal["table", "figure", "macros"]
Entry = Mapping[str, Any]
Fault = tuple[str, str, str]  # key, what is wrong with it, what to do
CODE = "manifest"
_SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    "table": PAPER,
    "figure": ("svg", "pdf"),
    "macros": ("tex",),
}
_LISTS = ("scenarios", "protocols")
_KEYS: Mapping[Kind, tuple[str, ...]] = {
    "table": ("name", "file", *_LISTS, "bare"),
    "figure": ("name", "file", *_LISTS, "solvers", "width"),
    "macros": ("name", "file", *_LISTS),
}
_WIDTHS = (40, 400)  # mm
_HEADER = re.compile(rb"\s*\[\[\s*(\w+)\s*\]\]")


@dataclass(frozen=True)
class Place:
    """Where an entry stands: the ``at``-th of its kind, from 1, in a file."""

    content: bytes
    file: str
    kind: Kind
    at: int

    def line(self, key: str) -> int | None:
        """The line of a key of the entry; of its header where it has no such key."""
        lines = self.content.split(b"\n")
        heads = [
            (n, m[1]) for n, line in enumerate(lines) if (m := _HEADER.match(line))
        ]
        own = [n for n, kind in heads if kind == self.kind.encode()]
        if len(own) < self.at:
            return None  # written in another way
        start = own[self.at - 1]
        end = next((n for n, _ in heads if n > start), len(lines))
        found = line_of(b"\n".join(lines[start + 1 : end]), key)
        return start + 1 + (found or 0)


def check_entry(
    entry: Entry, above: Entry, *, place: Place, known: set[str]
) -> list[Finding]:
    """Everything wrong with an entry.

    above: what stands above all entries, for what it leaves out. known: the names that
    it may have.
    """
    faults = [*_keys(entry, place.kind), *_file(entry, place.kind)]
    faults += _name(entry, place.kind, known)
    if place.kind == "figure":
        faults += [*_width(entry), *_figure(entry, {**above, **entry})]
    return [
        Finding(
            *(CODE, "error", place.file, place.line(key)),
            *(f"{place.kind} {place.at}: {what}", hint),
        )
        for key, what, hint in faults
    ]


def are_texts(value: Any) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def as_list(key: str, value: Any) -> str:
    """What to write instead of a value that is no list."""
    return f'Write {key} = ["{value}"].' if isinstance(value, str) else ""


def _keys(entry: Entry, kind: Kind) -> Iterator[Fault]:
    for key, value in entry.items():
        if key not in _KEYS[kind]:
            yield key, f"unknown key {key!r}; there are {', '.join(_KEYS[kind])}", ""
        elif key in {*_LISTS, "solvers"} and not are_texts(value):
            yield key, f"{key} must be a list of texts", as_list(key, value)
        elif key == "bare" and not isinstance(value, bool):
            yield key, "bare must be true or false", ""


def _name(entry: Entry, kind: Kind, known: set[str]) -> Iterator[Fault]:
    name = entry.get("name", "")
    if not isinstance(name, str):
        yield "name", "name must be a text", ""
    elif kind == "figure" and name in LIVE_CHARTS:
        why = "the page alone has it, which draws it as its reader chooses"
        yield "name", f"name {name!r}: {why}; 'runtimes' shows those of selectors", ""
    elif name not in known:
        yield "name", f"name {name!r} is none of {', '.join(sorted(known))}", ""


def _file(entry: Entry, kind: Kind) -> Iterator[Fault]:
    """A file must lie in the output folder, and its name must tell its format."""
    file, suffixes = entry.get("file", ""), _SUFFIXES[kind]
    if not isinstance(file, str):
        yield "file", "file must be a text", ""
        return
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or "\\" in file or not path.name:
        yield "file", f"file {file!r} must lie in the output folder", ""
    elif path.suffix.removeprefix(".") not in suffixes:
        ends = ", .".join(suffixes)
        yield "file", f"file {file!r} must end with one of .{ends}", ""


def _width(entry: Entry) -> Iterator[Fault]:
    """Millimetres."""
    if "width" not in entry:
        return
    least, most = _WIDTHS
    if entry.get("name") not in page_charts():
        yield "width", "width is for the charts of the page", ""
    elif type(entry["width"]) not in {int, float} or not (
        least <= entry["width"] <= most
    ):
        what = f"width must be a number of millimetres from {least} to {most}"
        yield "width", what, ""


def _figure(entry: Entry, both: Entry) -> Iterator[Fault]:
    """A chart of a scenario's page needs one scenario; ``runtimes`` needs solvers."""
    name, scenarios = entry.get("name"), both.get("scenarios", [])
    if name == "runtimes" and not entry.get("solvers"):
        what = "'runtimes' shows selectors, and none is named"
        yield "solvers", what, 'Write solvers = ["NAME", …], up to 4.'
    if name in SCENARIO_CHARTS and are_texts(scenarios) and len(scenarios) != 1:
        what = f'{name!r} shows one scenario: write scenarios = ["NAME"]'
        yield "scenarios", what, ""
    if name in page_charts() and entry.get("solvers"):
        yield "solvers", f"solvers is for 'runtimes', {name!r} shows all", ""


def written_twice(entries: Sequence[tuple[Place, Entry]]) -> list[Finding]:
    """Files of which there are two."""
    taken: set[str] = set()
    found = []
    for place, entry in entries:
        file = entry.get("file")
        if isinstance(file, str) and file in taken:
            line = place.line("file")
            found.append(
                Finding(CODE, "error", place.file, line, f"{file} is written twice")
            )
        taken.add(str(file))
    return found
