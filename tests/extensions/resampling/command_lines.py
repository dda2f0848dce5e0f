"""Command lines of ``resample``: for every option, one without it and one with it."""

from __future__ import annotations

_SPLITS = "=--scenario TOY-2026 --lake {copy} --repeats 1 --folds 2"
BASE = {"resample": "--bootstrap 5"}
OPTIONS = {
    "resample": {
        "--repeats": (_SPLITS, "--repeats 2"),
        "--folds": (_SPLITS, "--folds 3"),
        "--seed": "--seed 2",
        "--by": (_SPLITS, "--by hardness"),
        "--attribute": (f"{_SPLITS} --by family", "--attribute ground_truth"),
        "--groups": (f"{_SPLITS} --by family", "--groups {made}/families.csv"),
        "--name": (_SPLITS, "--name mine"),
        "--scheme": ("=--lake {copy} --show sbs", "--scheme aslib"),
        "--bootstrap": "--bootstrap 6",
        "--level": "--level 0.5",
        "--show": "--show pairs",
    }
}
HANDED_OVER = {"resample --keep-together", "resample --jobs", "resample --cluster"}
MODES = {"resample": ("--scheme aslib", "--repeats 1 --folds 2 --lake {copy}")}
TRIED = {"resample"}
SHOWN_NAMES = {"resample --scheme random"}
LARGE_VALUES = {"resample --bootstrap 20"}
# What it is asked of a rich lake, as a whole.
WHOLE = {"resample": ("--bootstrap 5 --scenario RICH", "--bootstrap 4 --scenario TOY --level 0.8")}
