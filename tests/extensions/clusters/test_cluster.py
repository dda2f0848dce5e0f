"""Work on a Dask cluster: the same files as without, whatever is killed."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.runs import bootstrap_intervals
from aslib_eval.cli import main
from aslib_eval.database import build
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.views import lineage
from aslib_eval.errors import AslibError
from aslib_eval.executors import cluster_of
from aslib_eval.lake import versions
from aslib_eval.reports.write import write_report
from tests.conftest import build_ahead, needs, write_scenario
from tests.lab import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra cluster"),
]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two workers, processes of their own, and their scheduler in this one."""
    distributed: Any = import_module("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp://"
    ) as found:
        yield found


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Make a lake of the same three scenarios, without results."""
    made = tmp_path_factory.mktemp("made")
    folders = [
        write_scenario(made / f"S{n}", runs=runs(A=[n + 1.5, 2.5, "timeout"], B=[7.1, 0.3, n + 4]))
        for n in range(3)
    ]

    def import_them() -> Path:
        lake = tmp_path_factory.mktemp("lake") / "lake"
        ae.import_scenarios(folders, into=lake)
        return lake

    return import_them


@pytest.fixture(scope="module")
def here(lake: Callable[[], Path]) -> Path:
    """One with its results, built in this process; to be read only."""
    made = lake()
    build_ahead(made, jobs=1)
    return made


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, by name, but the drafts of workers that were killed."""
    found = (file for file in folder.rglob("*") if file.is_file() and not file.name.startswith(".new-"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


@needs("resampling")
def test_results_and_pages_are_the_same_as_without(
    lake: Callable[[], Path], here: Path, cluster: Any, tmp_path: Path
) -> None:
    here, there = Path(shutil.copytree(here, tmp_path / "lake", symlinks=True)), lake()
    write_report(here, to=tmp_path / "here")
    drawn = bootstrap_intervals(open_lake(here), draws=50)
    for line in (
        f"build --lake {there}",
        f"report --lake {there} -o {tmp_path / 'there'}",
        f"resample --lake {there} --bootstrap 50 -o {tmp_path / 'drawn.parquet'}",
    ):
        words = [*line.split(), "--cluster", cluster.scheduler_address]
        done = CliRunner().invoke(main, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert files(there / versions.RESULTS) == files(here / versions.RESULTS)
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert (tmp_path / "drawn.parquet").is_file()
    with cluster_of(cluster.scheduler_address) as they:
        again = bootstrap_intervals(open_lake(there), draws=50, executor=they.executor)
        assert they.jobs == 2
    assert again.equals(drawn)


def build_and_die(part: build.Part) -> None:
    """Build a part; the first that does is killed after five files."""
    died = part.wish.lake.parent / "died"
    if not died.exists():
        died.touch()
        kept, keep = [], versions.keep_file

        def keep_five(*draft: Any) -> Path:
            kept.append(draft)
            if len(kept) > 5:
                os.kill(os.getpid(), signal.SIGKILL)
            return keep(*draft)

        versions.keep_file = keep_five
    build.build_part(part)


def test_the_part_of_a_worker_that_is_killed_is_built_by_another(
    lake: Callable[[], Path], here: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = lake()
    monkeypatch.setattr(build, "build_part", build_and_die)
    with cluster_of(cluster.scheduler_address) as they:
        build_ahead(there, executor=they.executor, jobs=they.jobs)
    assert (there.parent / "died").exists()
    assert files(there / versions.RESULTS) == files(here / versions.RESULTS)


def build_and_wait(part: build.Part) -> None:
    """Build a part, say so, and stay."""
    build.build_part(part)
    (part.wish.lake.parent / part.wish.scenarios[0].scenario_id).touch()
    time.sleep(10)


def test_a_scheduler_that_is_lost_is_an_error_and_loses_nothing(
    lake: Callable[[], Path], here: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = lake()

    def close() -> None:
        while not list(there.parent.glob("S?")):
            time.sleep(0.05)
        cluster.sync(cluster.scheduler.close)

    closer = threading.Thread(target=close)
    closer.start()
    monkeypatch.setattr(build, "build_part", build_and_wait)
    with (
        pytest.raises(AslibError, match=r"scheduler was lost.*kept\. Run it again"),
        cluster_of(cluster.scheduler_address) as they,
    ):
        build_ahead(there, executor=they.executor, jobs=they.jobs)
    closer.join()
    monkeypatch.undo()
    found = files(there / versions.RESULTS)
    assert found
    assert found.items() <= files(here / versions.RESULTS).items()
    build_ahead(there, jobs=1)
    assert files(there / versions.RESULTS) == files(here / versions.RESULTS)


def test_workers_with_other_sql_are_an_error(
    lake: Callable[[], Path], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = lineage()
    other = replace(known, names=dict.fromkeys(known.names, "other"))
    monkeypatch.setattr(build, "lineage", lambda *_: other)
    monkeypatch.setattr(build, "_LATEST", 0.0)
    with (
        pytest.raises(AslibError, match="have this version of aslib-eval"),
        cluster_of(cluster.scheduler_address) as they,
    ):
        build_ahead(lake(), executor=they.executor, jobs=they.jobs)
