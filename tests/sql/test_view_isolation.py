"""What else a lake holds changes no row: joins and groups that forget a key do.

Each view is asked on TOY-2026, and again after rows were added of another scenario, measure, protocol and
split, of another instance and repetition, or of selectors that have the names of algorithms and baselines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import SqlFile, find_sql
from aslib_eval.lake.schema import RELATIONS
from tests.conftest import rows

VIEWS = [file for file in find_sql() if not file.is_macro]
OURS = Protocol(protocol="ours", measures="all", fold_aggregate="mean")
THEIRS = Protocol(
    protocol="theirs",
    measures="all",
    penalty=2,
    at_cutoff="solved",
    repetitions="mean_runtime",
    failures="value",
    failure_value=7,
    feature_cost="all_steps",
    presolving=False,
    sbs_scope="all",
    sbs_criterion="solved",
    unsolvable="drop",
    borda_delta=20,
)
SEPARATE = Protocol(protocol="separate", repetitions="separate", unsolvable="drop")
# A selector that was run outside, and one on a second split, beside those of TOY-2026.
BEFORE = """
insert into raw_outcome by name
    select scenario_id, 'outside' as selector, 'aslib' as cv_scheme, 1 as cv_repetition,
        fold, instance_id, 30 as time, 'ok' as runstatus, true as pays_features
    from raw_fold;
insert into raw_fold by name
    select * replace ('second' as cv_scheme, fold % 2 + 1 as fold) from raw_fold;
insert into raw_selection by name
    select * replace ('second' as cv_scheme) from raw_selection where selector = 'rf';
"""
# The same instances, algorithms and selectors everywhere, with other values.
COPIES = "".join(
    f"""
    insert into raw_{name} by name
    select * replace ('T' as scenario_id) from raw_{name};
    """
    for name in RELATIONS
)
BESIDE = f"""
insert into raw_scenario by name
    select * replace ('quality' as measure, 2 as measure_index,
        'solution_quality' as measure_type, true as maximize)
    from raw_scenario;
insert into raw_run by name
    select * replace ('quality' as measure,
        md5_number_lower(algorithm || instance_id) % 50 as value,
        case when md5_number_lower(instance_id || algorithm || repetition) % 5 = 0
            then 'crash'
            else 'ok' end as runstatus)
    from raw_run;
insert into raw_fold by name
    select * replace ('third' as cv_scheme,
        md5_number_lower(instance_id) % 2 + 1 as fold)
    from raw_fold where cv_scheme = 'aslib';
insert into raw_selection by name
    select * replace ('third' as cv_scheme,
        case action when 'algorithm' then 'anvil' else name end as name)
    from raw_selection where cv_scheme = 'aslib';
{COPIES}
update raw_run set value = 101 - value, runstatus = 'ok' where scenario_id = 'T';
update raw_scenario set cutoff = 60 where scenario_id = 'T';
update raw_feature_cost set cost = 3 * cost + 1 where scenario_id = 'T';
update raw_feature_status set runstatus = 'presolved' where scenario_id = 'T';
update raw_feature_step set is_default = true, requires = [] where scenario_id = 'T';
update raw_outcome set time = 90, runstatus = 'crash' where scenario_id = 'T';
update raw_selection set name = 'drift'
    where action = 'algorithm' and scenario_id = 'T';
update raw_fold set cv_scheme = 'split', fold = case fold when 1 then 1 end
    where scenario_id = 'T' and cv_scheme = 'second';
"""
# A second measure of the scenario that is asked about.
PRICE = """
insert into raw_scenario by name
    select * replace ('price' as measure, 2 as measure_index,
        'solution_quality' as measure_type, false as maximize)
    from raw_scenario where measure = 'runtime' and scenario_id = 'TOY-2026';
insert into raw_run by name
    select * replace ('price' as measure, 'ok' as runstatus,
        md5_number_lower(instance_id || algorithm) % 7 + 1 as value)
    from raw_run where measure = 'runtime' and scenario_id = 'TOY-2026';
"""
INSTANCES = "".join(
    f"""
    insert into raw_{name} by name select * replace ('new' as instance_id)
    from raw_{name} where instance_id = (select min(instance_id) from raw_run);
    """
    for name in (*("run", "feature_cost", "feature_status", "fold", "selection", "outcome"),)
)
INSTANCES += """
update raw_run set value = 1, runstatus = 'ok' where instance_id = 'new';
update raw_feature_status set runstatus = 'presolved' where instance_id = 'new';
update raw_feature_cost set cost = 50 where instance_id = 'new';
insert into raw_run by name
    select * replace (9 as repetition, value / 2 as value, 'ok' as runstatus)
    from raw_run where repetition = 1;
"""
NAMESAKES = """
insert into raw_selection by name
    select * replace (n.name as selector,
        case action when 'algorithm' then 'crane' else r.name end as name)
    from raw_selection as r cross join (
        select unnest(['anvil', 'drift', 'SBS', 'VBS', 'VWS']) as name
    ) as n
    where selector = 'loyal';
"""
# No run failed, no answer is disputed, no training part is fixed, no selector timed or of two models.
EMPTY = {"oracle_at_rate", "answers", "instance_failure", "instance_fixed_training", "selector_times"}
SCOPE = {
    "protocol": "protocol = 'ours'",
    "scenario_id": "scenario_id = 'TOY-2026'",
    "measure": "measure = 'runtime'",
    "cv_scheme": "cv_scheme <> 'third'",
}


@pytest.fixture(scope="module")
def alone(toy: Path) -> duckdb.DuckDBPyConnection:
    """Every view of the lake as it is, as a table."""
    return settled(toy, OURS, SEPARATE)


def settled(
    lake: Path, *protocols: Protocol, more: str = "", left_out: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """The views as tables, after more rows were added to the lake."""
    con = with_rows(ae.connect(lake, protocols=protocols, stored=False), PRICE + more)
    for view in VIEWS:
        if view.name not in left_out:
            settle(con, view)
    return con


def with_rows(con: duckdb.DuckDBPyConnection, more: str) -> duckdb.DuckDBPyConnection:
    """The raw relations as tables, with the rows of ``BEFORE`` and more."""
    con.execute("pragma disable_optimizer")  # takes longer than these few rows
    for name in RELATIONS:
        con.execute(f"create table settled as from raw_{name}")
        con.execute(f"drop view raw_{name}")
        con.execute(f"alter table settled rename to raw_{name}")
    con.execute(BEFORE + more)
    return con


def settle(con: duckdb.DuckDBPyConnection, view: SqlFile) -> None:
    """Make a view a table."""
    con.execute(f"create table settled as {view.sql}")
    con.execute(f"drop view {view.name}")
    con.execute(f"alter table settled rename to {view.name}")


def differing(
    alone: duckdb.DuckDBPyConnection,
    beside: duckdb.DuckDBPyConnection,
    *,
    left_out: Sequence[str],
    scope: Mapping[str, str],
) -> list[str]:
    """The views with other rows after more were added."""
    found = []
    for view in VIEWS:
        where = [said for column, said in scope.items() if column in view.columns]
        if where and view.name not in left_out:
            sql = f"from {view.name} where {' and '.join(where)} order by all"
            before = rows(alone, sql)
            assert before or view.name in EMPTY, view.name
            if rows(beside, sql) != before:
                found.append(view.name)
    return found


def test_scenarios_measures_protocols_and_splits_are_apart(
    toy: Path, alone: duckdb.DuckDBPyConnection
) -> None:
    left_out = ["suite_solver", "suite_without", "selector_origin"]  # are of several
    # A run of a competition has all its measures.
    left_out += [v.name for v in VIEWS if v.subject == "rule" or v.name == "competition_run"]
    beside = settled(toy, OURS, THEIRS, more=BESIDE, left_out=left_out)
    assert differing(alone, beside, left_out=left_out, scope=SCOPE) == []


def test_instances_and_repetitions_are_apart(toy: Path, alone: duckdb.DuckDBPyConnection) -> None:
    of_many = {"fold", "split", "solver", "scenario", "suite", "rule"}
    left_out = [view.name for view in VIEWS if view.subject in of_many]
    left_out.append("runs_compared")  # whose noise is of all repetitions
    scope = {
        **SCOPE,
        "protocol": "protocol = 'separate'",
        "instance_id": "instance_id <> 'new'",
        "repetition": "repetition <> 9",
        "run_repetition": "run_repetition <> 9",
        "solver": "solver <> 'SBS'",  # may be another
    }
    beside = settled(toy, SEPARATE, more=INSTANCES, left_out=left_out)
    assert differing(alone, beside, left_out=left_out, scope=scope) == []


def test_names_of_selectors_may_be_those_of_others(toy: Path, alone: duckdb.DuckDBPyConnection) -> None:
    names = "('anvil', 'drift', 'SBS', 'VBS', 'VWS')"
    scope = {
        **SCOPE,
        "kind": "kind <> 'selector'",
        "before_kind": "before_kind <> 'selector'",
        "after_kind": "after_kind <> 'selector'",
        "selector": f"selector not in {names}",
    }
    # Solvers that lose points are selectors, and so is the kind that is compared.
    left_out = ["solver_loss", "solver_shapley", "solver_speedup", "kind_default"]
    left_out.append("scenario_selectors")  # which counts them
    beside = settled(toy, OURS, more=NAMESAKES, left_out=left_out)
    assert differing(alone, beside, left_out=left_out, scope=scope) == []
