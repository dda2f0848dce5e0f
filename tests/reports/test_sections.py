"""What sections say: who leads, which definitions disagree, marks and cards."""

from __future__ import annotations

import html
import re
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare.systems import QUESTIONS, Compared
from aslib_eval.analysis.results import SuiteResults, ranks
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import PRESETS
from aslib_eval.reports.html import Card, cards
from aslib_eval.reports.sections.ranking import leaderboard, marked
from aslib_eval.reports.write import write_report
from aslib_eval.selections import import_selections
from aslib_eval.text import MINUS
from tests.conftest import write_scenario
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


def test_a_card_says_its_meaning_n_and_protocol() -> None:
    text = cards([Card("runs", 3, "small", "all runs")], population="n = 3 · protocol p")
    (told,) = Outline(text).all("dd")
    assert told["data-tip"] == "all runs · n = 3 · protocol p"
    assert told["tabindex"] == "0"


def told(page: Path) -> str:
    """The sentence that a page begins with."""
    story = page.read_text().split('<p class="story">')[1].split("</p>")[0]
    shown = re.sub("<[^>]*>", "", story)
    return html.unescape(shown).replace("\xa0", " ")


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
    assert told(page).startswith("A is the best algorithm: ")
    heads = page.read_text().split('id="leaders"')[1].split("</thead>")[0]
    assert re.findall(r"<th [^>]*>([^<]*)", heads)[:6] == [
        *("algorithm", "solved", "PAR10", "vs best", "ahead of best, 95 %", "PAR2")
    ]
    assert told(index) == (
        "In the median over 2 scenarios the best algorithm costs 2 times as much as "
        "choosing the best one on every instance (SBS / VBS). This ratio is largest on S, "
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
        "poor is the only selector: it loses 88 % of the gap between SBS (A) and VBS. "
        "It is no better than SBS"
    )
    assert told(index) == (
        "No selector is better than the best algorithm on S: poor loses least, 88 % "
        "of the gap. The scenario's page says how sure this is."
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
