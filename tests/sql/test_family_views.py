"""Views of families: the same numbers on the instances of one value of an attribute.

The cutoff is 100 and the protocol ``default``, so that a timeout costs 1000 (PAR10).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import BY, find_tables
from tests.conftest import arff, rows, write_scenario
from tests.lab import OUT, Given, InMemory, one, runs, table

FAMILIES = {"i1": "f", "i2": "f", "i3": "g", "i4": None}
# i1, i2 of family f, i3 of g, i4 of none. A: 10 20 90 out, B: 40 50 60 70.
DATA = runs(A=[10, 20, 90, OUT], B=[40, 50, 60, 70])


ALGORITHM = "kind = 'algorithm'"


def attributes(families: dict[str, str | None]) -> dict[str, str]:
    return {"attributes.arff": arff({"instance_id": "STRING", "family": "STRING"}, list(families.items()))}


def test_scores_of_families(given: Given) -> None:
    con = given(DATA, files=attributes(FAMILIES))
    assert table(con, "solver_score_by", "attribute, family, kind, solver, n_instances, solved, par10") == [
        ("family", "", "algorithm", "A", 1, 0, 1000),
        ("family", "", "algorithm", "B", 1, 1, 70),
        ("family", "", "baseline", "SBS", 1, 1, 70),
        ("family", "", "baseline", "VBS", 1, 1, 70),
        ("family", "", "baseline", "VWS", 1, 0, 1000),
        ("family", "f", "algorithm", "A", 2, 1, 15),
        ("family", "f", "algorithm", "B", 2, 1, 45),
        ("family", "f", "baseline", "SBS", 2, 1, 45),
        ("family", "f", "baseline", "VBS", 2, 1, 15),
        ("family", "f", "baseline", "VWS", 2, 1, 45),
        ("family", "g", "algorithm", "A", 1, 1, 90),
        ("family", "g", "algorithm", "B", 1, 1, 60),
        ("family", "g", "baseline", "SBS", 1, 1, 60),
        ("family", "g", "baseline", "VBS", 1, 1, 60),
        ("family", "g", "baseline", "VWS", 1, 1, 90),
    ]


def test_scores_of_families_are_listed_the_best_first_and_the_unknown_last(given: Given) -> None:
    answers = {f"i{at}": [("B", None)] for at in range(1, 5)}
    con = given(DATA, files=attributes(FAMILIES), says={"Z": answers})
    found = InMemory(con).ask("score_by_list", {"attribute": "family"})
    listed: dict[str, list[tuple[str, float]]] = {}
    for family, solver, cost in found.select("family", "solver", "cost").rows():
        listed.setdefault(family, []).append((solver, cost))
    assert list(listed.items()) == [
        ("f", [("Z", 45), ("VBS", 15), ("SBS", 45), ("VWS", 45), ("A", 15), ("B", 45)]),
        ("g", [("Z", 60), ("SBS", 60), ("VBS", 60), ("VWS", 90), ("B", 60), ("A", 90)]),
        ("(not known)", [("Z", 70), ("SBS", 70), ("VBS", 70), ("VWS", 1000), ("B", 70), ("A", 1000)]),
    ]


def test_scores_of_families_without_a_cutoff_are_listed_without_points(given: Given) -> None:
    con = given(runs(A=[7, 8], B=[9, 9]), cutoff="0", files=attributes({"i1": "f", "i2": "f"}))
    found = InMemory(con).ask("score_by_list", {"attribute": "family"})
    assert found.select("solver", "borda").rows() == [
        ("VBS", None),
        ("VWS", None),
        ("A", None),
        ("B", None),
    ]


def test_sbs_is_that_of_the_scenario_and_the_familys_best_stands_beside(given: Given) -> None:
    con = given(DATA, files=attributes(FAMILIES))
    columns = "family, n_instances, share, sbs, best, sbs_cost, best_cost, vbs_cost"
    assert table(con, "scenario_baseline_by", f"{columns}, share_of_gap, reason") == [
        ("", 1, 0.25, "B", "B", 70, 70, 70, 0, "SBS equals VBS"),
        ("f", 2, 0.5, "B", "A", 45, 15, 15, 1, None),
        ("g", 1, 0.25, "B", "B", 60, 60, 60, 0, "SBS equals VBS"),
    ]
    assert table(con, "solver_gap_by", "family, closed_gap, reason", "solver = 'A'") == [
        ("", None, "SBS equals VBS"),
        ("f", 1, None),
        ("g", None, "SBS equals VBS"),
    ]


def test_algorithms_that_tie_for_a_familys_best_are_all_named(given: Given) -> None:
    says = {"s": {"i1": [("C", None)], "i2": [("C", None)], "i3": [("C", None)]}}
    data = runs(B=[10, 30, 50], A=[30, 10, 60], C=[OUT, OUT, 40])
    con = given(data, files=attributes({"i1": "f", "i2": "f", "i3": "g"}), says=says)
    assert table(con, "scenario_baseline_by", "family, best, best_tied, best_cost, best_par10") == [
        ("f", "A", ["A", "B"], 20, 20), ("g", "C", ["C"], 40, 40),
    ]  # fmt: skip
    printed = rows(con, f"select family, best from ({find_tables()['families'].sql})")
    assert printed == [("f", "A = B"), ("g", "C")]
    listed = InMemory(con).ask("gap_by_list", {"attribute": "family"})
    assert set(listed.select("family", "best").rows()) == set(printed)


def test_borda_and_ranks_within_a_family(given: Given) -> None:
    con = given(DATA, files=attributes(FAMILIES))
    points = table(con, "solver_borda_by", "family, solver, borda", ALGORITHM)
    assert [(f, s, round(b, 6)) for f, s, b in points] == [
        ("", "A", 0),
        ("", "B", 1),
        ("f", "A", round((40 / 50 + 50 / 70) / 2, 6)),
        ("f", "B", round((10 / 50 + 20 / 70) / 2, 6)),
        ("g", "A", 0.4),
        ("g", "B", 0.6),
    ]
    assert table(con, "solver_rank_by", "family, solver, rank", f"metric = 'par10' and {ALGORITHM}") == [
        ("", "A", 2), ("", "B", 1), ("f", "A", 1), ("f", "B", 2), ("g", "A", 2),
        ("g", "B", 1),
    ]  # fmt: skip


def test_sbs_of_folds_is_chosen_on_the_whole_scenario(given: Given) -> None:
    data = runs(A=[10, 20, 90], B=[40, 50, 60])
    folds = {"i1": 1, "i2": 1, "i3": 2}
    protocol = Protocol(fold_aggregate="mean", sbs_scope="train")
    con = given(data, protocol, folds=folds, files=attributes({"i1": "f", "i2": "g", "i3": "f"}))
    columns = "family, fold, sbs_train, sbs_train_cost, vbs_cost"
    assert table(con, "fold_compared_by", columns, "solver = 'A'") == [
        ("f", 1, "B", 40, 10), ("f", 2, "A", 90, 60), ("g", 1, "B", 50, 20),
    ]  # fmt: skip
    gap = one(con, "solver_gap_by", "closed_gap, n_folds", "family = 'f' and solver = 'B'")
    assert gap == (0.5, 2)  # 0 on fold 1, 1 on fold 2


TIMES = [1, 7, 30.5, OUT]
METRICS = "solved, par1, par2, par10, cost, normalised, mcp, incomplete"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_families_add_up_to_the_scenario(given: Given, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = [("fgh?"[rng.integers(4)], *(TIMES[rng.integers(4)] for _ in "ABC")) for _ in range(9)]
    data = runs(**{who: [row[at] for row in cells] for at, who in enumerate("ABC", 1)})
    of = {f"i{i}": None if f == "?" else f for i, (f, *_) in enumerate(cells, 1)}
    con = given(data, files=attributes(of))
    whole = {solver: values for solver, *values in rows(con, f"select solver, {METRICS} from solver_score")}
    parts = rows(con, f"select solver, n_instances, {METRICS} from solver_score_by")
    for solver, values in whole.items():
        mine = [(n, row) for who, n, *row in parts if who == solver]
        assert sum(n for n, _ in mine) == len(cells)
        for at, value in enumerate(values):
            mean = sum(n * row[at] for n, row in mine) / len(cells)
            assert mean == pytest.approx(value, rel=1e-12, abs=1e-12)
    columns = "n_instances, sbs_cost, vbs_cost, share_of_gap"
    of_families = rows(con, f"select {columns} from scenario_baseline_by")
    below = sum(n * (sbs - vbs) for n, sbs, vbs, _ in of_families)
    sbs, vbs = whole["SBS"][4], whole["VBS"][4]
    assert below == pytest.approx(len(cells) * (sbs - vbs), abs=1e-9)
    if below > 0:
        assert sum(share for *_, share in of_families) == pytest.approx(1)


def test_one_family_is_the_scenario_to_the_last_digit(toy_of_one: Path) -> None:
    con = ae.connect(toy_of_one, protocols=[Protocol(), Protocol("mean", fold_aggregate="mean")])
    for name in ("solver_score", "solver_gap", "solver_borda", "solver_rank",
                 "fold_solver", "fold_gap", "scenario_attainable"):  # fmt: skip
        by = con.sql(f"select * exclude (attribute, family) from {name}{BY} "
                     "where attribute = 'one' order by all").fetchall()  # fmt: skip
        assert by == con.sql(f"from {name} order by all").fetchall()
        assert by


@pytest.fixture(scope="module")
def toy_of_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from aslib_eval.selections import import_selections
    from tests.conftest import ROOT

    home = tmp_path_factory.mktemp("one")
    toy = ROOT / "scenarios" / "TOY-2026"
    ae.import_scenarios(toy, into=home / "first")
    found = ae.query("select distinct instance_id from raw_run", lake=home / "first")
    found.with_columns(one=pl.lit("all")).write_csv(home / "one.csv")
    ae.import_scenarios(toy, into=home / "lake", attributes=home / "one.csv")
    import_selections(ROOT / "scenarios" / "selections", lake=home / "lake")
    return home / "lake"


def test_a_real_scenario_by_brute_force(shared: Path, tmp_path: Path) -> None:
    ae.import_scenarios((shared / "aslib" / "SAT11-HAND-ALGO"), into=tmp_path, family="path:1")
    found = ae.gap(tmp_path, by="family", kinds=["algorithm"])
    run = ae.query("select instance_id, algorithm, value, runstatus from raw_run", lake=tmp_path)
    cost = pl.when((pl.col("runstatus") == "ok") & (pl.col("value") < 5000)).then("value")
    run = run.cast({"instance_id": pl.String, "algorithm": pl.String}).with_columns(
        cost=cost.otherwise(50000.0), family=pl.col("instance_id").str.split("/").list.get(1)
    )
    sbs = run.group_by("algorithm").agg(pl.col("cost").mean()).sort("cost", "algorithm")["algorithm"][0]
    vbs = run.group_by("instance_id", "family").agg(pl.col("cost").min())
    vbs = vbs.group_by("family").agg(pl.col("cost").mean().alias("vbs"))
    mine = run.group_by("family", "algorithm").agg(pl.col("cost").mean(), n=pl.len())
    base = mine.filter(algorithm=sbs).select("family", sbs="cost")
    gap = (pl.col("sbs") - pl.col("cost")) / (pl.col("sbs") - pl.col("vbs"))
    mine = mine.join(vbs, on="family").join(base, on="family").with_columns(gap=gap)
    both = found.with_columns(pl.col("solver", "family").cast(pl.String)).join(
        mine, left_on=["family", "solver"], right_on=["family", "algorithm"]
    )
    assert both.height == found.height == 7 * 15
    assert both["n"].to_list() == both["n_right"].to_list()
    for ours, theirs in both.select("closed_gap", "gap_right").rows():
        defined = ours is not None
        assert defined == (theirs is not None and abs(theirs) < float("inf"))
        assert not defined or ours == pytest.approx(theirs, rel=1e-9)


def test_families_are_compared_each_by_itself(toy_of_one: Path) -> None:
    found = ae.compare(toy_of_one, by="ground_truth", kind="algorithm")
    means = {
        (family, system): (n, mean)
        for family, system, n, mean in found.systems.select("family", "system", "n", "mean").rows()
    }
    scores = ae.score(toy_of_one, by="ground_truth", kinds=["algorithm"])
    rows = scores.select("family", "solver", "n", "par10").rows()
    known = {(f, s): (n, par10) for f, s, n, par10 in rows if f != "(not known)"}
    assert means == known
    assert found.sentences[-1] == "TOY-2026, (not known): nothing to compare on 1 instance."
    whole = ae.compare(toy_of_one, kind="algorithm").pairs
    assert ae.compare(toy_of_one, by="one", kind="algorithm").pairs.drop("family").rows() == whole.rows()
    with pytest.raises(ae.AslibError, match="no instance has the attribute 'two'"):
        ae.gap(toy_of_one, by="two")


def test_a_metric_of_ones_own_has_families_if_its_view_says_so(toy_of_one: Path, tmp_path: Path) -> None:
    from tests.conftest import ROOT

    text = (ROOT / "docs" / "queries.md").read_text()
    view = text.split("<!-- file: mine/solver/solver_slowest.sql -->\n```sql\n")[1].partition("```")[0]
    file = tmp_path / "solver" / "solver_slowest.sql"
    file.parent.mkdir()
    file.write_text(view)
    asked = {"by": "one", "sql_dirs": tmp_path, "kinds": ["algorithm"]}
    assert set(ae.score(toy_of_one, **asked)["slowest"]) == {None}
    file.write_text(view.replace("-- key:", "-- families: yes\n-- key:"))
    found = ae.score(toy_of_one, **asked).select("solver", "slowest").rows()
    whole = ae.score(toy_of_one, sql_dirs=tmp_path, kinds=["algorithm"])
    assert dict(found) == dict(whole.select("solver", "slowest").rows())


def test_a_value_not_known_is_not_the_family_without_a_value(tmp_path: Path) -> None:
    # i1 and i2 have the value, i3 and i4 none.
    names = ["(not known)", "(not known)", None, None, "f", "f"]
    data = runs(A=[1, 2, 30, 40, 50, 60], B=[2, 1, 40, 30, 60, 50])
    folder, lake = write_scenario(tmp_path / "S", runs=data), tmp_path / "lake"
    lines = [f"i{n},{value or ''}" for n, value in enumerate(names, 1)]
    (tmp_path / "a.csv").write_text("\n".join(["instance,family", *lines, ""]))
    ae.import_scenarios([folder], into=lake, attributes=tmp_path / "a.csv")
    expected = {'"(not known)"': 1.5, "(not known)": 35, "f": 55}
    assert dict(ae.score(lake, by="family", solvers=["A"]).select("family", "par10").rows()) == expected
    means = ae.compare(lake, by="family").systems.filter(system="A")
    assert dict(means.select("family", "mean").rows()) == expected
    gaps = ae.gap(lake, by="family", solvers=["A"])
    assert gaps["family"].to_list() == ['"(not known)"', "f", "(not known)"]
