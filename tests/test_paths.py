"""A path may be a text wherever one is taken, and a lone one a list of one."""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.linter import check_paths
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, needs, rows

TOY = ROOT / "scenarios" / "TOY-2026"
VIEW = """\
-- One row per scenario.
-- key: scenario_id
-- scenario_id: scenario
select distinct scenario_id from raw_scenario
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    home = str(tmp_path_factory.mktemp("paths") / "lake")
    (outcome,) = ae.import_scenarios([str(TOY)], into=home)
    assert outcome.status == "imported"
    return home


def test_every_public_path_may_be_a_text() -> None:
    """Of every parameter the annotation says so."""
    silent = []
    for name in ae.__all__:
        found = getattr(ae, name)
        if inspect.isfunction(found):
            for parameter in inspect.signature(found).parameters.values():
                said = str(parameter.annotation)
                taken = "Path" in said and "Callable" not in said
                if taken and "str |" not in said and said != "Paths":
                    silent.append((name, parameter.name))
    assert silent == []


def test_scenarios_are_imported_and_checked(lake: str) -> None:
    (outcome,) = ae.import_scenarios(str(TOY), into=lake)
    assert outcome.status == "unchanged"
    (outcome,) = ae.import_scenarios(TOY, into=Path(lake))
    assert outcome.status == "unchanged"
    assert check_paths(str(TOY)) == check_paths([str(TOY)]) == check_paths([TOY])
    found = ae.read_scenario(str(TOY))
    assert found.tables.keys() == ae.read_scenario(TOY).tables.keys()
    assert ae.check(found) == check_paths([TOY])


@pytest.mark.slow
def test_the_lake_and_views_of_ones_own(lake: str, tmp_path: Path) -> None:
    (tmp_path / "sql" / "90_mine").mkdir(parents=True)
    (tmp_path / "sql" / "90_mine" / "mine.sql").write_text(VIEW)
    folder = str(tmp_path / "sql")
    for given in (folder, [folder], Path(folder), [Path(folder)]):
        con = ae.connect(lake, sql_dirs=given)
        assert rows(con, "from mine") == [("TOY-2026",)]
    assert ae.query("from mine", lake=lake, sql_dirs=folder).rows() == [("TOY-2026",)]


@needs("exporting")
def test_scenarios_are_written(lake: str, tmp_path: Path) -> None:
    ae.write_from_lake(lake, "TOY-2026", str(tmp_path / "TOY-2026"))
    assert (tmp_path / "TOY-2026" / "description.txt").is_file()


def test_selections_are_imported(lake: str, tmp_path: Path) -> None:
    copy = tmp_path / "selections"
    shutil.copytree(ROOT / "scenarios" / "selections" / "TOY-2026", copy / "TOY-2026")
    assert all(o.error is None for o in import_selections(str(copy), lake=lake))
