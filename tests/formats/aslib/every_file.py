"""A tiny scenario with every file of the format, and every key of its description."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import arff, write_scenario

MORE = """\
time_unit: s
algorithm_cutoff_memory: 9
features_cutoff_time: 7
features_cutoff_memory: 8
algorithm_features_cutoff_time: 5
algorithm_features_cutoff_memory: 6
number_of_feature_steps: 1
features_deterministic: [x]
features_stochastic: [y]
feature_steps: {s: {provides: [x, y]}}
default_steps: [s]
algorithm_features_deterministic: [lines]
algorithm_features_stochastic: [speed]
algorithm_feature_steps: {code: {provides: [lines, speed]}}
algorithms_deterministic: [a]
algorithms_stochastic: [b]
"""
OF = {"": ("instance_id", "i1"), "_test": ("instance_id", "t1")}


def every_file(folder: Path) -> Path:
    """Write it: a and b on i1, in the test set on t1, with a step of features each."""
    runs = [("i1", 1, "a", 3, "ok"), ("i1", 1, "b", 100, "timeout")]
    write_scenario(folder, runs=runs, description=MORE)
    text = (folder / "algorithm_runs.arff").read_text().replace("i1", "t1")
    (folder / "algorithm_runs_test.arff").write_text(text)
    for part, (key, name) in OF.items():
        ids = {key: "STRING", "repetition": "NUMERIC"}
        write(folder, "feature_{}" + part, ids, name, ("x", "y"), "s")
    ids = {"algorithm": "STRING", "repetition": "NUMERIC"}
    write(folder, "algorithm_feature_{}", ids, "a", ("lines", "speed"), "code")
    truth = {"instance_id": "STRING", "optimum": "NUMERIC"}
    (folder / "ground_truth.arff").write_text(arff(truth, [("i1", 2)]))
    return folder


def write(
    folder: Path, file: str, ids: dict[str, str], name: str, features: tuple[str, str], step: str
) -> None:
    """Values, cost and status of the features of one instance or algorithm."""
    values = {**ids, **dict.fromkeys(features, "NUMERIC")}
    status = {**ids, step: "{ok, timeout, memout, presolved, crash, other, unknown}"}
    for kind, text in (
        ("values", arff(values, [(name, 1, 0.5, 4)])),
        ("costs", arff({**ids, step: "NUMERIC"}, [(name, 1, 0.25)])),
        ("runstatus", arff(status, [(name, 1, "ok")])),
    ):
        (folder / f"{file.format(kind)}.arff").write_text(text)
