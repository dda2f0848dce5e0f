"""Audits: what of a selector's gap is left without siblings in training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import audits
from aslib_eval.extensions.training.audits import AuditRule, audit, change_interval
from aslib_eval.extensions.training.models import LearnedSchedule, Lesson, OwnSelector
from aslib_eval.extensions.training.training import Split
from aslib_eval.statistics.distributions import Floats
from aslib_eval.statistics.means import fieller
from tests.conftest import arff, write_scenario

FAMILIES, MEMBERS = "abcdefghij", 6
Made = Callable[[Any], Path]
Near = Callable[[Any], dict[str, dict[str, Any]]]


def nearest(lesson: Lesson) -> list[LearnedSchedule]:
    """The best algorithm of the nearest instance that was trained on."""
    best = lesson.costs.argmin(axis=1)
    away = np.abs(lesson.test[:, None, :] - lesson.features).sum(axis=2)
    return [LearnedSchedule((), ((int(best[at]), None),)) for at in away.argmin(axis=1)]


NEAR = partial(AuditRule, "near", learner=OwnSelector(nearest))
STEPS = """\
features_deterministic:
- f
default_steps:
- s
feature_steps:
  s:
    provides:
    - f
"""
NUMBERS = {"instance_id": "STRING", "repetition": "NUMERIC"}


def lake_of(folder: Path, name: str, feature: Any) -> Path:
    """A scenario whose every family has one best algorithm, the next one another.

    feature: of the number of the family, of the member, and of the best algorithm.
    """
    members = [(n, m, n % 3) for n in range(len(FAMILIES)) for m in range(MEMBERS)]
    ids = [f"{FAMILIES[n]}_{m}" for n, m, _ in members]
    runs = [
        (i, 1, algorithm, 1 if at == best else 50, "ok")
        for i, (_, _, best) in zip(ids, members, strict=True)
        for at, algorithm in enumerate("xyz")
    ]
    folds = {i: m % 3 + 1 for i, (_, m, _) in zip(ids, members, strict=True)}
    made = write_scenario(folder / name, runs=runs, folds=folds, description=STEPS)
    values = [(i, 1, feature(*of)) for i, of in zip(ids, members, strict=True)]
    text = arff({**NUMBERS, "f": "NUMERIC"}, values)
    (made / "feature_values.arff").write_text(text)
    costs = arff({**NUMBERS, "s": "NUMERIC"}, [(i, 1, 0) for i in ids])
    if name == "Priced":
        (made / "feature_costs.arff").write_text(costs)
    (outcome,) = ae.import_scenarios([made], into=folder / "lake")
    assert outcome.error is None, outcome.error
    return folder / "lake"


def planted(family: int, member: int, _best: int) -> float:
    return family + member / 100


def honest(_family: int, member: int, best: int) -> float:
    return best + member / 100


def misleading(_family: int, member: int, best: int) -> float:
    return (best + 1) % 3 + member / 100


def noise(family: int, member: int, _best: int) -> float:
    return (member * 7 + family) % 5


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A lake with a scenario S, by what its feature says; no audit changes it."""
    return cache(lambda feature: lake_of(tmp_path_factory.mktemp("audited"), "S", feature))


def audited(lake: Path, **of: Any) -> dict[str, dict[str, Any]]:
    notes: list[str] = []
    found = audit(lake, NEAR(draws=200, **of), note=notes.append)
    assert notes == []
    return {row["trial"]: row for row in found.to_dicts()}


@pytest.fixture(scope="module")
def near_on(made: Made) -> Near:
    """The audit of the nearest neighbour, by what the feature of the scenario says."""
    return cache(lambda feature: audited(made(feature)))


def test_what_knows_families_alone_falls_and_what_is_honest_stays(near_on: Near) -> None:
    alone = near_on(planted)
    gaps = {name: row["closed_gap"] for name, row in alone.items()}
    assert gaps["folds"] == gaps["family's name"] == 1
    # The nearest family has another best algorithm: all is wrong, SBS is right on 4
    # of 10 families.
    assert gaps["family left out"] == pytest.approx(1 - 49 / (0.6 * 49))
    assert gaps["families together"] <= 0
    assert alone["family left out"]["survives"] == gaps["family left out"]
    assert alone["family left out"]["change_high"] < 0
    assert alone["feature costs"]["closed_gap"] is None
    why = "the scenario lacks the costs of its features"
    assert alone["feature costs"]["reason"] == why

    fair = near_on(honest)
    for name in ("folds", "families together", "family left out"):
        row = fair[name]
        assert (row["closed_gap"], row["survives"], row["change"]) == (1, 1, 0)
        assert (row["n"], row["n_families"]) == (60, 10)
    permuted = fair["features permuted"]
    assert permuted["closed_gap"] < 0.5
    assert permuted["gap_low"] < permuted["closed_gap"] < permuted["gap_high"]
    assert permuted["change"] == permuted["closed_gap"] - 1


def test_another_scenario_teaches_what_it_shares(tmp_path: Path) -> None:
    lake_of(tmp_path, "Priced", honest)
    # There the features say the same, in the other direction they mislead.
    lake = lake_of(tmp_path, "T", misleading)
    rows = audit(lake, NEAR(draws=9), note=print)
    moved = rows.filter(trial="trained on T", scenario_id="Priced").row(0, named=True)
    assert moved["closed_gap"] == pytest.approx(1 - 49 / (0.6 * 49))
    # All features cost the same: nobody can tell instances apart.
    priced = rows.filter(trial="feature costs", scenario_id="Priced").row(0, named=True)
    assert priced["closed_gap"] <= 0


def test_a_gap_that_is_not_there_cannot_survive(tmp_path: Path, made: Made) -> None:
    lake = made(noise)
    (tmp_path / "one.csv").write_text(
        "instance_id,family\n" + "".join(f"{f}_{m},all\n" for f in FAMILIES for m in range(MEMBERS))
    )
    found = audited(lake, groups=tmp_path / "one.csv")
    for name in ("families together", "family left out"):
        row = found[name]
        assert row["closed_gap"] is None
        assert row["reason"] == "all instances are of one family"
    row = found["features permuted"]
    assert row["closed_gap"] < 0.5
    assert (row["survives"], row["gap_low"], row["change_low"]) == (None, None, None)
    assert row["reason"] == "the column survives needs a positive closed gap; one family has no interval"


@pytest.mark.parametrize(
    ("families", "why"),
    [
        (2, "the column survives needs a positive closed gap; two families have no interval"),
        (
            3,
            (
                "the column survives needs a positive closed gap; an interval is unbounded because SBS may "
                "be as good as VBS"
            ),
        ),
    ],
)
def test_few_families_have_no_interval_and_say_why(
    tmp_path: Path, families: int, why: str, made: Made
) -> None:
    lake = made(noise)
    lines = [f"{f}_{m},{at % families}\n" for at, f in enumerate(FAMILIES) for m in range(MEMBERS)]
    (tmp_path / "few.csv").write_text("instance_id,family\n" + "".join(lines))
    row = audited(lake, groups=tmp_path / "few.csv")["features permuted"]
    assert row["reason"] == why
    assert (row["gap_low"], row["change_low"]) == (None, None)


def test_a_selector_of_ones_own(made: Made, near_on: Near) -> None:
    lake = made(planted)

    def near(features: Any, costs: Any, test: Any) -> Any:
        away = np.abs(test[:, None, :] - features).sum(axis=2)
        return costs[away.argmin(axis=1)]

    own = {row["trial"]: row for row in ae.audit(near, lake, draws=200).to_dicts()}
    assert own == near_on(planted)
    assert "near" not in ae.gap(lake, kinds=["selector"])["solver"].to_list()

    with pytest.raises(AslibError, match=r"^audit: no selector nae\."):
        audit(lake, AuditRule("nae"), note=print)
    notes: list[str] = []
    with pytest.raises(AslibError, match="no scenario can be audited"):
        ae.audit(lambda *_: [0], lake, note=notes.append)
    assert "the selector returned int64 of shape (1,) for 20 instances" in notes[0]


def test_a_selector_that_remembers_other_folds_is_named(made: Made) -> None:
    calls: list[int] = []

    def remembers(_: Any, __: Any, test: Any) -> Any:
        calls.append(len(calls) % 3)
        return [calls[-1]] * len(test)

    found = ae.audit(remembers, made(noise), draws=50)
    row = found.filter(trial="folds backwards").row(0, named=True)
    # Folds 1, 2, 3 get 0, 1, 2. After 20 calls for families, folds 3, 2, 1 get 2, 0, 1.
    assert "40 answers changed with the order of the folds" in row["reason"]


def test_a_selector_that_looks_runs_up_is_named(made: Made, near_on: Near) -> None:
    """It finds the instance by its features, and the best algorithm by its name."""
    lake = made(honest)

    def looks_up(features: Any, costs: Any, test: Any) -> Any:
        least, most = features[:, 0].min(), features[:, 0].max()
        at = np.rint((test[:, 0] - least) / (most - least) * 2).astype(int)
        return np.clip(at, 0, costs.shape[1] - 1)

    found = ae.audit(looks_up, lake, draws=50)
    rows = {row["trial"]: row for row in found.to_dicts()}
    assert rows["folds"]["closed_gap"] == rows["family left out"]["survives"] == 1
    assert rows["algorithms renamed"]["closed_gap"] <= 0
    assert "depends on the names of algorithms" in rows["algorithms renamed"]["reason"]
    assert "as good as VBS on families" in rows["family left out"]["reason"]

    for trial in ("folds backwards", "algorithms renamed"):
        row = near_on(honest)[trial]
        assert (row["closed_gap"], row["survives"], row["reason"]) == (1, 1, None)


def test_a_selector_that_is_sbs_once_algorithms_are_renamed_is_named(made: Made) -> None:
    def looks_up_x(features: Any, costs: Any, test: Any) -> Any:
        sbs = int(costs.mean(axis=0).argmin())
        least, most = features[:, 0].min(), features[:, 0].max()
        at = np.rint((test[:, 0] - least) / (most - least) * 2).astype(int)
        return np.clip(at, 0, 2) if sbs == 0 else [sbs] * len(test)

    found = ae.audit(looks_up_x, made(honest), draws=50)
    gaps = dict(found.select("trial", "closed_gap").rows())
    assert (gaps["folds"], gaps["algorithms renamed"]) == (1, 0)
    row = found.filter(trial="algorithms renamed").row(0, named=True)
    assert "depends on the names of algorithms" in row["reason"]


def test_a_trial_that_fails_keeps_no_other_from_being_told(made: Made) -> None:
    lake = made(honest)

    def picky(features: Any, costs: Any, test: Any) -> Any:
        if features.shape[1] > 1:
            raise ValueError("one feature was expected")
        return [costs.mean(axis=0).argmin()] * len(test)

    found = ae.audit(picky, lake, draws=50)
    row = found.filter(trial="family's name").row(0, named=True)
    assert row["closed_gap"] is None
    assert "one feature was expected" in row["reason"]
    assert found.filter(trial="folds")["closed_gap"].is_not_null().all()


def test_what_cannot_be_audited_is_told(made: Made) -> None:
    lake = made(honest)
    notes: list[str] = []
    rule = NEAR(scheme="nothing")
    with pytest.raises(AslibError, match="no scenario can be audited"):
        audit(lake, rule, note=notes.append)
    assert "has no split 'nothing'" in notes[0]
    # Nothing is left behind.
    here = open_lake(lake)
    assert here.rows("select distinct cv_scheme from raw_fold") == [("aslib",)]


def test_no_family_is_ever_trained_on_where_it_is_kept_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Made
) -> None:
    lake = made(honest)
    # Ten families of any sizes, whose members have all names.
    number = np.random.default_rng(1).integers(10, size=60)
    ids = [f"{family}_{member}" for family in FAMILIES for member in range(MEMBERS)]
    of = dict(zip(ids, number.tolist(), strict=True))
    lines = ["instance_id,family", *(f"{i},{family}" for i, family in of.items())]
    (tmp_path / "families.csv").write_text("\n".join(lines) + "\n")
    seen: dict[str, list[tuple[set[int], set[int]]]] = {}
    answers = audits._answers  # noqa: SLF001

    def spy(unit: Any) -> Any:
        names = unit[0].problem.instances
        taught, asked = ({of[names[row]] for row in rows} for rows in (unit[1][0].train, unit[1][0].test))
        seen.setdefault(unit[0].name, []).append((taught, asked))
        return answers(unit)

    monkeypatch.setattr(audits, "_answers", spy)
    audited(lake, groups=tmp_path / "families.csv")
    families = set(of.values())
    for trial in ("families together", "family left out"):
        assert set().union(*(asked for _, asked in seen[trial])) == families
        for taught, asked in seen[trial]:
            assert not taught & asked
            assert taught | asked == families
    assert {len(asked) for _, asked in seen["family left out"]} == {1}
    assert any(taught & asked for taught, asked in seen["folds"])


def test_folds_of_whole_families_are_as_even_as_can_be() -> None:
    codes = np.repeat(np.arange(4), [6, 3, 2, 1])
    folds = audits._whole(codes, 2, np.random.default_rng(1))  # noqa: SLF001
    assert np.bincount(folds).tolist() == [0, 6, 6]
    assert all(len(set(folds[codes == family])) == 1 for family in range(4))


def test_siblings_without_a_fold_are_not_trained_on_either() -> None:
    codes = np.array([0, 0, 1, 1, 2])  # a1 is tested, a2 has no fold
    split = Split(1, 1, np.array([1, 2, 3, 4]), np.array([0]))
    found = audits._without_siblings(split, codes)  # noqa: SLF001
    assert (found.train.tolist(), found.test.tolist()) == ([2, 3, 4], [0])


def test_a_fixed_split_trains_on_no_family_that_it_tests(
    monkeypatch: pytest.MonkeyPatch, made: Made
) -> None:
    lake = made(honest)
    schemes = audits._family_schemes  # noqa: SLF001

    def fixed(own: Any) -> dict[str, str]:
        # The first two of each family are trained on alone.
        some = frozenset(name for name in own.tested if name[-1] not in "01")
        return schemes(replace(own, tested=some))

    monkeypatch.setattr(audits, "_family_schemes", fixed)
    seen: list[tuple[set[str], set[str]]] = []
    answers = audits._answers  # noqa: SLF001

    def spy(unit: Any) -> Any:
        if unit[0].name == "family left out":
            rows = unit[1][0].train, unit[1][0].test
            names = unit[0].problem.instances
            seen.append(tuple({names[at][0] for at in each} for each in rows))
        return answers(unit)

    monkeypatch.setattr(audits, "_answers", spy)
    audited(lake)
    assert [(len(taught), len(asked)) for taught, asked in seen] == [(9, 1)] * 10
    assert not any(taught & asked for taught, asked in seen)


LOSS = np.array([[0.0, 3, 1], [2, 0, 0], [0, 5, 1], [4, 0, 1], [0, 1, 0], [1, 0, 1]])


def test_a_change_has_the_same_union_and_no_end_at_nothing_saved() -> None:
    saved = LOSS[:, 2] - np.array([2.0, 0, 3, 1, 0, 4])  # the second costs more
    each = [fieller(saved[:, None], LOSS[:, one], level=0.5) for one in (0, 1)]
    draws, sbs = np.full(100, -0.7), np.array([0, 1] + [0] * 99)

    def found(changes: Floats, sbs: NDArray[np.int64]) -> tuple[float, float]:
        return change_interval(saved, LOSS, changes, sbs, level=0.5)

    both = found(draws, sbs)
    assert both[0] == min(each[0][0][0], each[1][0][0]) < -0.7
    assert both[1] == max(each[0][1][0], each[1][1][0]) > -0.7
    alone = found(draws, 0 * sbs)
    assert alone == (each[0][0][0], each[0][1][0]) != both
    wide = np.repeat([-9.0, 8.0], 50)
    assert found(wide, sbs) == (-9, 8)
    # Of one solver to itself nothing changes; where SBS may be VBS all may be.
    assert change_interval(0 * saved, LOSS, 0 * draws, sbs, level=0.5) == (0, 0)
    none = LOSS * [0, 1, 1]
    assert change_interval(saved, none, draws, sbs, level=0.5) == (-np.inf, np.inf)
