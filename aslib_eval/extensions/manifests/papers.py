"""Tables and figures of a paper: a manifest names them, ``build`` makes and ``check`` compares them.

The manifest is ``aslib-eval.toml``. Every fault in it is a finding with its line.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

import polars as pl

from aslib_eval.analysis import scored
from aslib_eval.analysis.results import LakeResults
from aslib_eval.atomic_files import mend, replace_file, replace_files, require_file, require_folder
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.sqlfiles import SqlFile, find_tables
from aslib_eval.errors import (
    AslibError,
    Finding,
    is_interrupt,
    os_errors,
    require_extra,
    sentence,
    unexpected,
)
from aslib_eval.figures.catalogue import FIGURES, LIVE_CHARTS, figure, figures_of
from aslib_eval.figures.chart import COLUMN, Spec, as_bytes
from aslib_eval.formats.sources import Keys, is_text, line_of, read_settings_file
from aslib_eval.options import WIDTHS
from aslib_eval.paths import Folder, read_plain, read_text
from aslib_eval.progress import tracked
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.tables import PAPER, render
from aslib_eval.tables.paper_table import Cell, PaperTable, paper_table
from aslib_eval.tables.to_text import macros
from aslib_eval.text import NONE, join_words, plural

Kind = Literal["table", "figure", "macros"]
Entry = Mapping[str, Any]
Fault = tuple[str, str, str]  # key, message, hint
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
    """The place of an entry: the ``at``-th of its kind, from 1, in a file."""

    content: bytes
    file: str
    kind: Kind
    at: int

    def line(self, key: str) -> int | None:
        """The line of a key of the entry, else of its header; None if unknown."""
        lines = self.content.split(b"\n")
        heads = [(n, m[1]) for n, line in enumerate(lines) if (m := _HEADER.match(line))]
        own = [n for n, kind in heads if kind == self.kind.encode()]
        if len(own) < self.at:
            return None  # written in another way
        start = own[self.at - 1]
        end = next((n for n, _ in heads if n > start), len(lines))
        return start + 1 + (line_of(b"\n".join(lines[start + 1 : end]), key) or 0)


def check_entry(entry: Entry, above: Entry, *, place: EntryPlace, known: set[str]) -> list[Finding]:
    """All faults of an entry; above: defaults from the top of the file; known: possible names."""
    faults = [*_keys(entry, place.kind), *_file(entry, place.kind)]
    faults += _name(entry, place.kind, known)
    if place.kind == "figure":
        faults += [*_width(entry), *_figure_faults(entry, {**above, **entry})]
    return [
        Finding(*(CODE, "error", place.file, place.line(key)), *(f"{place.kind} {place.at}: {what}", hint))
        for key, what, hint in faults
    ]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _as_list(key: str, value: Any) -> str:
    return f'Write {key} = ["{value}"].' if isinstance(value, str) else ""


def _keys(entry: Entry, kind: Kind) -> Iterator[Fault]:
    for key, value in entry.items():
        if key not in _KEYS[kind]:
            yield key, f"unknown key {key!r}; keys are {', '.join(_KEYS[kind])}", ""
        elif key in {*_CHOSEN, "solvers"} and not _are_texts(value):
            yield key, f"{key} must be a list of texts", _as_list(key, value)
        elif key == "bare" and not isinstance(value, bool):
            yield key, "bare must be true or false", ""


def _name(entry: Entry, kind: Kind, known: set[str]) -> Iterator[Fault]:
    name = entry.get("name", "")
    if not isinstance(name, str):
        yield "name", "name must be a text", ""
    elif kind == "figure" and name in LIVE_CHARTS:
        why = "only the page can draw it, by its reader's choices"
        yield "name", f"name {name!r}: {why}", "'cactus' shows runtimes in a paper."
    elif name not in known:
        yield "name", f"name {name!r} is unknown; there are {', '.join(sorted(known))}", ""


def _file(entry: Entry, kind: Kind) -> Iterator[Fault]:
    """A file must lie in the output folder, and its suffix must be of a known format."""
    file, suffixes = entry.get("file", ""), _SUFFIXES[kind]
    if not isinstance(file, str):
        yield "file", "file must be a text", ""
        return
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or "\\" in file or not path.name:
        yield "file", f"file {file!r} must lie in the output folder" if file else "file is missing", ""
    elif path.suffix.removeprefix(".") not in suffixes:
        yield "file", f"file {file!r} must end with one of .{', .'.join(suffixes)}", ""


def _width(entry: Entry) -> Iterator[Fault]:
    width, (least, most) = entry.get("width", COLUMN), WIDTHS
    if type(width) not in {int, float} or not (least <= width <= most):
        yield "width", f"width must be a number of millimetres from {least} to {most}", ""


def _figure_faults(entry: Entry, both: Entry) -> Iterator[Fault]:
    """Only some figures show several scenarios, and only some let solvers be chosen."""
    name, scenarios = entry.get("name"), both.get("scenarios", [])
    if name in figures_of("scenario") and _are_texts(scenarios) and len(scenarios) > 1:
        yield "scenarios", f'{name!r} shows one scenario: write scenarios = ["NAME"]', ""
    figure = FIGURES.get(str(name))
    if figure and not figure.chosen and entry.get("solvers"):
        some = join_words([repr(n) for n, one in FIGURES.usable().items() if one.chosen])
        yield "solvers", f"solvers is for {some}; {name!r} shows all", ""


def _written_twice(entries: Sequence[tuple[EntryPlace, Entry]]) -> Iterator[Finding]:
    taken: set[str] = set()
    for place, entry in entries:
        file = entry.get("file")
        if isinstance(file, str) and file in taken:
            yield Finding(CODE, "error", place.file, place.line("file"), f"{file} is written twice")
        taken.add(str(file))


NAME = "aslib-eval.toml"


def _are_entries(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


_HELP = "See 'aslib-eval paper build --help'."
_LISTS = ("scenarios", "protocols", "sql")
_KINDS: tuple[Kind, ...] = get_args(Kind)
_TOP: Keys = {
    **dict.fromkeys(("lake", "output"), (is_text, "a text")),
    **dict.fromkeys(_LISTS, (_are_texts, "a list of texts")),
    **{kind: (_are_entries, f"written as [[{kind}]]") for kind in _KINDS},
}


class ManifestError(AslibError):
    """A manifest with faults, or with files that cannot be made; written: files that were made."""

    def __init__(self, path: Path, findings: Sequence[Finding], *, written: Sequence[Path] = ()) -> None:
        self.findings, self.written = tuple(findings), tuple(written)
        super().__init__(plural(len(findings), "error"), str(path))

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


@dataclass(frozen=True)
class Item:
    """One file of a paper: a table, a figure, or the macros of a table. width: of a figure [mm]."""

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
        """The format of the file."""
        return PurePosixPath(self.file).suffix.removeprefix(".")


@dataclass(frozen=True)
class Manifest:
    """A paper: its lake, its files and their folder; is_own: whether the manifest chose that folder."""

    path: Path
    lake: Path
    output: Path
    sql_dirs: tuple[Path, ...]
    items: tuple[Item, ...]
    is_own: bool = True

    @property
    def record(self) -> Path:
        """The record of the built files."""
        return self.path.with_suffix(".lock.json")


def read_manifest(path: Path, *, lake: Path | None = None, output: Path | None = None) -> Manifest:
    """Read a manifest; its paths are relative to it.

    ``lake`` and ``output`` replace its own. Its own output must stay in its folder: the author of a
    manifest must not choose where other users' files are.
    """
    with os_errors(path, "Name the manifest, or change to its folder."):
        content = read_plain(path)
    given, wrong = read_settings_file(content, file=str(path), code=CODE, keys=_TOP)
    for at, found in enumerate(wrong):
        key = found.message.partition(" ")[0]
        hint = _as_list(key, given.get(key)) if key in _LISTS else ""
        wrong[at] = replace(found, hint=hint or _HELP)
    right = {k: v for k, v in given.items() if k in _TOP and _TOP[k][0](v)}
    home = path.parent
    sql_dirs = tuple(home / text for text in right.get("sql", []))
    above: Entry = {k: right[k] for k in ("scenarios", "protocols") if k in right}
    entries = [
        (EntryPlace(content, str(path), kind, at), entry)
        for kind in _KINDS
        for at, entry in enumerate(right.get(kind, []), 1)
    ]
    tables = set(find_tables(sql_dirs))
    known = {"table": tables, "macros": tables, "figure": set(FIGURES)}
    for place, entry in entries:
        wrong += check_entry(entry, above, place=place, known=known[place.kind])
    wrong += _written_twice(entries)
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
    """Files that would be written out of the manifest's folder, or through a link in it."""
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


_ELSEWHERE = "Name a folder beside the manifest, or give -o DIR on the command line."


def _way_out(home: Path, to: Path) -> str:
    """Why a path leads, or may lead, out of a folder; empty if it does not."""
    inside = Path(os.path.relpath(to, home))
    if inside.parts[:1] == ("..",):
        return "leads out of the manifest's folder"
    places = (home.joinpath(*inside.parts[: n + 1]) for n in range(len(inside.parts)))
    link = next((place for place in places if place.is_symlink()), None)
    return f"leads through {str(link)!r}, a symbolic link" if link else ""


def _item(kind: Kind, entry: Entry, home: Path) -> Item:
    """An entry without faults; paths of protocol files are relative to the manifest."""
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


_HINT = "Free space or choose another output; nothing was changed."
# The content of the record while files elsewhere are replaced.
INTERRUPTED = "a build was interrupted"


@dataclass(frozen=True)
class Built:
    """One file: its bytes, its numbers, and its data, protocols and code.

    numbers: name → number as shown; for a figure, line → hash. look: a hash of the rest. Both ignore the
    comment.
    """

    item: Item
    content: bytes
    numbers: Mapping[str, str]
    look: str
    made_of: Provenance

    def record(self) -> dict[str, Any]:
        """For the lock file."""
        return {
            "made_of": asdict(self.made_of),
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "look": self.look,
            "numbers": dict(self.numbers),
        }


def build(manifest: Manifest, *, progress: bool = False) -> list[Path]:
    """Write all files that can be made and the record, as one set: all, or none.

    Files that cannot be made, and their entries in the record, stay as they are. progress: draw a bar on a
    terminal.

    Raises:
        ManifestError: names the files that cannot be made, and those that were ``written``.
    """
    require_folder(manifest.output)
    require_file(manifest.record)
    found = list(make(manifest, progress=progress))
    made = [each for each in found if isinstance(each, Built)]
    refused = [each for each in found if isinstance(each, Finding)]
    files = {built.item.file: built.content for built in made}
    written: list[Path] = []
    if made:
        lock: dict[str, Any] = {}
        with suppress(AslibError):  # keep old entries of a record that can be read
            before = _read(manifest) if refused else {}
            lock = {each.file: before[each.file] for each in refused if each.file in before}
        lock |= {built.item.file: built.record() for built in made}
        text = json.dumps(lock, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        _replace(manifest, files, text.encode())
        written = [*(manifest.output / file for file in files), manifest.record]
    if refused:
        raise ManifestError(manifest.path, refused, written=written)
    return written


def _replace(manifest: Manifest, files: Mapping[str, bytes], record: bytes) -> None:
    """Replace files and record as one set; if they lie apart, the record marks an interrupted build."""
    home, output = manifest.record.parent, manifest.output
    if not manifest.is_own:  # the user may name a link
        home, output = home.resolve(), output.resolve()
    if manifest.is_own or output.is_relative_to(home):
        below = Path(os.path.relpath(output, home))
        named = {(below / name).as_posix(): content for name, content in files.items()}
        replace_files(home, {**named, manifest.record.name: record}, hint=_HINT)
        return
    before = manifest.record.read_bytes() if manifest.record.exists() else None
    replace_file(manifest.record, json.dumps(INTERRUPTED).encode(), hint=_HINT)
    try:
        replace_files(output, files, hint=_HINT)
    except BaseException:
        if before is None:
            with Folder.named(home) as folder:
                folder.unlink(manifest.record.name)
        else:
            replace_file(manifest.record, before, hint=_HINT)
        raise
    replace_file(manifest.record, record, hint=_HINT)


def make(manifest: Manifest, *, progress: bool = False) -> Iterator[Built | Finding]:
    """Every file of a paper, unwritten, or a finding that says why it cannot be made."""
    if any(item.kind == "figure" for item in manifest.items):
        require_extra("figures", where="figure")
    opened = lru_cache(maxsize=1)(partial(_open, manifest))
    # Items of the same scenarios and protocols share an open lake.
    items = sorted(manifest.items, key=lambda item: (item.scenarios, item.protocols))
    for item in tracked(items, "making the paper", len(items), shown=progress):
        try:
            made = _made(item, *opened(item.scenarios, item.protocols))
        except Exception as error:
            if is_interrupt(error):
                raise
            why = error if isinstance(error, AslibError) else unexpected(error, item.name)
            what = sentence(why.where, why.message, None)
            yield Finding(CODE, "error", item.file, None, what, why.hint or "")
        else:
            yield made


def _open(
    manifest: Manifest, scenarios: tuple[str, ...], protocols: tuple[str, ...]
) -> tuple[LakeResults, Provenance, Mapping[str, SqlFile]]:
    lake = open_lake(manifest.lake, protocols=protocols, scenarios=scenarios, sql_dirs=manifest.sql_dirs)
    return LakeResults(lake), provenance(lake), find_tables(manifest.sql_dirs)


def _made(item: Item, results: LakeResults, made_of: Provenance, tables: Mapping[str, SqlFile]) -> Built:
    if item.kind == "figure":
        return _figure(results, item, made_of)
    table = paper_table(results.lake, tables[item.name], scores=scored(results.lake))
    content = written(item, replace(table, provenance=made_of.lines()))
    return Built(item, content.encode(), _numbers(item, table), _hash(written(item, table)), made_of)


def written(item: Item, table: PaperTable) -> str:
    """A table, or its macros, in the format of the item."""
    if item.kind == "macros":
        return macros(table)
    return render(table, format=item.suffix, bare=item.bare)


def _numbers(item: Item, table: PaperTable) -> dict[str, str]:
    """Name of a cell → the cell as shown; a CSV shows every digit."""
    found: dict[str, str] = {}
    heads = table.flat_headings
    for row in table.rows:
        words = [cell.text for cell, column in zip(row, table.columns, strict=True) if not column.is_number]
        for cell, column, head in zip(row, table.columns, heads, strict=True):
            if column.is_number:
                found[_free(found, " / ".join([*words, head]))] = _as_shown(cell, item)
    return found


def _free(found: Mapping[str, str], label: str) -> str:
    numbered = (f"{label} #{at}" for at in count(2))
    return next(name for name in chain([label], numbered) if name not in found)


def _as_shown(cell: Cell, item: Item) -> str:
    if item.suffix == "csv":
        return "" if cell.value is None else repr(cell.value)
    if item.kind == "macros":
        return cell.text
    strong = "*" if cell.is_bold else ""
    return f"{strong}{cell.full}{strong} {cell.mark}".strip()


def _figure(results: LakeResults, item: Item, made_of: Provenance) -> Built:
    if (n := len(made_of.protocols)) > 1:
        raise AslibError(f"a figure shows one protocol, not {n}", item.name)
    entry = FIGURES[item.name]
    spec = figure(item.name, results, solvers=item.solvers).spec()
    content = as_bytes(
        spec, suffix=f".{item.suffix}", width=item.width, titled=entry.titled, comment=made_of.lines()
    )
    drawn = as_bytes(spec, suffix=".json", width=item.width, titled=entry.titled)
    look = _hash(json.dumps(json.loads(drawn), sort_keys=True))
    return Built(item, content, _lines(spec), look, made_of)


def _lines(spec: Spec) -> dict[str, str]:
    """Line of a figure → hash of its points."""
    parts = shown(spec).partition_by("of", maintain_order=True)
    return {str(part["of"][0]): _hash(part.drop("of").write_csv()) for part in parts}


def shown(spec: Spec) -> pl.DataFrame:
    """The points and boxes of a chart: ``of``, the name of mark, row or chart, and ``at``."""
    rows = [row for mark in spec["marks"] for row in _rows(mark, spec)]
    return pl.DataFrame(rows, schema=["of", "at"], orient="row")


def _rows(mark: Spec, spec: Spec) -> Iterator[tuple[str, str]]:
    own = mark.get("name") or mark.get("label") or ""
    if mark["type"] == "rule":
        yield own or "rule", json.dumps([mark.get("x"), mark.get("y")])
    for x, y, *_ in mark.get("points", ()):
        yield own or _row_name(spec, y), json.dumps([x, y])
    for box in mark.get("boxes", ()):
        x0, x1, y0, y1, _, color, opacity = [*box, None, None, None][:7]
        at = json.dumps([x0, x1, y0, y1, color, opacity])
        yield own or _row_name(spec, (y0 + y1) / 2), at
    for x, y, text, *_ in mark.get("items", ()):
        yield own or str(text), json.dumps([x, y, text])


def _row_name(spec: Spec, y: float | None) -> str:
    """The name beside a row; in a chart without names its title."""
    if spec["y"]["kind"] != "band" or y is None:
        return str(spec["title"])
    names = spec["y"]["names"]
    return str(names[min(max(round(y), 0), len(names) - 1)])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


Record = Mapping[str, Any]


@dataclass(frozen=True)
class FileChange:
    """A change of a file: its place, both values, and the reason."""

    file: str
    what: str
    before: str
    after: str
    why: str

    def __str__(self) -> str:
        turned = f": {self.before} → {self.after}" if self.before or self.after else ""
        return f"{self.file}: {self.what}{turned} ({self.why})"


def check(manifest: Manifest, *, progress: bool = False) -> list[FileChange]:
    """Everything that would change. It writes nothing but completes an interrupted build (see ``mend``)."""
    lock = _read(manifest)
    found: list[FileChange] = []
    for built in make(manifest, progress=progress):
        if isinstance(built, Finding):
            lock.pop(built.file, None)
            why = sentence(None, built.message, built.hint).rstrip(".")
            found.append(FileChange(built.file, "cannot be made", "", "", why))
            continue
        file = built.item.file
        if (record := lock.pop(file, None)) is None:
            found.append(FileChange(file, "was never built", "", "", "manifest"))
        else:
            found += [*_by_hand(manifest, file, record), *_changes(built, record)]
    gone = "is no longer in the manifest"
    return found + [FileChange(file, gone, "", "", "manifest") for file in sorted(lock)]


def _read(manifest: Manifest) -> dict[str, Any]:
    mend(manifest.record.parent)
    try:
        if not manifest.record.exists():
            hint = "Run 'aslib-eval paper build' first."
            raise AslibError("nothing was built", str(manifest.record), hint)
        found = json.loads(read_text(manifest.record, hint="Make it readable."))
    except (ValueError, RecursionError):
        found = None
    if found == INTERRUPTED:
        hint = "Run 'aslib-eval paper build' again."
        raise AslibError(f"{found}: its files are incomplete", str(manifest.path), hint)
    if not isinstance(found, dict) or not all(map(_is_record, found.values())):
        hint = "Remove it and run 'aslib-eval paper build'."
        raise AslibError("is not a record of a paper", str(manifest.record), hint)
    return found


def _is_record(value: Any) -> bool:
    """Whether it has the form of a record of one file."""
    if not isinstance(value, dict) or not isinstance(value.get("made_of"), dict):
        return False
    made_of = value["made_of"]
    texts = (value.get("sha256"), value.get("look"), made_of.get("code"))
    maps = (value.get("numbers"), made_of.get("scenarios"), made_of.get("protocols"))
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(each, dict) and all(isinstance(text, str) for text in each.values()) for each in maps
    )


def _by_hand(manifest: Manifest, file: str, record: Record) -> list[FileChange]:
    """A file that was removed or changed after it was built."""
    path = manifest.output / file
    if not path.is_file():
        return [FileChange(file, "is gone", "", "", "removed by hand")]
    if hashlib.sha256(path.read_bytes()).hexdigest() != record["sha256"]:
        return [FileChange(file, "differs from the built file", "", "", "changed by hand")]
    return []


def _changes(built: Built, record: Record) -> Iterator[FileChange]:
    """Numbers that would change; or the look, if all numbers stay."""
    file, why = built.item.file, reason(built.made_of, record["made_of"])
    old, new = record["numbers"], built.numbers
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    for name in changed:
        if built.item.kind == "figure":
            yield FileChange(file, f"the line of {name}", "", "", why)
        else:
            before, after = (side.get(name, NONE) for side in (old, new))
            yield FileChange(file, name, before, after, why)
    if not changed and record["look"] != built.look:
        yield FileChange(file, "looks different, with the same numbers", "", "", why)


def reason(now: Provenance, then: Record) -> str:
    """Which of data, protocol and code have changed."""
    differ = {
        "data": _differing(then["scenarios"], now.scenarios),
        "protocol": _differing(then["protocols"], now.protocols),
    }
    parts = [f"{what}: {', '.join(names)}" for what, names in differ.items() if names]
    if then["code"] != now.code:
        parts.append(f"code: {then['code']} is now {now.code}")
    return "; ".join(parts) or "manifest: data, protocol and code are the same"


def _differing(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Names with another hash, new ones and gone ones."""
    words = []
    for name in sorted({*then, *now}):
        if name not in now:
            words.append(f"{name} is gone")
        elif name not in then:
            words.append(f"{name} is new")
        elif then[name] != now[name]:
            words.append(f"{name} is {now[name]}, was {then[name]}")
    return words
