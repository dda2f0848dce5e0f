"""What the linter says of the public scenarios: the irregularities known of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.scenario import read_scenario
from aslib_eval.formats.registry import locate
from aslib_eval.linter import check_paths

# Scenario → codes besides COMMON, file by file; a count stands in the message.
COMMON = {
    "cost-missing",
    "feature-constant",
    "feature-leak",
    "feature-sentinel",
    "file-missing",
    "instance-without-features",
    "runtime-zero",
    "unsolved-encoding",
}
EXPECTED: Mapping[str, set[str]] = {
    "ASP-POTASSCO": {"feature-several-steps"},
    "BNSL-2016": {"column-order"},
    "CPMP-2015": {"measure-by-position"},
    "CSP-Minizinc-Obj-2016": {"ok-at-cutoff", "proof-beaten", "stopped-with-value"},
    "CSP-Minizinc-Time-2016": set(),
    "GLUHACK-2018": {"algorithm-undescribed", "scenario-id-folder"},
    "GRAPHS-2015": set(),
    "MAXSAT-PMS-2016": set(),
    "MAXSAT-WPMS-2016": set(),
    "MAXSAT19-UCMS": set(),
    "MIP-2016": set(),
    "OPENML-WEKA-2017": {"feature-nan"},
    "QBF-2016": {"cutoff-implausible"},
    "SAT03-16_INDU": {"feature-several-steps"},
    "SAT11-HAND-ALGO": {"algorithm-renamed", "algorithm-undescribed", "step-count"},
    "SAT12-ALL": {"cost-above-cutoff"},
    "SAT18-EXP": {"runtime-pile-up"},
    "TSP-LION2015": {"cv-identical", "feature-several-steps", "status-mixed", "unsolved-encoding-mixed"},
}

# Scenario, file, line, code and words of the message.
SAID = (
    ("CSP-Minizinc-Obj-2016", "algorithm_runs.arff", 16, "ok-at-cutoff", "679 ok runs"),
    ("CSP-Minizinc-Obj-2016", "algorithm_runs.arff", 88, "unsolved-encoding", "value 1"),
    ("MIP-2016", "algorithm_runs.arff", 20, "unsolved-encoding", "10 times"),
    ("GLUHACK-2018", "algorithm_runs.arff", 10, "unsolved-encoding", "more than"),
    ("TSP-LION2015", "algorithm_runs.arff", 51, "status-mixed", "70 of 12424 runs"),
    ("TSP-LION2015", "cv.arff", None, "cv-identical", "only 1 distinct split"),
    ("QBF-2016", "algorithm_runs.arff", 189, "runtime-zero", "873 ok runs"),
    ("QBF-2016", "algorithm_runs.arff", 13924, "cutoff-implausible", "599.69"),
    ("GRAPHS-2015", "algorithm_runs.arff", 1278, "runtime-zero", "2092 ok runs"),
    ("SAT18-EXP", "algorithm_runs.arff", 882, "runtime-pile-up", "20 ok runs"),
    ("OPENML-WEKA-2017", "feature_values.arff", 110, "feature-nan", "884 cells"),
    ("MIP-2016", "feature_values.arff", 150, "feature-sentinel", "7228 cells in "),
    ("MAXSAT19-UCMS", "feature_values.arff", 61, "feature-sentinel", "2640 cells in "),
    ("SAT11-HAND-ALGO", "description.txt", 444, "algorithm-renamed", "7 of 11"),
    ("SAT12-ALL", "algorithm_runs.arff", None, "file-missing", "missing"),
    ("SAT12-ALL", "feature_costs.arff", 287, "cost-above-cutoff", "largest cost is 16874"),
    ("SAT03-16_INDU", "feature_values.arff", None, "file-missing", "missing"),
    ("TSP-LION2015", "feature_values.arff", None, "file-missing", "missing"),
    ("ASP-POTASSCO", "description.txt", 96, "feature-several-steps", "'Choices-4'"),
    ("CPMP-2015", "algorithm_runs_test.arff", 5, "measure-by-position", "'performance'"),
)


@pytest.fixture(scope="module")
def found(shared: Path) -> dict[str, list[Finding]]:
    """All findings by name of the folder."""
    scenarios = (read_scenario(each.location) for each in locate(shared / "aslib"))
    return {scenario.folder: check(scenario) for scenario in scenarios}


def test_every_real_scenario_can_be_imported(found: dict[str, list[Finding]]) -> None:
    errors = [f for each in found.values() for f in each if f.severity == "error"]
    assert len(found) == 18
    assert errors == []


@pytest.mark.parametrize("scenario", EXPECTED)
def test_what_is_special(scenario: str, found: dict[str, list[Finding]]) -> None:
    assert {f.code for f in found[scenario]} - COMMON == EXPECTED[scenario]


@pytest.mark.parametrize(("scenario", "file", "line", "code", "words"), SAID)
def test_place_and_words(
    scenario: str, file: str, line: int | None, code: str, words: str, found: dict[str, list[Finding]]
) -> None:
    name = f"{scenario}/{file}"
    hits = [f for f in found[scenario] if f.code == code and f.file.endswith(name)]
    assert (line, True) in [(f.line, words in f.message) for f in hits]


def test_the_instances_without_features(found: dict[str, list[Finding]]) -> None:
    code = "instance-without-features"
    rows = {name: int(f.message.split()[0]) for name, each in found.items() for f in each if f.code == code}
    assert rows == {
        "ASP-POTASSCO": 16,
        "CSP-Minizinc-Obj-2016": 5,
        "CSP-Minizinc-Time-2016": 5,
        "MAXSAT19-UCMS": 117,
        "QBF-2016": 12,
        "SAT12-ALL": 17,
    }


@pytest.mark.slow
def test_the_contest_has_no_error(shared: Path) -> None:
    folders = sorted((shared / "contests" / "oasc2017").glob("*/t*/"))
    errors = [f for f in check_paths(folders) if f.severity == "error"]
    assert len(folders) == 12
    assert errors == []
