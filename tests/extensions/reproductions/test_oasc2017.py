"""The contest of 2017 made again, of its scenarios and of any with a fixed split."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.reproductions.oasc2017 import PRINTED, _order, oasc2017
from aslib_eval.extensions.reproductions.published import Paper, write_paper
from aslib_eval.selections import import_selections
from aslib_eval.text import NONE
from tests.conftest import write_scenario

# SBS of the training set is a, of the test set b; VBS needs 20 on average.
TRAIN = [("i1", 1, "a", 1, "ok"), ("i1", 1, "b", 100, "timeout")]
TEST = [
    ("i2", 1, "a", 10, "ok"), ("i2", 1, "b", 20, "ok"),
    ("i3", 1, "a", 100, "timeout"), ("i3", 1, "b", 30, "ok"),
]  # fmt: skip
# Mean costs 25, 20, 505: 5 of 485 and of 5 are left, nothing, all.
ANSWERS = {
    "sunny-fkvar": {"i2": [["b", 100]], "i3": [["b", 100]]},
    "mine": {"i2": [["a", 100]], "i3": [["b", 100]]},
    "yours": {"i2": [["a", 100]], "i3": [["a", 100]]},
}


def cells(paper: Paper) -> list[list[str]]:
    return [[cell.text for cell in row] for row in paper.tables[0].rows]


def claims(paper: Paper) -> list[tuple[str, str, bool | None]]:
    return [(claim.printed, claim.here, claim.holds) for claim in paper.claims]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mira of the contest, and two others with a fixed split, one unanswered."""
    home = tmp_path_factory.mktemp("contest")
    who = {"Mira": ("sunny-fkvar", "mine"), "Other": ("mine", "yours"), "Third": ()}
    for name, systems in who.items():
        for part, runs in (("train", TRAIN), ("test", TEST)):
            made = write_scenario(home / name / part, runs=runs)
            (made / "cv.arff").unlink()
            described = made / "description.txt"
            described.write_text(described.read_text().replace(f"_id: {part}", f"_id: {name}"))
        ae.import_scenarios([home / name], into=home / "lake")
        for system in systems:
            file = home / f"{system}.json"
            file.write_text(json.dumps(ANSWERS[system]))
            import_selections(file, lake=home / "lake", scenario=name)
    return home / "lake"


def test_the_printed_gaps_have_the_printed_averages() -> None:
    columns = zip(*(row.values() for row in PRINTED.values()), strict=True)
    means = [fmean(column) for column in columns]
    averages = [0.383, 0.405, 0.433, 0.572, 0.964, 0.933, 2.103, 2.514]
    assert means == pytest.approx(averages, abs=0.0006)


def test_what_was_printed_stands_beside_where_it_is_known(lake: Path) -> None:
    paper = oasc2017(lake, scenarios=["Mira"])
    assert [(c.group, c.heading) for c in paper.tables[0].columns] == [
        ("", "scenario"),
        ("sunny-fkvar, SBS on train", "printed"),
        ("sunny-fkvar, SBS on train", "here"),
        ("sunny-fkvar, SBS on test", "here"),
        ("mine, SBS on train", "here"),
        ("mine, SBS on test", "here"),
    ]
    assert cells(paper) == [
        ["Mira", "0.568", "0.0103", "1.0000", "0.0000", "0.0000"],
        ["mean of 1", "0.568", "0.0103", "1.0000", "0.0000", "0.0000"],
    ]
    assert claims(paper) == [
        (
            "1 gap with three decimals, by SBS of the training set",
            "0 of 1 the same; sunny-fkvar on Mira is 0.0103, not 0.568",
            False,
        ),
        ("not of two of these", "nothing to compare", None),
    ]
    assert paper.remarks[1:] == (
        "Of the contest, but not in the lake: "
        + ", ".join(name for name in PRINTED if name != "Mira")
        + ".",
    )


def test_every_scenario_with_answers_is_listed_and_the_mean_says_of_which(lake: Path) -> None:
    paper = oasc2017(lake, scenarios=["Other", "Third"])
    assert cells(paper) == [
        ["Other", "0.0000", "0.0000", "1.0000", "97.0000"],
        ["mean of 1", "0.0000", "0.0000", "1.0000", "97.0000"],
    ]
    assert paper.provenance[0].endswith(": Other")
    assert [holds for *_, holds in claims(paper)] == [None, None]
    assert paper.remarks[1:3] == (
        "Left out, without answers on a fixed split: Third.",
        "Of the contest and in the lake, but not asked for: Mira.",
    )
    both = oasc2017(lake)
    assert [row[0] for row in cells(both)] == [*("Mira", "Other", "no scenario with all gaps")]
    assert set(cells(both)[-1][1:]) == {NONE}


def test_a_lake_without_answers_on_a_fixed_split(lake: Path) -> None:
    with pytest.raises(AslibError, match="has no answers to a fixed split of Third") as error:
        oasc2017(lake, scenarios=["Third"])
    assert "import-selection" in str(error.value)


@pytest.mark.slow
def test_the_contest(shared: Path, tmp_path: Path) -> None:
    folder, lake = shared / "contests" / "oasc2017", tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    import_selections(folder, lake=lake)
    paper = oasc2017(lake)
    assert claims(paper) == [
        (
            "12 gaps with three decimals, by SBS of the training set",
            "11 of 12 the same; sunny-autok on Quill is 0.1505, not 0.150",
            False,
        ),
        (
            "sunny-fkvar 0.4095, sunny-autok 0.6203 over the same 6",
            "sunny-fkvar 0.4094, sunny-autok 0.6204 over 6",
            True,
        ),
    ]
    rows = paper.tables[0].rows
    by_test = [(row[3].value, row[6].value) for row in rows[:-1]]
    assert [row[0].text for row in rows[1:3]] == ["Caren", "Magnus"]
    assert by_test[1:3] == [
        pytest.approx((0.090, 0.356), abs=5e-4),
        pytest.approx((0.428, 0.508), abs=5e-4),
    ]
    winners = {row[0].text: row[2].is_bold for row in rows}
    assert winners == dict.fromkeys(winners, True) | {"Quill": False}
    assert len(write_paper(paper, tmp_path / "out")) == 6


@pytest.mark.parametrize(
    ("ours", "here", "holds"),
    [
        ({"A": 0.3, "B": 0.2}, "B 0.2000, A 0.3000 over 2", True),
        ({"A": 0.1, "B": 0.2}, "A 0.1000, B 0.2000 over 2", False),
        ({"A": 0.1, "B": None}, "nothing to compare", None),
    ],
)
def test_the_order_of_the_systems(ours: dict[str, float | None], here: str, *, holds: bool | None) -> None:
    printed = {"A": 0.3, "B": 0.2, "C": None}
    contest: Any = SimpleNamespace(
        systems=[*printed],
        shared=["S", "T"],
        printed_mean=printed.get,
        mean=lambda system: SimpleNamespace(train=ours[system]),
    )
    found = _order(contest)
    assert (found.here, found.holds) == (here, holds)
    assert found.printed == (
        "not of two of these" if holds is None else "B 0.2000, A 0.3000 over the same 2"
    )
