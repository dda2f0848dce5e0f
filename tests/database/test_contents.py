"""What every view holds on the toy scenario: its rows, and four letters for them."""

from __future__ import annotations

from pathlib import Path

import aslib_eval as ae
from tests.approved import mark
from tests.conftest import ROOT, rows
from tests.database.test_sql_contract import TWO, VIEWS
from tests.lab import as_tables

HELD = """\
chosen_measure 2 #1465
fold_choice 6 #a4fd
fold_compared 96 #1861
fold_compared_by 208 #a6b7
fold_gap 96 #40b3
fold_gap_by 208 #910f
fold_instance 544 #b50b
fold_instance_by 544 #3f0e
fold_sbs 6 #e75a
fold_solver 96 #ba9f
fold_solver_by 208 #2057
instance_algorithm 144 #1d42
instance_attainable 34 #1c4f
instance_attainable_by 34 #5a45
instance_failure 0 #4f53
instance_fixed_training 0 #4f53
instance_kept 136 #9ee2
instance_part 544 #c3ba
instance_selector 306 #8602
instance_solver 544 #db9b
instance_solver_by 544 #04e7
instance_virtual 34 #bd91
kind_default 2 #ac17
ledger 306 #1165
ledger_loss 1836 #64a3
ledger_mended 4896 #5541
ledger_shapley 1836 #76d9
metric_election 512 #73fa
metric_gap 384 #b95d
metric_part 704 #a9f8
pair_dominance 168 #1c5e
run_counted 192 #d7c8
run_met 192 #bbcd
run_par 192 #2a28
run_status 192 #8ee0
scenario_attainable 2 #263c
scenario_attainable_by 5 #4d81
scenario_baseline 2 #01b3
scenario_baseline_by 5 #006b
scenario_luck 2 #eaa5
scenario_sbs 2 #e330
scenario_selectors 2 #c7eb
scenario_summary 2 #8ead
schedule_help 412 #3e99
schedule_mended 1220 #7ab7
schedule_run 1360 #1ca5
schedule_step 1360 #3132
selector_origin 18 #8cea
selector_scheme 18 #4061
selector_times 0 #4f53
solver_borda 32 #523f
solver_borda_by 80 #3d9f
solver_gap 32 #4ff2
solver_gap_by 80 #7b3a
solver_loss 144 #4f76
solver_rank 544 #d823
solver_rank_by 1360 #e842
solver_score 32 #7daa
solver_score_by 80 #9ee6
solver_shapley 108 #994c
solver_speedup 18 #ab04
solver_value 640 #51ea
solver_value_by 1600 #fb96
split_gap 32 #0801
split_pair 168 #3872
split_sbs 4 #639b
split_winner 4 #7212
stg_feature_run 48 #a088
stg_feature_step 4 #1534
stg_fold 24 #104f
stg_run 192 #9cdc
stg_selection 704 #5b2e
suite_solver 544 #6256
suite_without 352 #b015
"""


def test_what_every_view_holds(toy: Path) -> None:
    """What a change of SQL is meant to change is copied from the failure."""
    con = as_tables(ae.connect(toy, protocols=TWO))
    found = []
    for view in sorted(VIEWS, key=lambda view: view.name):
        if view.path.is_relative_to(ROOT / "sql"):
            held = sorted(map(str, rows(con, f"from {view.name}")))
            found.append(f"{view.name} {len(held)}{mark(held)}")
    assert found == HELD.splitlines()
