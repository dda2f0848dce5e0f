"""How alike the algorithms of a scenario are: their correlation, and their tree."""

from __future__ import annotations

from aslib_eval.extensions.likeness.analysis import clusters, correlations, heatmap, tree
from tests.figures.test_page_figures import SUMMARY, marks, results, timed


def test_algorithms_that_behave_alike_stand_beside_each_other() -> None:
    run = timed({"a": [1, 2, 3], "b": [3, 2, 1], "c": [1, 2, 5]})
    found = results({"run": run, "summary": [SUMMARY]})
    chart = tree(found)
    assert chart is not None
    at: list[str] = chart.y.names  # type: ignore[union-attr]
    cells = {
        (at[round(box[0] + 0.48)], at[round(box[2] + 0.48)]): box[4:]
        for box in marks(heatmap(found))[0]["boxes"]
    }
    assert cells["a", "c"] == [1, "low", 1.0]
    assert cells["c", "b"] == cells["b", "a"] == [-1, "high", 1.0]
    joins = [mark["points"][1][2] for mark in marks(chart)]
    assert joins == ["2 algorithms join at 0.00", "3 algorithms join at 2.00"]
    names = chart.y.names  # type: ignore[union-attr]
    assert abs(names.index("a") - names.index("c")) == 1
    level = timed({name: [2, 2, 2] for name in "abc"})
    assert heatmap(results({"run": level, "summary": [SUMMARY]})) is None


def test_correlation_is_that_of_ranks_and_constant_is_nothing() -> None:
    import numpy as np

    costs = np.array([[1, 10, 9, 5], [2, 100, 4, 5], [3, 1000, 1, 5]], float)
    assert correlations(costs).tolist() == [[1, 1, -1, 0], [1, 1, -1, 0], [-1, -1, 1, 0], [0, 0, 0, 1]]
    order, links = clusters(correlations(costs))
    assert sorted(order) == [0, 1, 2, 3]
    assert abs(order.index(0) - order.index(1)) == 1
    assert links[0, 2] == 0
