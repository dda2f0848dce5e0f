"""Tables on a terminal: which columns stay, what is bold, how names are shortened."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.tables import to_markdown, to_terminal
from aslib_eval.tables.paper_table import PaperTable, paper_table
from aslib_eval.tables.to_terminal import table_to_terminal
from aslib_eval.text import NONE, shown
from tests.tables.conftest import ACROSS, NOTE, own

SCORES = pl.DataFrame(
    {
        "protocol": ["p"] * 4,
        "scenario_id": ["S"] * 4,
        "kind": ["algorithm", "algorithm", "baseline", "selector"],
        "solver": ["a", "b", "VBS", "s"],
        "gap": [0.25, 0.75, 1.0, 0.5],
        "closed_gap": [0.25, 0.75, 1.0, 0.5],
        "par10": [7.5, 2.5, 1.5, 3.5],
    }
)


def test_the_best_is_bold_but_no_baseline_and_nobody_alone() -> None:
    text = to_terminal(SCORES, width=80)
    bold = re.findall(r"\x1b\[1m *([0-9.]+)\x1b\[0m", text)
    assert bold == ["0.75", "2.5"]


def test_the_most_important_columns_stay() -> None:
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(SCORES, width=30))
    lines = text.splitlines()
    above = [line.rstrip() for line in lines[:2]]
    assert above == ["protocol p · scenario_id S ·", "gap = closed_gap"]
    assert lines[2] == "kind       solver  closed_gap"
    assert "not shown: par10 " in text
    assert all(len(line) <= 30 for line in lines)


def test_a_narrow_terminal_keeps_the_kind_and_both_ends_or_none() -> None:
    long = "a-solver-of-a-long-name"
    frame = pl.DataFrame(
        {
            "kind": ["algorithm", "baseline"],
            "solver": [long, "SBS"],
            "cost": [1.5, 2.5],
            "cost_low": [0.5, 1.5],
            "cost_high": [123456.5, 234567.5],
            "rank": [1, 2],
        }
    )
    assert lines(frame, 50) == [
        "kind       solver                   cost  rank",
        f"algorithm  {long}   1.5     1",
        "baseline   SBS                       2.5     2",
        "not shown: cost_low, cost_high (widen the",
        "terminal, --columns NAME,NAME or --format csv)",
    ]
    wide = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=70))
    assert wide.split("\n")[0].split() == [*frame.columns]


def lines(frame: pl.DataFrame, width: int, **options: Any) -> list[str]:
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width, **options))
    return [line.rstrip() for line in text.splitlines()]


FAMILIES = pl.DataFrame(
    {
        "family": ["easy", "easy", "hard", "hard"],
        "solver": ["a", "b", "a", "b"],
        "closed_gap": [0.25, 0.5, 0.75, 1.5],
        "remaining_gap": [0.75, 0.5, 0.25, -0.5],
        "speedup": [1.5, 2.5, 3.5, 4.5],
        "floor": [0.5, 0.5, 0.5, 0.5],
    }
)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.2289, 0.119, -12.731], ["0.229", "0.119", "-12.731"]),
        ([3287.04, 281.54, 22.49, 0.0], ["3287.0", "281.5", "22.5", "0.0"]),
        ([1.0, 0.5, None, -0.0], ["1.0", "0.5", "", "0.0"]),
        ([2.0, 11.0], ["2", "11"]),
        ([1 / 3, 0.001234], ["0.3333", "0.0012"]),
        ([1234567.8, 44.4], ["1234568", "44"]),
        # There are more decimals for one that would be 0; smaller ones have their own.
        ([0.52, 2.1e-16], ["0.52", "2.1e-16"]),
        ([1234567.8, 0.4], ["1234567.8", "0.4"]),
        ([-16002.25, 0.25, -0.003329], ["-16002.250", "0.250", "-0.003"]),
        ([12203.5, 0.228913, 1.5e-9], ["12203.5000", "0.2289", "1.5e-09"]),
        ([math.inf, 0.25], ["inf", "0.25"]),
        ([0.0, 0.0], ["0", "0"]),
    ],
)
def test_a_column_has_one_number_of_decimals(values: list[float | None], texts: list[str]) -> None:
    frame = pl.DataFrame({"solver": list("abcdefg")[: len(values)], "x": values})
    shown = [line.split()[1:] for line in lines(frame, 40)[1:]]
    assert [text for text, *_ in (cell or [""] for cell in shown)] == texts


def test_a_tiny_p_is_below_what_four_decimals_show() -> None:
    frame = pl.DataFrame({"solver": ["a", "b", "c"], "p": [2.2e-13, 0.06313, None]})
    cells = [line.split()[1:] for line in lines(frame, 40)[1:]]
    assert cells == [["<0.0001"], ["0.0631"], []]


def test_the_interval_of_a_gap_has_its_digits() -> None:
    frame = pl.DataFrame({"solver": ["a", "b"], "closed_gap": [0.0, 1.229]})
    ends = pl.DataFrame({"gap_low": [-0.9038, 0.01234], "gap_high": [None, 1.5]})
    shown = lines(pl.concat([frame, ends], how="horizontal"), 60)[1:]
    assert [line.split() for line in shown] == [["a", "0.000", "-0.904"], ["b", "1.229", "0.012", "1.500"]]


def test_what_tells_rows_apart_stays_and_what_repeats_goes_first() -> None:
    assert lines(FAMILIES, 35)[:4] == [
        "floor 0.5",
        "family  solver  closed_gap  speedup",
        "easy    a             0.25      1.5",
        "easy    b             0.50      2.5",
    ]
    assert lines(FAMILIES, 35)[6].startswith("not shown: remaining_gap (")
    assert "family  solver" in lines(FAMILIES, 18)


def test_headings_have_several_lines_where_more_columns_fit_so() -> None:
    assert lines(FAMILIES, 44)[:4] == [
        "floor 0.5",
        "                closed_  remaining_",
        "family  solver      gap         gap  speedup",
        "easy    a          0.25        0.75      1.5",
    ]
    one = FAMILIES[:1]
    assert lines(one, 44)[0] == "family         easy"


def test_names_are_shortened_for_an_answer() -> None:
    a, b, c = (f"{letter}-solver-of-a-very-long-name" for letter in "abc")
    frame = pl.DataFrame({"solver": [a, a, b], "other": [b, c, c]})
    assert lines(frame, 58)[1] == f"{a}  {b}"
    frame = frame.with_columns(wins=pl.Series([10, 20, 30]), losses=pl.Series([3, 4, 5]))
    assert lines(frame, 58)[:2] == [
        "solver                 other                  wins  losses",
        "a-solver-o…-long-name  b-solver-o…-long-name    10       3",
    ]


def test_text_of_words_is_read_to_its_end() -> None:
    frame = pl.DataFrame({"about": ["one two three four"] * 2, "key": ["x", "y"]})
    assert lines(frame, 12, chosen=True) == [
        "about    key",
        "one two  x",
        "three",
        "four",
        "one two  y",
        "three",
        "four",
    ]


def test_all_columns_that_were_chosen_stay() -> None:
    frame = FAMILIES.select("family", "closed_gap", "remaining_gap", "speedup")
    text = lines(frame, 30, chosen=True)
    assert len(text[1].split()) == 4
    assert not any(line.startswith("not shown") for line in text)


def test_a_long_key_is_narrowed_but_there() -> None:
    names = [f"{'long-' * 8}{at}" for at in range(3)]
    frame = pl.DataFrame({"task": names * 2, "system": ["x"] * 3 + ["y"] * 3, "mean": [0.5] * 6})
    assert lines(frame, 20)[:3] == ["mean 0.5", "task          system", "long-…long-0  x"]


def test_one_row_that_does_not_fit_is_written_downwards() -> None:
    row = {"solver": "a", "changes": "penalty = 1, sbs = test", "value": -4.285}
    frame = pl.DataFrame({key: [value] for key, value in row.items()})
    assert lines(frame, 40)[1].split() == ["a", "penalty", "=", "1,", "sbs", "=", "test", "-4.285"]
    assert lines(frame, 30) == [
        "solver   a",
        "changes  penalty = 1, sbs =",
        "         test",
        "value    -4.285",
    ]


def test_a_paper_table_on_a_terminal(three: PaperTable) -> None:
    text = table_to_terminal(three, width=60)
    assert re.search(r"\x1b\[1m *0\.51 \(1\)", text)
    plain = " ".join(re.sub(r"\x1b\[\d*m", "", text).split())
    assert NOTE in plain


def test_groups_stand_above_their_columns_on_a_terminal(lake: OpenLake, tmp_path: Path) -> None:
    table = paper_table(lake, own(tmp_path, "across", ACROSS))
    text = re.sub(r"\x1b\[\d+m", "", table_to_terminal(table, width=46))
    lines = [line.split() for line in text.splitlines()]
    assert lines[:3] == [
        ["closed", "closed", "closed"],
        ["gap", "gap", "gap", "n", "n", "n"],
        ["scenario", "a", "b", "c", "a", "b", "c"],
    ]


def test_a_paper_table_leaves_out_no_column_on_a_narrow_terminal(lake: OpenLake, tmp_path: Path) -> None:
    table = paper_table(lake, own(tmp_path, "across", ACROSS))
    text = re.sub(r"\x1b\[\d+m", "", table_to_terminal(table, width=26))
    lines = [line.split() for line in text.splitlines()]
    assert lines[2:5] == [["scenario", "a", "b"], ["S", "0.2", "0.4"], ["T", NONE, "0.1"]]
    assert lines[8:11] == [
        ["scenario", "c", "a", "b", "c"],
        ["S", NONE, "1", "2", NONE],
        ["T", "0.1", NONE, "3", "4"],
    ]
    assert all(len(line) <= 26 for line in text.splitlines())


def test_a_name_that_is_too_long_keeps_both_ends_and_a_list_is_one() -> None:
    names = ["x" * 30 + "_one", "x" * 30 + "_two"]
    frame = pl.DataFrame({"solver": names, "runs": [[3, 4], [5, 6]]})
    whole = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=40))
    assert [line.split()[0] for line in whole.splitlines()[1:]] == names  # it has room
    assert [line.split() for line in lines(frame, 32)[1:]] == [
        ["x" * 12 + "…" + "x" * 9 + "_one", "3", "4"],
        ["x" * 12 + "…" + "x" * 9 + "_two", "5", "6"],
    ]


def test_a_scenario_stands_once_above_its_rows() -> None:
    frame = pl.DataFrame(
        {
            "protocol": ["p"] * 6,
            "protocol_hash": ["1f"] * 6,
            "scenario_id": ["S"] * 3 + ["T"] * 3,
            "solver": ["a", "b", "c"] * 2,
            "n": [5] * 3 + [7] * 3,
            "par10": [1.0, 2.0, 3.0, 4.0, 6.0, 5.0],
            "cost": [1.0, 2.0, 3.0, 4.0, 6.0, 5.0],
        }
    )
    assert lines(frame, 80) == [
        "protocol p@1f · cost = par10",
        "solver  par10",
        "",
        "S · n 5",
        "a           1",
        "b           2",
        "c           3",
        "",
        "T · n 7",
        "a           4",
        "b           6",
        "c           5",
    ]


def test_rows_of_a_scenario_that_are_apart_name_it_each() -> None:
    names = ["S"] * 3 + ["T"] * 3 + ["S"] * 3
    frame = pl.DataFrame({"scenario_id": names, "solver": [*"abcabcdef"]})
    assert lines(frame, 80)[:2] == ["scenario_id  solver", "S            a"]


def test_what_one_scenario_lacks_stays_a_column() -> None:
    frame = pl.DataFrame(
        {"scenario_id": ["S"] * 3 + ["T"] * 3, "solver": [*"abcabc"], "n": [5] * 3 + [None] * 3}
    )
    assert lines(frame, 80)[:4] == ["solver  n", "", "S", "a       5"]


def test_numbers_of_a_frame_in_markdown_are_those_of_other_texts() -> None:
    limits = [1e6, 999999.5, 1e6 - 1e-9, 0.0, 1e-7, 5e-324, 123456.7, 1.5]
    values = [*limits, *(-x for x in limits), float("nan"), float("inf"), None]
    lines = to_markdown(pl.DataFrame({"a": values})).splitlines()[2:]
    assert lines == [f"| {shown(value)} |" for value in values]


def test_each_scenario_has_decimals_of_its_own() -> None:
    frame = pl.DataFrame(
        {
            "scenario_id": ["A"] * 3 + ["B"] * 3,
            "solver": ["x", "y", "z"] * 2,
            "cost": [37718.2, 2384.0, 281.5, 0.16, 0.283, 0.301],
        }
    )
    cells = [line.split()[-1] for line in lines(frame, 80) if line[:1] in {*"xyz"}]
    assert cells == ["37718", "2384", "282", "0.160", "0.283", "0.301"]


def test_how_sure_a_gap_is_stands_beside_it() -> None:
    frame = SCORES.with_columns(
        gap_low=pl.Series([0.1, 0.2, None, 0.3]), gap_high=pl.Series([0.4, 0.8, None, 0.6])
    ).drop("gap")
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=54))
    heads = next(line for line in text.splitlines() if line.startswith("kind"))
    assert heads.split() == ["kind", "solver", "gap", "par10", "low", "high"]
