"""The workers of a Dask cluster, played by a stand-in, and what goes wrong with it."""

from __future__ import annotations

import sys
from concurrent.futures import CancelledError
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.executors import Workers, cluster_of, workers
from aslib_eval.extensions import clusters as executors


class KilledWorkerError(Exception):
    """As the one of Dask, which says how many workers may die."""

    allowed_failures = 3


class Client:
    """Of Dask: of two machines, of 2 and 4 threads and 8 and 12 GB."""

    VERSIONS = {"aslib-eval": "1", "duckdb": "2", "numpy": "3", "scipy": "4"} | {"pyarrow": "5"}

    def __init__(self, address: str, **how: Any) -> None:
        assert (address, how) == ("tcp://head:1", {"timeout": 10} | _NOT_DEFAULT)
        self.machines = {
            "b": {"nthreads": 4, "memory_limit": 12 * 10**9},
            "a": {"nthreads": 2, "memory_limit": 8 * 10**9},
        }
        self.there = {name: dict(self.VERSIONS) for name in self.machines}
        self.waited: list[tuple[int, int]] = []
        MADE.append(self)

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        self.machines = {}

    def wait_for_workers(self, n: int, *, timeout: int) -> None:
        self.waited.append((n, timeout))
        raise TimeoutError

    def scheduler_info(self, *, n_workers: int) -> dict[str, Any]:
        assert n_workers == -1  # all of them
        return {"workers": self.machines}

    def get_versions(self, *, packages: tuple[str, ...]) -> dict[str, Any]:
        assert set(packages) == set(self.VERSIONS)
        workers = {name: {"packages": found} for name, found in self.there.items()}
        return {"client": {"packages": self.VERSIONS}, "workers": workers}

    def get_executor(self, *, pure: bool) -> str:
        assert not pure  # the same part may be done again
        return "its executor"


_NOT_DEFAULT = {"set_as_default": False}
MADE: list[Client] = []


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What stands in for Dask, which is large; ``asked`` is whom it looked for."""
    found: Any = ModuleType("distributed")
    found.asked, found.Client, found.KilledWorker = [], Client, KilledWorkerError

    async def connect(address: str, **how: object) -> Any:
        found.asked.append((address, how))
        if address != "tcp://head:1":
            raise OSError("no\n  way")

        async def close() -> None: ...

        return SimpleNamespace(close=close)

    found.comm = SimpleNamespace(connect=connect)
    found.Security = lambda: SimpleNamespace(get_connection_args=lambda role: {"tls": role})
    monkeypatch.setitem(sys.modules, "distributed", found)
    monkeypatch.setattr(executors, "require_extra", lambda *_, **__: None)
    return found


def test_a_cluster_has_the_threads_and_the_memory_of_its_workers(dask: Any) -> None:
    with cluster_of("tcp://head:1") as found:
        # Half of what each part has where that is least: 12 GB of four.
        assert found == Workers("its executor", 6, 1_500_000_000)  # type: ignore[arg-type]
    assert dask.asked == [("tcp://head:1", {"timeout": 10, "tls": "client"})]
    assert MADE[-1].waited == [(1, 10)]
    assert MADE[-1].machines == {}  # left
    with workers(jobs=2, cluster="tcp://head:1") as found:
        assert (found.executor, found.jobs) == ("its executor", 2)
    with workers(jobs=None, cluster="tcp://head:1") as found:
        assert found.jobs == 6
    with workers(jobs=3, cluster=None) as found:
        assert found == Workers(None, 3, None)


@pytest.mark.usefixtures("dask")
def test_memory_without_a_limit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    info = {"workers": {"a": {"nthreads": 1, "memory_limit": 0}}}
    monkeypatch.setattr(Client, "scheduler_info", lambda *_, **__: info)
    with cluster_of("tcp://head:1") as found:
        assert (found.jobs, found.memory) == (1, None)


@pytest.mark.usefixtures("dask")
@pytest.mark.parametrize(
    ("package", "version", "said"),
    [
        ("numpy", "7", "b: this worker has numpy 7, not 3."),
        ("scipy", None, "b: this worker has scipy not at all, not 4."),
    ],
)
def test_workers_have_our_packages(
    package: str, version: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Client.get_versions

    def versions(self: Client, **asked: Any) -> dict[str, Any]:
        self.there["b"][package] = version  # type: ignore[assignment]
        return first(self, **asked)

    monkeypatch.setattr(Client, "get_versions", versions)
    with pytest.raises(AslibError) as refused, cluster_of("tcp://head:1"):
        pass
    assert str(refused.value) == f"{said} Start it from the same environment."


@pytest.mark.usefixtures("dask")
def test_what_goes_wrong_with_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(error: Exception | None) -> None:
        if error:
            raise error

    def said(address: str = "tcp://head:1", error: Exception | None = None) -> str:
        with pytest.raises(AslibError) as refused, cluster_of(address):
            raising(error)
        return str(refused.value)

    assert said("tcp://other:1") == (
        "tcp://other:1: no Dask scheduler answers (no way). Start one: dask scheduler,"
        " and dask worker ADDRESS."
    )
    kept = "Finished results and trained splits are kept."
    assert said(error=CancelledError()) == (
        f"tcp://head:1: the Dask scheduler was lost. {kept} Run it again."
    )
    assert said(error=KilledWorkerError()) == (
        f"tcp://head:1: 4 workers died of one part of the work. {kept} Their logs say"
        " why; often they need more memory."
    )
    nobody = {"workers": {}}  # type: ignore[var-annotated]
    monkeypatch.setattr(Client, "scheduler_info", lambda *_, **__: nobody)
    assert said() == (
        "tcp://head:1: the Dask scheduler has no worker. Start some: dask worker tcp://head:1 --nthreads 1."
    )
