"""``compare``: given runs → pairs, systems and a sentence; and what it refuses."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.compare import SCOPE, compare
from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import BOUNDED, COLUMNS, FOLDS, UNBOUNDED, mean_intervals, too_few
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.systems import OMNIBUS_COLUMNS, SYSTEM_COLUMNS
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.lake.versions import RESULTS
from aslib_eval.selections import import_selections
from aslib_eval.statistics.means import bounded_means, unbounded_means
from tests.conftest import ROOT, Row, write_scenario
from tests.lab import OUT

pytestmark = pytest.mark.usefixtures("opened_once")

SHIPPED = ROOT / "scenarios"
# On i1 to i6 the cutoff is 100, so a timeout costs 1000; nobody solves i6.
TIMES: dict[str, Sequence[float | str]] = {
    "A": [1, 2, 3, 4, 50, OUT],
    "B": [2, 4, 6, 8, OUT, OUT],
    "C": [1, 3, OUT, 9, 60, OUT],
}


def runs(times: dict[str, Sequence[float | str]], repetition: int = 1) -> list[Row]:
    return [
        (f"i{at}", repetition, name, *((100, t) if isinstance(t, str) else (t, "ok")))
        for name, values in times.items()
        for at, t in enumerate(values, 1)
    ]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("compare")
    folds = {f"i{at}": 1 + at % 3 for at in range(1, 7)}
    folder = write_scenario(home / "S", runs=runs(TIMES), folds=folds)
    ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


opened = cache(open_lake)  # creating all views takes longer than any question


def ask(lake: Path, **words: Any) -> Any:
    return compare(opened(lake), Question(**words))


@pytest.mark.slow
@pytest.mark.parametrize("words", [("compare",), ("sweep", "delta")])
def test_selectors_of_one_scenario_do_not_hide_another(tmp_path: Path, words: Sequence[str]) -> None:
    folders = [write_scenario(tmp_path / "S", runs=runs(TIMES))]
    ae.import_scenarios([*folders, SHIPPED / "TOY-2026"], into=tmp_path / "lake")
    import_selections(SHIPPED / "selections", lake=tmp_path / "lake")
    arguments = [*words, "--lake", str(tmp_path / "lake"), "--format", "csv"]
    found = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert found.exit_code == 0, found.stderr
    lines = found.stdout.splitlines()
    assert any(",S," in line and ",B," in line for line in lines)
    assert any(",TOY-2026," in line and ",zilla," in line for line in lines)


def test_pairs_by_hand(lake: Path) -> None:
    found = ask(lake)
    rows = found.pairs.select(
        "system", "other", "advantage", "wins", "ties", "losses", "n", "n_nobody",
        "ties_unsolved", "statistic", "p",
    ).rows()  # fmt: skip
    # A against B: 1, 2, 3, 4, 950 and a tie: W+ = 15, p = 2 / 2^5.
    # A against C: 0, 1, 997, 5, 10, 0: W+ = 10, p = 2 / 2^4.
    # B against C: -1, -1, 994, 1, -940, 0: W+ = 5 + 2, and 8 of the other sign.
    mean = [pytest.approx(x / 6) for x in (960, 1013, 53)]
    assert rows == [
        ("A", "B", mean[0], 5, 1, 0, 6, 1, 1, 15.0, 0.0625),
        ("A", "C", mean[1], 4, 2, 0, 6, 1, 1, 10.0, 0.125),
        ("B", "C", mean[2], 2, 1, 3, 6, 1, 1, 7.0, 1.0),
    ]
    assert found.pairs["p_adjusted"].to_list() == [0.1875, 0.25, 1]
    assert found.pairs["winner"].null_count() == 3


def test_frames_have_the_columns_that_are_documented(lake: Path) -> None:
    found = ask(lake)
    assert found.pairs.columns == [*SCOPE, *COLUMNS]
    assert found.systems.columns == [*SCOPE, *SYSTEM_COLUMNS]
    assert found.omnibus.columns == [*SCOPE, *OMNIBUS_COLUMNS]
    assert found.systems["mean_rank"].to_list() == pytest.approx([1.25, 2.5, 2.25])
    assert found.systems["system"].to_list() == ["A", "B", "C"]


def test_the_sentence_says_who_how_much_how_sure_and_n(lake: Path) -> None:
    (text,) = ask(lake, alpha=0.2).sentences
    assert text.startswith(
        "S under default: comparison of 3 algorithms by cost (measure runtime, lower is better) on 6"
        " instances; the 1 that no solver solves counts as a tie."
    )
    assert "A has the best mean. A is typically better than B. A is not significantly different" in text
    assert "On average, A is ahead of B by 160 (80 % interval" in text
    assert "better on 5 instances, worse on 0 and equal on 1 (p = 0.19)" in text
    assert (
        "The test shows a difference for 1 of 3 pairs. Mean and interval confirm none"
        " of these differences." in text
    )
    assert text.endswith(
        "Test: Wilcoxon signed-rank, two-sided, Holm's correction for 3 pairs; alpha = 0.2; "
        "n = 6 instances."
    )


def test_against_one(lake: Path) -> None:
    found = ask(lake, versus="B", alpha=0.2)
    assert found.pairs.select("system", "other").rows() == [("A", "B"), ("C", "B")]
    assert found.pairs["by_test"].to_list() == ["A", None]
    (text,) = found.sentences
    assert "B is typically worse than A. On average, B is behind A by 160" in text
    assert found.omnibus["cd_method"].to_list() == ["bonferroni-dunn"]


def test_one_sided_against_one(lake: Path) -> None:
    p = ask(lake, versus="A", alternative="better").pairs["p"].to_list()
    assert p == [0.03125, 0.0625]


def test_a_maximised_metric_turns_the_direction(lake: Path) -> None:
    found = ask(lake, metric="solved", test="sign")
    first = found.pairs.row(0, named=True)
    assert (first["system"], first["advantage"]) == ("A", pytest.approx(1 / 6))
    assert (first["wins"], first["losses"], first["ties"]) == (1, 0, 5)


def test_sbs_is_not_held_against_itself(lake: Path) -> None:
    found = ask(lake, versus="SBS")
    assert found.pairs["system"].to_list() == ["B", "C"]
    assert "Left out A, which equals SBS everywhere." in found.sentences[0]
    assert "SBS was chosen on the same instances." in found.sentences[0]


def test_every_kind_and_the_baselines_by_name(lake: Path) -> None:
    found = ask(lake, kind="all", metric="par1")
    kinds = dict(found.systems.select("system", "kind").rows())
    assert kinds == {
        **dict.fromkeys("ABC", "algorithm"),
        **dict.fromkeys(("SBS", "VBS", "VWS"), "baseline"),
    }


def test_selectors_are_compared_where_there_are_any(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=runs(TIMES))
    lake = tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    for name in ("one", "two"):
        file = tmp_path / f"{name}.csv"
        chosen = {"one": "AAAAAA", "two": "BBBCCA"}[name]
        lines = [f"i{at},{algorithm}" for at, algorithm in enumerate(chosen, 1)]
        file.write_text("\n".join(["instance,algorithm", *lines]))
        import_selections(file, lake=lake, scenario="S")
    for words, first, others in (
        ({}, "2 selectors", ["one"]),
        ({"kind": "algorithm"}, "3 algorithms", ["A", "A", "B"]),
        ({"versus": "C"}, "2 selectors and 1 algorithm", ["one", "two"]),
        ({"versus": "VBS"}, "1 selector and 1 baseline", ["two"]),  # one is VBS
        ({"kind": "all"}, "3 algorithms, 3 baselines and 2 selectors", None),
    ):
        found = ask(lake, **words)
        assert found.sentences[0].startswith(f"S under default: comparison of {first} by cost")
        assert others is None or found.pairs["system"].to_list() == others
    done = run(lake, "--format", "csv")
    assert done.stderr.startswith("S under default: comparison of 2 selectors by cost")


def test_repetitions_are_no_instances(imported: Callable[..., Path]) -> None:
    """Twenty repetitions of three instances stay three values."""
    data = [row for r in range(1, 21) for row in runs({"A": [1, 2, 3], "B": [2, 3, 4]}, r)]
    lake = imported("R", runs=data)
    for repetitions in ("mean_par", "separate"):
        protocol = ae.Protocol(protocol="p", repetitions=repetitions)
        here = open_lake(lake, protocols=[protocol])
        found = compare(here)
        assert found.pairs["n"].to_list() == [3]
        assert found.pairs["p"].to_list() == [0.25]
        said = "averages the repetitions of an instance" in found.sentences[0]
        assert said == (repetitions == "separate")


def test_folds_are_corrected_for_what_they_share(lake: Path) -> None:
    found = ask(lake, unit="folds", metric="par1")
    row = found.pairs.row(0, named=True)
    assert (row["unit"], row["test"], row["n"]) == ("fold of aslib", "corrected-t", 3)
    assert row["win_lower"] is row["a12_lower"] is row["shift_upper"] is None
    assert row["win_upper"] is row["a12_upper"] is row["shift_lower"] is None
    assert row["interval_method"] == "corrected t"
    assert found.systems["interval_method"].null_count() == 3
    assert found.sentences[0].endswith(
        "n = 3 is too small for reliable 95 % intervals of means:"
        " the correction for shared training instances is approximate."
    )
    assert found.omnibus.height == 0
    assert found.systems["lower"].null_count() == 3
    assert "so they are not independent" in found.sentences[0]
    assert "independent unit is" not in found.sentences[0]


def test_scenarios_of_one_lake(tmp_path: Path) -> None:
    folders = []
    for at in range(4):
        times = {k: [float(v) + at for v in ([1, 2], [3, 4])[k == "B"]] for k in "AB"}
        if at == 3:
            times["C"] = [9.0, 9.0]
        folders.append(write_scenario(tmp_path / f"S{at}", runs=runs(times)))  # type: ignore[arg-type]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    found = ask(tmp_path / "lake", unit="scenarios", metric="par10", test="sign")
    assert found.pairs.select("system", "other", "n", "wins").rows() == [("A", "B", 4, 4)]
    text = found.sentences[0]
    assert "Left out, without par10 in some of 4 scenarios: C." in text
    assert "those with large values dominate" in text


def test_a_missing_value_leaves_the_instance_out(imported: Callable[..., Path]) -> None:
    data: list[Row] = [
        (f"i{i}", 1, a, None if (i, a) == (2, "B") else i + (a == "B"),
         "crash" if (i, a) == (2, "B") else "ok")
        for i in range(1, 5) for a in "AB"
    ]  # fmt: skip
    measure = (("quality", "solution_quality", "false"),)
    lake = imported("Q", runs=data, measures=measure)
    without = Protocol(failures="left_out")
    found = compare(open_lake(lake, protocols=[without]), Question())
    assert found.pairs["n"].to_list() == [3]
    assert "1 instances are left out because a solver has no value" in found.sentences[0]
    assert found.pairs["n_nobody"].to_list() == [None]


def test_nothing_differs_at_all(imported: Callable[..., Path]) -> None:
    found = ask(imported("N", runs=runs({"A": [OUT, OUT, 5], "B": [OUT, OUT, 5]})))
    row = found.pairs.row(0, named=True)
    assert (row["p"], row["winner"], row["advantage"], row["d"]) == (1, None, 0, None)
    assert (row["a12"], row["magnitude"], row["win_share"]) == (0.5, "negligible", 0.5)
    # Three ties: the fourth may be a timeout of one of them, 1 - 0.025^(1/3) = 0.71.
    assert (row["lower"], row["upper"]) == pytest.approx((-708, 708), rel=4e-3)
    assert "Both are equal on every instance." in found.sentences[0]
    assert "Of 1 pairs" not in found.sentences[0]


def forget(lake: Path) -> None:
    """Remove the answers that are kept, so that they are computed again."""
    for folder in (lake / RESULTS).glob("*/*-*-*"):
        shutil.rmtree(folder)


def test_the_same_question_has_the_same_answer(lake: Path, quality: Path) -> None:
    first = ask(lake)
    forget(lake)
    again = ask(lake)
    assert first.pairs.equals(again.pairs)
    assert first.systems.equals(again.systems)
    assert first.pairs.equals(ask(lake, seed=2).pairs)  # bounds need no chance
    one, other = ask(quality), ask(quality, seed=2)
    forget(quality)
    same = ask(quality)
    for frames in ((one.pairs, same.pairs, other.pairs),
                   (one.systems, same.systems, other.systems)):  # fmt: skip
        assert frames[0].equals(frames[1])
        assert not frames[0].equals(frames[2])
    assert one.pairs["p"].equals(other.pairs["p"])


def texts(found: Any) -> list[str]:
    """All that a comparison says, to the last bit."""
    frames = (found.pairs, found.systems, found.omnibus)
    return [repr((f.schema, f.rows())) for f in frames] + list(found.sentences)


def computed(*_: Any, **__: Any) -> None:
    pytest.fail("something was computed that is kept")


QUESTIONS: list[dict[str, Any]] = [
    {},
    {"seed": 2},
    {"alpha": 0.1},
    {"test": "sign"},
    {"metric": "solved"},
    {"joint": True},
    {"versus": "B"},
    {"versus": "B", "alternative": "better"},
    {"unit": "folds"},
]


def test_each_question_has_kept_answers_of_its_own(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("aslib_eval.analysis.compare.answers", lambda *_: None)
        without = [texts(ask(lake, **words)) for words in QUESTIONS]
    forget(lake)
    cold = [texts(ask(lake, **words)) for words in QUESTIONS]
    assert cold == without
    assert len({repr(each) for each in cold}) == len(cold) - 1  # bounds need no seed
    monkeypatch.setattr("aslib_eval.analysis.compare.blocks.blocks_of", computed)
    assert [texts(ask(lake, **words)) for words in QUESTIONS] == cold


def test_another_code_answers_anew(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(lake)
    monkeypatch.setattr("aslib_eval.analysis.compare.blocks.blocks_of", computed)
    ask(lake)
    for name in ("code", "libraries"):
        with monkeypatch.context() as patch:
            patch.setattr(f"aslib_eval.provenance.{name}", lambda: ("another",))
            with pytest.raises(pytest.fail.Exception):
                ask(lake)


def test_a_scenario_without_versus_does_not_hide_the_others(tmp_path: Path) -> None:
    given = {"S": TIMES, "T": {name: TIMES[name] for name in "AB"}}
    folders = [write_scenario(tmp_path / s, runs=runs(t)) for s, t in given.items()]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    here = open_lake(tmp_path / "lake")
    for _ in range(2):
        assert set(compare(here, Question(versus="C")).pairs["scenario_id"]) == {"S"}
    alone = open_lake(tmp_path / "lake", scenarios="T")
    for _ in range(2):
        with pytest.raises(AslibError, match="there is no solver C"):
            compare(alone, Question(versus="C"))


@pytest.fixture(scope="module")
def quality(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven instances, a measure that nothing bounds: B is behind A by the squares."""
    home = tmp_path_factory.mktemp("quality")
    data: list[Row] = [
        (f"i{i}", 1, a, float(i + i * i * (a == "B")), "ok") for i in range(1, 8) for a in "AB"
    ]
    measures = (("quality", "solution_quality", "false"),)
    folder = write_scenario(home / "Q", runs=data, measures=measures)
    ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


def test_intervals_of_bounded_measures(lake: Path) -> None:
    """PAR10 with a cutoff of 100: costs lie in 0 to 1000, differences in +-1000."""
    found = ask(lake)
    d = np.array([1, 2, 3, 4, 950, 0])
    expected = bounded_means(d, least=-1000, most=1000)
    first = found.pairs.row(0, named=True)
    assert (first["lower"], first["upper"]) == (expected.lower, expected.upper)
    cost = np.array([1, 2, 3, 4, 50, 1000])
    expected = bounded_means(cost, least=0, most=1000)
    system = found.systems.row(0, named=True)
    assert (system["lower"], system["upper"]) == (expected.lower, expected.upper)
    for frame in (found.pairs, found.systems):
        assert set(frame["interval_method"]) == {"Gaffke"}
    assert "too small" not in found.sentences[0]


@pytest.mark.parametrize(
    ("metric", "most"),
    [("cost", 1000), ("par1", 100), ("par2", 200), ("par10", 1000), ("time", 100),
     ("solved", 1)],
)  # fmt: skip
def test_the_largest_value_that_an_instance_can_have(lake: Path, metric: str, most: float) -> None:
    (block,) = blocks(opened(lake), Question(metric=metric))
    assert block.ceiling == most


def test_the_penalty_of_the_protocol_bounds_the_cost(lake: Path) -> None:
    here = open_lake(lake, protocols=[ae.Protocol(protocol="p", penalty=3)])
    (block,) = blocks(here, Question())
    assert block.ceiling == 300
    assert block.values.max() == 300


def test_intervals_of_measures_without_bounds(quality: Path) -> None:
    found = ask(quality)
    row = found.pairs.row(0, named=True)
    d = np.arange(1, 8) ** 2
    expected = unbounded_means(d, rng=np.random.default_rng(1))
    assert (row["lower"], row["upper"]) == (expected.lower, expected.upper)
    assert row["interval_method"] == "bootstrap-t"
    assert set(found.systems["interval_method"]) == {"bootstrap-t"}
    assert found.sentences[0].endswith(
        "n = 7 is too small for reliable 95 % intervals of means: cost has no bounds. In a simulation "
        "with skewed values and n = 5, 83 % of the 95 % intervals contained the true mean."
    )


def test_values_beyond_the_bounds_have_none(lake: Path) -> None:
    (block,) = blocks(opened(lake), Question())
    values = block.values[:, :1]
    for least, ceiling, method in (
        (0, 1000, "Gaffke"), (0, 999, "bootstrap-t"), (0.002, 1000, "bootstrap-t"),
        (0, None, "bootstrap-t"), (0, 1e301, "bootstrap-t"),
    ):  # fmt: skip
        other = replace(block, ceiling=ceiling)
        _, (row,) = mean_intervals(values, other, Question(), least=least, confidence=0.95)
        assert row["interval_method"] == method, (least, ceiling)


def test_a_hundred_units_are_enough_without_bounds(lake: Path) -> None:
    (block,) = blocks(opened(lake), Question(alpha=0.1))
    for n, method, few in (
        (99, UNBOUNDED, True), (100, UNBOUNDED, False), (99, FOLDS, True),
        (100, FOLDS, False), (2, BOUNDED, False),
    ):  # fmt: skip
        many = replace(block, values=np.ones((n, 2)))
        text = too_few(many, Question(alpha=0.1), method)
        assert bool(text) == few
        assert not few or f"n = {n} is too small for reliable 90 %" in text


def test_joint_intervals_are_wider(lake: Path, quality: Path) -> None:
    for where, pairs in ((lake, 3), (quality, 1)):
        alone, joint = ask(where).pairs, ask(where, joint=True).pairs
        wider = (joint["upper"] - joint["lower"]) > (alone["upper"] - alone["lower"])
        assert wider.all() == (pairs > 1)
        each = ask(where, alpha=0.05 / pairs).pairs
        for name in ("lower", "upper", "a12_lower", "a12_upper", "win_lower",
                     "win_upper", "shift_lower", "shift_upper"):  # fmt: skip
            assert joint[name].to_list() == pytest.approx(each[name].to_list())


def test_pairs_are_the_same_however_few_are_held_at_once(
    quality: Path, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for where in (quality, lake):
        whole = ask(where, kind="all").pairs
        with monkeypatch.context() as patch:
            patch.setattr("aslib_eval.analysis.compare.pairs._CELLS", 10)
            forget(where)
            parts = ask(where, kind="all").pairs
        assert parts.equals(whole)


def test_tests_by_ranks(lake: Path) -> None:
    nemenyi = ask(lake, test="nemenyi").pairs
    assert nemenyi["p"].equals(nemenyi["p_adjusted"])
    dunn = ask(lake, test="bonferroni-dunn", versus="A").pairs
    assert (dunn["p_adjusted"] / dunn["p"]).to_list() == pytest.approx([2, 2])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"metric": "gap"}, "there is no metric gap over instances"),
        ({"unit": "folds", "test": "wilcoxon"}, "folds share training instances, which wilcoxon ignores"),
        ({"test": "corrected-t"}, "instances are not resampled: corrected-t is for folds"),
        ({"test": "wilcoxn"}, "there is no test wilcoxn"),
        ({"test": "bonferroni-dunn"}, "bonferroni-dunn compares all with one solver"),
        ({"test": "nemenyi", "versus": "A"}, "nemenyi compares all pairs"),
        ({"alternative": "better"}, "a one-sided test needs a solver to compare with"),
        (
            {"alternative": "better", "test": "bonferroni-dunn", "versus": "A"},
            "bonferroni-dunn is two-sided",
        ),
        ({"alpha": 1.5}, "alpha = 1.5 must lie between 0 and 1"),
        ({"versus": ""}, "there is no solver ''"),
        ({"by": "family", "unit": "folds"}, "--by needs instances, not folds"),
        ({"differences": "relative"}, "there are no relative differences"),
    ],
)
def test_questions_that_make_no_sense(words: Any, message: str) -> None:
    with pytest.raises(AslibError) as error:
        Question(**words)
    assert error.value.message == message


def test_what_cannot_be_compared(lake: Path, imported: Callable[..., Path]) -> None:
    with pytest.raises(AslibError, match="there is no solver Z"):
        ask(lake, versus="Z")
    hint = "To compare a single solver with SBS, add --versus SBS"
    with pytest.raises(AslibError, match=f"a comparison of cost over .* needs two selectors.*{hint}"):
        ask(lake, kind="selector")
    single = imported("One", runs=runs({"A": [1], "B": [2]}))
    here = open_lake(single, scenarios=["One"])
    for _ in range(2):  # an error is no answer that is kept
        with pytest.raises(AslibError, match="1 instance is too few for a comparison"):
            compare(here)


# --- real scenarios -----------------------------------------------------------------


@pytest.mark.slow
def test_effects_stay_defined_where_medians_are_the_penalty(real_lake: Path) -> None:
    """SAT11-HAND-ALGO, where autorank's effects are 0 / 0 and called large."""
    asked = Question(inside="instances")
    found = compare(open_lake(real_lake, scenarios=["SAT11-HAND-ALGO"]), asked)
    assert set(found.pairs["decided_by"]) == {"data"}
    numbers = found.pairs.select(pl.col(pl.Float64)).drop("both_lower", "both_upper")
    assert numbers.null_count().row(0) == (0,) * numbers.width
    assert all(numbers[name].is_finite().all() for name in numbers.columns)
    medians = found.systems["median"]
    assert (medians == 50000).sum() >= 10
    assert set(found.pairs["magnitude"]) <= {"negligible", "small"}
    assert found.pairs["n_nobody"].unique().to_list() == [77]


@pytest.mark.slow
def test_real_selectors_against_sbs_and_over_scenarios(shared: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    names = ("MIP-2016", "CPMP-2015", "BNSL-2016")
    ae.import_scenarios([shared / "aslib" / name for name in names], into=lake)
    for name in names:
        import_selections(shared / "selections" / name, lake=lake, scenario=name)
    found = ask(lake, kind="selector", versus="SBS")
    assert found.pairs.height == 3 * 6
    assert found.pairs.select("scenario_id", "n").unique().sort("n").rows() == [
        ("MIP-2016", 218), ("CPMP-2015", 527), ("BNSL-2016", 1179)
    ]  # fmt: skip
    assert "folds of a selector share training instances" in found.sentences[0]
    over = ask(lake, kind="selector", unit="scenarios", metric="closed_gap")
    assert set(over.pairs["n"]) == {3}
    assert over.pairs["winner"].null_count() == 15  # three scenarios show nothing


# --- the command --------------------------------------------------------------------


def run(lake: Path, *words: str) -> Any:
    return CliRunner().invoke(main, ["compare", "--lake", str(lake), *words])


def test_a_question_asked_again_loads_no_library_of_arithmetic(lake: Path) -> None:
    first = run(lake)
    words = ["compare", "--lake", str(lake)]
    code = (
        f"import sys; from aslib_eval.cli import main;"
        f" main({words}, standalone_mode=False);"
        f" sys.exit(str({{'numpy', 'scipy', 'pyarrow', 'asyncio'}} & {{*sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == f"{first.stderr}set()\n"
    assert done.stdout == first.stdout


def test_the_shift_between_two_real_solvers(shared: Path, tmp_path: Path) -> None:
    # By all 62,481 averages of two of the 353 differences.
    path = shared / "aslib" / "SAT18-EXP"
    ae.import_scenarios([path], into=tmp_path / "lake")
    asked = Question(versus="expMC_LRB_VSIDS_Switch_2500", kind="algorithm", inside="instances")
    pairs = compare(open_lake(tmp_path / "lake"), asked).pairs
    columns = ["n", "shift", "shift_lower", "shift_upper"]
    (found,) = pairs.filter(pairs["system"] == "YalSAT").select(columns).rows()
    shifts = pytest.approx([-24509.600, -24732.928, -23735.231], abs=1e-3)
    assert (found[0], list(found[1:])) == (353, shifts)
