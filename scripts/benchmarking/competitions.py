"""Challenges of made-up solvers: from their file to a board, and a million pairs."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from .answers import Target
from .kept import Kept, Made
from .processes import Programs

PART = "competitions"
INSTANCES = 100
SOLVERS, MANY = 42, 101  # 172,200 pairs, and a million
BOARD = "`competition`: 100 instances of 42 solvers, from JSON to its board"
PAIRS = "1,010,000 pair scores, asked of a lake"
TARGETS = {
    BOARD: Target("3 s of CPU", lambda _: 3.0, cpu=True),
    PAIRS: Target("10 s of CPU", lambda _: 10.0, cpu=True),
}
_KINDS = ("SAT", "MIN", "MAX")
_CODES = ("SC", "SC", "S", "S", "UNK", "ERR")
_LIMIT = 1_200_000  # [ms]
_ASKED = "select sum(points) from rule_pair where rule = 'minizinc'"


def write_challenge(path: Path, *, solvers: int, instances: int, seed: int) -> None:
    """Write a file of results as the MiniZinc Challenge has them, the same each time.

    An instance is a problem of its own, of each kind in turn; all solvers are of one category. Of six runs
    two prove what they found, two do not, and two find nothing.
    """
    random = Random(seed)  # noqa: S311 - the same every time
    problems = range(instances)
    codes = [[random.choice(_CODES) for _ in problems] for _ in range(solvers)]
    times = [[_LIMIT if code == "UNK" else random.randrange(1, _LIMIT) for code in row] for row in codes]
    objectives = [
        [random.randrange(50, 60) if code in ("S", "SC") and at % 3 else " " for at, code in enumerate(row)]
        for row in codes
    ]
    nothing: list[list[Any]] = [[[] for _ in problems] for _ in range(solvers)]
    results = {
        "solvers": [f"s{number:03}" for number in range(solvers)],
        "fd_solvers": [False] * solvers,
        "free_solvers": [True] * solvers,
        "problems": [f"p{number:03}" for number in problems],
        "kind": [_KINDS[number % 3] for number in problems],
        "instances": [[number] for number in problems],
        "benchmarks": [f"b{number:03}" for number in problems],
        "results": codes,
        "times": times,
        "objectives": objectives,
        "step_obj": nothing,
        "step_times": nothing,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"results": results, "locations": {}}))


def competitions(*, rounds: int, work: Path, programs: Programs, kept: Kept) -> None:
    """Measure a board from its file, and the scores of all pairs of a lake."""
    home = work / PART
    small, large = home / "2024" / "results.json", home / "2025" / "results.json"
    write_challenge(small, solvers=SOLVERS, instances=INSTANCES, seed=1)
    write_challenge(large, solvers=MANY, instances=INSTANCES, seed=2)
    lake = home / "lake"
    programs.aslib_eval("import", large, "--lake", lake)
    tasks = {
        BOARD: ("competition", "minizinc2024", small, "-o", home / "board.html"),
        PAIRS: ("query", _ASKED, "--lake", lake),
    }

    def done(name: str) -> Made:
        programs.forget(lake)
        return {name: programs.aslib_eval(*tasks[name])}

    for turn in range(rounds):
        for name in tasks:
            kept.measure(PART, name, turn, partial(done, name))
    shutil.rmtree(home)
