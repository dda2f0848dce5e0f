"""Numbers, names and counts as readers see them."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.text import (
    NONE,
    comparable,
    did_you_mean,
    fixed,
    join_words,
    list_names,
    one_of,
    plural,
    shown,
)


@pytest.mark.parametrize(
    ("n", "words", "expected"),
    [
        (0, ("run",), "0 runs"),
        (1, ("run",), "1 run"),
        (2, ("run",), "2 runs"),
        (1, ("row repeats", "rows repeat"), "1 row repeats"),
        (3, ("row repeats", "rows repeat"), "3 rows repeat"),
    ],
)
def test_a_count_agrees_with_its_noun(
    n: int, words: tuple[str, ...], expected: str
) -> None:
    assert plural(n, *words) == expected


def test_more_names_than_fit_are_counted() -> None:
    assert list_names([]) == ""
    assert list_names(["a", "b"]) == "'a', 'b'"
    assert list_names("abcd", most=3) == "'a', 'b', 'c' and 1 more"
    assert list_names("ab", total=7) == "'a', 'b' and 5 more"
    assert list_names(["it's"], quoted=False) == "it's"


@pytest.mark.parametrize(
    ("words", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")],
)
def test_words_are_joined(words: Sequence[str], expected: str) -> None:
    assert join_words(words) == expected


def test_what_was_meant_is_guessed() -> None:
    assert did_you_mean("closd", ["closed", "open"]) == "Did you mean 'closed'?"
    assert did_you_mean("closd", ["open"]) == ""
    known = ["MIP-2016", "CPMP-2015"]
    assert did_you_mean("MIP2016", known) == "Did you mean 'MIP-2016'?"
    assert did_you_mean("mip-2016", known) == "Did you mean 'MIP-2016'?"


def test_what_there_is_instead_of_a_name() -> None:
    assert one_of("a.b", ["ab", "cd"]) == "Did you mean 'ab'?"
    assert one_of("x", ["ab", "cd"]) == "There are ab, cd."
    assert one_of("x", ["ab"]) == "There is ab."
    assert one_of("x", []) == "There is none."


def test_fixed_decimals_have_no_negative_zero() -> None:
    assert [fixed(v, 2) for v in (-0.001, 1.005, None, "x")] == [
        "0.00",
        "1.00",
        NONE,
        "x",
    ]
    assert fixed(0.1 + 0.2, None) == "0.3"
    assert shown([1.5, None, True]) == "1.5  yes"


def test_what_the_order_of_a_sum_decides_is_equal() -> None:
    assert comparable(0.1 + 0.2) == comparable(0.3)
    assert comparable(1 + 1e-11) != comparable(1.0)


def test_a_refusal_of_the_system_names_the_place_and_the_reason() -> None:
    reason = os.strerror(errno.EACCES)
    refused = PermissionError(errno.EACCES, reason, "there")
    with pytest.raises(AslibError) as found, os_errors(Path("here"), "Try again."):
        raise refused
    assert str(found.value) == f"here: cannot be read ({reason}). Try again."
    with pytest.raises(AslibError) as found, os_errors(what="cannot be written"):
        raise refused
    assert str(found.value) == f"there: cannot be written ({reason})"
