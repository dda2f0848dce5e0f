"""Random splits and draws of a small scenario, from the command line."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result
from polars.testing import assert_frame_equal

import aslib_eval as ae
from aslib_eval.analysis.runs import bootstrap_intervals
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.extensions.resampling.random_splits import bootstrap_pairs, share_better
from tests.cli.test_calls import called
from tests.cli.test_calls import opened as opened  # noqa: PLC0414 - a fixture
from tests.conftest import arff, needs, rows, write_scenario
from tests.lab import OBJECTIVE, GivenLake, runs

# a solves the easy half slowly, b the other half; i6 is unsolvable.
TIMES = {"x/i1": (10, 90), "x/i2": (20, 80), "x/i3": (30, 70)}
TIMES |= {"y/i4": (100, 40), "y/i5": (100, 50), "y/i6": (100, 100)}
RUNS = [
    (instance, 1, algorithm, time, "ok" if time < 100 else "timeout")
    for instance, times in TIMES.items()
    for algorithm, time in zip("ab", times, strict=True)
]
# The features of x/i1 and y/i4 are the same, and those of x/i2 and x/i3.
FEATURES = [(1, 2.5), (7, "?"), (7, "?"), (1, 2.5), (3, 1), (4, 1)]


def run(*words: str | Path) -> Result:
    arguments = [str(word) for word in words]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC"}
    columns |= {"f": "NUMERIC", "g": "NUMERIC"}
    values = [(i, 1, *f) for i, f in zip(TIMES, FEATURES, strict=True)]
    (folder / "feature_values.arff").write_text(arff(columns, values))
    assert run("import", folder, "--lake", tmp_path / "lake").exit_code == 0
    return tmp_path / "lake"


def frame(result: Result) -> pl.DataFrame:
    assert result.exit_code == 0, result.output
    return pl.read_csv(io.StringIO(result.stdout))


def folds(lake: Path, scheme: str) -> dict[int, dict[str, int]]:
    """Repetition → instance → fold, as stored."""
    sql = f"""
        select cv_repetition, instance_id, fold from raw_fold
        where cv_scheme = '{scheme}'
    """
    found: dict[int, dict[str, int]] = {}
    for repetition, instance, fold in rows(ae.connect(lake, stored=False), sql):
        found.setdefault(repetition, {})[instance] = fold
    return found


@pytest.mark.slow
def test_a_scheme_is_stored_under_a_name_that_says_how_it_was_made(lake: Path) -> None:
    result = run("resample", "--lake", lake, "--repeats", 4, "--folds", 3, "--seed", 5)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "S: stored the scheme random-4x3-s5. Its folds have 2 instances",
        "the splits share instances, so they are not independent",
    ]
    found = folds(lake, "random-4x3-s5")
    assert sorted(found) == [1, 2, 3, 4]
    for split in found.values():
        assert sorted(split) == sorted(TIMES)
        assert sorted(split.values()) == [1, 1, 2, 2, 3, 3]


@pytest.mark.slow
def test_the_same_seed_stores_the_same_bytes(lake: Path) -> None:
    words = ("resample", "--lake", lake, "--repeats", 2, "--folds", 2, "--name", "mine")
    stored = []
    for seed in (1, 1, 2, 1):
        assert run(*words, "--seed", seed).exit_code == 0
        (file,) = lake.glob("fold/*/part-0.parquet")
        stored.append(file.read_bytes())
    assert stored[0] == stored[1] == stored[3]
    assert stored[2] != stored[0]


@pytest.mark.slow
def test_identical_features_stay_together(lake: Path) -> None:
    words = ("resample", "--lake", lake, "--by", "features", "--folds", 4)
    result = run(*words)
    assert "folds have 1 to 2 instances. It keeps 4 groups together" in result.stderr
    for split in folds(lake, "features-10x4-s1").values():
        assert split["x/i1"] == split["y/i4"]
        assert split["x/i2"] == split["x/i3"]
    result = run(*words[:-1], 5)
    assert result.exit_code == 1
    assert result.stderr == (
        "S: 6 instances in 4 groups that stay together cannot fill 5 folds. Ask for at most 4 folds.\n"
    )


def test_hardness_is_spread_over_the_folds(lake: Path) -> None:
    result = run("resample", "--lake", lake, "--by", "hardness", "--folds", 2)
    assert "6 strata" in result.stderr


def test_of_objectives_what_nobody_finds_is_hardest(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 3, "ok"), ("i", 1, "b", 2, "ok"), ("j", 1, "a", None, "crash")]
    folder = write_scenario(tmp_path / "S", runs=[*runs, ("j", 1, "b", None, "crash")], measures=OBJECTIVE)
    ae.import_scenarios(folder, into=tmp_path / "lake")
    found = open_lake(tmp_path / "lake").rows("hardness", {"scenario": "S"})
    assert found == [("i", 2.0, 2.0), ("j", 0.0, float("inf"))]


@pytest.mark.slow
def test_a_file_may_tell_the_families(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "families.csv"
    named = zip(TIMES, "ABABAB", strict=True)
    lines = [f"{instance},{family},-" for instance, family in named]
    file.write_text("\n".join(["instance_id,family,note", *lines]))
    words = ("resample", "--lake", lake, "--by", "family", "--groups", file)
    assert run(*words, "--folds", 3).exit_code == 0
    for split in folds(lake, "family-10x3-s1").values():
        assert sorted(split[i] for i in list(TIMES)[::2]) == [1, 2, 3]


@pytest.mark.slow
def test_what_is_wrong_with_the_file_is_said_at_once(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "families.csv"
    file.write_text("instance_id,family\nx/i1,A\nx/i2,A\nx/i3,A\ny/i4,A\nq,A\ny/i5,B\n")
    result = run("resample", "--lake", lake, "--by", "family", "--groups", file)
    assert result.exit_code == 1
    unknown, missing = result.stderr.splitlines()
    assert unknown.startswith(f"{file}:6: no scenario has an instance q")
    assert missing.startswith(f"{file}: y/i6 of S is missing")
    assert folds(lake, "family-10x10-s1") == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--name", "aslib"), "aslib: is the name of a scheme of the format."),
        (("--scheme", "no"), "no: no scenario has this scheme. Available: aslib."),
        (("--bootstrap", 9, "--level", 1), "bootstrap: the confidence level 1.0 is not between 0 and 1"),
        (("--bootstrap", 9, "--show", "winners"), "--bootstrap needs --show gaps or pairs"),
    ],
)
def test_bad_requests(toy: Path, words: tuple[str, ...], message: str) -> None:
    result = run("resample", "--lake", toy, *words)
    assert result.exit_code != 0
    assert message in result.stderr


def test_an_open_lake_is_only_read(toy: Path) -> None:
    with ae.open(toy) as held, pytest.raises(ae.AslibError, match="is only read"):
        ae.resample(held, repeats=1, folds=2)


def test_what_cannot_be_split_does_not_stop_the_others(lake: Path) -> None:
    for name, some in (("Tiny", RUNS[:2]), ("U", RUNS)):
        folder = write_scenario(lake.parent / name, runs=some)
        run("import", folder, "--lake", lake)
    result = run("resample", "--lake", lake, "--folds", 2, "--repeats", 1)
    assert result.exit_code == 0
    left, *stored = result.stderr.splitlines()[:3]
    assert left == "left out: Tiny: 1 instance cannot fill 2 folds"
    scheme = "random-1x2-s1"
    assert stored == [f"{name}: stored the scheme {scheme}. Its folds have 3 instances" for name in "SU"]
    sql = f"select distinct scenario_id from raw_fold where cv_scheme = '{scheme}'"
    assert sorted(ae.query(sql, lake=lake)["scenario_id"]) == ["S", "U"]


def test_without_features_there_is_nothing_to_keep_together(imported: Callable[..., Path]) -> None:
    result = run("resample", "--lake", imported(runs=RUNS), "--by", "features")
    assert result.stderr.startswith("S: has no feature values. Choose another --by")


@needs("exporting")
@pytest.mark.slow
def test_a_scheme_becomes_a_cv_arff_that_is_read_back(lake: Path, tmp_path: Path) -> None:
    run("resample", "--lake", lake, "--folds", 3, "--repeats", 2)
    ae.write_from_lake(lake, "S", tmp_path / "out" / "S", cv_scheme="random-2x3-s1")
    ae.import_scenarios([tmp_path / "out" / "S"], into=tmp_path / "again")
    assert folds(tmp_path / "again", "aslib") == folds(lake, "random-2x3-s1")


# --- what the splits say: by hand, one split a fold ----------------------------------- Folds {i1, i4},
# {i2, i5}, {i3, i6}: PAR10 of a 505, 510, 515; of b 65, 65, 535.


@pytest.fixture
def split(tmp_path: Path) -> Path:
    by_hand = dict(zip(TIMES, (1, 2, 3, 1, 2, 3), strict=True))
    folder = write_scenario(tmp_path / "H", runs=RUNS, folds=by_hand)
    ae.import_scenarios([folder], into=tmp_path / "hand")
    return tmp_path / "hand"


def shown(lake: Path, show: str, *columns: str) -> list[tuple[object, ...]]:
    words = ("resample", "--lake", lake, "--scheme", "aslib", "--show", show)
    return frame(run(*words, "--format", "csv")).select(columns).rows()


def test_gaps_over_the_splits(split: Path) -> None:
    # SBS is b in every training part; VBS costs 25, 35, 515.
    found = shown(split, "gaps", "solver", "n_splits", "mean", "sd", "least", "most")
    gaps = [(65 - 505) / 40, (65 - 510) / 30, (535 - 515) / 20]
    mean = sum(gaps) / 3
    sd = (sum((gap - mean) ** 2 for gap in gaps) / 2) ** 0.5
    assert found[-2] == ("b", 3, 0.0, 0.0, 0.0, 0.0)
    assert found[-1] == ("a", 3, *map(pytest.approx, (mean, sd, gaps[1], 1.0)))
    # The same of VBS, SBS (b of all instances) and VWS.
    assert [row[0] for row in found[:3]] == ["VBS", "SBS", "VWS"]
    assert found[0][2:] == (1.0, 0.0, 1.0, 1.0)


def test_identity_of_sbs_over_the_splits(split: Path) -> None:
    columns = ("algorithm", "n_splits", "n_train", "n_test", "share_test")
    assert shown(split, "sbs", *columns) == [
        ("b", 3, 3, 2, pytest.approx(2 / 3)),
        ("a", 3, 0, 1, pytest.approx(1 / 3)),
    ]


def test_who_beats_whom_over_the_splits(split: Path) -> None:
    columns = ("solver", "opponent", "n_better", "n_equal", "n_worse", "beats")
    assert shown(split, "pairs", *columns) == [
        ("a", "b", 1, 0, 2, pytest.approx(1 / 3)),
        ("b", "a", 2, 0, 1, pytest.approx(2 / 3)),
    ]


def test_changes_of_winner_over_the_splits(split: Path) -> None:
    columns = ("kind", "winner", "winner_cost", "n_won", "n_winners", "changed")
    (found,) = shown(split, "winners", *columns)
    cost = (65 + 65 + 535) / 3
    share = pytest.approx(1 / 3)
    assert found == ("algorithm", "b", pytest.approx(cost), 2, 2, share)


def test_winners_that_tie_are_printed_together(given: GivenLake) -> None:
    lake = given(runs(B=[10, 20], A=[20, 10], C=[90, 90]), folds={"i1": 1, "i2": 2})
    found = lake.ask("resample_winners", {"scheme": "aslib"})
    assert found.select("winner", "winner_cost", "n_won", "changed").rows() == [("A = B", 15, 1, 0.5)]


# --- draws ----------------------------------------------------------------------------


@pytest.mark.slow
def test_bootstrap_intervals(split: Path) -> None:
    words = ("resample", "--lake", split, "--bootstrap", 400, "--format", "csv")
    result = run(*words)
    found = frame(result)
    share = found["sbs"][0]
    remark = f"b is SBS in {share:.0%} of the samples, a in {1 - share:.0%}"
    assert remark in found["remark"][0]
    assert remark in result.stderr
    assert found["solver"].to_list() == ["b", "a"]
    assert found["n"].to_list() == [6, 6]
    assert found["n_draws"].to_list() == [400, 400]
    assert found["cost"].to_list() == pytest.approx([665 / 3, 510])
    assert found["closed_gap"][0] == 0.0
    assert found["rank"].to_list() == [1.0, 2.0]
    # b loses if at least as many of i1 to i3 as of i4 and i5 weigh more: now and then.
    assert 0.8 < found["best"][0] < 1
    assert found["sbs"].sum() == pytest.approx(1)
    assert found["cost_low"][0] < found["cost"][0] < found["cost_high"][0]
    assert run(*words).stdout == result.stdout
    assert run(*words, "--seed", 2).stdout != result.stdout


@pytest.mark.slow
def test_bootstrap_pairs(split: Path) -> None:
    words = ("resample", "--lake", split, "--bootstrap", 400, "--format", "csv")
    intervals, pairs = frame(run(*words)), frame(run(*words, "--show", "pairs"))
    assert pairs.select("solver", "opponent").rows() == [("a", "b"), ("b", "a")]
    assert pairs["beats"].sum() == pytest.approx(1)
    assert pairs["beats"][1] == pytest.approx(intervals["best"][0])
    other = frame(run(*words, "--show", "pairs", "--seed", 2))
    assert other["beats"].to_list() != pairs["beats"].to_list()


def test_the_data_itself_are_no_draw(split: Path) -> None:
    here = open_lake(split)
    found = {tuple(bootstrap_intervals(here, draws=2, seed=seed)["sbs"]) for seed in range(12)}
    assert found == {(1.0, 0.0), (0.5, 0.5)}


def bootstrapped(folder: Path, times: list[tuple[int, ...]]) -> pl.DataFrame:
    """The row of each solver; a time of 100 is a timeout."""
    runs = [
        (f"i{at}", 1, algorithm, time, "ok" if time < 100 else "timeout")
        for at, row in enumerate(times)
        for algorithm, time in zip("abc", row, strict=True)
    ]
    run("import", write_scenario(folder / "T", runs=runs), "--lake", folder / "lake")
    words = ("--bootstrap", 200, "--format", "csv")
    result = run("resample", "--lake", folder / "lake", *words)
    found = frame(result).sort("solver")
    lines = result.stderr.splitlines()
    said = [line.removeprefix("T: ") for line in lines if line.startswith("T: ")]
    pieces = [piece for text in found["remark"].drop_nulls() for piece in text.split("; ")]
    assert said == list(dict.fromkeys(pieces))
    return found


def test_an_interval_contains_the_gap_after_three_more_large_losses(tmp_path: Path) -> None:
    # a, the SBS, loses 5 on 24 instances, b 10 there; c has six timeouts, which b has not.
    found = bootstrapped(tmp_path, [(10, 15, 5)] * 24 + [(10, 15, 100)] * 6)
    assert found["gap_low"].round(9).to_list()[1] == round(1 - (270 + 3 * 990) / 120, 9)
    why = "the lower end assumes three more instances, each with the largest loss seen"
    assert found["remark"].to_list() == [None, why, None]
    assert (found["gap_low"] <= found["closed_gap"]).all()


def test_few_instances_that_tell_sbs_from_vbs_are_remarked(tmp_path: Path) -> None:
    found = bootstrapped(tmp_path, [(1, 9, 20)] * 27 + [(60, 9, 20)] * 3)
    why = "3 of 30 instances make up 90 % of the difference between SBS and VBS"
    assert found["solver"].to_list() == ["a", "b", "c"]
    assert found["remark"].str.contains(why, literal=True).all()


@pytest.mark.slow
def test_schemes_do_not_change_what_a_scenario_scores(lake: Path) -> None:
    before = frame(run("gap", "--lake", lake, "--format", "csv"))
    assert run("resample", "--lake", lake, "--folds", 3).exit_code == 0
    assert_frame_equal(frame(run("gap", "--lake", lake, "--format", "csv")), before)


# --- who costs less than another in how many draws ------------------------------------


def test_share_better_counts_ties_half() -> None:
    costs = np.array([[1, 2, np.nan], [1, 1, 1], [3, 1, 1], [1, 2, 1]])
    found = share_better(costs)
    assert found[:2, :2].tolist() == [[0.5, 0.625], [0.375, 0.5]]
    assert np.isnan(found[2]).all()
    assert np.isnan(found[:, 2]).all()


def test_pairs_by_hand(given: GivenLake) -> None:
    """A always costs less than B."""
    lake = given(runs(A=[10, 20, 30], B=[40, 50, 60]))
    label = f"default@{Protocol().hash}"
    assert bootstrap_pairs(lake, draws=10, seed=1).rows() == [
        (label, "S", "runtime", "algorithm", "A", "B", 10, 1.0),
        (label, "S", "runtime", "algorithm", "B", "A", 10, 0.0),
    ]


def test_without_a_whole_algorithm_there_is_no_pair(given: GivenLake) -> None:
    quality = (("objective", "solution_quality", "false"),)
    data = [("i1", 1, "A", 5, "ok"), ("i2", 1, "A", None, "crash")]
    lake = given(data, Protocol(protocol="p", failures="left_out"), measures=quality)
    assert bootstrap_pairs(lake, draws=5).is_empty()


@pytest.mark.parametrize("workers", [1, 3])
def test_pairs_have_the_same_digits_whoever_draws(given: GivenLake, workers: int) -> None:
    rng = np.random.default_rng(5)
    lake = given(
        runs(A=rng.uniform(0, 50, 9).tolist(), B=rng.uniform(0, 60, 9).tolist()),
        *(Protocol(protocol=f"p{n}", penalty=n) for n in (1, 2, 7)),
    )
    with ThreadPoolExecutor(workers) as pool:
        here, there = (bootstrap_pairs(lake, draws=99, executor=e) for e in (None, pool))
    assert len(here) == 6
    assert here.equals(there)


# --- what the command hands over ------------------------------------------------------

MADE: dict[str, Any] = {
    "scenarios": (),
    "repeats": 10,
    "folds": 10,
    "seed": 1,
    "by": "plain",
    "groups": None,
}
MADE |= {"attribute": None, "together": False, "name": None}


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("", {}),
        ("--by family --attribute a --keep-together", {"by": "family", "attribute": "a", "together": True}),
        (
            "--scenario A --repeats 2 --folds 3 --seed 4 --by family --groups g.csv --name n",
            {"scenarios": ("A",), "repeats": 2, "folds": 3, "seed": 4, "by": "family"}
            | {"groups": Path("g.csv"), "name": "n"},
        ),
    ],
)
def test_which_splits_are_asked_for(
    words: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    function = "aslib_eval.extensions.resampling.random_splits:make_schemes"
    assert called(f"resample {words}", function, monkeypatch) == ((Path("lake"),), MADE | asked)


@pytest.mark.usefixtures("opened")
def test_where_draws_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "resample --bootstrap 7"
    args, _ = called(f"{line} --jobs 3", "aslib_eval.executors:processes", monkeypatch)
    assert args == (3,)
    args, _ = called(f"{line} --cluster tcp://head:8786", "aslib_eval.executors:cluster_of", monkeypatch)
    assert args == ("tcp://head:8786",)
