# ruff: noqa: E501 - a case a line
"""Every code of the linter from a tiny scenario with one thing wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.lint import CODES, SEVERITIES
from aslib_eval.formats.aslib.scenario import read_scenario
from aslib_eval.formats.sources import Location
from aslib_eval.text import plural, shorten
from tests.approved import approved_line, mark
from tests.conftest import write_scenario

CLEAN: Mapping[str, str] = {
    "description.txt": """\
scenario_id: S
performance_measures: runtime
performance_type: runtime
maximize: false
algorithm_cutoff_time: 100
algorithm_cutoff_memory: '?'
features_cutoff_time: 10
features_cutoff_memory: '?'
features_deterministic: [size, depth]
features_stochastic: null
metainfo_algorithms:
  a-1: {}
  b: {}
number_of_feature_steps: 2
default_steps: [base, probe]
feature_steps:
  base:
    provides:
    - size
  probe:
    requires: [base]
    provides:
    - depth
""",
    "algorithm_runs.arff": """\
@RELATION runs
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE algorithm STRING
@ATTRIBUTE runtime NUMERIC
@ATTRIBUTE runstatus STRING
@DATA
i1,1,a-1,10,ok
i1,1,b,20,ok
i2,1,a-1,30,ok
i2,1,b,40,ok
i3,1,a-1,50,ok
i3,1,b,60,ok
""",
    "feature_values.arff": """\
@RELATION values
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE size NUMERIC
@ATTRIBUTE depth NUMERIC
@DATA
i1,1,1,5
i2,1,2,6
i3,1,3,7
""",
    "feature_costs.arff": """\
@RELATION costs
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE base NUMERIC
@ATTRIBUTE probe NUMERIC
@DATA
i1,1,0,1
i2,1,0,2
i3,1,0,3
""",
    "feature_runstatus.arff": """\
@RELATION status
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE base STRING
@ATTRIBUTE probe STRING
@DATA
i1,1,ok,ok
i2,1,ok,presolved
i3,1,ok,ok
""",
    "cv.arff": """\
@RELATION cv
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE fold NUMERIC
@DATA
i1,1,1
i2,1,2
i3,1,2
""",
}
DESCRIPTION, RUNS, VALUES, COSTS, STATUS, CV = CLEAN
TEST_RUNS = "algorithm_runs_test.arff"

# A file's new text, None to remove it, or pieces to replace.
Edit = str | None | tuple[tuple[str, str], ...]


def runs_of(*cells: str) -> str:
    """A runs file of one algorithm and one instance per cell 'time,status'."""
    head = CLEAN[RUNS].partition("i1")[0]
    return head + "".join(f"i{n},1,b,{c}\n" for n, c in enumerate(cells, 1))


POINTS = "trajectories.arff"

QUALITY: Mapping[str, Edit] = {DESCRIPTION: (("type: runtime", "type: solution_quality"),)}


def points_of(*cells: str) -> str:
    """A trajectory of a-1 on i1: elapsed and objective."""
    head = CLEAN["algorithm_runs.arff"].partition("@DATA\n")[0]
    head = head.replace("runtime", "elapsed")
    head = head.replace("runstatus STRING", "objective NUMERIC")
    return "\n".join([f"{head}@DATA", *(f"i1,1,a-1,{cell}" for cell in cells), ""])


def twice(file: str) -> tuple[tuple[str, str], ...]:
    """The file with a second repetition of its rows."""
    rows = CLEAN[file].partition("@DATA\n")[2]
    return ((rows, rows + rows.replace(",1,", ",2,")),)


PILED = runs_of("60,ok", *["99.95,ok"] * 5)
EXTRA = ("@ATTRIBUTE runstatus", "@ATTRIBUTE cost NUMERIC\n@ATTRIBUTE runstatus")
FIVES = tuple((f"{n},ok", f"{n},5,ok") for n in range(10, 70, 10))
TWO_MEASURES = (
    ("measures: runtime", "measures: [runtime, cost]"),
    ("type: runtime", "type: [runtime, solution_quality]"),
    ("maximize: false", "maximize: [false, true]"),
)
EARLY = runs_of(*(f"{20 + n},ok" for n in range(12)), "100,timeout")

# Code → file, line and what makes it appear.
EXAMPLES: Mapping[str, tuple[str, int | None, Mapping[str, Edit]]] = {
    "algorithm-renamed": (DESCRIPTION, 11, {DESCRIPTION: (("a-1", "a.1"),)}),
    "algorithm-undescribed": (DESCRIPTION, 11, {DESCRIPTION: (("  b: {}\n", ""),)}),
    "algorithm-without-runs": (DESCRIPTION, 11, {DESCRIPTION: (("  b: {}", "  b: {}\n  c: {}"),)}),
    "arff-encoding": (CV, 6, {CV: (("i1,", "i1\0,"),)}),
    "arff-header": (CV, 4, {CV: (("fold NUMERIC", "fold WORDS"),)}),
    "arff-integer": (RUNS, 9, {RUNS: (("runtime NUMERIC", "runtime INTEGER"), ("b,20", "b,5.9"))}),
    "arff-no-data": (CV, 1, {CV: ""}),
    "arff-row": (CV, 7, {CV: (("i2,1,2", "i2,1"),)}),
    "column-missing": (CV, 2, {CV: (("fold", "part"),)}),
    "column-order": (VALUES, 5, {VALUES: (("size", "x"), ("depth", "size"), ("x N", "depth N"))}),
    "column-type": (RUNS, 5, {RUNS: (("runtime NUMERIC", "runtime STRING"),)}),
    "cost-above-cutoff": (COSTS, 8, {COSTS: (("0,2", "0,11"),)}),
    "cost-invalid": (COSTS, 8, {COSTS: (("0,2", "-1,2"),)}),
    "cost-missing": (COSTS, 8, {COSTS: (("0,2", "?,2"),)}),
    "cutoff-implausible": (RUNS, 19, {RUNS: EARLY}),
    "cutoff-missing": (DESCRIPTION, 5, {DESCRIPTION: (("time: 100", "time: '?'"),)}),
    "cv-identical": (CV, None, {CV: twice(CV)}),
    "cv-incomplete": (CV, None, {CV: (("i3,1,2", "i3,1,2\ni1,2,1\ni2,2,2"),)}),
    "cv-one-fold": (CV, None, {CV: (("i1,1,1", "i1,1,2"),)}),
    "default-step-unknown": (DESCRIPTION, 15, {DESCRIPTION: (("[base, probe]", "[base, prob]"),)}),
    "description-missing": (DESCRIPTION, None, {DESCRIPTION: None}),
    "feature-constant": (VALUES, 4, {VALUES: (("1,2,6", "1,1,6"), ("3,7", "1,7"))}),
    "feature-empty": (VALUES, 4, {VALUES: (("1,1,5", "1,?,5"), ("1,2,6", "1,?,6"), ("1,3,7", "1,?,7"))}),
    "feature-infinite": (VALUES, 5, {VALUES: (("3,7", "3,inf"),)}),
    "feature-leak": (VALUES, 7, {VALUES: (("3,7", "1,5"),)}),
    "feature-listed-twice": (DESCRIPTION, 20, {DESCRIPTION: (("    - size", "    - size\n    - size"),)}),
    "feature-nan": (VALUES, 8, {VALUES: (("2,6", "nan,6"),)}),
    "feature-no-column": (DESCRIPTION, 9, {VALUES: (("depth", "deep"),)}),
    "feature-repetitions": (COSTS, None, {COSTS: (("0,3", "0,3\ni3,2,0,3"),)}),
    "feature-sentinel": (VALUES, 8, {VALUES: (("2,6", "2,-512"),)}),
    "feature-several-steps": (DESCRIPTION, 19, {DESCRIPTION: (("- depth", "- depth\n    - size"),)}),
    "feature-status-missing": (STATUS, 7, {STATUS: (("i1,1,ok", "i1,1,?"),)}),
    "feature-text": (VALUES, 5, {VALUES: (("depth NUMERIC", "depth {5,6,7}"),)}),
    "feature-undeclared": (VALUES, 5, {VALUES: (("depth", "deep"),)}),
    "feature-without-step": (DESCRIPTION, 9, {DESCRIPTION: (("    - size", ""),)}),
    "file-misspelt": ("feature_costsarff", None, {"feature_costsarff": "", COSTS: None}),
    "file-missing": (COSTS, None, {COSTS: None}),
    "file-unknown": ("more.arff", None, {"more.arff": ""}),
    "id": (CV, 7, {CV: (("i2,1", "?,1"),)}),
    "id-spelling": (RUNS, 2, {RUNS: (("i2", "I1"),)}),
    "instance-missing": (COSTS, None, {COSTS: (("i2,1,0,2\n", ""),)}),
    "instance-unknown": (COSTS, 8, {COSTS: (("i2", "i9"),)}),
    "instance-without-features": (VALUES, 8, {VALUES: (("2,6", "?,?"),)}),
    "key-missing": (DESCRIPTION, None, {DESCRIPTION: (("number_of_feature_steps: 2\n", ""),)}),
    "key-unknown": (DESCRIPTION, 1, {DESCRIPTION: (("scenario", "a: b\nscenario"),)}),
    "measure-by-position": (RUNS, 5, {RUNS: (("runtime", "time"),)}),
    "measure-missing": (RUNS, None, {DESCRIPTION: TWO_MEASURES}),
    "measure-undeclared": (RUNS, 6, {RUNS: runs_of("1,2,ok").replace(*EXTRA)}),
    "ok-at-cutoff": (RUNS, 11, {RUNS: (("40,ok", "100,ok"),)}),
    "proof-beaten": (
        *(RUNS, 11),
        {DESCRIPTION: TWO_MEASURES, RUNS: (EXTRA, *FIVES, ("40,5,ok", "100,6,timeout"))},
    ),
    "requires-cyclic": (DESCRIPTION, 17, {DESCRIPTION: (("  base:", "  base:\n    requires: probe"),)}),
    "requires-unknown": (DESCRIPTION, 20, {DESCRIPTION: (("[base]", "[bases]"),)}),
    "row-duplicate": (RUNS, 14, {RUNS: (("60,ok", "60,ok\ni1,1,b,21,ok"),)}),
    "run-missing": (RUNS, None, {RUNS: (("i2,1,b,40,ok\n", ""),)}),
    "run-unbalanced": (RUNS, None, {RUNS: (("60,ok", "60,ok\ni1,2,b,21,ok"),)}),
    "runs-empty": (RUNS, None, {RUNS: runs_of()}),
    "objective-absent": (
        *(RUNS, 13),
        {DESCRIPTION: TWO_MEASURES, RUNS: (EXTRA, *FIVES, ("50,5,ok", "50,?,ok"), ("60,5,ok", "60,?,ok"))},
    ),
    "runtime-maximized": (DESCRIPTION, 4, {DESCRIPTION: (("false", "yes"),)}),
    "runtime-negative": (RUNS, 11, {RUNS: ((",40,", ",-40,"),)}),
    "runtime-pile-up": (RUNS, 9, {RUNS: PILED}),
    "runtime-zero": (RUNS, 11, {RUNS: ((",40,", ",0,"),)}),
    "scenario-id-folder": (DESCRIPTION, 1, {DESCRIPTION: (("id: S", "id: T"),)}),
    "status-column": (RUNS, None, {RUNS: (("runstatus", "state"),)}),
    "status-missing": (RUNS, 11, {RUNS: (("40,ok", "40,?"),)}),
    "status-mixed": (RUNS, 11, {RUNS: (*twice(RUNS), ("i2,2,b,40,ok", "i2,2,b,100,crash"))}),
    "status-spelling": (RUNS, 11, {RUNS: (("40,ok", "40,OK"),)}),
    "status-unknown": (RUNS, 11, {RUNS: (("40,ok", "100,stopped"),)}),
    "step-count": (DESCRIPTION, 14, {DESCRIPTION: (("steps: 2", "steps: 3.0"),)}),
    "step-feature-unknown": (DESCRIPTION, 23, {DESCRIPTION: (("- depth", "- dep"),)}),
    "step-no-column": (COSTS, None, {COSTS: (("probe", "prob"),)}),
    "step-undeclared": (COSTS, 5, {COSTS: (("probe", "prob"),)}),
    "test-algorithms": (TEST_RUNS, None, {TEST_RUNS: runs_of("1,ok")}),
    "stopped-with-value": (RUNS, 11, {**QUALITY, RUNS: (("40,ok", "100,timeout"),)}),
    "test-overlap": (TEST_RUNS, None, {TEST_RUNS: CLEAN[RUNS]}),
    "trajectory-disagrees": (RUNS, 8, {**QUALITY, POINTS: points_of("1,11")}),
    "trajectory-late": (POINTS, 9, {**QUALITY, POINTS: points_of("1,10", "101,9")}),
    "trajectory-measure": (POINTS, None, {POINTS: points_of("1,10")}),
    "trajectory-missing": (RUNS, 9, {**QUALITY, POINTS: points_of("1,10")}),
    "trajectory-order": (POINTS, 9, {**QUALITY, POINTS: points_of("2,11", "1,10")}),
    "trajectory-unknown": (POINTS, 8, {**QUALITY, POINTS: points_of("1,10").replace("a-1", "c")}),
    "trajectory-value": (POINTS, 8, {**QUALITY, POINTS: points_of("1,NaN")}),
    "unsolved-below-cutoff": (RUNS, 11, {RUNS: (("40,ok", "40,crash"),)}),
    "unsolved-encoding": (RUNS, 11, {RUNS: (("40,ok", "100,crash"),)}),
    "unsolved-encoding-mixed": (RUNS, 9, {RUNS: (("10,ok", "1000,crash"), ("20,ok", "100,timeout"))}),
    "value-missing": (RUNS, 11, {RUNS: (("40,ok", "?,ok"),)}),
    "value-zero": (RUNS, 9, {**QUALITY, RUNS: tuple((f"b,{n},", "b,0,") for n in (20, 40, 60))}),
    "yaml": (DESCRIPTION, 1, {DESCRIPTION: "only words"}),
    "yaml-duplicate": (DESCRIPTION, 2, {DESCRIPTION: "a: 1\na: 2\n"}),
    "yaml-key": (DESCRIPTION, None, {DESCRIPTION: (("scenario_id: S\n", ""),)}),
    "yaml-measures": (DESCRIPTION, 3, {DESCRIPTION: (("type: runtime", "type: x"),)}),
    "yaml-number": (DESCRIPTION, 7, {DESCRIPTION: (("time: 10\n", "time: 010\n"),)}),
    "yaml-type": (DESCRIPTION, 5, {DESCRIPTION: (("time: 100", "time: long"),)}),
}


def write(folder: Path, edits: Mapping[str, Edit]) -> Path:
    """The clean scenario with edits, in a folder S."""
    path = folder / "S"
    path.mkdir()
    for name in {*CLEAN, *edits}:
        content = CLEAN.get(name)
        edit = edits.get(name, ())
        if isinstance(edit, tuple):
            assert content is not None
            for old, new in edit:
                assert old in content, old
                content = content.replace(old, new)
        else:
            content = edit
        if content is not None:
            (path / name).write_text(content)
    return path


def findings(folder: Path, edits: Mapping[str, Edit]) -> list[Finding]:
    """What is found, with bare file names."""
    return check(read_scenario(Location(write(folder, edits), "S")))


def test_a_clean_scenario_has_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, {}) == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_finds(code: str, tmp_path: Path) -> None:
    file, line, edits = EXAMPLES[code]
    found = findings(tmp_path, edits)
    hits = [f for f in found if f.code == code]
    assert [(f.file, f.line) for f in hits] == [(f"S/{file}", line)]
    assert hits[0].severity == SEVERITIES[code]
    said = f"{hits[0].message} | {hits[0].hint}"
    approved_line("lint.txt", code, shorten(said, 64) + mark(said))


def test_every_code_is_shown_above_and_documented() -> None:
    others = ("split-", "uai-", "experiment-", "family", "table-", "lake-", "runs-")
    others += ("attribute-", "search-", "log-", "features-", "price-")
    elsewhere = {"unreadable", "first-run", *(c for c in CODES if c.startswith(others))}
    assert {*EXAMPLES, *elsewhere} == set(CODES) == set(SEVERITIES)
    assert all(meaning.endswith(".") for meaning in CODES.values())
    assert list(CODES) == sorted(CODES)  # as readers of SARIF list them


# --- what is fine -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2097", "25_04", "./a b=c^d:e+f#g", "NA", "null"])
def test_any_word_is_an_id(name: str, tmp_path: Path) -> None:
    edits = {file: (("i2", f"'{name}'"),) for file in CLEAN if file != DESCRIPTION}
    assert findings(tmp_path, edits) == []


def test_a_prerequisite_of_algorithm_steps_may_be_a_default_step(tmp_path: Path) -> None:
    more = "algorithm_feature_steps:\n  code: {provides: [lines]}\n"
    more += "algorithm_features_deterministic: [lines]\n"
    edit = (("[base, probe]\n", "[base, probe, code]\n" + more),)
    assert findings(tmp_path, {DESCRIPTION: edit}) == []


def test_a_cutoff_of_zero_is_fine_without_runtimes(tmp_path: Path) -> None:
    edit = (("type: runtime", "type: solution_quality"), ("time: 100", "time: 0"))
    assert findings(tmp_path, {DESCRIPTION: edit}) == []


def test_a_negative_value_of_a_failed_run_is_only_an_encoding(tmp_path: Path) -> None:
    found = findings(tmp_path, {RUNS: (("40,ok", "-1,crash"),)})
    assert {f.severity for f in found} == {"warning", "note"}


# --- what is told -------------------------------------------------------------------


def test_an_example_of_each_encoding(tmp_path: Path) -> None:
    edit = (
        ("10,ok", "1000,crash"),
        ("20,ok", "100,timeout"),
        ("30,ok", "5,crash"),
        ("40,ok", "101,timeout"),
        ("50,ok", "?,crash"),
    )
    found = findings(tmp_path, {RUNS: edit})
    (mixed,) = [f for f in found if f.code == "unsolved-encoding-mixed"]
    assert mixed.hint.startswith("Scores do not use the values.")
    assert mixed.message == (
        "runtime: recorded value of 5 failed runs: the cutoff (1), 10 times the cutoff (1), "
        "less than the cutoff (1), more than the cutoff (1), missing (1)"
    )


def test_the_values_of_stopped_optimisers_are_said_to_count(tmp_path: Path) -> None:
    edit = (("10,ok", "7,crash"), ("20,ok", "100,timeout"), ("40,ok", "?,timeout"))
    found = {f.code: f for f in findings(tmp_path, {**QUALITY, RUNS: edit})}
    stopped = found["stopped-with-value"]
    assert (stopped.line, stopped.message) == (9, "runtime: 1 timeout with a value")
    assert stopped.hint.startswith("The values count as results,")
    mixed = found["unsolved-encoding-mixed"]
    assert mixed.hint.startswith("Only values of timeouts count.")


def test_wrong_rows_are_listed_up_to_a_limit(tmp_path: Path) -> None:
    found = findings(tmp_path, {RUNS: runs_of(*["-1,ok"] * 25)})
    negative = [f for f in found if f.code == "runtime-negative"]
    assert [f.line for f in negative] == [*range(8, 28), None]
    assert negative[-1].message == "and 5 more findings 'runtime-negative'"


def test_a_stranger_among_the_points_is_found_at_its_first_row(tmp_path: Path) -> None:
    points = points_of("1,12", "2,10", "3,9").replace("a-1", "c")
    found = findings(tmp_path, {**QUALITY, POINTS: points})
    assert [f.line for f in found if f.code == "trajectory-unknown"] == [8]


@pytest.mark.parametrize(("lacking", "end"), [(1, "'i01'"), (20, "'i20'"), (21, "'i20' and 1 more")])
def test_twenty_instances_without_a_fold_are_named(tmp_path: Path, lacking: int, end: str) -> None:
    split = "".join(f"i{n:02},1,{n % 2 + 1}\n" for n in range(lacking + 1))
    edits = {CV: CLEAN[CV].partition("i1")[0] + f"{split}i00,2,1\n"}
    (found,) = (f for f in findings(tmp_path, edits) if f.code == "cv-incomplete")
    assert found.message.startswith(f"{plural(lacking, 'instance')} without a fold: ")
    assert found.message.endswith(end)
    assert found.message.count(";") == min(lacking, 20) - 1


@pytest.mark.parametrize(("missing", "end"), [(20, "'c20'"), (21, "'c20' and 1 more")])
def test_the_list_of_missing_runs_ends_after_twenty(tmp_path: Path, missing: int, end: str) -> None:
    names = [f"c{n:02}" for n in range(1, missing + 1)]
    more = "".join(f"i{i},1,{name},1,ok\n" for name in names for i in (1, 3))
    edits = {RUNS: (("i3,1,b,60,ok\n", f"i3,1,b,60,ok\n{more}"),)}
    (found,) = (f for f in findings(tmp_path, edits) if f.code == "run-missing")
    assert found.message.startswith(f"{missing} missing runs: instance 'i2', algorithm")
    assert found.message.endswith(f"algorithm {end}")


# Code, what is changed, and the line and message of what is found, or nothing.
HYPHENS = (("i1,", "inst-1,"), ("i2,", "inst-2,"), ("i3,", "inst-3,"))
IMPLAUSIBLE = [f"{30 + n},ok" for n in range(22)]
BOUNDARIES: tuple[tuple[str, Mapping[str, Edit], str], ...] = (
    ("feature-sentinel", {VALUES: (("3,7", "3,-512"),)}, "9: 1 cell in 1 feature with the value -512: 'depth'"),
    ("feature-sentinel", {VALUES: (("3,7", "3,-1"), ("2,6", "2,-0.5"))}, ""),
    ("feature-sentinel", {VALUES: (("1,1,5", "1,-600,5"), ("1,2,6", "1,-512,6"))}, ""),
    ("status-column", {STATUS: (("base STRING", "base NUMERIC"), (",1,ok,", ",1,1,"))}, "4: statuses of step 'base' are not text"),
    ("status-column", {RUNS: runs_of("1,1").replace("runstatus STRING", "runstatus NUMERIC")}, "6: column 'runstatus' is not text"),
    ("cost-above-cutoff", {COSTS: (("0,2", "0,10"),)}, ""),
    ("cost-above-cutoff", {COSTS: (("0,2", "0,101"), ("0,3", "11,3"))}, "8: 1 cost above algorithm_cutoff_time (100) and 2 costs above features_cutoff_time (10); the largest cost is 101"),
    ("cost-invalid", {COSTS: (("0,2", "0,inf"),)}, "8: the costs of 'probe' are inf"),
    ("unsolved-below-cutoff", {RUNS: (("40,ok", "100,timeout"),)}, ""),
    ("ok-at-cutoff", {RUNS: (("40,ok", "99.999,ok"),)}, ""),
    ("cutoff-missing", {DESCRIPTION: (("time: 100", "time: 0"),)}, "5: algorithm_cutoff_time is 0, but 'runtime' is a runtime"),
    ("ok-at-cutoff", {DESCRIPTION: (("time: 100", "time: 0"),)}, ""),
    ("runtime-pile-up", {RUNS: runs_of(*["60,ok"] * 600, *["99.95,ok"] * 5)}, ""),  # five are to be expected
    ("runtime-pile-up", {RUNS: runs_of("60,ok", *["99.95,ok"] * 4)}, ""),
    ("cutoff-implausible", {RUNS: runs_of(*IMPLAUSIBLE, "100,timeout")}, ""),  # just above half the cutoff
    ("cutoff-implausible", {RUNS: EARLY.replace("timeout", "ok")}, ""),  # all succeed
    ("instance-without-features", {VALUES: (("1,5", "?,?"),)}, "7: 1 row without any feature value; their feature steps ended with these statuses: 2 ok"),
    ("instance-without-features", {VALUES: (("2,6", "?,?"),)}, "8: 1 row without any feature value; their feature steps ended with these statuses: 1 ok, 1 presolved"),
    ("feature-constant", {VALUES: (("i2,1,2,6\n", ""), ("i3,1,3,7\n", ""))}, ""),
    ("step-undeclared", {COSTS: (("base N", "b N"), ("probe N", "p N"))}, "4: 2 columns that description.txt does not declare as steps: 'b', 'p'"),
    ("feature-status-missing", {STATUS: (("i2,1,ok,presolved", "i2,1,?,?"), ("i3,1,ok", "i3,1,?"))}, "8: 2 rows with a missing status"),
    ("run-missing", {RUNS: (("i2,1,b,40,ok\n", ""),)}, "None: 1 missing run: instance 'i2', algorithm 'b'"),
    ("run-unbalanced", {RUNS: (("60,ok", "60,ok\ni1,2,b,21,ok"),)}, "None: 2 of the runs have fewer repetitions than other runs of the same algorithm: instance 'i2', algorithm 'b'; instance 'i3', algorithm 'b'"),
    ("runtime-negative", {RUNS: (("i1,1,a", "\n% i0\ni1,1,a"), (",40,", ",-40,"))}, "13: runtime of an ok run is -40"),
    ("test-algorithms", {TEST_RUNS: CLEAN[RUNS] + "i1,1,c,1,ok\ni2,1,c,1,ok\ni3,1,c,1,ok\n"}, "None: algorithms in only one of the two sets: 'c'"),
    ("instance-unknown", {**dict.fromkeys((RUNS, VALUES, STATUS, CV), HYPHENS), COSTS: (*HYPHENS[:2], ("i3,", "inst_3,"))}, "9: instance 'inst_3' is not in S/algorithm_runs.arff, which has 'inst-3'"),
)  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "expected"), BOUNDARIES)
def test_the_boundary_of_a_finding(
    code: str, edits: Mapping[str, Edit], expected: str, tmp_path: Path
) -> None:
    found = [f"{f.line}: {f.message}" for f in findings(tmp_path, edits) if f.code == code]
    assert found == ([expected] if expected else [])


def test_a_misspelt_name_of_the_runs_is_found_in_its_row(tmp_path: Path) -> None:
    more = (("i3,1,b,60,ok", "i3,1,b,60,ok\ni2,1,long-c,1,ok\ni3,1,long_c,1,ok"),)
    c = (("i2,1,a-1", "i1,1,long-c,5,ok\ni2,1,a-1"),)
    found = [f for f in findings(tmp_path, {RUNS: (*c, *more)}) if f.line]
    assert [(f.line, f.message, f.hint) for f in found if f.code == "run-missing"] == [
        (16, "algorithm 'long_c' has 1 run, which 'long-c' lacks", "Did you mean 'long-c'?")
    ]


def test_a_misspelt_instance_of_the_runs_is_found_in_its_row(tmp_path: Path) -> None:
    extra = "".join(f"inst-{n},1,c,{n},ok\n" for n in (1, 2)) + "inst_3,1,c,3,ok\n"
    edits = dict.fromkeys((VALUES, COSTS, STATUS, CV), HYPHENS)
    runs = (*HYPHENS, ("60,ok\n", "60,ok\n" + extra))
    found = findings(tmp_path, {**edits, RUNS: runs})
    assert [(f.line, f.message) for f in found if f.code == "run-missing"] == [
        (16, "instance 'inst_3' has 1 run, which 'inst-3' lacks"),
        (
            None,
            (
                "3 missing runs: instance 'inst-3', algorithm 'c'; instance 'inst_3',"
                " algorithm 'a-1'; instance 'inst_3', algorithm 'b'"
            ),
        ),
    ]


def test_findings_come_by_file_line_and_code(tmp_path: Path) -> None:
    edits = {RUNS: ((",40,", ",-40,"), ("10,ok", "0,ok")), CV: (("i3,1,2\n", ""),)}
    assert [(f.file, f.line, f.code) for f in findings(tmp_path, edits)] == [
        (f"S/{RUNS}", 8, "runtime-zero"),
        (f"S/{RUNS}", 11, "runtime-negative"),
        (f"S/{CV}", None, "instance-missing"),
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("feature_costsarff", "feature_costs.arff"),
        ("Feature-Values.ARFF", "feature_values.arff"),
        ("algoritm_runs.arff", "algorithm_runs.arff"),
        ("cv.arff.txt", None),
        ("notes.md", None),
    ],
)
def test_the_intention_behind_a_name(name: str, meant: str | None) -> None:
    from aslib_eval.formats.aslib.lint.description import intention

    assert intention(name) == meant


def test_a_kind_is_said_once_for_all_measures(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 7, 8, "crash"), ("j", 1, "a", 99.99, 120, "timeout")]
    runs += [("i", 1, "b", 1, 2, "ok"), ("j", 1, "b", 100, 3, "ok")]
    measures = (("cpu", "runtime", "false"), ("wall", "runtime", "false"))
    write_scenario(tmp_path / "S", runs=runs, measures=measures)
    found = check(read_scenario(Location(tmp_path / "S", "S")))
    codes = [each.code for each in found if "runs" in each.file]
    assert len(codes) == len(set(codes))
    (below,) = [each for each in found if each.code == "unsolved-below-cutoff"]
    assert (below.line, below.message) == (
        9,
        (
            "cpu: 1 failed run with a value below the cutoff 100; wall: 1 failed run"
            " with a value below the cutoff 100"
        ),
    )
