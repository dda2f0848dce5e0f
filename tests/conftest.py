"""What the tests share: the real data, a lake of it, and scenarios made on the spot."""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

# As the command line has it: threads of BLAS busily wait for arrays that are larger than those here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import duckdb
import hypothesis
import pytest

import aslib_eval as ae
from aslib_eval.analysis import results as scenario_results
from aslib_eval.database import open_lake as database
from aslib_eval.database.protocol import ORDERING, Protocol
from aslib_eval.database.views import create_ours, fill_metric, lineage, new_connection
from aslib_eval.selections import import_selections
from tests.browser import Browser

# A busy machine and a checkout that cannot be written to change no verdict.
hypothesis.settings.register_profile("aslib-eval", deadline=None, database=None, derandomize=True)
hypothesis.settings.load_profile("aslib-eval")


def _write_into_memory() -> None:
    """Let what is temporary lie in memory, where there is much, and go at the end.

    The tests make 160,000 small files and folders, which cost a disk minutes. ``TMPDIR`` names another
    place, and there pytest keeps the files for a while.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own in it
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK):
        return
    if shutil.disk_usage(memory).free > 4 << 30:
        folder = tempfile.mkdtemp(prefix="aslib-eval-tests-", dir=memory)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["TMPDIR"] = tempfile.tempdir = folder


_write_into_memory()

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
Row = tuple[Any, ...]
# Columns of files, with their types.
RUN = {"instance_id": "STRING", "repetition": "NUMERIC", "algorithm": "STRING"}
POINT = {**RUN, "elapsed": "NUMERIC", "objective": "NUMERIC"}
CV = {"instance_id": "STRING", "repetition": "NUMERIC", "fold": "NUMERIC"}


# What --passed=FILE names: a run goes on where another one ended that may have had less to run with. What
# was skipped there is not among them.
PASSED: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run leave out what has passed before.

    The file stands behind a ``=``: pytest takes one that is there for a test otherwise.
    """
    what = "leave out the tests that are named in FILE, and add those that pass"
    parser.addoption("--passed", metavar="FILE", help=what)


def pytest_configure(config: pytest.Config) -> None:
    """Keep what the tests cache in a folder of their own, which all workers share."""
    file = config.getoption("--passed")
    if file and Path(file).exists():
        PASSED.update(Path(file).read_text(encoding="utf-8").splitlines())
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.mkdtemp(prefix="aslib-eval-tests-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["ASLIB_CACHE"] = folder


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among tests and modules, which stay: it takes a quarter.

    Old versions of Hypothesis ask the collector who holds a generator of theirs.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        if hypothesis.__version_info__ >= (6, 170):
            gc.collect()
            gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that have passed."""
    left_out = [item for item in items if item.nodeid in PASSED]
    items[:] = [item for item in items if item.nodeid not in PASSED]
    config.hook.pytest_deselected(items=left_out)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test has passed if its call has, and what follows has not failed."""
    if report.failed:
        PASSED.discard(report.nodeid)
    elif report.when == "call" and report.passed:
        PASSED.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write which tests have passed, once for all workers."""
    file = session.config.getoption("--passed")
    if file and "PYTEST_XDIST_WORKER" not in os.environ:
        names = "".join(f"{name}\n" for name in sorted(PASSED))
        Path(file).write_text(names, encoding="utf-8")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real scenarios and reference values that lie beside the checkout."""
    if not SHARED.is_dir():
        if os.environ.get("CI"):
            pytest.fail("the shared data must lie beside the checkout in CI")
        pytest.skip("needs the real scenarios in ../shared")
    return SHARED


Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """A folder by its name, which the first worker that asks for it fills for all."""
    mine = tmp_path_factory.getbasetemp()
    home = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine

    def shared_folder(name: str, fill: Callable[[Path], object]) -> Path:
        folder = home / f"shared-{name}"
        with (home / f"shared-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                making = home / f"shared-{name}.new"
                shutil.rmtree(making, ignore_errors=True)  # of one that failed
                making.mkdir()
                fill(making)
                making.rename(folder)
        return folder

    return shared_folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium; on Debian ``apt-get install --no-install-recommends chromium``."""
    programs = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        what = "needs Chromium: apt-get install --no-install-recommends chromium"
        if os.environ.get("CI"):
            pytest.fail(what)
        pytest.skip(what)
    found = Browser(program, tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def real_lake(shared: Path, once: Once) -> Path:
    """All real scenarios, imported."""

    def fill(folder: Path) -> None:
        outcomes = ae.import_scenarios([shared / "aslib"], into=folder / "lake")
        assert [o.error for o in outcomes if o.error] == []

    return once("real", fill) / "lake"


SMALL = ("CSP-Minizinc-Obj-2016", "CSP-Minizinc-Time-2016")


@pytest.fixture(scope="session")
def small_lake(shared: Path, once: Once) -> Path:
    """The smallest real scenarios, one of qualities and one of times, for the first stage."""

    def fill(folder: Path) -> None:
        ae.import_scenarios([shared / "aslib" / name for name in SMALL], into=folder / "lake")

    return once("small", fill) / "lake"


# A fixture of a real lake: that of the smallest scenarios, and of all in the second stage.
REAL_LAKES = ("small_lake", pytest.param("real_lake", marks=pytest.mark.slow))


@pytest.fixture(scope="session")
def toy(once: Once) -> Path:
    """A lake of the scenario TOY-2026 and its selections, to be read only."""

    def fill(folder: Path) -> None:
        ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=folder / "lake")
        import_selections(ROOT / "scenarios" / "selections", lake=folder / "lake")

    return once("toy", fill) / "lake"


@pytest.fixture(scope="session")
def four_systems(once: Once) -> Path:
    """A lake of lab.FOUR on six instances in three folds, to be read only."""
    from tests.lab import FOUR, OBJECTIVE

    def fill(folder: Path) -> None:
        runs = [
            (f"i{at}", 1, system, value, "ok")
            for system, some in FOUR.items()
            for at, value in enumerate(some, 1)
        ]
        folds = {f"i{at}": 1 + at % 3 for at in range(1, 7)}
        made = write_scenario(folder / "S", runs=runs, measures=OBJECTIVE, folds=folds)
        ae.import_scenarios([made], into=folder / "lake")

    return once("four", fill) / "lake"


@pytest.fixture(scope="module")
def two_definitions() -> Iterator[None]:
    """Most of what a small report takes are the presets that its definitions are of."""
    few = {name: ORDERING[name] for name in ("default", "asf")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenario_results, "ORDERING", few)
        yield


@pytest.fixture(scope="session")
def reference(shared: Path) -> dict[str, Any]:
    """Scores computed by independent code."""
    text = (shared / "reference" / "scenario_scores.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


def needs(extension: str) -> pytest.MarkDecorator:
    """A mark of tests that ask an extension of us: they skip where it is gone."""
    there = (ROOT / "aslib_eval" / "extensions" / extension).is_dir()
    return pytest.mark.skipif(not there, reason=f"needs the extension {extension}")


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    """All rows of a query."""
    return con.execute(sql).fetchall()


def opened(lake: Path, **asked: Any) -> duckdb.DuckDBPyConnection:
    """A lake of which nothing is built, for a few questions: the views answer them."""
    return database.open_lake(lake, **asked).connect().con


def build_ahead(
    lake: Path, *, protocols: Sequence[str] = ("default",), sql_dirs: Sequence[Path] | Path = (), **how: Any
) -> database.Ahead:
    """Build all results of a lake."""
    return database.open_lake(lake, protocols=protocols, sql_dirs=sql_dirs).build(**how)


def write_scenario(
    folder: Path,
    *,
    runs: Sequence[Row],
    folds: Mapping[str, int] | None = None,
    cutoff: str = "100",
    measures: Sequence[tuple[str, str, str]] = (("runtime", "runtime", "false"),),
    description: str = "",
) -> Path:
    """A scenario folder: runs are (instance, repetition, algorithm, value…, status)."""
    folder.mkdir(parents=True, exist_ok=True)
    algorithms = dict.fromkeys(str(run[2]) for run in runs)
    keys = ("performance_measures", "performance_type", "maximize")
    lines = [f"scenario_id: {folder.name}", f"algorithm_cutoff_time: {cutoff}"]
    for key, values in zip(keys, zip(*measures, strict=True), strict=True):
        lines += [f"{key}:", *(f"- {value}" for value in values)]
    lines += ["metainfo_algorithms:", *(f"  '{a}': {{}}" for a in algorithms)]
    lines += [description]
    (folder / "description.txt").write_text("\n".join(lines) + "\n")
    columns = RUN | {name: "NUMERIC" for name, _, _ in measures}
    columns["runstatus"] = "{ok, timeout, memout, not_applicable, crash, other}"
    (folder / "algorithm_runs.arff").write_text(arff(columns, runs))
    if folds is None:
        folds = {str(run[0]): 1 for run in runs}
    split = [(instance, 1, fold) for instance, fold in folds.items()]
    (folder / "cv.arff").write_text(arff(CV, split))
    return folder


def arff(columns: Mapping[str, str], data: Sequence[Row]) -> str:
    """An ARFF file; None is written as ?."""
    head = [f"@ATTRIBUTE {name} {kind}" for name, kind in columns.items()]
    cells = [",".join("?" if c is None else str(c) for c in row) for row in data]
    return "\n".join(["@RELATION made", *head, "@DATA", *cells, ""])


Connect = Callable[..., duckdb.DuckDBPyConnection]


@pytest.fixture
def imported(tmp_path: Path) -> Callable[..., Path]:
    """Write a scenario from rows and import it; gives the lake."""

    def make(name: str = "S", **parts: Any) -> Path:
        folder = write_scenario(tmp_path / "scenarios" / name, **parts)
        (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
        assert outcome.error is None, outcome.error
        return tmp_path / "lake"

    return make


@pytest.fixture(scope="module")
def views(request: pytest.FixtureRequest) -> duckdb.DuckDBPyConnection:
    """Every view, with the relations that most are computed from as tables.

    ``ASKED`` of a module are views that its tests ask often: what a lake builds for them are tables too.
    The lake that they read is given by ``given``.
    """
    from tests.lab import as_tables, hold_rows

    asked = getattr(request.module, "ASKED", ())
    con = new_connection()
    con.execute("pragma disable_optimizer")  # takes longer than these few rows; lakes are asked with it
    create_ours(con)
    fill_metric(con, ())
    hold_rows(con)
    return as_tables(con, only=[*database.AT_START, *lineage().needed(asked)])


@pytest.fixture
def given(views: duckdb.DuckDBPyConnection, tmp_path: Path) -> Connect:
    """Import one scenario made of runs and query its lake under some protocols.

    ``says`` are schedules, see lab.say; ``features`` is a table of feature steps, see lab.charge;
    ``outside`` are outcomes of selectors that were run outside.
    """
    from tests import lab

    def make(
        data: Sequence[Row],
        *protocols: Protocol,
        name: str = "S",
        files: Mapping[str, str] | None = None,
        says: lab.Schedules | None = None,
        features: Sequence[Row] = (),
        outside: Sequence[Row] = (),
        **parts: Any,
    ) -> duckdb.DuckDBPyConnection:
        folder = write_scenario(tmp_path / "made" / name, runs=data, **parts)
        for file, text in (files or {}).items():
            (folder / file).write_text(text)
        (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
        assert outcome.error is None, outcome.error
        lab.look_at(views, tmp_path / "lake")
        lab.say(views, says or {})
        lab.put(views, "outcome", lab.OUTCOME, outside)
        if features or not files:
            lab.charge(views, features)
        lab.activate(views, protocols or [Protocol()])
        return views

    return make


@pytest.fixture(scope="module")
def opened_once() -> Iterator[None]:
    """Opening a lake is the slow part: one that has not changed is opened once."""
    first = database.open_lake
    opened: dict[str, database.OpenLake] = {}

    def open_lake(lake: str | Path, **asked: Any) -> database.OpenLake:
        if asked.get("sql_dirs") or len(asked.get("protocols", ())) > 1:
            return first(lake, **asked)
        links = Path(lake).glob(".versions/*/current")
        versions = sorted((str(link), str(link.readlink())) for link in links)
        key = repr((str(Path(lake).resolve()), versions, sorted(asked.items())))
        if key not in opened:
            opened[key] = first(lake, **asked)
        return opened[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "open_lake", open_lake)
        yield
