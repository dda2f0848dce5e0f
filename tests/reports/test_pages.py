"""The report's files: what is in them, inert names, the same bytes twice."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.cli import main
from aslib_eval.figures.catalogue import LIVE_CHARTS
from aslib_eval.reports.html import Header, HtmlTable, embed, tag
from aslib_eval.reports.write import file_name, write_report
from tests import pages
from tests.conftest import rows
from tests.reports.conftest import Outline


@pytest.mark.slow
def test_the_command_names_the_index_and_writes_all(lake: Path, tmp_path: Path) -> None:
    arguments = ["report", "--lake", str(lake), "-o", str(tmp_path / "r")]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path}/r/index.html\n")
    found = {str(p.relative_to(tmp_path / "r")) for p in (tmp_path / "r").rglob("*.*")}
    assert found == {".made-of.json", "index.html", "scenario/TOY.html"}


@pytest.mark.slow
def test_the_same_lake_gives_the_same_bytes(lake: Path, report: Path, tmp_path: Path) -> None:
    write_report(lake, to=tmp_path)
    for file in ("index.html", "scenario/TOY.html"):
        assert (tmp_path / file).read_bytes() == (report / file).read_bytes()


def test_every_chart_has_its_data_and_its_place(outline: Outline) -> None:
    places = {f["id"] for f in outline.all("figure")}
    drawn = set(json.loads(outline.data["charts"])) | {*LIVE_CHARTS, "cactus"}
    assert places == drawn - {"trajectory", "winners"}  # few features


def test_ids_are_unique_and_links_lead_somewhere(report: Path) -> None:
    for file in report.rglob("*.html"):
        found = Outline(file.read_text())
        ids = [a["id"] for _, a in found.tags if "id" in a]
        assert len(ids) == len(set(ids))
        for link in found.all("a"):
            target = str(link["href"])
            if target.startswith("#"):
                assert target[1:] in ids
            else:
                assert (file.parent / unquote(target)).is_file()


def test_nothing_is_loaded_from_anywhere(report: Path) -> None:
    for file in report.rglob("scenario/*.html"):
        found = Outline(file.read_text())
        assert not {"link", "img", "iframe", "object", "base"} & {t for t, _ in found.tags}
        assert not [a for _, a in found.tags if "src" in a]
        (policy,) = [m["content"] for m in found.all("meta") if "http-equiv" in m]
        assert str(policy).startswith("default-src 'none';")


def test_every_table_says_its_population(outline: Outline) -> None:
    tables = [t for t in outline.all("table") if t["id"] in SCORED]
    assert len(tables) == len(SCORED)
    for table in tables:
        assert table["data-protocol"] == "default@" + ae.PRESETS["default"].hash
        assert table["data-n"] == "24"


SCORED = {"algorithms-table", "selectors-table", "reversals"}


def test_cells_hold_what_sql_gives(lake: Path, report: Path) -> None:
    con = ae.connect(lake)
    text = (report / "scenario" / "TOY.html").read_text()
    query = "select par10, sgm, unique_solved from solver_score where solver = 'fast'"
    for value in rows(con, query)[0]:
        assert f'data-v="{value!r}"' in text
    (room,) = rows(con, "select sbs_cost, vbs_cost from scenario_baseline")
    assert f'data-live="sbs-par" data-exact="{room[0]!r}"' in text
    assert f'data-live="vbs-par" data-exact="{room[1]!r}"' in text


@pytest.mark.slow
def test_a_scenario_without_runs_has_a_page(tmp_path: Path) -> None:
    pages.toy(tmp_path)
    (tmp_path / "TOY" / "algorithm_runs.arff").unlink()
    (outcome,) = ae.import_scenarios([tmp_path / "TOY"], into=tmp_path / "without")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "without", to=tmp_path / "r")
    found = Outline((tmp_path / "r" / "scenario" / "TOY.html").read_text())
    sections = [s["id"] for s in found.all("section")]
    assert sections == ["glance", "features", "findings", "origin", "words"]


def test_nothing_changes_if_the_folder_cannot_be_written(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "r").write_text("a file")
    with pytest.raises(ae.AslibError, match="Choose another -o"):
        write_report(lake, to=tmp_path / "r")
    assert (tmp_path / "r").read_text() == "a file"


# --- names of hostile data ----------------------------------------------------------


@pytest.mark.slow
def test_hostile_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    lake = pages.hostile(tmp_path)
    written = write_report(lake, to=tmp_path / "r")
    assert {p.parent for p in written} == {tmp_path / "r", tmp_path / "r" / "scenario"}
    for file in written[:1]:
        found = Outline(file.read_text())
        assert not {"img", "svg"} & {t for t, _ in found.tags}
        assert not [k for _, a in found.tags for k in a if k.startswith("on")]
        programs = [s for s in found.all("script") if "id" not in s]
        assert len(programs) == 1
    data = json.loads(Outline(written[0].read_text()).data["data"])
    assert {s["name"] for s in data["solvers"]} == set(pages.HOSTILE)
    assert set(data["instances"]) == set(pages.HOSTILE)


@pytest.mark.parametrize(
    ("scenario", "measure", "name"),
    [
        ("SAT11", None, "SAT11.html"),
        ("..x", None, "%2E.x.html"),
        (".", None, "%2E.html"),
        ("a/b c", None, "a%2Fb%20c.html"),
        ("a", "b", "a~b.html"),
        ("a~b", None, "a%7Eb.html"),
        ("a" * 200, None, f"{'a' * 200}.html"),
        ("a" * 201, None, f"{'a' * 200}-a92efd821093.html"),
    ],
)
def test_a_page_is_a_visible_file_of_its_own(scenario: str, measure: str | None, name: str) -> None:
    index = pl.DataFrame({"measure_index": [1 if measure is None else 2]})
    facts = ScenarioResults(scenario, measure or "time", {}, {"summary": index}, {})
    assert file_name(facts) == name


def test_markup_escapes_all_but_itself() -> None:
    assert tag("b", "<i>", attrs={"title": '"&'}) == '<b title="&quot;&amp;">&lt;i&gt;</b>'
    assert tag("b", tag("i", "x")) == "<b><i>x</i></b>"
    assert tag("p", None, attrs={"hidden": True, "id": None}) == "<p hidden></p>"


def test_embedded_data_cannot_end_its_element() -> None:
    text = embed("x", ["</script><!--", "\u2028&"])
    assert "<" not in text.removeprefix("<script").removesuffix("</script>")
    assert json.loads(Outline(text).data["x"]) == ["</script><!--", "\u2028&"]
    assert "[1,null]" in embed("x", [1, float("nan")])


@pytest.mark.slow
def test_a_page_of_67_algorithms_is_below_3_mb(tmp_path: Path) -> None:
    lake = pages.large(tmp_path)
    (page, _) = write_report(lake, to=tmp_path / "r")
    assert page.stat().st_size < 3_000_000


# --- what scenarios can lack, and protocols change ----------------------------------


@pytest.mark.slow
def test_every_measure_that_the_protocol_looks_at_has_a_page(tmp_path: Path) -> None:
    runs = [
        (f"i{at}", 1, name, at + 1, at * worth, "ok")
        for at in range(4)
        for name, worth in (("a", 1), ("b", 2))
    ]
    measures = [("time", "runtime", "false"), ("gain/loss", "solution_quality", "true")]
    folder = pages.write_scenario(tmp_path / "TWO", runs=runs, measures=measures)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    every = ae.Protocol(protocol="every", measures="all")
    written = write_report(tmp_path / "lake", to=tmp_path / "r", protocol=every)
    names = ["TWO.html", "TWO~gain%2Floss.html", "index.html"]
    assert sorted(p.name for p in written) == names
    found = Outline((tmp_path / "r" / "index.html").read_text())
    targets = [str(a["href"]) for a in found.all("a") if "scenario/" in str(a["href"])]
    for target in targets:
        assert (tmp_path / "r" / unquote(target)).is_file()
    assert len(set(targets)) == 2


@pytest.mark.slow
def test_repetitions_that_count_as_instances_are_told_apart(tmp_path: Path) -> None:
    runs = [("i", r, name, r + 1, "ok") for r in (1, 2) for name in "ab"]
    folder = pages.write_scenario(tmp_path / "REP", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    separate = ae.Protocol(protocol="s", repetitions="separate")
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r", protocol=separate)
    data = json.loads(Outline(page.read_text()).data["data"])
    assert data["instances"] == ["i #1", "i #2"]


@pytest.mark.slow
def test_without_a_cutoff_there_is_a_page_without_times(tmp_path: Path) -> None:
    runs = [("i", 1, name, 2, "ok") for name in "ab"]
    folder = pages.write_scenario(tmp_path / "NO", runs=runs, cutoff="")
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r")
    found = Outline(page.read_text())
    assert [s["id"] for s in found.all("section")] == [
        *("glance", "plug-in-firmness", "contributions", "room", "folds", "findings", "origin", "words")
    ]
    assert "nothing is recomputed" in page.read_text()


def test_the_best_is_bold_unless_all_tie() -> None:
    columns = (Header("a", "A"), Header("b", "B", best="min"))
    apart = [{"a": "x", "b": 1.0}, {"a": "y", "b": 2.0}]
    assert HtmlTable("t", "T", columns, apart).html().count('class="best"') == 1
    level = [{"a": "x", "b": 0.3}, {"a": "y", "b": 0.1 + 0.2}]
    assert HtmlTable("t", "T", columns, level).html().count('class="best"') == 0


def test_pages_lead_to_the_one_before_and_after_and_all(rich_report: Path) -> None:
    toy = Outline((rich_report / "scenario" / "TOY.html").read_text())
    assert [a["href"] for a in toy.all("a")][1:3] == ["../index.html", "RICH.html"]
    rich = Outline((rich_report / "scenario" / "RICH.html").read_text())
    assert [a["href"] for a in rich.all("a")][1:4] == [*("../index.html", "QUALITY.html", "TOY.html")]
    assert [o["data-to"] for o in rich.all("option") if "data-to" in o] == [
        *("QUALITY.html", "RICH.html", "TOY.html")
    ]
