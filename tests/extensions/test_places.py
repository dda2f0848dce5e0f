"""What the extensions that come along add stands where it always stood."""

from __future__ import annotations

from aslib_eval.cli import main
from aslib_eval.figures.catalogue import FIGURES
from aslib_eval.formats.registry import FORMATS
from aslib_eval.plugins import of_others, plug_ins


def test_formats_are_in_their_order() -> None:
    assert list(FORMATS) == [
        *("aslib", "uai", "bayesmark", "iohprofiler", "coco"),
        *("benchexec", "maxsat", "minizinc", "satcomp", "smtcomp", "starexec"),
        *("routerbench", "routerbench-mini"),
        "dataset",
        "evaluations",
        *("autofolio", "runs", "table"),
    ]


def test_everything_that_is_added_can_be_loaded() -> None:
    for plug_in in plug_ins():
        assert plug_in.comes_along, plug_in
        plug_in.load()
    assert of_others() == ()


def test_commands_and_figures_are_in_their_order() -> None:
    names = list(main.commands)
    assert names[0] == "fetch"
    assert names[names.index("like") + 1 : names.index("sweep")] == [
        *("competition", "trials", "optimisers", "board")
    ]
    assert names[names.index("sweep") + 1 : names.index("resample")] == [*("certify", "orders", "suite")]
    assert names[names.index("resample") + 1 : names.index("table")] == [*("train", "audit", "plan")]
    figures = list(FIGURES)
    assert figures[figures.index("runtimes") + 1 : figures.index("ranks")] == [
        *("optimiser-mean", "optimiser-median", "scenario-distances", "trial-ranks")
    ]
