"""What sections say: who leads, which definitions disagree, marks and cards."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare.blocks import Question
from aslib_eval.analysis.compare.pairs import LEGEND, seen_from_other
from aslib_eval.analysis.compare.systems import QUESTIONS, Compared
from aslib_eval.analysis.results import SuiteResults, ranks
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import PRESETS
from aslib_eval.reports.html import Card, cards
from aslib_eval.reports.sections.ranking import leaderboard, legends, marked
from aslib_eval.reports.write import write_report
from aslib_eval.selections import import_selections
from aslib_eval.text import MINUS
from tests.conftest import rows, write_scenario
from tests.reports.conftest import Outline


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
        {"solver": name, "mean_rank": rank, "n_scenarios": n, **rest} for name, rank, n in found
    )
    section = leaderboard(SuiteResults([], aggregates))
    assert section is not None
    table = str(section.body).split('id="suite-table"')[1].split("</table>")[0]
    names = re.findall(r"<tr [^>]*>\s*<th[^>]*>([^<]*)", table)
    assert names == ["c", "a", "b", "once"]


EFFECT = {"advantage": -2.0, "lower": -3.0, "upper": -1.0, "wins": 1, "ties": 2,
          "verdict": "worse",
          "losses": 9, "p_adjusted": 0.004, "n": 12, "n_families": None,
          "mean_rank": 1.5}  # fmt: skip


def compared(**of_x: object) -> Compared:
    found = [
        {"system": "SBS", "mark": "o", "sk_group": 1, "n": 12, "n_families": None},
        {"system": "x", "mark": "-", "sk_group": 2, **EFFECT, **of_x},
    ]
    return Compared(QUESTIONS["selectors_sbs"], found, "")


def test_a_mark_says_what_was_found() -> None:
    cells = marked("x", sbs=compared())
    assert re.sub("<[^>]*>", "", cells["mark_sbs"]) == "worse"
    assert (cells["sk_group"], cells["better_on"], cells["worse_on"]) == (2, 1, 9)
    assert cells["_tips"]["mark_sbs"] == (
        f"behind SBS by 2 in mean cost (95 % interval {MINUS}3 to {MINUS}1), better "
        "on 1, worse on 9, equal on 2, adjusted p = 0.004, n = 12"
    )
    assert marked("the single best", sbs=compared())["mark_sbs"] == "SBS"
    assert marked("the best", sbs=compared(), alone="best")["mark_sbs"] == "best"


@pytest.mark.parametrize("word", ["typically better", "mixed", "no difference"])
def test_a_page_shows_the_verdict_of_compare(word: str) -> None:
    found = compared(mark="\N{PLUS-MINUS SIGN}", verdict=word)
    assert marked("x", sbs=found)["mark_sbs"] == marked("x", best=found)["mark"] == word


def test_the_legend_names_test_unit_n_alpha_and_correction() -> None:
    text = legends(compared())
    for part in (
        f"Beside SBS, {LEGEND}. ",
        "Test (of how much, not how often): Wilcoxon signed-rank on cost",
        "Holm",
        "Holm; n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}12 instances, alpha",
    ):
        assert part in text
    assert "Scott-Knott groups" in legends(compared(), groups=True)
    # Of algorithms SBS is the best, and a reader of times need not know it.
    assert ">Beside the best, better or worse: " in legends(compared(), against="best")
    assert legends(None) == ""


@pytest.mark.parametrize(
    ("table", "title", "question"),
    [
        ("selectors-table", "vs best", Question(kind="selector")),
        ("leaders", "vs SBS", Question(kind="selector", versus="SBS")),
        ("algorithms-table", "vs SBS", Question(kind="algorithm", versus="SBS")),
    ],
)
def test_verdicts_of_the_page_are_those_of_compare(
    lake: Path, report: Path, table: str, title: str, question: Question
) -> None:
    from aslib_eval.analysis.compare import compare

    text = (report / "scenario" / "TOY.html").read_text()
    found = text.split(f'id="{table}"')[1].split("</table>")[0]
    heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", found)
    asked = compare(open_lake(lake), question)
    best = question.versus or asked.systems["system"][0]
    expected = {
        row["system"]: row["verdict"]
        for each in asked.pairs.to_dicts()
        for row in (each, seen_from_other(each))
        if row["other"] == best
    }
    told = {}
    for line in found.split("<tr ")[1:]:
        name = re.search(r'title="(\w+)"', line)
        cells = [re.sub("<[^>]*>", "", c) for c in re.findall(r"<td.*?</td>", line)]
        if name is not None:
            told[name[1]] = cells[heads.index(title) - 1]
    # Who is compared with has no verdict: it is SBS, or the best.
    alone = {name for name, word in told.items() if word in {"SBS", "best"}}
    assert {n: w for n, w in told.items() if n not in alone} == {
        name: expected[name] for name in told if name not in alone
    }
    assert len(told) - len(alone) == len(expected)


def test_a_card_says_its_meaning_n_and_protocol() -> None:
    text = cards([Card("runs", 3, "small", "all runs")], population="n = 3 · protocol p")
    (told,) = Outline(text).all("dd")
    assert told["data-tip"] == "all runs · n = 3 · protocol p"
    assert told["tabindex"] == "0"


def test_every_card_of_a_page_has_a_protocol(report: Path) -> None:
    for file in report.rglob("scenario/*.html"):
        cards = Outline(file.read_text()).all("dd")
        told = [card["data-tip"] for card in cards if "tabindex" in card]
        assert told
        assert all("protocol default@" in str(tip) for tip in told)


def told(page: Path) -> str:
    """The sentence that a page begins with."""
    story = page.read_text().split('<p class="story">')[1].split("</p>")[0]
    shown = re.sub('<span class="as-chosen" hidden>.*?</span>|<[^>]*>', "", story)
    return html.unescape(shown).replace("\xa0", " ")


def test_a_page_begins_with_who_leads_and_by_how_much(report: Path) -> None:
    assert told(report / "scenario" / "TOY.html") == (
        "coin (tied with oracle) is first of 2 selectors, but not significantly "
        "better than the best algorithm (SBS, even): it closes 0.00829 of the gap to "
        f"VBS (95 % interval {MINUS}9.06 to 0.89), level with oracle."
    )


@pytest.mark.usefixtures("two_definitions")
def test_without_selectors_pages_begin_with_the_ranking_and_then_with_a_loss(tmp_path: Path) -> None:
    times = {"i1": (1, 9), "i2": (2, 9), "i3": (9, 1), "i4": (4, 9)}
    lake = tmp_path / "lake"
    for scenario in "ST":
        folder = write_scenario(
            tmp_path / scenario,
            runs=[
                (name, 1, algorithm, time, "ok")
                for name, both in times.items()
                for algorithm, time in zip("AB", both, strict=True)
            ],
            folds={name: at % 2 + 1 for at, name in enumerate(times)},
        )
        ae.import_scenarios([folder], into=lake)
    write_report(lake, to=tmp_path / "r")
    index, page = tmp_path / "r" / "index.html", tmp_path / "r" / "scenario" / "S.html"
    assert told(page).startswith("A is the best of 2 algorithms, ")
    heads = page.read_text().split('id="leaders"')[1].split("</thead>")[0]
    assert re.findall(r"<th [^>]*>([^<]*)", heads)[:6] == [
        *("algorithm", "solved", "PAR10", "vs best", "ahead, 95 %", "PAR2")
    ]
    assert told(index) == (
        "In the median over 2 scenarios the best algorithm costs 2 times as much as "
        "choosing the best one on every instance (SBS / VBS), most of all on S, "
        "T (2 times)."
    )
    sections = [one.get("id") for one in Outline(index.read_text()).all("section")]
    assert sections[0] == "room"
    assert "all" not in sections
    answers = tmp_path / "answers.csv"
    rows = [f"{name},{'BBBA'[at]},poor" for at, name in enumerate(times)]
    answers.write_text("\n".join(["instance_id,algorithm,selector", *rows, ""]))
    import_selections(answers, lake=lake, scenario="S")
    write_report(lake, to=tmp_path / "r")
    # Mean costs: A 4 is SBS, VBS 2, poor (9 + 9 + 1 + 4) / 4.
    assert told(page).startswith(
        "poor is the only selector, but no better than the best algorithm (SBS, A): "
        "it loses 0.875 of the gap to VBS"
    )
    assert told(index) == (
        "No selector is better than the best algorithm on S: poor loses least, 0.875 "
        "of the gap; how sure that is stands on its page."
    )


@pytest.mark.slow
def test_the_report_ranks_as_definitions_does(lake: Path) -> None:
    from aslib_eval.extensions.sensitivity.analysis import definitions

    here = open_lake(lake, protocols=tuple(PRESETS))
    found = ranks(here)
    key = ["protocol", "scenario_id", "measure", "metric", "solver"]
    expected = definitions(here, kind="selector").sort(key)
    assert set(found["kind"]) == {"selector"}
    found = found.sort(key)
    assert found.select(*key, "n", "rank").equals(expected.select(*key, "n", "rank"))
    for one, other in zip(found["score"], expected["score"], strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12)


def test_definitions_stand_on_the_page_and_the_index(
    lake: Path, report: Path, outline: Outline, rich_report: Path
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
    index = Outline((rich_report / "index.html").read_text())
    assert "definitions" in [s["id"] for s in index.all("section")]
    assert "suite-tau" in json.loads(index.data["charts"])
