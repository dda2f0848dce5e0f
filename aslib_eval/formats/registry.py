"""The formats that can be imported, and how their scenarios are found.

To add one, write a module with a ``Format`` and list it here, or in an extension.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.formats import Finder, Format, Found, Packed, TableChoices
from aslib_eval.formats.aslib import ASLIB
from aslib_eval.formats.results import NAMES as RESULT_NAMES
from aslib_eval.formats.results import RESULTS
from aslib_eval.formats.runs import RUNS, runs_format, together
from aslib_eval.formats.runs.autofolio import AUTOFOLIO
from aslib_eval.formats.runs.raw_table import ENDINGS, ending
from aslib_eval.formats.sources import (
    SUFFIXES,
    FilesRead,
    Location,
    header_of,
    is_archive,
    positions,
    unpack,
)
from aslib_eval.plugins import RESERVED, Registry, Reserved

SELECTIONS = "selections"


def _format(name: str, found: object) -> Format:
    if not isinstance(found, Format):
        raise AslibError(f"is a {type(found).__name__} instead of a Format")
    if found.name != name:
        raise AslibError(f"is a format with another name, {found.name!r}")
    return found


# Formats of plug-ins come before the last two: RUNS takes only what no other format takes, and RESULTS
# explains what a table must have.
_EXTENSIONS = (
    "uai bayesmark iohprofiler coco benchexec maxsat minizinc satcomp smtcomp starexec"
    " routerbench routerbench-mini dataset evaluations"
)
_OURS: Mapping[str, Format | Reserved] = {
    "aslib": ASLIB,
    **dict.fromkeys(_EXTENSIONS.split(), RESERVED),
    "autofolio": AUTOFOLIO,
    "runs": RUNS,
    "table": RESULTS,
}
FORMATS: Registry[Format] = Registry("formats", _OURS, _format, last=2)


def locate_all(
    paths: Sequence[Path],
    *,
    format: str | None = None,  # noqa: A002
    choices: TableChoices | None = None,
    formats: Sequence[Format] = (),
) -> list[Found | Packed]:
    """Every scenario at the paths, in their order.

    choices: what is decided about tables of runs; then only such are looked for, and of files of one solver
    each all paths are one scenario. formats: instead of those of FORMATS.

    Of several paths a folder called ``selections`` is passed over: it lies among the scenarios that a
    shell's ``*`` names, and 'import-selection' reads it.
    """
    chosen = [p for p in paths if len(paths) == 1 or p.name != SELECTIONS]
    files = FilesRead()
    if choices is not None and choices.file_per == "solver":
        return [Found(runs_format(choices), each) for each in together(choices, chosen, files)]
    found = [
        each
        for path in chosen
        for each in locate(path, format=format, choices=choices, formats=formats, files=files)
    ]
    return [*_together(found)] if len(chosen) > 1 else found


def _together(found: Sequence[Found | Packed]) -> Iterator[Found | Packed]:
    """What was found, with scenarios that belong together where the first of them stands."""
    told: set[str] = set()
    for each in found:
        format_ = each.format if isinstance(each, Found) else None
        if format_ is None or format_.together is None:
            yield each
        elif format_.name not in told:
            told.add(format_.name)
            same = [x.location for x in found if isinstance(x, Found) and x.format.name == format_.name]
            yield from (Found(format_, location) for location in format_.together(same))


def locate(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    choices: TableChoices | None = None,
    formats: Sequence[Format] = (),
    files: FilesRead | None = None,
) -> list[Found | Packed]:
    """Every scenario at a path: itself, or the folders and archives inside it.

    They are of all formats, unless one is named or some are given. files: what was read already.
    """
    if format is not None and format not in FORMATS:
        raise AslibError(f"no format is called {format!r}", None, f"Formats are {', '.join(FORMATS)}.")
    if not formats:
        formats = [*FORMATS.usable().values()] if format is None else [FORMATS[format]]
    if choices is not None and choices.given:
        formats = _decided(formats, choices)
    with os_errors(path, "Check the permissions."):
        if is_archive(path) and path.is_file():
            return [Packed(tuple(formats), Location(path, str(path)))]
        found: list[Found | Packed] = [*_unclaimed(_inside(path, formats, files or FilesRead()))]
        if not any(each.location.path == path for each in found):
            found = _with_archives(found, path, tuple(formats))
    if not found:
        raise _absent(path, formats)
    return found


def _decided(formats: Sequence[Format], choices: TableChoices) -> tuple[Format, ...]:
    """The formats that understand all choices, with what is decided."""
    able = [
        each.with_choices(choices)
        for each in formats
        if each.with_choices is not None and choices.given <= each.choices
    ]
    if able:
        return tuple(able)
    names = ", ".join(each.name for each in FORMATS.usable().values() if each.choices >= choices.given)
    what = f"format {formats[0].name} has no columns or cutoff to choose"
    raise AslibError(what, None, f"Only these formats have such options: {names}.")


def _inside(path: Path, formats: Sequence[Format], files: FilesRead) -> Iterator[Found]:
    """The scenarios at a path, else in its folders, format by format."""
    folders = sorted(p for p in path.iterdir() if p.is_dir()) if path.is_dir() else []
    is_taken = has_tables = False
    for each in formats:
        if is_taken and each.is_general:
            continue
        if has_tables and _is_other(each, path, files):
            continue
        here = _find(each, path, files)
        is_taken |= any(location.path == path for location in here) and path.is_file()
        has_tables |= any(location.path.parent == path for location in here)
        inside = (x for folder in folders for x in _find(each, folder, files))
        yield from (Found(each, location) for location in here or inside)


def _is_other(format_: Format, folder: Path, files: FilesRead) -> bool:
    """Whether a folder has a table that is called like one of the format, and is not.

    It then belongs to the tables of another format, such as results.csv with hashes.
    """
    if format_.is_header is None:
        return False
    headers = [header_of(folder / mark, files) for mark in format_.marks if (folder / mark).is_file()]
    return bool(headers) and not any(map(format_.is_header, headers))


def _find(format_: Format, path: Path, files: FilesRead) -> list[Location]:
    """The scenarios that a format finds; a general one passes over the marks of others."""
    find = format_.find
    look = find.look if isinstance(find, Finder) else lambda path, _: find(path)
    if not format_.is_general:
        return [replace(each, files=files) for each in look(path, files)]
    others = [e for e in FORMATS.usable().values() if e.name != format_.name]
    marks = [mark for each in others for mark in each.marks]
    if path.is_dir() and any((path / mark).exists() for mark in marks):
        return []
    tests = [each.is_header for each in others if each.is_header is not None]
    return [
        replace(location, files=files)
        for location in look(path, files)
        if not any(is_theirs(location.header) for is_theirs in tests)
    ]


def _unclaimed(found: Iterable[Found]) -> Iterator[Found]:
    """All but what a general format finds in files of a format of runs before it."""
    taken: dict[Path, str] = {}
    for each in found:
        path, name = each.location.path, each.format.name
        others = {taken.get(path, name), taken.get(path.parent, name)} - {name}
        if each.format.is_general and others:
            continue
        if each.format.is_of_runs or path.is_file():
            taken[path] = name
        yield each


def _with_archives(
    found: Sequence[Found | Packed], path: Path, formats: tuple[Format, ...]
) -> list[Found | Packed]:
    """Put the archives of a folder by name among what the first format found."""
    inside = path.iterdir() if path.is_dir() else ()
    packed = [p for p in inside if is_archive(p) and p.is_file()]
    size = sum(isinstance(f, Found) and f.format is formats[0] for f in found)
    first = [*found[:size], *(Packed(formats, Location(p, str(p))) for p in packed)]
    return [*sorted(first, key=lambda each: each.location.path), *found[size:]]


def _absent(path: Path, formats: Sequence[Format]) -> AslibError:
    of_runs = [each for each in formats if each.name == RUNS.name]
    if ending(path) and path.is_file():
        of_results = {"method", "metric"} <= positions(header_of(path), RESULT_NAMES).keys()
        return (of_runs if of_runs and not of_results else formats)[-1].absent(path)
    if path.is_dir():
        has_tables = formats[-1:] == of_runs or any(map(ending, path.iterdir()))
        return (of_runs if has_tables and of_runs else formats)[0].absent(path)
    what = "is not a folder, table or archive" if path.exists() else "does not exist"
    tables, archives = "|".join(ENDINGS), "|".join(SUFFIXES)
    hint = f"Give a folder of one or more scenarios, an archive ({archives}) or a table of runs ({tables})."
    typed = " ".join(shlex.quote(str(each)) for each in (path, path.with_suffix(".csv")))
    hint += f" If it is a table of text, call it .csv: cp {typed}" * path.is_file()
    return AslibError(what, str(path), hint)


@contextmanager
def opened(found: Found | Packed) -> Iterator[list[Found]]:
    """The scenarios of an archive, unpacked meanwhile; else the one found."""
    if isinstance(found, Found):
        yield [found]
        return
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        try:
            scenarios = _unpacked(found, Path(scratch))
        except AslibError as error:
            raise AslibError(error.message, found.location.shown, error.hint) from None
        yield scenarios


def _unpacked(packed: Packed, scratch: Path) -> list[Found]:
    """The archive's folder, the folders in it, or the tables of CSV in it."""
    location = packed.location
    folder = unpack(location.path, scratch)
    name = location.folder.partition(".")[0] if folder == scratch else folder.name
    tables = sorted(p for p in folder.iterdir() if p.is_file())
    files = FilesRead()
    found = [*_unclaimed(_inside(folder, packed.formats, files))] or [
        *_unclaimed(
            Found(each, location)
            for each in packed.formats
            for path in tables
            for location in _find(each, path, files)
        )
    ]
    if not found:
        raise _absent(folder, packed.formats)
    shown, archive = Path(location.shown, name), location.path
    return [
        Found(each.format, replace(each.location, shown=str(shown / inside), archive=archive))
        for each in found
        for inside in [each.location.path.relative_to(folder)]
    ]
