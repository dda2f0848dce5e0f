"""aslib-eval.toml: the tables and figures of a paper, and what they are made of."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from aslib_eval.charts.page_chart import WIDTH
from aslib_eval.errors import AslibError
from aslib_eval.papers.catalogue import (
    LIVE_CHARTS,
    SCENARIO_CHARTS,
    figure_names,
    page_charts,
)
from aslib_eval.sqlfiles import find_tables
from aslib_eval.tables.writing import PAPER

NAME = "aslib-eval.toml"
Kind = Literal["table", "figure", "macros"]
_TOP = {"lake", "output", "scenarios", "protocols", "sql", "table", "figure", "macros"}
_SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    "table": PAPER,
    "figure": ("svg", "pdf"),
    "macros": ("tex",),
}
_KEYS = {"name", "file", "scenarios", "protocols"}
_OWN: Mapping[Kind, set[str]] = {
    "table": {"bare"},
    "figure": {"solvers", "width"},
    "macros": set(),
}
_WIDTHS = (40, 400)  # mm


@dataclass(frozen=True)
class Item:
    """One file of a paper: a table, a figure, or the macros of a table.

    width: of a chart of the page, in millimetres.
    """

    kind: Kind
    name: str
    file: str
    scenarios: tuple[str, ...]
    protocols: tuple[str, ...]
    bare: bool = False
    solvers: tuple[str, ...] = ()
    width: float = WIDTH

    @property
    def suffix(self) -> str:
        """What the file is written as."""
        return PurePosixPath(self.file).suffix.removeprefix(".")


@dataclass(frozen=True)
class Manifest:
    """A paper: where the lake is, where the files go, and which there are."""

    path: Path
    lake: Path
    output: Path
    sql_dirs: tuple[Path, ...]
    items: tuple[Item, ...]

    @property
    def record(self) -> Path:
        """The file that tells what was built."""
        return self.path.with_suffix(".lock.json")


def read_manifest(path: Path, *, lake: Path | None = None) -> Manifest:
    """Read a manifest; its paths are relative to it. ``lake`` takes its own's place.

    Raises AslibError with everything that is wrong in it.
    """
    given = _parse(path)
    wrong = [f"unknown key {key!r}" for key in sorted(set(given) - _TOP)]
    home = path.parent
    sql_dirs = tuple(home / text for text in _texts(given, "sql", wrong))
    known = {"table": set(find_tables(sql_dirs)), "figure": figure_names()}
    known["macros"] = known["table"]
    items = [
        _at_home(_item(kind, entry, f"{kind} {at}", given, known[kind], wrong), home)
        for kind in _SUFFIXES
        for at, entry in enumerate(_entries(given, kind, wrong), 1)
    ]
    files = [item.file for item in items]
    wrong += [f"{f} is written twice" for f in sorted({*files}) if files.count(f) > 1]
    if not items:
        wrong.append("there is no [[table]], [[figure]] or [[macros]]")
    if wrong:
        raise AslibError(
            "; ".join(wrong), str(path), "See 'aslib-eval paper build --help'."
        )
    own = lake or home / _text(given, "lake", "lake", wrong)
    output = home / _text(given, "output", ".", wrong)
    return Manifest(path, own, output, sql_dirs, tuple(items))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        hint = "Name the manifest, or go where it is."
        raise AslibError(what, str(path), hint) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AslibError(f"is not TOML: {error}", str(path)) from None


def _entries(given: Mapping[str, Any], kind: Kind, wrong: list[str]) -> list[Any]:
    found = given.get(kind, [])
    if isinstance(found, list) and all(isinstance(entry, dict) for entry in found):
        return found
    wrong.append(f"write [[{kind}]], not [{kind}]")
    return []


def _item(
    kind: Kind,
    entry: Mapping[str, Any],
    where: str,
    given: Mapping[str, Any],
    known: set[str],
    wrong: list[str],
) -> Item:
    """One entry; what it leaves out is as above all entries."""
    mine: list[str] = []
    allowed = _KEYS | _OWN[kind]
    mine += [f"unknown key {key!r}" for key in sorted(set(entry) - allowed)]
    name, file = _text(entry, "name", "", mine), _text(entry, "file", "", mine)
    mine += _bad_name(kind, name, known)
    mine += _bad_file(file, _SUFFIXES[kind])
    both = {**given, **entry}
    bare = entry.get("bare", False)
    if not isinstance(bare, bool):
        mine.append("bare must be true or false")
    item = Item(
        kind=kind,
        name=name,
        file=file,
        scenarios=_texts(both, "scenarios", mine),
        protocols=_texts(both, "protocols", mine) or ("default",),
        bare=bool(bare),
        solvers=_texts(entry, "solvers", mine),
        width=_width(entry, mine),
    )
    mine += _bad_figure(item, entry) if kind == "figure" else []
    wrong += [f"{where}: {what}" for what in mine]
    return item


def _bad_name(kind: Kind, name: str, known: set[str]) -> list[str]:
    if name in known:
        return []
    if kind == "figure" and name in LIVE_CHARTS:
        why = "the page alone has it, which draws it as its reader chooses"
        return [f"name {name!r}: {why}; 'runtimes' shows those of selectors"]
    return [f"name {name!r} is none of {', '.join(sorted(known))}"]


def _bad_figure(item: Item, entry: Mapping[str, Any]) -> list[str]:
    """A chart of a scenario's page needs one scenario, and draws all its solvers."""
    if item.name not in page_charts():
        return ["width is for the charts of the page"] if "width" in entry else []
    found = []
    if item.name in SCENARIO_CHARTS and len(item.scenarios) != 1:
        found.append(f'{item.name!r} shows one scenario: write scenarios = ["NAME"]')
    if item.solvers:
        found.append(f"solvers is for 'runtimes', {item.name!r} shows all")
    return found


def _width(entry: Mapping[str, Any], wrong: list[str]) -> float:
    """Millimetres."""
    found = entry.get("width", WIDTH)
    least, most = _WIDTHS
    if type(found) in {int, float} and least <= found <= most:
        return float(found)
    wrong.append(f"width must be a number of millimetres from {least} to {most}")
    return WIDTH


def _at_home(item: Item, home: Path) -> Item:
    """With protocol files found from where the manifest is."""
    names = (str(home / n) if n.endswith(".toml") else n for n in item.protocols)
    return replace(item, protocols=tuple(names))


def _bad_file(file: str, suffixes: Sequence[str]) -> list[str]:
    """A file must lie in the output folder, and its name must tell its format."""
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or "\\" in file or not path.name:
        return [f"file {file!r} must lie in the output folder"]
    if path.suffix.removeprefix(".") not in suffixes:
        return [f"file {file!r} must end with one of .{', .'.join(suffixes)}"]
    return []


def _text(given: Mapping[str, Any], key: str, default: str, wrong: list[str]) -> str:
    found = given.get(key, default)
    if isinstance(found, str):
        return found
    wrong.append(f"{key} must be a text")
    return default


def _texts(given: Mapping[str, Any], key: str, wrong: list[str]) -> tuple[str, ...]:
    found = given.get(key, [])
    found = [found] if isinstance(found, str) else found
    if isinstance(found, list) and all(isinstance(text, str) for text in found):
        return tuple(found)
    wrong.append(f"{key} must be a list of texts")
    return ()
