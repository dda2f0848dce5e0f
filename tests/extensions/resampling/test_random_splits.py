"""Random splits: from their seed alone, and only those that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.resampling.random_splits import over_splits
from tests.lab import GivenLake, runs


def test_splits_that_cannot_be_shown(given: GivenLake) -> None:
    lake = given(runs(A=[1], B=[2]))
    with pytest.raises(AslibError, match="cannot show 'x'"):
        over_splits(lake, "aslib", show="x")
    with pytest.raises(AslibError, match=r"no scenario has this scheme. There are aslib"):
        over_splits(lake, "mine")


def test_an_open_lake_is_only_read(toy: Path) -> None:
    with ae.open(toy) as held, pytest.raises(AslibError, match="is only read"):
        ae.resample(held, repeats=1, folds=2)
