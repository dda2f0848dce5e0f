"""What ``resample`` hands to the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_calls import called
from tests.cli.test_calls import opened as opened  # noqa: PLC0414 - a fixture

# name → command line, function, its arguments.
CALLS: dict[str, tuple[str, str, tuple[Any, ...], dict[str, Any]]] = {
    "resample": (
        (
            "resample --lake L --scenario A --repeats 2 --folds 3 --seed 4 --by family "
            "--groups g.csv --name n"
        ),
        "aslib_eval.extensions.resampling.random_splits:make_schemes",
        (Path("L"),),
        {
            "scenarios": ("A",),
            "repeats": 2,
            "folds": 3,
            "seed": 4,
            "by": "family",
            "groups": Path("g.csv"),
            "attribute": None,
            "together": False,
            "name": "n",
        },
    ),
    "resample --attribute": (
        "resample --by family --attribute a --keep-together",
        "aslib_eval.extensions.resampling.random_splits:make_schemes",
        (Path("lake"),),
        {
            "scenarios": (),
            "repeats": 10,
            "folds": 10,
            "seed": 1,
            "by": "family",
            "groups": None,
            "attribute": "a",
            "together": True,
            "name": None,
        },
    ),
    "resample, nothing asked": (
        "resample",
        "aslib_eval.extensions.resampling.random_splits:make_schemes",
        (Path("lake"),),
        {
            "scenarios": (),
            "repeats": 10,
            "folds": 10,
            "seed": 1,
            "by": "plain",
            "groups": None,
            "attribute": None,
            "together": False,
            "name": None,
        },
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, function, args, named = CALLS[name]
    assert called(line, function, monkeypatch) == (args, named)


def test_a_bootstrap(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draws = "aslib_eval.analysis.runs"
    asked = {"draws": 7, "executor": None}
    line = "resample --bootstrap 7 --seed 5 --level 0.9"
    args, named = called(line, f"{draws}:bootstrap_intervals", monkeypatch)
    assert (args, named) == ((opened,), {**asked, "seed": 5, "level": 0.9})
    line = "resample --bootstrap 7 --seed 5 --show pairs"
    pairs = "aslib_eval.extensions.resampling.random_splits"
    args, named = called(line, f"{pairs}:bootstrap_pairs", monkeypatch)
    assert (args, named) == ((opened,), {**asked, "seed": 5})
    line = "resample --bootstrap 7"
    _, named = called(line, f"{draws}:bootstrap_intervals", monkeypatch)
    assert named == {**asked, "seed": 1, "level": 0.95}


@pytest.mark.usefixtures("opened")
def test_a_bootstrap_in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "resample --bootstrap 7 --jobs 3"
    args, _ = called(line, "aslib_eval.executors:processes", monkeypatch)
    assert args == (3,)


@pytest.mark.usefixtures("opened")
def test_the_address_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "resample --bootstrap 7 --cluster tcp://head:8786"
    args, _ = called(line, "aslib_eval.executors:cluster_of", monkeypatch)
    assert args == ("tcp://head:8786",)
