"""Where work in parts is done: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from aslib_eval.errors import AslibError, require_extra

Part = TypeVar("Part")
Result = TypeVar("Result")
_SECONDS = 10  # to find the scheduler of a cluster


@contextmanager
def processes(jobs: int | None = None) -> Iterator[Executor | None]:
    """A pool of processes, as many as there are cores if not said; None for one job.

    They are started anew rather than forked: a fork of a process with threads, as
    polars and DuckDB have them, may never end. So a script that asks for several
    needs ``if __name__ == "__main__"``.
    """
    n = jobs or os.cpu_count() or 1
    if n == 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(n, mp_context=context, initializer=_end_at_once)
    try:
        yield pool
    except KeyboardInterrupt:  # which may have reached this process alone
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        raise
    except BrokenProcessPool:
        what = "a process was ended from outside, as systems do when memory runs out"
        raise AslibError(what, "--jobs", "Ask for fewer jobs.") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _end_at_once() -> None:
    """Let Ctrl-C end a worker without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# A cluster of Dask: its scheduler gives the parts to workers on other machines.


@dataclass(frozen=True)
class Workers:
    """Who does the work in parts: ``jobs`` of them at the same time.

    executor: None for this machine; jobs: None for one a core. memory: bytes that each
    part can have, None for its share of this machine's.
    """

    executor: Executor | None
    jobs: int | None
    memory: int | None = None


@contextmanager
def workers(*, jobs: int | None, cluster: str | None) -> Iterator[Workers]:
    """Those of the cluster at an address if there is one, else of this machine."""
    if cluster is None:
        yield Workers(None, jobs)
        return
    with cluster_of(cluster) as found:
        yield replace(found, jobs=jobs or found.jobs)


@contextmanager
def cluster_of(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address, such as ``tcp://head:8786``.

    They must have this version of aslib-eval and see the lake under the same path.
    Whoever reaches the scheduler can run code on its workers: let it listen on the
    loopback alone, or use TLS. A part whose worker is lost is given to another one.
    """
    require_extra("cluster", where="--cluster")
    distributed: Any = import_module("distributed")  # without types
    lost = AslibError("the Dask scheduler was lost", address, f"{_KEPT} Run it again.")
    with _silent("distributed.client"), _client(distributed, address) as client:
        try:
            yield _workers_of(client, address)
        except CancelledError:
            raise lost from None
        except distributed.KilledWorker as error:
            what = f"{error.allowed_failures + 1} workers died of one part of the work"
            hint = f"{_KEPT} Their logs say why; often they need more memory."
            raise AslibError(what, address, hint) from None


_KEPT = "What is built, and splits that are trained, are kept."


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    """A client of a scheduler that has been found to answer.

    It is tried first, as a client that does not find one may not end for 20 seconds.
    """
    try:
        import asyncio  # which parts of one machine do not need

        asyncio.run(_reach(distributed, address))
        client = distributed.Client(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        what = f"no Dask scheduler answers ({' '.join(str(error).split())})"
        hint = "Start one: dask scheduler, and dask worker ADDRESS."
        raise AslibError(what, address, hint) from None
    with client:
        yield client


async def _reach(distributed: Any, address: str) -> None:
    security = distributed.Security().get_connection_args("client")
    connect = distributed.comm.connect
    connection = await connect(address, timeout=_SECONDS, **security)
    await connection.close()


def _workers_of(client: Any, address: str) -> Workers:
    """What a cluster has: parts at the same time are the threads of its workers."""
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=_SECONDS)
    found = client.scheduler_info(n_workers=-1)["workers"].values()
    if not found:
        hint = f"Start some: dask worker {address} --nthreads 1."
        raise AslibError("the Dask scheduler has no worker", address, hint)
    _require_versions(client.get_versions(packages=_PACKAGES))
    shares = [worker["memory_limit"] // worker["nthreads"] for worker in found]
    memory = int(_SHARE * min(shares)) or None  # 0: without a limit
    jobs = sum(worker["nthreads"] for worker in found)
    return Workers(client.get_executor(pure=False), jobs, memory)


_PACKAGES = ("aslib-eval", "duckdb", "numpy", "scipy", "pyarrow")
_SHARE = 0.5  # of a worker's memory, for DuckDB


def _require_versions(found: Mapping[str, Any]) -> None:
    """Raise AslibError for a worker whose packages are not those of this process."""
    for worker, facts in sorted(found["workers"].items()):
        for name in _PACKAGES:
            here, there = found["client"]["packages"][name], facts["packages"][name]
            if here != there:
                what = f"this worker has {name} {there or 'not at all'}, not {here}"
                raise AslibError(what, worker, "Start it from the same environment.")


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Nothing is logged under a name: what goes wrong is raised."""
    logger = logging.getLogger(name)
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def computed(
    executor: Executor | None,
    function: Callable[[Part], Result],
    parts: Iterable[Part],
    *,
    ahead: int | None = None,
) -> Generator[tuple[Part, Result]]:
    """Each part with its result as soon as that is there, in whatever order they end.

    Without an executor they are computed here, one after another. Where one fails, or
    the caller stops, those that wait are not begun. ahead: how many are handed over
    before the first has ended, where all of them together are large; None for all.
    """
    if executor is None:
        for part in parts:
            yield part, function(part)
        return
    waiting = iter(parts)
    running: dict[Future[Result], Part] = {}
    try:
        for part in islice(waiting, ahead):
            running[executor.submit(function, part)] = part
        while running:
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                result = done.result()
                for part in islice(waiting, 1):
                    running[executor.submit(function, part)] = part
                yield running.pop(done), result
    finally:
        for future in running:
            future.cancel()
