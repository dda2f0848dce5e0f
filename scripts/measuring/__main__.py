"""``scripts/measure``: measure, accompany, assemble, prove."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

from .plan import Plan

NAMES = {"sat": "SAT-PYSAT-2026", "mip": "MIP-ANYTIME-2026"}
_COMMANDS = {"accompany", "assemble", "prove"}
ROOT = Path(__file__).resolve().parents[2]


def plan_of(name: str) -> Plan:
    """The plan of ``sat`` or of a scenario's folder or id."""
    ids = {scenario: short for short, scenario in NAMES.items()}
    short = ids.get(Path(name).name, name)
    if short not in NAMES:
        raise SystemExit(f"{name} is none of {', '.join([*NAMES, *ids])}")
    plan: Plan = import_module(f".{short}", __package__).plan()
    return plan


def main(words: list[str]) -> int:
    """Run the command; 1 if a proof fails."""
    command = words.pop(0) if words and words[0] in _COMMANDS else "measure"
    parser = argparse.ArgumentParser(prog=f"scripts/measure {command}")
    parser.add_argument("name", help=" or ".join(NAMES))
    if command != "prove":
        parser.add_argument("--journal", type=Path, help="folder of the journal")
    if command == "measure":
        parser.add_argument("--core", type=int, help="keep to this core")
        parser.add_argument("--most", type=int, help="stop after so many runs")
    if command == "accompany":
        parser.add_argument("--core", type=int, default=0, help="measure on this one")
        parser.add_argument("--other", type=int, default=1, help="the other core")
    if command == "assemble":
        parser.add_argument("--to", type=Path, help="the scenario folder to write")
    asked = parser.parse_args(words)
    plan = plan_of(asked.name)
    if command == "prove":
        from .proof import prove

        given = Path(asked.name)
        folder = given if given.is_dir() else ROOT / "scenarios" / plan.scenario_id
        return prove(plan, folder)

    from .journal import Journal

    where = asked.journal or ROOT / "build" / "measure" / plan.scenario_id
    if command == "assemble":
        from .publish import publish

        to = asked.to or ROOT / "scenarios" / plan.scenario_id
        publish(plan, Journal(where), to=to)
        return 0
    if command == "accompany":
        from .company import accompany

        os.sched_setaffinity(0, {asked.core})
        accompany(plan, Journal(where, write=True), other=asked.other)
        return 0
    from .campaign import measure

    if asked.core is not None:
        os.sched_setaffinity(0, {asked.core})
    measure(plan, Journal(where, write=True), most=asked.most)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
