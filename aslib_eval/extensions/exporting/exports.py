"""A lake → a DuckDB file with the views inside, a SQLite file, plain files, or a snapshot."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Annotated

import duckdb
import polars as pl

from aslib_eval.atomic_files import (
    HINT,
    replace_files,
    replacing,
    replacing_file,
    require_folder,
    unwritable,
)
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import MEANING, TAG
from aslib_eval.database.sqlfiles import comments, find_sql, quoted
from aslib_eval.database.views import METRIC_COLUMNS, METRIC_ROW, Lineage, confine, create_views
from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.exporting.write import write_scenario
from aslib_eval.lake import versions
from aslib_eval.lake.schema import MANIFEST, PART, PREFIX, RELATIONS
from aslib_eval.lake.versions import Version, lease, scenario_ids
from aslib_eval.options import Lake, Option, Scenarios, public
from aslib_eval.paths import open_plain, read_plain
from aslib_eval.tables.to_text import FORMULA, NUMBER
from aslib_eval.text import nearest


def export_database(lake: OpenLake, to: Path) -> Path:
    """Write a DuckDB file: ``raw_*`` and all built results as tables, the others as views.

    It also has the macros and the protocols. DuckDB 1.2 and later read it. It replaces an existing file
    when it is complete.
    """
    _require_replaceable(to, "DuckDB", 8, b"DUCK")
    with replacing_file(to) as file:
        made = lake.connect(folders=[file.parent])
        with unwritable_by_duckdb(to):
            lake.prepare(lake.lineage.names, on=made)
            lake.describe_raw(made.con)
            _write_database(made.con, file, lake.lineage)
    return to


def _write_database(con: duckdb.DuckDBPyConnection, file: Path, known: Lineage) -> None:
    tables = [*(f"raw_{name}" for name in RELATIONS), "protocol", "metric", *known.names]
    # The oldest storage version: DuckDB 1.2 and later read our views in it.
    con.execute(f"attach {quoted(str(file))} as target (storage_version 'v1.0.0')")
    for name in tables:
        con.execute(f"create table target.{name} as from {name}")
    con.execute("detach target")
    with duckdb.connect(str(file)) as target:
        confine(target, file.parent)
        for statement in (c for name in tables for c in _comments(con, name)):
            target.execute(statement)
        create_views(target, known, tables=known.names)


def _comments(con: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    kind = "table" if name in {"protocol", "metric"} else "view"
    sql = f"select comment from duckdb_{kind}s() where {kind}_name = $1"  # noqa: S608
    about = con.execute(sql, [name]).fetchall()
    meanings = con.execute(
        "select column_name, comment from duckdb_columns() where table_name = $1", [name]
    ).fetchall()
    return comments(name, about[0][0], dict(meanings), kind="table")


def export_files(
    lake: OpenLake,
    to: Path,
    *,
    relations: Sequence[str] = (),
    format: str = "parquet",  # noqa: A002
) -> list[Path]:
    """Write one Parquet or CSV file per relation into the folder; all relations by default.

    A CSV file has an apostrophe before text that a spreadsheet would run (after = + - @, tab, CR); Parquet
    does not.
    """
    chosen = contracts(relations, lake.sql_dirs)
    with replacing(to) as draft:
        made = lake.connect(folders=[draft.path])
        lake.prepare(chosen, on=made)
        with unwritable_by_duckdb(to):
            for name in chosen:
                rows = _inert(made.con, name) if format == "csv" else f"from {name}"
                file = quoted(str(draft.path / f"{name}.{format}"))
                made.con.execute(f"copy ({rows}) to {file} (format {format})")
    return [to / f"{name}.{format}" for name in chosen]


def _inert(con: duckdb.DuckDBPyConnection, relation: str) -> str:
    """A query of the relation that makes text harmless in spreadsheets, like ``inert``."""
    columns = con.sql(f"describe from {relation}").fetchall()
    words = [
        f"""case when regexp_full_match({name}::varchar, '{FORMULA}')
            and not regexp_full_match({name}::varchar, '{NUMBER}')
            then '''' || {name}::varchar else {name}::varchar end as {name}"""
        for name, kind, *_ in columns
        if kind == "VARCHAR" or kind.startswith("ENUM")
    ]
    replaced = f" replace ({', '.join(words)})" if words else ""
    return f"select *{replaced} from {relation}"  # noqa: S608


@dataclass(frozen=True)
class Contract:
    """The grain of a relation, its key and the meaning of its columns."""

    row: str
    key: Sequence[str]
    columns: Mapping[str, str]


def contracts(relations: Sequence[str], sql_dirs: Sequence[Path]) -> dict[str, Contract]:
    """The contracts of these relations, in that order; of all if none is named."""
    known = {}
    for name, raw in RELATIONS.items():
        columns = {"scenario_id": "scenario, as text", **raw.meanings()}
        known[f"raw_{name}"] = Contract(f"One row per {raw.row}.", raw.key, columns)
    about = {**MEANING, "tag": TAG}
    known["protocol"] = Contract("One row per protocol.", ("protocol",), about)
    about = {name: meaning for name, (_, meaning) in METRIC_COLUMNS.items()}
    known["metric"] = Contract(METRIC_ROW, ("metric",), about)
    for file in find_sql(sql_dirs):
        if not file.is_macro:
            known[file.name] = Contract(file.row, file.key, file.columns)
    if unknown := sorted(set(relations) - known.keys()):
        hint = nearest(unknown, known) or "Try 'aslib-eval views'."
        raise AslibError(f"there is no relation {', '.join(unknown)}", "export", hint)
    return {name: known[name] for name in relations or known}


def _require_replaceable(to: Path, kind: str, at: int, start: bytes) -> None:
    """Refuse to replace a file of another kind; at, start: how a file of the kind begins."""
    if to.is_file() and to.stat().st_size:
        with unwritable(to), open_plain(to) as file:
            if file.read(at + len(start))[at:] != start:
                hint = "Choose another -o, or remove it first."
                raise AslibError(f"exists and is not a {kind} file", str(to), hint)


@contextmanager
def unwritable_by_duckdb(to: Path) -> Iterator[None]:
    """Turn errors of DuckDB and SQLite while writing into an AslibError that names the target."""
    try:
        with unwritable(to):
            yield
    except (UnicodeError, RuntimeError, duckdb.InvalidInputException):
        if not str(to).isprintable():  # DuckDB opens no such path
            raise AslibError("cannot be written (its name is not Unicode text)", str(to), HINT) from None
        raise
    except (duckdb.IOException, sqlite3.OperationalError) as error:
        raise AslibError(f"cannot be written ({str(error).splitlines()[0]})", str(to), HINT) from None


# A SQLite file, for tools that read neither DuckDB nor Parquet.

_WHOLE = re.compile(r"BOOLEAN|U?(INTEGER|(TINY|SMALL|BIG|HUGE)INT)")
_REAL = re.compile(r"FLOAT|DOUBLE|DECIMAL\(.*\)")
_NESTED = re.compile(r".*\]|(STRUCT|MAP)\(.*")


def export_sqlite(lake: OpenLake, to: Path, *, relations: Sequence[str] = ()) -> Path:
    """Write a SQLite file with one table per relation; all relations by default.

    The key in a relation's header is the table's primary key and orders its rows; the schema has the
    meaning of each column. Truth values are 0 and 1, lists are JSON. Infinities stay; NaN becomes null. The
    same lake gives the same bytes. The file replaces an existing one when it is complete.
    """
    _require_replaceable(to, "SQLite", 0, b"SQLite format 3\0")
    chosen = contracts(relations, lake.sql_dirs)
    with replacing_file(to) as file:
        lake.prepare(chosen)
        with unwritable_by_duckdb(to), closing(sqlite3.connect(file, isolation_level=None)) as target:
            # The whole file is synced when it is complete.
            target.execute("pragma journal_mode = off")
            target.execute("pragma synchronous = off")
            target.execute("begin")
            for name, contract in chosen.items():
                _write_table(lake.connection, target, name, contract)
            target.execute("commit")
    return to


def _write_table(
    con: duckdb.DuckDBPyConnection, target: sqlite3.Connection, name: str, contract: Contract
) -> None:
    table, key = identifier(name), ", ".join(map(identifier, contract.key))
    kinds = {column: kind for column, kind, *_ in con.sql(f"describe from {table}").fetchall()}
    columns = "".join(
        f"{identifier(c)} {_affinity(kind)}, -- {contract.columns.get(c, '')}\n"
        for c, kind in kinds.items()
    )
    target.execute(f"create table {table} ( -- {contract.row}\n{columns}primary key ({key}))")
    cells = ", ".join(_cell(column, kind) for column, kind in kinds.items())
    insert = f"insert into {table} values ({', '.join('?' * len(kinds))})"  # noqa: S608
    try:
        found = con.execute(f"select {cells} from {table} order by {key}")  # noqa: S608
        for rows in iter(lambda: found.fetchmany(10_000), []):
            target.executemany(insert, rows)
    except sqlite3.IntegrityError:
        what = f"{name} has two rows of one key ({', '.join(contract.key)})"
        raise AslibError(what, "export", "Correct 'key:' in its header.") from None
    except duckdb.ConversionException:
        what = f"{name} holds a whole number that SQLite cannot hold"
        raise AslibError(what, "export", "Make it a double in the view.") from None


def _affinity(kind: str) -> str:
    if _WHOLE.fullmatch(kind):
        return "INTEGER"
    return "REAL" if _REAL.fullmatch(kind) else "TEXT"


def _cell(column: str, kind: str) -> str:
    """A column in a type of SQLite: lists and structures are JSON."""
    name = identifier(column)
    if _NESTED.fullmatch(kind):
        return f"to_json({name})::varchar"
    kinds = {"INTEGER": "bigint", "REAL": "double", "TEXT": "varchar"}
    return f"{name}::{kinds[_affinity(kind)]}"


def identifier(name: str) -> str:
    """A name as a quoted identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


# Instance space analysis: a table of features and costs a scenario.

_COSTS = (
    "select scenario_id, instance_id::varchar as instance, solver as name, avg(cost) as value"
    " from instance_solver where kind = 'algorithm' group by all order by all"
)
_SOURCES = (
    "select scenario_id, instance_id::varchar as instance, value as source"
    " from raw_attribute where attribute = 'family'"
)


def export_instance_space(lake: OpenLake, to: Path) -> tuple[list[Path], list[str]]:
    """Write ``SCENARIO/metadata.csv`` for tools of instance space analysis.

    One row per instance: its name, its family as ``Source`` if known, a column ``feature_…`` for each
    feature (mean over repetitions, or empty) and ``algo_…`` for each algorithm (mean cost under the
    protocol; lower is better). Also gives the names of scenarios without features, which are left out.

    Source: Smith-Miles and Munoz 2023, Instance space analysis.
    """
    costs, sources = lake.ask(_COSTS), lake.ask(_SOURCES)
    tables, without = {}, []
    for (scenario,), rows in costs.group_by(["scenario_id"], maintain_order=True):
        features = lake.ask("feature_values", {"scenario": str(scenario), "features": None}).sort("name")
        if not features.height:
            without.append(str(scenario))
            continue
        family = sources.filter(scenario_id=scenario).select("instance", "source")
        table = rows.select("instance").unique(maintain_order=True)
        if family.height:
            table = table.join(family, on="instance", how="left")
        values = features.rename({"instance_id": "instance"})
        for kind, long in (("feature", values), ("algo", rows)):
            wide = long.pivot("name", index="instance", values="value")
            heads = {n: f"{kind}_{n}" for n in wide.columns if n != "instance"}
            table = table.join(wide.rename(heads), on="instance", how="left")
        tables[str(scenario)] = table.rename({"instance": "Instances", "source": "Source"}, strict=False)
    if not tables:
        raise AslibError("no scenario has features of its instances", "export")
    files = {f"{n}/metadata.csv": t.write_csv().encode() for n, t in tables.items()}
    return replace_files(to, files), without


# ASlib folders of the scenarios of a lake.

# Relations that the format has no place for.
_LEFT_OUT = {"selection", "outcome", "selector", "answer"}


@public
def write_from_lake(
    lake: str | PathLike[str],
    scenario_id: str,
    to: str | Path,
    *,
    cv_scheme: str | None = "aslib",
    replace: bool = False,
) -> tuple[Finding, ...]:
    """Write a scenario of the lake as the folder ``to``, as ``write_scenario`` does.

    ``cv_scheme`` is the split that becomes cv.arff, such as a generated one; None writes none. A split with
    instances that are only trained on does not fit into cv.arff. The format has no place for selections,
    answers and roles of algorithms in competitions: they are left out.

    scenario_id: of the scenario. replace: as of ``write_scenario``.

    >>> findings = ae.write_from_lake("lake", "TOY-2026", "published")
    >>> [each for each in findings if each.severity == "error"]
    []
    """
    with versions.leased(Path(lake), scenario_id) as version:
        if version is None:
            raise AslibError(f"holds no scenario {scenario_id!r}", str(lake), "Try 'aslib-eval list'.")
        tables = {
            name: version.table(name) for name in version.manifest()["relations"] if name not in _LEFT_OUT
        }
    if "algorithm" in tables:
        tables["algorithm"] = pl.DataFrame(tables["algorithm"]).drop("role", strict=False)
    folds = pl.DataFrame(tables.pop("fold")) if "fold" in tables else None
    if folds is not None and cv_scheme is not None:
        tables["fold"] = _as_cv(folds, cv_scheme, scenario_id)
    return write_scenario(tables, to, scenario_id=scenario_id, replace=replace)


def folders_from_lake(
    lake: str | PathLike[str], to: Path, *, scenarios: Sequence[str] = (), cv_scheme: str = "aslib"
) -> tuple[list[Path], list[AslibError]]:
    """Write scenarios of the lake below ``to``, each under the name of its folder.

    ``scenarios`` are globs on ids and folder names; none means all. Returns the folders, and an error for
    each scenario that was not written.
    """
    require_folder(to)
    opened = open_lake(lake, scenarios=scenarios)
    sql = "select distinct scenario_id, folder from raw_scenario order by all"
    written, refused = [], []
    for scenario_id, folder in opened.rows(sql):
        if folder in {"", ".", ".."} or "/" in folder:
            what = f"its folder {folder!r} is not a plain name"
            refused.append(AslibError(what, scenario_id, "Import it again."))
            continue
        try:
            write_from_lake(lake, scenario_id, to / folder, cv_scheme=cv_scheme)
            written.append(to / folder)
        except AslibError as error:
            refused.append(error)
    return written, refused


def _as_cv(folds: pl.DataFrame, cv_scheme: str, scenario_id: str) -> pl.DataFrame:
    """The rows of one split, under the name of cv.arff."""
    has = folds["cv_scheme"].unique().sort().to_list()
    rows = folds.filter(pl.col("cv_scheme") == cv_scheme)
    missing = not rows.height and (cv_scheme != "aslib" or "split" in has)
    if missing or rows["fold"].null_count():
        hint = f"It has {', '.join(has)}; cv_scheme=None writes no cv.arff."
        raise AslibError(f"has no cv_scheme {cv_scheme!r} that cv.arff could hold", scenario_id, hint)
    return rows.with_columns(pl.lit("aslib").alias("cv_scheme"))


@public
def snapshot(
    lake: Lake,
    to: Annotated[str | Path, Option("The new folder.", flags="", metavar="DIR")],
    *,
    scenarios: Scenarios = (),
) -> list[str]:
    """Copy a lake into a new folder without links; gives the scenarios in it.

    The folder holds ``<relation>/scenario_id=<id>/part-0.parquet`` and ``<id>.json``, one version of each
    scenario. It appears when it is complete.

    lake: its folder. to: the new one. scenarios: globs on ids and folder names; none means all.

    >>> ae.lake_snapshot("lake", "copy")
    ['TOY-2026']
    """
    lake, to = Path(lake), Path(to)
    _require_new(to)
    home, hint = to.absolute().parent, "Choose another folder."
    with replacing(home, shown=to, hint=hint, whole=True) as draft:
        with unwritable(to, hint=hint):
            copied = _copied(lake, draft.path / to.name, scenarios)
        if not copied:
            raise AslibError("there is no scenario to copy", str(lake), "Try 'aslib-eval list'.")
        _require_new(to)
    return copied


def _require_new(folder: Path) -> None:
    if os.path.lexists(folder):
        raise AslibError("exists already", str(folder), "Name a new folder.")


def _copied(lake: Path, to: Path, globs: Sequence[str]) -> list[str]:
    copied = []
    with lease(lake) as held:
        for version in map(held.version, scenario_ids(lake)):
            names = () if version is None else (version.scenario_id, version.manifest().get("folder", ""))
            if version and any(fnmatchcase(name, glob) for name in names for glob in globs or ["*"]):
                _copy(version, to)
                copied.append(version.scenario_id)
    return copied


def _copy(held: Version, to: Path) -> None:
    home = held.path.parent.name
    for relation, facts in held.manifest()["relations"].items():
        content = read_plain(held.file(relation))
        if hashlib.sha256(content).hexdigest() != facts["sha256"]:
            hint = "Import the scenario again."
            raise AslibError(f"{relation} of {held.scenario_id} is damaged", str(held.file(relation)), hint)
        folder = to / relation / home
        folder.mkdir(parents=True)
        (folder / PART).write_bytes(content)
    (to / f"{home.removeprefix(PREFIX)}.json").write_bytes(read_plain(held.path / MANIFEST))
