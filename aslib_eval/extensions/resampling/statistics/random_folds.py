"""Random cross-validation folds, of strata and of groups that stay together.

All of it is a function of its arguments: the same generator state gives the same
folds. Only uniform doubles are drawn, the part of numpy's generators that is least likely to change between
versions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.text import plural

Codes = NDArray[np.int64]


def repeated_folds(
    strata: Codes, groups: Codes, *, repeats: int, folds: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """``repeats`` independent random splits into ``folds`` folds.

    strata, groups: (n,) codes; equal strata are spread evenly over the folds, equal groups stay in one
    fold. A group of mixed strata counts for its most frequent one (the smallest code if two are).
    Returns (repeats, n) the fold of each instance, 1 to ``folds``, none empty. With groups of one instance
    the folds of a stratum, and the folds, differ by at most
    one instance; a larger group makes its fold larger, also beyond n / folds.
    """
    n_groups = len(np.unique(groups))
    if repeats < 1:
        raise AslibError(f"{repeats} repeats are not at least one", "repeats")
    if folds < 2:  # noqa: PLR2004
        hint = "The other folds are what is trained on: ask for two or more."
        raise AslibError(f"{folds} is not a number of folds", "folds", hint)
    if folds > n_groups:
        what = f"{folds} folds cannot be made of {_counted(len(groups), n_groups)}"
        hint = f"Ask for at most {n_groups}." if n_groups > 1 else ""
        raise AslibError(what, "folds", hint)
    return np.stack([_split(strata, groups, folds, rng) for _ in range(repeats)])


def _counted(n: int, n_groups: int) -> str:
    instances = plural(n, "instance")
    if n_groups == n:
        return instances
    groups = "group that stays" if n_groups == 1 else "groups that stay"
    return f"{instances} in {n_groups} {groups} together"


def _split(strata: Codes, groups: Codes, folds: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """One split: large groups first, each into the fold with least of its stratum.

    An empty fold has least of everything, so that none stays empty.
    """
    members = np.unique(groups, return_inverse=True)[1]
    size = np.bincount(members)
    kind = _most_frequent(np.unique(strata, return_inverse=True)[1], members)
    order = np.lexsort((rng.random(len(size)), kind, -size))
    tie_break = np.argsort(rng.random(folds))
    total = [0] * folds
    in_kind = [[0] * folds for _ in range(int(kind.max()) + 1)]
    fold_of = np.zeros(len(size), np.int32)
    for group in order.tolist():
        counts = in_kind[kind[group]]
        fold = min(range(folds), key=lambda f: (counts[f], total[f], tie_break[f]))
        counts[fold] += int(size[group])
        total[fold] += int(size[group])
        fold_of[group] = fold + 1
    return fold_of[members]


def _most_frequent(strata: Codes, members: Codes) -> Codes:
    """The stratum that most members of each group have; the smallest of equals."""
    table = np.zeros((int(members.max()) + 1, int(strata.max()) + 1), np.int64)
    np.add.at(table, (members, strata), 1)
    found: Codes = table.argmax(axis=1)
    return found


def hardness(n_solving: NDArray[np.float64], vbs_cost: NDArray[np.float64], *, levels: int = 5) -> Codes:
    """Level of hardness of each instance: 0 = easiest; ``levels`` = unsolved.

    n_solving: (n,) number of algorithms that solve it (constant for quality
    measures); vbs_cost: (n,) cost of VBS, which orders
    instances that equally many solve. Instances equal in both share a level, so
    levels may be of unequal size or empty. Those that no algorithm solves are level ``levels``.
    """
    solved = n_solving > 0
    found = np.full(len(n_solving), levels, np.int64)
    easiest_first = np.stack([-n_solving[solved], vbs_cost[solved]], axis=1)
    if solved.any():
        _, place, count = np.unique(easiest_first, axis=0, return_inverse=True, return_counts=True)
        before = np.cumsum(count) - count
        found[solved] = (before * levels // solved.sum())[place.ravel()]
    return found


def identical(features: NDArray[np.float64]) -> Codes:
    """One code for each distinct row; features: (n, n_features), missing = missing.

    Instances without any value get a code each: two instances about which nothing is recorded need not be
    the same.
    """
    missing = np.isnan(features)
    rows = np.concatenate([np.where(missing, 0.0, features), missing], axis=1)
    codes: Codes = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    unknown = missing.all(axis=1)
    codes[unknown] = codes.max(initial=0) + 1 + np.arange(unknown.sum())
    return codes
