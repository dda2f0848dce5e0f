"""Which laws of a rule no runs can break, as what the rule says shows.

Of a rule whose times are neither cut nor limited, ten times all times change no order, whatever the runs
are. Only the other laws have to be tried, which takes a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

QUICK = ("pair_sum", "copies", "time_scale", "unsolved")


def open_laws(rule: Mapping[str, Any], *, is_complete: bool) -> list[str]:
    """The laws that are quickly tried and that some runs may break.

    rule: what a row of the relation says. What it says that it lacks is known, and not among them.
    is_complete: whether every solver has a run on every instance; the mean over instances of others need
    not keep its order.
    """
    lacks = {text.partition(": ")[0] for text in rule.get("lacks") or ()}
    settled = {*_settled(rule, is_complete=is_complete)}
    return [law for law in QUICK if law not in lacks | settled]


def _settled(rule: Mapping[str, Any], *, is_complete: bool) -> Iterator[str]:
    scoring = rule.get("scoring", "answers")
    # Of two points of a pair one is 1 and the other 0, or they are shares of 1.
    if scoring != "pairs" or not rule.get("worse_of_unproved"):
        yield "pair_sum"
    # A copy says what is said already; only votes are counted, and pairs.
    if scoring != "pairs" and rule.get("disagreement") != "majority":
        yield "copies"
    is_exact = rule.get("rounding", "none") == "none"
    if is_exact and rule.get("time_limit") is None and scoring != "log":
        yield "time_scale"
    # An unsolved run adds the same to all who have it, or nothing; n is that of others.
    aggregation = rule.get("aggregation", "sum")
    means_alike = aggregation == "mean" and rule.get("answers_of") != "run"
    if rule.get("balanced") is None and (
        (is_complete and (aggregation == "sum" or means_alike))
        or (aggregation == "sum" and _adds_nothing(rule, scoring))
    ):
        yield "unsolved"


def _adds_nothing(rule: Mapping[str, Any], scoring: str) -> bool:
    """Whether a run without an answer changes no sum that decides."""
    return (
        scoring != "par"
        and not rule.get("both_failed" if scoring == "pairs" else "points_unsolved")
        and rule.get("no_answer", "unsolved") == "unsolved"
        and rule.get("times", "solved") != "all"
    )
