"""Numbers, names and counts as readers see them."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.text import (
    MINUS,
    NONE,
    aligned,
    brief,
    comparable,
    decimals,
    did_you_mean,
    fixed,
    gap_size,
    join_words,
    list_names,
    nearest,
    number,
    one_of,
    plural,
    printable,
    printed,
    rounded_to_zero,
    short_names,
    shorten,
    shown,
    significant,
    telling,
    with_unit,
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
def test_a_count_agrees_with_its_noun(n: int, words: tuple[str, ...], expected: str) -> None:
    assert plural(n, *words) == expected


def test_more_names_than_fit_are_counted() -> None:
    assert list_names([]) == ""
    assert list_names(["a", "b"]) == "'a', 'b'"
    assert list_names("abcd", most=3) == "'a', 'b', 'c' and 1 more"
    assert list_names("ab", total=7) == "'a', 'b' and 5 more"
    assert list_names(["it's"], quoted=False) == "it's"


@pytest.mark.parametrize(
    ("words", "expected"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")]
)
def test_words_are_joined(words: Sequence[str], expected: str) -> None:
    assert join_words(words) == expected


def test_what_was_meant_is_guessed() -> None:
    assert did_you_mean("closd", ["closed", "open"]) == "Did you mean 'closed'?"
    assert did_you_mean("closd", ["open"]) == ""
    assert did_you_mean("abcde", ["abcxy"]) == "Did you mean 'abcxy'?"  # 6 of 10 letters
    assert did_you_mean("abcde", ["abxyz"]) == ""  # 4 of 10
    assert did_you_mean("ab", ["ab1", "ab2", "ab3", "ab4", "xyz"]).count(" or ") == 2
    known = ["MIP-2016", "CPMP-2015"]
    assert did_you_mean("MIP2016", known) == "Did you mean 'MIP-2016'?"
    assert did_you_mean("mip-2016", known) == "Did you mean 'MIP-2016'?"


def test_what_was_meant_by_each_of_several_words() -> None:
    known = ["MIP-2016", "QBF-2014"]
    assert nearest(["QBF2014"], known) == "Did you mean 'QBF-2014'?"
    assert nearest(["MIP2016", "x", "QBF2014", "x"], known) == (
        "For MIP2016: did you mean 'MIP-2016'? For QBF2014: did you mean 'QBF-2014'?"
    )
    assert nearest(["x", "y"], known) == ""


def test_what_there_is_instead_of_a_name() -> None:
    assert one_of("a.b", ["ab", "cd"]) == "Did you mean 'ab'?"
    assert one_of("x", ["ab", "cd"]) == "Available: ab, cd."
    assert one_of("x", ["ab"]) == "Available: ab."
    assert one_of("x", []) == "There is none."


def test_fixed_decimals_have_no_negative_zero() -> None:
    assert [fixed(v, 2) for v in (-0.001, 1.005, None, "x")] == ["0.00", "1.00", NONE, "x"]
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


def test_numbers_below_each_other_have_three_digits_of_the_middle_one() -> None:
    columns = ([1, 20.5, 3000], [0.5, 0.25, -4], [7, 9], [1e-7, 2e-7], [])
    assert [decimals(large) for large in ([0.1, 1e15], [1e300])] == [None, None]
    assert [decimals(column) for column in columns] == [1, 3, 0, None, 0]
    shown = [(-0.0004, 3), (2.5, 0), (1234567.891, 2), (None, 2), (-7, 1), ("x", 2)]
    assert [aligned(value, places) for value, places in shown] == [
        *("0.000", "3", "1\u202f234\u202f567.89", NONE, f"{MINUS}7.0", "x")
    ]
    assert [brief(v) for v in (3007.94, 0.98199, 10.685, 5, -0.5)] == [
        *("3008", "0.982", "10.7", "5", f"{MINUS}0.500")
    ]


def test_a_rank_is_seen_in_the_digits_of_a_column() -> None:
    assert telling([187.4, 185.6, 191], 0, "min") == 0
    assert telling([186.2, 185.9, 483], 0, "min") == 1
    assert telling([0.9383, 0.93834, 0.1], 3, "max") == 5
    assert telling([2, 2, 2.0000001, None, math.nan], 1, "min") == 1
    assert telling([7.5, 7.5], 0, "max") == 0
    assert telling([1e-7, 2e-7], None, "max") is None


def test_no_two_names_are_shortened_alike() -> None:
    begin, end = "Kissat_MAB-", "-with-a-very-long-common-end-of-all"
    names = [f"{begin}{'x' * 20}{middle}{end}" for middle in ("ESA", "HyWalk", "EST")]
    short = short_names([*names, "short"], most=20)
    assert short["short"] == "short"
    assert len(set(short.values())) == 4
    assert all(len(text) <= 20 for text in short.values())
    assert [("ESA" in short[names[0]]), ("HyW" in short[names[1]])] == [True, True]
    assert short_names(["a" * 99, "b" * 99], most=9) == {
        "a" * 99: "aaaa…aaaa", "b" * 99: "bbbb…bbbb"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, NONE),
        (float("nan"), NONE),
        (0.0, "0"),
        (1 / 3, "0.33333"),
        (12345.678, "12346"),
        (-1234567.8, f"{MINUS}1\u202f234\u202f568"),
        (0.0000123, f"1.23e{MINUS}5"),
        (0.00012, "0.00012"),
        (float("inf"), "∞"),
        (True, "yes"),
        ("x", "x"),
        (100_000.0, "100\u202f000"),
        (99_999.0, "99999"),
        (99_999.96, "100000"),
        (1e-4, "0.0001"),
        (9.99e-5, f"9.99e{MINUS}5"),
        (-0.0, "0"),
        (-math.inf, f"{MINUS}∞"),
        (False, "no"),
        (12, "12"),
    ],
)
def test_numbers_are_readable(value: object, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (453312.4, 4, "453\u202f312"),
        (-1234567.0, 4, "-1\u202f234\u202f567"),
        (68583.2, 4, "68583"),
        (9999.7, 4, "10000"),
        (99999.6, 4, "100\u202f000"),
        (125.521, 4, "125.5"),
        (0.25, 3, "0.25"),
        (12345.0, 6, "12345"),
    ],
)
def test_sentences_have_numbers_without_exponents(value: float, digits: int, text: str) -> None:
    assert significant(value, digits) == text


def test_a_number_that_is_rounded_up_has_no_exponent() -> None:
    assert (shown(999999.7), shown(999999.2)) == ("1000000", "999999")
    assert (shown(-1e8), shown(1e12)) == ("-100000000", "1000000000000")
    assert (shown(-1e20), shown(1.5e308)) == ("-100000000000000000000", "1.5e+308")


def test_what_has_no_stated_unit_says_so() -> None:
    assert with_unit("time", "ms") == "time [ms]"
    assert with_unit("time", None) == with_unit("time", "") == "time [unit not stated]"


def test_decimals_and_digits_at_their_limits() -> None:
    middle = ([0.0001, 0.0001], [0.00009], [0.5, 0.05], [math.inf, 1.5], [True, 2.5])
    assert [decimals(column) for column in middle] == [6, None, 3, 2, 2]
    assert [aligned(v, 1) for v in (99_999.96, 99_999.94, 100_000, math.inf)] == [
        *("100000.0", "99999.9", "100\u202f000.0", "∞")
    ]
    assert [aligned(2.5, None)] == ["2.5"]
    assert significant(99_999.4, 5) == "99999"
    assert (shown(0.5, 1), shown(2)) == ("0.5", "2")


def test_a_name_is_cut_in_its_middle() -> None:
    assert shorten("abcdefg", 7) == "abcdefg"
    assert shorten("abcdefgh", 7) == "abc…fgh"
    assert shorten("abcdefghi", 8) == "abc…fghi"
    assert printable("a\nb\u202ec") == "a b c"


def test_names_that_are_cut_alike_keep_what_tells_them_apart() -> None:
    one, two = "a" * 30 + "x" + "b" * 30, "a" * 30 + "yz" + "b" * 29
    assert short_names([one, two, one], 20) == {one: "aaaaa…aaxbbbbbbbbbb…", two: "aaaaa…aayzbbbbbbbbb…"}
    same = ["c" * 40 + tail for tail in ("1" * 40, "1" * 39 + "2", "1" * 38 + "22")]
    assert list(short_names([n + "e" * 30 for n in same], 12).values()) == [
        "ccc…1111eee…",
        "ccc…1112eee…",
        "ccc…1122eee…",
    ]


def test_a_printed_number_and_what_is_printed_so() -> None:
    third = printed(" 0.417 ")
    assert (third.text, third.value, third.half) == ("0.417", 0.417, 0.0005)
    share = printed("41.7 %")
    assert (share.text, share.value, share.half) == ("41.7 %", 0.417, 0.0005)
    assert printed("1.2e3").half == 50
    assert [third.rounds(v) for v in (0.4165, 0.4175, 0.4164, 0.4176, None)] == [
        *(True, True, False, False, False)
    ]
    assert [third.cuts(v) for v in (0.417, 0.4179, 0.418, 0.4169, -0.417, None)] == [
        *(True, True, False, False, False, False)
    ]
    assert printed("-2").cuts(-2.9)
    for text in ("x", "inf", "nan%", ""):
        with pytest.raises(AslibError) as found:
            printed(text)
        hint = "Write it as it is printed, such as 0.417 or 41.7%."
        assert str(found.value) == f"the printed value: {text!r} is no number. {hint}"


def test_what_is_within_the_rounding_of_its_terms_is_0() -> None:
    assert [rounded_to_zero(v) for v in (1e-12, -1e-12, 1.1e-12)] == [0, 0, 1.1e-12]
    assert str(rounded_to_zero(-1e-13)) == "0.0"
    assert rounded_to_zero(1e-10, size=-100.0) == 0
    assert rounded_to_zero(1.1e-10, size=100.0) == 1.1e-10


@pytest.mark.parametrize(
    ("costs", "size"),
    [
        ([(30.0, 10.0)], 1.5),
        ([(-10.0, -30.0)], 1.5),
        ([(10.0, 9.0)], 10.0),
        ([(2.0, -2.0)], 1.0),
        ([(5.0, 5.0)], 1.0),
        ([(None, 5.0)], 1.0),
        ([(5.0, None)], 1.0),
        ([], 1.0),
    ],
)
def test_the_size_of_the_terms_of_a_closed_gap(
    costs: list[tuple[float | None, float | None]], size: float
) -> None:
    types = {"sbs_cost": pl.Float64, "vbs_cost": pl.Float64}
    assert gap_size(pl.DataFrame(costs, schema=types, orient="row")) == size


def test_names_that_stay_alike_are_told_apart_by_what_comes_later() -> None:
    def name(first: str, second: str) -> str:
        return "p" * 20 + first + "q" * 30 + second + "r" * 20

    names = [name("A", "1"), name("A", "2"), name("B", "1")]
    assert list(short_names(names, 12).values()) == ["ppp…qq1rrrr…", "ppp…qq2rrrr…", "ppp…ppBqqqq…"]
