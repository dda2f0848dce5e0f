"""aslib-eval.toml: the tables and figures of a paper, and what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError, Finding
from aslib_eval.figures.altair import WIDTH
from aslib_eval.formats.settings import Keys, is_text, line_of, read_settings_file
from aslib_eval.papers.catalogue import figure_names
from aslib_eval.papers.entries import (
    CODE,
    Entry,
    Kind,
    Place,
    are_texts,
    as_list,
    check_entry,
    written_twice,
)

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
    """A manifest cannot be used as it is; ``findings`` holds all that is wrong."""

    def __init__(self, path: Path, findings: list[Finding]) -> None:
        self.findings = tuple(findings)
        n = len(findings)
        super().__init__(f"{n} error{'s' if n != 1 else ''}", str(path))

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


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


def read_manifest(
    path: Path, *, lake: Path | None = None, output: Path | None = None
) -> Manifest:
    """Read a manifest; its paths are relative to it.

    ``lake`` and ``output`` take the place of its own, which may not lead the files out
    of its folder: who writes a manifest does not choose where others' files are.
    Raises AslibError with everything that is wrong in it, and the lines.
    """
    content = _content(path)
    given, wrong = read_settings_file(content, file=str(path), code=CODE, keys=_TOP)
    wrong = [_with_hint(found, given) for found in wrong]
    right = {k: v for k, v in given.items() if k in _TOP and _TOP[k][0](v)}
    home = path.parent
    sql_dirs = tuple(home / text for text in right.get("sql", []))
    above: Entry = {k: right[k] for k in ("scenarios", "protocols") if k in right}
    entries = [
        (Place(content, str(path), kind, at), entry)
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
    items = tuple(
        _item(place.kind, {**above, **entry}, home) for place, entry in entries
    )
    own = lake or home / right.get("lake", "lake")
    return Manifest(path, own, into, sql_dirs, items)


def _leading_out(
    path: Path, output: Path, content: bytes, entries: Sequence[tuple[Place, Entry]]
) -> list[Finding]:
    """Files that would not lie below the manifest's folder, also through a link."""
    home = path.parent.resolve()
    hint = "Name a folder beside the manifest, or say -o DIR on the command line."
    if not output.resolve().is_relative_to(home):
        line = line_of(content, "output")
        what = f"output {str(output)!r} leads out of the manifest's folder"
        return [Finding(CODE, "error", str(path), line, what, hint)]
    return [
        Finding(
            *(CODE, "error", str(path), place.line("file")),
            *(f"file {entry['file']!r} leads out of the manifest's folder", hint),
        )
        for place, entry in entries
        if not (output / entry["file"]).parent.resolve().is_relative_to(home)
    ]


def _content(path: Path) -> bytes:
    hint = "Name the manifest, or go where it is."
    try:
        if path.exists() and not path.is_file():  # a device or a pipe may never end
            raise AslibError("is no file", str(path), hint)
        return path.read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, str(path), hint) from None


def _with_hint(found: Finding, given: Mapping[str, Any]) -> Finding:
    """With what to write where a text stands for a list."""
    key = found.message.partition(" ")[0]
    hint = as_list(key, given.get(key)) if key in _LISTS else ""
    return replace(found, hint=hint or _HELP)


def _wrong_entries(
    entries: Sequence[tuple[Place, Entry]], above: Entry, sql_dirs: Sequence[Path]
) -> list[Finding]:
    tables = set(find_tables(sql_dirs))
    known = {"table": tables, "macros": tables, "figure": figure_names()}
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
        protocols=tuple(
            str(home / name) if name.endswith(".toml") else name for name in protocols
        ),
        bare=entry.get("bare", False),
        solvers=tuple(entry.get("solvers", [])),
        width=float(entry.get("width", WIDTH)),
    )
