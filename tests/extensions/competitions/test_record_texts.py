# ruff: noqa: E501 - a case a line
"""A record of a competition as text, for print and as a page, word by word."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.extensions.competitions import record_formats
from aslib_eval.extensions.competitions.record import CompetitionRecord
from aslib_eval.extensions.competitions.record_formats import (
    boards,
    competition_of,
    lead_of,
    paper_tables,
    places_of_points,
    to_machine,
    to_page,
    to_text,
)
from aslib_eval.formats.sources import CHOICES

ALL = ("all", "all")
COLUMNS = {
    **dict.fromkeys(("scenario_id", "rule", "part_of", "part", "solver"), pl.String),
    "place": pl.Int64,
    "points": pl.Float64,
    "errors": pl.Int64,
    **dict.fromkeys(("solved", "solved_sat", "solved_unsat", "alone"), pl.Int64),
    "wall": pl.Float64,
    "cpu": pl.Float64,
}
BOARDS = pl.DataFrame(
    [
        ("C-main", "r", *ALL, "b", 2, 1.25, 0, 3, 2, 1, 0, 4.0, 4.0),
        ("C-main", "r", *ALL, "VBS", None, 9.0, 0, 4, 3, 1, 0, 1.0, 1.0),
        ("C-main", "r", *ALL, "a", 1, 2.5, 0, 3, 3, 0, 1, 2.0, 2.0),
        # A part that holds all instances, in another order.
        ("C-main", "r", "logic", "L", "a", 1, 2.5, 0, 3, 3, 0, 1, 2.0, 2.0),
        ("C-main", "r", "logic", "L", "b", 2, 1.25, 0, 3, 2, 1, 0, 4.0, 4.0),
        ("C-main", "r", "logic", "L", "VBS", None, 9.0, 0, 4, 3, 1, 0, 1.0, 1.0),
        ("C-main", "r", "family", "", "a", 1, 1.0, 0, 1, 0, 0, 0, 2.0, 3.0),
        ("C-main", "r-sat", *ALL, "a", 1, 3.0, 0, 3, 3, 0, 0, None, None),
        ("C-main", "r-sat", *ALL, "b", 1, 3.0, 0, 3, 3, 0, 0, None, None),
        ("C-main", "r-sat", *ALL, "c", 1, 3.0, 0, 3, 3, 0, 0, None, None),
        ("C-fast", "r", *ALL, "a", 2, 1.0, 2, 1, 0, 0, 0, None, None),
        ("C-fast", "r", *ALL, "b", 1, 2.0, 0, 2, 0, 0, 0, None, None),
    ],
    schema=COLUMNS,
    orient="row",
)
LEFT_OUT = pl.DataFrame(
    [
        ("C-main", "r", "answers", "wrong", 2, ["i1", "i2"]),
        ("C-main", "r-sat", "answers", "wrong", 2, ["i1", "i2"]),
        ("C-main", "r", "instances", "disagreement", 4, ["p", "q", "s", "t"]),
        ("C-fast", "r-sat", "instances", "not in the category", 1, ["z"]),
    ],
    schema=["scenario_id", "rule", "what", "why", "n", "names"],
    orient="row",
)


def rows(*rows: tuple[Any, ...], names: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=names.split(), orient="row")


RECORD = CompetitionRecord(
    "r",
    rules=rows(
        ("r", "h1", "A rule", "rules.pdf"), ("r-sat", "h2", None, None), names="rule hash about document"
    ),
    boards=BOARDS,
    left_out=LEFT_OUT,
    instances=rows(
        ("C-main", 2, "ab12", ["i1", "i2"]),
        ("C-fast", 1, "cd34", ["z"]),
        names="scenario_id n sha256 names",
    ),
    solvers=rows(
        ("C-main", "a", "competing", "1.0"),
        ("C-main", "b", "competing", None),
        names="scenario_id solver role configuration",
    ),
    files=rows(
        ("C-main", "f.csv", 1, "ef56"),
        ("C-fast", "f.csv", 1, "ef56"),
        ("C-fast", CHOICES, 20, "0a"),
        names="scenario_id file bytes sha256",
    ),
    warnings=rows(("C-main", "odd"), names="scenario_id warning"),
    code="1.2 (hash)",
    remarks=("A remark.",),
    published=None,
    ask=lambda *_: pl.DataFrame(),
)
MADE_OF = (
    "C-main: 2 instances, SHA-256 of the sorted names ab12",
    "C-fast: 1 instance, SHA-256 of the sorted names cd34",
    "rule r@h1: rules.pdf",
    "rule r-sat@h2",
    "file f.csv: 1 byte, SHA-256 ef56",
    "the user's options for the tables: 20 bytes, SHA-256 0a",
    "code 1.2 (hash)",
)
TEXT = """\
# r

- A remark.

| scenario | board | 1st | 2nd | 3rd |
| --- | --- | --- | --- | --- |
| C-fast | r | b | a |  |
| C-main | r | a | b |  |
| C-main | r-sat | a, b, c |  |  |
| C-main | r, family (none) | a |  |  |

## C-fast: r

| solver | place | errors | solved |
| --- | --: | --: | --: |
| b | 1 | 0 | 2 |
| a | 2 | 2 | 1 |

## C-main: r

| solver | place | points | solved | sat | unsat | solved alone | wall time [s] |
| --- | --: | --: | --: | --: | --: | --: | --: |
| a | 1 | 2.5 | 3 | 3 | 0 | 1 | 2 |
| b | 2 | 1.25 | 3 | 2 | 1 | 0 | 4 |
| VBS |  | 9 | 4 | 3 | 1 | 0 | 1 |

## C-main: r-sat

| solver | place | solved |
| --- | --: | --: |
| a | 1 | 3 |
| b | 1 | 3 |
| c | 1 | 3 |

## C-main: r, family (none)

| solver | place | solved | wall time [s] | CPU time [s] |
| --- | --: | --: | --: | --: |
| a | 1 | 1 | 2 | 3 |

## Left out

| scenario | boards | n | left out | why | which |
| --- | --- | --: | --- | --- | --- |
| C-main | all | 2 | answers | wrong |  |
| C-main | r | 4 | instances | disagreement | p, q, s and 1 more |
| C-fast | r-sat | 1 | instances | not in the category |  |

## How it was made

- C-main: 2 instances, SHA-256 of the sorted names ab12
- C-fast: 1 instance, SHA-256 of the sorted names cd34
- rule r@h1: rules.pdf
- rule r-sat@h2
- file f.csv: 1 byte, SHA-256 ef56
- the user's options for the tables: 20 bytes, SHA-256 0a
- code 1.2 (hash)
"""


def test_the_text_of_a_record() -> None:
    assert to_text(RECORD) == TEXT


def test_a_text_says_no_more_than_there_is() -> None:
    one = replace(RECORD, boards=BOARDS.tail(2), left_out=LEFT_OUT.clear(), remarks=())
    text = to_text(one)
    assert text.startswith("# r\n\n## C-fast: r\n\n| solver |")
    assert "Left out" not in text


def cells(record: CompetitionRecord) -> dict[str, list[list[str]]]:
    """Names of tables for print, with their headings and the texts of their rows."""
    return {
        table.name: [
            [column.heading for column in table.columns],
            *([f"{'*' * c.is_bold}{c.text}" for c in row] for row in table.rows),
        ]
        for table in paper_tables(record)
    }


def test_tables_for_print() -> None:
    assert cells(RECORD) == {
        "r-winners": [
            ["scenario", "board", "1st", "2nd"],
            ["fast", "r", "b", "a"],
            ["main", "r", "a", "b"],
            ["main", "sat", "3 tied", ""],
        ],
        "c-fast-r": [["solver", "place", "errors", "solved"], ["*b", "1", "0", "2"], ["a", "2", "2", "1"]],
        "c-main-r": [
            ["solver", "place", "points", "solved", "sat", "unsat", "alone", "wall [s]"],
            ["*a", "1", "2.50", "3", "3", "0", "1", "2"],
            ["b", "2", "1.25", "3", "2", "1", "0", "4"],
            ["VBS", "", "9.00", "4", "3", "1", "0", "1"],
        ],
        "c-main-r-sat": [
            ["solver", "place", "solved"],
            ["*a", "1", "3"],
            ["*b", "1", "3"],
            ["*c", "1", "3"],
        ],
        "c-main-r-family-none": [
            ["solver", "place", "solved", "wall [s]", "CPU [s]"],
            ["*a", "1", "1", "2", "3"],
        ],
    }
    said = [(t.caption, *t.notes, *t.provenance) for t in paper_tables(RECORD)]
    assert said == [
        ("First places by r: C.", *MADE_OF),
        ("C-fast. A rule.", "Rule r@h1; 1 instance."),
        ("C-main. A rule.", "Rule r@h1; 2 instances."),
        ("C-main. a rule of its own.", "Rule r-sat@h2; 2 instances."),
        ("C-main, family (none). A rule.", "Rule r@h1; 2 instances."),
    ]


def test_winners_of_one_scenario_or_of_names_that_share_nothing() -> None:
    (first, *_) = cells(replace(RECORD, boards=BOARDS.filter(scenario_id="C-main"))).values()
    assert first[:2] == [["board", "1st", "2nd"], ["r", "a", "b"]]
    odd = BOARDS.with_columns(pl.col("scenario_id").replace("C-fast", "D-fast"))
    known = RECORD.instances.with_columns(pl.col("scenario_id").replace("C-fast", "D-fast"))
    first_table = next(paper_tables(replace(RECORD, boards=odd, instances=known)))
    assert first_table.caption == "First places by r."
    assert [row[0].text for row in first_table.rows] == ["C-main", "C-main", "D-fast"]
    alone = list(paper_tables(replace(RECORD, boards=BOARDS.tail(2))))
    assert [(t.name, t.provenance) for t in alone] == [("c-fast-r", MADE_OF)]


def test_decimals_of_points() -> None:
    shown = {b.title: b for b in boards(RECORD) if "points" in b.rows.columns}
    assert places_of_points(shown["r"]) == 2
    fine = BOARDS.with_columns(points=pl.lit(0.125))
    assert places_of_points(next(boards(replace(RECORD, boards=fine)))) == 3
    whole = BOARDS.with_columns(points=pl.col("solved") * 10.0)
    assert places_of_points(next(boards(replace(RECORD, boards=whole)))) == 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(1, 9.0, 3), (3, 1.0, 1), (2, 7.75, 9)], "1.25 points"),
        ([(1, 9.0, 3), (2, 9.0, 1)], "2 solved"),
        ([(1, 9.0, 3), (2, 9.0, 3)], "time alone"),
        ([(1, 9.0, 3), (1, 9.0, 3), (3, 1.0, 1)], "tied"),
        ([(1, 9.0, 3), (None, 8.0, 3)], ""),
    ],
)
def test_by_how_much_the_first_is_ahead(rows: list[tuple[int | None, float, int]], said: str) -> None:
    frame = pl.DataFrame(rows, schema=["place", "points", "solved"], orient="row")
    assert lead_of(replace(next(boards(RECORD)), rows=frame)) == said


@pytest.fixture(autouse=True)
def _only_its_own_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_formats, "sections_made", lambda *_: [])
    monkeypatch.setattr(record_formats, "_OF_FIRST", SimpleNamespace(usable=dict, plug_in=str))


def page_of(record: CompetitionRecord) -> list[str]:
    """The texts of a page from its first sentence on, without their tags."""
    page = to_page(record)
    content = page[page.index("<main") : page.index("</main>")]
    plain = re.sub(r"<script.*?</script>|<strong.*?</strong>", "", content, flags=re.DOTALL)
    return [text for text in re.split(r"<[^>]*>|\n", plain) if text.strip()]


def test_a_page_says_who_won_and_folds_the_rest() -> None:
    texts = page_of(RECORD)
    first = texts[: texts.index("solver")]
    assert first == [
        "C-main: a is first, ahead of b by 1.25 points.",
        *("Winners", "First places"),
        *("board", "1st", "ahead by", "2nd", "3rd"),
        *("C-main", "a", "1.25 points", "b"),
        *("C-main, SAT only", "a, b, c", "tied"),
        *("C-main, family (none)", "a"),
        *("C-fast", "b", "1 solved", "a"),
        ("Places follow the rule r (A rule), or the rule of the board. Click a winner to see its board."),
        "A remark.",
        *("C-main", "C-main"),
    ]
    page = to_page(RECORD)
    links = re.findall(r'<td[^>]*><a href="#(board\d)">([^<]*)', page)
    assert links == [(f"board{n}", who) for n, who in enumerate(["a", "a, b, c", "a", "b"])]
    assert re.findall(r'<h2[^>]*>([^<]*)</h2>(?: <span class="finding">([^<]*))?', page) == [
        ("Winners", ""),
        ("C-main", ""),
        ("C-main, others", "2 boards: a = b = c and a are first on 1 each."),
        ("C-fast", "1 board: b is first on 1."),
        ("Left out", "Reasons: wrong, disagreement, not in the category."),
        ("Instances", "The names of 2 and 1 instances, with their hash."),
        ("How it was made", "2 rules, 2 files and the program, with their hashes."),
    ]
    assert re.findall(r"<caption>([^<]*)", page) == [
        *("First places", "C-main", "C-main, SAT only", "C-main, family (none)", "C-fast"),
        *("What does not count, and why", "Rules", "Solvers", "Files", "Warnings about the files"),
    ]
    assert texts[-1] == "Code 1.2 (hash)."
    assert 'data-help="runs that the rule counts as errors">errors<' in page
    assert 'data-v="2.5">2.50<' in page


def named(about: str | None, rules: list[str], scenario: str) -> tuple[str, list[str]]:
    """The competition and its boards by the names that people use."""
    rows = RECORD.rules.head(1).with_columns(rule=pl.lit(rules[0]), about=pl.lit(about, pl.String))
    found = pl.concat(
        BOARDS.head(3).with_columns(scenario_id=pl.lit(scenario), rule=pl.lit(rule)) for rule in rules
    )
    instances = RECORD.instances.head(1).with_columns(scenario_id=pl.lit(scenario))
    record = replace(RECORD, name=rules[0], rules=rows, boards=found, instances=instances)
    return competition_of(record), [board.name for board in boards(record)]


@pytest.mark.parametrize(
    ("about", "rules", "scenario", "said"),
    [
        ("SAT Competition: mean PAR2", ["sat2023", "sat2023-sat"], "SAT-2023-main", ("SAT Competition 2023", ["Main track", "Main track, SAT only"])),
        ("MiniZinc Challenge since 2018: pairs", ["minizinc", "minizinc-fd"], "MZN-2021", ("MiniZinc Challenge 2021", ["Overall", "fd"])),
        ("SMT-COMP 2019 to 2022, parallel", ["smtcomp"], "SMT-2021-cloud-QF_UF", ("SMT-COMP 2021", ["Cloud track, QF_UF"])),
        ("mean PAR10, as ASlib", ["par10"], "SAT-2023-main", ("par10", ["Main track"])),
        ("A cup: solved", ["mine"], "runs", ("mine", ["runs"])),
        (None, ["mine"], "SAT-2023-main", ("mine", ["Main track"])),
    ],
)  # fmt: skip
def test_what_people_call_a_competition_and_its_boards(
    about: str | None, rules: list[str], scenario: str, said: tuple[str, list[str]]
) -> None:
    assert named(about, rules, scenario) == said


def test_points_that_are_times_and_the_set_of_places_stand_on_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [("C-main", "r", "a", 1, 2), ("C-main", "r", "b", 1, 4)]
    schema = ["scenario", "board", "solver", "low", "high"]
    sets = SimpleNamespace(
        usable=lambda: {"x": lambda _: pl.DataFrame(rows, schema, orient="row")}, plug_in=str
    )
    monkeypatch.setattr(record_formats, "_OF_PLACES", sets)
    page = to_page(replace(RECORD, rules=RECORD.rules.with_columns(about=pl.lit("Cup: mean PAR2"))))
    table = page.split('id="board0"')[1].split("</table>")[0]
    assert re.findall("<th [^>]*>([^<]*)</th>", table)[:4] == [
        *("solver", "place", "places, 95 %", "PAR2 seconds, less is better")
    ]
    bars = re.findall('said..([^<]*)</span>.*?margin-left:(.*?);width:(.*?)".*?left:(.*?)"', table)
    assert bars == [("1 to 2", "0%", "50%", "12.5%"), ("1 to 4", "0%", "100%", "37.5%")]
    assert "places, 95 %" not in page.split('id="board3"')[1]  # it has none
    assert "1.25 s of PAR2" in page


def test_others_say_of_first_places(monkeypatch: pytest.MonkeyPatch) -> None:
    told = pl.DataFrame({"scenario": ["C-main"], "board": ["r"], "firm": ["3 of 9"]})
    made = {"a": lambda _: told, "b": lambda _: 1, "c": lambda _: None}
    theirs = SimpleNamespace(usable=lambda: made, plug_in=lambda name: f"column {name}")
    monkeypatch.setattr(record_formats, "_OF_FIRST", theirs)
    texts = page_of(RECORD)
    at = texts.index("board")
    assert texts[at : at + 12] == [
        *("board", "1st", "ahead by", "firm", "2nd", "3rd"),
        *("C-main", "a", "1.25 points", "3 of 9", "b"),
        "C-main, SAT only",
    ]
    failed = "The plug-in column b failed (it returned int instead of DataFrame)."
    assert failed in texts


def test_what_other_programs_read_of_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_formats, "sentences", lambda _: ["said"])
    parts = ("boards", "left_out", "instances", "solvers", "rules", "files", "warnings")
    frames = {name: pl.DataFrame({name: [1]}) for name in parts}
    beside: Any = SimpleNamespace(
        cells=pl.DataFrame({"equal": [True, False, True]}),
        n=4,
        different=pl.DataFrame({"different": [2]}),
        unequal_pairs=5,
        explained=None,
        moved=None,
        instance=None,
    )
    record: Any = SimpleNamespace(name="r", code="c", published=None, **frames)
    found = json.loads(to_machine(record))
    assert found == {
        **{name: [{name: 1}] for name in parts},
        "rule": "r",
        "sentences": ["said"],
        "code": "c",
    }
    record.published = beside
    more = {"published": 4, "compared": 3, "equal": 2}
    more |= {
        "different": [{"different": 2}],
        "unequal_pairs": 5,
        "changes": [],
        "moved": [],
        "instance": None,
    }
    assert json.loads(to_machine(record)) == found | more
    beside.explained = SimpleNamespace(changes=[(("clock", "wall"), ("sound", True))])
    beside.moved = pl.DataFrame({"moved": [7]})
    more |= {"changes": [{"clock": "wall", "sound": True}], "moved": [{"moved": 7}]}
    assert json.loads(to_machine(record)) == found | more
