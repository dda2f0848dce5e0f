"""What functions of arrays give for seeded tables, as a whole: a letter a table.

A test says what one function gives for a few numbers that a person can check. These letters see what else
changes: for tables with ties, timeouts, missing and infinite values, of one row, and with solvers that are
equal; an error is an answer too. A line of ``functions.txt`` is a function, its letters are the tables.
After a change that is meant, ``ASLIB_APPROVE=1`` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.anytime import Trajectories
from aslib_eval.metrics.scale import Floats, Runs
from tests.approved import brief, letter

# The last digits and the streams of random numbers are those of a version.
VERSIONS = f"numpy {np.__version__}, scipy {scipy.__version__}"
CUTOFF = 100.0


@dataclass(frozen=True, eq=False)
class Table:
    """Costs of solvers on instances, and what else functions take.

    costs: (n, k), 10 cutoffs for a timeout. times, solved: of the same runs. groups: (n,) codes of
    families. qualities: (n, k), nan without a solution.
    """

    costs: Floats
    times: Floats
    solved: NDArray[np.bool_]
    groups: NDArray[np.int64]
    qualities: Floats

    @property
    def runs(self) -> Runs:
        """The runs of all solvers."""
        return Runs(self.times, self.solved, CUTOFF)

    @property
    def weighted(self) -> Runs:
        """The same with shares of repetitions, weights and cutoffs of instances."""
        n = len(self.times)
        solved = np.where(self.solved, 1.0, np.arange(n)[:, None] % 3 / 4)
        each = np.arange(float(n))
        return Runs(self.times, solved, CUTOFF + each, 1.0 + each % 4)

    @property
    def differences(self) -> Floats:
        """(n,) by how much the second solver is worse than the first."""
        return np.asarray(self.costs[:, 1] - self.costs[:, 0])

    @property
    def points(self) -> Trajectories:
        """A trajectory for each run: as many points as it has whole tens of time."""
        counts = np.where(self.solved, 1 + self.times // 30, 0).astype(int).ravel()
        offsets = np.append(0, np.cumsum(counts))
        steps = np.concatenate([np.arange(1.0, c + 1) for c in counts])
        value = np.repeat(np.nan_to_num(self.qualities, posinf=9.0).ravel(), counts)
        up = np.arange(len(counts)) % 2 == 0
        return Trajectories(offsets, steps * 7, value + 3.0 / steps, up)

    @property
    def instances(self) -> NDArray[np.int64]:
        """The instance of each run of ``points``."""
        return np.repeat(np.arange(len(self.times)), self.times.shape[1])


def _tables() -> Iterator[Table]:
    rng = np.random.default_rng(2026)
    for n, k, kind in (
        *((12, 4, "times"), (9, 3, "ties"), (1, 2, "times"), (30, 5, "wide")),
        *((6, 3, "equal"), (8, 4, "missing"), (10, 3, "infinite"), (7, 2, "zero")),
    ):
        times = rng.uniform(0, 130, (n, k))
        if kind == "ties":
            times = np.round(times / 20) * 20
        elif kind == "wide":
            times = np.minimum(10 ** rng.uniform(-3, 2.3, (n, k)), 150)
        elif kind == "equal":
            times[:, 1] = times[:, 0]
        elif kind == "zero":
            times[:] = 0
        solved = times < CUTOFF
        costs = np.where(solved, times, 10 * CUTOFF)
        qualities = np.where(solved, np.round(times / 7) + 1, np.nan)
        if kind == "missing":
            costs[0, 1] = costs[3, 0] = np.nan
        elif kind == "infinite":
            costs[2, 1], qualities[1, 0] = np.inf, np.inf
        times = np.where(solved, times, CUTOFF)
        yield Table(costs, times, solved, np.arange(n) // 2, qualities)


TABLES = tuple(_tables())
Functions = Mapping[str, Callable[[Table], Any]]


def seeded() -> np.random.Generator:
    """The same random numbers for each call."""
    return np.random.default_rng(7)


def said(value: Any) -> str:
    """As text, with six digits of each number."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bool | str | Enum | None):
        return str(value)
    if isinstance(value, int | float | np.generic):
        return brief(float(value))
    if isinstance(value, Mapping):
        value = value.items()
    elif is_dataclass(value):
        value = [getattr(value, field.name) for field in fields(value)]
    return f"[{', '.join(map(said, value))}]"


def outcome(function: Callable[[Table], Any], table: Table) -> str:
    """What a function gives, or why it does not."""
    with np.errstate(all="ignore"):
        try:
            return said(function(table))
        except (AslibError, ValueError, TypeError, IndexError) as error:
            kept = str(error) if isinstance(error, AslibError) else ""
            return f"{type(error).__name__} {kept}"


def hold(file: Path, name: str, function: Callable[[Table], Any]) -> None:
    """Compare the letters of a function with those in the file."""
    found = "".join(letter(outcome(function, table)) for table in TABLES)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    known = dict(line.split(": ") for line in lines)
    if os.environ.get("ASLIB_APPROVE"):
        known |= {name: found}
        known.pop("libraries", None)
        rows = {"libraries": VERSIONS, **dict(sorted(known.items()))}
        file.write_text("".join(f"{k}: {v}\n" for k, v in rows.items()))
    elif known.get("libraries") != VERSIONS:
        pytest.skip("the letters are of other versions of the libraries")
    else:
        assert found == known[name]
