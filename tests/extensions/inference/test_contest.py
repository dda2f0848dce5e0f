"""A contest of inference solvers, from its folder to ranks in the lake."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.extensions.inference.contest import FILE, tasks_of
from aslib_eval.linter import check_paths
from tests.conftest import Row, opened, rows, write_scenario
from tests.formats.test_packed import require_findings_of_the_folder, require_imported

# The products of all factors: 6 and 54 for X = 0, 16 and 4 for X = 1; 80 together.
PAIR = "MARKOV\n2\n2 2\n2\n1 0\n2 0 1\n2\n6 4\n4\n1 9\n4 1\n"
# The mean of the factors: 5 * 3.75 * 4 = 75; of Y = 0 alone 5 * 2.5 * 2 = 25.
NETWORKS = {
    "networks/free.uai": PAIR,
    "networks/seen.uai": PAIR,
    "evidence/seen.uai.evid": "1 1 0\n",
    "queries/free.uai.query": "1 1\n",
}
LIMITS = 'name = "C"\nlimits = [20, 1200]\nweights = [1, 3]\n'
Files = Mapping[str, str]


def make(folder: Path, files: Files) -> Path:
    for name, text in {**NETWORKS, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def told(tmp_path: Path, files: Files) -> tuple[dict[tuple[str, ...], Row], list[str]]:
    """(instance, solver, measure) → value and status; and what import remarked."""
    folder = make(tmp_path / "C", files)
    outcomes = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert [o.error for o in outcomes if o.error] == []
    (file,) = (tmp_path / "lake" / "run").glob("*/part-0.parquet")
    names = ["instance_id", "algorithm", "measure", "value", "runstatus"]
    table = pq.ParquetFile(file).read(columns=names)
    found = [tuple(row[name] for name in names) for row in table.to_pylist()]
    shown = [str(f).replace(f"{folder}/", "") for o in outcomes for f in o.findings]
    return {row[:3]: row[3:] for row in found}, shown


def log(value: float) -> str:
    return f"PR\n{math.log10(value)!r}\n"


def near(*values: float | None) -> list[object]:
    return [v if v is None else pytest.approx(v, abs=1e-9) for v in values]


# --- the tasks, by hand --------------------------------------------------------------


def test_partition_functions(tmp_path: Path) -> None:
    """Err = log(80/78) of MaxErr = log(80/75); a missing answer is 0, and counts."""
    found, said = told(
        tmp_path,
        {
            "answers/a/free.uai.PR": log(78),
            "answers/a/seen.uai.PR": "PR\n-inf\n",
            "answers/b/free.uai.PR": log(80),
        },
    )
    score = 100 * (1 - math.log(80 / 78) / math.log(80 / 75))
    values = {key: value for key, (value, _) in found.items() if key[2] == "score"}
    assert [*values.values()] == near(score, 100, 0, 0)
    assert [*values] == [
        ("free", "a", "score"),
        ("free", "b", "score"),
        ("seen", "a", "score"),
        ("seen", "b", "score"),
    ]
    errors = [found[i, s, "error"] for i, s, _ in values]
    assert [e for e, _ in errors] == near(math.log10(80 / 78), 0, math.inf, None)
    assert [status for _, status in errors] == ["ok", "ok", "ok", "timeout"]
    assert said == []
    with ae.connect(tmp_path / "lake") as con:
        means = "select solver, cost from solver_score where kind = 'algorithm'"
        assert rows(con, f"{means} order by cost") == [
            ("b", pytest.approx(-50)),
            ("a", pytest.approx(-score / 2)),
        ]
        best = "select instance_id, role, value from raw_reference order by all"
        assert rows(con, best) == [
            ("free", "error_trivial", pytest.approx(math.log10(80 / 75))),
            ("free", "log10_best", pytest.approx(math.log10(80))),
            ("free", "log10_trivial", pytest.approx(math.log10(75))),
            ("seen", "error_trivial", pytest.approx(math.log10(25 / 22))),
            ("seen", "log10_best", pytest.approx(math.log10(22))),
            ("seen", "log10_trivial", pytest.approx(math.log10(25))),
        ]


def hell(*pairs: tuple[float, float]) -> float:
    return math.sqrt(sum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in pairs) / 2)


def test_marginals(tmp_path: Path) -> None:
    """X is 0 in 60 of 80, Y in 22 of 80; with Y seen, X is 0 in 6 of 22."""
    found, _ = told(
        tmp_path,
        {
            "answers/a/free.uai.MAR": "MAR\n2 2 .75 .25 2 .5 .5\n",
            # Sums to 1 within 1e-3, and what is said of Y, which is seen, is not read.
            "answers/a/seen.uai.MAR": "MAR\n2 2 .6003 .4002 2 7 7\n",
        },
    )
    y = hell((0.5, 22 / 80), (0.5, 58 / 80))
    x = hell((0.5, 60 / 80), (0.5, 20 / 80))
    assert found["free", "a", "error"][0] == pytest.approx(y / 2)
    assert found["free", "a", "score"][0] == pytest.approx(100 * (1 - y / (x + y)))
    own = hell((0.6, 6 / 22), (0.4, 16 / 22))
    assert found["seen", "a", "error"][0] == pytest.approx(own, abs=1e-4)
    assert found["seen", "a", "score"] == (0.0, "ok")


@pytest.mark.parametrize("word", ["1e999", "9" * 400])
def test_nothing_is_made_of_what_stands_for_an_observed_variable(tmp_path: Path, word: str) -> None:
    found, _ = told(tmp_path, {"answers/a/seen.uai.MAR": f"MAR\n2 2 .6 .4 2 {word} 7\n"})
    assert found["seen", "a", "score"] == (0.0, "ok")


def test_most_probable_explanations(tmp_path: Path) -> None:
    """The trivial answer is 0 0: 6 of the best 54; evidence overrides an answer."""
    found, _ = told(
        tmp_path,
        {
            "answers/a/free.uai.MPE": "MPE\n2 0 1\n",
            "answers/a/seen.uai.MPE": "MPE\n2 1 1\n",
            "answers/b/free.uai.MAP": "MAP\n2 1 0\n",
            "answers/b/seen.uai.MAP": "MAP\n2 0 0\n",
        },
    )
    part = 100 * (1 - math.log(54 / 16) / math.log(54 / 6))
    keys = [(i, s, "score") for i in ("free", "seen") for s in ("a", "b")]
    assert [found[key][0] for key in keys] == near(100, part, 100, 0)


def test_best_known_is_of_all_solvers_and_limits(tmp_path: Path) -> None:
    """Nobody finds 54 in time but a, late; the optimum counts only if asked for."""
    answers = {
        "answers/a/20/free.uai.MAP": "MAP\n2 1 0\n",
        "answers/b/20/free.uai.MAP": "MAP\n2 1 0\n",
        "answers/b/1200/free.uai.MAP": "MAP\n2 1 0\n",
    }
    only = 'tasks = ["MAP"]\n[networks]\nMAP = ["free"]\n'
    found, said = told(tmp_path / "1", {**answers, "contest.toml": LIMITS + only})
    assert said == []
    assert [found["free", s, "score"][0] for s in "ab"] == [25, 100]  # of weights 1, 3
    part = 100 * (1 - math.log(54 / 16) / math.log(54 / 6))
    late = {"answers/a/1200/free.uai.MAP": "MAP\n2 0 1\n"}
    found, _ = told(tmp_path / "2", {**answers, **late, "contest.toml": LIMITS + only})
    measures = ("score_20", "score_1200", "score", "error_20", "error_1200")
    err = math.log10(54 / 16)
    for solver, expected in (
        ("a", near(part, 100, part / 4 + 75, err, 0)),
        ("b", near(part, part, part, err, err)),
    ):
        assert [found["free", solver, m][0] for m in measures] == expected
    optimum = LIMITS + 'best = "optimum"\n' + only
    found, _ = told(tmp_path / "3", {**answers, "contest.toml": optimum})
    assert found["free", "b", "score"][0] == pytest.approx(part)
    given = {"roles/best/free.uai.MPE": "MPE\n2 0 1\n", "contest.toml": LIMITS + only}
    found, _ = told(tmp_path / "4", {**answers, **given})
    assert found["free", "b", "score"][0] == pytest.approx(part)


def test_marginal_map_only_asks_networks_with_a_query(tmp_path: Path) -> None:
    found, _ = told(
        tmp_path, {"answers/a/free.uai.MMAP": "MMAP\n1 1 1\n", "answers/b/free.uai.MMAP": "MMAP\n1 1 0\n"}
    )
    errors = {key[:2]: v for key, (v, _) in found.items() if key[2] == "error"}
    assert errors == {("free", "a"): 0, ("free", "b"): pytest.approx(math.log10(58 / 22))}
    assert found["free", "b", "score"][0] == 0  # the trivial answer


def test_each_test_point_is_an_instance(tmp_path: Path) -> None:
    """X is seen: 0, then 1; Y is asked for. 54 and 16 are best, 6 and 16 trivial."""
    points = {"tests/free.uai.test": "2\n1 0\n1 1\n0\n2\n0 0\n0 1\n"}
    found, said = told(tmp_path, {**points, "answers/a/free.uai.MLC": "MLC\n1 1 1\n1 1 1\n"})
    assert found["free#1", "a", "score"] == (100, "ok")
    assert found["free#2", "a", "score"] == (0, "ok")
    assert found["free#2", "a", "error"][0] == pytest.approx(math.log10(16 / 4))
    what = "free#2: all other answers score 0, because the trivial one is the best"
    hint = "Remove the network, or put another answer into roles/trivial."
    assert said == [f"networks/free.uai: {what}. {hint}"]


def test_nobody_is_better_than_an_optimum(tmp_path: Path) -> None:
    files = {
        "tests/free.uai.test": "2\n1 0\n1 1\n0\n1\n0 0\n",
        "answers/a/free.uai.MLC": "MLC\n1 1 1\n",
        "roles/best/free.uai.MLC": "MLC\n1 1 0\n",
    }
    assert errors(tmp_path, files) == [
        (
            "networks/free.uai: free#1: an answer is likelier than the optimum in"
            " roles/best. Correct it, or put the truth into roles/best."
        )
    ]


def test_roles_are_inputs(tmp_path: Path) -> None:
    """Truth 100 and a trivial 10, whatever the network says: 31.6 is half way."""
    files = {
        "contest.toml": '[networks]\nPR = ["free"]\nMAR = ["free"]\n',
        "roles/best/free.uai.PR": "PR\n2\n",
        "roles/trivial/free.uai.PR": "PR\n1\n",
        "answers/a/free.uai.PR": "PR\n1.5\n",
    }
    found, _ = told(tmp_path / "1", files)
    assert found["free", "a", "score"][0] == pytest.approx(50)
    files = {
        "contest.toml": '[networks]\nMAR = ["free"]\n',
        "roles/best/free.uai.MAR": "MAR\n2 2 1 0 2 1 0\n",
        "roles/trivial/free.uai.MAR": "MAR\n2 2 0 1 2 0 1\n",
        "answers/a/free.uai.MAR": "MAR\n2 2 1 0 2 0 1\n",
    }
    found, _ = told(tmp_path / "2", files)
    assert found["free", "a", "error"][0] == pytest.approx(0.5)
    assert found["free", "a", "score"][0] == pytest.approx(50)


def clique(size: int) -> str:
    """Every two of the variables share a factor: one table holds them all."""
    pairs = [(v, u) for v in range(size) for u in range(v)]
    scopes = "\n".join(f"2 {v} {u}" for v, u in pairs)
    tables = "4 1 2 3 4\n" * len(pairs)
    cards = " ".join("2" * size)
    return f"MARKOV\n{size}\n{cards}\n{len(pairs)}\n{scopes}\n{tables}"


def test_what_cannot_be_evaluated_counts_as_nothing(tmp_path: Path) -> None:
    """A marginal MAP leaves 25 variables open: all get 0, as in the competition."""
    files = {
        "networks/large.uai": clique(26),
        "queries/large.uai.query": "1 0\n",
        "answers/a/large.uai.MMAP": "MMAP\n1 0 1\n",
        "answers/a/free.uai.MMAP": "MMAP\n1 1 1\n",
    }
    found, said = told(tmp_path, files)
    assert found["large", "a", "score"] == (0, "ok")
    assert found["large", "a", "error"] == (None, "ok")
    assert found["free", "a", "score"] == (100, "ok")
    what = "all answers score 0, because none can be evaluated or is possible"
    assert said[0].startswith(f"networks/large.uai: large: {what}")


def test_a_truth_that_is_out_of_reach_must_be_given(tmp_path: Path) -> None:
    large = {
        "contest.toml": '[networks]\nPR = ["large"]\n',
        "networks/large.uai": clique(26),
        "answers/a/large.uai.PR": "PR\n170\n",
    }
    (said,) = errors(tmp_path, large)
    table = f"a table of {2**26} entries (26 variables)"
    assert said == (
        f"networks/large.uai: large is left out: elimination needs {table}, but at "
        "most 4194304 are allowed. "
        "Put the truth into roles/best, or raise largest in contest.toml."
    )
    found, _ = told(tmp_path, {**large, "roles/best/large.uai.PR": "PR\n170\n"})
    assert found["large", "a", "score"] == (100, "ok")


@pytest.mark.parametrize("task", ["PR", "MAR"])
def test_a_network_that_is_too_large_is_left_out_alone(tmp_path: Path, task: str) -> None:
    """It scores nobody; the limit can be raised."""
    answer = {"PR": ("PR\n2\n", "PR\n1\n"), "MAR": ("MAR\n8" + " 2 .5 .5" * 8, "MAR\n2 2 .5 .5 2 .5 .5\n")}[
        task
    ]
    files = {
        "contest.toml": f"tasks = ['{task}']\nlargest = 255\n",
        "networks/large.uai": clique(8),
        f"answers/a/large.uai.{task}": answer[0],
        f"answers/a/free.uai.{task}": answer[1],
    }
    found, said = told(tmp_path, files)
    assert sorted({key[0] for key in found}) == ["free", "seen"]
    (line,) = [line for line in said if "large" in line]
    assert "elimination needs a table of 256 entries (8 variables), but at most 255" in line
    files["contest.toml"] = f"tasks = ['{task}']\nlargest = 256\n"
    found, said = told(tmp_path, files)
    assert sorted({key[0] for key in found}) == ["free", "large", "seen"]
    assert not [line for line in said if "left out" in line]


# --- what is wrong -------------------------------------------------------------------


def errors(tmp_path: Path, files: Files) -> list[str]:
    folder = make(tmp_path / "C", files)
    outcomes = ae.import_scenarios([folder], into=tmp_path / "lake")
    said = []
    for outcome in outcomes:
        assert outcome.error is not None
        text = str(outcome.error)
        said += [line.replace(f"{folder}/", "") for line in text.split("\n")]
    assert not [*(tmp_path / "lake").glob("*.json")]
    return said


def test_bad_answers_score_nothing_and_are_listed(tmp_path: Path) -> None:
    found, said = told(
        tmp_path,
        {
            "answers/a/free.uai.PR": "PR\n1.9\n-BEGIN-\n",
            "answers/a/seen.uai.PR": "MAR\n1.9\n",
            "answers/b/free.uai.PR": log(80),
            "answers/b/sean.uai.PR": log(22),
        },
    )
    statuses = {key[:2]: row for key, row in found.items() if key[2] == "score"}
    assert statuses == {
        ("free", "a"): (0, "other"),
        ("free", "b"): (pytest.approx(100), "ok"),
        ("seen", "a"): (0, "other"),
        ("seen", "b"): (0, "timeout"),
    }
    assert said == [
        "answers/a/free.uai.PR:3: holds no solution. It scores 0.",
        "answers/a/seen.uai.PR:1: is an answer to MAR, not to PR. It scores 0.",
        ("answers/b/sean.uai.PR: belongs to no network, role or limit of the contest, and is ignored"),
    ]
    listed = check_paths([tmp_path / "C"])
    assert [(f.code, f.severity) for f in listed] == [
        ("uai-answer", "warning"),
        ("uai-answer", "warning"),
        ("uai-leftover", "warning"),
    ]


def test_every_error_of_a_contest_is_said_at_once(tmp_path: Path) -> None:
    files = {
        "networks/bad.uai": PAIR.replace("9", "-9"),
        "evidence/free.uai.evid": "1 0\n",
        "roles/best/seen.uai.PR": "PR\nx\n",
        "answers/a/seen.uai.PR": "PR\n1\n",
    }
    assert errors(tmp_path, files) == [
        "networks/bad.uai:10: table 1 has the value '-9'. Values must be finite and at least 0.",
        (
            "evidence/free.uai.evid:1: ends before the evidence: the value of variable"
            " 0: 0 of 1 words are there"
        ),
        "roles/best/seen.uai.PR:2: log10 Z: 'x' is not a number",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("limits = [20, 5]", "limits must be a list of ascending numbers above 0"),
        ("weights = [1, 2]", "weights must have one number for each limit"),
        ("best = 'all'", "best must be one of known, optimum"),
        ("largest = 0", "largest must be a whole number from 1 to 2^30"),
        ("largest = 2.5", "largest must be a whole number from 1 to 2^30"),
        ("largest = 1073741825", "largest must be a whole number from 1 to 2^30"),
        ("tasks = ['MPE']", "tasks must be a list of PR, MAR, MAP, MMAP, MLC"),
        ("name = ''", "name must be a text"),
        ("wieghts = [1]", "unknown key 'wieghts'; keys are name, limits, unit,"),
        ("[networks]\nPR = 'a'", "networks must be a table of a list of names"),
    ],
)
def test_settings_that_make_no_sense(tmp_path: Path, line: str, expected: str) -> None:
    files = {"contest.toml": f"# x\n{line}\n", "answers/a/free.uai.PR": log(80)}
    (said,) = errors(tmp_path, files)
    assert said.startswith(f"contest.toml:2: {expected}")


def test_settings_that_are_not_toml(tmp_path: Path) -> None:
    (said,) = errors(tmp_path, {"contest.toml": "name\n"})
    assert said.startswith("contest.toml: is not TOML: ")


def test_a_contest_without_answers(tmp_path: Path) -> None:
    (said,) = errors(tmp_path, {})
    assert said == "answers: has no answers of solvers. Add answers/SOLVER/NAME.uai.TASK."
    (said,) = errors(tmp_path, {"contest.toml": 'tasks = ["PR"]\n'})
    assert said == "answers: has no answers of solvers. Add SOLVER/NAME.uai.PR."


@pytest.mark.parametrize("name", ["evidence/seen.uai.evid", "contest.toml"])
@pytest.mark.parametrize("what", ["a link to nothing", "a pipe", "a folder"])
def test_what_is_no_file_is_not_left_out(tmp_path: Path, name: str, what: str) -> None:
    """Without its evidence a network has another truth."""
    folder = make(tmp_path / "C", {"answers/A/free.uai.PR": log(75)})
    (folder / name).unlink(missing_ok=True)
    if what == "a pipe":
        os.mkfifo(folder / name)
    elif what == "a folder":
        (folder / name).mkdir()
    else:
        (folder / name).symlink_to("nothing")
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is not None
    assert str(outcome.error).startswith(f"{folder}/{name}: is not a plain file.")


def test_impossible_evidence_has_no_truth(tmp_path: Path) -> None:
    zero = "MARKOV\n1\n2\n1\n1 0\n2\n0 1\n"
    files = {
        "networks/zero.uai": zero,
        "evidence/zero.uai.evid": "1 0 0\n",
        "answers/a/zero.uai.PR": "PR\n0\n",
        "answers/a/zero.uai.MAR": "MAR\n1 2 1 0\n",
    }
    hint = "Correct it, or put the truth into roles/best."
    assert errors(tmp_path, files) == [
        (f"networks/zero.uai: zero: the true log partition function is not a finite number. {hint}"),
        (f"networks/zero.uai: zero: the evidence has probability 0, so marginals do not exist. {hint}"),
    ]


def test_impossible_answers(tmp_path: Path) -> None:
    """The trivial answer cannot be, so all that can be is perfect; or nothing can."""
    xor = "MARKOV\n2\n2 2\n1\n2 0 1\n4\n0 1\n1 0\n"
    files = {
        "contest.toml": '[networks]\nMAP = ["xor", "none"]\n',
        "networks/xor.uai": xor,
        "networks/none.uai": xor,
        "answers/a/xor.uai.MAP": "MAP\n2 0 1\n",
        "answers/a/none.uai.MAP": "MAP\n2 1 1\n",
    }
    found, said = told(tmp_path, files)
    assert found["xor", "a", "score"][0] == 100
    assert found["none", "a", "score"] == (0, "ok")
    assert found["none", "a", "error"] == (None, "ok")
    assert [line.partition(". ")[0] for line in said] == [
        ("networks/none.uai: none: all answers score 0, because none can be evaluated or is possible"),
        ("networks/xor.uai: xor: every possible answer scores 100, because the trivial one is impossible"),
    ]


# --- the importer --------------------------------------------------------------------


def test_each_task_is_a_scenario(tmp_path: Path) -> None:
    files = {
        "answers/a/free.uai.PR": log(78),
        "answers/a/seen.uai.PR": log(22),
        "answers/a/free.uai.MAR": "MAR\n2 2 .75 .25 2 .5 .5\n",
        "answers/b/free.uai.PR": log(80),
    }
    folder = make(tmp_path / "C", files)
    command = ["import", "--input-format", "uai", str(folder), "--lake", f"{tmp_path}/lake"]
    result = CliRunner().invoke(main, command)
    said = ["imported C-PR: 8 runs", "imported C-MAR: 4 runs", ""]
    assert result.output.split("\n") == said
    again = CliRunner().invoke(main, command)
    assert again.output.startswith("unchanged C-PR: 8 runs\nunchanged C-MAR: 4 runs")
    score = 100 * (1 - math.log(80 / 78) / math.log(80 / 75))
    with ae.connect(tmp_path / "lake") as con:
        gaps = "select scenario_id, solver, closed_gap, reason from solver_gap"
        assert rows(con, f"{gaps} where kind = 'algorithm' order by all") == [
            ("C-MAR", "a", None, "SBS equals VBS"),
            ("C-PR", "a", 0, None),
            ("C-PR", "b", pytest.approx(-score / (100 - score)), None),
        ]


def test_formats_are_told_apart(tmp_path: Path) -> None:
    make(tmp_path / "all" / "C", {"answers/a/free.uai.PR": log(80)})
    runs = [("i", 1, "a", 1, "ok"), ("i", 1, "b", 2, "ok")]
    write_scenario(tmp_path / "all" / "S", runs=runs)
    lake = tmp_path / "lake"
    both = ae.import_scenarios([tmp_path / "all"], into=lake)
    assert [o.scenario_id for o in both] == ["S", "C-PR"]
    one = ae.import_scenarios([tmp_path / "all"], into=lake, input_format="uai")
    assert [o.scenario_id for o in one] == ["C-PR"]
    with pytest.raises(ae.AslibError, match=r"has neither contest\.toml"):
        ae.import_scenarios([tmp_path / "all" / "S"], into=lake, input_format="uai")


def test_features_describe_what_the_evidence_leaves(tmp_path: Path) -> None:
    told(tmp_path, {"answers/a/free.uai.PR": log(78)})
    with opened(tmp_path / "lake") as con:
        sql = "select instance_id, feature, value from raw_feature_value"
        found = {(i, f): v for i, f, v in rows(con, sql)}
    names = ("n_variables", "n_observed", "n_factors", "width", "mean_degree", "zeros")
    assert [found["free", n] for n in names] == [2, 0, 2, 2, 1, 0]
    assert [found["seen", n] for n in names] == [1, 1, 2, 1, 0, 0]
    field = math.log(6 / 4) / 2
    assert found["free", "field"] == pytest.approx(field)
    assert found["seen", "field"] == pytest.approx((field + math.log(4) / 2) / 2)
    assert found["seen", "coupling"] == 0


def test_settings_that_are_wrong_leave_no_task_to_guess(tmp_path: Path) -> None:
    folder = make(tmp_path / "C", {"answers/s/a.uai.MAR": "MAR\n"})
    assert tasks_of(folder) == ("MAR",)
    (folder / FILE).write_text('tasks = ["SAT"]\n')
    assert tasks_of(folder) == ()


# --- archives ------------------------------------------------------------------------


def a_contest(top: Path) -> None:
    marginals = "MAR\n1\n2 2 0.5 0.5 2 0.5 0.5\n"
    answers = {"answers/a/free.uai.PR": log(78), "answers/a/free.uai.MAR": marginals}
    make(top / "U", answers)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gztar", "zip"])
def test_all_tasks_of_a_contest_go_in(tmp_path: Path, kind: str) -> None:
    require_imported(tmp_path, a_contest, {"U-MAR": "U", "U-PR": "U"}, kind)


def test_an_archive_has_the_findings_of_its_folder(tmp_path: Path) -> None:
    require_findings_of_the_folder(tmp_path, a_contest)


def test_an_archive_within_a_contest_is_none_of_its_own(tmp_path: Path) -> None:
    make(tmp_path / "U", {"answers/a/free.uai.PR": log(78)})
    (tmp_path / "U" / "sources.zip").touch()
    outcomes = ae.import_scenarios([tmp_path / "U"], into=tmp_path / "lake")
    assert [(o.scenario_id, o.error) for o in outcomes] == [("U-PR", None)]
