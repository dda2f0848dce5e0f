"""The report's files: what is in them, inert names, the same bytes twice."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.report import write_report
from aslib_eval.report.markup import MINUS, NONE, embed, number, tag
from aslib_eval.report.sections.anytime import quality_curves
from aslib_eval.report.sections.similarity import clusters, correlations
from aslib_eval.report.thinning import thinned

from . import pages
from .conftest import rows


class Outline(HTMLParser):
    """Elements, their attributes, ids, and the text of scripts that are data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self._script: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "script":
            self._script = found.get("id") or "program"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script:
            self.data[self._script] = self.data.get(self._script, "") + data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.tags if tag == name]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pages.toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def report(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(lake, to=folder)
    return folder


@pytest.fixture(scope="module")
def outline(report: Path) -> Outline:
    return Outline((report / "scenario" / "TOY.html").read_text())


def test_the_command_names_the_index_and_writes_all(lake: Path, tmp_path: Path) -> None:
    arguments = ["report", "--lake", str(lake), "-o", str(tmp_path / "r")]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path}/r/index.html\n")
    found = {str(p.relative_to(tmp_path / "r")) for p in (tmp_path / "r").rglob("*.*")}
    assert found == {"index.html", "scenario/TOY.html"}


def test_the_same_lake_gives_the_same_bytes(
    lake: Path, report: Path, tmp_path: Path
) -> None:
    write_report(lake, to=tmp_path)
    for file in ("index.html", "scenario/TOY.html"):
        assert (tmp_path / file).read_bytes() == (report / file).read_bytes()


def test_a_page_has_every_section_in_order(outline: Outline) -> None:
    assert [s["id"] for s in outline.all("section")] == [
        *("room", "algorithms", "runtimes", "pairs", "similarity", "selectors"),
        *("sweeps", "folds", "features", "hardness", "findings", "origin"),
    ]


def test_every_chart_has_its_data_and_its_place(outline: Outline) -> None:
    live = {"cactus", "ecdf", "scatter", "solved-by"}
    places = {f["id"] for f in outline.all("figure")}
    assert places == set(json.loads(outline.data["charts"])) | live


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
    for file in report.rglob("*.html"):
        found = Outline(file.read_text())
        assert not {"link", "img", "iframe", "object", "base"} & {
            t for t, _ in found.tags
        }
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


def test_the_data_are_the_runs(outline: Outline) -> None:
    data = json.loads(outline.data["data"])
    assert [s["name"] for s in data["solvers"]] == [
        "even",
        "fast",
        "slow",
        "coin",
        "oracle",
    ]
    assert data["instances"][:3] == ["i00", "i01", "i02"]
    fast = data["par1"][1]
    assert fast[:5] == [0, 38.5, 77, None, 27.5]
    assert fast[22:] == [None, None]
    assert data["presolved"][:5] == [0, 0, 0, 1, 0]
    assert data["featureCost"][4] == 0.5


def test_findings_come_from_the_import(report: Path) -> None:
    text = (report / "scenario" / "TOY.html").read_text()
    assert "findings not recorded" not in text
    assert re.search(r'class="badge [\w-]+" href="#findings">\d+ \w+<', text)


def test_a_scenario_without_runs_has_a_page(tmp_path: Path) -> None:
    lake = pages.toy(tmp_path)
    for file in lake.rglob("run/part-0.parquet"):
        file.unlink()
    write_report(lake, to=tmp_path / "r")
    found = Outline((tmp_path / "r" / "scenario" / "TOY.html").read_text())
    sections = [s["id"] for s in found.all("section")]
    assert sections == ["room", "features", "findings", "origin"]


def test_nothing_changes_if_the_folder_cannot_be_written(
    lake: Path, tmp_path: Path
) -> None:
    (tmp_path / "r").write_text("a file")
    with pytest.raises(ae.AslibError, match="Choose another -o"):
        write_report(lake, to=tmp_path / "r")
    assert (tmp_path / "r").read_text() == "a file"


# --- names of hostile data ----------------------------------------------------------


def test_hostile_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    lake = pages.hostile(tmp_path)
    written = write_report(lake, to=tmp_path / "r")
    assert {p.parent for p in written} == {tmp_path / "r", tmp_path / "r" / "scenario"}
    for file in written:
        found = Outline(file.read_text())
        assert not {"img", "svg"} & {t for t, _ in found.tags}
        assert not [k for _, a in found.tags for k in a if k.startswith("on")]
        programs = [s for s in found.all("script") if "id" not in s]
        assert len(programs) == 1
    data = json.loads(Outline(written[0].read_text()).data["data"])
    assert {s["name"] for s in data["solvers"]} == set(pages.HOSTILE)
    assert set(data["instances"]) == set(pages.HOSTILE)


def test_markup_escapes_all_but_itself() -> None:
    assert (
        tag("b", "<i>", attrs={"title": '"&'}) == '<b title="&quot;&amp;">&lt;i&gt;</b>'
    )
    assert tag("b", tag("i", "x")) == "<b><i>x</i></b>"
    assert tag("p", None, attrs={"hidden": True, "id": None}) == "<p hidden></p>"


def test_embedded_data_cannot_end_its_element() -> None:
    text = embed("x", ["</script><!--", "\u2028&"])
    assert "<" not in text.removeprefix("<script").removesuffix("</script>")
    assert json.loads(Outline(text).data["x"]) == ["</script><!--", "\u2028&"]
    with pytest.raises(ValueError, match="JSON"):
        embed("x", [float("nan")])


# --- numbers and arithmetic ---------------------------------------------------------


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
    ],
)
def test_numbers_are_readable(value: object, text: str) -> None:
    assert number(value) == text


def test_thinning_keeps_the_extremes_of_every_place() -> None:
    import numpy as np

    starts = np.array([0.0, 1.0, 1.0001, 1.0002, 1.0003, 50.0, 200.0])
    values = np.array([0.0, 5.0, 9.0, 1.0, 4.0, 2.0, 7.0])
    x, y = thinned(starts, values, low=1.0, high=100.0)
    assert x.tolist() == [0.0, 1.0, 1.0001, 1.0002, 1.0003, 50.0, 100.0]
    assert y.tolist() == [0.0, 5.0, 9.0, 1.0, 4.0, 2.0, 2.0]
    many = np.linspace(10, 10.001, 1000)
    x, y = thinned(many, np.sin(many * 1e5), low=1.0, high=100.0)
    assert len(x) <= 8
    assert y.max() == pytest.approx(np.sin(many * 1e5).max())


def test_correlation_is_that_of_ranks_and_constant_is_nothing() -> None:
    import numpy as np

    costs = np.array([[1, 10, 9, 5], [2, 100, 4, 5], [3, 1000, 1, 5]], float)
    assert correlations(costs).tolist() == [
        [1, 1, -1, 0],
        [1, 1, -1, 0],
        [-1, -1, 1, 0],
        [0, 0, 0, 1],
    ]
    order, links = clusters(correlations(costs))
    assert sorted(order) == [0, 1, 2, 3]
    assert abs(order.index(0) - order.index(1)) == 1
    assert links[0, 2] == 0


def test_anytime_curve_of_two_runs_by_hand() -> None:
    frame = pl.DataFrame(
        {
            "algorithm": ["a", "a", "b"],
            "instance_id": ["i", "i", "i"],
            "trial": [1, 1, 1],
            "elapsed": [1.0, 4.0, 2.0],
            "value": [30.0, 10.0, 20.0],
        }
    )
    # The worst first value is 30, the best 10: 20 is half way.
    curves = quality_curves(frame, maximize=False)
    assert [c.tolist() for c in curves["a"]] == [[0, 1, 4], [0, 0, 1]]
    assert [c.tolist() for c in curves["b"]] == [[0, 2], [0, 0.5]]


def test_a_scenario_with_trajectories_shows_anytime_curves(tmp_path: Path) -> None:
    folder = pages.write_scenario(
        tmp_path / "ANY",
        runs=[("i", 1, "a", 5, "ok"), ("i", 1, "b", 7, "ok")],
        measures=[("objective", "solution_quality", "false")],
    )
    points = [("i", 1, "a", 1, 9), ("i", 1, "a", 2, 5), ("i", 1, "b", 1, 7)]
    columns = {"algorithm": "STRING", "elapsed": "NUMERIC", "objective": "NUMERIC"}
    pages.write(folder, "trajectories", columns, points)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "lake", to=tmp_path / "r")
    found = Outline((tmp_path / "r" / "scenario" / "ANY.html").read_text())
    marks = json.loads(found.data["charts"])["anytime"]["marks"]
    assert [m["name"] for m in marks] == ["a", "b"]
    assert marks[0]["points"][-1][1] == 1


def test_a_page_of_67_algorithms_is_below_5_mb(tmp_path: Path) -> None:
    lake = pages.large(tmp_path)
    (page, _) = write_report(lake, to=tmp_path / "r")
    assert page.stat().st_size < 5_000_000


# --- what scenarios can lack, and protocols change ----------------------------------


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
    assert len(targets) == 2


def test_repetitions_that_count_as_instances_are_told_apart(tmp_path: Path) -> None:
    runs = [("i", r, name, r + 1, "ok") for r in (1, 2) for name in "ab"]
    folder = pages.write_scenario(tmp_path / "REP", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    separate = ae.Protocol(protocol="s", repetitions="separate")
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r", protocol=separate)
    data = json.loads(Outline(page.read_text()).data["data"])
    assert data["instances"] == ["i #1", "i #2"]


def test_without_a_cutoff_there_is_a_page_without_times(tmp_path: Path) -> None:
    runs = [("i", 1, name, 2, "ok") for name in "ab"]
    folder = pages.write_scenario(tmp_path / "NO", runs=runs, cutoff="")
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r")
    found = Outline(page.read_text())
    assert [s["id"] for s in found.all("section")] == [
        *("room", "algorithms", "folds", "findings", "origin")
    ]
    assert "nothing is recomputed" in page.read_text()
