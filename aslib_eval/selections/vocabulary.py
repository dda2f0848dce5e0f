"""The vocabulary of a scenario: the names that a selection may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.formats.aslib.scenario import make_names

Folds = Mapping[tuple[int, str], int | None]
# A relation and the columns wanted → its table, None if there is none.
Tables = Callable[[str, list[str] | None], pa.Table | None]
NO_SCHEME = "none"
BASELINES = ("SBS", "VBS", "VWS")
_HOME = ("split", "aslib", NO_SCHEME)


@dataclass(frozen=True)
class Vocabulary:
    """What a selection is validated against.

    ``algorithms`` maps every accepted spelling to the name that the runs use,
    ``steps`` a feature step to those it requires, ``folds`` a scheme to the fold of each repetition and
    instance. ``cutoff`` is None without a limit on runtimes.
    """

    scenario_id: str
    instances: Mapping[str, None]
    algorithms: Mapping[str, str]
    steps: Mapping[str, tuple[str, ...]]
    cutoff: float | None
    timed: bool
    folds: Mapping[str, Folds]

    @property
    def portfolio(self) -> list[str]:
        """The algorithms, each once, as the runs name them."""
        return list(dict.fromkeys(self.algorithms.values()))

    def default_scheme(self) -> str:
        """The scheme of rows that lack one: the fixed split, else that of cv.arff."""
        return next((s for s in ("split", "aslib") if s in self.folds), NO_SCHEME)

    def tested(self, cv_scheme: str, cv_repetition: int) -> Mapping[str, object]:
        """Instances that a selector of the scheme is asked about."""
        folds = self.folds.get(cv_scheme)
        if folds is None:
            return self.instances
        return {
            instance: None
            for (repetition, instance), fold in folds.items()
            if repetition == cv_repetition and fold is not None
        }


def vocabulary_of(scenario_id: str, tables: Tables) -> Vocabulary:
    """Gather the names from a scenario's relations."""
    scenario = _rows(tables, "scenario", ["measure_index", "measure_type", "cutoff"])
    primary = next((r for r in scenario if r["measure_index"] == 1), {})
    timed = primary.get("measure_type") == "runtime"
    steps = _rows(tables, "feature_step", ["step", "of", "requires"])
    return Vocabulary(
        scenario_id,
        dict.fromkeys(_distinct(tables, "run", "instance_id")),
        _spellings(_rows(tables, "algorithm", None)),
        {r["step"]: tuple(r["requires"]) for r in steps if r["of"] == "instance"},
        primary.get("cutoff") if timed else None,
        timed,
        _folds(tables("fold", None)),
    )


def home_scheme(schemes: Iterable[str]) -> str:
    """Of a selector's schemes, the one that makes its scores in the scenario.

    As the view instance_selector has it: split, aslib, none, then others by name.
    """
    return min(schemes, key=lambda s: (_HOME.index(s) if s in _HOME else len(_HOME), s))


def _rows(tables: Tables, name: str, columns: list[str] | None) -> list[dict[str, Any]]:
    table = tables(name, columns)
    rows: list[dict[str, Any]] = [] if table is None else table.to_pylist()
    return rows


def _distinct(tables: Tables, name: str, column: str) -> list[str]:
    table = tables(name, [column])
    words: list[str] = [] if table is None else pc.unique(table[column]).to_pylist()
    return words


def _spellings(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Exact names first; then names of the description; then R's where unique."""
    exact = [str(row["algorithm"]) for row in rows if row["has_runs"]]
    found = dict.fromkeys(exact, "")
    found = {name: name for name in found}
    for row in rows:
        if row["has_runs"] and row["described_as"] is not None:
            found.setdefault(str(row["described_as"]), str(row["algorithm"]))
    forms: dict[str, list[str]] = {}
    for name in exact:
        forms.setdefault(make_names(name), []).append(name)
    for form, names in forms.items():
        if len(names) == 1:
            found.setdefault(form, names[0])
    return found


def _folds(table: pa.Table | None) -> dict[str, dict[tuple[int, str], int | None]]:
    found: dict[str, dict[tuple[int, str], int | None]] = {}
    if table is None:
        return found
    names = ("cv_scheme", "cv_repetition", "instance_id", "fold")
    columns = (table[name].to_pylist() for name in names)
    for scheme, repetition, instance, fold in zip(*columns, strict=True):
        found.setdefault(scheme, {})[repetition, instance] = fold
    return found
