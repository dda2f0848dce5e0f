"""``certify``: what swaps two solvers of a scenario or of a board, and their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.firmness import certificates
from aslib_eval.extensions.firmness.certificates import (
    Certifier,
    changed_costs,
    changed_places,
    overturned,
    sentence,
    text_of,
)
from aslib_eval.extensions.firmness.standings import (
    ScoreBounds,
    Standing,
    _penalised,
    between,
    boards_of,
    of_rule,
    ranked,
    recorded,
    standings,
)
from tests.conftest import write_scenario
from tests.lab import Given, InMemory, settle

pytestmark = pytest.mark.usefixtures("opened_once")

# Three families of three instances; T is a timeout of 100.
T = 100.0
TIMES = {
    "swift": (10, 10, 10, 20, 20, 20, T, T, 90),
    "sound": (40, 40, 40, 30, 30, 30, 80, T, T),
    "last": (50, 50, T, 50, T, T, T, T, T),
}
NAMES = [f"{family}_{n}" for family in ("a", "b", "c") for n in (1, 2, 3)]


def runs_of(times: dict[str, Sequence[float]]) -> list[tuple[Any, ...]]:
    return [
        (name, 1, solver, time, "ok" if time < T else "timeout")
        for solver, own in times.items()
        for name, time in zip(NAMES, own, strict=True)
    ]


TRIED, ORDERING = certificates._TRIED, certificates.ORDERING  # noqa: SLF001


@pytest.fixture(scope="module", autouse=True)
def few_choices() -> Iterator[None]:
    """Most of what a ranking by cost takes are the choices of its protocol: try two of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "_TRIED", ("repetitions",))
        patch.setattr(certificates, "ORDERING", {"amadini2023": ORDERING["amadini2023"]})
        yield


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("firm")
    folder = write_scenario(home / "FIRM", runs=runs_of(TIMES))
    ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


def row(lake: Path, at: int = 0, **words: Any) -> dict[str, Any]:
    return ae.certify(lake, **words).row(at, named=True)


def test_a_quality_has_no_share_solved(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 3, "ok"), ("j", 1, "a", None, "crash")]
    measures = [("q", "solution_quality", "false")]
    write_scenario(tmp_path / "S", runs=runs, measures=measures)
    ae.import_scenarios(tmp_path / "S", into=tmp_path / "lake")
    asked = {"kind": None, "attribute": "family"}
    frame = open_lake(tmp_path / "lake").ask("standing_runs", asked)
    assert frame["solved"].to_list() == [None, None]


QUALITY = (("q", "solution_quality", "false"),)


def test_scores_of_repetitions_are_summed_and_counted(given: Given) -> None:
    runs = [("i1", 1, "a", 3, "ok"), ("i1", 2, "a", 5, "ok")]
    lake = InMemory(given(runs, Protocol(repetitions="separate"), measures=QUALITY))
    found = lake.ask("standing_runs", {"kind": None, "attribute": "family"})
    assert found.select("cost", "n_runs").rows() == [(8, 2)]


def test_repeated_answers_are_bounded_by_all_runs(given: Given) -> None:
    # Two runs on i, two on j; c has no cost on j.
    right = {"a": (1, 1, 0, 1), "b": (0, 1, 0, 0), "c": (1, 1, 1, None)}
    runs = [
        (instance, again, solver, value, "crash" if value is None else "ok")
        for solver, values in right.items()
        for (instance, again), value in zip([*product("ij", (1, 2))], values, strict=True)
    ]
    protocol = Protocol(repetitions="separate", failures="left_out")
    measures = (("accuracy", "solution_quality", "true"),)
    lake = InMemory(given(runs, protocol, measures=measures))
    (found,) = standings(lake, by="cost", kind=None, attribute=None)
    assert (found.solvers, found.left_out, found.instances) == (("a", "b"), ("c",), ("i", "j"))
    assert found.levels.tolist() == [[[-2, -1], [-1, 0]]]
    bounds = ScoreBounds(0, 1, "as all scores do")
    assert (found.sign, found.runs, found.bounds) == (-1, (2, 2), bounds)
    assert found.total_bounds == (0, 2)


@pytest.mark.parametrize(
    ("by", "solvers", "levels", "most"),
    [
        ("cost", ("b", "a"), [[[90, 60], [40, 1000]]], 1000),
        ("solved", ("b", "a"), [[[-1, -1], [-1, 0]]], 1),
        ("points", ("b", "a"), [[[-0.4, -0.6], [-1, 0]]], 1),
    ],
)
def test_by_how_much_two_runtimes_can_differ(
    given: Given, by: str, solvers: tuple[str, ...], levels: list[Any], most: float
) -> None:
    runs = [
        ("i", 1, "a", 60, "ok"),
        ("j", 1, "a", 100, "timeout"),
        ("i", 1, "b", 90, "ok"),
        ("j", 1, "b", 40, "ok"),
    ]
    (found,) = standings(InMemory(given(runs)), by=by, kind=None, attribute=None)
    assert (found.solvers, found.levels.tolist()) == (solvers, levels)
    assert (found.most, found.bounds, found.sign) == ((most,), None, 1 if by == "cost" else -1)


_REFER = "insert into raw_reference by name select 'S' as scenario_id, 'i2' as instance_id,"


@pytest.mark.parametrize(
    ("change", "kind", "measures"),
    [
        ("update raw_run set value = 2 where instance_id = 'i2'", "algorithm", ["q", "r"]),
        ("update raw_run set value = 2 where instance_id = 'i2'", None, ["q", "r"]),
        ("update raw_run set value = 2 where instance_id = 'i2'", "selector", []),
        ("update raw_run set value = null where instance_id = 'i2' and measure = 'q'", "algorithm", ["r"]),
        ("update raw_run set value = 'inf' where instance_id = 'i2' and measure = 'q'", "algorithm", ["r"]),
        ("update raw_run set runstatus = 'other' where instance_id = 'i2'", "algorithm", []),
        ("update raw_run set repetition = 2 where instance_id = 'i2'", "algorithm", []),
        ("update raw_scenario set measure_type = 'runtime' where measure = 'q'", "algorithm", ["r"]),
        (f"{_REFER} 'disputed' as role", "algorithm", []),
        (f"{_REFER} 'trivial' as role", "algorithm", ["q", "r"]),
    ],
)  # fmt: skip
def test_choices_change_no_qualities_of_single_runs_that_are_ok(
    given: Given, change: str, kind: str | None, measures: list[str]
) -> None:
    both = (*QUALITY, ("r", "solution_quality", "true"))
    con = given([(i, 1, "a", 1, 3, "ok") for i in ("i1", "i2")], Protocol(measures="all"), measures=both)
    con.execute(change)
    settle(con)
    found = InMemory(con).rows("unchanged_scores", {"kind": kind})
    con.execute("delete from raw_reference")
    assert [row[2] for row in found] == measures


def test_two_neighbours_by_mean_cost(lake: Path) -> None:
    # 180 + 2 k 100 against 290 + 2 k 100: the first is 110 ahead, 910 of it on the
    # last instance.
    told = list[str]()
    found = row(lake, note=told.append)
    assert (found["place"], found["ahead"]) == (1, "swift")
    assert (found["other_place"], found["other"]) == (2, "sound")
    assert found["margin"] == pytest.approx(110 / 9)
    assert (found["removals"], found["at_least"]) == (1, 1)
    # Without c_*, in which both solve one, 90 against 210: it is still ahead.
    assert (found["family"], found["n_families"]) == (None, 0)
    assert found["penalty"] is None  # both leave two unsolved
    # Below 90 it has three timeouts, and the other one two, down to 80.
    assert found["cutoff"] == 90
    assert found["slower"] == pytest.approx(T / 90)
    assert found["slower_alone"] == pytest.approx(T / 90)
    assert found["faster"] == 1.0
    assert found["choice"] is None
    (said,) = told
    assert said == (
        "FIRM, default, runtime: swift is first. sound overtakes swift if you remove 1 of 9 instances"
        " or if the cutoff lies in a certain range (80 to 90)."
    )


def test_the_first_beside_all_others_says_what_never_swaps(lake: Path) -> None:
    # Beside the last one: three timeouts less, and nothing on which it is worse.
    found = ae.certify(lake, show="first")
    assert found["other"].to_list() == ["sound", "last"]
    assert found["removals"].to_list() == [1, None]
    assert found["n_swaps"].to_list() == [1, 0]


def test_number_solved_and_pairs_rank_too(lake: Path) -> None:
    # Seven instances each: equal, and by name; one on which it is ahead must go.
    found = row(lake, of="solved")
    assert (found["ahead"], found["other_place"]) == ("sound", 1)
    assert (found["removals"], found["penalty"]) == (1, None)
    # Points of 10 against 40 are 0.8 of 1: the first wins six of eight.
    found = row(lake, of="points")
    assert found["ahead"] == "swift"
    assert found["delta"] is None  # ties of all are no swap
    assert found["without"] is None


def test_the_points_of_a_third_may_hold_a_place(tmp_path: Path) -> None:
    # a beats b three times to two, but is as good as beaten by c on each of the three.
    times = {
        "a": (99, 99, 99, T, T, T, T, T, T),
        "b": (T, T, T, 10, 10, T, T, T, T),
        "c": (1, 1, 1, T, T, T, T, T, T),
    }
    folder = write_scenario(tmp_path / "THIRD", runs=runs_of(times))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    found = ae.certify(tmp_path / "lake", of="points")
    assert found.select("ahead", "other", "without").rows() == [("c", "b", None), ("b", "a", "c")]


def test_choices_of_the_protocol_are_tried_alone(tmp_path: Path) -> None:
    # Two repetitions: the mean of both puts one ahead, the first of them the other.
    runs = [
        (name, repetition, solver, time, "ok")
        for name in NAMES[:4]
        for repetition, both in ((1, (10, 20)), (2, (40, 20)))
        for solver, time in zip(("x", "y"), both, strict=True)
    ]
    folder = write_scenario(tmp_path / "TWICE", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    found = row(tmp_path / "lake")
    assert found["ahead"] == "y"
    assert found["choice"] == "repetitions=first"
    assert found["removals"] is None
    assert found["n_choices"] == 2  # and the preset amadini2023


def test_choices_that_reach_no_run_leave_the_costs_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "_TRIED", TRIED)
    monkeypatch.setattr(certificates, "ORDERING", ORDERING)
    # Where b fails on j, it has the worst value there, 1; a preset has 0.
    ends = {"crashed": (None, "crash"), "late": (2, "timeout"), "fine": (0, "ok")}
    for name, last in ends.items():
        runs = [
            ("i", 1, "a", 1, "ok"),
            ("i", 1, "b", 3, "ok"),
            ("j", 1, "a", 1, "ok"),
            ("j", 1, "b", *last),
        ]
        write_scenario(tmp_path / "in" / name, runs=runs, measures=[("q", "solution_quality", "true")])
    ae.import_scenarios(tmp_path / "in", into=tmp_path / "lake")
    found = changed_costs(open_lake(tmp_path / "lake"), kind="algorithm")
    costs = {scenario: list(each.values()) for (_, scenario, *_), each in found.items()}
    assert min(map(len, costs.values())) > 15
    assert {each["a"] for some in costs.values() for each in some} == {-1}
    failing = {name: {each["b"] for each in some if "b" in each} for name, some in costs.items()}
    assert failing == {"crashed": {-1.5, -2}, "late": {-2.5, -2, -1.5}, "fine": {-1.5}}


def test_repetitions_that_count_alone_go_with_their_instance(tmp_path: Path) -> None:
    runs = [
        (name, repetition, solver, time, "ok")
        for name, times in (("i", (10, 30)), ("j", (25, 20)))
        for repetition in (1, 2)
        for solver, time in zip(("x", "y"), times, strict=True)
    ]
    folder = write_scenario(tmp_path / "TWICE", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    apart = ae.Protocol(protocol="apart", repetitions="separate")
    found = row(tmp_path / "lake", protocols=[apart])
    assert (found["n"], found["removals"]) == (2, 1)


@pytest.fixture(scope="module")
def boards(lake: Path) -> dict[str, Standing]:
    """By the rules whose name begins so, which are three."""
    return {found.labels[0]: found for found in of_rule(open_lake(lake), "pa*")}


def test_boards_of_a_rule(boards: dict[str, Standing]) -> None:
    assert sorted(boards) == ["pace-exact", "pace-heuristic", "par10"]
    (found, _) = Certifier(boards["par10"], None, {}).first()
    assert boards["par10"].labels[2] == "all"
    assert (found.ahead, found.other, found.removals) == ("swift", "sound", 1)
    assert (found.penalty, found.cutoff, found.slower_alone) == (None, 90, pytest.approx(T / 90))
    assert found.slower == pytest.approx(T / 90)
    assert boards["par10"].protocol == ae.Protocol(penalty=10, at_cutoff="solved")
    # Solved, then time: 7 each, and 180 against 290 seconds.
    (found, _) = Certifier(boards["pace-exact"], None, {}).first()
    assert (found.ahead, found.removals, found.at_least) == ("swift", 1, 1)
    assert found.margin == pytest.approx(110 / 9)
    # It adds up no penalties: none of the parameters is tried.
    assert (found.penalty, found.cutoff, found.slower, found.slower_alone) == (None,) * 4


def test_changes_of_each_rule_of_a_glob(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "_OF_RULES", {"clock": ("cpu", "wall"), "shift": (0.0, 1.0)})
    places = {"swift": 1.0, "sound": 2.0, "last": 3.0}
    tied = dict.fromkeys(places, 1.0)
    assert changed_places(open_lake(lake), "pace*") == {
        ("pace-exact", "FIRM", "all", "rule"): {"clock=wall": places},
        ("pace-heuristic", "FIRM", "all", "rule"): {"clock=wall": tied, "shift=1.0": tied},
    }
    names = ["b", "a", "c"]
    assert between("[abc]", names) == {"rule": "[abc]", "first": "a", "last": "c"}


def test_late_answers_that_count_have_no_other_cutoff() -> None:
    times, solved = np.array([[150.0, 9.0]]), np.array([[1.0, 1.0]])
    assert _penalised(times, solved, np.array([[100.0, 100.0]])) is None
    assert _penalised(times, solved, np.array([[np.nan, np.nan]])) is None
    assert _penalised(times, solved, np.array([[150.0, 150.0]])) is not None


def test_rules_that_are_none(lake: Path) -> None:
    with pytest.raises(AslibError, match="there is no rule 'sat20233'"):
        ae.certify(lake, rule="sat20233")
    with pytest.raises(AslibError, match=r"there is no rule 'smtcomp2023\*'. Did you"):
        ae.certify(lake, rule="smtcomp2023*")
    with pytest.raises(AslibError, match=r"minizinc-fd ranks no runs. Choose another"):
        ae.certify(lake, rule="minizinc-fd")
    with pytest.raises(OptionError, match="rule determines the ranking: it cannot be combined with of"):
        ae.certify(lake, rule="par10", of="points")


def test_places_have_a_seed_and_need_families(lake: Path) -> None:
    found = ae.certify(lake, show="places", draws=50)
    assert found["solver"].to_list() == ["swift", "sound", "last"]
    assert found["place"].to_list() == [1, 2, 3]
    assert found["places"].to_list() == ["1–3"] * 3  # noqa: RUF001 - as tables have it
    assert found["removals"].to_list() == [1, None, None]
    # Its names tell three, which are too few to draw.
    for by in (None, "colour"):
        with pytest.raises(AslibError, match="FIRM has no families to resample"):
            ae.certify(lake, show="places", draw="family", by=by)
    assert text_of(2, 2) == "2"


def test_equal_solvers_are_first_together(tmp_path: Path) -> None:
    both = {"x": TIMES["swift"], "y": TIMES["swift"]}
    folder = write_scenario(tmp_path / "SAME", runs=runs_of(both))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    told = list[str]()
    found = row(tmp_path / "lake", note=told.append)
    assert (found["other_place"], found["removals"], found["n_swaps"]) == (1, None, 0)
    assert told == ["SAME, default, runtime: x and y share the first rank."]
    (standing,) = standings(open_lake(tmp_path / "lake"), by="cost", kind=None, attribute=None)
    assert overturned(standing) == "tied"
    with pytest.raises(AslibError, match="fewer than two solvers are ranked"):
        ae.certify(tmp_path / "lake", kind="selector")


def test_a_table_for_papers_has_the_sets(lake: Path) -> None:
    said = CliRunner().invoke(main, ["table", "places", "--lake", str(lake), "--format", "csv"])
    assert said.exit_code == 0, said.output
    assert "FIRM,9,1,swift,242.22222222222223,1–3,1" in said.output  # noqa: RUF001


def test_a_board_of_a_competition_has_the_section(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(
        "instance,solver,status,time\n"
        + "".join(f"{i},{s},{end},{t}\n" for i, _, s, t, end in runs_of(TIMES))
    )
    words = ["competition", "par10", str(tmp_path / "runs.csv"), "--cutoff", "100"]
    out = tmp_path / "board.html"
    ran = CliRunner().invoke(main, [*words, "-o", str(out)])
    assert ran.exit_code == 0, ran.output
    section = out.read_text().split('id="firmness"')[1].split("</section>")[0]
    said = "if you remove 1 of 9 instances"
    assert said in section
    winners = re.findall(r"<t[hd](?: [^>]*)?>(?:<a[^>]*>)?([^<]*)", out.read_text())
    overturned = "another is 1st without (instances)"
    assert winners[:6] == ["board", "1st", "ahead by", overturned, "2nd", "3rd"]
    assert winners[6:9] == ["runs", "swift", "12.2 s of PAR10"]
    assert winners[9] == "1 of 9, fragile"  # as the section says
    bar = r"(\d) to (\d)</span><span[^>]*><i style=.margin-left:([\d.]+)%;width:([\d.]+)%"
    assert re.findall(bar, out.read_text()) == [("1", "3", "0", "100")] * 3


NINE: Any = SimpleNamespace(solvers=["a", "b", "c"], n=9)


def against(other: str, removals: int | None, **swaps: Any) -> Any:
    none = ("family", "without", "penalty", "cutoff", "delta", "ranges", "choice")
    known = {"at_least": removals, "other_place": 2, "n_tried": 4}
    return SimpleNamespace(other=other, removals=removals, **dict.fromkeys(none) | known | swaps)


def test_places_allow_for_timeouts_that_no_instance_holds(tmp_path: Path) -> None:
    rows = [(f"i{n}", s, 17 + n % 2 + 10 * (s == "b")) for n in range(20) for s in "ab"]
    lines = ["instance,solver,time", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "S.csv").write_text("\n".join(lines))
    ae.import_runs(tmp_path / "S.csv", into=tmp_path / "lake", cutoff=100)
    found = ae.certify(tmp_path / "lake", show="places")
    assert found.select("solver", "places", "n_families").rows() == [
        ("a", "1–2", 0),  # noqa: RUF001
        ("b", "1–2", 0),  # noqa: RUF001
    ]


def test_a_cutoff_swaps_two_between_the_values_that_are_said(tmp_path: Path) -> None:
    # From 49.5 to 50 the first alone times out on i2; below that both do.
    (tmp_path / "S.csv").write_text("instance,solver,time\ni1,a,1\ni1,b,2\ni2,a,50\ni2,b,49.5\n")
    ae.import_runs(tmp_path / "S.csv", into=tmp_path / "lake", cutoff=100)
    told: list[str] = []
    found = ae.certify(tmp_path / "lake", note=told.append)
    (row,) = found.select("ahead", "cutoff", "ranges").rows()
    assert row == ("a", 50, "49.5 to 50")
    assert "if you remove 1 of 2 instances or if the cutoff lies in a certain range (49.5 " in told[0]


TWO, BEYOND = (
    "if you remove 1 to 2 of 9 instances",
    "if the penalty k goes beyond 2.5 or under the choice x.",
)
BY_C = against("c", 2, at_least=1)


@pytest.mark.parametrize(
    ("nearest", "other", "said"),
    [
        ({"family": "f", "penalty": 2.5, "choice": "x"}, against("c", 5),
         "b overtakes a if you remove 3 of 9 instances, if you remove the family f, " + BEYOND),
        ({"cutoff": 7.0, "ranges": "6 to 7, 2 to 3"}, BY_C,
         f"c overtakes a {TWO}. b overtakes a if the cutoff lies in a certain range (6 to 7, 2 to 3)."),
        ({}, BY_C,
         f"c overtakes a {TWO}. No other change puts b ahead (4 changes tried)."),
        ({"n_tried": 1}, against("c", 4),
         "b overtakes a if you remove 3 of 9 instances. No other change puts b ahead (1 change tried)."),
    ],
)  # fmt: skip
def test_how_firm_the_first_place_is_in_words(nearest: dict[str, Any], other: Any, said: str) -> None:
    found = sentence(NINE, [against("b", 3, **nearest), other])
    assert found == f"a is first. {said}"
    assert sentence(NINE, [against("b", None)]) == "a stays first, whichever instances are removed."


# --- boards of rules, by hand: what is summed, and what has none

LABELS = ("rule", "S", "all", "rule")
AGAINST = pl.DataFrame(
    [
        ("r", "S", "a", "b", 2.0),
        ("r", "S", "b", "a", 5.0),
        ("r", "S", "a", "gone", 9.0),
        ("r", "S", "gone", "a", 9.0),
        ("other", "S", "a", "b", 7.0),
        ("r", "T", "a", "b", 8.0),
    ],
    schema=["rule", "scenario_id", "solver", "other", "points"],
    orient="row",
)


def board(*, last: dict[str, Any] | None = None, **said: Any) -> list[Standing]:
    """Two solvers on two instances: a solves x in 3 s, b both in 4 and 5 s."""
    rows = [
        {
            "solver": "a",
            "instance_id": "x",
            "solved": 1,
            "time": 3.0,
            "points": 1.0,
            "wall": 2.0,
            "cpu": 7.0,
        },
        {
            "solver": "a",
            "instance_id": "y",
            "solved": 0,
            "time": 0.0,
            "points": 1.0,
            "wall": 2.0,
            "cpu": 7.0,
        },
        {
            "solver": "b",
            "instance_id": "x",
            "solved": 1,
            "time": 4.0,
            "points": 2.0,
            "wall": 3.0,
            "cpu": 6.0,
        },
        {
            "solver": "b",
            "instance_id": "y",
            "solved": 1,
            "time": 5.0,
            "points": 2.0,
            "wall": 3.0,
            "cpu": 6.0,
        },
    ]
    whole = {
        "rule": "r", "scenario_id": "S", "part_of": "all", "part": "all",
        "errors": 0, "n": 1, "sound": True,
        "family": None, "order_by": ["-solved", "time"], "aggregation": "sum",
        "scoring": "runs", "times": "solved", "balanced": None,
    }  # fmt: skip
    rows[-1] |= last or {}
    frame = pl.DataFrame([whole | row | said for row in rows])
    return list(boards_of(frame, AGAINST))


def test_what_decides_is_summed_in_its_order() -> None:
    (found,) = board()
    assert (found.labels, found.solvers) == (("r", "S", "all", "rule"), ("b", "a"))
    assert found.levels.tolist() == [[[-1, -1], [-1, 0]], [[4, 3], [5, 0]]]
    assert (found.places, found.n, found.title) == ([1, 2], 2, "S, r")
    assert (found.against, found.remark, found.families) == (None, None, ())


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (["time"], "a"),
        (["-solved"], "b"),
        (["errors", "-solved"], "b"),
        (["errors", "time"], "a"),
        (["errors"], "a"),  # all equal: by name
        (["wall"], "a"),
        (["cpu"], "b"),
        (["points"], "a"),
        (["-points"], "b"),
        (["-solved", "mean_time"], "b"),
    ],
)
def test_less_time_and_more_solved_come_first(order: list[str], first: str) -> None:
    (found,) = board(order_by=order)
    assert found.solvers[0] == first
    assert len(found.levels) == len(order)


def test_equal_ones_share_a_place() -> None:
    (found,) = board(order_by=["errors"])
    assert (found.solvers, found.places) == (("a", "b"), [1, 1])


@pytest.mark.parametrize(
    "said",
    [
        {"order_by": ["mean_time", "-solved"]},
        {"order_by": ["mean_time"]},
        {"order_by": ["-solved", "mean_time"], "times": "all"},
        {"solver": "a"},
        {"last": {"n": 2}},
    ],
)
def test_means_over_other_runs_are_no_sums(said: dict[str, Any]) -> None:
    assert board(**said) == []


def test_a_part_has_its_name_and_no_points_of_pairs() -> None:
    (found,) = board(part_of="logic", part="QF_BV", scoring="pairs")
    assert (found.labels[2], found.title) == ("logic QF_BV", "S, r, logic QF_BV")
    assert found.against is None


def test_a_record_stands_over_all_instances() -> None:
    rules = [*"hcafbgde"]  # in the order of the rows
    rows = [(r, part, solver, 1) for r in rules for part in ("all", "logic") for solver in "ab"]
    said = {"scenario_id": "S", "part": "x", "instance_id": "i", "errors": 0, "sound": True,
            "family": None, "scoring": "runs", "times": "solved", "balanced": None}  # fmt: skip
    frame = pl.DataFrame(
        [
            said | {"rule": r, "part_of": o, "solver": s, "n": n, "order_by": ["errors"]}
            for r, o, s, n in rows
        ]
    )
    asked: Any = SimpleNamespace(ask=lambda name, _: {"rule_values": frame}[name])
    assert [each.labels for each in recorded(asked)] == [(r, "S", "x", "rule") for r in rules]


def test_points_of_pairs_are_turned_and_in_the_order_of_the_places() -> None:
    (found,) = board(scoring="pairs")
    assert found.against is not None
    assert (found.solvers, found.against.tolist()) == (("b", "a"), [[0, -5], [-2, 0]])


def test_what_may_not_hold_is_remarked() -> None:
    weighs = "removing an instance changes the weights of others"
    unsound = "removing instances may hide that a solver is unsound"
    assert [found.remark for found in board(balanced="family")] == [weighs]
    assert [found.remark for found in board(sound=False)] == [unsound]
    (both,) = board(balanced="family", sound=False)
    assert both.remark == f"{weighs}; {unsound}"


def test_repetitions_are_one_instance() -> None:
    levels = np.array([[[1.0, 9.0], [2.0, 1.0], [3.0, 1.0]]])
    found = ranked(Standing(LABELS, ("p", "q"), levels, instances=("i", "j", "i #2")), {})
    assert found.levels.tolist() == [[[4, 10], [2, 1]]]
    assert found.solvers == ("p", "q")
