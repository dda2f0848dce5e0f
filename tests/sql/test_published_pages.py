"""Preset ``llama`` against the scenario pages published in 2021, to their digits.

A page has four baselines with three numbers each. LLAMA's three single bests differ in what they minimise
only: runtime with failures at the cutoff, PAR10, number unsolved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from tests.conftest import REAL_LAKES, SMALL, rows

CRITERIA = {"singleBest": "par1", "singleBestByPar": "par", "singleBestBySuccesses": "solved"}
PROTOCOLS = [
    replace(ae.PRESETS["llama"], protocol=name, sbs_criterion=criterion)
    for name, criterion in CRITERIA.items()
]
MEASURES = ("succ", "par10", "mcp")
Key = tuple[str, str, str]  # scenario folder, baseline, measure

# Printed numbers that the definitions do not give → what they do give.
WRONG: dict[Key, float] = {
    # input() learns which algorithms failed from the part of their names before the first "_": where
    # maplecomsps_lrb fails, maplecomsps is no candidate either.
    ("SAT03-16_INDU", "vbs", "succ"): 0.8655,
    ("SAT03-16_INDU", "vbs", "par10"): 6991.735,
    ("SAT03-16_INDU", "vbs", "mcp"): 0.0,
    # singleBestByPar() sorts upwards although accuracy is maximised: the worst algorithm (2893_weka.OLM)
    # instead of the best (2370_weka.LMT).
    ("OPENML-WEKA-2017", "singleBestByPar", "par10"): 0.8557,
    ("OPENML-WEKA-2017", "singleBestByPar", "mcp"): 0.02,
    # The page knows the 11 algorithms of metainfo_algorithms, the runs have 15. The single bests are the
    # same, the virtual best is better.
    ("SAT11-HAND-ALGO", "vbs", "succ"): 0.7399,
    ("SAT11-HAND-ALGO", "vbs", "par10"): 13360.6639,
    ("SAT11-HAND-ALGO", "singleBest", "mcp"): 1342.4832,
    ("SAT11-HAND-ALGO", "singleBestByPar", "mcp"): 1434.686,
    ("SAT11-HAND-ALGO", "singleBestBySuccesses", "mcp"): 1434.686,
    # parscores() penalises a quality like a runtime: a failed run counts ten times the worst quality of
    # all. Ours is the mean quality, the worst one where it failed.
    ("CSP-Minizinc-Obj-2016", "singleBest", "par10"): 0.2826,
    ("CSP-Minizinc-Obj-2016", "singleBestByPar", "par10"): 0.2826,
    ("CSP-Minizinc-Obj-2016", "singleBestBySuccesses", "par10"): 0.301,
}


@pytest.fixture(scope="module")
def printed(shared: Path) -> dict[Key, float]:
    text = (shared / "reference" / "published_scenario_pages.json").read_text()
    return {
        (page["folder"], baseline, measure): number
        for page in json.loads(text)["scenarios"].values()
        for baseline, numbers in page["llama"]["baselines"].items()
        for measure, number in numbers.items()
    }


def computed(lake: Path) -> Iterator[tuple[Key, float | None]]:
    """All numbers of a page; PAR10 of a quality is that quality, as LLAMA has it."""
    sql = """
        select r.folder, s.protocol, s.solver, s.solved, s.par10, s.mcp,
            case when r.maximize then -s.cost else s.cost end
        from solver_score as s inner join raw_scenario as r
            on r.scenario_id = s.scenario_id and r.measure = s.measure
        where s.kind = 'baseline' and s.solver in ('VBS', 'SBS')"""
    con = ae.connect(lake, protocols=PROTOCOLS)
    for folder, protocol, solver, solved, par10, mcp, quality in rows(con, sql):
        baseline = "vbs" if solver == "VBS" else protocol
        score = quality if par10 is None else par10
        for measure, number in zip(MEASURES, (solved, score, mcp), strict=True):
            yield (folder, baseline, measure), number


@pytest.fixture(scope="module", params=REAL_LAKES)
def ours(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[Key, Any]:
    """SAT12-ALL has its runs in a folder of its own."""
    found = dict(computed(request.getfixturevalue(request.param)))
    if request.param == "real_lake":
        rebuilt = tmp_path_factory.mktemp("rebuilt") / "lake"
        ae.import_scenarios([request.getfixturevalue("shared") / "aslib-rebuilt"], into=rebuilt)
        found |= dict(computed(rebuilt))
    return found


def agree(number: float, digits: float, unit: float = 0.001) -> bool:
    """Whether a number rounds to digits of that unit (either way in the middle)."""
    return abs(number - digits) <= unit / 2 + 1e-9


def test_every_number_that_a_page_has_right(printed: dict[Key, float], ours: dict[Key, Any]) -> None:
    there = {key for key in ours if key[0] in SMALL} if len(ours) < len(printed) else {*printed}
    right = {key: number for key, number in printed.items() if key in there - {*WRONG}}
    differing = {
        key: (number, ours.get(key))
        for key, number in right.items()
        if ours.get(key) is None or not agree(ours[key], number)
    }
    assert differing == {}
    assert len(printed) == 16 * 4 * 3
    assert len(right) == len(there) - len(there & {*WRONG})


def test_numbers_that_a_page_has_wrong(printed: dict[Key, float], ours: dict[Key, Any]) -> None:
    there = [key for key in WRONG if key in ours]
    assert len(there) == (len(WRONG) if len(ours) >= len(printed) else 3)
    assert [key for key in there if not agree(ours[key], WRONG[key], 0.0001)] == []
    assert [key for key in there if agree(ours[key], printed[key])] == []
