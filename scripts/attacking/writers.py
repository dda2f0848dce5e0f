"""Everything that writes: what is there before, what it does, what is there after."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError
from attacking.child import call, command
from attacking.samples import SELECTIONS, TOY, run_plan

State = dict[str, str]  # what can be told apart → a hash of it
_VERSION = re.compile(r"\bv-[^/]+")
_LOGGED = 17  # lines of the whole log of ``run_plan``


@dataclass(frozen=True)
class Writer:
    """One command that replaces something old.

    ``prepare`` and ``act`` work in a folder; ``state`` reads what a user would see of the result, and
    raises if it is torn.
    """

    prepare: Callable[[Path], None]
    act: Callable[[Path], None]
    state: Callable[[Path], State]
    slow: bool = False


def names(folder: Path) -> set[str]:
    """Every path below a folder; the names of versions are all the same."""
    return {_VERSION.sub("v-", str(path.relative_to(folder))) for path in folder.rglob("*")}


def state_of(writer: Writer, folder: Path) -> State | str:
    """The state, read in a child, or what went wrong in reading it."""
    ended = call(lambda: print(json.dumps(writer.state(folder))))
    if ended.code:
        return ended.fault or ended.errors.strip()
    found: State = json.loads(ended.output)
    return found


# --- lakes --------------------------------------------------------------------------


def _old_toy(folder: Path) -> Path:
    """TOY-2026 with other runtimes and without its ground truth."""
    path = folder / "old" / "TOY-2026"
    shutil.copytree(TOY, path)
    runs = path / "algorithm_runs.arff"
    runs.write_text(runs.read_text().replace(",20,ok", ",15,ok"))
    (path / "ground_truth.arff").unlink()
    return path


def _new_toy(folder: Path) -> Path:
    path = folder / "new" / "TOY-2026"
    shutil.copytree(TOY, path)
    return path


def _lakes(folder: Path) -> None:
    """``lake`` holds the old scenario, ``newer`` the new one, both a selection."""
    said = SELECTIONS / "rf.json"
    for name, made in (("lake", _old_toy(folder)), ("newer", _new_toy(folder))):
        into = ("--lake", folder / name)
        _done("import", made, *into)
        _done("import-selection", "mine", said, "--scenario", "TOY-2026", *into)


def _done(*words: object) -> None:
    """A command in a child, which must go well."""
    ended = call(lambda: command(*words))
    if ended.code:
        raise RuntimeError(ended.errors)


def _lake(folder: Path) -> State:
    """A hash of all files of the scenario, found as a reader of Parquet finds them."""
    files = sorted((folder / "lake").glob("[!.]*/scenario_id=TOY-2026/*"))
    found = {str(path.relative_to(folder)): _file(path) for path in files}
    if not found:
        raise FileNotFoundError(folder / "lake")
    whole = hashlib.sha256(json.dumps(found).encode()).hexdigest()
    return {"TOY-2026": whole}


def _on_lake(*words: str) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        filled = [word.format(folder=folder) for word in words]
        command(*filled, "--lake", folder / "lake")

    return act


def _of_lake(*words: str) -> Writer:
    return Writer(_lakes, _on_lake(*words), _lake, slow=words[0] == "train")


# --- files --------------------------------------------------------------------------


def _file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _database(path: Path) -> str:
    """A hash of all rows of a DuckDB file."""
    import duckdb

    with duckdb.connect(path, read_only=True) as con:
        tables = con.sql("select table_name from duckdb_tables() order by 1").fetchall()
        rows = [con.table(t).order("all").fetchall() for (t,) in tables]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _files(*globs: str) -> Callable[[Path], State]:
    """Files with these names, once what was begun is completed; no hidden ones."""

    def state(folder: Path) -> State:
        from aslib_eval.atomic_files import mend

        for home in {folder, *(path.parent for glob in globs for path in folder.glob(glob))}:
            mend(home)  # what any next writer does first
        found = {
            str(path.relative_to(folder)): _database(path) if path.suffix == ".duckdb" else _file(path)
            for glob in globs
            for path in folder.glob(glob)
            if path.is_file() and "/." not in str(path.relative_to(folder.parent))
        }
        return dict(sorted(found.items()))

    return state


def _made_of(lake: str, *words: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        filled = [word.format(folder=folder) for word in words]
        command(*filled, "--lake", folder / lake)

    return make


def _to_files(globs: tuple[str, ...], *words: str) -> Writer:
    """A command that writes files from a lake: first of the old one, then the new."""

    def prepare(folder: Path) -> None:
        _lakes(folder)
        _more(folder)
        ended = call(lambda: _made_of("lake", *words)(folder))
        if ended.code:
            raise RuntimeError(ended.errors)

    slow = words[0] == "report"
    return Writer(prepare, _made_of("newer", *words), _files(*globs), slow=slow)


_MANIFEST = """output = "paper"
[[table]]
name = "closed_gap"
file = "gap.tex"
[[table]]
name = "par10"
file = "deep/par10.csv"
[[macros]]
name = "par10"
file = "numbers.tex"
"""


def _more(folder: Path) -> None:
    (folder / "aslib-eval.toml").write_text(_MANIFEST)


def _write_scenario(lake: str) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        from aslib_eval.extensions.exporting.exports import write_from_lake

        to = folder / "made" / "S"
        try:
            write_from_lake(folder / lake, "TOY-2026", to, replace=True)
        except AslibError as error:  # as the command line does
            raise SystemExit(_said(error)) from None

    return act


def _said(error: AslibError) -> int:
    sys.stderr.write(f"{error}\n")
    return 1


def _with_scenario(folder: Path) -> None:
    _lakes(folder)
    (folder / "made").mkdir()
    ended = call(lambda: _write_scenario("lake")(folder))
    if ended.code:
        raise RuntimeError(ended.errors)


_O = "{folder}/out"


def _export_aslib(folder: Path) -> None:
    """Replaces nothing: a folder that is there is left to whoever made it."""
    if not (folder / "out" / "TOY-2026").exists():
        _made_of("newer", "export", "-o", _O, "--format", "aslib")(folder)


# --- the log of plan runs -----------------------------------------------------------


def _log(folder: Path) -> State:
    """A log that is not complete counts as none: its runs come first the next time."""
    path = folder / "runs.csv"
    content = path.read_bytes() if path.exists() else b""
    if content.count(b"\n") < _LOGGED:
        return {}
    return {"runs.csv": hashlib.sha256(content).hexdigest()}


def _nothing(folder: Path) -> None:
    del folder


WRITERS: Mapping[str, Writer] = {
    "import": _of_lake("import", "{folder}/new/TOY-2026"),
    "import-selection": _of_lake(
        *("import-selection", "mine", str(SELECTIONS / "asap.json")),
        *("--scenario", "TOY-2026"),
    ),
    "resample": _of_lake("resample", "--seed", "3", "--format", "csv"),
    "train": _of_lake("train", "sunny", "--jobs", "1"),
    "export-duckdb": _to_files(
        ("out.duckdb",), "export", "-o", f"{_O}.duckdb", "--format", "duckdb"
    ),
    "export-sqlite": _to_files(
        ("out.sqlite",), "export", "solver_score", "scenario_baseline",
        "-o", f"{_O}.sqlite", "--format", "sqlite",
    ),
    "export-parquet": _to_files(
        ("out/**/*",), "export", "solver_score", "scenario_baseline",
        "-o", _O, "--format", "parquet",
    ),
    "export-csv": _to_files(
        ("out/**/*",), "export", "solver_score", "scenario_baseline",
        "-o", _O, "--format", "csv",
    ),
    "export-aslib": Writer(_lakes, _export_aslib, _files("out/**/*")),
    "table": _to_files(("gap.tex",), "table", "closed_gap", "-o", "{folder}/gap.tex"),
    "score": _to_files(("s.csv",), "score", "-o", "{folder}/s.csv"),
    "score-parquet": _to_files(("s.parquet",), "score", "-o", "{folder}/s.parquet"),
    "report": _to_files(("report/**/*",), "report", "-o", "{folder}/report"),
    "paper": _to_files(
        ("paper/**/*", "*.lock.json"), "paper", "build", "{folder}/aslib-eval.toml"
    ),
    "write-scenario": Writer(
        _with_scenario, _write_scenario("newer"), _files("made/S/*")
    ),
    "plan-runs": Writer(_nothing, lambda f: run_plan(f / "runs.csv"), _log),
}  # fmt: skip
