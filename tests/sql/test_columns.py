"""All columns of all views, paper tables and named SELECTs, in brief: tests/approved/columns.txt.

The rows are of two scenarios and measures, three kinds of splits, failed runs and four protocols. The
difference shows which other columns a change of one touches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables, frame_file, our_folders
from tests.conftest import rows
from tests.sql import test_view_isolation as isolation
from tests.summaries import hold, of_rows

OURS = replace(isolation.OURS, second_measure="quality")
THEIRS = replace(isolation.THEIRS, second_measure="feature cost")
OTHERS = Protocol(
    protocol="others",
    measures="all",
    repetitions="median",
    failures="worst",
    wrong_answers="left_out",
    disputed_answers="unsolved",
    second_measure="runtime",
    second_decides="ties",
    feature_cost="none",
    sbs_scope="test",
    sbs_criterion="par1",
    fold_aggregate="geometric",
    gap="bounded",
    gap_floor=-0.5,
    borda_delta=0.1,
    borda_delta_kind="relative",
)
SEPARATE = Protocol(
    protocol="separate",
    measures="all",
    repetitions="separate",
    second_decides="ties",
    timeout_value="failed",
    failures="left_out",
    sbs_scope="all",
    unsolvable="drop",
    wrong_answers="disqualified",
    disputed_answers="left_out",
    fold_aggregate="median",
    gap="remaining",
)
# Answers that are wrong and disputed, points on the way, times of training, a selector called VBS, and a
# scenario without cutoff, features, folds and selectors.
MORE = """
insert into raw_answer by name
    select scenario_id, instance_id, repetition, algorithm,
        ['sat', 'unsat', 'optimal', 'solution']
            [(md5_number_lower(instance_id || algorithm) % 4 + 1)::int] as claim,
        claim as said, value as objective, 1 as n_answers,
        if(value > 90, 'wrong', null) as judged
    from raw_run where runstatus = 'ok';
update raw_run set runstatus = 'wrong'
    where runstatus = 'ok' and instance_id = 'easy_2' and algorithm = 'drift';
insert into raw_reference by name
    select scenario_id, instance_id, 'disputed' as role
    from raw_fold where instance_id = 'easy_1' and cv_scheme = 'aslib';
insert into raw_reference by name
    select scenario_id, instance_id, unnest(['best_known', 'trivial']) as role,
        unnest([40, 1]) as value
    from raw_fold where cv_scheme = 'aslib';
insert into raw_trajectory by name
    select r.scenario_id, instance_id, algorithm, repetition as trial, measure, step,
        step * 15 as elapsed, value * step / 3 as value
    from raw_run as r cross join (select unnest([1, 2, 3]) as step)
    where runstatus = 'ok';
insert into raw_feature_status by name
    select * replace (2 as repetition,
        if(runstatus = 'ok', 'presolved', 'ok') as runstatus)
    from raw_feature_status;
insert into raw_selection by name
    select * replace ('VBS' as selector) from raw_selection where selector = 'loyal';
insert into raw_scenario by name
    select * replace ('U' as scenario_id, null as cutoff, null as time_unit)
    from raw_scenario where scenario_id = 'T' and measure = 'runtime';
insert into raw_algorithm by name
    select * replace ('U' as scenario_id) from raw_algorithm where scenario_id = 'T';
insert into raw_run by name
    select * replace ('U' as scenario_id) from raw_run
    where scenario_id = 'T' and measure = 'runtime' and repetition = 1
        and instance_id in ('easy_1', 'bolt_1', 'drift_1');
update raw_selector
    set training_time = position, n_trained = 2, choosing_time = position / 8
    from (select selector as name, row_number() over (order by selector) as position
        from raw_selector where scenario_id = 'T')
    where name = selector and selector <> 'loyal';
"""
# A scenario of accuracies and prices, with a router of two models, a cascade, choices of four models in two
# repetitions of a split, some with budgets, and a system of its own price.
PRICED = """
insert into raw_scenario by name
    select s.* replace ('P' as scenario_id, name as measure, nth as measure_index,
        'solution_quality' as measure_type, nth = 1 as maximize, 'USD' as unit)
    from raw_scenario as s cross join (values ('accuracy', 1), ('price', 2)) as m (name, nth)
    where scenario_id = 'TOY-2026' and measure = 'runtime';
insert into raw_algorithm by name
    select * replace ('P' as scenario_id) from raw_algorithm where scenario_id = 'TOY-2026';
insert into raw_fold by name
    select * replace ('P' as scenario_id) from raw_fold
    where scenario_id = 'TOY-2026' and cv_scheme = 'aslib';
insert into raw_attribute by name
    select * replace ('P' as scenario_id) from raw_attribute where scenario_id = 'TOY-2026';
insert into raw_run by name
    select r.* exclude (seed) replace ('P' as scenario_id, name as measure,
        if(name = 'accuracy', seed % 3 / 2, (seed % 5 + 1) * length(algorithm) / 800) as value,
        'ok' as runstatus)
    from (select *, md5_number_lower(instance_id || algorithm || repetition) as seed
        from raw_run where scenario_id = 'TOY-2026' and measure = 'runtime' and repetition < 3) as r
    cross join (values ('accuracy'), ('price')) as m (name);
insert into raw_selection by name
    select 'P' as scenario_id, selector, cv_scheme, cv_repetition + extra as cv_repetition,
        instance_id, nth as position, action, models[((seed + extra) % len(models) + 1)::int] as name,
        if(selector = 'short' and seed % 4 = 0, 40, null) as budget
    from (select *, md5_number_lower(instance_id) as seed from raw_fold where scenario_id = 'P') as f
    cross join (values
        ('router', 1, 'algorithm', ['bolt', 'drift'], 0),
        ('router', 1, 'algorithm', ['bolt', 'drift'], 1),
        ('cascade', 1, 'asked', ['crane'], 0),
        ('cascade', 2, 'algorithm', ['crane', 'anvil', 'anvil'], 0),
        ('wide', 1, 'algorithm', ['bolt', 'drift', 'crane', 'anvil'], 0),
        ('wide', 1, 'algorithm', ['bolt', 'drift', 'crane', 'anvil'], 1),
        ('short', 1, 'algorithm', ['bolt', 'drift'], 0)
    ) as s (selector, nth, action, models, extra)
    where selector <> 'cascade' or nth = 2 or seed % 3 > 0;
insert into raw_outcome by name
    select * replace ('P' as scenario_id, 0.5 as objective, 0.01 as price) from raw_outcome
    where scenario_id = 'TOY-2026' and cv_scheme = 'aslib';
"""
# What a named SELECT is asked for; more than one where it takes several kinds.
ASKED: Mapping[str, Any] = {
    "asap": "loyal",
    "attribute": "ground_truth",
    "cutoff": 40.0,
    "features": None,
    "ids": ["TOY-2026", "T"],
    "in_cutoffs": False,
    "kind": "selector",
    "kinds": ["selector", "baseline"],
    "measure": "quality",
    "metrics": ["par10", "solved", "closed_gap"],
    "most": None,
    "protocol": "ours",
    "rf": "rf",
    "scenario": "TOY-2026",
    "scheme": "aslib",
    "selectors": None,
    "sign": 1,
    "solver": "rf",
    "solvers": None,
    "tested": True,
    "versus": "SBS",
}
# One of each manner.
RULES = (
    *("chc", "ipc-agile", "maxsat-anytime", "maxsat-exact", "minizinc"),
    *("minizinc-incomplete", "minizinc_half", "pace-heuristic", "par10", "qbf"),
    *("sat2018", "sat2024", "smtcomp", "smtcomp-24s", "smtcomp-unsat-core", "svcomp"),
    *("uai", "xcsp"),
)


# Functions of DuckDB, which each version has more of.
_OF_A_VERSION = "unsteady_functions"


def in_brief(con: duckdb.DuckDBPyConnection, sql: str, asked: Mapping[str, Any]) -> dict[str, str]:
    """The columns of an answer, whose rows may be tied in any order."""
    answer = con.execute(sql, asked)
    found = sorted(answer.fetchall(), key=lambda row: [*map(_shortened, row)])
    return of_rows([name for name, *_ in answer.description], found)


def _shortened(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def tables(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, dict[str, str]]]:
    """Views are made tables one after the other, so that none is computed twice."""
    for view in isolation.VIEWS:
        isolation.settle(con, view)
        if view.defaults:  # rows of TOML files: further ones change nothing here
            con.execute(f"delete from {view.name} where {view.key[0]} not in {RULES}")
        yield view.name, in_brief(con, f"from {view.name}", {})
    frames = (p.stem for d in our_folders() for p in d.glob("frame/*.sql"))
    there = {name for (name,) in rows(con, "select table_name from duckdb_tables()")}
    for file in [*find_tables().values(), *map(frame_file, sorted(frames))]:
        if file.reads <= there and file.name != _OF_A_VERSION:  # some read what Python computes
            asked = {word: ASKED.get(word) for word in re.findall(r"\$(\w+)", file.sql)}
            yield f"{file.subject} {file.name}", in_brief(con, file.sql, asked)
            if "measure" in asked:
                asked["measure"] = "runtime"
                yield f"{file.subject} {file.name} of times", in_brief(con, file.sql, asked)


def test_no_column_changes_unseen(toy: Path) -> None:
    protocols = (OURS, THEIRS, OTHERS, SEPARATE)
    more = isolation.BESIDE + isolation.INSTANCES + MORE + PRICED
    con = isolation.with_rows(ae.connect(toy, protocols=protocols, stored=False), more)
    hold("columns.txt", dict(tables(con)))
