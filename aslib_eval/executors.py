"""Where work in parts is done: processes of this machine, or a cluster."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from types import ModuleType
from typing import Any, TypeVar

from aslib_eval.errors import AslibError
from aslib_eval.plugins import Registry
from aslib_eval.text import one_of

Part = TypeVar("Part")
Result = TypeVar("Result")


@contextmanager
def processes(jobs: int | None = None) -> Iterator[Executor | None]:
    """A pool of processes, as many as there are cores if not said; None for one job.

    They are started anew rather than forked: a fork of a process with threads, as polars and DuckDB have
    them, may never end.
    """
    n = jobs or os.cpu_count() or 1
    if n == 1:
        yield None
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(n, mp_context=_Afresh(), initializer=_end_in_time)
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


class _Worker(SpawnProcess):
    """A process that does not run the script which asked for it once more.

    No part of the work is of that script, so it needs no ``__name__ == "__main__"``.
    """

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 - as its base calls it
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process)  # noqa: SLF001
        finally:
            sys.modules["__main__"] = script


class _Afresh(SpawnContext):
    Process = _Worker


def _end_in_time() -> None:
    """Let Ctrl-C end a worker without a traceback, and the end of its parent, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()  # also if it is killed, and tells nobody
    os._exit(1)


class Helper:
    """A process that does what it is sent, one thing after another, and can be killed.

    link: to it. pid: its number.
    """

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        """work: what it does until it ends, called with its end of the link first."""
        self._scratch = tempfile.mkdtemp(prefix="aslib-eval-")
        self.link, theirs = multiprocessing.Pipe()
        afresh: Any = _Afresh()
        start = (theirs, self._scratch, work, given)
        self._process = afresh.Process(target=_help, args=start, daemon=True)
        self._process.start()
        theirs.close()
        self.pid = int(self._process.pid)
        self._ending = Lock()

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return bool(self._process.is_alive())

    def end(self) -> int | None:
        """End it now, with its temporary files; returns its exit code. Several threads may call it."""
        with self._ending:
            self._process.kill()
            self._process.join()
            self.link.close()
            shutil.rmtree(self._scratch, ignore_errors=True)
            code: int | None = self._process.exitcode
            return code


def _help(link: Connection, scratch: str, work: Callable[..., None], given: Iterable[object]) -> None:
    _end_in_time()
    tempfile.tempdir = scratch
    work(link, *given)


@dataclass(frozen=True)
class Workers:
    """Who does the work in parts: ``jobs`` of them at the same time.

    executor: None for this machine; jobs: None for one a core. memory: bytes that each part can have, None
    for its share of this machine's.
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


def cluster_of(address: str) -> AbstractContextManager[Workers]:
    """The workers of the cluster at an address, such as ``tcp://head:8786``.

    What stands before ``://`` is the name of what finds them, among CLUSTERS; ``tcp`` if nothing does.
    """
    known, others, _ = address.partition("://")
    name = known if others else "tcp"
    if name not in CLUSTERS:
        what = f"no extension knows clusters whose address begins with {name}://"
        raise AslibError(what, "--cluster", one_of(name, CLUSTERS))
    return CLUSTERS[name](address)


CLUSTERS: Registry[Callable[[str], AbstractContextManager[Workers]]] = Registry(
    "clusters", {}, lambda _, found: found
)


def computed(
    executor: Executor | None,
    function: Callable[[Part], Result],
    parts: Iterable[Part],
    *,
    ahead: int | None = None,
) -> Generator[tuple[Part, Result]]:
    """Each part with its result as soon as that is there, in whatever order they end.

    Without an executor they are computed here, one after another. Where one fails, or the caller stops,
    those that wait are not begun. ahead: how many are handed over before the first has ended, where all of
    them together are large; None for all.
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
