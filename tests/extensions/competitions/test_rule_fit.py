"""Scenarios of other rules are refused; other years, and broken laws, are said."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.record import broken, sentences, without_runs
from aslib_eval.extensions.competitions.record_formats import to_page, to_text
from aslib_eval.extensions.competitions.rule_fit import fit_of, require_own
from aslib_eval.extensions.competitions.rules import BOARDS, Ranking, tried_on, turned_orders
from tests.extensions.competitions.test_laws import PRESETS, TEN
from tests.extensions.competitions.test_rules import PAR2, frame, solution

SAT = "SAT-2023-main"
SMT = "SMT-2025-parallel-QF_Bitvec"


# fmt: off
FITS = [
    ("sat2023", SAT, "own"),
    ("sat2023", "SAT-2021-cloud", "other year"),
    ("sat2023", "SAT-main", "other year"),
    ("sat2023", SMT, "other"),
    ("sat2023", "SAT11-HAND-ALGO", "unknown"),
    ("sat2023", "TOY-2026", "unknown"),
    ("par10", SMT, "own"),
    ("smtcomp", SMT, "own"),
    ("smtcomp", "SMT-2024-incremental-QF_UF", "other"),
    ("smtcomp-incremental", "SMT-2024-incremental-QF_UF", "own"),
    ("smtcomp-sequential", SMT, "other"),
    ("smtcomp-sequential", "SMT-2024-single-query-QF_UF", "own"),
    ("chc2018", "Job29663_info", "unknown"),
    ("minizinc2019", "MZN-2021", "other year"),
    ("minizinc", "MZN-2016", "other year"),
    ("maxsat-exact", "MAXSAT-2022-complete-weighted", "own"),
    ("maxsat-exact", "MAXSAT-2022-incomplete-weighted-60s", "other"),
    ("maxsat-anytime", "MAXSAT-2022-incomplete-weighted-60s", "own"),
    ("maxsat-anytime", "MAXSAT-2022-complete-weighted", "other"),
    ("qbf", "QBF-2011", "own"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "scenario", "fit"), FITS)
def test_what_presets_are_made_for(rule: str, scenario: str, fit: str) -> None:
    said = PRESETS.get(rule) or PRESETS[rule.rpartition("-")[0]]
    assert fit_of(said, scenario, PRESETS.values()) == fit


def test_rules_of_the_year_are_what_to_type() -> None:
    with pytest.raises(AslibError) as raised:
        require_own("sat2023", PRESETS["sat2023"], [SAT, SMT, "MZN-2019"], PRESETS)
    assert str(raised.value) == (
        f"NAME: the rule sat2023 is made for SAT-2023-*, not for {SMT} and 1 more. "
        "Type one of smtcomp instead. To use this rule anyway, write a TOML file "
        'with like = "sat2023" and name that file.'
    )
    with pytest.raises(AslibError, match="Type one of sat2021 instead"):
        require_own("smtcomp", PRESETS["smtcomp"], ["SAT-2021-cloud"], PRESETS)
    with pytest.raises(AslibError, match="one of minizinc, minizinc2021, minizinc_ha"):
        require_own("smtcomp", PRESETS["smtcomp"], ["MZN-2021"], PRESETS)


def test_another_year_is_said() -> None:
    def said(*scenarios: str) -> list[str]:
        return require_own("sat2023", PRESETS["sat2023"], scenarios, PRESETS)

    assert said(SAT, "TOY-2026") == []
    rule = "The rule sat2023 is made for SAT-2023-*; "
    assert said("SAT-2021-main", SAT) == [f"{rule}SAT-2021-main is from another year."]
    assert said("SAT-2021-main", "SAT-2022-main") == [f"{rule}2 scenarios are from other years."]


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return Ranking()


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """A track of 2024: A solves all three instances, B one."""
    times = zip("abc", ("1,2,sat", "3,10000,unsat", "4,10000,sat"), strict=True)
    rows = "".join(f"{32 * digit},{cells}\n" for digit, cells in times)
    path = tmp_path / "sat2024" / "results_main_detailed.csv"
    path.parent.mkdir()
    path.write_text(f"hash,A,B,aresult\n{rows}")
    return path


def test_a_competition_refuses_the_files_of_another_one(track: Path) -> None:
    with pytest.raises(AslibError, match="Type one of sat2024 instead"):
        ae.competition("smtcomp", track)


def test_a_rule_of_your_own_ranks_any_files(track: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('like = "smtcomp"\n')
    record = ae.competition(str(own), track)
    assert (record.name, record.remarks) == ("own", ())
    own.write_text('like = "smtcomp"\nscenarios = ["SMT-2026-*"]\n')
    with pytest.raises(AslibError, match=r"own is made for SMT-2026-\*, not for SAT-2024"):
        ae.competition(str(own), track)


def test_the_record_says_that_a_rule_is_of_another_year(track: Path) -> None:
    record = ae.competition("sat2023", track)
    said = "The rule sat2023 is made for SAT-2023-*; SAT-2024-main is from another year."
    assert [*record.remarks] == sentences(record) == [said]
    assert f"- {said}\n" in to_text(record)
    assert said in (page := to_page(record))
    assert "<title>sat2023</title>" in page
    assert "Main track: A is first, ahead of " in page
    right = ae.competition("sat2024", track)
    assert right.remarks == ()
    assert "<title>SAT Competition 2024</title>" in to_page(right)


def test_a_broken_law_is_said(ranking: Ranking) -> None:
    def said(**rule: object) -> list[str]:
        return broken("mine", {"rule": "mine", **rule}, frame(TEN), ranking, rules=1)

    assert said(**PAR2) == []
    scale = "multiplying all times and limits by ten does not change the order"
    order = "with all times and limits multiplied by ten, A is level with C instead of ahead of it"
    hint = "Type aslib-eval check --rule mine PATH for the smallest example."
    assert said(time_limit=24) == [f"The rule mine breaks a law: {scale}, but {order}. {hint}"]
    assert said(time_limit=24, lacks=["time_scale: the limit is 24 s"]) == []
    assert said(time_limit=24, lacks=["third: it is so"]) != []


# B and C are unproved and B is the better one: 1.5 points of a pair; A solves nothing.
def test_a_broken_sum_of_pairs_is_said(ranking: Ranking) -> None:
    costs = {"A": None, "B": 3, "C": 5}
    runs = [
        {**solution(name, cost and "solution", cost, 9.0), "instance_id": "i"}
        for name, cost in costs.items()
    ]
    half: dict[str, object] = {"rule": "mine", "scoring": "pairs", "solves": ["solution"]}
    assert broken("mine", half, frame(runs), ranking, rules=1) == []
    half["worse_of_unproved"] = 0.5
    (said,) = broken("mine", half, frame(runs), ranking, rules=1)
    assert "B and C have 1.5 points together on i" in said
    half["lacks"] = ["pair_sum: the worse one has half a point"]
    assert broken("mine", half, frame(runs), ranking, rules=1) == []


def test_laws_are_tried_on_so_many_rows(ranking: Ranking) -> None:
    """Of 400 instances one has a time that a limit of 24 s cuts; few are tried."""
    rows = [
        (name, f"i{at:04}", "sat", time, time, 100.0)
        for name, usual, odd in (("A", 1.0, 23.0), ("B", 2.0, 2.0))
        for at in range(400)
        for time in [odd if at == 1 else usual]
    ]
    columns = ["solver", "instance_id", "claim", "cpu", "wall", "cutoff"]
    runs = pl.DataFrame(rows, schema=columns, orient="row")
    rule = {"rule": "mine", "time_limit": 24, "order_by": ["-solved"]}
    some = tried_on(runs, rule, rows=2_000, boards=BOARDS)
    assert turned_orders(runs, rule, ranking=ranking) != {}
    assert turned_orders(some, rule, ranking=ranking) == {}


def test_the_record_says_which_laws_its_rule_breaks(track: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("time_limit = 3.5\n")
    (said,) = ae.competition(str(own), track).remarks
    assert said.startswith("The rule own breaks a law: multiplying all times")


def test_solvers_without_any_run_in_a_division() -> None:
    rows = [
        ("LIA", "cvc5", "x", "ok"),
        ("LIA", "Z3", "x", "ok"),
        ("LIA", "Yices", "x", "not_applicable"),
        ("UF", "Z3", "x", "ok"),
        ("UF", "Bitwuzla", "x", "not_applicable"),
        ("QF", "Opensmt", "y", "ok"),
    ]
    runs = pl.DataFrame(rows, schema=["scenario_id", "solver", "track", "ended"], orient="row")
    assert without_runs(runs) == {"LIA": [], "UF": ["cvc5"], "QF": []}
    untold = runs.with_columns(track=pl.lit(None, pl.String))
    assert sorted(without_runs(untold)["UF"]) == ["Opensmt", "cvc5"]


def test_the_record_names_solvers_without_runs_in_a_division(tmp_path: Path) -> None:
    for name, solvers in {"cup-1": "xy", "cup-2": "x"}.items():
        rows = "".join(f"a,{each},{at},ok\n" for at, each in enumerate(solvers))
        (tmp_path / f"{name}.csv").write_text(f"instance,solver,time,status\n{rows}")
    files = [tmp_path / "cup-1.csv", tmp_path / "cup-2.csv"]
    left = ae.competition("par10", files, cutoff=9).left_out
    columns = ["scenario_id", "what", "why", "names"]
    why = "no run here, but in other scenarios of the track"
    assert left.select(columns).rows() == [("cup-2", "solvers", why, ["y"])]
