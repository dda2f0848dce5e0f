"""Which other values the choices of a rule have, and how changes of them combine."""

from __future__ import annotations

from collections.abc import Sequence

from aslib_eval.extensions.competitions.rule_fit import (
    _NUMBERS,
    Change,
    Effect,
    alternatives,
    changed,
    explain,
)
from aslib_eval.extensions.competitions.rules import sql_file

DEFAULTS = """
    select
        'r' as rule, 'text' as about, false as sound, 24.0 as time_limit,
        'cpu'::enum('cpu', 'wall') as clock,
        ['-solved', 'time'] as order_by,
        null::enum('sum', 'mean') as aggregation,
        ['sat']::enum('sat', 'unsat')[] as counts,
        7.5 as nobody_knows
"""


def test_other_values_are_those_of_the_type() -> None:
    assert alternatives(DEFAULTS, {}) == {
        "sound": [True],
        "time_limit": [None],
        "clock": ["wall"],
        "order_by": [("time", "-solved")],
        "aggregation": ["sum", "mean"],
        "counts": [(), ("sat", "unsat")],
    }


def test_what_is_tried_of_numbers_are_choices_of_a_rule() -> None:
    assert {*_NUMBERS} <= {*alternatives(sql_file("rule").defaults, {})}


def test_what_a_row_says_is_no_other_value() -> None:
    row = {"sound": True, "clock": "wall", "aggregation": "sum", "order_by": ["time"]}
    assert alternatives(DEFAULTS, {**row, "counts": None}) == {
        "sound": [False],
        "time_limit": [None],
        "clock": ["cpu"],
        "aggregation": ["mean"],
        "counts": [(), ("sat", "unsat")],
    }


def test_an_order_of_more_than_four_words_is_not_permuted() -> None:
    assert len(alternatives(DEFAULTS, {"order_by": list("abcd")})["order_by"]) == 23
    assert "order_by" not in alternatives(DEFAULTS, {"order_by": list("abcde")})


def test_a_changed_row_has_a_name_of_its_own_and_lists() -> None:
    row = {"rule": "r", "clock": "cpu", "counts": ["sat"]}
    change = (("counts", ("unsat",)), ("sound", True))
    assert changed(row, change, name="r'") == {
        "rule": "r'",
        "clock": "cpu",
        "counts": ["unsat"],
        "sound": True,
    }


CHOICES = {"a": [1, 2], "b": [3], "c": [4]}


def effects(changes: Sequence[Change], *, needs: Change = ()) -> list[Effect]:
    """Three values differ; each part of what is needed explains one."""
    found = []
    for change in changes:
        has = sum(part in change for part in needs)
        found.append(Effect(3 - has if has < len(needs) else 0, has))
    return found


def test_the_smallest_changes_that_explain_all() -> None:
    def asked(changes: Sequence[Change]) -> list[Effect]:
        return effects(changes, needs=(("a", 2), ("c", 4)))

    found = explain(CHOICES, asked, sample=asked)
    assert (found.changes, found.nearest) == (((("a", 2), ("c", 4)),), (("a", 2), ("c", 4)))
    assert (found.left, found.most, found.complete, found.tried) == (0, 2, True, 9)


def test_the_nearest_where_nothing_explains_all() -> None:
    def asked(changes: Sequence[Change]) -> list[Effect]:
        return effects(changes, needs=(("a", 1), ("b", 3), ("gone", 0)))

    found = explain(CHOICES, asked, sample=asked, most=2)
    assert (found.changes, found.nearest) == ((), (("a", 1), ("b", 3)))
    assert (found.left, found.most, found.complete, found.tried) == (1, 2, True, 9)


def test_of_many_changes_those_that_matter_are_combined() -> None:
    def asked(changes: Sequence[Change]) -> list[Effect]:
        return effects(changes, needs=(("a", 2), ("c", 4)))

    some = explain(CHOICES, asked, sample=asked, tries=4)
    assert (some.changes, some.complete) == (((("a", 2), ("c", 4)),), False)
    assert some.tried == 4 + 2  # a and c alone
    none = explain(CHOICES, asked, sample=asked, tries=0)
    assert (none.changes, none.left, none.most) == ((), 2, 1)


def test_the_search_ends_after_so_many_steps_with_the_nearest_so_far() -> None:
    def asked(changes: Sequence[Change]) -> list[Effect]:
        return effects(changes, needs=(("a", 2), ("c", 4)))

    found = explain(CHOICES, asked, sample=asked, steps=4)
    assert (found.tried, found.is_cut, found.changes) == (4, True, ())
    assert (found.nearest, found.left) == ((("a", 2),), 2)
    found = explain(CHOICES, asked, sample=asked, steps=2)
    assert (found.tried, found.is_cut, found.left) == (2, True, 2)
    assert not explain(CHOICES, asked, sample=asked, steps=9).is_cut


def test_so_many_changes_are_tried_on_all_values() -> None:
    def sample(changes: Sequence[Change]) -> list[Effect]:
        return [Effect(0, at) for at, _ in enumerate(changes)]

    def whole(changes: Sequence[Change]) -> list[Effect]:
        return [Effect(3, at) for at, _ in enumerate(changes)]

    found = explain(CHOICES, whole, sample=sample, checks=2)
    assert (found.is_cut, found.changes, found.most) == (True, (), 3)


def test_what_says_nothing_of_such_scoring_is_tried_last() -> None:
    found = [*alternatives(sql_file("rule").defaults, {"scoring": "par"})]
    assert found.index("penalty") < found.index("proofs")
    assert found.index("times") < found.index("shift")
    pairs = [*alternatives(sql_file("rule").defaults, {"scoring": "pairs"})]
    assert pairs.index("proofs") < pairs.index("penalty")
