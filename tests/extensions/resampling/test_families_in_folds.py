"""Random splits whose folds have their share of each value of an attribute."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.extensions.resampling import random_splits
from tests.conftest import CV, arff, rows, write_scenario

VALUES = {"a": 12, "b": 9, "": 6, "c": 3}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("folds")
    of = {f"i{n}{v}": v for v, size in VALUES.items() for n in range(size)}
    runs = [(i, 1, a, 3, "ok") for i in of for a in ("ant", "bee")]
    folder = write_scenario(home / "S", runs=runs)
    lines = ["instance,track", *(f"{i},{v}" for i, v in of.items())]
    (home / "a.csv").write_text("\n".join(lines) + "\n")
    ae.import_scenarios(folder, into=home / "lake", attributes=home / "a.csv")
    return home / "lake"


def folds(lake: Path, name: str) -> list[tuple[int, int, str]]:
    con = ae.connect(lake, stored=False)
    columns = "select cv_repetition, fold, instance_id::varchar from raw_fold"
    return rows(con, f"{columns} where cv_scheme = '{name}' order by all")


def test_each_fold_has_its_share_of_each_value(lake: Path) -> None:
    asked = {"repeats": 2, "folds": 3, "by": "family", "attribute": "track"}
    ae.resample(lake, **asked, name="one")
    found = folds(lake, "one")
    counts = Counter((r, f, i.lstrip("i0123456789")) for r, f, i in found)
    for repetition in (1, 2):
        for value, size in VALUES.items():
            of_folds = [counts[repetition, fold, value] for fold in (1, 2, 3)]
            assert of_folds == [size / 3] * 3
    assert found[:30] != [(1, f, i) for r, f, i in found[30:]]
    ae.resample(lake, **asked, name="again")
    assert folds(lake, "again") == found
    ae.resample(lake, **asked, seed=2, name="other")
    assert folds(lake, "other") != found


def test_a_family_that_is_kept_together_is_in_one_fold(lake: Path) -> None:
    asked = {"by": "family", "attribute": "track", "keep_together": True}
    ae.resample(lake, **asked, repeats=3, folds=4, name="whole")
    found = {(r, i.lstrip("i0123456789"), f) for r, f, i in folds(lake, "whole")}
    assert len(found) == 3 * len(VALUES)  # four families, four folds: each left out
    made, _ = random_splits.make_schemes(
        lake, repeats=1, folds=2, by="family", attribute="track", together=True
    )
    assert (made[0].cv_scheme, made[0].n_groups) == ("families-1x2-s1", 4)
    with pytest.raises(ae.AslibError, match="cannot fill 5 folds"):
        ae.resample(lake, **asked, folds=5)


def test_what_a_split_was_made_of_is_recorded(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[dict[str, Any]] = []
    monkeypatch.setattr(random_splits, "store_folds", lambda *_, facts: stored.append(facts))
    asked = {"by": "family", "attribute": "track"}
    random_splits.make_schemes(lake, repeats=1, folds=3, **asked)
    random_splits.make_schemes(lake, repeats=1, folds=3)
    random_splits.make_schemes(lake, repeats=1, folds=3, together=True, **asked)
    assert stored == [
        {"by": "family", "repeats": 1, "folds": 3, "seed": 1, "attribute": "track"},
        {"by": "plain", "repeats": 1, "folds": 3, "seed": 1},
        {**asked, "repeats": 1, "folds": 3, "seed": 1, "together": True},
    ]


def test_an_attribute_is_of_families_and_must_be_there(lake: Path) -> None:
    with pytest.raises(ae.AslibError, match="no instance has the attribute none"):
        ae.resample(lake, by="family", attribute="none")
    with pytest.raises(ae.AslibError, match="needs by='family'"):
        ae.resample(lake, by="hardness", attribute="track")


def test_the_attribute_family_goes_before_the_names(tmp_path: Path) -> None:
    names = [f"x{n}/i" for n in range(4)]
    runs = [(i, 1, a, 3, "ok") for i in names for a in ("ant", "bee")]
    folder = write_scenario(tmp_path / "S", runs=runs)
    said: list[str] = []
    asked = {"repeats": 1, "folds": 2, "by": "family", "note": said.append}
    ae.import_scenarios(folder, into=tmp_path / "l")
    ae.resample(tmp_path / "l", **asked)
    lines = ["instance,family", *(f"{i},{i < 'x2'}" for i in names)]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    ae.import_scenarios(folder, into=tmp_path / "l", family=tmp_path / "a.csv")
    ae.resample(tmp_path / "l", **asked)
    strata = [found[0] for text in said if (found := re.search(r"\d strata", text))]
    assert strata == ["4 strata", "2 strata"]


def test_gaps_over_other_folds_than_those_of_algorithms_are_said(tmp_path: Path) -> None:
    # Two repetitions of two folds, and a selector that was trained for one of them.
    instances = [f"i{n}" for n in range(4)]
    folder = write_scenario(
        tmp_path / "S",
        runs=[(i, 1, a, 1 + n * k % 5, "ok") for n, i in enumerate(instances)
              for k, a in enumerate("AB", 1)],
    )  # fmt: skip
    split = [(i, r, 1 + n // r % 2) for r in (1, 2) for n, i in enumerate(instances)]
    (folder / "cv.arff").write_text(arff(CV, split))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    says = ["cv_repetition,instance_id,algorithm", *(f"1,{i},A" for i in instances)]
    (tmp_path / "once.csv").write_text("\n".join([*says, ""]))
    once = tmp_path / "once.csv"
    ae.import_selection(once, tmp_path / "lake", name="once", scenario="S")
    said: list[str] = []
    for metrics in ([], ["par1"]):
        ae.gap(tmp_path / "lake", fold_mean=True, metrics=metrics, note=said.append)
    ae.gap(tmp_path / "lake", fold_mean=True, kinds=["selector"], note=said.append)
    ae.gap(tmp_path / "lake", note=said.append)
    text = (
        "S (runtime), default+fold-mean: the gaps of once use 2 folds, but the gaps of algorithms"
        " use 4 (all repetitions of the cross-validation), so do not compare selectors with algorithms"
    )
    assert said == [text, text]
