"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.solver_sets.metrics import (
    Field,
    best_portfolios,
    changed_sets,
    left_out_or_cloned,
)
from aslib_eval.metrics.ranking import BordaRule
from tests.whole_functions import Functions, Table, hold


def fields(t: Table) -> list[Field]:
    return [
        Field(t.runs),
        Field(t.runs, t.weighted, penalty=2.0, criterion="par1", drop=True),
        Field(t.weighted, criterion="solved", rule=BordaRule(20.0)),
    ]


FUNCTIONS: Functions = {
    "best_portfolios": lambda t: [best_portfolios(t.costs), best_portfolios(t.costs, most=2, work=1.0)],
    "field": lambda t: [
        [field.yardstick(members), field.scores(members)]
        for field in fields(t)
        for members in ((0, 1), (1,), (0, 0, 1), (1, 0))
    ],
    "others": lambda t: fields(t)[1].others_scores((0, 1), others=(0, 1)),
    "changed_sets": lambda t: (
        [
            [*changed_sets(t.costs.shape[1], change, most=5, seed=2)]
            for change in ("without", "clone", "subsets")
        ]
        + [*left_out_or_cloned((0, 0, 1), t.costs.shape[1])]
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
