"""Which choices give a printed number, and which runs give ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.errors import AslibError, OutOfTimeError
from aslib_eval.extensions.explanations import analysis as explanations
from aslib_eval.extensions.explanations.analysis import (
    Explanation,
    _by_chance,
    _nearest,
    _rows,
    _Search,
    _without_idle,
    derive,
    explain,
)
from aslib_eval.selections import import_selections
from aslib_eval.text import printed
from tests.cli.test_calls import Opened, called
from tests.conftest import rows, write_scenario

# Nobody solves i6, A ends at the cutoff on i3, and the folds differ in their SBS.
RUNS = [
    ("i1", 1, "A", 10, "ok"), ("i1", 1, "B", 30, "ok"), ("i1", 1, "C", 60, "ok"),
    ("i2", 1, "A", 20, "ok"), ("i2", 1, "B", 90, "ok"), ("i2", 1, "C", 25, "ok"),
    ("i3", 1, "A", 100, "ok"), ("i3", 1, "B", 5, "ok"), ("i3", 1, "C", 50, "ok"),
    ("i4", 1, "A", 100, "timeout"), ("i4", 1, "B", 80, "ok"), ("i4", 1, "C", 40, "ok"),
    ("i5", 1, "A", 3, "ok"), ("i5", 1, "B", 4, "ok"), ("i5", 1, "C", 100, "timeout"),
    ("i6", 1, "A", 100, "timeout"), ("i6", 1, "B", 100, "timeout"),
    ("i6", 1, "C", 100, "timeout"),
]  # fmt: skip
FOLDS = {"i1": 1, "i2": 1, "i3": 2, "i4": 2, "i5": 3, "i6": 3}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six instances, three algorithms, three folds."""
    home = tmp_path_factory.mktemp("tiny")
    ae.import_scenarios([write_scenario(home / "S", runs=RUNS, folds=FOLDS)], into=home / "lake")
    return home / "lake"


def opened(lake: Path, scenario: str = "S", protocol: str | Protocol = "default") -> OpenLake:
    return open_lake(lake, scenarios=[scenario], protocols=[protocol])


def ours(lake: Path, solver: str, protocol: Protocol) -> float:
    """The closed gap as the views of a lake say it."""
    con = ae.connect(lake, protocols=[protocol])
    sql = f"select closed_gap from solver_gap where solver = '{solver}'"
    ((value,),) = rows(con, sql)
    return float(value)


def made(changes: str) -> Protocol:
    """The protocol of a row of the answer."""
    types = {"penalty": float, "gap_floor": float, "presolving": "true".__eq__}
    pairs = [change.split(" = ") for change in changes.split(", ") if change]
    choices = {column: types.get(column, str)(word) for column, word in pairs}
    return replace(Protocol(), protocol="made", **choices)  # type: ignore[arg-type]


# --- printed numbers ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("0.417", 0.417, 0.0005),
        (".150", 0.15, 0.0005),
        ("-3", -3, 0.5),
        ("41.7%", 0.417, 0.0005),
        ("1.2e3", 1200, 50),
    ],
)
def test_a_printed_number_has_a_last_digit(text: str, value: float, half: float) -> None:
    found = printed(text)
    assert (found.value, found.half) == (pytest.approx(value), pytest.approx(half))
    assert found.rounds(value + half)
    assert found.rounds(value - 0.99 * half)
    assert not found.rounds(value + 1.01 * half)


def test_digits_that_are_cut_off() -> None:
    cut = [printed(".150").cuts(value) for value in (0.1505, 0.151, 0.1495, -0.1505)]
    assert cut == [True, False, False, False]
    assert printed("-2.1").cuts(-2.19)


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "0.4 or so"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(AslibError, match=r"is no number. Write it as it is printed"):
        printed(text)


# --- the choices that give one --------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "choices",
    [
        {"penalty": 2.0, "unsolvable": "drop", "at_cutoff": "solved"},
        {"fold_aggregate": "mean", "sbs_scope": "test", "sbs_criterion": "par1"},
    ],
)
def test_the_choices_behind_a_number_are_found(tiny: Path, choices: dict[str, object]) -> None:
    value = ours(tiny, "C", Protocol(protocol="p", **choices))  # type: ignore[arg-type]
    found = explain(opened(tiny), "C", value=f"{value:.6f}")
    assert found.complete
    for row in found.frame.to_dicts():
        assert row["value"] == pytest.approx(value, abs=1e-6)
        assert ours(tiny, "C", made(row["changes"])) == pytest.approx(row["value"])
    # A row changes nothing that does not matter.
    most = found.frame["n_changes"].max()
    assert 1 <= most <= len(choices)  # type: ignore[operator]
    assert found.frame["n_changes"].is_sorted()
    assert set(choices) >= {c.split(" = ")[0] for c in found.frame["changes"][0].split(", ")}


@pytest.fixture(scope="module")
def of_nothing(tiny: Path) -> Explanation:
    """A number that nothing gives."""
    return explain(opened(tiny), "C", value="0.98765", tries=40)


@pytest.mark.slow
def test_the_nearest_come_first_where_none_gives_it(of_nothing: Explanation) -> None:
    frame = of_nothing.frame
    assert (of_nothing.matching, frame.height) == (0, 10)
    assert frame["off"].abs().round(12).is_sorted()
    # Of two with one value, that with a choice more is left out; presets are shown.
    changed = [
        (frozenset(changes.split(", ")) - {""}, round(value, 12), presets)
        for changes, value, presets in frame.select("changes", "value", "presets").rows()
    ]
    assert not [b for a, v, _ in changed for b, w, named in changed if a < b and v == w and not named]
    assert frame["off"].to_list() == [v - 0.98765 for v in frame["value"]]
    assert not of_nothing.complete
    assert any("none of" in note for note in of_nothing.notes)
    assert any("--tries" in note for note in of_nothing.notes)


@pytest.mark.slow
def test_what_changes_nothing_is_said(of_nothing: Explanation) -> None:
    # Runs are not repeated, there are no features, and all is measured in time.
    assert {"repetitions", "feature_cost", "presolving", "failures"} <= set(of_nothing.inert)
    assert {"penalty", "unsolvable", "at_cutoff"} <= of_nothing.varied.keys()
    # The scope of SBS matters over folds alone.
    assert of_nothing.varied["sbs_scope"][0] == "train"
    assert set(of_nothing.inert).isdisjoint(of_nothing.varied)


@pytest.mark.slow
def test_a_preset_is_named_by_its_number(toy: Path) -> None:
    found = explain(opened(toy, "TOY-2026"), "careful", value="-44.4133", tries=1)
    assert ours(toy, "careful", PRESETS["oasc2017"]) == pytest.approx(-44.4133, abs=5e-5)
    assert any("oasc2017" in presets for presets in found.frame["presets"])
    row = found.frame.row(0, named=True)
    assert (row["printed"], row["n"]) == ("-44.4133", 11)


@pytest.mark.slow
def test_published_remaining_gaps_are_those_of_their_protocol(shared: Path, tmp_path: Path) -> None:
    folder = shared / "contests" / "oasc2017" / "Mira"
    ae.import_scenarios([folder], into=tmp_path / "lake")
    import_selections(
        folder / "sunny-fkvar.json", lake=tmp_path / "lake", scenario="Mira",
        name="fkvar",
    )  # fmt: skip
    # Lindauer, van Rijn, Kotthoff 2019, Table E.9.
    lake = opened(tmp_path / "lake", "Mira")
    found = explain(lake, "fkvar", metric="remaining_gap", value=".568", tries=1)
    assert "oasc2017" in ", ".join(found.frame["presets"])


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"solver": "BB"}, "there is no solver 'BB'. Did you mean 'B'?"),
        ({"metric": "closed_gp"}, "Did you mean 'closed_gap'"),
        ({"value": "?"}, "is no number"),
        ({"scenario": "X"}, "no scenario matches X"),
        ({"kind": "selector"}, "there is no selector 'B'"),
    ],
)
def test_what_cannot_be_explained(tiny: Path, asked: dict[str, str], says: str) -> None:
    given = {"scenario": "S", "solver": "B", "metric": "closed_gap", "value": "1"}
    wanted = {**given, **asked}
    with pytest.raises(AslibError) as error:
        explain(opened(tiny, wanted.pop("scenario")), **wanted)  # type: ignore[arg-type]
    assert says in str(error.value)


def test_the_time_for_combinations_has_an_end(toy: Path) -> None:
    with pytest.raises(OutOfTimeError, match="too short for all combinations: 0 s"):
        ae.explain("par10=7", toy, scenario="TOY-2026", solver="drift", seconds=0)


# --- the runs below one ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "oasc2017", "asf"])
def test_the_parts_of_a_gap_sum_to_it(toy: Path, name: str) -> None:
    found = derive(opened(toy, "TOY-2026", name), "careful", most=99)
    assert found.frame.height == found.n
    assert found.frame["part"].sum() == pytest.approx(found.value)
    assert found.frame["part"].abs().is_sorted(descending=True)
    assert found.value == pytest.approx(ours(toy, "careful", PRESETS[name]))


def test_a_part_of_a_gap_by_hand(tiny: Path) -> None:
    found = derive(opened(tiny), "A")
    # PAR10: A 10 20 1000 1000 3 1000, B 30 90 5 80 4 1000, VBS 10 20 5 40 3 1000.
    assert found.baselines["sbs"] == "B"
    assert found.baselines["sbs_cost"] == pytest.approx(1209 / 6)
    assert found.baselines["vbs_cost"] == pytest.approx(1078 / 6)
    assert found.value == pytest.approx((1209 - 3033) / (1209 - 1078))
    columns = ["instance_id", "ran", "cost", "sbs_cost", "vbs", "vbs_cost", "part"]
    assert found.frame.select(columns).row(0) == (
        *("i3", "A", 1000, 5, "B", 5),
        pytest.approx((5 - 1000) / (1209 - 1078)),
    )
    assert found.frame.height == 6
    assert any("PAR10, over all instances at once" in note for note in found.notes)


def test_folds_without_a_gap_take_no_part_in_the_mean(tmp_path: Path) -> None:
    """On fold 2 A is the best everywhere: SBS equals VBS."""
    times = {"A": (1, 50, 5, 6), "B": (40, 2, 9, 9), "C": (50, 20, 7, 8)}
    data = [
        (f"i{at}", 1, name, time, "ok")
        for name, values in times.items()
        for at, time in enumerate(values, 1)
    ]
    folds = {"i1": 1, "i2": 1, "i3": 2, "i4": 2}
    ae.import_scenarios(write_scenario(tmp_path / "S", runs=data, folds=folds), into=tmp_path / "lake")
    mean = Protocol(protocol="mean", fold_aggregate="mean", sbs_scope="test")
    lake = opened(tmp_path / "lake", protocol=mean)
    assert derive(lake, "C").value == pytest.approx((42 - 70) / (42 - 3))
    parts = lake.ask("explained_runs", {"solver": "C", "kind": "algorithm"})["gap_part"]
    assert parts.to_list() == pytest.approx([(40 - 50) / 39, (2 - 20) / 39, None, None])


def test_one_scenario_is_explained(tmp_path: Path) -> None:
    folders = [write_scenario(tmp_path / name, runs=RUNS) for name in ("S1", "S2")]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    with pytest.raises(AslibError) as error:
        ae.explain("closed_gap", tmp_path / "lake", scenario="S*", solver="A")
    assert str(error.value) == "S*: matches several scenarios: S1, S2. Name one."


def test_a_mean_has_its_values_as_parts(tiny: Path) -> None:
    found = derive(opened(tiny), "C", metric="par10", most=2)
    assert found.value == pytest.approx((60 + 25 + 50 + 40 + 1000 + 1000) / 6)
    assert found.total == pytest.approx(found.value)
    assert found.frame["instance_id"].to_list() == ["i5", "i6"]
    assert found.frame["part"].to_list() == pytest.approx([1000 / 6] * 2)


def test_what_is_no_sum_shows_the_cost_above_vbs(tiny: Path) -> None:
    found = derive(opened(tiny), "B", metric="sgm", most=1)
    assert found.total is None
    assert found.frame.select("instance_id", "part").row(0) == ("i2", pytest.approx((90 - 20) / 6))
    assert any("not a sum over instances" in note for note in found.notes)


def test_a_preset_is_listed_even_where_its_choices_are_idle() -> None:
    """Penalty 2 changes nothing: it is left out, unless a preset has it."""
    rows = [
        {"value": 0.5, "_change": frozenset(change), "presets": presets}
        for change, presets in [("", ""), ("k", ""), ("kd", "oasc2017")]
    ]
    assert [row["presets"] for row in _without_idle(rows)] == ["", "oasc2017"]


def test_the_nearest_have_a_value_and_the_fewest_changes() -> None:
    rows = [
        {"off": off, "n_changes": changes}
        for off, changes in [(0.2, 0), (-0.1, 2), (None, 0), (0.1 + 1e-15, 1)]
    ]
    assert [(row["off"], row["n_changes"]) for row in _nearest(rows)] == [
        (0.1 + 1e-15, 1),
        (-0.1, 2),
        (0.2, 0),
    ]


def test_instances_are_counted_with_a_metric_that_does_not_read_the_scores(tiny: Path) -> None:
    found = explain(opened(tiny), "A", value="1", metric="borda", tries=1)
    (row,) = found.frame.filter(pl.col("changes") == "").iter_rows(named=True)
    assert row["n"] == 6


def test_what_is_said_of_a_search() -> None:
    about: Any = dict.fromkeys(Explanation.__dataclass_fields__)
    about |= {"scenario_id": "S", "solver": "A", "metric": "par10", "tried": 12, "matching": 2}
    about |= {"printed": printed("0.25"), "complete": True, "varied": {"penalty": (10.0, 0.5)}}
    about |= {"frame": pl.DataFrame({"value": [0.2549]}), "inert": ("delta",), "by_chance": 0.12345}
    said = " ".join(Explanation(**about).notes)
    assert "2 of 12 combinations give 0.25 (not shown: 1 with further choices that have no effect)." in said
    assert "aslib-eval tried all combinations of these choices: penalty (10, 0.5)." in said
    assert "These choices have no effect, alone or with another: delta." in said
    assert "matches with a probability of 12.3 %" in said
    none = Explanation(**about | {"matching": 0, "complete": False, "inert": (), "by_chance": None})
    said = " ".join(none.notes)
    assert "none of 12 combinations gives 0.25. The nearest come first. aslib-eval combined" in said
    assert "If 0.2549 is truncated instead of rounded, it is 0.25." in said
    assert "No matter here" not in said


class Known:
    """Values by a rule, as ``ProtocolValues`` computes them."""

    scenario_id, measure, solver, metric = "S", "runtime", "A", "par10"

    def values(self, protocols: list[Protocol]) -> list[tuple[float | None, int]]:
        return [self.value(protocol) for protocol in protocols]

    def value(self, protocol: Protocol) -> tuple[float | None, int]:
        par = {10: 0.5, 1: 0.25, 2: None}[protocol.penalty]
        more = 0.0 if protocol.fold_aggregate == "pooled" else 0.125
        few = protocol.unsolvable == "drop" and protocol.penalty == 1
        return None if par is None else par + more, 4 if few else 6


def test_what_matters_alone_or_in_pairs_is_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    """The median does as the mean, and dropping something beside penalty 1 alone."""
    llama = Protocol(protocol="llama", penalty=1.0, presolving=False)
    presets = {"default": Protocol(), "llama": llama}
    monkeypatch.setattr(explanations, "ORDERING", presets)
    tried: dict[str, tuple[Any, ...]] = {
        "penalty": (10.0, 1.0, 2.0),
        "presolving": (True, False),
        "unsolvable": ("keep", "drop"),
        "fold_aggregate": ("pooled", "mean", "median"),
    }
    values: Any = Known()
    search = _Search(Protocol(), values, tried)
    found = search.combined(7)
    assert search.varied == {
        "penalty": (10.0, 1.0, 2.0),
        "unsolvable": ("keep", "drop"),
        "fold_aggregate": ("pooled", "mean"),
    }
    assert search.inert == ("presolving",)
    assert len(search.seen) == 21  # no pair of what has no effect beside anything
    some = (("penalty", 1.0), ("presolving", False), ("fold_aggregate", "median"))
    assert search.effective(some) == (("penalty", 1.0), ("fold_aggregate", "mean"))
    rows = [tuple(row.values())[:6] for row in _rows(search, found, printed(".25"))]
    assert {*search.combined(99)} <= {*search.seen}
    assert rows == [
        (0.5, 0.25, 6, 0, "", "default"),
        (0.625, 0.375, 6, 1, "fold_aggregate = mean", ""),
        (0.5, 0.25, 6, 1, "unsolvable = drop", ""),
        (0.25, 0.0, 6, 1, "penalty = 1", "llama"),
        (None, None, 6, 1, "penalty = 2", ""),
        (0.625, 0.375, 6, 2, "unsolvable = drop, fold_aggregate = mean", ""),
        (0.375, 0.125, 6, 2, "penalty = 1, fold_aggregate = mean", ""),
    ]


@pytest.mark.parametrize(
    ("hundredths", "share"), [([1, 2, 3, 4, 6, 7, 8], None), ([1, 2, 3, 4, 6, 7, 8, 50, 8], 4 / 5)]
)
def test_the_share_of_numbers_that_come_by_chance(hundredths: list[int], share: float | None) -> None:
    """Of eight values the two least and the two largest lie beyond the quartiles."""
    values = [None, *(n / 100 for n in hundredths)]
    assert _by_chance(values, printed("0.25")) == share


# --- what the command hands over ------------------------------------------------------

ASKED = {"metric": "closed_gap", "value": "0.40", "kind": "selector", "tries": 7, "seconds": 9}


@pytest.mark.parametrize(
    ("words", "function", "args", "named"),
    [
        (
            "closed_gap=0.40 --lake L --kind selector --protocol asf --tries 7 --seconds 9 --sql s",
            "explain",
            (Opened(Path("L"), ["A"], ["asf"], (Path("s"),)), "x"),
            ASKED,
        ),
        (
            "par10=1e3",
            "explain",
            (Opened(Path("lake"), ["A"], ["default"]), "x"),
            {"metric": "par10", "value": "1e3", "kind": None, "tries": 500, "seconds": None},
        ),
        (
            "par10 --kind algorithm",
            "derive",
            (Opened(Path("lake"), ["A"], ["default"]), "x"),
            {"metric": "par10", "kind": "algorithm"},
        ),
    ],
)
def test_what_is_asked(
    words: str, function: str, args: Any, named: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = "aslib_eval.extensions.explanations.analysis"
    line = f"explain {words} --scenario A --solver x"
    assert called(line, f"{home}:{function}", monkeypatch) == (args, named)
