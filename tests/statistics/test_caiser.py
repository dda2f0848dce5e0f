"""Tests of pairs against reference/sample_sizes.json: CAISEr 1.0.17 in R, and a paper.

Campelo and Wanner 2020, "Sample size calculations for the experimental comparison of multiple algorithms on
multiple problem instances".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aslib_eval.statistics.friedman import adjust, levels
from aslib_eval.statistics.paired import hodges_lehmann, paired_t, sign_test, signed_rank

Reference = dict[str, Any]
SIDES = {"two.sided": "two-sided", "one.sided": "one-sided"}


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.fixture(scope="module")
def reference(shared: Path) -> Reference:
    text = (shared / "reference" / "sample_sizes.json").read_text()
    found: Reference = json.loads(text)
    return found


@pytest.mark.parametrize("example", ["example1", "example2"])
def test_levels_as_printed_in_tables_1_and_2(reference: Reference, example: str) -> None:
    expected = reference["paper"][example]
    found = levels(expected["K"])
    unit = 10 ** np.floor(np.log10(found)) / 10  # of the second digit
    assert (abs(found - expected["alpha_r_2sf"]) <= 0.5 * unit * (1 + 1e-9)).all()
    table = reference["paper_table1" if example == "example1" else "paper_table2"]
    assert [row["alpha_r_exact"] for row in table["rows"]] == close(found.tolist())
    for row, alpha in zip(table["rows"], found, strict=True):
        assert alpha == pytest.approx(row["alpha_r_printed"], rel=0.05)


@pytest.mark.parametrize("which", ["paper_table1", "paper_table2"])
def test_holm_on_the_papers_tables(reference: Reference, which: str) -> None:
    """Step-down rejects 12 of 21, and none of 7; p and half-widths follow from d."""
    table = reference[which]
    p = np.array([row["p_printed"] for row in table["rows"]])
    rejected = (adjust(p) <= 0.05).tolist()
    assert rejected == [row["reject_holm"] for row in table["rows"]]
    assert sum(rejected) == (12 if which == "paper_table1" else 0)
    n = table["N"]
    values = np.resize([1.0, -1.0], n)
    for row in table["rows"]:
        d = abs(row["d_printed"])
        unit = values - values.mean()
        made = d + unit / unit.std(ddof=1)  # mean d and standard deviation 1
        found = paired_t(made, confidence=1 - row["alpha_r_exact"])
        assert found.p == pytest.approx(row["p_from_d"], rel=1e-6)
        scale = abs(row["mean_printed"]) / d
        half = (found.upper - found.lower) / 2 * scale
        assert half == close(row["halfwidth_from_mean_d"])


def test_inference_as_caiser(reference: Reference) -> None:
    case = reference["inference"]
    phi = {f"ref x b{j}": np.array(v) for j, v in enumerate(case["Phi"], 1)}
    for by_test in case["results"]:
        for result in by_test:
            for row, alpha in zip(result["rows"], case["alpha_r"], strict=True):
                check_inference(result, row, phi[row["comparison"]], 1 - alpha)


def check_inference(result: Reference, row: Reference, d: np.ndarray, confidence: float) -> None:
    alternative = SIDES.get(result["alternative"], result["alternative"])
    words: Any = {"alternative": alternative}
    ci = tuple(float(bound) for bound in row["ci"])
    t = paired_t(d, **words, confidence=confidence)
    assert abs(t.d or 0) == close(row["d"])
    if result["test"] == "t.test":
        assert (t.t, t.p, t.mean) == close((row["statistic"], row["p"], row["estimate"]))
        assert (t.lower, t.upper) == close(ci)
    elif result["test"] == "binomial":
        signs = sign_test(d, **words)
        assert (signs.wins, signs.p) == (row["statistic"], close(row["p"]))
    else:
        check_wilcoxon(row, d, words, confidence)


def check_wilcoxon(row: Reference, d: np.ndarray, words: Any, confidence: float) -> None:
    shift = hodges_lehmann(d, **words, confidence=confidence)
    found = signed_rank(d, **words)
    assert found.w_plus == row["statistic"]
    if row["comparison"] == "ref x b2":  # ties: R falls back to the normal
        # The 36 averages have 0.005 and 0.01 in the middle; R stops at the first.
        assert (shift.estimate, row["estimate"]) == close((0.0075, 0.005))
        # R's bounds solve the normal z to 1e-4; ours are averages of two differences.
        assert shift.lower == pytest.approx(float(row["ci"][0]), abs=0.006)
    else:
        assert shift.estimate == close(row["estimate"])
        assert found.p == close(row["p"])
        assert (shift.lower, shift.upper) == close(tuple(map(float, row["ci"])))


def test_holm_example(reference: Reference) -> None:
    case = reference["inference"]["holm_adjusted_example"]
    assert adjust(np.array(case["p"])) == close(case["p_adj"])
