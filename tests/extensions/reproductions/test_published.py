"""Published numbers as rows, the protocols that are claimed, and what a lake gives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import commands
from aslib_eval.analysis.results import LakeResults
from aslib_eval.cli import main
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError, OutOfTimeError
from aslib_eval.extensions.reproductions import published as published_chart
from aslib_eval.extensions.reproductions.cli import _as_printed
from aslib_eval.extensions.reproductions.published import (
    BROKEN,
    COLUMNS,
    NumberAtHand,
    PublishedNumber,
    _verdict,
    check,
    claimed,
    known_papers,
    numbers_at_hand,
    of_papers,
    of_table,
    published_numbers,
    read_numbers,
)
from aslib_eval.figures.chart import Band, Boxes, Linear
from aslib_eval.selections import import_selections

# --- the rows -------------------------------------------------------------------------


def test_every_paper_has_a_source_and_numbers() -> None:
    numbers = published_numbers()
    assert known_papers().keys() == {number.paper for number in numbers}
    assert all(about.keys() == {"title", "read"} for about in known_papers().values())
    assert Counter(number.paper for number in numbers) == {
        "oasc2017": 11 * 8,
        "amadini2023": 15 * 6,
        "aslib2021": 685,
        "tornede2020": 539,
        "icon2015": 14 * 8 * 3,
        "kotthoff2017": 8,
    }


def test_the_means_of_a_contest_follow_from_its_scenarios() -> None:
    for table, metric, half in (("6", "par10", 1), ("7", "mcp", 1), ("8", "solved", 0.001)):
        by_system: dict[str, dict[str, float]] = {}
        for number in of_table("icon2015", f"Table D.{table}"):
            assert number.metric == metric
            cells = by_system.setdefault(number.solver, {})
            cells[number.scenario] = float(number.number)
        assert len(by_system) == 8
        for cells in by_system.values():
            mean = cells.pop("average of 13 scenarios")
            assert len(cells) == 13
            assert sum(cells.values()) / 13 == pytest.approx(mean, abs=half)


def test_claims_are_of_metrics_that_there_are(toy: Path) -> None:
    numbers = [number for number in published_numbers() if number.protocol]
    assert {number.column for number in numbers} <= set(open_lake(toy).metrics)
    claims = Counter(number.protocol.partition(",")[0] for number in numbers)
    assert claims == {"llama": 381, "tornede2020": 35, "oasc2017": 11, "none": 28}


def test_a_number_keeps_the_digits_that_are_printed() -> None:
    page = {
        (n.solver, n.metric): (n.number, n.decimals, n.printed.half)
        for n in of_table("aslib2021", "scenario page")
        if n.scenario == "CSP-Minizinc-Obj-2016"
    }
    assert page["vbs", "cost"] == ("0.160", 3, pytest.approx(0.0005))
    (count,) = [
        n
        for n in of_table("amadini2023", "Table 1")
        if (n.scenario, n.solver, n.metric) == ("MIP-2016", "RF", "faster than the other")
    ]
    assert (count.number, count.decimals) == ("105", 0)


def test_a_metric_may_be_printed_with_the_other_sign() -> None:
    number = made(metric="-cost", number="0.5")
    assert (number.column, number.ours(-0.5), number.ours(None)) == ("cost", 0.5, None)
    assert made(metric="cost").ours(-0.5) == -0.5


@pytest.mark.parametrize("text", ["", "none"])
def test_no_claim_is_of_no_protocol(text: str) -> None:
    assert claimed(text) is None


def test_a_claim_is_a_preset_with_its_changes() -> None:
    found = claimed("llama, sbs_criterion = par1, penalty = 2, presolving = false")
    assert found is not None
    assert found.protocol == "llama+sbs_criterion-par1+penalty-2.0+presolving-False"
    assert (found.sbs_criterion, found.penalty, found.presolving) == ("par1", 2, False)
    assert found.failures == "worst"  # of llama


HEAD = ",".join(COLUMNS)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (",t,s,x,par10,1,,,", "2: paper is empty"),
        ("p,t,s,x,par10,1 s,,,", "2: '1 s' is not a number. Write it as it is printed"),
        ("p,t,s,x,par10,1,SBS,lama,", "there is no protocol 'lama'. Did you mean 'lla"),
        ('p,t,s,x,par10,1,SBS,"asf, k = 1",', "'k = 1' is not a choice"),
        ('p,t,s,x,par10,1,SBS,"asf, sbs_scope = x",', "sbs_scope"),
        ("p,t,s,x,par10,1,,asf,", "a claim needs in_lake"),
        ("p,t,s,x,par10,1,SBS,none,", "the protocol 'none' needs a remark"),
        ("p,t,s,x,par10,1,SBS,asf,so", "the protocol 'none' needs a remark"),
        ("p,t,s,x,par10,1", "2: does not have 9 cells"),
        ("p,t,s,x,par10,1,,,\np,t,s,x,par10,2,,,", "3: repeats line 2"),
    ],
)
def test_what_is_not_well_formed_is_named(row: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\n{row}\n")
    with pytest.raises(AslibError) as error:
        read_numbers(file)
    assert f"{file.name}:" in str(error.value)
    assert says in str(error.value)


def test_all_faults_are_said_at_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\np,t,s,x,par10,?,,,\np,t,s,,par10,1,,,\n")
    with pytest.raises(AslibError, match=r"2: '\?' is not a number.*; mine.csv:3: solver"):
        read_numbers(file)
    file.write_text("paper,number\n")
    with pytest.raises(AslibError, match=r"has other columns\. Its first line must be"):
        read_numbers(file)


# --- beside a lake --------------------------------------------------------------------


def made(**cells: str) -> PublishedNumber:
    """A number of drift on TOY-2026, whose PAR10 is 200 under ``default``."""
    usual = {
        "paper": "p",
        "place": "t",
        "scenario": "toy-2026",
        "solver": "D",
        "metric": "par10",
        "number": "200",
        "in_lake": "Drift",
        "protocol": "",
        "remark": "",
    }
    return PublishedNumber(line=2, **{**usual, **cells})


@pytest.mark.parametrize(
    ("cells", "verdict", "found"),
    [
        ({"protocol": "default"}, "as claimed", "default"),
        ({"protocol": "default", "number": "201"}, "not as claimed", ""),
        ({}, "explained", "default"),
        ({"number": "201"}, "unexplained", ""),
        ({"protocol": "none"}, "a protocol gives it", "default"),
        ({"protocol": "none", "number": "201"}, "no protocol", ""),
        ({"protocol": "default", "metric": "-par10"}, "not as claimed", ""),
        ({"protocol": "default", "metric": "-par10", "number": "-200"}, "as claimed",
         "default"),
        ({"metric": "points"}, "unexplained", ""),
    ],
)  # fmt: skip
def test_what_becomes_of_a_number(cells: dict[str, str], verdict: str, found: str, toy: Path) -> None:
    at_hand = numbers_at_hand(open_lake(toy), [made(**cells)])
    assert [(one.scenario_id, one.kind, one.solver) for one in at_hand] == [
        ("TOY-2026", "algorithm", "drift")
    ]
    (checked,) = check(at_hand)
    assert (checked.verdict, checked.found) == (verdict, found)


def test_what_a_lake_does_not_hold_is_left_out(toy: Path) -> None:
    numbers = [made(scenario="X"), made(in_lake="X"), made(in_lake="")]
    assert numbers_at_hand(open_lake(toy), numbers) == []


def test_a_scenario_has_two_names_and_a_selector_comes_before_an_algorithm() -> None:
    rows = [("T-1", "Folder", kind, "X") for kind in ("algorithm", "selector")]
    lake = SimpleNamespace(rows=lambda _: rows, metrics={})
    lake.under = lambda **_: lake
    numbers = [made(scenario=name, in_lake="x") for name in ("folder", "t-1")]
    found = numbers_at_hand(cast("OpenLake", lake), numbers)
    assert [(one.scenario_id, one.kind) for one in found] == [("T-1", "selector")] * 2


def test_a_search_without_an_end_says_nothing_of_the_number() -> None:
    says = {claim: _verdict(claim, None) for claim in ("", "none", "asf")}
    assert says == {"": "out of time", "none": "no protocol", "asf": "not as claimed"}
    assert {"not as claimed", "a protocol gives it"} == BROKEN


def test_a_search_names_a_preset_else_the_choices() -> None:
    asked = []

    def search(number: str, **how: object) -> pl.DataFrame:
        asked.append((number, how))
        rows = {"value": [9.0, -0.5], "presets": ["asf", ""], "changes": ["", "k = 2"]}
        return pl.DataFrame(rows)

    one_of = ("T", "algorithm", "d")
    one = NumberAtHand(made(metric="-cost", number="0.5"), *one_of)
    (found,) = check([one], search)
    assert (found.verdict, found.found) == ("explained", "k = 2")
    how = {"scenario": "T", "solver": "d", "kind": "algorithm"}
    list(check([NumberAtHand(made(metric="-cost", number="-0.5"), *one_of)], search))
    assert asked == [("cost=-0.5", how), ("cost=0.5", how)]

    def endless(*_: object, **__: object) -> pl.DataFrame:
        raise OutOfTimeError("too long")

    assert [c.verdict for c in check([one], endless)] == ["out of time"]


def test_without_explanations_nothing_is_searched(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\np,t,TOY-2026,D,par10,201,drift,,\n")
    published = ae.published
    monkeypatch.setattr(commands, "function_added", lambda _: None)
    with pytest.raises(AslibError, match="Install the extension explanations"):
        published(toy, explain=True, numbers=file)


# --- the command ----------------------------------------------------------------------


def test_the_rows_of_a_paper_and_a_scenario() -> None:
    found = ae.published(papers=["oasc*"], scenarios=["Quill"])
    assert found.columns[-3:] == ["decimals", "protocol", "remark"]
    assert found.filter(pl.col("solver") == "Sunny-autok").rows() == [
        (
            *("oasc2017", "Table E.9", "Quill", "Sunny-autok", "remaining_gap"),
            *("0.150", 3, "none", "0.1505 is cut off instead of rounded"),
        )
    ]
    assert found.height == 8


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"papers": ["oasc"]}, "no paper matches. Did you mean 'oasc2017'"),
        ({"scenarios": ["X"]}, "X: no listed paper has numbers of this scenario"),
    ],
)
def test_what_there_is_not(asked: dict[str, list[str]], says: str) -> None:
    with pytest.raises(AslibError) as error:
        ae.published(**asked)
    assert says in str(error.value)


def test_the_command_fails_where_a_claim_does(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    line = f"published --explain --seconds 0 --lake {toy} --numbers {file} --format csv"
    rows = ["p,t,TOY-2026,drift,par10,200,drift,default,"]
    for code, more in ((0, "p,t,TOY-2026,D,par10,201,drift,,"),
                       (1, "p,t,TOY-2026,D,par10,201,drift,default,")):  # fmt: skip
        file.write_text("\n".join([HEAD, *rows, more]) + "\n")
        done = CliRunner().invoke(main, line.split())
        assert done.exit_code == code
        assert "data for 2 of 2 published numbers. Their verdicts: 1 as claimed, 1" in done.output
        assert "Protocols of the numbers with the verdict 'as claimed': default (1)." in done.output
    assert "p,t,TOY-2026,D,par10,201,default,200.0,not as claimed," in done.stdout
    done = CliRunner().invoke(main, line.replace(f"--numbers {file} ", "").split())
    assert done.exit_code == 1
    assert "has no scenario and solver of these numbers. Import the scenarios" in done.stderr


@pytest.mark.parametrize(
    ("file", "kept", "says"),
    [("ours", [], ["sunny is left out: the lake gives none of its numbers in p."]), ("own", ["1"], [])],
)
def test_a_selector_of_a_users_file_is_the_one_that_it_names(
    file: str, kept: list[str], says: list[str]
) -> None:
    number = made(solver="sunny", in_lake="sunny", protocol="default", number="1")
    at_hand = [NumberAtHand(number, "S", "selector", "sunny", 2.0)]
    found, said = of_papers(at_hand, own=file == "own")
    assert ([one.number.number for one in found], said) == (kept, says)


def test_the_command_keeps_a_selector_of_a_users_file(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\np,t,TOY-2026,sunny,par10,1,careful,default,\n")
    found = ae.published(toy, explain=True, seconds=0, numbers=file)
    assert found.select("solver", "number", "verdict").rows() == [("sunny", "1", "not as claimed")]


# --- the figure -----------------------------------------------------------------------


def test_a_bar_has_a_piece_for_each_protocol(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = (
        *[made(protocol="default")] * 2,
        *(made(protocol="amadini2023"), made(number="1"), made(scenario="X")),
        *[made(protocol="default, penalty = 2", paper="q")] * 3,
    )
    monkeypatch.setattr(published_chart, "published_numbers", lambda: numbers)
    chart = published_chart.published_chart(LakeResults(open_lake(toy)))
    assert isinstance(chart.y, Band)
    assert isinstance(chart.x, Linear)
    assert chart.y.names == ["p (4 of 5)", "q (3 of 3)"]
    drawn = {
        mark.name: [(a, b, round(y), tip) for a, b, y, _, tip in mark.boxes]
        for mark in chart.marks
        if isinstance(mark, Boxes)
    }
    assert drawn == {
        "default": [(0, 2, 0, "p: 2 numbers by default"),
                    (0, 3, 1, "q: 3 numbers by default")],
        "none": [(2, 4, 0, "p: 2 numbers by none")],
    }  # fmt: skip
    assert "5 of 7 published numbers" in chart.about
    assert chart.x.high == 4


# --- what is claimed, on real data ----------------------------------------------------


@pytest.fixture(scope="module")
def everything(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All public scenarios and contests that lie beside the checkout."""
    lake = tmp_path_factory.mktemp("published") / "lake"
    scenarios = [p for p in (shared / "aslib").iterdir() if p.name != "SAT12-ALL"]
    contests = sorted((shared / "contests" / "oasc2017").iterdir())
    ae.import_scenarios([*sorted(scenarios), shared / "aslib-rebuilt", *contests], into=lake)
    for folder in contests:
        for file in sorted(folder.glob("*.json")):
            import_selections(file, lake=lake, scenario=folder.name)
    import_selections(shared / "contests" / "tornede2020", lake=lake, without_feature_costs=True)
    return lake


@pytest.mark.slow
def test_every_claim_holds(everything: Path) -> None:
    found = ae.published(everything, explain=True, seconds=0)
    assert found.filter(pl.col("verdict").is_in([*BROKEN])).rows() == []
    counts = found.group_by("paper", "verdict").len().rows()
    assert {(paper, verdict): n for paper, verdict, n in counts} == {
        ("oasc2017", "as claimed"): 11,
        ("oasc2017", "no protocol"): 1,
        ("aslib2021", "as claimed"): 175,
        ("aslib2021", "no protocol"): 13,
        ("tornede2020", "as claimed"): 35,
    }


def test_blanks_around_the_parts_of_a_claim_say_nothing() -> None:
    plain = claimed("llama,sbs_criterion=par1")
    assert claimed(" llama , sbs_criterion  =  par1 ") == plain
    assert plain is not None
    assert plain.protocol.startswith("llama+")


def test_our_values_have_the_decimals_of_the_printed_ones() -> None:
    printed = {"number": ["0.963", "281.5", "81", "0.5"]}
    frame = pl.DataFrame({**printed, "value": [0.96341, 281.518, 80.6, None]})
    assert _as_printed(frame)["value"].to_list() == ["0.963", "281.5", "81", None]
