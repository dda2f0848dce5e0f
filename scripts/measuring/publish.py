"""Journal → scenario folder, which appears whole or not at all."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

import aslib_eval as ae

from .journal import Journal
from .plan import Plan

HASHES = "instances.sha256"


def publish(plan: Plan, journal: Journal, *, to: Path) -> None:
    """Write the folder ``to``, in the place of an earlier one of the same plan."""
    folder = plan.assemble(list(journal.records.values()), journal.sessions)
    extra = {**folder.extra, HASHES: hashes(plan)}
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent, prefix=".measured-") as scratch:
        new = Path(scratch) / plan.scenario_id
        remarks = ae.write_scenario(
            folder.tables, new, scenario_id=plan.scenario_id, readme=folder.readme, citation=folder.citation
        )
        for name, text in extra.items():
            (new / name).write_text(text, encoding="utf-8")
        if to.exists():
            to.rename(Path(scratch) / "old")
        shutil.move(new, to)
    for remark in remarks:
        print(remark, file=sys.stderr)


def hashes(plan: Plan) -> str:
    """A line ``hash  id`` for each instance, as sha256sum writes them."""
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in plan.instances())
    return "".join(sorted(lines, key=lambda line: line.split("  ")[1]))
