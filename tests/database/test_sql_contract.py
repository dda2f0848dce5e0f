"""What every file of sql/, and of a user's own SQL folder, promises and keeps."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import COLUMNS, Protocol
from aslib_eval.database.sqlfiles import (
    FRAME,
    SqlFile,
    find_sql,
    find_tables,
    frame_file,
    our_folders,
    parse_sql,
    parsed,
    sql_dir,
)
from aslib_eval.database.views import lineage
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.provenance import provenance
from aslib_eval.tables.paper_table import register_tests
from tests.conftest import ROOT, rows
from tests.lab import InMemory, as_tables

# What a user may add: one metric and, above it, one view that reads it.
OWN = {
    "solver/timeouts.sql": """\
-- One row per protocol, scenario, measure and solver.
-- key: protocol, scenario_id, measure, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm or baseline
-- solver: name
-- n_timeouts: instances that it does not solve
-- metric n_timeouts: min, 0 digits, "timeouts"
select
    protocol, scenario_id, measure, kind, solver,
    count(*) filter (solved = 0) as n_timeouts
from instance_solver
group by protocol, scenario_id, measure, kind, solver
""",
    "scenario/most_timeouts.sql": """\
-- One row per protocol and scenario.
-- key: protocol, scenario_id
-- protocol: name of the protocol
-- scenario_id: scenario
-- n_timeouts: the most of one solver
select protocol, scenario_id, max(n_timeouts) as n_timeouts
from timeouts
group by protocol, scenario_id
""",
}
# Every choice that changes how many rows there are.
TWO = (
    Protocol(measures="all", fold_aggregate="mean"),
    Protocol(protocol="rows", repetitions="separate", unsolvable="drop"),
)
VIEWS = [f for f in find_sql() if not f.is_macro]
# TOY-2026 has runtimes alone, no price, and no fixed split.
EMPTY = {"answers", "instance_failure", "instance_fixed_training", "selector_times", "oracle_at_rate"}
EMPTY |= {"second_measure", "second_run", "instance_second", "instance_tradeoff", "solver_tradeoff"}
BELOW = {"protocol", "metric", *(f"raw_{name}" for name in RELATIONS)}
by_view = pytest.mark.parametrize("view", VIEWS, ids=lambda f: f.name)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("own"), OWN)


@pytest.fixture(scope="module")
def con(toy: Path, own: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(toy, protocols=TWO, sql_dirs=[own], stored=False)


@pytest.fixture(scope="module")
def settled(toy: Path, own: Path) -> duckdb.DuckDBPyConnection:
    """The same with every view as a table, computed once."""
    return as_tables(ae.connect(toy, protocols=TWO, sql_dirs=[own]), own)


def columns(con: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    return [name for name, *_ in con.sql(f"from {relation} limit 0").description]


def keeps_its_promises(con: duckdb.DuckDBPyConnection, view: SqlFile) -> None:
    assert view.row.startswith("One row per ")
    assert columns(con, view.name) == list(view.columns), "documented = output"
    assert has_unique_key(con, view.name, view.key)


def keeps_its_promises_as_table(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """A file of sql/table: as a view, and over no relation but ours."""
    register_tests(InMemory(con), file)
    more = {"test_step"} if "compare" in file.layout else set()
    assert parsed(file.sql).relations <= {f.name for f in VIEWS} | BELOW | more
    con.execute(f"create or replace temp view asked as {file.sql}")
    assert file.row.startswith("One row per ")
    assert columns(con, "asked") == list(file.columns), "documented = output"
    assert has_unique_key(con, "asked", file.key)
    assert next(iter(file.columns)) == file.key[0] == "protocol"


def has_unique_key(con: duckdb.DuckDBPyConnection, relation: str, key: tuple[str, ...]) -> bool:
    names = ", ".join(key)
    sql = f"select {names} from {relation} group by {names} having count(*) > 1"
    nulls = " or ".join(f"{name} is null" for name in key)
    return rows(con, f"{sql} union all select {names} from {relation} where {nulls}") == []


# --- our own views ------------------------------------------------------------------


@pytest.mark.slow
@by_view
def test_header_and_key(settled: duckdb.DuckDBPyConnection, view: SqlFile) -> None:
    keeps_its_promises(settled, view)
    assert rows(settled, f"select count(*) > 0 from {view.name}") == [(view.name not in EMPTY,)]


@by_view
def test_every_score_carries_its_protocol(view: SqlFile) -> None:
    found = lineage()
    below, left = set(), [view.name]
    while left:
        below.add(name := left.pop())
        left += found.reads.get(name, frozenset()) - below
    depends = "protocol" in below
    assert (next(iter(view.columns)) == "protocol") == depends
    assert (view.key[0] == "protocol") == depends


@by_view
def test_comments_are_in_the_database(con: duckdb.DuckDBPyConnection, view: SqlFile) -> None:
    assert rows(con, f"select comment from duckdb_views() where view_name = '{view.name}'") == [(view.row,)]
    assert commented(con, view.name) == view.columns


def commented(con: duckdb.DuckDBPyConnection, relation: str) -> dict[str, str]:
    sql = "select column_name, comment from duckdb_columns() where table_name = "
    return dict(rows(con, f"{sql}'{relation}'"))


@pytest.mark.parametrize("name", RELATIONS)
def test_raw_relations_are_commented(con: duckdb.DuckDBPyConnection, name: str) -> None:
    relation = RELATIONS[name]
    told = commented(con, "protocol")
    assert list(told) == [*COLUMNS, "hash", "tag"]
    assert all(told.values())
    assert commented(con, f"raw_{name}") == {"scenario_id": "scenario, as text", **relation.meanings()}
    sql = f"select comment from duckdb_views() where view_name = 'raw_{name}'"
    assert rows(con, sql) == [(f"One row per {relation.row}.",)]
    assert has_unique_key(con, f"raw_{name}", relation.key)


@pytest.mark.slow
def test_keys_are_unique_on_the_real_scenarios(real_lake: Path) -> None:
    con = as_tables(ae.connect(real_lake, protocols=[Protocol(measures="all"), TWO[1]]), only=["rule"])
    # All rules, and all pairs of solvers, would be tens of millions of rows.
    con.execute("delete from rule where rule not in ('sat2023', 'minizinc')")
    views = [view for view in VIEWS if view.name != "runs_compared"]
    as_tables(con, only=[view.name for view in views])
    for view in views:
        assert has_unique_key(con, view.name, view.key), view.name


# --- the SELECTs of sql/frame --------------------------------------------------------

FRAMES = sorted(path.stem for path in (sql_dir() / FRAME).glob("*.sql"))
# Values of parameters with which most frames have rows of TOY-2026.
GIVEN: dict[str, object] = {
    "scenario": "TOY-2026",
    "measure": "runtime",
    "protocol": "default",
    "kind": "selector",
    "solver": "careful",
    "kinds": ["selector"],
    "versus": "SBS",
    "tested": True,
    "scheme": "aslib",
    "selectors": None,
    "features": None,
    "cutoff": 100.0,
    "most": "penalty",
    "in_cutoffs": True,
    "sign": 1.0,
    "metrics": ["par2"],
    "attribute": "ground_truth",
    "ids": ["TOY-2026"],
    "solvers": ["rf"],
    "asap": "rf",
    "rf": "fixed",
}
# What compared_value is when a frame is asked; see analysis.compare.question.
COMPARED = {"instances": "instance_solver", "folds": "fold_gap"}


@pytest.fixture(scope="module")
def single(toy: Path) -> duckdb.DuckDBPyConnection:
    """A lake with one protocol, which is all that some frames are asked of."""
    return as_tables(ae.connect(toy))


@pytest.mark.slow
@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_keeps_its_promises(
    settled: duckdb.DuckDBPyConnection, single: duckdb.DuckDBPyConnection, name: str
) -> None:
    file = frame_file(name)
    (statement,) = duckdb.extract_statements(file.sql)
    assert statement.type == duckdb.StatementType.SELECT
    assert statement.named_parameters == file.parameters
    documented = re.findall(r"^-- parameter (\w+): ", file.path.read_text(), re.MULTILINE)
    assert {*documented} <= file.parameters
    assert parsed(file.sql).relations <= {*(f.name for f in VIEWS), *BELOW, "compared_value"}
    compared = COMPARED.get(name.removeprefix("compared_"), "solver_score")
    view = f"compared_value as select *, cost as value from {compared}"
    for con in (single, settled) if "protocol" in file.key else (single,):
        con.execute(f"create or replace temp view {view}")
        answer = InMemory(con).ask(name, {p: GIVEN[p] for p in file.parameters})
        assert set(answer.columns) == set(file.columns), "documented = output"
        assert not answer.select(file.key).is_duplicated().any()


def test_what_a_file_of_ours_reads_is_what_duckdb_parses() -> None:
    paths = [p for folder in our_folders() for p in folder.glob(f"{FRAME}/*.sql")]
    files = [*VIEWS, *find_tables().values(), *[parse_sql(path, of=path.parents[1]) for path in paths]]
    assert len(files) > 150
    for file in files:
        assert file.reads == parsed(file.sql).relations, file.path


def test_every_frame_is_asked() -> None:
    code = "".join(p.read_text() for p in (ROOT / "aslib_eval").rglob("*.py"))
    begun = tuple(f"{start}_" for start in re.findall(r'f"([a-z]+)_\{', code))
    assert [n for n in FRAMES if f'"{n}"' in code or n.startswith(begun)] == FRAMES


def test_all_files_are_laid_out_alike() -> None:
    words = re.compile(r"\b(SELECT|FROM|WHERE|GROUP BY|JOIN|CASE|WHEN|AND|OR|AS)\b")
    for path in sql_dir().glob("*/*.sql"):
        lines = path.read_text().splitlines()
        code = [line for line in lines if not line.startswith("-- ")]
        assert [x for x in code if len(x) > 88 or x.endswith(";")] == [], path
        assert [x for x in lines if x != x.rstrip() or "\t" in x] == [], path
        assert [x for x in code if words.search(x)] == [], path


# --- a user's folder ----------------------------------------------------------------


def test_a_folder_of_ones_own(
    con: duckdb.DuckDBPyConnection, settled: duckdb.DuckDBPyConnection, own: Path
) -> None:
    mine = [f for f in find_sql([own]) if own in f.path.parents]
    assert [f.name for f in mine] == ["timeouts", "most_timeouts"]
    for view in mine:
        keeps_its_promises(settled, view)
        assert commented(con, view.name) == view.columns
    sql = "select solver, n_timeouts from timeouts where protocol = 'default'"
    assert rows(settled, f"{sql} and kind = 'algorithm' order by 1") == [
        ("anvil", 6),
        ("bolt", 5),
        ("crane", 4),
        ("drift", 1),
    ]


def test_a_metric_of_ones_own_is_ranked(settled: duckdb.DuckDBPyConnection) -> None:
    sql = "select relation, label, better, digits, unit_bound, relative, ranked"
    assert rows(settled, f"{sql} from metric where metric = 'n_timeouts'") == [
        ("timeouts", "timeouts", "min", 0, False, False, True)
    ]
    where = "where metric = 'n_timeouts' and protocol = 'default'"
    sql = f"from solver_rank {where} and kind = 'algorithm' order by rank"
    assert rows(settled, f"select solver, score, rank {sql}") == [
        ("drift", 1, 1),
        ("crane", 4, 2),
        ("bolt", 5, 3),
        ("anvil", 6, 4),
    ]
    assert rows(settled, f"select mean_rank from suite_solver {where} and solver = 'drift'") == [(1.0,)]


def test_a_metric_of_ones_own_is_compared(own: Path) -> None:
    question = Question(metric="n_timeouts", unit="scenarios", sql_dirs=(own,))
    assert question.declared.relation == "timeouts"
    assert question.lower_is_better
    with pytest.raises(AslibError, match="no metric n_timeouts over scenarios"):
        Question(metric="n_timeouts", unit="scenarios")
    with pytest.raises(AslibError, match="no metric n_timeouts over folds"):
        Question(metric="n_timeouts", unit="folds", sql_dirs=(own,))
    with pytest.raises(AslibError, match="no metric solved_then_par1"):
        Question(metric="solved_then_par1", unit="scenarios")


def test_ranks_are_those_of_the_declared_metrics(settled: duckdb.DuckDBPyConnection) -> None:
    same = "select count(*) from solver_rank as r full join solver_value as v"
    same += " using (protocol, scenario_id, measure, kind, solver, metric)"
    differ = "where r.score is distinct from v.value and r.metric is not null"
    assert rows(settled, f"{same} {differ}") == [(0,)]
    ranked = "select metric from metric where ranked"
    assert rows(settled, f"select distinct metric from solver_rank where metric not in ({ranked})") == []
    assert rows(settled, f"{ranked} except select metric from solver_rank") == []


CIRCLE = """\
-- One row per protocol.
-- key: protocol
-- protocol: name of the protocol
select protocol from {other}
"""


@pytest.mark.parametrize(
    "files",
    [
        {"solver/one.sql": CIRCLE.format(other="two"), "scenario/two.sql": CIRCLE.format(other="one")},
        {"solver/one.sql": OWN["solver/timeouts.sql"].replace("instance_solver", "solver_value")},
    ],
)
def test_views_that_read_each_other_are_refused(files: dict[str, str], toy: Path, tmp_path: Path) -> None:
    with pytest.raises(AslibError, match=r"(one|two)\.sql: these views read each other in a circle: "):
        ae.connect(toy, sql_dirs=[write(tmp_path, files)])


def test_a_view_may_read_one_of_any_folder(toy: Path, tmp_path: Path) -> None:
    files = {
        "instance/early.sql": CIRCLE.format(other="suite_solver group by protocol"),
        "60_solver/late.sql": CIRCLE.format(other="early"),
    }
    assert rows(ae.connect(toy, sql_dirs=[write(tmp_path, files)]), "from late") == [("default",)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('metric n_timeouts: least, 0 digits, "x"', "declares no metric"),
        ('metric n_timeouts: min, 0 digits, "x", loud', "'loud' says nothing"),
        ('metric n_timeouts: min, 0 digits, "x", from 0 to all', "'all' is no largest"),
        ('metric slow: min, 0 digits, "x"', "the metric slow is no column"),
        ('metric n_timeouts: min, 0 digits, "x", order of y', "no view declares"),
        ("metrics: n_timeouts", "no view declares the metric n_timeouts"),
        ("metrics: closed_gap", "the metric closed_gap is no column"),
        (
            'metric par10: min, 0 digits, "x", n_timeouts after solved',
            "the metric par10 is declared by solver_score already",
        ),
    ],
)
def test_a_metric_that_is_declared_wrongly(toy: Path, tmp_path: Path, line: str, message: str) -> None:
    own = 'metric n_timeouts: min, 0 digits, "timeouts"'
    files = {"solver/timeouts.sql": OWN["solver/timeouts.sql"].replace(own, line)}
    with pytest.raises(AslibError, match=message) as caught:
        ae.connect(toy, sql_dirs=[write(tmp_path, files)])
    assert str(caught.value).startswith(f"{tmp_path / 'solver' / 'timeouts.sql'}")


GOOD = OWN["solver/timeouts.sql"]


def test_columns_of_the_key_need_no_line_in_the_header(tmp_path: Path) -> None:
    header = "-- One row per x.\n-- key: protocol, {}\n-- kind: ours\n-- n: runs\nfrom x"
    files = {"solver/mine.sql": header.format("kind, solver"), "frame/mine.sql": header.format("kind")}
    write(tmp_path, files)
    columns = {name: parse_sql(tmp_path / name).columns for name in files}
    assert {name: list(found.items()) for name, found in columns.items()} == {
        "solver/mine.sql": [
            ("protocol", "name of the protocol"),
            ("kind", "ours"),
            ("solver", "name of the solver"),
            ("n", "runs"),
        ],
        "frame/mine.sql": [("protocol", "name@hash"), ("kind", "ours"), ("n", "runs")],
    }


def test_a_header_names_columns_that_mean_the_same_elsewhere(tmp_path: Path) -> None:
    header = "-- One row per x.\n-- key: solver\n-- {}\n-- n: runs\nfrom x"
    files = {
        "solver/some.sql": header.format("as in solver_score: par2, par10"),
        "solver/every.sql": header.format("as in kind_default: all"),
    }
    write(tmp_path, files)
    some, every = (parse_sql(tmp_path / name).columns for name in files)
    assert some == {
        "solver": "name of the solver",
        "par2": "mean PAR2 [scenario time unit]",
        "par10": "mean PAR10 [scenario time unit]",
        "n": "runs",
    }
    kinds = next(view.columns for view in VIEWS if view.name == "kind_default")
    assert every == {"solver": "name of the solver", **kinds, "n": "runs"}


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("solver/solver_score.sql", GOOD, "the name 'solver_score' is taken by"),
        ("solver/raw_run.sql", GOOD, "the name 'raw_run' is taken by a relation"),
        ("solver/protocol.sql", GOOD, "the name 'protocol' is taken by the protocols"),
        ("solver/metric.sql", GOOD, "the name 'metric' is taken by the declared"),
        ("solver/Mine.sql", GOOD, "is not named like a view"),
        ("solver/mine.sql", "select 1 as a", "does not begin 'One row per'"),
        ("solver/mine.sql", "", "holds no statement"),
        (
            "solver/mine.sql",
            "-- One row per thing.\n-- key: b\n-- a: thing\nselect 1 as a",
            "no 'key:' of documented columns",
        ),
        ("solver/mine.sql", GOOD.replace("One", "\xff"), "is not UTF-8"),
        ("solver/mine.sql", "-- as in solver_score: cots", "no column cots in a view solver_score"),
        ("solver/mine.sql", "-- as in gap_list: gap", "no column gap in a view gap_list"),
    ],
)
def test_a_file_against_the_contract_is_named(tmp_path: Path, file: str, text: str, message: str) -> None:
    write_bad(tmp_path / file, text)
    with pytest.raises(ae.AslibError, match=message) as caught:
        find_sql([tmp_path])
    assert str(caught.value).startswith(f"{tmp_path / file}:")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("solver/mine.sql", GOOD.replace("group by", "grup by"), "syntax error"),
        ("solver/mine.sql", GOOD.replace("instance_solver", "x"), "x does not exist"),
        ("solver/mine.sql", GOOD.replace("n_timeouts:", "n_others:"), "n_others"),
        ("solver/mine.sql", f"{GOOD}; drop view solver_score", "is not one SELECT alone"),
        ("macro/mine.sql", "create macro mine(x) as", "syntax error"),
    ],
)
def test_a_file_that_duckdb_refuses_is_named(
    toy: Path, tmp_path: Path, file: str, text: str, message: str
) -> None:
    path = write_bad(tmp_path / file, text)
    with pytest.raises(ae.AslibError, match=message) as caught:
        ae.connect(toy, sql_dirs=[tmp_path])
    assert re.match(rf"{path}(:\d+)?: ", str(caught.value))


def write_bad(path: Path, text: str) -> Path:
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    return path


@pytest.mark.parametrize(
    ("make", "message"),
    [(lambda folder: folder / "absent", "is not a folder"), (lambda folder: folder, "holds no view")],
)
def test_a_folder_that_is_not_laid_out_like_sql(toy: Path, tmp_path: Path, make: Any, message: str) -> None:
    with pytest.raises(ae.AslibError, match=message):
        ae.connect(toy, sql_dirs=[make(tmp_path)])


def test_two_folders_may_not_share_a_name(toy: Path, own: Path, tmp_path: Path) -> None:
    other = write(tmp_path, OWN)
    with pytest.raises(ae.AslibError, match="the name 'most_timeouts' is taken"):
        ae.connect(toy, sql_dirs=[own, other])


def test_one_glob_may_be_a_text_as_a_protocol_may(toy: Path) -> None:
    con = ae.connect(toy, protocols="asf", scenarios="TOY*")
    assert rows(con, "select scenario_id from raw_scenario group by all") == [("TOY-2026",)]
    with pytest.raises(AslibError, match="no scenario matches SAT"):
        ae.connect(toy, scenarios="SAT*")


ESCAPES = [
    ("00_macro/mine.sql", "create table mine as from read_text('{out}/secret')"),
    ("00_macro/mine.sql", "create macro mine() as table from read_text('{out}/x')"),
    ("00_macro/mine.sql", "create or replace macro mean_of(x) as 1"),
    ("00_macro/mine.sql", "create macro mine(x) as x; create macro y(x) as x"),
    ("00_macro/mine.sql", "/**/ create macro mine(x) as x"),
    ("00_macro/mine.sql", "copy protocol to '{out}/new'"),
    ("00_macro/mine.sql", "export database '{out}/new'"),
    ("00_macro/mine.sql", "set lock_configuration = false"),
    ("00_macro/abs.sql", "create macro abs(x) as 42"),
    ("00_macro/range.sql", "create macro range(x) as table select 1"),
    ("60_solver/mine.sql", "{head}export database '{out}/new'"),
    ("60_solver/mine.sql", "{head}select content as a from read_text('{out}/secret')"),
    ("60_solver/mine.sql", "{head}select content as a from '{out}/secret'"),
    ("60_solver/mine.sql", "{head}with x as (copy protocol to '{lake}/new') from x"),
    ("60_solver/mine.sql", "{head}with x as (delete from protocol returning *) from x"),
    ("60_solver/mine.sql", "{head}select 1 as a; copy protocol to '{out}/new'"),
    ("60_solver/mine.sql", "{head}select 1 as a from read_csv('{out}/pipe')"),
    ("60_solver/mine.sql", "{head}select 1 as a from file"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "sql"), ESCAPES)
def test_sql_of_a_folder_is_confined(toy: Path, tmp_path: Path, file: str, sql: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "secret").write_text("hidden")
    text = sql.format(out=tmp_path, lake=toy, head="-- One row per thing.\n-- key: a\n-- a: thing\n")
    mine = write(tmp_path / "mine", {file: text})
    before = sorted(tmp_path.rglob("*")), sorted(toy.iterdir())
    with pytest.raises(ae.AslibError, match=rf"^{mine / file}(:\d+)?: "):
        ae.connect(toy, sql_dirs=[mine])
    assert (sorted(tmp_path.rglob("*")), sorted(toy.iterdir())) == before


def test_with_sql_of_others_a_connection_stays_confined(toy: Path, own: Path, tmp_path: Path) -> None:
    con = ae.connect(toy, sql_dirs=[own], stored=False)
    for sql in (f"copy protocol to '{tmp_path}/new'", "from read_text('/etc/passwd')"):
        with pytest.raises(duckdb.PermissionException):
            con.execute(sql)


def test_a_file_of_sql_is_a_file(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "60_solver").mkdir()
    os.mkfifo(tmp_path / "60_solver" / "mine.sql")
    with pytest.raises(ae.AslibError, match=r"mine\.sql: cannot be read \(it"):
        ae.connect(toy, sql_dirs=[tmp_path])


def test_the_line_of_an_error_is_that_of_the_file(toy: Path, tmp_path: Path) -> None:
    text = GOOD.replace("select", "\n\nselect").replace("solved", "solvd")
    number = next(n for n, x in enumerate(text.split("\n"), 1) if "solvd" in x)
    mine = write(tmp_path, {"60_solver/mine.sql": text})
    with pytest.raises(ae.AslibError, match=rf"mine\.sql:{number}: Binder Error"):
        ae.connect(toy, sql_dirs=[mine])


@pytest.mark.slow
def test_a_frame_is_found_and_once_confined_only_a_registered_one(toy: Path, own: Path) -> None:
    mine = pl.DataFrame({"a": [7]})
    assert ae.connect(toy, stored=False).sql("from mine").fetchall() == [(7,)]
    confined = ae.connect(toy, sql_dirs=[own], stored=False)
    with pytest.raises(duckdb.CatalogException):
        confined.sql("from mine")
    confined.register("mine", mine)
    assert rows(confined, "from mine") == [(7,)]
    with pytest.raises(ae.AslibError, match=r"^query:1:6: .*register a data frame"):
        ae.query("from mine", lake=toy)


def test_temporary_files_go_with_the_connection(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    con = ae.connect(toy, stored=False)
    con.execute("set memory_limit = '20MB'")
    con.execute("create temp table t as from range(3000000)")
    ((folder,),) = rows(con, "select current_setting('temp_directory')")
    assert Path(folder).parent == tmp_path
    assert list(Path(folder).iterdir()) != []
    assert list(tmp_path.iterdir()) == [Path(folder)]
    del con
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_sql_that_changes_is_other_code(toy: Path, tmp_path: Path) -> None:
    mine = write(tmp_path, OWN)
    lake = open_lake(toy, sql_dirs=[mine])
    before = provenance(lake).code
    assert before != provenance(open_lake(toy)).code
    write(mine, {"60_solver/timeouts.sql": f"{GOOD}\n-- changed"})
    assert before != provenance(lake).code
