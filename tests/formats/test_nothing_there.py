"""What each format answers of a folder that holds nothing of it, and what to name."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.formats.registry import FORMATS, locate_all
from aslib_eval.formats.sources import table

SAID = {
    "aslib": ("is an empty folder", "Name a scenario, a table of runs, or a folder"),
    "uai": ("holds no contest.toml and no networks/*.uai", "Is it a contest of"),
    "bayesmark": ("holds no eval/*.json, derived/eval.json or", "A table has the"),
    "iohprofiler": ("holds no IOHprofiler_*.json or *.info", "Name a folder that its l"),
    "coco": ("holds no *.info of COCO, nor do the folders in it", "Name a folder that"),
    "benchexec": ("holds no results of BenchExec", "Name *.results.*.xml, .xml.bz2,"),
    "maxsat": ("holds no table of all results of a MaxSAT", "Name file or folder as"),
    "minizinc": ("holds no results.json of a MiniZinc", "Its object 'results' has"),
    "satcomp": ("holds no table of a track of a SAT Comp", "Such a table has the col"),
    "smtcomp": ("holds no results of SMT-COMP", "Such a file is .json or .json.gz and"),
    "starexec": ("holds no job information of StarExec", "Such a CSV has the columns"),
    "dataset": ("holds no data set of scenarios", "Name a folder with aslib-eval.json"),
    "runs": ("holds no table of runs", "It has the columns instance, solver and time"),
    "table": ("holds no results.csv, and is no such table", "A table has the columns"),
}


@pytest.mark.parametrize("name", [name for name in FORMATS if name in SAID])
def test_an_empty_folder_is_nothing_of_any_format(name: str, tmp_path: Path) -> None:
    with pytest.raises(AslibError) as refused:
        locate_all([tmp_path], format=name)
    what, hint = SAID[name]
    assert refused.value.message.startswith(what)
    assert refused.value.where == str(tmp_path)
    assert (refused.value.hint or "").startswith(hint)


def test_a_row_has_no_column_beside_those_of_its_relation() -> None:
    row = {"algorithm": "a", "described": False, "has_runs": True}
    assert table("algorithm", [row, {"algorithm": "b"}]).to_pylist()[1]["described"] is (None)
    with pytest.raises(KeyError, match="'algorithm', 'has_run'"):
        table("algorithm", [row, {"algorithm": "b", "has_run": True}])
    with pytest.raises(KeyError, match="'algorithm', 'algorithm'"):
        table("algorithm", [row, {"described": True}])
