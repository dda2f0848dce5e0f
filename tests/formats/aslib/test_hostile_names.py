"""Hostile names of scenarios and instances are text, and nothing else."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from tests.conftest import ROOT
from tests.formats.aslib.test_bad_input import digest

pytestmark = pytest.mark.slow


HOSTILE = [
    *("..", ".", "../../x", "/etc/passwd", "C:\\x", "*", "[x]", "-rf", "$HOME", "%2e%2e%2f"),
    *("'; drop table run; --", '"; drop view raw_run; --', "<script>alert(1)</script>"),
    *("a\nb", "a\0b", "\x1b[31mred", "a b  c", "é∑你", "\u202eabc", "x" * 180),
    *("nUll", "True", "1e5", "2020-01-01", "a=b", "scenario_id=x", "__HIVE_DEFAULT_PARTITION__"),
]


def renamed(folder: Path, scenario_id: str) -> Path:
    """TOY-2026 under another id."""
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    path = folder / "description.txt"
    quoted = "".join(rf"\u{ord(c):04x}" for c in scenario_id)
    text = re.sub("(?m)^scenario_id:.*$", "", path.read_text())
    path.write_text(f'{text.rstrip()}\nscenario_id: "{quoted}"\n')
    return folder


@pytest.fixture(scope="module")
def hostile_ids(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Name → what came of importing a scenario of that name, all into one lake."""
    home = tmp_path_factory.mktemp("ids")
    found = {}
    for at, name in enumerate(HOSTILE):
        folder = renamed(home / f"S{at}", name)
        before = digest(folder), sorted(p.name for p in home.parent.iterdir())
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(home)
            outcomes = [ae.import_scenarios([folder], into=home / "lake") for _ in range(2)]
        after = digest(folder), sorted(p.name for p in home.parent.iterdir())
        found[name] = [o for (o,) in outcomes], before == after
    beside = {p.name for p in home.iterdir()}
    assert beside == {"lake", *(f"S{at}" for at in range(len(HOSTILE)))}
    ids = ae.query("select distinct scenario_id from raw_run", lake=home / "lake")
    return {"found": found, "ids": [name for (name,) in ids.rows()]}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_scenario_id_is_just_text(name: str, hostile_ids: dict[str, Any]) -> None:
    (first, again), untouched = hostile_ids["found"][name]
    assert (first.error, first.scenario_id) == (None, name)
    assert again.status == "unchanged"
    assert untouched
    assert hostile_ids["ids"].count(name) == 1
    assert len(hostile_ids["ids"]) == len(HOSTILE)


PRINTABLE = [name for name in HOSTILE if name.isprintable()]


@pytest.fixture(scope="module")
def hostile_instances(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Name → the instances of a scenario that has one of that name."""
    home = tmp_path_factory.mktemp("instances")
    for at, name in enumerate(PRINTABLE):
        folder = renamed(home / f"S{at}", f"S{at}")
        escaped = name.replace("\\", "\\\\").replace("'", "\\'")
        for path in folder.glob("*.arff"):
            path.write_text(path.read_text().replace("\nanvil_1,", f"\n'{escaped}',"))
        (outcome,) = ae.import_scenarios([folder], into=home / "lake")
        assert outcome.error is None, str(outcome.error)
    sql = "select distinct scenario_id, instance_id from raw_run"
    rows = ae.query(sql, lake=home / "lake").rows()
    return {
        name: {instance for scenario, instance in rows if scenario == f"S{at}"}
        for at, name in enumerate(PRINTABLE)
    }


@pytest.mark.parametrize("name", PRINTABLE)
def test_a_hostile_instance_is_just_text(name: str, hostile_instances: dict[str, set[str]]) -> None:
    assert name in hostile_instances[name]
    assert "anvil_1" not in hostile_instances[name]
