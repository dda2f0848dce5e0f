"""Which columns a change touches: columns.txt has a letter for each, by its values.

They are the columns of all views, paper tables and named SELECTs, on rows with two scenarios and measures,
three kinds of splits, failed runs and four protocols. Who changes one sees in the difference which others
change with it; after a change that is meant, ``ASLIB_APPROVE=1`` writes the letters anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables, frame_file, our_folders
from tests.approved import brief, letter
from tests.sql import test_view_isolation as isolation

FILE = Path(__file__).with_name("columns.txt")
OTHERS = Protocol(
    protocol="others",
    measures="all",
    repetitions="median",
    failures="worst",
    wrong_answers="left_out",
    disputed_answers="unsolved",
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


def rounded(value: object) -> object:
    return float(brief(value)) if isinstance(value, float) else value


def said(answer: duckdb.DuckDBPyConnection) -> str:
    """How many rows there are, and a letter for each column."""
    found = [[*map(rounded, row)] for row in answer.fetchall()]
    columns = zip(*found, strict=True) if found else ((),) * len(answer.description)
    return f"{len(found)} {''.join(map(letter, columns))}"


def lines(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    """Views are made tables one after the other, so that none is computed twice."""
    for view in isolation.VIEWS:
        isolation.settle(con, view)
        if view.defaults:  # rows of TOML files: further ones change nothing here
            con.execute(f"delete from {view.name} where {view.key[0]} not in {RULES}")
        yield view.name, said(con.execute(f"from {view.name} order by all"))
    frames = (p.stem for d in our_folders() for p in d.glob("frame/*.sql"))
    there = {name for (name,) in con.execute("select table_name from duckdb_tables()")
             .fetchall()}  # fmt: skip
    for file in [*find_tables().values(), *map(frame_file, sorted(frames))]:
        if file.reads <= there:  # some read what Python computes
            asked = {word: ASKED.get(word) for word in re.findall(r"\$(\w+)", file.sql)}
            yield f"{file.subject} {file.name}", said(con.execute(file.sql, asked))


# Order among equals, the last digits and DuckDB's own functions are those of a version.
VERSIONS = f"duckdb {duckdb.__version__}, numpy {np.__version__}, polars {pl.__version__}"


def test_no_column_changes_unseen(toy: Path) -> None:
    approving = bool(os.environ.get("ASLIB_APPROVE"))
    known = dict(line.split(": ") for line in FILE.read_text().splitlines())
    if known.pop("libraries") != VERSIONS and not approving:
        pytest.skip("the letters are of other versions of the libraries")
    protocols = (isolation.OURS, isolation.THEIRS, OTHERS, SEPARATE)
    con = isolation.with_rows(
        ae.connect(toy, protocols=protocols, stored=False), isolation.BESIDE + isolation.INSTANCES + MORE
    )
    found = dict(lines(con))
    if approving:
        rows = {"libraries": VERSIONS, **found}
        FILE.write_text("".join(f"{name}: {what}\n" for name, what in rows.items()))
        return
    both = found.keys() & known.keys()  # new ones have letters once they are approved
    assert {n: found[n] for n in both} == {n: known[n] for n in both}
