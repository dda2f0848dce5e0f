"""A cluster of Dask: its scheduler gives the parts to workers on other machines."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from aslib_eval.errors import AslibError, require_extra
from aslib_eval.executors import Workers

_SECONDS = 10  # to find the scheduler of a cluster


@contextmanager
def workers_of(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address, such as ``tcp://head:8786``.

    They must have this version of aslib-eval and see the lake under the same path. Whoever reaches the
    scheduler can run code on its workers: let it listen on the loopback alone, or use TLS. A part whose
    worker is lost is given to another one.
    """
    require_extra("cluster", where="--cluster")
    distributed: Any = import_module("distributed")  # without types
    lost = AslibError("the Dask scheduler was lost", address, f"{_KEPT} Run it again.")
    with _silent("distributed.client"), _client(distributed, address) as client:
        try:
            yield _found_by(client, address)
        except CancelledError:
            raise lost from None
        except distributed.KilledWorker as error:
            what = f"{error.allowed_failures + 1} workers died of one part of the work"
            raise AslibError(
                what, address, f"{_KEPT} Their logs say why; often they need more memory."
            ) from None


_KEPT = "Finished results and trained splits are kept."


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
        raise AslibError(what, address, "Start one: dask scheduler, and dask worker ADDRESS.") from None
    with client:
        yield client


async def _reach(distributed: Any, address: str) -> None:
    security = distributed.Security().get_connection_args("client")
    connection = await distributed.comm.connect(address, timeout=_SECONDS, **security)
    await connection.close()


def _found_by(client: Any, address: str) -> Workers:
    """What a cluster has: parts at the same time are the threads of its workers."""
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=_SECONDS)
    found = client.scheduler_info(n_workers=-1)["workers"].values()
    if not found:
        raise AslibError(
            "the Dask scheduler has no worker", address, f"Start some: dask worker {address} --nthreads 1."
        )
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
