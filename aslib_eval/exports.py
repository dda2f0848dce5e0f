"""A lake → one DuckDB file with the views inside, or one plain file a relation."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from aslib_eval.atomic_files import (
    HINT,
    replace_files,
    replacing,
    replacing_file,
    require_file,
    require_folder,
    unwritable,
)
from aslib_eval.database.connect import confine, connect, create_views, open_lake, store
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import ask, comments, find_sql
from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.aslib.write import write_scenario
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.tables.to_csv import FORMULA, NUMBER

FORMATS = ("parquet", "csv")


def export_database(
    lake: Path,
    to: Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
) -> Path:
    """Write a DuckDB file: ``raw_*`` as tables, the protocols, every macro and view.

    An existing file is replaced when the new one is complete.

    Raises:
        AslibError: when it cannot be written, or for what ``connect`` refuses.
    """
    require_file(to)
    _require_replaceable(to)
    with replacing_file(to) as file:
        con = open_lake(
            lake,
            protocols=protocols,
            scenarios=scenarios,
            sql_dirs=sql_dirs,
            folders=[file.parent],
        )
        with _unwritable(to):
            _write_database(con, file, sql_dirs)
    return to


def _write_database(
    con: duckdb.DuckDBPyConnection, file: Path, sql_dirs: Sequence[Path]
) -> None:
    tables = [*(f"raw_{name}" for name in RELATIONS), "protocol", "metric"]
    con.execute(f"attach '{_quoted(file)}' as target")
    for name in tables:
        con.execute(f"create table target.{name} as from {name}")
    con.execute("detach target")
    with duckdb.connect(str(file)) as target:
        confine(target, file.parent)
        for statement in (c for name in tables for c in _comments(con, name)):
            target.execute(statement)
        create_views(target, sql_dirs)


def _comments(con: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """The comments on a relation, as statements for a table of the same name."""
    kind = "view" if name.startswith("raw_") else "table"
    sql = f"select comment from duckdb_{kind}s() where {kind}_name = $1"  # noqa: S608
    about = con.execute(sql, [name]).fetchall()
    meanings = con.execute(
        "select column_name, comment from duckdb_columns() where table_name = $1",
        [name],
    ).fetchall()
    return comments(name, about[0][0], dict(meanings), kind="table")


def export_files(
    lake: Path,
    to: Path,
    *,
    relations: Sequence[str] = (),
    format: str = "parquet",  # noqa: A002
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
) -> list[Path]:
    """Write one Parquet or CSV file a relation into the folder; all by default.

    In a CSV file, text that a spreadsheet would run (after = + - @, tab, CR) has an
    apostrophe before it; Parquet holds it as it is.

    Raises:
        AslibError: for an unknown relation or format, or if the folder cannot be
            written.
    """
    if format not in FORMATS:
        hint = f"Name one of {', '.join(FORMATS)}."
        raise AslibError(f"there is no format {format!r}", "export", hint)
    require_folder(to)
    raw = [f"raw_{name}" for name in RELATIONS]
    views = [f.name for f in find_sql(sql_dirs) if not f.is_macro]
    known = [*raw, "protocol", "metric", *views]
    if unknown := sorted(set(relations) - set(known)):
        hint = "Try 'aslib-eval views'."
        raise AslibError(f"no relation {', '.join(unknown)}", "export", hint)
    names = [f"{name}.{format}" for name in relations or known]
    with replacing(to) as draft:
        con = open_lake(
            lake,
            protocols=protocols,
            scenarios=scenarios,
            sql_dirs=sql_dirs,
            folders=[draft.path],
        )
        store(con)
        with _unwritable(to):
            for name in names:
                file = _quoted(draft.path / name)
                relation = name.removesuffix(f".{format}")
                csv = format == "csv"
                rows = _inert(con, relation) if csv else f"from {relation}"
                con.execute(f"copy ({rows}) to '{file}' (format {format})")
    return [to / name for name in names]


def _inert(con: duckdb.DuckDBPyConnection, relation: str) -> str:
    """A query of the relation whose text no spreadsheet runs, as ``inert`` makes it."""
    columns = con.sql(f"describe from {relation}").fetchall()
    words = [
        f"""case when regexp_full_match({name}::varchar, '{FORMULA}')
            and not regexp_full_match({name}::varchar, '{NUMBER}')
            then '''' || {name}::varchar else {name}::varchar end as {name}"""
        for name, kind, *_ in columns
        if kind == "VARCHAR" or kind.startswith("ENUM")
    ]
    if not words:
        return f"from {relation}"
    return f"select * replace ({', '.join(words)}) from {relation}"  # noqa: S608


def _require_replaceable(to: Path) -> None:
    """A file that is no DuckDB database is somebody's: leave it."""
    if to.is_file() and to.stat().st_size:
        with to.open("rb") as file:
            if file.read(12)[8:] != b"DUCK":
                hint = "Choose another -o, or remove it first."
                raise AslibError("exists and is no DuckDB file", str(to), hint)


@contextmanager
def _unwritable(to: Path) -> Iterator[None]:
    """What DuckDB cannot write becomes an AslibError that names the target."""
    try:
        with unwritable(to):
            yield
    except duckdb.IOException as error:
        what = f"cannot be written ({str(error).splitlines()[0]})"
        raise AslibError(what, str(to), HINT) from None


def _quoted(path: Path) -> str:
    return os.fspath(path).replace("'", "''")


# ASlib folders of the scenarios of a lake.

_SELECTIONS = {"selection", "outcome", "selector"}


def write_from_lake(
    lake: str | Path,
    scenario_id: str,
    to: str | Path,
    *,
    cv_scheme: str | None = "aslib",
    replace: bool = False,
) -> tuple[Finding, ...]:
    """Write a scenario of the lake as the folder ``to``, as ``write_scenario`` does.

    ``cv_scheme`` is the split that becomes cv.arff, a generated one for instance;
    None writes none. Selections are no part of the format and are left out.

    Raises:
        AslibError: also when the lake does not hold the scenario or the split, or if
            the split has instances that are only trained on, which cv.arff cannot say.
    """
    lease = versions.lease(Path(lake), scenario_id)
    if lease is None:
        hint = "Try 'aslib-eval list'."
        raise AslibError(f"holds no scenario {scenario_id!r}", str(lake), hint)
    try:
        tables = {
            name: lease.table(name)
            for name in lease.manifest()["relations"]
            if name not in _SELECTIONS
        }
    finally:
        lease.release()
    folds = pl.DataFrame(tables.pop("fold")) if "fold" in tables else None
    if folds is not None and cv_scheme is not None:
        tables["fold"] = _as_cv(folds, cv_scheme, scenario_id)
    return write_scenario(tables, to, scenario_id=scenario_id, replace=replace)


def folders_from_lake(
    lake: str | Path,
    to: Path,
    *,
    scenarios: Sequence[str] = (),
    cv_scheme: str = "aslib",
) -> tuple[list[Path], list[AslibError]]:
    """Write scenarios of the lake below ``to``, each under the name of its folder.

    ``scenarios`` are globs on ids and folder names; none means all. Returns what was
    written, and why a scenario was not, see ``write_from_lake``.

    Raises:
        AslibError: as ``connect`` does.
    """
    require_folder(to)
    con = connect(lake, scenarios=scenarios, stored=False)
    sql = "select distinct scenario_id, folder from raw_scenario order by all"
    written, refused = [], []
    for scenario_id, folder in con.sql(sql).fetchall():
        try:
            write_from_lake(lake, scenario_id, to / folder, cv_scheme=cv_scheme)
            written.append(to / folder)
        except AslibError as error:
            refused.append(error)
    return written, refused


def _as_cv(folds: pl.DataFrame, cv_scheme: str, scenario_id: str) -> pl.DataFrame:
    """The rows of one split, under the name that those of cv.arff have."""
    has = folds["cv_scheme"].unique().sort().to_list()
    rows = folds.filter(pl.col("cv_scheme") == cv_scheme)
    missing = not rows.height and (cv_scheme != "aslib" or "split" in has)
    if missing or rows["fold"].null_count():
        what = f"has no cv_scheme {cv_scheme!r} that cv.arff could hold"
        hint = f"It has {', '.join(has)}; cv_scheme=None writes no cv.arff."
        raise AslibError(what, scenario_id, hint)
    return rows.with_columns(pl.lit("aslib").alias("cv_scheme"))


# Stored selections → OASC schedules: JSON, instance → list of steps.

Schedule = list[str | list[str | float]]


def write_schedules(
    lake: Path,
    to: Path,
    *,
    scenarios: Sequence[str] = (),
    selectors: Sequence[str] = (),
    cv_scheme: str = "aslib",
) -> list[Path]:
    """Write ``to/<scenario folder>/<selector>.json`` for every stored selection.

    All selectors that answered on the scheme, if none is named; files of that name
    are replaced. A step is a feature step's name, or [algorithm, budget], where the
    cutoff stands for no budget of its own, and the name alone where there is no
    cutoff. Gives the files. Importing them gives selections of the same scores.

    Raises:
        AslibError: when there is nothing to write, if a selector answered several
            repetitions, which the format cannot tell apart, if a name makes no file
            name, or if the folder cannot be written; nothing is written then.
    """
    con = connect(lake, scenarios=scenarios)
    asked = {"scheme": cv_scheme, "selectors": list(selectors) or None}
    folders = dict(con.sql("select scenario_id, folder from raw_scenario").fetchall())
    files: dict[str, dict[str, Schedule]] = {}
    repetition_of: dict[str, int] = {}
    for row in ask(con, "schedules", asked).fetchall():
        scenario, selector, repetition, *step, _ = row
        file = f"{_plain(folders[scenario])}/{_plain(selector)}.json"
        if repetition_of.setdefault(file, repetition) != repetition:
            what = f"{selector} answered several repetitions of {cv_scheme}"
            hint = "A schedule file holds one: train on a scheme of one repetition."
            raise AslibError(what, scenario, hint)
        _add(files.setdefault(file, {}), *step)
    if not files:
        what = f"holds no selection made on {cv_scheme!r}"
        raise AslibError(what, str(lake), "Try 'aslib-eval train'.")
    texts = {name: schedules_text(found).encode() for name, found in files.items()}
    hint = "Choose another folder; nothing was changed."
    return replace_files(to, texts, hint=hint)


def _plain(name: str) -> str:
    """A name that is a file name as it stands."""
    if not name or name.startswith(".") or {"/", "\\", "\0"} & set(name):
        raise AslibError(f"{name!r} is no name for a file", None, "Rename it.")
    return name


def _add(
    schedules: dict[str, Schedule],
    instance: str,
    action: str,
    name: str,
    budget: float | None,
) -> None:
    steps = schedules.setdefault(instance, [])
    if action == "algorithm" and budget is not None:
        steps.append([name, budget])
    elif action != "none":
        steps.append(name)


def schedules_text(schedules: dict[str, Schedule]) -> str:
    """The JSON text, a line for each instance."""
    lines = (f"{_json(name)}: {_json(steps)}" for name, steps in schedules.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
