"""Read runs from the views into arrays, for each scenario or pooled over scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.attributes import FAMILY, Families, families
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.options import SweptKind
from aslib_eval.statistics.means import FEWEST, worth


@dataclass(frozen=True, eq=False)
class Pivot:
    """A long frame pivoted to tables: the row and column of each of its lines.

    rows: keys of the rows, sorted. columns: keys of the columns, in order of appearance.
    at: (n_lines,) each: the row and the column of every line.
    """

    frame: pl.DataFrame
    rows: pl.DataFrame
    columns: pl.DataFrame
    at: tuple[NDArray[np.uint32], NDArray[np.uint32]]

    def table(self, name: str) -> Floats:
        """A column of the frame as (n_rows, n_columns); nan = null, or no such line."""
        found = np.full((self.rows.height, self.columns.height), np.nan)
        found[self.at] = self._numbers(name)
        return found

    def of_rows(self, name: str) -> Floats:
        """A column of the frame that depends on the row alone, as (n_rows,)."""
        found = np.full(self.rows.height, np.nan)
        found[self.at[0]] = self._numbers(name)
        return found

    def _numbers(self, name: str) -> Floats:
        return np.asarray(self.frame[name].cast(float).to_numpy())


def pivot(frame: pl.DataFrame, *, rows: Sequence[str], columns: Sequence[str]) -> Pivot:
    """Pivot a long frame with at most one line for each row and column.

    rows, columns: names of the columns of the frame that identify them.
    """
    down = frame.select(rows).unique().sort(rows)
    across = frame.select(columns).unique(maintain_order=True)
    row, column = (
        frame.join(keys.with_row_index("at"), on=keys.columns, maintain_order="left")
        for keys in (down, across)
    )
    return Pivot(frame, down, across, (row["at"].to_numpy(), column["at"].to_numpy()))


KINDS: tuple[SweptKind, ...] = ("algorithm", "selector")


def usual_kind(present: Iterable[str]) -> SweptKind:
    """The kind compared by default: selectors if there are any, else algorithms.

    present: the kind of every candidate, repeated or not.
    """
    return "selector" if "selector" in present else "algorithm"


def is_usual() -> pl.Expr:
    """Expression: rows of the default kind of their scenario (scenario_id, kind)."""
    chosen = (pl.col("kind") == "selector").any().over("scenario_id")
    return pl.col("kind") == pl.when(chosen).then(pl.lit("selector")).otherwise(pl.lit("algorithm"))


_LEAST = 2  # fewer solvers are not compared


class Group(NamedTuple):
    """Runs of a scenario under a protocol (name@hash), or of several pooled.

    n_instances: counts instances also where each repetition is a row of ``runs``. names: the columns of
    ``runs``; the first ``n_entrants`` are the compared solvers, the others the algorithms that determine
    SBS and VBS. Pooled selectors have none: their scenarios have no SBS in common. instances: the rows of
    ``runs``, and after # the repetition where each is a row.
    """

    protocol: str
    scenario_id: str
    measure: str
    names: tuple[str, ...]
    n_instances: int
    n_entrants: int
    has_gap: bool
    runs: Runs
    instances: tuple[str, ...] = ()


def groups(
    lake: OpenLake,
    protocol: str,
    *,
    kind: SweptKind | None = None,
    pooled: bool = False,
    least: int = _LEAST,
) -> list[Group]:
    """The runs of a protocol, in one group for each scenario or all pooled.

    kind: in each scenario selectors where there are any, else algorithms. Pooled
    groups have the solvers that are in every scenario with any of the kind. Only runtime measures take
    part, and groups of at least ``least``.
    """
    frame = lake.ask("runtime_runs", {"protocol": protocol})
    parts = frame.partition_by("scenario_id", "measure", maintain_order=True)
    if not pooled:
        made = (_group(kind or usual_kind(part["kind"]), [part], least) for part in parts)
        return [group for group in made if group is not None]
    chosen = kind or usual_kind(frame["kind"])
    group = _group(chosen, [part for part in parts if _names(part, chosen)], least)
    return [] if group is None else [group]


def _group(kind: str, parts: Sequence[pl.DataFrame], least: int) -> Group | None:
    """One group of scenarios; None if fewer than ``least`` entrants are in all."""
    present = [set(_names(part, kind)) for part in parts]
    entrants = sorted(set.intersection(*present)) if present else []
    if len(entrants) < least:
        return None
    algorithms = _names(parts[0], "algorithm") if len(parts) == 1 else []
    columns = [(kind, name) for name in entrants]
    if kind != "algorithm":
        columns += [("algorithm", name) for name in algorithms]
    tables = [_arrays(part, columns) for part in parts]
    parts_of = zip(*tables, strict=True)
    times, solved, cutoffs, rows = (np.concatenate(t) for t in parts_of)
    runs = Runs(times=times, solved=solved, cutoff=cutoffs)
    name, measure = f"({len(parts)} scenarios)", parts[0]["measure"][0]
    if len(parts) == 1:
        name = parts[0]["scenario_id"][0]
    names = tuple(name for _, name in columns)
    has_gap = kind == "algorithm" or len(names) > len(entrants)
    protocol = parts[0]["protocol"][0]
    n = sum(part["instance_id"].n_unique() for part in parts)
    entered = len(entrants), has_gap, runs, tuple(map(str, rows))
    return Group(protocol, name, measure, names, n, *entered)


def _names(part: pl.DataFrame, kind: str) -> list[str]:
    return part.filter(pl.col("kind") == kind)["solver"].unique().sort().to_list()


def _arrays(
    part: pl.DataFrame, columns: Sequence[tuple[str, str]]
) -> tuple[Floats, Floats, Floats, NDArray[np.object_]]:
    """times, solved: (n_instances, n_columns); cutoffs and names: (n_instances,)."""
    rows, names = ("instance_id", "repetition"), ("kind", "solver")
    pivoted = pivot(part, rows=rows, columns=names)
    order = pivoted.columns.rows()
    at = [order.index(column) for column in columns]
    times, solved = (pivoted.table(name)[:, at] for name in ("time", "solved"))
    labels = [f"{i} #{r}" if r else str(i) for i, r in pivoted.rows.rows()]
    return times, solved, pivoted.of_rows("cutoff"), np.array(labels, object)


# Matrix of the feature values of a scenario's instances.


@dataclass(frozen=True)
class FeatureMatrix:
    """Feature values of instances; a column for each number or label.

    values: (n_instances, n_columns), nan = missing.
    given: (n_instances, n_columns), whether the instance has that number or label; features: the feature of
    each column.
    """

    instances: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    given: NDArray[np.bool_]
    features: tuple[str, ...]


def feature_matrix(
    lake: OpenLake, scenario_id: str, instances: Sequence[str], *, features: Sequence[str] | None = None
) -> FeatureMatrix:
    """Feature values of the instances, in their order; all features if none are named.

    Repetitions of a feature are averaged; null, NaN and infinity are missing. A
    feature of labels becomes one column of 0 and 1 for each label. An instance
    without a row has nan in every column of numbers. Columns come by name.
    """
    asked = None if features is None else list(features)
    frame = lake.ask("feature_values", {"scenario": scenario_id, "features": asked})
    named = frame["name"].to_numpy().astype(str)
    names, first, column = np.unique(named, return_index=True, return_inverse=True)
    row_of = {instance: row for row, instance in enumerate(instances)}
    row = np.array([row_of.get(name, -1) for name in frame["instance_id"]], np.int64)
    values = np.full((len(instances), len(names)), np.nan)
    values[:, np.unique(column[frame["labelled"].to_numpy()])] = 0.0
    chosen = row >= 0
    values[row[chosen], column[chosen]] = frame["value"].to_numpy()[chosen]
    given = np.zeros(values.shape, bool)
    given[row[chosen], column[chosen]] = True
    of = tuple(frame["feature"].gather(first))
    return FeatureMatrix(tuple(instances), tuple(map(str, names)), values, given, of)


def known_families(
    instances: Sequence[str], given: Mapping[str, str | None], *, by_name: bool = True
) -> tuple[str, ...]:
    """The family of each instance; none where all are of one, or each of its own.

    given: of instances; where no family is known, what the names say, unless ``by_name`` is false. An
    instance without a family is one. Families that names tell count if they are worth five of equal size:
    fewer are kinds of instances, and no sample of families.
    """
    found = [str(given.get(name) or "") for name in instances]
    guessed = by_name and not any(found)
    if guessed:
        found = families(instances)
    found = [of or f"(none: {name})" for of, name in zip(found, instances, strict=True)]
    codes = codes_of(found)
    if codes is None or not 1 < len(set(found)) < len(found) or (guessed and worth(codes) < FEWEST):
        return ()
    return tuple(found)


def codes_of(known: Sequence[str]) -> NDArray[np.int64] | None:
    """Numbers from 0 for families; None for none."""
    return np.unique(known, return_inverse=True)[1] if known else None


def families_of(
    lake: OpenLake,
    scenario: str,
    instances: Sequence[str],
    *,
    given: Families | None = None,
    attribute: str | None = None,
) -> list[str]:
    """The family of each instance.

    As a file says, else an attribute (``family`` if none is named; instances without one are a family),
    else as the names tell.
    """
    if given:
        lacking = [given.finding(i, f"{i} is missing") for i in instances
                   if i not in given.of]  # fmt: skip
        if lacking:
            raise ScenarioError(given.path, lacking)
        return [given.of[i] for i in instances]
    return by_attribute(lake, scenario, instances, attribute) or families(instances)


def by_attribute(
    lake: OpenLake, scenario: str, instances: Sequence[str], attribute: str | None = None
) -> list[str]:
    """Value of the attribute, empty where it is not known; nothing if none has one."""
    sql = "select instance_id, value from raw_attribute"
    sql += " where scenario_id = $scenario and attribute = $attribute"
    found = dict(lake.rows(sql, {"scenario": scenario, "attribute": attribute or FAMILY}))
    if not found and attribute is not None:
        raise AslibError(
            f"no instance has the attribute {attribute}",
            scenario,
            "Import it with --attributes, or leave out the scenario.",
        )
    return [found.get(instance, "") for instance in instances] if found else []
