"""Was this folder made by this harness? Same instances; a few runs made again."""

from __future__ import annotations

from pathlib import Path

from .campaign import once
from .plan import Plan
from .publish import HASHES, hashes


def prove(plan: Plan, folder: Path) -> int:
    """Print what holds and what does not; 1 if anything does not."""
    committed = (folder / HASHES).read_text(encoding="utf-8").splitlines()
    generated = hashes(plan).splitlines()
    wrong = sorted(set(committed) ^ set(generated))
    print(f"{len(generated)} instances generated, {len(committed)} in {folder.name}")
    for line in wrong[:10]:
        print(f"  not the same: {line}")
    if not wrong:
        print("  all of them byte for byte the same")
    failed = bool(wrong)
    for check in plan.recheck(folder):
        record = once(plan, check.key)
        problem = check.agrees(record)
        failed = failed or problem is not None
        now = f"{record.outcome.end} {record.outcome.cpu:.3f} s"
        verdict = "agrees" if problem is None else f"DIFFERS: {problem}"
        print(f"{' '.join(check.key[1:])}: was {check.told}, now {now}: {verdict}")
    return int(failed)
