"""A manifest → the files of a paper, and a record of what each was made of."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import polars as pl

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.analysis.relations import scored
from aslib_eval.atomic_files import mend, replace_file, replace_files, require_file, require_folder
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.sqlfiles import SqlFile, find_tables
from aslib_eval.errors import AslibError, Finding, is_interrupt, require_extra, sentence, unexpected
from aslib_eval.extensions.manifests.papers.manifest import CODE, Item, Manifest, ManifestError
from aslib_eval.figures.catalogue import FIGURES, figure
from aslib_eval.figures.write import Spec, as_bytes
from aslib_eval.folders import Folder
from aslib_eval.paths import read_text
from aslib_eval.progress import tracked
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.tables.formats import render
from aslib_eval.tables.paper_table import paper_table
from aslib_eval.tables.table import Cell, PaperTable
from aslib_eval.tables.to_latex import macros
from aslib_eval.text import NONE

_DIGITS = 12
_HINT = "Free space or choose another output; nothing was changed."
# What the record holds while files that lie elsewhere are replaced.
INTERRUPTED = "a build was interrupted"


@dataclass(frozen=True)
class Built:
    """One file: its bytes, the numbers in it, and what it was made of.

    numbers: what names a number → how it is shown; of a figure, line → hash. look: a hash of all the rest.
    Neither holds what stands in the comment.
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

    What cannot be made is left as it is, and so is what the record says of it. progress: draw a bar
    meanwhile, on a terminal.

    Raises:
        ManifestError: names all that cannot be made, and what was ``written``. AslibError: names the first
        that cannot be written; nothing was.

    """
    require_folder(manifest.output)
    require_file(manifest.record)
    found = list(make(manifest, progress=progress))
    made = [each for each in found if isinstance(each, Built)]
    refused = [each for each in found if isinstance(each, Finding)]
    files = {built.item.file: built.content for built in made}
    written: list[Path] = []
    if made:
        lock = _kept(manifest, refused) if refused else {}
        lock |= {built.item.file: built.record() for built in made}
        text = json.dumps(lock, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        _replace(manifest, files, text.encode())
        written = [*(manifest.output / file for file in files), manifest.record]
    if refused:
        raise ManifestError(manifest.path, refused, written=written)
    return written


def _kept(manifest: Manifest, refused: Sequence[Finding]) -> dict[str, Any]:
    """What the record says of the files that cannot be made now."""
    try:
        before = _read(manifest)
    except AslibError:  # there is none, or none that can be read
        return {}
    return {each.file: before[each.file] for each in refused if each.file in before}


def _replace(manifest: Manifest, files: Mapping[str, bytes], record: bytes) -> None:
    """The files and the record as one set; where they lie apart, the record tells."""
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
    """Every file of a paper, without writing it; one open lake for like items.

    In the place of one that cannot be made there is a finding that says why.

    """
    if any(item.kind == "figure" for item in manifest.items):
        require_extra("figures", where="figure")
    opened = lru_cache(maxsize=1)(partial(_open, manifest))
    items = sorted(manifest.items, key=_lake_of)
    for item in tracked(items, "making the paper", len(items), shown=progress):
        try:
            made = _made(item, *opened(*_lake_of(item)))
        except AslibError as error:
            yield _refused(item, error)
        except Exception as error:
            if is_interrupt(error):
                raise
            yield _refused(item, unexpected(error, item.name))
        else:
            yield made


def _refused(item: Item, error: AslibError) -> Finding:
    what = sentence(error.where, error.message, None)
    return Finding(CODE, "error", item.file, None, what, error.hint or "")


def _lake_of(item: Item) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return item.scenarios, item.protocols


def _open(
    manifest: Manifest, scenarios: tuple[str, ...], protocols: tuple[str, ...]
) -> tuple[LakeResults, Provenance, Mapping[str, SqlFile]]:
    lake = open_lake(manifest.lake, protocols=protocols, scenarios=scenarios, sql_dirs=manifest.sql_dirs)
    return LakeResults(lake), provenance(lake), find_tables(manifest.sql_dirs)


def _made(item: Item, results: LakeResults, made_of: Provenance, tables: Mapping[str, SqlFile]) -> Built:
    if item.kind == "figure":
        return _figure(results, item, made_of)
    lake, file = results.lake, tables[item.name]
    found = paper_table(lake, file, scores=scored(lake))
    return _table(item, found, made_of)


def _table(item: Item, table: PaperTable, made_of: Provenance) -> Built:
    content = written(item, replace(table, provenance=made_of.lines()))
    plain = written(item, table)
    return Built(item, content.encode(), _numbers(item, table), _hash(plain), made_of)


def written(item: Item, table: PaperTable) -> str:
    """A table, or its macros, as the item wants it."""
    if item.kind == "macros":
        return macros(table)
    return render(table, format=item.suffix, bare=item.bare)


def _numbers(item: Item, table: PaperTable) -> dict[str, str]:
    """What names a cell → how it is shown; a CSV shows every digit."""
    found: dict[str, str] = {}
    heads = table.flat_headings
    for row in table.rows:
        words = [cell.text for cell, column in zip(row, table.columns, strict=True) if not column.is_number]
        for cell, column, head in zip(row, table.columns, heads, strict=True):
            if column.is_number:
                label = _free(found, " / ".join([*words, head]))
                found[label] = _as_shown(cell, item)
    return found


def _free(found: Mapping[str, str], label: str) -> str:
    """The label, or with a number if it is taken."""
    at, free = 1, label
    while free in found:
        at += 1
        free = f"{label} #{at}"
    return free


def _as_shown(cell: Cell, item: Item) -> str:
    if item.suffix == "csv":
        return "" if cell.value is None else repr(cell.value)
    if item.kind == "macros":
        return cell.text
    strong = "*" if cell.is_bold else ""
    return f"{strong}{cell.full}{strong} {cell.mark}".strip()


def _figure(results: LakeResults, item: Item, made_of: Provenance) -> Built:
    if (n := len(made_of.protocols)) > 1:
        raise AslibError(f"a figure shows one protocol, these are {n}", item.name)
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
    frame = shown(spec)
    parts = frame.partition_by("of", maintain_order=True)
    return {str(part["of"][0]): _hash(part.drop("of").write_csv()) for part in parts}


def shown(spec: Spec) -> pl.DataFrame:
    """What a chart shows: one row per point or box, ``of`` (whose it is) and ``at``.

    It is of the mark's name; if that has none, of the row's name, or of the whole.
    """
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
    """The name that stands beside a row; of a chart without names its title."""
    if spec["y"]["kind"] != "band" or y is None:
        return str(spec["title"])
    names = spec["y"]["names"]
    return str(names[min(max(round(y), 0), len(names) - 1)])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


Record = Mapping[str, Any]


@dataclass(frozen=True)
class FileChange:
    """What would change in a file, from what to what, and why."""

    file: str
    what: str
    before: str
    after: str
    why: str

    def __str__(self) -> str:
        turned = f": {self.before} → {self.after}" if self.before or self.after else ""
        return f"{self.file}: {self.what}{turned} ({self.why})"


def check(manifest: Manifest, *, progress: bool = False) -> list[FileChange]:
    """Everything that would change; nothing is written.

    What a build had begun to replace that was interrupted is completed first, see ``atomic_files.mend``.

    """
    lock = _read(manifest)
    found: list[FileChange] = []
    for built in make(manifest, progress=progress):
        if isinstance(built, Finding):
            lock.pop(built.file, None)
            why = sentence(None, built.message, built.hint).rstrip(".")
            found.append(FileChange(built.file, "cannot be made", "", "", why))
            continue
        record = lock.pop(built.item.file, None)
        file = built.item.file
        if record is None:
            found.append(FileChange(file, "was never built", "", "", "manifest"))
            continue
        found += _by_hand(manifest, file, record)
        found += _changes(built, record)
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
        raise AslibError("is no record of a paper", str(manifest.record), hint)
    return found


def _is_record(value: Any) -> bool:
    """Whether a build may have written this about a file."""
    if not isinstance(value, dict) or not isinstance(value.get("made_of"), dict):
        return False
    made_of = value["made_of"]
    texts = (value.get("sha256"), value.get("look"), made_of.get("code"))
    maps = (value.get("numbers"), made_of.get("scenarios"), made_of.get("protocols"))
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(each, dict) and all(isinstance(text, str) for text in each.values()) for each in maps
    )


def _by_hand(manifest: Manifest, file: str, record: Record) -> list[FileChange]:
    """A file that is not as it was built."""
    path = manifest.output / file
    if not path.is_file():
        return [FileChange(file, "is gone", "", "", "removed by hand")]
    if hashlib.sha256(path.read_bytes()).hexdigest() != record["sha256"]:
        return [FileChange(file, "is not as it was built", "", "", "changed by hand")]
    return []


def _changes(built: Built, record: Record) -> Iterator[FileChange]:
    """Numbers that would be others; or the look, if all numbers stay."""
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
    """Which of data, protocol and code are not what they were."""
    parts = []
    scenarios = _differing(then["scenarios"], now.scenarios)
    if scenarios:
        parts.append(f"data: {', '.join(scenarios)}")
    protocols = _differing(then["protocols"], now.protocols)
    if protocols:
        parts.append(f"protocol: {', '.join(protocols)}")
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
