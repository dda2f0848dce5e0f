"""What a leaderboard should publish of each solver, and its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.runs import codes_of
from aslib_eval.extensions.firmness.certificates import rests_on, text_of
from aslib_eval.extensions.firmness.metrics import RankSets, Removal, fewest_removals, groups_against
from aslib_eval.extensions.firmness.standings import Standing
from aslib_eval.metrics.scale import Floats
from aslib_eval.statistics.means import MeanIntervals, bounded_means
from aslib_eval.text import list_names, number, plural

_NAMED = 5  # instances, families or solvers whose names are listed


@dataclass(frozen=True, eq=False)
class Board:
    """A ranking with all that is published of it.

    scores: of the solvers in its order, with an interval each; nan where a rule decides by several numbers.
    removals: the fewest instances without which the next one is strictly before each but the last. first:
    those without which somebody is strictly before the first, and who. against: (n_solvers - 1, n_families)
    whether the next one is better in the family. otherwise: (n_families,) whether another one is better
    there than the first. instances: their names. assumed: what the sets of places rest on.
    """

    standing: Standing
    sets: RankSets
    scores: MeanIntervals
    removals: Sequence[Removal]
    first: tuple[Removal, str] | None
    against: NDArray[np.bool_]
    otherwise: NDArray[np.bool_]
    assumed: str


def board_of(standing: Standing, sets: RankSets, *, confidence: float, drawn: str | None) -> Board:
    """All that is published of a ranking.

    confidence: of each interval. drawn: what the sets were drawn of, as ``sets_of``.
    """
    many = len(standing.solvers)
    pairs = [standing.contest(at, at + 1) for at in range(many - 1)]
    others = [standing.contest(0, at) for at in range(1, many)]
    ways = [(fewest_removals(pair), name) for pair, name in zip(others, standing.solvers[1:], strict=True)]
    known = [way for way in ways if way[0].most is not None]
    codes = codes_of(standing.families)
    none = np.zeros((0, 0), bool)
    against = none if codes is None else np.array([groups_against(pair, codes) for pair in pairs])
    ahead = none if codes is None else np.array([groups_against(pair, codes) for pair in others])
    clusters = None if drawn == "instance" else codes
    return Board(
        standing,
        sets,
        _intervals(standing, clusters, confidence),
        [fewest_removals(pair) for pair in pairs],
        min(known, key=lambda way: way[0].most or 0, default=None),
        against,
        np.asarray(ahead.any(axis=0)),
        rests_on(standing, drawn),
    )


def _intervals(standing: Standing, clusters: NDArray[np.int64] | None, confidence: float) -> MeanIntervals:
    """Mean scores with their intervals: none where several numbers decide, or nothing bounds them."""
    (level, *more), runs = standing.levels, standing.runs[0]
    scores: Floats = standing.sign * level
    most = standing.most[0] if standing.most else None
    if standing.bounds is not None:
        ends = standing.total_bounds
    elif most is not None and not more:
        ends = (0.0, most)
    else:
        none = np.full(scores.shape[1], np.nan)
        return MeanIntervals(scores.mean(axis=0) / runs, none, none)
    found = bounded_means(scores, least=ends[0], most=ends[1], confidence=confidence, clusters=clusters)
    return MeanIntervals(found.estimate / runs, found.lower / runs, found.upper / runs)


def leaderboard_frame(boards: Sequence[Board]) -> pl.DataFrame:
    """A row a solver; null of the last where a cell is about the next one."""
    rows = []
    for board in boards:
        standing, better = board.standing, board.sets.better
        told = (better | better.T).sum(axis=1)
        families = sorted(set(standing.families))
        for at, solver in enumerate(standing.solvers):
            has_next = at < len(board.removals)
            removal = board.removals[at] if has_next else Removal(None, None)
            against = families and has_next
            worse = [families[of] for of in np.flatnonzero(board.against[at])] if against else []
            low, high = int(board.sets.lower[at]), int(board.sets.upper[at])
            score, lower, upper = (
                float(part[at]) + 0.0 if np.isfinite(part[at]) else None
                for part in (board.scores.estimate, board.scores.lower, board.scores.upper)
            )
            rows.append(
                standing.about
                | {
                    "n": standing.n, "n_families": len(families), "solver": solver,
                    "score": score, "lower": lower, "upper": upper,
                    "place": standing.places[at], "low": low, "high": high,
                    "places": text_of(low, high), "told_apart": int(told[at]),
                    "next_told_apart": bool(better[at, at + 1]) if has_next else None,
                    "removals": removal.most, "instances": _names(removal, standing),
                    "n_families_against": len(worse) if against else None,
                    "families_against": _listed(worse), "assumes": board.assumed,
                }
            )  # fmt: skip
    types = {
        **dict.fromkeys(("score", "lower", "upper"), pl.Float64),
        **dict.fromkeys(("removals", "n_families_against"), pl.Int64),
        **dict.fromkeys(("instances", "families_against"), pl.String),
    }
    return pl.DataFrame(rows, schema_overrides=types)


def _listed(names: Sequence[str]) -> str | None:
    return list_names(names, most=_NAMED, quoted=False) if names else None


def _names(removal: Removal, standing: Standing) -> str | None:
    return _listed([standing.instances[row] for row in removal.rows])


def verdict(board: Board) -> str:
    """Who may be first, which pairs are told apart, and what decides the first place."""
    standing, better = board.standing, board.sets.better
    many = len(standing.solvers)
    first = [name for name, low in zip(standing.solvers, board.sets.lower, strict=True) if low == 1]
    said = f"{standing.title}: {len(first)} of {plural(many, 'solver')} may be first: "
    said += list_names(first, most=_NAMED, quoted=False)
    pairs, next_ones = many * (many - 1) // 2, int(np.diag(better, k=1).sum())
    said += f". {number(int(better.sum()))} of {plural(pairs, 'pair')} differ significantly"
    said += f", including {next_ones} of the {plural(many - 1, 'pair')} with adjacent ranks"
    tied = standing.places.count(1)
    if tied > 1:
        said += f". {tied} solvers share the first rank"
    elif board.first is None:
        said += f". {standing.solvers[0]} stays first, whichever instances are removed"
    else:
        removal, other = board.first
        gone = f" ({_names(removal, standing)})" if removal.rows else ""
        fewer = f"{removal.most} of {plural(standing.n, 'instance')}{gone}"
        said += f". Without {fewer}, {other} is ahead of {standing.solvers[0]}"
    if len(board.otherwise):
        others = int(board.otherwise.sum())
        every = plural(len(board.otherwise), "family", "families")
        said += f". In {others} of {every}, another solver is first"
    if standing.left_out:
        lack = plural(len(standing.left_out), "solver has", "solvers have")
        said += f". {lack} no rank because a value is missing: {_listed(standing.left_out)}"
    return f"{said}. This assumes that {board.assumed}."
