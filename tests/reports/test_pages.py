"""The report's files: what is in them, inert names, the same bytes twice."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis import definitions as presets
from aslib_eval.analysis.compare.for_report import QUESTIONS, Compared
from aslib_eval.analysis.rankings import Definitions, definitions_of, sentence
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.cli import main
from aslib_eval.database.protocol import Protocol
from aslib_eval.figures import folds
from aslib_eval.figures.agreement import like_map
from aslib_eval.figures.anytime import Ends, gap_curves
from aslib_eval.figures.catalogue import LIVE_CHARTS
from aslib_eval.figures.similarity import clusters, correlations
from aslib_eval.figures.sweeps import stretches, thinned
from aslib_eval.reports import write_report
from aslib_eval.reports.html import Card, Header, HtmlTable, cards, embed, tag
from aslib_eval.reports.sections.definitions import _places
from aslib_eval.reports.sections.leaderboard import leaderboard
from aslib_eval.reports.sections.significance import legends, marked
from aslib_eval.reports.write import file_name
from aslib_eval.selections import import_selections
from aslib_eval.text import MINUS, NONE, number
from tests import pages
from tests.conftest import rows, write_scenario


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


@pytest.mark.slow
def test_the_command_names_the_index_and_writes_all(lake: Path, tmp_path: Path) -> None:
    arguments = ["report", "--lake", str(lake), "-o", str(tmp_path / "r")]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path}/r/index.html\n")
    found = {str(p.relative_to(tmp_path / "r")) for p in (tmp_path / "r").rglob("*.*")}
    assert found == {".made-of.json", "index.html", "scenario/TOY.html"}


@pytest.mark.slow
def test_the_same_lake_gives_the_same_bytes(
    lake: Path, report: Path, tmp_path: Path
) -> None:
    write_report(lake, to=tmp_path)
    for file in ("index.html", "scenario/TOY.html"):
        assert (tmp_path / file).read_bytes() == (report / file).read_bytes()


def test_a_page_has_every_section_in_order(outline: Outline) -> None:
    assert [s["id"] for s in outline.all("section")] == [
        *("glance", "selectors", "algorithms", "room", "runtimes", "pairs"),
        *("definitions", "sweeps", "folds", "similarity", "features", "hardness"),
        *("findings", "origin", "words"),
    ]


def test_every_chart_has_its_data_and_its_place(outline: Outline) -> None:
    places = {f["id"] for f in outline.all("figure")}
    assert places == set(json.loads(outline.data["charts"])) | {*LIVE_CHARTS, "cactus"}


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


@pytest.mark.slow
def test_a_scenario_without_runs_has_a_page(tmp_path: Path) -> None:
    pages.toy(tmp_path)
    (tmp_path / "TOY" / "algorithm_runs.arff").unlink()
    (outcome,) = ae.import_scenarios([tmp_path / "TOY"], into=tmp_path / "without")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "without", to=tmp_path / "r")
    found = Outline((tmp_path / "r" / "scenario" / "TOY.html").read_text())
    sections = [s["id"] for s in found.all("section")]
    assert sections == ["glance", "room", "features", "findings", "origin", "words"]


def test_nothing_changes_if_the_folder_cannot_be_written(
    lake: Path, tmp_path: Path
) -> None:
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
    for file in written:
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
    ],
)
def test_a_page_is_a_visible_file_of_its_own(
    scenario: str, measure: str | None, name: str
) -> None:
    index = pl.DataFrame({"measure_index": [1 if measure is None else 2]})
    facts = ScenarioResults(scenario, measure or "time", {}, {"summary": index}, {})
    assert file_name(facts) == name


@pytest.mark.slow
def test_pages_differ_where_folders_ignore_case(tmp_path: Path) -> None:
    runs = [("i", 1, name, 2, 3, 4, "ok") for name in "ab"]
    measures = [(name, "runtime", "false") for name in ("runtime", "b", "B")]
    folder = pages.write_scenario(tmp_path / "..x", runs=runs, measures=measures)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    every = Protocol(measures="all")
    written = write_report(tmp_path / "lake", to=tmp_path / "r", protocol=every)
    assert len({path.name.casefold() for path in written}) == 4
    assert not [path for path in written if path.name.startswith(".")]
    index = Outline((tmp_path / "r" / "index.html").read_text())
    targets = {str(a["href"]) for a in index.all("a") if "scenario/" in str(a["href"])}
    assert len(targets) == 3
    assert all((tmp_path / "r" / unquote(target)).is_file() for target in targets)


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


ANYTIME = {
    "algorithm": ["a", "a", "b", "c"],
    "instance_id": ["i", "i", "i", "i"],
    "trial": [1, 1, 1, 1],
    "at": [1.0, 4.0, 2.0, None],
    "value": [30.0, 10.0, 20.0, None],
}


def curves(ends: Ends) -> dict[str, list[list[float]]]:
    found = gap_curves(pl.DataFrame(ANYTIME), ends, maximize=False)
    return {name: [moments.tolist(), gaps.tolist()] for name, (moments, gaps) in
            found.items()}  # fmt: skip


def test_anytime_gaps_of_three_runs_by_hand() -> None:
    # The worst first value is 30, the best 10: 20 has half of the way left. The run
    # of c has no solution: its gap is 1 to the end.
    assert curves(Ends({}, {})) == {
        "a": [[0, 1, 4], [1, 1, 0]],
        "b": [[0, 2], [1, 0.5]],
        "c": [[0], [1]],
    }


def test_anytime_gaps_use_what_the_scenario_knows() -> None:
    # A trivial solution is worth 50, the optimum is 0: of 50, 30, 20 and 10 are left.
    assert curves(Ends({"i": 50.0}, {"i": 0.0})) == {
        "a": [[0, 1, 4], [1, 0.6, 0.2]],
        "b": [[0, 2], [1, 0.4]],
        "c": [[0], [1]],
    }


@pytest.mark.slow
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
    # The worst first value is 9, the best 5; the axis ends a decade after 1.
    assert [(m["name"], m["points"]) for m in marks] == [
        ("a", [[0, 1], [1, 1], [2, 0], [10, 0]]),
        ("b", [[0, 1], [1, 0.5], [10, 0.5]]),
    ]
    assert "anytime-selectors" not in json.loads(found.data["charts"])
    (folder / "turns.json").write_text('{"i": [["b", 3], ["a", 97]]}')
    import_selections(folder / "turns.json", lake=tmp_path / "lake", scenario="ANY")
    write_report(tmp_path / "lake", to=tmp_path / "r")
    page = (tmp_path / "r" / "scenario" / "ANY.html").read_text()
    assert "executed on the recorded trajectories, step after step." in page
    drawn = json.loads(Outline(page).data["charts"])["anytime-selectors"]["marks"]
    assert {m["name"]: m["points"] for m in drawn} == {
        "VBS": [[0, 1], [1, 0.5], [2, 0], [10, 0]],
        "SBS": [[0, 1], [1, 0.5], [2, 0], [10, 0]],
        "turns": [[0, 1], [1, 0.5], [5, 0], [10, 0]],
    }


@pytest.mark.slow
def test_a_page_of_67_algorithms_is_below_5_mb(tmp_path: Path) -> None:
    lake = pages.large(tmp_path)
    (page, _) = write_report(lake, to=tmp_path / "r")
    assert page.stat().st_size < 5_000_000


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
        *("glance", "algorithms", "room", "folds", "findings", "origin", "words")
    ]
    assert "nothing is recomputed" in page.read_text()


@pytest.mark.slow
def test_where_nobody_solves_anything_words_stand_for_charts(tmp_path: Path) -> None:
    (page, index) = write_report(pages.hopeless(tmp_path), to=tmp_path / "r")
    text = page.read_text()
    found = Outline(text)
    assert 'class="best"' not in text
    assert json.loads(found.data["charts"]) == {}
    assert found.all("figure") == []
    for said in (
        "Nobody solves any of the 6 instances: every score is that of a timeout",
        "and all tie. There is no gap: ",
        "No run is solved, so there is no time to draw.",
        "nothing to correlate",
        "All selectors tie under every metric.",
        "All 2 selectors tie under all",
        "No run is solved: all tie for every ",
        "None of the 6 instances is solved by anybody.",
    ):
        assert said in text
    assert "No scenario has room between " in index.read_text()
    assert "rooms" not in json.loads(Outline(index.read_text()).data["charts"])


def test_the_best_is_bold_unless_all_tie() -> None:
    columns = (Header("a", "A"), Header("b", "B", best="min"))
    apart = [{"a": "x", "b": 1.0}, {"a": "y", "b": 2.0}]
    assert HtmlTable("t", "T", columns, apart).html().count('class="best"') == 1
    level = [{"a": "x", "b": 0.3}, {"a": "y", "b": 0.1 + 0.2}]
    assert HtmlTable("t", "T", columns, level).html().count('class="best"') == 0


# --- definitions, tests and what every number says ----------------------------------


@pytest.mark.slow
def test_the_report_ranks_as_definitions_does(lake: Path) -> None:
    from aslib_eval.analysis.definitions import definitions

    con = ae.connect(lake, protocols=presets.report_protocols("default"), stored=False)
    found = presets.ranks(con)
    key = ["protocol", "scenario_id", "measure", "metric", "solver"]
    expected = definitions(lake, kind="selector").sort(key)
    assert set(found["kind"]) == {"selector"}
    found = found.sort(key)
    assert found.select(*key, "n", "rank").equals(expected.select(*key, "n", "rank"))
    for one, other in zip(found["score"], expected["score"], strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12)


def defined(*cells: tuple[str, str, str, float, int]) -> Definitions:
    """Definitions of selectors from (protocol, metric, solver, score, rank)."""
    columns = ["protocol", "metric", "solver", "score", "rank"]
    frame = pl.DataFrame(cells, schema=columns, orient="row")
    frame = frame.with_columns(kind=pl.lit("selector"), n=pl.lit(7))
    found = definitions_of(frame, own="own@1")
    assert found is not None
    return found


REVERSED = (
    ("own@1", "closed_gap", "a", 0.5, 1),
    ("own@1", "closed_gap", "b", 0.25, 2),
    ("own@1", "borda", "a", 1.0, 2),
    ("own@1", "borda", "b", 3.0, 1),
    ("alt@2", "closed_gap", "a", 0.5, 1),
    ("alt@2", "closed_gap", "b", -0.25, 2),
)


def test_the_sentence_says_who_wins_and_what_disagrees() -> None:
    found = defined(*REVERSED)
    assert found.systems == ("a", "b")
    assert found.winners == [("a", 2), ("b", 1)]
    assert found.metric_taus("own@1") == {("closed gap", "Borda"): -1}
    assert sentence(found) == (
        "The winner depends on the definition: a is first under 2 of 3; b under 1. "
        f"Least like closed gap under own ranks Borda under own (Kendall's tau-b "
        f"{MINUS}1). The closed gap of b moves most, from {MINUS}0.250 (alt) to "
        "0.250 (own)."
    )


def test_definitions_that_agree_are_said_to() -> None:
    found = defined(*(cell for cell in REVERSED if cell[1] == "closed_gap"))
    assert sentence(found).startswith(
        "a is first under all 2 definitions. All rankings agree."
    )


TIED = (
    ("own@1", "closed_gap", "a", 0.5, 1),
    ("own@1", "closed_gap", "b", 0.25, 2),
    ("own@1", "solved", "a", 1.0, 1),
    ("own@1", "solved", "b", 1.0, 1),
    ("alt@2", "closed_gap", "a", 0.1, 2),
    ("alt@2", "closed_gap", "b", 0.3, 1),
    ("alt@2", "solved", "a", 1.0, 1),
    ("alt@2", "solved", "b", 1.0, 1),
)


def test_a_tie_for_first_counts_for_the_winner_who_shares_it() -> None:
    found = defined(*TIED)
    assert found.winners == [("a", 3), ("b", 1)]
    assert sentence(found).startswith(
        "The winner depends on the definition: a is first under 3 of 4 (tied under 2 "
        "of them); b under 1. "
    )
    chart = like_map(found)
    assert "a dot where another selector is first (1 of 4)" in chart.about
    tips = [box[4] for box in chart.spec()["marks"][0]["boxes"]]
    assert "solved under alt@2: all tied, n = 7" in tips


def test_a_place_that_all_share_is_nobodys_best() -> None:
    found = defined(*TIED)
    columns = ["protocol", "metric", "solver", "score", "rank"]
    frame = pl.DataFrame(TIED, schema=columns, orient="row").with_columns(
        kind=pl.lit("selector"), scenario_id=pl.lit("S"), measure=pl.lit("time")
    )
    table = _places(found, frame)
    assert "solved" not in table
    assert table.count("closed gap under own") == 2
    assert table.count("closed gap under alt") == 2
    assert 'data-n="2 definitions"' in table


def test_where_all_tie_nobody_is_first() -> None:
    found = defined(*(cell for cell in TIED if cell[1] == "solved"))
    assert sentence(found) == "All 2 selectors tie under all 2 definitions."


@pytest.mark.slow
def test_a_page_says_how_many_definitions_it_has_and_why_not_more(
    tmp_path: Path,
) -> None:
    runs = [
        (f"i{at}", 1, name, cost, "ok")
        for name, costs in (("a", (1, 1, 1, 3)), ("b", (5, 5, 5, 1)))
        for at, cost in enumerate(costs)
    ]
    quality = [("quality", "solution_quality", "false")]
    folder = pages.write_scenario(tmp_path / "Q", runs=runs, measures=quality)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (page, index) = write_report(tmp_path / "lake", to=tmp_path / "r")
    text = page.read_text()
    n = len(ae.PRESETS)
    section = text.split('<section id="definitions"')[1].split("</section>")[0]
    section = re.sub("</?dfn[^>]*>", "", section)
    assert f"6 metrics and {n} protocols" in section
    assert "Not defined here: PAR10; solved, then PAR1; SGM; modified Borda." in section
    why = "Borda is counted under the report&#x27;s own protocol alone"
    assert section.count(f'data-tip="{why}') == 2 * 2 * (n - 1)
    found = re.search(r"make (\d+), of which (\d+) rank all algorithms: Borda", section)
    assert found is not None
    charts = json.loads(Outline(text).data["charts"])
    ranking, blank, *_ = (
        m.get("boxes", ()) for m in charts["definitions-like"]["marks"]
    )
    assert [int(k) for k in found.groups()] == [6 * n, len(ranking)]
    assert len(ranking) + len(blank) == 6 * n
    assert sum("as it takes every pair" in box[4] for box in blank) == n - 1
    assert "In 0 of 1 scenarios somebody else is first" in index.read_text()


def test_one_system_has_no_definitions() -> None:
    columns = ["protocol", "metric", "solver", "score", "rank", "kind", "n"]
    cells = [("own@1", "borda", "a", 1.0, 1, "selector", 7)]
    frame = pl.DataFrame(cells, schema=columns, orient="row")
    assert definitions_of(frame, own="own@1") is None
    assert definitions_of(None, own="own@1") is None


def test_definitions_stand_on_the_page_and_the_index(
    lake: Path, report: Path, outline: Outline
) -> None:
    best = "select solver from solver_rank where kind = 'selector'"
    best += " and metric = 'closed_gap' order by rank"
    order = [name for (name,) in rows(ae.connect(lake), best)]
    charts = json.loads(outline.data["charts"])
    assert charts["definitions-gap"]["y"]["names"] == order
    own = charts["definitions-gap"]["marks"][-1]
    digest = ae.PRESETS["default"].hash
    assert own["name"] == "default"
    assert f"under default@{digest}: closed gap" in own["points"][0][2]
    assert own["points"][0][2].endswith("n = 24")
    text = (report / "scenario" / "TOY.html").read_text()
    table = text.split('id="definitions-table"')[1].split("</table>")[0]
    assert table.count("<tr ") == 2 * len(ae.PRESETS)
    amadini = ae.PRESETS["amadini2023"].hash
    assert f'data-n="22" data-protocol="amadini2023@{amadini}"' in table
    index = Outline((report / "index.html").read_text())
    assert "definitions" in [s["id"] for s in index.all("section")]
    assert "suite-tau" in json.loads(index.data["charts"])


def test_the_leaderboard_begins_with_who_took_part_in_most() -> None:
    found = [("once", 1.0, 1), ("b", 2.0, 11), ("a", 2.0, 11), ("c", 1.5, 11)]
    rest = {
        "kind": "selector",
        "metric": "closed_gap",
        "unit_bound": False,
        "label": "closed gap",
        "better": "max",
        "position": 1,
        "swept": True,
    }
    rest |= dict.fromkeys(("pooled", "mean", "median", "geometric"), 0.5)
    rest |= {"n_undefined": 0, "n_absent": 0}
    aggregates = pl.DataFrame(
        {"solver": name, "mean_rank": rank, "n_scenarios": n, **rest}
        for name, rank, n in found
    )
    section = leaderboard(SuiteResults([], aggregates))
    assert section is not None
    table = str(section.body).split('id="suite-table"')[1].split("</table>")[0]
    names = re.findall(r"<tr [^>]*>\s*<th[^>]*>([^<]*)", table)
    assert names == ["c", "a", "b", "once"]


EFFECT = {"advantage": -2.0, "lower": -3.0, "upper": -1.0, "wins": 1, "ties": 2,
          "losses": 9, "p_adjusted": 0.004, "n": 12}  # fmt: skip


def compared() -> Compared:
    found = [
        {"system": "SBS", "mark": "o", "sk_group": 1, "n": 12},
        {"system": "x", "mark": "-", "sk_group": 2, **EFFECT},
    ]
    return Compared(QUESTIONS["selectors_sbs"], found, "")


def test_a_mark_says_what_was_found() -> None:
    cells = marked("x", sbs=compared())
    assert (cells["mark_sbs"], cells["sk_group"]) == (MINUS, 2)
    assert (cells["saved"], cells["better_on"], cells["worse_on"]) == (-2, 1, 9)
    assert cells["_tips"]["mark_sbs"] == (
        f"behind SBS by 2 in mean cost (95 % interval {MINUS}3 to {MINUS}1), better "
        "on 1, worse on 9, equal on 2, adjusted p = 0.004, n = 12"
    )
    assert marked("the single best", sbs=compared())["mark_sbs"] == "o"


def test_the_legend_names_test_unit_n_alpha_and_correction() -> None:
    text = legends(compared())
    for part in (
        "Beside SBS: + better and \N{MINUS SIGN} worse by mean and test, ± where",
        "these disagree, = where the test shows no difference (Wilcoxon",
        "Wilcoxon signed-rank on cost",
        "Holm",
        "unit of replication instance, n = 12 instances, alpha = 0.05",
        "Scott-Knott groups",
    ):
        assert part in text
    assert legends(None) == ""


def test_marks_of_the_page_are_those_of_compare(lake: Path, report: Path) -> None:
    from aslib_eval.analysis.compare import compare
    from aslib_eval.analysis.compare.question import Question

    text = (report / "scenario" / "TOY.html").read_text()
    table = text.split('id="selectors-table"')[1].split("</table>")[0]
    heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", table)
    con = ae.connect(lake)
    for title, question in (
        ("vs best", Question(kind="selector")),
        ("vs SBS", Question(kind="selector", versus="SBS")),
    ):
        expected = dict(compare(con, question).systems.select("system", "mark").rows())
        for line in table.split("<tr ")[1:]:
            name = re.search(r'title="(\w+)"', line)
            cells = re.findall(r"<td[^>]*>([^<]*)", line)
            assert name is not None
            mark = cells[heads.index(title) - 1].replace(MINUS, "-")
            assert mark == expected[name[1]]


def test_a_card_says_its_meaning_n_and_protocol() -> None:
    text = cards(
        [Card("runs", 3, "small", "all runs")], population="n = 3 · protocol p"
    )
    (told,) = Outline(text).all("dd")
    assert told["data-tip"] == "all runs · n = 3 · protocol p"
    assert told["tabindex"] == "0"


def test_every_card_of_a_page_has_a_protocol(report: Path) -> None:
    for file in report.rglob("*.html"):
        cards = Outline(file.read_text()).all("dd")
        told = [card["data-tip"] for card in cards if "tabindex" in card]
        assert told
        assert all("protocol default@" in str(tip) for tip in told)


def test_a_curve_is_drawn_where_the_chart_has_room() -> None:
    import numpy as np

    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    y = np.array([0.123456, -9.0, 0.2, 0.3, np.nan])
    assert stretches(x, y, bottom=0.0, coarse=False) == [
        [[1, 0.123456]],
        [[3, 0.2], [4, 0.3]],
    ]
    assert stretches(x, y, bottom=0.0, coarse=True)[0] == [[1, 0.12346]]


@pytest.mark.slow
def test_a_sweep_shows_all_and_colours_the_best(tmp_path: Path) -> None:
    runs = [
        (f"i{at}", 1, f"a{name:02}", 1 + (at * (name + 3)) % 17 + name / 4, "ok")
        for at in range(12)
        for name in range(11)
    ]
    folder = pages.write_scenario(tmp_path / "ELEVEN", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r")
    charts = json.loads(Outline(page.read_text()).data["charts"])
    for parameter in ("delta", "penalty", "cutoff"):
        marks = charts[f"sweep-{parameter}"]["marks"]
        painted = {m["name"] for m in marks if m["color"] not in {"muted", "ink"}}
        assert len(painted) == 8
        muted = {m["name"] for m in marks if m["color"] == "muted"}
        assert not muted & painted
        assert parameter != "delta" or muted
    assert "the other 3 are grey" in page.read_text()


def test_a_selector_has_one_colour_on_all_pages(tmp_path: Path) -> None:
    lake = pages.rich(tmp_path)
    write_report(lake, to=tmp_path / "r", scenarios=["RICH", "QUALITY"])
    drawn = []
    for name in ("RICH", "QUALITY"):
        text = (tmp_path / "r" / "scenario" / f"{name}.html").read_text()
        solvers = json.loads(Outline(text).data["data"])["solvers"]
        drawn.append({s["name"]: s for s in solvers if s["kind"] == "selector"})
    rich, quality = drawn
    assert rich["coin"]["color"] == quality["coin"]["color"] == "c1"
    assert rich["oracle"] == quality["oracle"]
    assert len({(s["color"], s["symbol"]) for s in rich.values()}) == 4


def told(page: Path) -> str:
    """The sentence that a page begins with."""
    story = page.read_text().split('<p class="story">')[1].split("</p>")[0]
    return html.unescape(re.sub("<[^>]*>", "", story))


def test_a_page_begins_with_who_leads_and_by_how_much(report: Path) -> None:
    assert told(report / "scenario" / "TOY.html") == (
        "coin closes 0.829 % of the gap between SBS and VBS, not significantly. The "
        "best of 3 algorithms is even, which solves 75 % of the instances; VBS is 2.61 "
        "times faster (PAR10) and solves 91.7 %."
    )
    assert told(report / "index.html") == (
        "coin and oracle each close 0.829 % of the gap in the mean over 1 scenario. "
        "coin is first on 1 of 1 scenario."
    )


def test_without_selectors_the_index_begins_with_the_room_and_then_with_a_loss(
    tmp_path: Path,
) -> None:
    times = {"i1": (1, 9), "i2": (2, 9), "i3": (9, 1), "i4": (4, 9)}
    folder = write_scenario(
        tmp_path / "S",
        runs=[
            (name, 1, algorithm, time, "ok")
            for name, both in times.items()
            for algorithm, time in zip("AB", both, strict=True)
        ],
        folds={name: at % 2 + 1 for at, name in enumerate(times)},
    )
    lake = tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    write_report(lake, to=tmp_path / "r")
    index = tmp_path / "r" / "index.html"
    assert told(index) == (
        "No selector has answered. On S the best algorithm costs 2 times as much as "
        "choosing the best one on every instance (SBS / VBS)."
    )
    sections = [one.get("id") for one in Outline(index.read_text()).all("section")]
    assert sections[:2] == ["room", "all"]
    assert index.read_text().count('<figure id="rooms"') == 1
    answers = tmp_path / "answers.csv"
    rows = [f"{name},{'BBBA'[at]},poor" for at, name in enumerate(times)]
    answers.write_text("\n".join(["instance_id,algorithm,selector", *rows, ""]))
    import_selections(answers, lake=lake, scenario="S")
    write_report(lake, to=tmp_path / "r")
    # Mean costs: A 4 is SBS, VBS 2, poor (9 + 9 + 1 + 4) / 4.
    assert told(tmp_path / "r" / "scenario" / "S.html").startswith(
        "poor is worse than SBS: it loses 87.5 % of the gap between SBS and VBS"
    )
    assert told(index).startswith(
        "No selector is better than the best algorithm in the mean over 1 scenario: "
        "poor loses least, 87.5 % of the gap. poor is first on 1 of 1 scenario; on 1 "
        "nobody beats the best algorithm."
    )


def test_pages_lead_to_the_one_before_and_after_and_all(tmp_path: Path) -> None:
    lake = pages.rich(tmp_path)
    write_report(lake, to=tmp_path / "r", scenarios=["RICH", "TOY"])
    toy = tmp_path / "r" / "scenario" / "TOY.html"
    links = [a["href"] for a in Outline(toy.read_text()).all("a")]
    assert links[1:3] == ["../index.html", "RICH.html"]
    write_report(lake, to=tmp_path / "r")
    rich = Outline((tmp_path / "r" / "scenario" / "RICH.html").read_text())
    assert [a["href"] for a in rich.all("a")][1:4] == [
        *("../index.html", "QUALITY.html", "TOY.html")
    ]
    assert [o["data-to"] for o in rich.all("option") if "data-to" in o] == [
        *("QUALITY.html", "RICH.html", "TOY.html")
    ]
    other = write_report(lake, to=tmp_path / "other")
    assert (
        other[1].read_bytes()
        == (tmp_path / "r" / "scenario" / "RICH.html").read_bytes()
    )


def test_a_mean_beyond_the_edge_has_its_value_there() -> None:
    present = {"a": [("1/1", -9.0, 5), ("1/2", 0.5, 5), ("1/3", 0.25, 5)]}
    marks = [mark.spec() for mark in folds._marks(["a"], present)]  # noqa: SLF001
    at = {m.get("name"): [p[:2] for p in m["points"]] for m in marks if "points" in m}
    assert at["mean"] == []
    assert at["median"] == [[0.25, 0]]
    arrows = [m["points"] for m in marks if m.get("symbol") == "triangle-left"]
    assert arrows == [
        [[-2.0, 0, "a, fold 1/1: closed gap \N{MINUS SIGN}9, n = 5"]],
        [[-2.0, 0, "a: mean over 3 folds \N{MINUS SIGN}2.75"]],
    ]
    (text,) = (m["items"] for m in marks if m["type"] == "text")
    assert text == [[-2.0, 0, "mean \N{MINUS SIGN}2.75", "start", 9]]
