"""What a notebook shows of a frame: the table of a terminal, without quotes."""

from __future__ import annotations

import polars as pl

from aslib_eval.tables.to_terminal import to_notebook
from tests.test_tutorials import formatter


def cells(*texts: str) -> str:
    """A row of a name and numbers."""
    name, *numbers = texts
    return f"<tr><td>{name}</td>" + "".join(f'<td class="number">{number}</td>' for number in numbers)


class Figure:
    def _repr_mimebundle_(self) -> dict[str, str]:
        return {"image/svg+xml": "<svg/>"}


def test_each_scenario_has_a_table_and_what_is_said_follows() -> None:
    rows = [
        {"scenario_id": name, "n": n, "solver": solver, "cost": cost}
        for name, n in (("S", 4), ("T<", 5))
        for solver, cost in (("a", 1.0), ("b", 2.5), ("c", 3.0))
    ]
    html = to_notebook(pl.DataFrame(rows), ["a < b."], Figure)
    above, first, second = html.split("<table>\n")
    assert above.endswith('align-items:flex-start"><div>')
    assert first.startswith("<caption>S · n 4</caption>\n<thead>")
    assert second.startswith("<caption>T&lt; · n 5</caption>\n<thead>")
    assert cells("a", "<b>1.0</b>") in first
    assert cells("c", "3.0") in second
    assert html.endswith("</table>\n</div><div><svg/></div></div><p>a &lt; b.</p>")
    assert "<div" not in to_notebook(pl.DataFrame(rows), ["a < b."])


def test_what_is_the_same_stands_above_and_what_has_no_place_is_named() -> None:
    row = {"test": "<b>", **{f"a_long_column_{at}": 0.5 for at in range(5)}}
    rows = [row | {f"a_long_column_{at}": n + at for at in range(5)} for n in (1, 2)]
    html = to_notebook(pl.DataFrame(rows))
    assert html.startswith("<p>test &lt;b&gt;</p><table>")
    assert html.endswith("</table>\n<p>not shown: a_long_column_4</p>")


def test_a_row_that_does_not_fit_is_written_downwards() -> None:
    row = {f"a_long_column_{at}": at + 0.5 for at in range(9)} | {"nothing": None}
    html = to_notebook(pl.DataFrame([row]))
    assert html.count("<tr>") == 1 + 9
    assert "<tr><td>a_long_column_8</td><td>8.5</td></tr>" in html
    assert "<tr><td>1</td>" not in to_notebook(pl.DataFrame({"x": [1]}))


def test_nothing_has_its_headings() -> None:
    assert '<th scope="col">x</th>' in to_notebook(pl.DataFrame({"x": []}))


def test_frames_look_so_in_a_notebook_that_has_loaded_the_extension() -> None:
    found = formatter()
    (html,) = found.values()
    long = pl.DataFrame({"name": ["a"] * 31, "x": [0.5] * 31})
    assert html(long).endswith("</table>\n<p>31 rows, of which 30 are shown</p>")
    assert "<p>" not in html(pl.DataFrame({"name": ["a", "b"], "x": [1, 2]}))
    wide = {f"a_long_column_{at}": [0.5, at] for at in range(9)}
    assert "not shown" in html(pl.DataFrame(wide))
    del wide["a_long_column_8"]
    assert "not shown" not in html(pl.DataFrame(wide))
