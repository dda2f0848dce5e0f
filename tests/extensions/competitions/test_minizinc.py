"""Results of MiniZinc Challenges: one with every code, and files with every fault."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.minizinc import ChallengeResults, unzipped
from tests.conftest import opened, rows
from tests.extensions.competitions.raw_files import lake_of, messages

RESULTS: dict[str, Any] = {
    "solvers": ["gecode-fd", "yuck-free"],
    "fd_solvers": [True, False],
    "free_solvers": [True, True],
    "problems": ["vrp", "amaze", "tsp"],
    "kind": ["MIN", "SAT", "MAX"],
    "instances": [[1, 2], [0, 3, 4], [5]],
    "benchmarks": ["a", "a", "b", "c", "d", "e"],
    "results": [["SC", "SC", "S", "C", "ERR", "UNK"], ["S", "S", "INC", "UNK", " C", "S "]],
    "times": [[500, 30_250, 1_200_000, 9000, " ", 1_200_000], [700, 1_200_000, " ", 8000, 90, 1_200_000]],
    "objectives": [[" ", 40, 7, " ", " ", " "], [0, 41, 9, " ", " ", -3]],
    "step_obj": [[[0], [50, 40], [7], [], [], []], [[" "], [41], [], [], [], [-5, -3]]],
    "step_times": [[[9], [20, 30], [900], [], [], []], [[1], [10], [], [], [], [1, 2]]],
}
RUNS = """
    select instance_id, value, runstatus, said, claim, objective, judged
    from raw_run
    inner join raw_answer using (scenario_id, instance_id, repetition, algorithm)
    where algorithm = 'gecode-fd' order by all
"""


def put(folder: Path, name: str = "2019.results.json", **changed: Any) -> Path:
    (folder / name).write_text(json.dumps({"results": {**RESULTS, **changed}, "locations": {}}))
    return folder / name


def test_what_every_code_means(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path)))
    assert rows(con, RUNS) == [
        ("amaze/a", 0.5, "ok", "SC", "sat", None, None),
        ("amaze/c", 9.0, "ok", "C", "unsat", None, None),
        ("amaze/d", None, "crash", "ERR", None, None, None),
        ("tsp/e", 1200.0, "timeout", "UNK", "unknown", None, None),
        ("vrp/a", 30.25, "ok", "SC", "optimal", 40.0, None),
        ("vrp/b", 1200.0, "ok", "S", "solution", 7.0, None),
    ]
    assert rows(con, RUNS.replace("gecode-fd", "yuck-free")) == [
        ("amaze/a", 0.7, "ok", "S", "sat", None, None),
        ("amaze/c", 8.0, "other", "UNK", "unknown", None, None),
        ("amaze/d", 0.09, "ok", "C", "unsat", None, None),
        ("tsp/e", 1200.0, "ok", "S", "solution", -3.0, None),
        ("vrp/a", 1200.0, "ok", "S", "solution", 41.0, None),
        ("vrp/b", None, "wrong", "INC", None, 9.0, "wrong"),
    ]


def test_the_scenario_its_instances_and_categories(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path)))
    asked = "select scenario_id, measure, measure_type, maximize, cutoff, time_unit"
    assert rows(con, f"{asked} from raw_scenario") == [
        ("MZN-2019", "wall_time", "runtime", False, 1200.0, "s")
    ]
    asked = "select instance_id, value from raw_attribute where attribute = "
    assert rows(con, f"{asked} 'sense' order by all")[3:5] == [("tsp/e", "maximize"), ("vrp/a", "minimize")]
    assert rows(con, f"{asked} 'family' order by all")[0] == ("amaze/a", "amaze")
    asked = "select algorithm, feature, value from raw_algorithm_feature order by all"
    assert rows(con, asked) == [
        ("gecode-fd", "fd", 1.0),
        ("gecode-fd", "free", 1.0),
        ("yuck-free", "fd", 0.0),
        ("yuck-free", "free", 1.0),
    ]


def test_every_solution_has_its_time(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path)))
    asked = "select instance_id, algorithm, step, elapsed, value, measure"
    assert rows(con, f"{asked} from raw_trajectory order by all") == [
        ("tsp/e", "yuck-free", 1, 0.001, -5.0, "objective"),
        ("tsp/e", "yuck-free", 2, 0.002, -3.0, "objective"),
        ("vrp/a", "gecode-fd", 1, 0.02, 50.0, "objective"),
        ("vrp/a", "gecode-fd", 2, 0.03, 40.0, "objective"),
        ("vrp/a", "yuck-free", 1, 0.01, 41.0, "objective"),
        ("vrp/b", "gecode-fd", 1, 0.9, 7.0, "objective"),
    ]


def test_files_of_before_2013_have_texts_and_seconds(tmp_path: Path) -> None:
    times = [["1", "30", "900", "9", " ", "900"], ["2", "900", " ", "8", "1", "900"]]
    con = opened(lake_of(put(tmp_path, "2012.results.json", times=times)))
    assert rows(con, RUNS)[-2:] == [
        ("vrp/a", 30.0, "ok", "SC", "optimal", 40.0, None),
        ("vrp/b", 900.0, "ok", "S", "solution", 7.0, None),
    ]
    assert rows(con, "select scenario_id, cutoff from raw_scenario") == [("MZN-2012", 900.0)]


def test_how_it_was_understood_is_said(tmp_path: Path) -> None:
    path = tmp_path / "2019.results.json.gz"
    path.write_bytes(gzip.compress(put(tmp_path).read_bytes()))
    (found,) = messages(path)
    about = "times are milliseconds, stored as seconds; the limit is 1200 s"
    assert found == f"{path}: 2 solvers on 6 instances; {about}, as in the rules"


def test_the_year_is_that_of_the_models_where_no_name_has_one(tmp_path: Path) -> None:
    results = {"results": RESULTS, "locations": {"problems": ["mznc2018_probs/x.mzn"]}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results))
    assert rows(opened(lake_of(path)), "select scenario_id from raw_scenario") == [("MZN-2018",)]


def changed(key: str, *at: int, to: Any) -> dict[str, Any]:
    """The results with one entry changed; ``None`` takes the key away."""
    if not at:
        return {key: to}
    found = copy.deepcopy(RESULTS[key])
    inner = found
    for position in at[:-1]:
        inner = inner[position]
    inner[at[-1]] = to
    return {key: found}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed("times", 0, 1, to=" "), "times[0][1]: a run with the code SC has no time"),
        (changed("times", 1, to=[1]), "times[1]: has 1 entries instead of 6"),
        (changed("times", 0, 1, to="x"), 'times[0][1]: "x" is neither a number nor bl'),
        (changed("results", 0, 1, to=3), "results[0][1]: 3 is not a code"),
        (changed("results", to={}), "results.results: is {}, not a list of 2"),
        (changed("objectives", 0, 1, to=[]), "objectives[0][1]: [] is neither a numb"),
        (changed("kind", to=["MIN"]), "kind: has 1 entries instead of 3"),
        (changed("instances", to=[[0]]), "instances: is not a list of 3 lists"),
        (changed("instances", to=3), "instances: is not a list of 3 lists"),
        (changed("instances", 1, to=3), "instances[1]: is not a list of positions"),
        (changed("kind", 1, to="MAXI"), "kind[1]: 'MAXI' is none of SAT, MIN, MAX"),
        (changed("instances", 0, to=[1, 1]), "instances[0]: 1 is not a position in benc"),
        (changed("instances", 2, to=[]), "no problem has benchmark 5, 'e'"),
        (changed("benchmarks", 2, to="a"), "benchmarks: names 'vrp/a' twice in one"),
        (changed("solvers", 1, to="gecode-fd"), "solvers: names 'gecode-fd' twice"),
        (changed("solvers", to=3), "results.solvers: is 3, not a list of texts"),
        (changed("fd_solvers", 1, to=1), "fd_solvers[1]: 1 is neither true nor false"),
        (changed("step_obj", 0, 1, to=[50]), "has 2 entries, but step_obj has 1"),
        (changed("step_times", 0, 1, to=[30, 20]), "step_times[0][1]: goes back"),
        (changed("step_obj", 0, 1, to=[50, ""]), "step_obj[0][1]: is not a list of num"),
    ],
)
def test_what_is_wrong_is_found_by_its_key(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = put(tmp_path, **change)
    (found,) = messages(path)
    assert message in found
    assert found.startswith(str(path))


def test_a_code_that_is_not_known_claims_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, **changed("results", 0, 1, to="OOM"))
    found = messages(path)[1]
    assert "results has 1 run with the unknown code 'OOM'" in found
    known = "Known codes are SC, S, C, UC, UNK, INC, ERR, MZN."
    assert found.endswith(f"These runs count as unsolved. {known}")
    con = opened(lake_of(path))
    assert rows(con, RUNS)[-2] == ("vrp/a", 30.25, "other", "OOM", None, 40.0, None)


def test_an_error_of_the_translation_is_a_crash(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, **changed("results", 0, 4, to="MZN"))))
    assert rows(con, RUNS)[2] == ("amaze/d", None, "crash", "MZN", None, None, None)


def test_solutions_after_the_limit_are_counted(tmp_path: Path) -> None:
    (found,) = messages(put(tmp_path, **changed("step_times", 0, 1, to=[1_200_000, 1_200_001])))[1:]
    assert "trajectories have 1 solution after the limit" in found


def test_solutions_that_get_worse_or_are_not_the_last(tmp_path: Path) -> None:
    worse = changed("step_obj", 1, 5, to=[-3, -5])
    told = [each.partition(": ")[2] for each in messages(put(tmp_path, **worse))[1:]]
    where = "the first case is yuck-free on tsp/e"
    last = "the last solution has another objective than the run"
    assert told == [
        f"in 1 trajectory a solution is worse than an earlier one; {where}",
        f"in 1 trajectory {last}; {where}",
    ]


def test_a_cut_file_is_said_to_be_cut(tmp_path: Path) -> None:
    path = put(tmp_path)
    path.write_text(path.read_text()[:-40])
    (found,) = messages(path)
    assert f"{path}: is not JSON (Expecting value: line 1" in found


def test_what_holds_no_results(tmp_path: Path) -> None:
    path = tmp_path / "2019.results.json"
    for text in ("[]", '{"results": [], "locations": {}}'):
        with pytest.raises(AslibError) as refused:
            ChallengeResults(text.encode(), file="f")
        assert str(refused.value).startswith("f: has no object 'results' with solvers and instances. ")
    packed = gzip.compress(json.dumps({"results": RESULTS, "locations": {}}).encode())
    assert json.loads(unzipped(packed, file="f"))["results"] == RESULTS
    for damaged in (packed[:-9], packed[:20] + b"\xff" + packed[21:]):
        with pytest.raises(AslibError) as refused:
            unzipped(damaged, file=str(path))
        assert str(refused.value).startswith(f"{path}: cannot be unzipped (")
        assert str(refused.value).endswith("). Fetch it again.")


def test_claims_that_cannot_both_be_right_are_warned_of(tmp_path: Path) -> None:
    better = changed("objectives", 1, 1, to=39) | changed("step_obj", 1, 1, to=[39])
    other = {"results": [RESULTS["results"][0], ["S", "S", "INC", "S", " C", "S "]]}
    found = messages(put(tmp_path, **better, **other))[1:]
    assert [each.partition(": ")[2].partition(". The")[0] for each in found] == [
        "vrp/a: gecode-fd claims the optimum 40, but yuck-free has the better value 39",
        "amaze/c: gecode-fd claims that there is no solution, but yuck-free claims that there is one",
    ]


@pytest.mark.slow
def test_challenges_of_minizinc(shared: Path, tmp_path: Path) -> None:
    challenges = shared / "competitions" / "minizinc"
    if not challenges.is_dir():
        pytest.skip("needs the results of competitions in ../shared")
    done = ae.import_scenarios([challenges], into=tmp_path / "lake")
    assert [each.scenario_id for each in done] == ["MZN-2019", "MZN-2021"]
    con = opened(tmp_path / "lake")
    asked = "select count(*) from raw_trajectory group by scenario_id order by all"
    assert rows(con, asked) == [(87_968,), (124_480,)]
    asked = "select said, count(*) from raw_answer where scenario_id = 'MZN-2019'"
    assert rows(con, f"{asked} group by said order by all") == [
        *(("C", 20), ("ERR", 111), ("S", 1074), ("SC", 842), ("UNK", 553))
    ]


def test_a_run_without_a_code_said_nothing(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, **changed("results", 0, 1, to=" "))))
    found = "select count(*) from raw_answer where algorithm = 'gecode-fd' and said = ''"
    assert rows(con, found) == [(0,)]


def test_boards_of_categories_are_said_to_be_no_rules(tmp_path: Path) -> None:
    record = ae.competition("minizinc2019", put(tmp_path))
    rules = ["minizinc2019", "minizinc2019-fd", "minizinc2019-free"]
    assert record.rules["rule"].to_list() == rules
    assert record.remarks[0] == (
        "Each of the boards minizinc2019-fd, minizinc2019-free ranks one category of solvers, by the rule"
        " with which its name begins."
    )
