"""Findings as text, JSON and SARIF."""

from __future__ import annotations

import json
from pathlib import Path

from aslib_eval.errors import Finding
from aslib_eval.linter import RENDERERS, as_json, sarif, text

FOUND = [
    Finding("status-missing", "error", "a b/x.arff", 7, "the run has no status", "Fill."),
    Finding("file-missing", "note", "a b/cv.arff", None, "the file is missing"),
]


def test_text() -> None:
    assert text(FOUND) == (
        "a b/x.arff:7: error status-missing: the run has no status. Fill.\n"
        "a b/cv.arff: note file-missing: the file is missing\n"
        "1 error, 0 warnings, 1 note\n"
    )


def test_text_keeps_hostile_words_on_one_line() -> None:
    hostile = Finding("id", "error", "x\n.arff", 1, "\x1b[31m'\n'")
    assert text([hostile]).count("\n") == 2
    assert "\x1b" not in text([hostile])


def test_json() -> None:
    assert json.loads(as_json(FOUND))[1] == {
        "code": "file-missing",
        "severity": "note",
        "file": "a b/cv.arff",
        "line": None,
        "message": "the file is missing",
        "hint": "",
    }
    assert as_json([]) == "[]\n"


def test_sarif() -> None:
    log = json.loads(sarif(FOUND))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["file-missing", "status-missing"]
    assert run["results"][0] == {
        "ruleId": "status-missing",
        "ruleIndex": 1,
        "level": "error",
        "message": {"text": "the run has no status. Fill."},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "a%20b/x.arff"}, "region": {"startLine": 7}}}
        ],
    }
    assert "region" not in str(run["results"][1])


def test_sarif_is_relative_to_a_folder(tmp_path: Path) -> None:
    finding = Finding("id", "error", str(tmp_path / "S" / "cv.arff"), 1, "x")
    log = json.loads(sarif([finding], base=tmp_path))
    (place,) = log["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "S/cv.arff"}


def test_no_finding_is_a_valid_log_too() -> None:
    (run,) = json.loads(RENDERERS["sarif"]([]))["runs"]
    assert run["results"] == run["tool"]["driver"]["rules"] == []
