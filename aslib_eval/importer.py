"""Format → lint → lake. A scenario is imported completely or not at all."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

import pyarrow as pa

from aslib_eval import options
from aslib_eval._version import __version__
from aslib_eval.errors import AslibError, Finding, ScenarioError, unexpected
from aslib_eval.formats import Found, Packed, Parsed
from aslib_eval.formats.attributes import AttributeChoices, attribute_names
from aslib_eval.formats.features import instance_choices
from aslib_eval.formats.prices import read_scenario
from aslib_eval.formats.registry import locate_all, opened
from aslib_eval.formats.runs import table_choices
from aslib_eval.formats.sources import Location, Source, in_unicode
from aslib_eval.lake import schema, transaction, versions
from aslib_eval.paths import Paths, as_paths
from aslib_eval.plugins import Registry
from aslib_eval.progress import tracked
from aslib_eval.text import plural

Status = Literal["imported", "unchanged", "failed"]
# A lake and the ids of scenarios that were just imported → findings, whose file is the id.
Check = Callable[[Path, Sequence[str]], Iterable[Finding]]
CHECKS: Registry[Check] = Registry("checks", {}, lambda _, found: found)


@dataclass(frozen=True)
class Imported:
    """The outcome for one scenario; ``rows`` counts the rows of every relation.

    ``forgotten`` names selections and splits of the lake that no longer fit it, and attributes that
    it had before.
    """

    path: str
    status: Status
    scenario_id: str = ""
    rows: tuple[tuple[str, int], ...] = ()
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    forgotten: tuple[str, ...] = ()
    error: AslibError | None = None


@dataclass(frozen=True)
class _ClaimedId:
    """The owner of an id: a path, and the format in which it is read.

    hint: what to do where another one has that id.
    """

    name: str
    shown: str
    format: str
    hint: str

    @classmethod
    def of(cls, name: str, found: Found) -> _ClaimedId:
        format_ = found.format
        return cls(name, found.location.shown, format_.name, format_.same_id)


@dataclass(frozen=True)
class _Job:
    """The settings of a call, for every scenario.

    ``claimed``: id without case → the first folder that has it; ``taken``: the ids of the lake.
    ``time_unit`` is None if it is not given.
    """

    into: Path
    forget: bool
    claimed: dict[str, _ClaimedId]
    taken: frozenset[str]
    time_unit: str | None = None
    attributes: AttributeChoices = field(default_factory=AttributeChoices)


_Into = Annotated[options.Lake, options.Option(flags="--lake")]
_Forget = Annotated[
    bool,
    options.Option(
        "If a scenario has changed, delete predictions and splits that no longer fit.", heading=options.RARE
    ),
]
_TimeUnit = Annotated[
    str | None,
    options.Option(
        "Name of the scenario's time unit, such as s or ms. The command does not convert the times.",
        metavar="UNIT",
        shown="as the scenario states it",
        heading=options.RARE,
    ),
]


@options.public
def import_scenarios(
    paths: Annotated[Paths, options.Option("What to import.", flags="", metavar="PATH...")],
    *,
    into: _Into = "lake",
    input_format: Annotated[
        str | None,
        options.Option(
            "Import only inputs in this format.",
            shown="any known format",
            was="--format",
            heading=options.RARE,
            registry=("aslib_eval.formats.registry:FORMATS",),
        ),
    ] = None,
    forget: _Forget = False,
    time_unit: _TimeUnit = None,
    done: Callable[[Imported], None] | None = None,
    progress: bool = False,
    **table: Unpack[options.TableOptions],
) -> list[Imported]:
    """Import every scenario at the paths, or the one path; a bad one stops no other.

    With any argument that is of tables of runs (see ``import_runs``) only such are looked for. time_unit:
    None = as it was given before, else as the scenario states it, which few do; empty = as it states it.
    features: of a scenario that has none; they belong to one default step without a cost. Importing again
    replaces all attributes and features: what is not said again is forgotten.

    The outcomes come in the order of the paths; a failed one carries the AslibError, which holds all
    findings. The selections of a scenario and splits made of it stay with it; if some do not fit it any
    more that is an error, unless ``forget`` drops them. ``done`` is called with each outcome as soon as
    those before it are through, also after an unexpected exception. On Ctrl-C the scenarios at work are
    finished, the others fail, and ``done`` is called with all before KeyboardInterrupt goes on.
    ``progress`` shows a bar on stderr.

    into: the lake, which is made if there is none.

    >>> (done,) = ae.import_scenarios("scenarios/TOY-2026", into="other")
    >>> done.scenario_id, done.status, done.error
    ('TOY-2026', 'imported', None)
    """
    choices = table_choices(**table, time_unit=time_unit or "")
    found = locate_all(as_paths(paths), format=input_format, choices=choices)
    return import_found(
        found,
        Path(into),
        forget=forget,
        time_unit=time_unit,
        more=instance_choices(**table),
        done=done,
        progress=progress,
    )


@options.public
def import_runs(
    runs: Any,
    *,
    into: _Into = "lake",
    time_unit: _TimeUnit = None,
    forget: _Forget = False,
    **table: Unpack[options.TableOptions],
) -> list[Imported]:
    """Import a table of runs: a path, or a frame (polars, pandas, whatever has Arrow).

    A row is a run with its instance, solver and time; or a column is a solver, or two are, ``SOLVER:time``
    and ``SOLVER:status``. docs/runs.md has all columns. The
    result has an outcome for each scenario; its ``findings`` say how the table was understood, where "line"
    is the number of a frame's row, from 1. A refused table raises ScenarioError with all findings.

    >>> import polars as pl
    >>> runs = pl.DataFrame({"instance": ["i", "j"], "a": [3.5, None], "b": [9.0, 2.0]})
    >>> done = ae.import_runs(runs, scenario_id="MINE", cutoff=60, into="own")
    >>> done[0].scenario_id
    'MINE'

    scenario_id: needed for a frame without a column ``scenario``. column: role → column; the roles are
    scenario, instance, solver, time, status, answer, expected, repetition, objective, best, cutoff, family,
    attribute and ignore. column, status, claims: a mapping, or texts as on the command line. times_in:
    empty = the times stay as they are. time_unit: None = as column names end, or not stated. missing,
    duplicates: None = an error.
    """
    choices = table_choices(**table, time_unit=time_unit or "")
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        if isinstance(runs, str | Path):
            found = locate_all([Path(runs)], format="runs", choices=choices)
        else:
            path = _written(runs, Path(scratch), choices.scenario_id)
            found = locate_all([path], format="runs", choices=choices)
            shown = path.stem
            found = [replace(each, location=replace(each.location, shown=shown)) for each in found]
        more = instance_choices(**table)
        outcomes = import_found(found, Path(into), forget=forget, time_unit=time_unit, more=more)
    for outcome in outcomes:
        if outcome.error is not None:
            raise outcome.error
    return outcomes


def _written(runs: Any, folder: Path, scenario_id: str) -> Path:
    """A frame as a file that the format reads."""
    import pyarrow.parquet as pq

    if not hasattr(runs, "__arrow_c_stream__") and not isinstance(runs, pa.Table):
        what = f"a {type(runs).__name__} is neither a path nor a frame"
        raise AslibError(what, None, "Give a polars or pandas frame, or a path.")
    frame = pa.table(runs)
    if not scenario_id and "scenario" not in frame.column_names:
        raise AslibError("a frame needs a scenario_id", None, "Say scenario_id=….")
    path = folder / f"{Path(scenario_id).name or 'frame'}.parquet"
    pq.write_table(frame, path)
    return path


def import_found(
    found: Sequence[Found | Packed],
    into: Path,
    *,
    forget: bool,
    time_unit: str | None,
    more: AttributeChoices,
    done: Callable[[Imported], None] | None = None,
    progress: bool = False,
) -> list[Imported]:
    """Import what was found, as ``import_scenarios`` does. more: its attributes."""
    transaction.clean(into)
    job = _Job(into, forget, _claims(found), frozenset(versions.scenario_ids(into)), time_unit, more)
    outcomes: list[Imported] = []

    def tell(each: Iterable[Imported]) -> None:
        for outcome in each:
            if done is not None:
                done(outcome)
            outcomes.append(outcome)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # The largest first, so that none is left alone at the end.
        largest = sorted(found, key=_size, reverse=True)
        running = {each: pool.submit(_import_all, each, job) for each in largest}
        try:
            ready = ((each, running[each].result()) for each in found)
            shown = tracked(ready, "importing", len(found), shown=progress)
            last = {each.location.path: each for each in found}
            of_path: list[Imported] = []
            for each, some in shown:
                of_path += some
                if last[each.location.path] is each:
                    tell(_checked(of_path, into))
                    of_path = []
        except KeyboardInterrupt:
            for future in running.values():
                future.cancel()
            ended = (_finished(each, running[each]) for each in found)
            tell(islice(chain.from_iterable(ended), len(outcomes), None))
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return outcomes


def _import_all(found: Found | Packed, job: _Job) -> list[Imported]:
    """The outcome of each scenario of an archive, or of the one that is found."""
    shown = found.location.shown
    try:
        with opened(found) as scenarios:
            return [replace(_one(each, job), path=shown) for each in scenarios]
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        return [_failed(error, shown)]


def _one(found: Found, job: _Job) -> Imported:
    try:
        return _import(found, job)
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        return _failed(error, found.location.shown)


def _failed(error: Exception, shown: str) -> Imported:
    findings = error.findings if isinstance(error, ScenarioError) else ()
    known = error if isinstance(error, AslibError) else unexpected(error, shown)
    return Imported(shown, "failed", findings=findings, error=known)


def _checked(outcomes: Sequence[Imported], into: Path) -> list[Imported]:
    """The outcomes of a path, with the findings of further checks on new scenarios."""
    new = [each.scenario_id for each in outcomes if each.status == "imported"]
    found: list[Finding] = []
    for name, check in CHECKS.usable().items() if new else ():
        try:
            found += check(into, new)
        except Exception as error:  # noqa: BLE001 - what is imported stays so
            known = error if isinstance(error, AslibError) else unexpected(error, name)
            what = f"the check {name} of {plural(len(new), 'scenario')} failed: {known}"
            found.append(Finding("check-failed", "warning", new[0], None, what))
    of = {name: [each for each in found if each.file == name] for name in new}
    return [replace(each, findings=(*each.findings, *of.get(each.scenario_id, ()))) for each in outcomes]


def _finished(found: Found | Packed, future: Future[list[Imported]]) -> Iterable[Imported]:
    """After Ctrl-C: the outcomes of a scenario at work, or an error if it was not begun."""
    if not future.cancelled():
        return future.result()
    shown = found.location.shown
    error = AslibError("was not imported: interrupted", shown, "Import it again.")
    return [Imported(shown, "failed", error=error)]


def _size(found: Found | Packed) -> int:
    path = found.location.path
    try:
        files = path.rglob("*") if path.is_dir() else (path,)
        return sum(path.stat().st_size for path in files if path.is_file())
    except OSError:  # reported when its turn comes
        return 0


def _claims(found: Sequence[Found | Packed]) -> dict[str, _ClaimedId]:
    """Id without case → the first folder that has it (archives claim when unpacked)."""
    claimed: dict[str, _ClaimedId] = {}
    for each in (each for each in found if isinstance(each, Found)):
        with suppress(Exception):  # reported when its turn comes
            if (name := each.format.claim(each.location)) is not None:
                claimed.setdefault(_caseless(name), _ClaimedId.of(name, each))
    return claimed


def _caseless(name: str) -> str:
    """A name as a file system sees it that ignores case and composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _require_own_folder(mine: _ClaimedId, job: _Job) -> None:
    """Refuse an id that another scenario has, also in another case."""
    name, same = mine.name, _caseless(mine.name)
    first = job.claimed.setdefault(same, mine)
    other, where = first.name, first.shown
    if first != mine and other == name:
        what = f"its scenario_id {name!r} is already used by {where}"
        hint = mine.hint if mine.hint == first.hint else "Import one of the two."
        if where == mine.shown:
            what = f"{what} as {first.format}, and here as {mine.format}"
            hint = "Choose one with --input-format."
        raise AslibError(what, mine.shown, hint)
    if other == name and name not in job.taken:
        where = f"the lake {job.into}"
        other = next((current for current in job.taken if _caseless(current) == same), name)
    if other != name:
        what = f"its scenario_id {name!r} differs from {other!r} of {where} only in case"
        hint = "Rename one: many file systems take the two for one folder."
        raise AslibError(what, mine.shown, hint)


def _import(found: Found, job: _Job) -> Imported:
    location, format_ = found.location, found.format
    sources = in_unicode(format_.load(location))
    facts = _facts(location, sources)
    name = format_.identify(location, sources)
    _require_own_folder(_ClaimedId.of(name, found), job)
    known = versions.manifest(job.into, name)
    before = (known or {}).get("time_unit", "")
    if unit := before if job.time_unit is None else job.time_unit:
        facts["time_unit"] = unit
    if chosen := job.attributes.facts:
        facts["attributes"] = chosen
    decisive = (*facts, "time_unit", "attributes")
    if known is not None and all(known.get(k) == facts.get(k) for k in decisive):
        return Imported(location.shown, "unchanged", name, _rows(known))
    parsed = job.attributes.added(read_scenario(found, sources), location)
    if any(f.severity == "error" for f in parsed.findings):
        raise ScenarioError(location.shown, parsed.findings)
    if parsed.facts is not None:
        return _restored(location, name, parsed, known, job)
    facts["findings"] = [  # the file without the way to the scenario
        {**asdict(each), "file": each.file.removeprefix(location.file(""))} for each in parsed.findings
    ]
    tables = dict(parsed.tables)
    if unit:
        tables["scenario"] = _with_unit(tables["scenario"], unit)
    written, forgotten = _replace(name, tables, facts, job)
    return Imported(
        location.shown, "imported", name, _rows(written), parsed.missing, parsed.findings, forgotten
    )


def _restored(
    location: Location, name: str, parsed: Parsed, known: versions.Manifest | None, job: _Job
) -> Imported:
    """Store a scenario with all that another lake knew of it; nothing is added."""
    if job.time_unit is not None or job.attributes.facts:
        hint = "Import it without --time-unit, --family, --attributes and --features."
        raise AslibError("is imported as it was exported", location.shown, hint)
    said = parsed.facts or {}
    if known is not None and versions.content_of(known) == said:
        return Imported(location.shown, "unchanged", name, _rows(known))
    facts = {**said, "importer": __version__, "format": schema.FORMAT}
    lost: tuple[str, ...] = ()

    def change(current: versions.Version | None) -> transaction.VersionChange:
        nonlocal lost
        if current is not None:
            from aslib_eval.selections.store import left_behind

            lost = left_behind(current, parsed.tables, scenario_id=name, forget=job.forget)
        return transaction.VersionChange(parsed.tables, facts)

    written = transaction.write(job.into, name, change)
    return Imported(location.shown, "imported", name, _rows(written), forgotten=lost)


def _with_unit(scenario: pa.Table, unit: str) -> pa.Table:
    """The relation ``scenario`` with a unit of all times."""
    rows = [{**row, "time_unit": unit} for row in scenario.to_pylist()]
    return scenario.from_pylist(rows, scenario.schema)


def _replace(
    scenario_id: str, tables: Mapping[str, pa.Table], facts: versions.Manifest, job: _Job
) -> tuple[versions.Manifest, tuple[str, ...]]:
    """Store the new version, with the selections and splits of the old one."""
    forgotten: tuple[str, ...] = ()

    def change(current: versions.Version | None) -> transaction.VersionChange:
        nonlocal forgotten
        if current is None:
            return transaction.VersionChange(tables, facts)
        from aslib_eval.selections.store import carry_over

        more = carry_over(current, tables, scenario_id=scenario_id, forget=job.forget)
        forgotten = (*more.forgotten, *_attributes_gone(current, tables))
        return transaction.VersionChange({**tables, **more.tables}, {**facts, **more.facts})

    return transaction.write(job.into, scenario_id, change), forgotten


def _attributes_gone(current: versions.Version, tables: Mapping[str, pa.Table]) -> list[str]:
    """The attributes of a version that the next one does not have."""
    with suppress(AslibError):  # damaged: it is written anew
        before = attribute_names(current.table("attribute"))
        now = attribute_names(tables.get("attribute"))
        return [f"attribute {name}" for name in before if name not in now]
    return []


def _rows(manifest: versions.Manifest) -> tuple[tuple[str, int], ...]:
    return tuple((n, facts["rows"]) for n, facts in manifest["relations"].items())


def _facts(location: Location, sources: dict[str, Source]) -> versions.Manifest:
    """The facts that decide whether a scenario must be imported again."""
    return {
        "folder": location.folder,
        "importer": __version__,
        "format": schema.FORMAT,
        "sources": {
            name: {"bytes": len(source.content), "sha256": source.sha256}
            for name, source in sorted(sources.items())
        },
    }
