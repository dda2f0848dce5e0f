"""What is stored of training, with a selector by hand that needs no library."""

from __future__ import annotations

import dataclasses
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import models, training
from aslib_eval.extensions.training import models as learners
from aslib_eval.extensions.training.cli import _report
from aslib_eval.extensions.training.models import SELECTORS, LearnedSchedule, Lesson, OwnSelector, SpentTime
from aslib_eval.extensions.training.training import (
    Trained,
    _journals,
    _times,
    for_training,
    predict_split,
    read_problem,
    read_splits,
    require_cutoff,
    train,
)
from aslib_eval.selections import store_selection
from aslib_eval.selections.store import times_as_facts
from tests.conftest import arff, rows, write_scenario

RUNS = [
    ("i1", 1, "b", 4, "ok"), ("i1", 1, "a", 9, "ok"), ("i1", 1, "new", 1, "ok"),
    ("i2", 1, "b", 7, "ok"), ("i2", 1, "a", 5, "ok"), ("i2", 1, "new", "?", "other"),
    ("i3", 1, "b", 8, "ok"), ("i3", 1, "a", "?", "other"),
    ("i3", 1, "new", "?", "other"),
]  # fmt: skip
STEPS = """\
features_deterministic: [size, odd]
features_stochastic: []
default_steps: [main, late]
feature_steps:
  main: {provides: [size]}
  late: {provides: [odd]}
"""
SAID = """
    select cv_scheme, cv_repetition, fold, instance_id, position, action, name, budget
    from raw_selection order by all
"""
LESSONS: list[Lesson] = []


def by_hand(lesson: Lesson) -> list[LearnedSchedule]:
    """The worst of the training part for a second and a half, and then its best."""
    LESSONS.append(lesson)
    order = np.argsort(lesson.costs.mean(axis=0), kind="stable")
    schedule = LearnedSchedule(((int(order[-1]), 1.5),), ((int(order[0]), None),))
    return [schedule] * len(lesson.test)


@pytest.fixture(autouse=True)
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    LESSONS.clear()
    none: Any = SimpleNamespace(threadpool_limits=lambda _: nullcontext())
    monkeypatch.setitem(sys.modules, "threadpoolctl", none)
    monkeypatch.setattr(models, "RF", OwnSelector(by_hand))
    monkeypatch.setattr(learners, "require_extra", lambda *_, **__: None)
    monkeypatch.setattr(training, "version", lambda name: f"{name} 1")
    monkeypatch.setattr(training, "__version__", "7")


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folds = {"i1": 1, "i2": 1, "i3": 2}
    folder = write_scenario(tmp_path / "S", runs=RUNS, folds=folds, description=STEPS)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "size": "NUMERIC"}
    columns |= {"odd": "NUMERIC"}
    values = [("i1", 1, 1, "?"), ("i2", 1, 2, "?"), ("i3", 1, 5, 4)]
    (folder / "feature_values.arff").write_text(arff(columns, values))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    return tmp_path / "lake"


def test_each_split_is_learned_from_its_training_part_and_stored(lake: Path) -> None:
    same = ("rf chose new, then b on all 3 instances that it answers.",)
    (outcome,) = train(lake, ["rf"], jobs=1)
    assert outcome == Trained("S", "aslib", ("rf",), 2, 0, same=same)
    assert not (lake / ".training").exists()
    first, second = LESSONS
    assert first.costs.tolist() == [[1000, 8, 1000]]
    assert second.costs.tolist() == [[9, 4, 1], [5, 7, 1000]]
    assert second.times.tolist() == [[9, 4, 1], [5, 7, 100]]
    assert second.solved.tolist() == [[True, True, True], [True, True, False]]
    assert (second.features.tolist(), second.test.tolist()) == ([[-1], [1]], [[7]])
    assert (second.cutoff, second.penalty, first.seed) == (100, 10, 819515090)
    # i3 gives both features, i1 and i2 only the first: the other step is not paid for.
    assert rows(ae.connect(lake), SAID) == [
        ("aslib", 1, 1, "i1", 1, "algorithm", "new", 1.5),
        ("aslib", 1, 1, "i1", 2, "feature_step", "main", None),
        ("aslib", 1, 1, "i1", 3, "feature_step", "late", None),
        ("aslib", 1, 1, "i1", 4, "algorithm", "b", None),
        ("aslib", 1, 1, "i2", 1, "algorithm", "new", 1.5),
        ("aslib", 1, 1, "i2", 2, "feature_step", "main", None),
        ("aslib", 1, 1, "i2", 3, "feature_step", "late", None),
        ("aslib", 1, 1, "i2", 4, "algorithm", "b", None),
        ("aslib", 1, 2, "i3", 1, "algorithm", "new", 1.5),
        ("aslib", 1, 2, "i3", 2, "feature_step", "main", None),
        ("aslib", 1, 2, "i3", 3, "algorithm", "b", None),
    ]


def test_what_was_done_before_is_taken_from_its_journal(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopping(*asked: Any, **named: Any) -> Any:
        if len(LESSONS) == 1:
            raise KeyboardInterrupt
        return predict_split(*asked, **named)

    with monkeypatch.context() as patch:
        patch.setattr(training, "predict_split", stopping)
        with pytest.raises(KeyboardInterrupt):
            train(lake, ["rf"], jobs=1)
    with ThreadPoolExecutor(1) as pool:
        (outcome,) = train(lake, ["rf"], executor=pool, jobs=1)
    assert (outcome.n_splits, outcome.n_resumed, len(LESSONS)) == (2, 1, 2)
    assert len(rows(ae.connect(lake), SAID)) == 11


def test_a_journal_is_of_its_data_seed_versions_and_splits(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_lake(lake, protocols=[for_training("default")])
    problem = read_problem(opened, "S")
    splits = read_splits(opened, problem, "aslib")

    def key(seed: int = 1, n: int = 2, **of: Any) -> str:
        asked = dataclasses.replace(problem, **of)
        journals = _journals(lake, asked, splits[:n], ["rf", "rf"], seed)
        (found,) = {journal.key for journal in journals}
        assert len(journals) == 1
        return found

    keys = [key(), key(seed=2), key(n=1), key(cutoff=99.0)]
    monkeypatch.setattr(training, "version", lambda name: f"{name} 2")
    keys.append(key())
    monkeypatch.setattr(training, "code", lambda: "other")
    keys.append(key())
    assert len(set(keys)) == 6
    assert key() == keys[-1]


def test_times_are_means_over_folds_and_instances() -> None:
    done: Any = {("rf", 1, 1): {"i": [], "j": []}, ("rf", 1, 2): {"k": []}}
    took = [SpentTime(2, 1), SpentTime(4, 2)]
    spent = dict(zip(done, took, strict=True)) | {("x", 1, 1): SpentTime(99, 99)}
    assert _times("rf", done, spent) == times_as_facts([2, 4], [0.5, 0.5, 2])


def test_what_is_not_choosing_is_training(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1.0, 4.0, 6.0, 7.0, 7.5, 20.0, 30.0, 31.0])
    monkeypatch.setattr(models, "thread_time", lambda: next(clock))
    with models.timed() as spent:
        for _ in range(2):
            with models._choosing():  # noqa: SLF001
                pass
    assert (spent.training, spent.choosing) == (19 - 2.5, 2.5)
    with models._choosing():  # noqa: SLF001 - nobody asked for the time
        pass
    assert spent.choosing == 2.5


def test_predictions_that_were_not_trained_are_kept(lake: Path) -> None:
    train(lake, ["rf"], jobs=1)
    table = pq.read_table(next(lake.glob("selection/*/part-0.parquet")))
    own = table.filter(pc.equal(table["selector"], "rf")).drop(
        [n for n in ("scenario_id", "selector") if n in table.column_names]
    )
    store_selection(lake, "S", "rf", selection=own, facts={"file": "rf.csv"})
    (outcome,) = train(lake, ["rf"], jobs=1)
    assert str(outcome.error) == (
        "S: holds imported predictions of rf on aslib (rf.csv). "
        "To replace them, add --replace. To keep them, add --prefix."
    )
    assert train(lake, ["rf"], jobs=1, prefix="x-")[0].selectors == ("x-rf",)
    (outcome,) = train(lake, ["rf"], jobs=1, replace=True)
    assert (outcome.error, outcome.replaced) == (None, ("rf (rf.csv)",))


def test_what_cannot_be_trained_is_refused(lake: Path) -> None:
    seeds = "Choose one from 0 to 2^63 - 1."
    for words, named, message in (
        (["rx"], {}, "train: no selector rx. Available: " + ", ".join(SELECTORS) + "."),
        ([], {}, "train: no selector is named"),
        (["rf"], {"target": "gab"}, "train: no target gab. Did you mean 'gap'?"),
        (["rf"], {"seed": 2**63}, f"train: the seed {2**63} cannot be used. {seeds}"),
        (["rf"], {"seed": -1}, f"train: the seed -1 cannot be used. {seeds}"),
        (["rf"], {"prefix": "a\t"}, "train: the prefix 'a\\t' is not printable"),
    ):  # fmt: skip
        with pytest.raises(AslibError) as refused:
            train(lake, words, **named)  # type: ignore[arg-type]
        assert str(refused.value) == message
    problem: Any = SimpleNamespace(cutoff=None, scenario_id="Q")
    with pytest.raises(AslibError, match=r"^Q: has no cutoff on runtimes, and sunny a"):
        require_cutoff(problem, SELECTORS)
    needless = {n: each for n, each in SELECTORS.items() if not each.needs_cutoff}
    assert list(needless) == ["rf", "rfreg", "zilla", "isac"]
    require_cutoff(problem, needless)
    with pytest.raises(AslibError, match=r"runtimes, and asap divides one"):
        require_cutoff(problem, {"asap": SELECTORS["asap"]})


def test_a_lake_that_cannot_be_written_is_noticed_first(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != lake)
    with pytest.raises(AslibError) as refused:
        train(lake, ["rf"], jobs=1)
    assert str(refused.value) == (
        f"{lake}: cannot be written (Permission denied). Make the lake writable or"
        " name another --lake; nothing was trained."
    )
    assert LESSONS == []
    assert not (lake / ".training").exists()


def test_a_line_and_notes_for_each_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    for outcome in (
        Trained("A", "aslib", ("rf", "isac"), 8, 3, None, ("rf (seed 1)",)),
        Trained("B", "own", ("rf",), 4, elsewhere={"rf": "aslib"}, same=("Same.",)),
        Trained("C", "own", error=AslibError("no", "C")),
    ):
        _report(outcome)
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        ("trained A: rf, isac; 8 splits of aslib, 3 of them done before; replaced rf (seed 1)"),
        "trained B: rf; 4 splits of own",
    ]
    assert said.err.splitlines() == [
        "note: B: Same.",
        (
            "note: B: 'gap' scores rf by its predictions on aslib. "
            "Its predictions on own are in instance_selector and split_gap."
        ),
        "C: no",
    ]


def test_trained_again_it_takes_the_place_of_what_was_trained_otherwise(lake: Path) -> None:
    train(lake, ["rf"], jobs=1)
    assert train(lake, ["rf"], jobs=1)[0].replaced == ()
    (outcome,) = train(lake, ["rf"], jobs=1, seed=2)
    assert outcome.replaced == ("rf (seed 1, aslib-eval 7)",)
    assert len({lesson.seed for lesson in LESSONS}) == 4
