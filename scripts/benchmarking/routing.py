"""A made-up table of RouterBench with 392,000 answers: from its file to a page."""

from __future__ import annotations

import csv
import shutil
from functools import partial
from pathlib import Path
from random import Random

from .answers import Target
from .kept import Kept, Made
from .processes import Programs

PART = "routing"
PROMPTS, MODELS = 28_000, 14
_SETS = 57
_WORDS = ("the answer to this question is that one can compute it step by step and check it twice",) * 6
READ = "polars reads the table"
IMPORT = "import of the table"
COLD, WARM = "cold `gap` of 392,000 answers", "warm `gap` of 392,000 answers"
CERTIFY, PAGE = "`certify` of 392,000 answers", "`report` of 392,000 answers"
TARGETS = {
    IMPORT: Target("3 times the CPU of polars, 1,000 MB", lambda s: 3 * s[READ], memory=1000, cpu=True)
}


def write_table(path: Path, *, prompts: int, models: int, seed: int) -> None:
    """Write a table as RouterBench has it, with answers of about 500 characters, the same each time.

    Model m is right on a prompt with a probability that grows with m and falls with how hard the prompt is,
    and its price is lognormal and grows with m.
    """
    random = Random(seed)  # noqa: S311 - the same every time
    names = [f"maker/model-{number:02}" for number in range(models)]
    words = " ".join(_WORDS).split()
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        columns = [f"{name}{part}" for name in names for part in ("", "|model_response", "|total_cost")]
        table.writerow(["sample_id", "prompt", "eval_name", *columns, "oracle_model_to_route_to"])
        for number in range(prompts):
            hard = random.random()
            row = [
                f"set-{number % _SETS}.val.{number}",
                f"What is {number}?\n" * 5,
                f"set-{number % _SETS}",
            ]
            best = "no_model_correct"
            for at, name in enumerate(names):
                right = random.random() < 0.2 + 0.8 * (at + 1) / models * (1 - hard)
                best = name if right and best not in names else best
                start = random.randrange(len(words))
                row += [float(right), " ".join(words[start:] + words[:start])]
                row.append(random.lognormvariate(-9 + 0.3 * at, 0.5))
            table.writerow([*row, best])


def routing(*, rounds: int, work: Path, programs: Programs, kept: Kept) -> None:
    """Measure the import, a cold and a warm question, the sets of places and the page."""
    home = work / PART
    home.mkdir(parents=True)
    path, lake = home / "routerbench.csv", home / "lake"
    write_table(path, prompts=PROMPTS, models=MODELS, seed=1)

    def done() -> Made:
        shutil.rmtree(lake, ignore_errors=True)
        programs.forget(lake)
        tasks = {
            READ: partial(programs.python, "-c", f"import polars; polars.read_csv({str(path)!r})"),
            IMPORT: partial(programs.aslib_eval, "import", path, "--lake", lake),
            COLD: partial(programs.aslib_eval, "gap", "--lake", lake),
            WARM: partial(programs.aslib_eval, "gap", "--lake", lake),
            CERTIFY: partial(programs.aslib_eval, "certify", "--lake", lake),
            PAGE: partial(programs.aslib_eval, "report", "--lake", lake, "-o", home / "report"),
        }
        return {name: task() for name, task in tasks.items()}

    for turn in range(rounds):
        kept.measure(PART, "from the table to the page", turn, done)
    shutil.rmtree(home)
