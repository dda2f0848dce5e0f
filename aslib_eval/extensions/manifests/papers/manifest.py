"""aslib-eval.toml: the tables and figures of a paper, and what they are made of.

Every fault of a manifest becomes a finding with the line where it stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.figures.catalogue import FIGURES, LIVE_CHARTS, figures_of
from aslib_eval.figures.chart import WIDTHS
from aslib_eval.figures.write import COLUMN
from aslib_eval.formats.sources import Keys, is_text, line_of, read_settings_file
from aslib_eval.paths import read_plain
from aslib_eval.tables.formats import PAPER
from aslib_eval.text import join_words, plural

Kind = Literal["table", "figure", "macros"]
Entry = Mapping[str, Any]
Fault = tuple[str, str, str]  # key, what is wrong with it, what to do
CODE = "manifest"
_SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    "table": tuple(PAPER),
    "figure": ("svg", "pdf"),
    "macros": ("tex",),
}
_CHOSEN = ("scenarios", "protocols")
_KEYS: Mapping[Kind, tuple[str, ...]] = {
    "table": ("name", "file", *_CHOSEN, "bare"),
    "figure": ("name", "file", *_CHOSEN, "solvers", "width"),
    "macros": ("name", "file", *_CHOSEN),
}
_HEADER = re.compile(rb"\s*\[\[\s*(\w+)\s*\]\]")


@dataclass(frozen=True)
class EntryPlace:
    """Where an entry stands: the ``at``-th of its kind, from 1, in a file."""

    content: bytes
    file: str
    kind: Kind
    at: int

    def line(self, key: str) -> int | None:
        """The line of a key of the entry; of its header where it has no such key."""
        lines = self.content.split(b"\n")
        heads = [(n, m[1]) for n, line in enumerate(lines) if (m := _HEADER.match(line))]
        own = [n for n, kind in heads if kind == self.kind.encode()]
        if len(own) < self.at:
            return None  # written in another way
        start = own[self.at - 1]
        end = next((n for n, _ in heads if n > start), len(lines))
        found = line_of(b"\n".join(lines[start + 1 : end]), key)
        return start + 1 + (found or 0)


def check_entry(entry: Entry, above: Entry, *, place: EntryPlace, known: set[str]) -> list[Finding]:
    """Everything wrong with an entry.

    above: what stands above all entries, for what it leaves out. known: the names that it may have.
    """
    faults = [*_keys(entry, place.kind), *_file(entry, place.kind)]
    faults += _name(entry, place.kind, known)
    if place.kind == "figure":
        faults += [*_width(entry), *_figure(entry, {**above, **entry})]
    return [
        Finding(*(CODE, "error", place.file, place.line(key)), *(f"{place.kind} {place.at}: {what}", hint))
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
        elif key in {*_CHOSEN, "solvers"} and not are_texts(value):
            yield key, f"{key} must be a list of texts", as_list(key, value)
        elif key == "bare" and not isinstance(value, bool):
            yield key, "bare must be true or false", ""


def _name(entry: Entry, kind: Kind, known: set[str]) -> Iterator[Fault]:
    name = entry.get("name", "")
    if not isinstance(name, str):
        yield "name", "name must be a text", ""
    elif kind == "figure" and name in LIVE_CHARTS:
        why = "the page alone has it, which draws it as its reader chooses"
        yield "name", f"name {name!r}: {why}", "'cactus' shows runtimes in a paper."
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
    least, most = WIDTHS
    if type(entry["width"]) not in {int, float} or not (least <= entry["width"] <= most):
        what = f"width must be a number of millimetres from {least} to {most}"
        yield "width", what, ""


def _figure(entry: Entry, both: Entry) -> Iterator[Fault]:
    """A chart of a scenario's page needs one scenario; few let one choose solvers.

    Where no scenario is named, the lake may hold a single one.
    """
    name, scenarios = entry.get("name"), both.get("scenarios", [])
    if name in figures_of("scenario") and are_texts(scenarios) and len(scenarios) > 1:
        what = f'{name!r} shows one scenario: write scenarios = ["NAME"]'
        yield "scenarios", what, ""
    figure = FIGURES.get(str(name))
    if figure and not figure.chosen and entry.get("solvers"):
        some = join_words([repr(n) for n, one in FIGURES.usable().items() if one.chosen])
        yield "solvers", f"solvers is for {some}; {name!r} shows all", ""


def written_twice(entries: Sequence[tuple[EntryPlace, Entry]]) -> list[Finding]:
    """Files of which there are two."""
    taken: set[str] = set()
    found = []
    for place, entry in entries:
        file = entry.get("file")
        if isinstance(file, str) and file in taken:
            line = place.line("file")
            found.append(Finding(CODE, "error", place.file, line, f"{file} is written twice"))
        taken.add(str(file))
    return found


NAME = "aslib-eval.toml"


def _are_entries(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


_HELP = "See 'aslib-eval paper build --help'."
_LISTS = ("scenarios", "protocols", "sql")
_KINDS: tuple[Kind, ...] = get_args(Kind)
_TOP: Keys = {
    **dict.fromkeys(("lake", "output"), (is_text, "a text")),
    **dict.fromkeys(_LISTS, (are_texts, "a list of texts")),
    **{kind: (_are_entries, f"written as [[{kind}]]") for kind in _KINDS},
}


class ManifestError(AslibError):
    """A manifest cannot be used as it is; ``findings`` holds all that is wrong.

    written: the files that were written all the same.
    """

    def __init__(self, path: Path, findings: Sequence[Finding], *, written: Sequence[Path] = ()) -> None:
        self.findings, self.written = tuple(findings), tuple(written)
        n = len(findings)
        super().__init__(plural(n, "error"), str(path))

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


@dataclass(frozen=True)
class Item:
    """One file of a paper: a table, a figure, or the macros of a table.

    width: of a figure, in millimetres.
    """

    kind: Kind
    name: str
    file: str
    scenarios: tuple[str, ...]
    protocols: tuple[str, ...]
    bare: bool = False
    solvers: tuple[str, ...] = ()
    width: float = COLUMN

    @property
    def suffix(self) -> str:
        """What the file is written as."""
        return PurePosixPath(self.file).suffix.removeprefix(".")


@dataclass(frozen=True)
class Manifest:
    """A paper: where the lake is, where the files go, and which there are.

    is_own: whether it says itself where the files go, and no user does.
    """

    path: Path
    lake: Path
    output: Path
    sql_dirs: tuple[Path, ...]
    items: tuple[Item, ...]
    is_own: bool = True

    @property
    def record(self) -> Path:
        """The file that tells what was built."""
        return self.path.with_suffix(".lock.json")


def read_manifest(path: Path, *, lake: Path | None = None, output: Path | None = None) -> Manifest:
    """Read a manifest; its paths are relative to it.

    ``lake`` and ``output`` take the place of its own, which may not lead the files out of its folder: who
    writes a manifest does not choose where others' files are.

    """
    content = _content(path)
    given, wrong = read_settings_file(content, file=str(path), code=CODE, keys=_TOP)
    wrong = [_with_hint(found, given) for found in wrong]
    right = {k: v for k, v in given.items() if k in _TOP and _TOP[k][0](v)}
    home = path.parent
    sql_dirs = tuple(home / text for text in right.get("sql", []))
    above: Entry = {k: right[k] for k in ("scenarios", "protocols") if k in right}
    entries = [
        (EntryPlace(content, str(path), kind, at), entry)
        for kind in _KINDS
        for at, entry in enumerate(right.get(kind, []), 1)
    ]
    wrong += _wrong_entries(entries, above, sql_dirs)
    into = output or home / right.get("output", ".")
    if output is None and not wrong:
        wrong += _leading_out(path, into, content, entries)
    if not entries and not wrong:
        what = "there is no [[table]], [[figure]] or [[macros]]"
        wrong.append(Finding(CODE, "error", str(path), None, what, _HELP))
    if wrong:
        raise ManifestError(path, sorted(wrong, key=lambda found: found.line or 0))
    items = tuple(_item(place.kind, {**above, **entry}, home) for place, entry in entries)
    own = lake or home / right.get("lake", "lake")
    return Manifest(path, own, into, sql_dirs, items, is_own=output is None)


def _leading_out(
    path: Path, output: Path, content: bytes, entries: Sequence[tuple[EntryPlace, Entry]]
) -> list[Finding]:
    """What would be written out of the manifest's folder, or through a link in it."""
    line, shown = line_of(content, "output"), f"output {str(output)!r}"
    if why := _way_out(path.parent, output):
        return [Finding(CODE, "error", str(path), line, f"{shown} {why}", _ELSEWHERE)]
    found = [(place, entry["file"]) for place, entry in entries]
    reasons = [(*each, _way_out(path.parent, output / each[1])) for each in found]
    return [
        Finding(*(CODE, "error", str(path), place.line("file")), *(f"file {file!r} {why}", _ELSEWHERE))
        for place, file, why in reasons
        if why
    ]


_ELSEWHERE = "Name a folder beside the manifest, or say -o DIR on the command line."


def _way_out(home: Path, to: Path) -> str:
    """Why a path leads out of a folder, or may; empty if it does not."""
    inside = Path(os.path.relpath(to, home))
    if inside.parts[:1] == ("..",):
        return "leads out of the manifest's folder"
    places = (home.joinpath(*inside.parts[: n + 1]) for n in range(len(inside.parts)))
    link = next((place for place in places if place.is_symlink()), None)
    return f"leads through {str(link)!r}, a symbolic link" if link else ""


def _content(path: Path) -> bytes:
    hint = "Name the manifest, or go where it is."
    with os_errors(path, hint):
        return read_plain(path)


def _with_hint(found: Finding, given: Mapping[str, Any]) -> Finding:
    """With what to write where a text stands for a list."""
    key = found.message.partition(" ")[0]
    hint = as_list(key, given.get(key)) if key in _LISTS else ""
    return replace(found, hint=hint or _HELP)


def _wrong_entries(
    entries: Sequence[tuple[EntryPlace, Entry]], above: Entry, sql_dirs: Sequence[Path]
) -> list[Finding]:
    tables = set(find_tables(sql_dirs))
    known = {"table": tables, "macros": tables, "figure": set(FIGURES)}
    found = [
        finding
        for place, entry in entries
        for finding in check_entry(entry, above, place=place, known=known[place.kind])
    ]
    return found + written_twice(entries)


def _item(kind: Kind, entry: Entry, home: Path) -> Item:
    """One entry that is right; protocol files are found from where the manifest is."""
    protocols = entry.get("protocols") or ["default"]
    return Item(
        kind=kind,
        name=entry["name"],
        file=entry["file"],
        scenarios=tuple(entry.get("scenarios", [])),
        protocols=tuple(str(home / name) if name.endswith(".toml") else name for name in protocols),
        bare=entry.get("bare", False),
        solvers=tuple(entry.get("solvers", [])),
        width=float(entry.get("width", COLUMN)),
    )
