"""Sets of places by bounded scores, and what a leaderboard publishes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import PRESETS
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.firmness import certificates, metrics
from aslib_eval.extensions.firmness.certificates import _shown, overturned, sentence_of_sets, sets_of
from aslib_eval.extensions.firmness.leaderboard import board_of, leaderboard_frame, verdict
from aslib_eval.extensions.firmness.metrics import (
    Advantages,
    RankSets,
    _tests,
    _tests_of_means,
    as_normal,
    groups_against,
    score_sets,
)
from aslib_eval.extensions.firmness.standings import ScoreBounds, Standing, ranked, score_bounds
from aslib_eval.figures.chart import Band, Dots, Line, Linear
from aslib_eval.statistics.means import bounded_means, sums_of
from tests.conftest import write_scenario

pytestmark = pytest.mark.usefixtures("opened_once")


def sets(scores: object, bounds: tuple[float, float] = (0, 1), **words: Any) -> RankSets:
    return score_sets(np.asarray(scores, float), bounds, rng=np.random.default_rng(1), draws=99, **words)


def test_scores_far_apart_have_one_place_each() -> None:
    rng = np.random.default_rng(2)
    found = sets(rng.random((40, 3)) < (0.9, 0.1, 0.5))
    assert found.lower.tolist() == found.upper.tolist() == [1, 3, 2]
    same = sets(np.tile([[1.0, 1.0], [0.0, 0.0]], (9, 1)))
    assert (same.lower.tolist(), same.upper.tolist()) == ([1, 1], [2, 2])


def test_a_failure_that_no_item_shows_is_allowed_for() -> None:
    # Better by 0.05 on each of n items; on one more it may be worse by 1, which weighs 1 - 0.025^(1 / n):
    # 0.051 of 70, 0.036 of 100.
    for n, told in ((1, False), (70, False), (100, True)):
        assert sets(np.tile([0.9, 0.85], (n, 1))).better[0, 1] == told
    # Of 50 families of two as few are known as of 50 items.
    assert not sets(np.tile([0.9, 0.85], (100, 1)), clusters=np.arange(100) // 2).better.any()
    # With bounds four times as far apart the same gaps tell less.
    assert not sets(np.tile([0.9, 0.85], (100, 1)), (0, 4)).better.any()


def test_a_pair_is_held_against_the_pairs_that_are_still_open() -> None:
    # In one step eight of the ten pairs are told apart, in two the fourth and the third as well.
    scores = np.random.default_rng(7).random((60, 5)) < (0.98, 0.02, 0.5, 0.68, 0.3)
    found = sets(scores)
    assert found.better.sum() == 9
    assert found.better[3, 2]


def test_fewer_pairs_have_to_differ_than_in_times() -> None:
    # 181 models on 41 items: of half of the items the first 2 miss none, all others half.
    scores = np.random.default_rng(3).random((41, 181)) < 0.3
    scores[:, :2] = True
    found = sets(scores)
    assert (found.lower == 1).sum() == 2
    assert found.upper[:2].tolist() == [2, 2]


def test_nothing_is_told_of_too_few_items() -> None:
    # log2(3 / 0.05) = 5.9, of 13 models 8.02.
    for n, m, told in ((5, 3, False), (6, 3, True), (8, 13, False), (9, 13, True)):
        scores = np.column_stack([np.ones((n, 1)), np.zeros((n, m - 1))])
        assert sets(scores).better[0].any() == told
    # log2(4 / 0.5) = 3 items are enough.
    assert sets(np.tile([1.0, 0, 0, 0], (3, 1)), confidence=0.5).better[0].any()
    assert not sets(np.ones((9, 1))).better.any()
    assert sets(np.tile([1.0, 0.0], (12, 1)), clusters=np.arange(12) // 3).upper.tolist() == [2, 2]


def test_sets_are_the_same_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(2).random((40, 5)) < (0.9, 0.1, 0.5, 0.4, 0.95)
    whole = sets(scores)
    assert 0 < whole.better.sum() < 10
    for cells in (1, 120):  # one pair at a time, three
        monkeypatch.setattr(metrics, "_CELLS", cells)
        assert sets(scores).better.tolist() == whole.better.tolist()


def test_few_items_are_held_against_a_stricter_value() -> None:
    # Eight equal models on 16 items: the value of 0.95 would tell two apart, the one of 1 - 0.05 / 1.5 not.
    # And that of 1 - 0.05 / 1.25 would tell two apart of the second table.
    for seed in (12, 213):
        assert not sets(np.random.default_rng(seed).random((16, 8))).better.any()


def test_families_of_items_are_drawn_as_wholes() -> None:
    families = np.repeat(np.arange(12), 20)
    scores = np.random.default_rng(5).random((240, 2)) / 10
    scores[families < 2, 0] += 0.8
    assert sets(scores).better[0, 1]
    assert not sets(scores, clusters=families).better.any()


def test_scores_beyond_their_bounds_are_refused() -> None:
    with pytest.raises(AslibError, match="not between 0 and 1"):
        sets([[0.5, 1.5]])
    with pytest.raises(AslibError, match="missing or infinite"):
        sets([[0.5, np.nan]])
    with pytest.raises(AslibError, match="confidence"):
        sets([[0.5, 0.6]], confidence=1.5)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 40), m=st.integers(2, 6), seed=st.integers(0, 999), steps=st.sampled_from([1, 4, 0])
)
def test_laws_of_sets(n: int, m: int, seed: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.random((n, m)) ** rng.uniform(0.2, 5, m)
    scores = np.round(scores * steps) / steps if steps else scores
    found = sets(scores)
    place = 1 + (scores.mean(axis=0)[:, None] < scores.mean(axis=0) - 1e-12).sum(axis=1)
    assert ((found.lower <= place) & (place <= found.upper)).all()
    # Neither names nor units matter, nor which way scores count.
    order = rng.permutation(m)
    assert sets(scores[:, order]).lower.tolist() == found.lower[order].tolist()
    assert sets(scores * 64, (0, 64)).better.tolist() == found.better.tolist()
    assert sets(1 - scores).better.tolist() == found.better.T.tolist()
    # The same items again never make all sets wider.
    twice = sets(np.vstack([scores] * 2))
    assert not ((twice.upper - twice.lower) > (found.upper - found.lower)).all()


@pytest.mark.parametrize(
    ("values", "words", "expected"),
    [
        *(
            ([2], {"maximize": True, "unit": unit, "failed": np.array([True])}, (-most, most))
            for units, most in (("share Fraction proportion probability", 1), ("% percent percentage", 100))
            for unit in units.split()
        ),
        ([0, 0.5, 1], {"maximize": True}, (0, 1)),
        ([0, 0.5, 1], {"maximize": False}, None),  # a loss may be larger
        ([0, 1, 1], {"maximize": False}, (0, 1)),
        ([0, 50, 100], {"maximize": True}, None),
        ([0, 0.5, 1.5], {"maximize": True}, None),
        ([-0.1, 0.5], {"maximize": True}, None),
        ([0, 50, 100], {"maximize": True, "unit": "%"}, (0, 100)),
        ([0, 0], {"maximize": True, "unit": "%"}, (0, 100)),
        ([0, 50, 101], {"maximize": True, "unit": "%"}, None),
        ([0.2, 0.5], {"maximize": False, "unit": "share"}, (0, 1)),
        ([0.2, 0.5], {"maximize": True, "given": (-1, 1)}, (-1, 1)),
    ],
)
def test_what_says_the_bounds(values: Any, words: Any, expected: Any) -> None:
    found = score_bounds(np.array(values, float), **words)
    assert (found and (found.least, found.most)) == expected


@pytest.mark.parametrize(
    ("values", "words", "expected"),
    [
        ([0.5, 1, -0.5], {"maximize": True}, (-1, 1, "as all scores do, and failed runs beyond")),
        ([0.5, 1, -4], {"maximize": True}, (-4, 1, "as all scores do, and failed runs beyond")),
        ([2, 3, 0], {"maximize": True, "given": (1, 3)}, (-1, 3, "as you said, and failed runs beyond")),
        ([5, 9, 120], {"maximize": False, "unit": "%"}, (0, 200, "unit %, and failed runs beyond")),
        ([5, 9, 250], {"maximize": False, "unit": "%"}, (0, 250, "unit %, and failed runs beyond")),
    ],
)
def test_failed_runs_are_beyond_the_bounds(values: Any, words: Any, expected: Any) -> None:
    found = score_bounds(np.array(values, float), failed=np.array([False, False, True]), **words)
    assert found == ScoreBounds(*expected)
    found = score_bounds(np.array(values[:2], float), failed=np.array([False, False]), **words)
    assert found is not None
    assert "failed" not in found.because


def test_groups_in_which_the_other_one_is_better() -> None:
    first, second = [1.0, 0, -1, -1, 0, 0], [0.0, 0, 9, 9, -1, 0]
    found = groups_against(Advantages(np.array([first, second])), np.array([0, 0, 1, 1, 2, 3]))
    assert found.tolist() == [False, True, True, False]
    found = groups_against(Advantages(np.array([[1 / 3, -1 / 3]])), np.array([0, 1]))
    assert found.tolist() == [False, True]


SCORES = {
    "good": (1, 1, 1, 1, 0.5, 1),
    "fair": (1, 1, 0, 1, 1, 0.5),
    "poor": (0, 0, 0, 0, 1, 0),
    "lacking": (1, 1, 1, None, 1, 1),
}
ITEMS = ("a/1", "a/2", "a/3", "b/1", "b/2", "b/3")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("board")
    runs = [
        (f"'{item}'", 1, model, score, "ok" if score is not None else "crash")
        for model, own in SCORES.items()
        for item, score in zip(ITEMS, own, strict=True)
    ]
    folder = write_scenario(home / "BOARD", runs=runs, measures=[("accuracy", "solution_quality", "true")])
    ae.import_scenarios([folder], into=home / "lake", family="path:1")
    return home / "lake"


def test_a_leaderboard(lake: Path) -> None:
    told: list[str] = []
    frame = ae.certify(lake, show="leaderboard", note=told.append)
    assert frame.select("solver", "n", "n_families", "place", "places").rows() == [
        ("good", 6, 2, 1, "1\N{EN DASH}4"),
        ("fair", 6, 2, 2, "1\N{EN DASH}4"),
        ("lacking", 6, 2, 3, "1\N{EN DASH}4"),
        ("poor", 6, 2, 4, "1\N{EN DASH}4"),
    ]
    # A failed run is beyond the worst by what the others differ: -1.
    assert frame["score"].to_list() == pytest.approx([5.5 / 6, 4.5 / 6, 4 / 6, 1 / 6])
    assert all(low < score <= high for low, score, high in frame.select("lower", "score", "upper").rows())
    # Without a/3 fair is level with good; without b/3 too it is ahead.
    columns = ("told_apart", "next_told_apart", "removals", "instances")
    assert frame.select(*columns, "n_families_against", "families_against").rows() == [
        (0, False, 2, "a/3, b/3", 0, None),
        (0, False, 1, "b/1", 1, "a"),
        (0, False, 4, "a/1, a/2, a/3, b/3", 0, None),
        (0, None, None, None, None, None),
    ]
    (said,) = told
    for words in ("4 of 4 solvers may be first", "0 of 6 pairs", "including 0 of the 3 pairs",
                  "whole families are sampled",
                  "between -1 and 1 (as all scores do", "In 0 of 2 families",
                  "Without 1 of 6 instances (b/1), lacking is ahead"):  # fmt: skip
        assert words in said


def test_solvers_without_a_place_are_named(lake: Path) -> None:
    told: list[str] = []
    protocol = replace(PRESETS["default"], failures="left_out")
    frame = ae.certify(lake, show="leaderboard", protocols=(protocol,), note=told.append)
    assert frame["solver"].to_list() == ["good", "fair", "poor"]
    assert "1 solver has no rank because a value is missing: lacking" in told[0]
    assert "between 0 and 1 (as all scores do)" in told[0]


def test_bounds_that_are_named(lake: Path) -> None:
    told: list[str] = []
    ae.certify(lake, show="places", bounds=(0, 2), note=told.append)
    assert "between -2 and 2 (as you said, " in told[0]
    with pytest.raises(AslibError, match=r"1 is not between 0 and 0\.5"):
        ae.certify(lake, show="places", bounds="0,0.5")
    for wrong in ("1,0", "0", "0,1,2", "0,inf", "nan,1"):
        with pytest.raises(OptionError, match="bounds"):
            ae.certify(lake, show="places", bounds=wrong)


def test_scores_without_bounds_have_no_interval(tmp_path: Path) -> None:
    runs = [(i, 1, solver, loss, "ok") for i, loss in (("i", 3), ("j", 7)) for solver in "ab"]
    made = write_scenario(tmp_path / "S", runs=runs, measures=[("loss", "solution_quality", "false")])
    ae.import_scenarios(made, into=tmp_path / "lake")
    found = ae.certify(tmp_path / "lake", show="leaderboard").select("score", "lower", "upper")
    assert found.rows() == [(5, None, None)] * 2


def test_bounds_of_a_runtime_are_refused(tmp_path: Path) -> None:
    runs = [(i, 1, solver, t, "ok") for i, t in (("i", 1), ("j", 2)) for solver in "ab"]
    ae.import_scenarios(write_scenario(tmp_path / "S", runs=runs), into=tmp_path / "lake")
    with pytest.raises(AslibError, match="runtime is no score"):
        ae.certify(tmp_path / "lake", show="leaderboard", bounds="0,1")
    frame = ae.certify(tmp_path / "lake", show="leaderboard")
    assert frame["score"].to_list() == [1.5, 1.5]
    assert frame["assumes"].to_list()[0].endswith("from one population")


@pytest.mark.parametrize(
    ("format_", "start"), [("csv", "solver,places"), ("latex", r"\begin"), ("json", "[")]
)
def test_a_leaderboard_in_each_format(lake: Path, format_: str, start: str) -> None:
    words = ["certify", "--lake", str(lake), "--show", "leaderboard", "--columns", "solver,places"]
    found = CliRunner().invoke(main, [*words, "--format", format_])
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith(start)


def four_models() -> Standing:
    """a is right on 40 items, b and c on the same 20, d on none."""
    every, half, none = np.ones(40), np.arange(40) % 2, np.zeros(40)
    names = [f"i{at:02}" for at in range(40)]
    given = Standing(
        ("p@0", "S", "accuracy", "algorithm"),
        ("a", "b", "c", "d"),
        -np.array([every, half, half, none]).T[None],
        bounds=ScoreBounds(0, 1, "as all are"),
        sign=-1,
        instances=tuple(names),
    )
    return ranked(given, {}, by_name=False)


def test_who_is_told_apart_on_a_board() -> None:
    standing = four_models()
    found = sets_of(standing, confidence=0.95, draws=99, seed=1)
    board = board_of(standing, found, confidence=0.95, drawn=None)
    frame = leaderboard_frame([board])
    assert frame.select("score", "place", "places", "told_apart", "next_told_apart").rows() == [
        (1.0, 1, "1", 3, True),
        (0.5, 2, "2\N{EN DASH}3", 2, False),
        (0.5, 2, "2\N{EN DASH}3", 2, True),
        (0.0, 4, "4", 3, None),
    ]
    assert str(frame["score"][3]) == "0.0"  # not -0.0
    assert frame["n_families_against"].null_count() == 4
    # Clopper and Pearson's interval of 20 of 40.
    assert frame.row(1, named=True)["lower"] == pytest.approx(0.338, abs=2e-3)
    assert verdict(board) == (
        "S, p, accuracy: 1 of 4 solvers may be first: a. 5 of 6 pairs differ significantly, including 2 of"
        " the 3 pairs with adjacent ranks. a stays first, whichever instances are removed. This assumes"
        " that instances are sampled independently from one population, that mean scores are nearly normal,"
        " and that scores lie between 0 and 1 (as all are)."
    )


# Of all runs of an instance together: 1.5 runs in the mean, at most 2.
SUMS = {"a": [2, 2, 2, 2, 2, 2, 0, 0], "b": [0, 0, 0, 0, 0, 0, 2, 0], "c": [0, 0, 0, 0, 0, 0, 1, 0]}


def small_board(drawn: str | None = None, **changed: Any) -> tuple[pl.DataFrame, str]:
    """The table of three models on eight instances of four families, and its verdict."""
    words: dict[str, Any] = {"bounds": ScoreBounds(0, 1, "as said"), "sign": -1, "runs": (1.5, 2.0)}
    words |= changed
    names, levels = tuple("ijklmnop"), words["sign"] * np.array([*SUMS.values()], float).T
    given = Standing(("p@0", "S", "m", "algorithm"), tuple(SUMS), levels[None], instances=names)
    standing = ranked(replace(given, **words), dict(zip(names, "fffgggho", strict=True)))
    found = sets_of(standing, confidence=0.95, draws=9, seed=1)
    board = board_of(standing, found, confidence=0.9, drawn=drawn)
    return leaderboard_frame([board]), verdict(board)


def test_a_board_of_several_runs_and_families() -> None:
    frame, said = small_board()
    # On h both others are ahead of a; c is never ahead of b.
    columns = (
        "solver",
        "n",
        "n_families",
        "removals",
        "instances",
        "n_families_against",
        "families_against",
    )
    assert frame.select(columns).rows() == [
        ("a", 8, 4, 6, "i, j, k, l, m and 1 more", 1, "h"),
        ("b", 8, 4, None, None, 0, None),
        ("c", 8, 4, None, None, None, None),
    ]
    for words in (
        "Without 6 of 8 instances (i, j, k, l, m and 1 more), b is ahead of a",
        "In 1 of 4 families",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("changed", "ends"),
    [
        ({}, (0, 2)),
        ({"bounds": ScoreBounds(-1, 3, "")}, (-2, 6)),
        ({"bounds": None, "most": (10.0,), "sign": 1}, (0, 10)),
        ({"bounds": None, "most": (None,)}, None),
        ({"bounds": None}, None),
    ],
)
@pytest.mark.parametrize("drawn", [None, "instance"])
def test_intervals_of_a_board_are_of_what_is_drawn(
    changed: dict[str, Any], ends: tuple[float, float] | None, drawn: str | None
) -> None:
    frame, _ = small_board(drawn, **changed)
    clusters = None if drawn else np.array([0, 0, 0, 1, 1, 1, 2, 3])
    for solver, score, lower, upper in frame.select("solver", "score", "lower", "upper").rows():
        assert score == sum(SUMS[solver]) / 8 / 1.5
        if ends is None:
            assert (lower, upper) == (None, None)
            continue
        least, most = ends
        sums = np.array(SUMS[solver], float)[:, None]
        of = bounded_means(sums, least=least, most=most, confidence=0.9, clusters=clusters)
        assert [lower, upper] == pytest.approx([of.lower[0] / 1.5, of.upper[0] / 1.5])


@pytest.mark.parametrize(
    ("bounds", "total"),
    [
        (None, (-np.inf, np.inf)),
        (ScoreBounds(-1, 3, ""), (-2, 6)),
        (ScoreBounds(1, 3, ""), (1, 6)),
        (ScoreBounds(-3, -1, ""), (-6, -1)),
    ],
)
def test_bounds_of_all_runs_of_an_instance(bounds: ScoreBounds | None, total: tuple[float, float]) -> None:
    assert replace(four_models(), bounds=bounds, runs=(1.5, 2.0)).total_bounds == total


@pytest.mark.parametrize(("n_levels", "count"), [(1, 0), (2, 4)])
def test_two_levels_that_decide_have_no_interval(n_levels: int, count: int) -> None:
    whole = four_models()
    levels = np.tile(whole.levels, (n_levels, 1, 1))
    standing = replace(whole, levels=levels, bounds=None, most=(1.0,) * n_levels)
    found = sets_of(standing, confidence=0.95, draws=9, seed=1)
    frame = leaderboard_frame([board_of(standing, found, confidence=0.95, drawn=None)])
    assert frame["lower"].null_count() == frame["upper"].null_count() == count


def test_a_board_of_empty_cells_has_the_same_columns() -> None:
    whole = four_models()
    given = replace(whole, solvers=("a", "d"), levels=whole.levels[:, :, [0, 3]], bounds=None, most=(None,))
    found = sets_of(given, confidence=0.95, draws=9, seed=1)
    frame = leaderboard_frame([board_of(given, found, confidence=0.95, drawn=None)])
    empty = ("lower", "upper", "removals", "instances", "n_families_against", "families_against")
    assert frame.select(empty).rows() == [(None,) * 6] * 2
    assert frame.schema == small_board()[0].schema


def test_equal_solvers_share_the_first_rank_of_a_board() -> None:
    given = replace(
        four_models(), solvers=("a", "b"), levels=-np.ones((1, 3, 2)), instances=("i", "j", "k")
    )
    standing = ranked(given, {}, by_name=False)
    found = sets_of(standing, confidence=0.95, draws=9, seed=1)
    said = verdict(board_of(standing, found, confidence=0.95, drawn=None))
    assert "pair with adjacent ranks. 2 solvers share the first rank. This assumes" in said


def test_the_chart_of_places_has_a_bar_and_a_dot_a_solver() -> None:
    _, chart, said = _shown(four_models(), "table", "p")
    assert (chart.x, chart.y) == (Linear("rank", 1, 4, whole=True), Band(("a", "b", "c", "d")))
    lines = [mark.points for mark in chart.marks if isinstance(mark, Line)]
    assert [[point[:2] for point in points] for points in lines] == [
        *([[1, 0], [1, 0]], [[2, 1], [3, 1]], [[2, 2], [3, 2]], [[4, 3], [4, 3]])
    ]
    dots = [(mark.symbol, mark.points) for mark in chart.marks if isinstance(mark, Dots)]
    assert [(symbol, [point[:2] for point in points]) for symbol, points in dots] == [
        (None, [[1, 0], [4, 3]]),
        ("ring", [[2, 1], [2, 2]]),
    ]
    assert lines[1][0][2] == "b: rank 2, possible ranks 2\N{EN DASH}3"
    assert "2 of 4 solvers could have another rank" in chart.about
    assert said == "a stays first, whichever instances are removed."
    sets = sets_of(four_models(), confidence=0.95, draws=99, seed=1)
    told = "S, p, accuracy: 2 ranks are certain. 1 solver may be first: a"
    assert sentence_of_sets(four_models(), sets) == told


@pytest.mark.parametrize(
    ("n", "ahead", "behind", "said"),
    [
        (300, [-1, -1, -1, 0], [0, 0, 0, -1], "3 of 300, fragile"),
        (299, [-1, -1, -1, 0], [0, 0, 0, -1], "3 of 299"),
        (2, [-2, 0], [0, -1], "1 of 2, fragile"),
        (9, [-1, 0], [0, -1], "tied"),
        (9, [-1], [0], "never"),
    ],
)
def test_a_first_place_that_one_of_a_hundred_decides_is_fragile(
    n: int, ahead: list[float], behind: list[float], said: str
) -> None:
    levels = np.zeros((1, n, 2))
    levels[0, : len(ahead)] = np.array([ahead, behind]).T
    names = tuple(f"i{at:03}" for at in range(n))
    standing = ranked(Standing(("p", "S", "m", "algorithm"), ("a", "b"), levels, instances=names), {})
    assert overturned(standing) == said


@pytest.mark.parametrize(
    ("overturned_by", "finding"),
    [
        (["1 of 40, fragile", "never"], "1 of 2 first ranks is fragile (removing"),
        (["never", "9 of 40"], "None of 2 first ranks are fragile (removing"),
        (["1 of 40, fragile", "1 of 40, fragile", "tied"], "2 of 3 first ranks are fragile (removing"),
        (["never"], "S, p, accuracy: a stays first, whichever instances are removed."),
        ([], None),
    ],
)
def test_how_many_first_ranks_of_a_competition_are_fragile(
    overturned_by: list[str], finding: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = [(four_models(), said) for said in overturned_by]
    monkeypatch.setattr(certificates, "_of_record", lambda _: iter(boards))
    record: Any = None
    found = certificates.of_boards(record)
    assert (found and found.finding.startswith(finding or "-")) == (finding and True)
    assert (found and found.body.count("<table")) == (len(boards) or None)


def test_one_unit_tells_nothing() -> None:
    assert as_normal(np.array([2.0, -9.0]), 1).tolist() == [0, 0]


def test_the_error_of_a_difference_is_of_the_pair() -> None:
    # The two differ by 1, 0, 0 and 1: by 0.5 in the mean, with an error of 0.5 / 2.
    scores = np.array([[1, 0], [1, 1], [0, 0], [1, 0.0]])
    (ratio,), _ = _tests_of_means(scores, np.arange(4), np.random.default_rng(1), 9)
    assert ratio == pytest.approx(as_normal(np.array(2.0), 4))


def test_both_ways_to_reckon_draws_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of families; the third is always 0.25 better than the first, the fourth is the second.
    scores = np.random.default_rng(2).integers(0, 5, (30, 4)) / 8
    scores[:, 2], scores[:, 3] = scores[:, 0] + 0.25, scores[:, 1]
    families = np.repeat(np.arange(12), [1, 2, 3, 4] * 3)
    first, second = np.triu_indices(4, k=1)
    gaps = sums_of(scores[:, first] - scores[:, second], families)
    sizes = np.bincount(families).astype(float)
    ours = _tests(gaps, sizes, np.random.default_rng(1), 50)
    assert ours[0][[1, 4]].tolist() == [-np.inf, 0]
    assert not ours[1][:, [1, 4]].any()
    # Of the first two by hand: the mean, and what each family is away from it.
    mean = gaps[:, 0].sum() / 30
    error = np.sqrt(np.square(gaps[:, 0] - mean * sizes).sum()) / 30
    assert ours[0][0] == pytest.approx(as_normal(np.array(mean / error), 12))
    for cells in (2000, 40):
        monkeypatch.setattr(metrics, "_CELLS", cells)
        again = _tests(gaps, sizes, np.random.default_rng(1), 50)
        theirs = _tests_of_means(scores, families, np.random.default_rng(1), 50)
        for one, other, same in zip(ours, theirs, again, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12)
            np.testing.assert_array_equal(one, same)
