"""Charts as files, and in notebooks."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.printing.altair import legend_entries, vega_lite
from aslib_eval.figures.chart import Band, Chart, Line, Linear
from aslib_eval.figures.gaps import runtime_distribution
from aslib_eval.figures.ranks import critical_difference
from tests.figures.test_figures import lines, systems


def test_the_legend_has_the_order_of_the_curves() -> None:
    times = {"able": [1.0, 9.0], "few": [1.0], "most": [5.0] * 3, "fast": [2.0, 3.0]}
    rows = [(name, time) for name, own in times.items() for time in own]
    chart = runtime_distribution(pl.DataFrame(rows, ["solver", "time"], orient="row"))
    assert [m.name for m in lines(chart)] == ["most", "fast", "able", "few"]
    assert [name for name, *_ in legend_entries(chart.spec()["marks"])] == [
        *("most", "fast", "able", "few")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", ".png", ".html"])
def test_files_open_without_a_network(tmp_path: Path, suffix: str) -> None:
    chart = critical_difference(systems(1, 2, 2.5), cd=1)
    first, again = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, again):
        chart.save(path)
    content = first.read_bytes()
    assert content == again.read_bytes()
    assert (b"system-1" in content) == (suffix != ".png")
    assert b'src="http' not in content


NAMES = (
    "</script><script>alert(1)</script>",
    "</ScRiPt ><svg onload=alert(1)>",
    "<!--<script>",
    "]]></text><script>alert(1)</script>",
    "' onload='alert(1)\" onload=\"alert(1)",
    "\u2028alert(1)",
)


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_no_name_is_markup_or_script(tmp_path: Path, suffix: str) -> None:
    """In the place of a name, of the title, of what is told."""
    line = [Line([[0, 0], [1, 1]], name=name) for name in NAMES]
    band = Chart(NAMES[0], NAMES[2], Linear(NAMES[1], 0, 1), Band(NAMES), line)
    chart = replace(band, population=NAMES[3])
    chart.save(tmp_path / f"x{suffix}")
    text = (tmp_path / f"x{suffix}").read_text()
    if suffix == ".svg":
        elements = [*ET.fromstring(text).iter()]  # noqa: S314 - ours
        names = {name.lower() for each in elements for name in each.keys()}  # noqa: SIM118
        assert not any(each.tag.endswith("script") for each in elements)
        assert not any(name.startswith("on") for name in names)
    else:
        plain = critical_difference(systems(1, 2), cd=1)
        plain.save(tmp_path / "y.html")
        ours = (tmp_path / "y.html").read_text()
        for sign in ("</script", "<script", "<!--", "<svg onload", "\u2028", "alert(1)<"):
            assert text.lower().count(sign) == ours.lower().count(sign), sign


def test_a_chart_shows_itself_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = Chart(
        "A title", "What to see.", Linear("x", 0, 1), Band(["row"]), [Line([[0, 0], [1, 0]], name="a line")]
    )
    shown = chart._repr_mimebundle_()
    assert shown["text/plain"] == "A title. What to see."
    assert all(text in shown["image/svg+xml"] for text in ("A title", "row", "a line"))
    monkeypatch.setitem(sys.modules, "altair", None)
    assert chart._repr_mimebundle_() == {
        "text/plain": "A title. What to see. (chart: altair is not installed. Install "
        "the extra figures, in a checkout: pip install '.[figures]')"
    }


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path: Path) -> None:
    chart = critical_difference(systems(1, 2), cd=1)
    with pytest.raises(AslibError, match="cannot be written"):
        chart.save(tmp_path / "no" / "x.svg")


def test_another_kind_of_file_names_those_that_there_are() -> None:
    chart = critical_difference(systems(1, 2), cd=1)
    hint = r"x\.gif: .* Name it with one of \.svg, \.pdf, \.png, \.html, \.json\."
    with pytest.raises(AslibError, match=hint):
        chart.save(Path("x.gif"))


def test_a_chart_in_vega_lite_for_other_tools(tmp_path: Path) -> None:
    chart = critical_difference(systems(1, 2), cd=1)
    chart.save(tmp_path / "cd.json", width=85)
    drawn = json.loads((tmp_path / "cd.json").read_text())
    assert drawn["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert drawn == vega_lite(chart.spec(), width=85, titled=True).to_dict()
