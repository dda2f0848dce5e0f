"""``scripts/infer``: make the contest, prove its folder, score and rank it."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from . import contest

ROOT = Path(__file__).resolve().parents[2]


def make(folder: Path) -> int:
    """Write every file of the contest; the folder must be new or empty."""
    if folder.exists() and any(folder.iterdir()):
        print(f"{folder} is not empty", file=sys.stderr)
        return 1
    count = 0
    for name, text in contest.files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        count += 1
    print(f"{count} files in {folder}", file=sys.stderr)
    return 0


def prove(folder: Path) -> int:
    """Whether the folder holds exactly what comes out now; 1 if not."""
    held = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*")}
    texts = {name: path.read_text() for name, path in held.items() if path.is_file()}
    made = dict(contest.files())
    wrong = sorted(n for n in {*texts, *made} if texts.get(n) != made.get(n))
    for name in wrong:
        said = "differs" if name in texts and name in made else "is not in both"
        print(f"{folder}/{name}: {said}")
    print(f"{len(made) - len(wrong)} of {len(made)} files are the same", file=sys.stderr)
    return int(bool(wrong))


def score(folder: Path) -> int:
    """Mean score and rank of every solver, task by task."""
    import aslib_eval as ae

    with tempfile.TemporaryDirectory(prefix="inference-") as scratch:
        outcomes = ae.import_scenarios([folder], into=Path(scratch))
        for outcome in outcomes:
            if outcome.error is not None:
                print(outcome.error, file=sys.stderr)
                return 1
        frame = ae.query(
            """
            select scenario_id as task, solver, n_instances as n, -cost as score,
                rank() over (partition by scenario_id order by cost) as rank
            from solver_score where kind = 'algorithm' order by task, rank, solver
            """,
            lake=scratch,
        )
    print("| task | rank | solver | mean score | n |\n| --- | ---: | --- | ---: | ---: |")
    for task, solver, n, mean, rank in frame.iter_rows():
        print(f"| {task} | {rank} | {solver} | {mean:.2f} | {n} |")
    return 0


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="scripts/infer", description=__doc__)
    commands = {"make": make, "prove": prove, "score": score}
    parser.add_argument("command", choices=commands)
    home = ROOT / "scenarios" / contest.NAME
    parser.add_argument("folder", nargs="?", type=Path, default=home)
    asked = parser.parse_args()
    return commands[asked.command](asked.folder)


if __name__ == "__main__":
    sys.exit(main())
