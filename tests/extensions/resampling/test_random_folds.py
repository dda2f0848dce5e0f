"""Random splits: literal ones, and what holds for every one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.resampling.random_splits import hardness, identical, repeated_folds
from aslib_eval.formats.attributes import families


def split(
    strata: list[int], groups: list[int] | None = None, *, folds: int, repeats: int = 1, seed: int = 1
) -> list[list[int]]:
    found = repeated_folds(
        np.array(strata),
        np.arange(len(strata)) if groups is None else np.array(groups),
        repeats=repeats,
        folds=folds,
        rng=np.random.default_rng(seed),
    )
    return [[int(fold) for fold in row] for row in found]


def test_the_same_seed_gives_the_same_folds() -> None:
    assert split([0] * 6, folds=3, repeats=2) == [[3, 2, 3, 1, 1, 2], [3, 1, 3, 2, 2, 1]]
    assert split([0] * 6, folds=3, repeats=2, seed=2) == [[1, 3, 3, 2, 2, 1], [3, 1, 1, 2, 2, 3]]


def test_a_group_stays_together_and_the_others_fill_up() -> None:
    (found,) = split([0] * 8, [0, 0, 0, 0, 1, 2, 3, 4], folds=2)
    assert len(set(found[:4])) == 1
    assert set(found[4:]) == {3 - found[0]}


def test_a_group_larger_than_a_fold_makes_its_fold_larger() -> None:
    (found,) = split([0] * 6, [0, 0, 0, 0, 1, 2], folds=3)
    assert sorted(np.bincount(found)[1:]) == [1, 1, 4]


def test_a_group_counts_for_its_most_frequent_stratum() -> None:
    # Groups 0 and 1 are of stratum 1, 2 and 3 of stratum 0: one of each in a fold.
    (found,) = split([0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1], [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3, folds=2)
    assert found[0] != found[3]
    assert found[6] != found[9]


@pytest.mark.parametrize(
    ("strata", "groups", "folds", "repeats", "message"),
    [
        ([0, 0], None, 3, 1, "folds: 2 instances cannot fill 3 folds. Ask for at most 2 folds"),
        ([0], None, 2, 1, "folds: 1 instance cannot fill 2 folds"),
        ([0, 0, 0], [0, 0, 1], 3, 1, "3 instances in 2 groups that stay together"),
        ([0, 0], [0, 0], 2, 1, "2 instances in 1 group that stays together"),
        ([0, 0], None, 1, 1, "folds: 1 is not a number of folds"),
        ([0, 0], None, 2, 0, "repeats: 0 repeats are not at least one"),
        ([], None, 2, 1, "folds: 0 instances cannot fill 2 folds"),
    ],
)
def test_what_cannot_be_split(
    strata: list[int], groups: list[int] | None, folds: int, repeats: int, message: str
) -> None:
    with pytest.raises(AslibError) as caught:
        split(strata, groups, folds=folds, repeats=repeats)
    assert message in str(caught.value)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    n = draw(st.integers(2, 60))
    strata = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    groups = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    return strata, groups, draw(st.integers(2, n))


@given(cases(), st.integers(0, 2**32))
def test_folds_and_strata_are_even(case: tuple[list[int], list[int], int], seed: int) -> None:
    strata, _, folds = case
    (found,) = split(strata, folds=folds, seed=seed)
    for kept in (set(strata), *({s} for s in strata)):
        inside = [f for f, s in zip(found, strata, strict=True) if s in kept]
        counts = np.bincount(inside, minlength=folds + 1)[1:]
        assert counts.max() - counts.min() <= 1


@given(cases(), st.integers(0, 2**32))
def test_groups_stay_whole_and_no_fold_is_empty(case: tuple[list[int], list[int], int], seed: int) -> None:
    strata, groups, folds = case
    folds = min(folds, len(set(groups)))
    if folds > 1:
        (found,) = split(strata, groups, folds=folds, seed=seed)
        assert set(found) == set(range(1, folds + 1))
        assert len(set(zip(groups, found, strict=True))) == len(set(groups))


def test_every_instance_is_as_likely_in_every_fold() -> None:
    found = np.array(split([0, 0, 0, 1, 1], folds=2, repeats=2000))
    share = (found == 1).mean(axis=0)
    assert abs(share - 0.5).max() < 0.06  # five standard errors


# --- strata and groups --------------------------------------------------------------


def test_hardness_goes_by_the_number_of_solving_algorithms_then_by_time() -> None:
    n_solving = np.array([3, 3, 2, 1, 1, 0.0])
    vbs = np.array([5, 1, 9, 2, 80, 1000.0])
    assert hardness(n_solving, vbs).tolist() == [1, 0, 2, 3, 4, 5]
    assert hardness(n_solving, vbs, levels=2).tolist() == [0, 0, 0, 1, 1, 2]


def test_hardness_does_not_part_what_is_equal() -> None:
    assert hardness(np.ones(4), np.array([1, 1, 1, 2.0])).tolist() == [0, 0, 0, 3]
    assert hardness(np.zeros(2), np.array([9, 9.0])).tolist() == [5, 5]


def test_identical_rows_share_a_code_and_unknown_ones_do_not() -> None:
    nan = np.nan
    rows = np.array([[1, nan], [1, 0], [1, nan], [nan, nan], [nan, nan]])
    codes = identical(rows)
    assert codes[0] == codes[2]
    assert len(set(codes.tolist())) == 4


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["sat/vmpc/a1", "sat/qg/b", "c"], ["sat/vmpc", "sat/qg", ""]),
        (["in/vmpc_24.cnf", "in/qg7-13"], ["vmpc", "qg"]),
        (["aim.cnf", "2097", "BF10_x"], ["aim", "", "BF"]),
        (["a\\x", "b\\x"], ["a", "b"]),
        (["daf0" * 8, "b00c" * 8 + ".cnf"], ["daf0" * 8, "b00c" * 8 + ".cnf"]),
        ([f"{'0b1e' * 8}-gt-1.cnf", f"{'0b1e' * 8}_qg7"], ["gt", "qg"]),
        (["deadbeef", "0" * 20, "facade-decade-abcde"], ["deadbeef", "", "facade"]),
    ],
)
def test_families_are_folders_or_else_first_words(names: list[str], expected: list[str]) -> None:
    assert families(names) == expected
