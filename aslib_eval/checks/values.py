"""The values of the runs against their statuses and the cutoff."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from aslib_eval.checks.columns import (
    PARTS,
    Flags,
    Floats,
    equal,
    is_number,
    is_text,
    values,
)
from aslib_eval.checks.remarks import count, line_of_first, remark, row_remarks
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.aslib_relations import measure_columns
from aslib_eval.readers.description import Measure

_PILE = 1e-3  # width of the window below the cutoff, relative
_FAR = 0.5  # a largest runtime above this share of the cutoff is never suspicious
_EXPECTED = 20.0  # runs that should have ended between it and the cutoff


@dataclass(frozen=True)
class Runs:
    """One measure of the runs.

    ``value`` (runs,) [unit of the measure, NaN where missing] and ``ok`` (runs,);
    ``cutoff`` is None for a solution quality and where it is unknown.
    """

    table: ArffTable
    measure: Measure
    value: Floats
    ok: Flags
    cutoff: float | None

    def remark(self, code: str, rows: Flags, what: str, hint: str = "") -> Finding:
        """A finding on the measure at the first of the rows."""
        line = line_of_first(self.table, np.flatnonzero(rows))
        what = f"{self.measure.name}: {what}"
        return remark(code, file=self.table.file, line=line, what=what, hint=hint)


def check_values(scenario: Scenario) -> Iterator[Finding]:
    """Every measure of the runs, and of the test set's runs."""
    description = scenario.description
    if description is None:
        return
    cutoff = description.cutoff
    for part in PARTS:
        table = scenario.tables.get(f"algorithm_runs{part}")
        if table is None or not is_text(table, "runstatus"):
            continue
        ok = equal(table, "runstatus", "ok")
        columns = measure_columns(table.table, description)
        for measure in description.measures:
            column = next((c for c, n in columns.items() if n == measure.name), None)
            if column is None or not is_number(table, column):
                continue
            timed = measure.type == "runtime" and cutoff is not None and cutoff > 0
            limit = cutoff if timed else None
            runs = Runs(table, measure, values(table, column), ok, limit)
            yield from _check(runs)


def _check(runs: Runs) -> Iterator[Finding]:
    yield from _finite(runs)
    if runs.measure.type == "runtime":
        yield from _runtimes(runs)
    if runs.cutoff is not None:
        yield from _contradictions(runs, runs.cutoff)
        yield from _pile_up(runs, runs.cutoff)
        yield from _implausible(runs, runs.cutoff)
    yield from _encoding(runs)


def _finite(runs: Runs) -> Iterator[Finding]:
    rows = np.flatnonzero(runs.ok & ~np.isfinite(runs.value))
    yield from row_remarks(
        "value-missing",
        runs.table,
        rows,
        what=lambda row: f"{runs.measure.name} of an ok run is {runs.value[row]}",
        hint="Give its value, or the status that says why there is none.",
    )


def _runtimes(runs: Runs) -> Iterator[Finding]:
    yield from row_remarks(
        "runtime-negative",
        runs.table,
        np.flatnonzero(runs.ok & (runs.value < 0)),
        what=lambda row: f"{runs.measure.name} of an ok run is {runs.value[row]:g}",
    )
    zero = runs.ok & (runs.value == 0)
    if zero.any():
        what = f"{count(int(zero.sum()), 'ok run')} of runtime 0"
        hint = "Beware of ratios, logarithms and geometric means."
        yield runs.remark("runtime-zero", zero, what, hint)


def _contradictions(runs: Runs, cutoff: float) -> Iterator[Finding]:
    late = runs.ok & (runs.value >= cutoff)
    if late.any():
        what = f"{count(int(late.sum()), 'ok run')} not below the cutoff {cutoff:g}"
        hint = "Solved or not depends on at_cutoff of the protocol."
        yield runs.remark("ok-at-cutoff", late, what, hint)
    early = ~runs.ok & (runs.value < cutoff)
    if early.any():
        number = count(int(early.sum()), "run")
        what = f"{number} not ok, with a value below the cutoff {cutoff:g}"
        hint = "The value is not used; only the status says whether a run succeeded."
        yield runs.remark("unsolved-below-cutoff", early, what, hint)


def _pile_up(runs: Runs, cutoff: float) -> Iterator[Finding]:
    """Far more ok runs in the last 0.1 % below the cutoff than in a like interval.

    Expected is what runtimes spread evenly over the logarithm between half the
    cutoff and the cutoff would leave there; counts vary by the root of that. In the
    data at hand SAT18-EXP has 20 where 1 is expected, no other scenario has 3.
    """
    low = cutoff * (1 - _PILE)
    near = runs.ok & (runs.value >= low) & (runs.value < cutoff)
    found = int(near.sum())
    octave = int((runs.ok & (runs.value > cutoff / 2) & (runs.value < cutoff)).sum())
    expected = octave * -np.log2(1 - _PILE)
    if found >= 5 and found > expected + 5 * np.sqrt(expected):  # noqa: PLR2004
        what = f"{found} ok runs in the last 0.1 % below the cutoff {cutoff:g}, "
        what += f"where {expected:.1f} were to be expected"
        hint = "Some may be timeouts that were recorded as ok."
        yield runs.remark("runtime-pile-up", near, what, hint)


def _implausible(runs: Runs, cutoff: float) -> Iterator[Finding]:
    """The runs look as if they had been stopped well before the cutoff.

    With r the largest ok runtime, at most half the cutoff, and n the ok runs in its
    octave (r/2, r]: were the cutoff right, some n·log2(cutoff/r) more should have
    ended in the empty stretch up to it. In QBF-2016 (cutoff 1800) r is 599.69 and
    442 runs are expected where there are none: the true limit was 600. In the 15
    others at hand r is above 0.9 of the cutoff.
    """
    runtimes = runs.value[runs.ok & np.isfinite(runs.value)]
    longest = runtimes.max(initial=0.0)
    if not 0 < longest <= _FAR * cutoff or runs.ok.all():
        return
    octave = int((runtimes > longest / 2).sum())
    expected = octave * np.log2(cutoff / longest)
    if expected >= _EXPECTED:
        what = f"no ok run took longer than {longest:g}, the cutoff is {cutoff:g}; "
        what += f"some {expected:.0f} runs should lie between"
        hint = "Were the runs stopped earlier? Then PARk overstates every failure."
        rows = runs.ok & (runs.value == longest)
        yield runs.remark("cutoff-implausible", rows, what, hint)


def _encoding(runs: Runs) -> Iterator[Finding]:
    """Which of the five encodings the runs that are not ok have.

    The cutoff, ten times it, less or more than it, or (a quality, or nothing) a
    value of the measure's own.
    """
    failed = ~runs.ok
    if not failed.any() or (runs.cutoff is None and runs.measure.type == "runtime"):
        return
    kinds = _timed_kinds(runs, runs.cutoff) if runs.cutoff else _kinds(runs)
    found = {said: failed & rows for said, rows in kinds.items()}
    counts = {said: int(rows.sum()) for said, rows in found.items() if rows.any()}
    rarest = min(counts, key=lambda said: counts[said])
    what = f"{count(int(failed.sum()), 'run')} not ok, recorded as "
    if len(counts) == 1:
        yield runs.remark("unsolved-encoding", found[rarest], what + rarest)
    else:
        what += ", ".join(f"{said} ({n})" for said, n in counts.items())
        hint = "The values are not used; do not average the column as it is."
        yield runs.remark("unsolved-encoding-mixed", found[rarest], what, hint)


def _timed_kinds(runs: Runs, cutoff: float) -> dict[str, Flags]:
    value = runs.value
    once = np.isclose(value, cutoff, rtol=1e-9, atol=0)
    tenfold = np.isclose(value, 10 * cutoff, rtol=1e-9, atol=0)
    return {
        "the cutoff": once,
        "10 times the cutoff": tenfold,
        "less than the cutoff": (value < cutoff) & ~once,
        "more than the cutoff": (value > cutoff) & ~once & ~tenfold,
        "missing": np.isnan(value),
    }


def _kinds(runs: Runs) -> dict[str, Flags]:
    """One value that stands for failure, several values, or none."""
    missing = np.isnan(runs.value)
    used = np.unique(runs.value[~runs.ok & ~missing])
    said = f"the value {used[0]:g}" if used.size == 1 else "values of the measure"
    return {said: ~missing, "missing": missing}
