"""The verdict of a difference: one word for what mean, interval and tests say."""

from __future__ import annotations

from collections.abc import Collection

NO_DIFFERENCE = "no difference"
# What legends say of them; docs/glossary.md says the same.
LEGEND = (
    "better or worse: mean, test and interval of the mean agree; typically: the test "
    "shows it, the interval of the mean does not; mixed: test and mean name opposite "
    "sides; no difference: the test shows none"
)


def verdict(*, mean: float, interval: float, tests: Collection[float], typical: bool = True) -> str:
    """The word for a difference, seen from one of the two that are compared.

    mean, interval, tests: above 0 where it is the better one by the mean, by the interval of the mean and
    by each test, below 0 where the other one is, 0 where neither is shown to be. typical: whether the tests
    look at the units one by one, as tests of ranks and signs do, and not at their mean.
    """
    shown = {test > 0 for test in tests if test}
    if not shown:
        return NO_DIFFERENCE
    (better, *other) = shown
    if other or (mean and (mean > 0) != better):
        return "mixed"
    word = "better" if better else "worse"
    if mean and interval and (interval > 0) == better:
        return word
    return f"typically {word}" if typical else f"{word} by the test alone"


def turned(word: str) -> str:
    """The same verdict, seen from the other one."""
    swap = {"better": "worse", "worse": "better"}
    return " ".join(swap.get(each, each) for each in word.split(" "))


def is_clear(word: str) -> bool:
    """Whether mean, interval and test agree, so that a colour and a place follow."""
    return word in {"better", "worse"}
