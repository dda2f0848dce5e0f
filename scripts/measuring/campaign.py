"""Measure what the journal does not hold yet, one run at a time."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from . import box, machine
from .journal import Journal
from .plan import Key, Plan, Record


def measure(plan: Plan, journal: Journal, *, most: int | None = None) -> None:
    """All jobs of the plan, then its repeats; ``most`` of them at the most."""
    journal.begin(machine.describe(plan.packages))
    left = _perform(plan, journal, plan.jobs(), most)
    if left is None or left > 0:
        _perform(plan, journal, plan.again(list(journal.records.values())), left)


def once(plan: Plan, key: Key) -> Record:
    """Make one measurement."""
    child = plan.work(key)
    gc.collect()
    gc.freeze()  # a collection in the child would copy every page of the parent's
    outcome, sent = box.run(child, limits=plan.limits(key))
    gc.unfreeze()
    return Record(key, outcome, plan.judge(key, sent, outcome), time.time())


def _perform(plan: Plan, journal: Journal, keys: Sequence[Key], most: int | None) -> int | None:
    """The keys that are not in the journal; how many more may follow."""
    todo = [key for key in keys if key not in journal.records][:most]
    began = time.monotonic()
    for done, key in enumerate(todo, start=1):
        record = once(plan, key)
        journal.add(record)
        _tell(sys.stderr, record, done, len(todo), time.monotonic() - began)
    return None if most is None else most - len(todo)


def _tell(to: TextIO, record: Record, done: int, of: int, seconds: float) -> None:
    left = seconds / done * (of - done) / 60
    what = f"{' '.join(record.key)}: {record.outcome.end} {record.outcome.cpu:.3f} s"
    print(f"{done}/{of} ({left:.0f} min left) {what}", file=to, flush=True)
