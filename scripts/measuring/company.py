"""What company does to a time: runs made again alone, beside other work, and with it.

Three conditions, each a kind of record: ``alone`` (nothing else is measured), ``beside`` (a second worker
on another core), ``together`` (a second worker on the same core). The second worker makes the same run
again and again. Start it on a machine that does nothing else.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from . import box
from .campaign import once
from .journal import Journal
from .plan import KINDS, Key, Plan, Record

_KINDS = KINDS[3:]
_RUNS = 24
_FROM, _TO = 0.3, 4.0  # seconds of CPU: long enough to tell, short enough to repeat


def accompany(plan: Plan, journal: Journal, *, other: int) -> None:
    """Make the same runs under every condition, those of the journal left out.

    The caller is pinned to the core on which to measure; other: the second worker's.
    """
    cores = {"beside": {other}, "together": os.sched_getaffinity(0)}
    for key in chosen(list(journal.records.values())):
        for kind in _KINDS:
            named = (kind, *key[1:])
            if named in journal.records:
                continue
            with _worker(plan, key, cores.get(kind)):
                record = once(plan, key)
            journal.add(replace(record, key=named))
            print(f"{' '.join(named)}: {record.outcome.cpu:.3f} s", file=sys.stderr)


def chosen(records: Sequence[Record]) -> list[Key]:
    """Runs that ended by themselves, evenly over their times."""
    ended = (r for r in records if r.key[0] == "run" and r.outcome.end == "done")
    fit = [r for r in ended if _FROM <= r.outcome.cpu <= _TO]
    fit.sort(key=lambda r: (r.outcome.cpu, r.key))
    count = min(_RUNS, len(fit))
    return [fit[i * len(fit) // count].key for i in range(count)]


@contextmanager
def _worker(plan: Plan, key: Key, cores: set[int] | None) -> Iterator[None]:
    """A process that makes the run over and over on some cores; none without."""
    pid = os.fork() if cores else -1
    if cores and pid == 0:
        _repeat(plan, key, cores)
    try:
        if cores:
            time.sleep(0.2)
        yield
    finally:
        if cores:
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)


def _repeat(plan: Plan, key: Key, cores: set[int]) -> None:
    """The worker's whole life; asked to end, it ends after the run under way."""
    asked: list[int] = []  # an exception could be lost in a hook of fork
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    try:
        os.sched_setaffinity(0, cores)
        while not asked:
            box.run(plan.work(key), limits=plan.limits(key))
    finally:
        os._exit(0)


def told(kinds: Mapping[str, Sequence[Record]]) -> str:
    """A paragraph for the readme; says so if nothing was compared."""
    cpu = {k: {r.key[1:]: r.outcome.cpu for r in kinds.get(k, ())} for k in _KINDS}
    both = sorted(set.intersection(*map(set, cpu.values())))
    if len(both) < 2:  # noqa: PLR2004 - quantiles need two
        return "  What a second worker does to a time was not measured."
    lines = [f"  {len(both)} runs of {_FROM:g} to {_TO:g} s made again, CPU times:"]
    words = {
        "beside": "with a second worker on the other core",
        "together": "with a second worker on the same core",
    }
    for kind, what in words.items():
        ratios = [cpu[kind][key] / cpu["alone"][key] for key in both]
        low, *_, high = statistics.quantiles(ratios, n=10)
        lines.append(
            f"  {what}, times those alone: median {statistics.median(ratios):.3f},"
            f"\n  80 % from {low:.3f} to {high:.3f}."
        )
    return "\n".join(lines)
