"""A lake for other tools, and scenarios as folders of the format: ``export``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from aslib_eval.commands import Protocols, opened, silent
from aslib_eval.errors import OptionError
from aslib_eval.options import Lake, Note, Option, Scenarios, SqlDirs, public

ExportFormat = Literal["duckdb", "sqlite", "parquet", "csv", "dataset", "aslib", "instancespace"]


@public
def export(  # noqa: PLR0913 - one for each option
    output: Annotated[
        str | Path,
        Option(
            "Write to this file (formats duckdb and sqlite) or into this folder (other formats).",
            flags="-o --output",
            metavar="FILE|DIR",
        ),
    ],
    lake: Lake = "lake",
    *,
    relations: Annotated[Sequence[str], Option("Which relations.", flags="", metavar="[RELATION]...")] = (),
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    format: Annotated[  # noqa: A002
        ExportFormat,
        Option(
            "duckdb: one file with all tables and views. sqlite: one file with all tables. parquet, csv: "
            "one file per table (csv puts an apostrophe before text that a spreadsheet would run as a "
            "formula). dataset: a folder for publication, which 'aslib-eval import' can read. It holds the "
            "imported data, metadata, hashes and the RELATIONs (without RELATION: only the results of all "
            "scenarios and solvers). aslib: one folder of ARFF files per scenario. "
            "instancespace: one file metadata.csv per scenario, for instance space analysis."
        ),
    ] = "duckdb",
    scheme: Annotated[
        str | None,
        Option(
            "With {format} aslib: write this cross-validation scheme to cv.arff.",
            shown="aslib",
            goes_with="format=aslib",
        ),
    ] = None,
    note: Note = silent,
) -> list[Path]:
    """Export results or scenarios of the lake for other tools.

    relations: for ``sqlite``, ``parquet`` and ``csv``; none for all. For a ``dataset`` the results beside
    all data; none for those with one row per scenario, solver or pair of solvers. ``note`` is called with
    each scenario that cannot be written.

    >>> [file.name for file in ae.export("lake.duckdb", "lake")]
    ['lake.duckdb']
    """
    from aslib_eval.extensions.exporting import exports

    to = Path(output)
    _require(to, format, relations)
    if format == "aslib":
        written, refused = exports.folders_from_lake(
            lake, to, scenarios=scenarios, cv_scheme=scheme or "aslib"
        )
        for error in refused:
            note(str(error))
        return written
    lake = opened(lake, scenarios, protocols, sql_dirs)
    if format == "instancespace":
        if len(lake.protocols) > 1:
            raise OptionError("--format instancespace needs a single --protocol")
        written, without = exports.export_instance_space(lake, to)
        for scenario in without:
            note(f"left out: {scenario} has no features")
        return written
    if format == "duckdb":
        return [exports.export_database(lake, to)]
    if format == "dataset":
        from aslib_eval.extensions.exporting.dataset import export_dataset

        return export_dataset(lake, to, relations=relations)
    if format == "sqlite":
        return [exports.export_sqlite(lake, to, relations=relations)]
    return exports.export_files(lake, to, relations=relations, format=format)


def _require(to: Path, format_: ExportFormat, relations: Sequence[str]) -> None:
    """Refuse names of relations that have no effect, and an output that cannot be written."""
    from aslib_eval.atomic_files import require_file, require_folder

    if relations and format_ in {"aslib", "instancespace"}:
        raise OptionError("this format holds whole scenarios: name no relations")
    if relations and format_ == "duckdb":
        raise OptionError("a DuckDB file holds all relations: name no relations")
    if format_ in {"duckdb", "sqlite"}:
        require_file(to)
    elif format_ != "dataset":  # which looks itself
        require_folder(to)
