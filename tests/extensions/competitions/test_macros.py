"""Formulas of rules, each by hand."""

from __future__ import annotations

import duckdb
import pytest

from tests.conftest import rows


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("ratio_to_best(4, 4, 0)", 1),
        ("ratio_to_best(3, 1, 1)", 0.5),
        ("ratio_to_best(-5, -10, 0)", 0.5),  # larger is better, both are negated
        ("ratio_to_best(5, -1, 0)", None),
        ("log_points(0.5, 100)", 1),
        ("log_points(10, 100)", 0.5),
        ("log_points(100, 100)", 0),
        ("log_points(200, 100)", 0),
    ],
)
def test_formulas_of_rules(asked: str, value: float | None, views: duckdb.DuckDBPyConnection) -> None:
    assert rows(views, f"select {asked}") == [(pytest.approx(value),)]
