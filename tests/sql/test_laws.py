"""Laws that hold for every scenario, on small scenarios that hypothesis makes up."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.database.open_lake import AT_START
from aslib_eval.database.protocol import Protocol
from tests.conftest import Row, opened, rows, write_scenario
from tests.lab import activate, as_tables

CUTOFF = 100
PLAIN = Protocol()
laws = settings(max_examples=8, deadline=None, derandomize=True, database=None)


@st.composite
def scenarios(draw: st.DrawFn, repetitions: int = 2) -> list[Row]:
    """Runs of 1-4 algorithms on 1-4 instances; times are whole, so sums are exact."""
    algorithms = "ABCD"[: draw(st.integers(1, 4))]
    instances = range(1, draw(st.integers(1, 4)) + 1)
    repeats = range(1, draw(st.integers(1, repetitions)) + 1)
    outcome = st.tuples(st.integers(0, CUTOFF + 20), st.sampled_from(("ok", "ok", "timeout", "crash")))
    return [
        (f"i{instance}", repetition, algorithm, *draw(outcome))
        for instance in instances
        for repetition in repeats
        for algorithm in algorithms
    ]


class Lab:
    """One lake and one connection; every example replaces the runs in memory."""

    def __init__(self, lake: Path) -> None:
        self.con = opened(lake)
        self.con.execute("pragma disable_optimizer")  # takes longer than these few rows
        as_tables(self.con, only=AT_START)
        for name in ("scenario", "run", "fold"):
            self.con.execute(f"create table held as from raw_{name}")
            self.con.execute(f"drop view raw_{name}")
            self.con.execute(f"alter table held rename to raw_{name}")

    def hold(
        self, runs: Sequence[Row], *protocols: Protocol, cutoff: float = CUTOFF, folds: int = 2
    ) -> None:
        """Make these the runs of the scenario and the protocols the active ones."""
        self.con.execute("update raw_scenario set cutoff = $1", [cutoff])
        self.con.execute("delete from raw_run")
        stored = [(*row[:3], "runtime", *row[3:]) for row in runs]
        self.con.executemany("insert into raw_run values ('S',?,?,?,?,?,?)", stored)
        self.con.execute("delete from raw_fold")
        split = [(at % folds, name) for at, name in enumerate(sorted({row[0] for row in runs}))]
        self.con.executemany("insert into raw_fold values ('S','aslib',1,?,?)", split)
        activate(self.con, protocols or (PLAIN,))

    def rows(self, sql: str) -> list[Row]:
        return rows(self.con, sql)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return Lab(lake_of(tmp_path_factory.mktemp("lab"), [("i1", 1, "A", 1, "ok")]))


def lake_of(home: Path, runs: Sequence[Row]) -> Path:
    (outcome,) = ae.import_scenarios([write_scenario(home / "S", runs=runs)], into=home / "lake")
    assert outcome.error is None, outcome.error
    return home / "lake"


@contextmanager
def imported(runs: Sequence[Row]) -> Iterator[duckdb.DuckDBPyConnection]:
    with tempfile.TemporaryDirectory() as home:
        yield ae.connect(lake_of(Path(home), runs))


SCORES = "solver_score", "solver_gap", "solver_borda", "scenario_baseline", "fold_gap"


# What no scenario has: algorithms better than VBS or worse than VWS, by a column; gaps of a view that are
# neither a number nor have a reason.
OUTSIDE = """
    select a.instance_id, a.solver, a.{0}, b.solver, b.{0}
    from instance_solver as a
    inner join instance_solver as b using (protocol, instance_id, repetition)
    where a.kind = 'algorithm' and b.kind = 'baseline'
    and (b.solver = 'VBS' and b.{0} > a.{0} or b.solver = 'VWS' and b.{0} < a.{0})
"""
UNREASONED = """
    select 1 from {0}
    where (closed_gap is null) = (reason is null) or isnan(closed_gap) or isinf(closed_gap)
"""


def close(found: Sequence[Row], expected: Sequence[Row]) -> bool:
    """Equal rows; floats to 1e-9, for sums in another order."""
    return len(found) == len(expected) and all(
        a == b or (isinstance(a, float) and a == pytest.approx(b, rel=1e-9, abs=1e-9))
        for x, y in zip(found, expected, strict=True)
        for a, b in zip(x, y, strict=True)
    )


@pytest.mark.slow
@laws
@given(runs=scenarios(), mode=st.sampled_from(("mean_par", "median", "separate")))
def test_vbs_is_never_above_nor_vws_below_an_algorithm(lab: Lab, runs: list[Row], mode: str) -> None:
    lab.hold(runs, Protocol(repetitions=mode))
    for column in ("par1", "par2", "par10", "cost"):
        assert lab.rows(OUTSIDE.format(column)) == []


@pytest.mark.slow
@laws
@given(runs=scenarios(), factor=st.sampled_from((0.001, 0.5, 3, 1000)))
def test_closed_gap_does_not_depend_on_the_unit(lab: Lab, runs: list[Row], factor: float) -> None:
    sql = "select solver, closed_gap, reason from solver_gap order by kind, solver"
    lab.hold(runs)
    before = lab.rows(sql)
    lab.hold([(*row[:3], row[3] * factor, row[4]) for row in runs], cutoff=CUTOFF * factor)
    assert close(lab.rows(sql), before)


@pytest.mark.slow
@laws
@given(
    runs=scenarios(),
    delta=st.sampled_from((0, 1, 7.5, 1000)),
    kind=st.sampled_from(("absolute", "relative")),
)
def test_borda_points_of_a_pair_sum_to_1_where_somebody_solved(
    lab: Lab, runs: list[Row], delta: float, kind: str
) -> None:
    pair = [row for row in runs if row[2] in "AB"]
    pair += [(*row[:2], "B", 1, "ok") for row in pair if len({r[2] for r in pair}) < 2]
    lab.hold(pair, Protocol(borda_delta=delta, borda_delta_kind=kind))
    ((solved,),) = lab.rows("""
        select count(distinct instance_id) filter (n_solving > 0)
            / count(distinct instance_id)
        from instance_solver
    """)
    sums = "select sum(borda), sum(borda_modified) from solver_borda"
    assert close(lab.rows(f"{sums} where kind = 'algorithm'"), [(solved, solved)])


@pytest.mark.slow
@laws
@given(runs=scenarios())
def test_sbs_closes_nothing_and_vbs_everything(lab: Lab, runs: list[Row]) -> None:
    lab.hold(runs)
    found = lab.rows("""
        select solver, closed_gap, remaining_gap, bounded_gap from solver_gap
        where kind = 'baseline' and solver <> 'VWS' and reason is null order by solver
    """)
    assert found in ([], [("SBS", 0, 1, 0), ("VBS", 1, 0, 1)])
    assert lab.rows("select 1 from solver_gap where closed_gap > 1") == []
    bounds = "bounded_gap not between -1 - 1e-9 and 1 + 1e-9"
    assert lab.rows(f"select 1 from solver_gap where {bounds}") == []


@pytest.mark.slow
@laws
@given(runs=scenarios())
def test_a_gap_is_a_number_or_has_a_reason(lab: Lab, runs: list[Row]) -> None:
    lab.hold(runs, Protocol(fold_aggregate="geometric"), Protocol(protocol="pooled"))
    for view in ("solver_gap", "fold_gap"):
        assert lab.rows(UNREASONED.format(view)) == []


@pytest.mark.slow
@laws
@given(runs=scenarios(), names=st.permutations("ABCD"))
def test_scores_do_not_depend_on_names(lab: Lab, runs: list[Row], names: list[str]) -> None:
    new = dict(zip("ABCD", names, strict=True))
    scores = """
        select s.solver, s.solved, s.par10, s.sgm, s.mcp, s.unique_solved,
            g.closed_gap, b.borda
        from solver_score as s
        inner join solver_gap as g using (kind, solver)
        left join solver_borda as b using (kind, solver)
        where s.kind = 'algorithm' order by s.solver
    """
    lab.hold(runs)
    before = sorted((new[row[0]], *row[1:]) for row in lab.rows(scores))
    lab.hold([(*row[:2], new[row[2]], *row[3:]) for row in runs])
    assert close(lab.rows(scores), before)


@pytest.mark.slow
@settings(laws, max_examples=4)
@given(
    runs=scenarios(),
    modes=st.lists(
        st.sampled_from(("mean_par", "median", "first", "separate", "mean_runtime")),
        min_size=2,
        max_size=2,
        unique=True,
    ),
    choices=st.tuples(st.sampled_from(("keep", "drop")), st.sampled_from(("pooled", "mean"))),
)
def test_protocols_do_not_see_each_other(
    lab: Lab, runs: list[Row], modes: list[str], choices: tuple[str, str]
) -> None:
    a = Protocol(protocol="a", repetitions=modes[0])
    b = Protocol(
        protocol="b",
        repetitions=modes[1],
        unsolvable=choices[0],
        fold_aggregate=choices[1],
        at_cutoff="solved",
    )
    alone = {}
    for protocol in (a, b):
        lab.hold(runs, protocol)
        alone[protocol] = [lab.rows(f"from {v} order by all") for v in SCORES]
    lab.hold(runs, a, b)
    for view, of_a, of_b in zip(SCORES, alone[a], alone[b], strict=True):
        assert lab.rows(f"from {view} order by all") == [*of_a, *of_b]


@pytest.mark.slow
@settings(laws, max_examples=4)
@given(runs=scenarios(), order=st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter(lab: Lab, runs: list[Row], order: object) -> None:
    lab.hold(runs)
    before = [lab.rows(f"from {view} order by all") for view in SCORES]
    shuffled = list(runs)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    lab.hold(shuffled)
    assert all(map(close, [lab.rows(f"from {view} order by all") for view in SCORES], before))


finite = st.floats(min_value=0, allow_infinity=False)
odd_runs = st.one_of(st.tuples(st.none(), st.just("crash")), st.tuples(finite, st.just("ok")))


@pytest.mark.slow
@settings(laws, max_examples=4)
@given(runs=scenarios(), odd=odd_runs, order=st.randoms(use_true_random=False))
def test_what_goes_into_the_lake_is_what_is_in_the_file(runs: list[Row], odd: Row, order: object) -> None:
    runs = [(*runs[0][:3], *odd), *runs[1:]]
    order.shuffle(runs)  # type: ignore[attr-defined]
    sql = "select instance_id, repetition, algorithm, value, runstatus from raw_run"
    with imported(runs) as con:
        found = rows(con, sql)
    assert Counter(found) == Counter(runs)


def test_laws_on_a_scenario_of_the_project(toy: Path) -> None:
    con = ae.connect(toy, protocols=[PLAIN, Protocol(protocol="folds", fold_aggregate="geometric")])
    for column in ("par1", "par2", "par10", "cost"):
        assert rows(con, OUTSIDE.format(column)) == []
    for view in ("solver_gap", "fold_gap"):
        assert rows(con, UNREASONED.format(view)) == []
    ends = "select solver, closed_gap, remaining_gap, bounded_gap from solver_gap"
    where = "kind = 'baseline' and solver <> 'VWS' and protocol = 'default' order by solver"
    assert rows(con, f"{ends} where {where}") == [("SBS", 0, 1, 0), ("VBS", 1, 0, 1)]
