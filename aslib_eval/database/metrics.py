"""Metrics as the views declare them, for all Python code that ranks or shows scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aslib_eval.database.sqlfiles import SOLVER, Metric, SqlFile, find_sql
from aslib_eval.errors import AslibError
from aslib_eval.paths import Paths
from aslib_eval.words import Unit

ROW = "One row per metric that has one value for each solver of a scenario."
# The columns of the relation metric, with their types and meanings.
COLUMNS = {
    "metric": ("varchar", "name, as the column of its view is called"),
    "relation": ("varchar", "the view that declares it"),
    "position": ("integer", "its place in lists, from 1"),
    "label": ("varchar", "how readers know it"),
    "better": ("varchar", "min or max: which of its values is the best"),
    "digits": ("integer", "decimals that mean something"),
    "unit_bound": ("boolean", "in the unit or on the scale of its scenario: no mean over scenarios"),
    "relative": ("boolean", "depends on which other solvers are present"),
    "order_of": ("varchar", "the metric that puts solvers in the same order"),
    "after": ("varchar", "the metric that decides first; this one between equals"),
    "ranked": ("boolean", "whether solver_rank ranks by it"),
    "swept": ("boolean", "whether sweeps of definitions show it"),
    "meaning": ("varchar", "what it says, as the header of its view has it"),
}
# How lists call the family of the instances without a value of an attribute: as sql/macro/family_name.sql
# has it.
UNKNOWN_FAMILY = "(not known)"
# Keys of views beyond protocol, scenario, measure, kind and solver, and their unit.
_GRAIN = {
    frozenset(): "scenarios",
    frozenset(("instance_id", "repetition")): "instances",
    frozenset(("cv_scheme", "cv_repetition", "fold")): "folds",
}


def declared(folders: Paths = ()) -> dict[str, Metric]:
    """Metric by name: those of the gaps first, a user's own last."""
    found: dict[str, Metric] = {}
    files = find_sql(folders)
    ours = {file.name for file in find_sql()}
    # Views that read others come first: a gap is listed before the scores it uses.
    order = [f for f in reversed(files) if f.name in ours]
    for file in (*order, *(f for f in files if f.name not in ours)):
        for metric in file.metrics:
            if metric.name in found:
                where = found[metric.name].relation
                what = f"the metric {metric.name} is declared by {where} already"
                raise AslibError(what, str(file.path), "Choose another name.")
            found[metric.name] = metric
    _require_declared(files, found)
    return found


def _require_declared(files: Sequence[SqlFile], found: dict[str, Metric]) -> None:
    for file in files:
        others = [m.order_of or m.name for m in file.metrics]
        for name in (*file.also, *others, *(m.first or m.name for m in file.metrics)):
            if name not in found:
                what = f"no view declares the metric {name}"
                raise AslibError(what, str(file.path), "Declare it, or correct it.")


def of_solvers(folders: Paths = ()) -> dict[str, Metric]:
    """The metrics with one value for each solver of a scenario, as declared."""
    files = {f.name: f for f in find_sql(folders)}
    return {
        name: metric
        for name, metric in declared(folders).items()
        if grain(files[metric.relation]) == "scenarios"
    }


def metrics_over(unit: Unit, folders: Paths = ()) -> dict[str, Metric]:
    """The metrics with one value for each unit and solver, by view.

    Metrics that only break ties are left out.
    """
    views = [file for file in find_sql(folders) if grain(file) == unit]
    return {
        name: replace(metric, relation=view.name)
        for name, metric in declared(folders).items()
        for view in views
        if metric.first is None and (metric in view.metrics or name in view.also)
    }


def grain(view: SqlFile) -> str | None:
    """Unit of the rows of a view with solvers; None for any other view."""
    key = frozenset(view.key)
    return _GRAIN.get(key.difference(SOLVER)) if key.issuperset(SOLVER) else None


def rows(folders: Paths = ()) -> list[tuple[object, ...]]:
    """The rows of the relation metric: the metrics with one value for each solver."""
    return [
        (
            *(m.name, m.relation, at, m.label, m.better, m.digits, m.unit_bound),
            *(m.relative, m.order_of, m.first, m.ranked, m.swept, m.meaning),
        )
        for at, m in enumerate(of_solvers(folders).values(), 1)
    ]
