"""A damaged table is refused with its line, or whatever changes a number is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from aslib_eval.errors import Finding
from aslib_eval.formats import Parsed, TableChoices
from aslib_eval.formats.runs import RUNS, runs_format

CUTOFF = 100.0
Cells = list[list[str]]
Mutation = Callable[[Random, Cells], str]


def whole(rng: Random, *, wide: bool) -> Cells:
    """A table of 6 instances and 3 solvers."""
    solvers = ["ant", "bee", "cat"]
    times = [[f"{rng.uniform(0.1, 99):.3f}" for _ in solvers] for _ in range(6)]
    times[2][1] = times[4][0] = "TO"
    if wide:
        rows = [[f"i{at}", *row] for at, row in enumerate(times)]
        return [["instance", *solvers], *rows]
    return [
        ["instance", "solver", "time", "status"],
        *(
            [f"i{at}", solver, *(("100", "timeout") if t == "TO" else (t, "ok"))]
            for at, row in enumerate(times)
            for solver, t in zip(solvers, row, strict=True)
        ),
    ]


def csv(table: Cells) -> str:
    return "".join(",".join(row) + "\n" for row in table)


def cell(function: Callable[[str], str], *, header: float = 0) -> Mutation:
    """Change any cell; header: how often it is a name."""

    def change(rng: Random, table: Cells) -> str:
        row = table[0 if rng.random() < header else rng.randrange(1, len(table))]
        column = rng.randrange(len(row))
        row[column] = function(row[column])
        return csv(table)

    return change


def row(function: Callable[[Cells, list[str]], object]) -> Mutation:
    """Change the table by one of its rows."""

    def change(rng: Random, table: Cells) -> str:
        function(table, rng.choice(table[1:]))
        return csv(table)

    return change


def column(function: Callable[[list[str], int], list[str]]) -> Mutation:
    """Change all rows at one column."""

    def change(rng: Random, table: Cells) -> str:
        at = rng.randrange(len(table[0]))
        return csv([function(each, at) for each in table])

    return change


def names(rng: Random, table: Cells) -> str:
    """Exchange two names of columns."""
    a, b = rng.sample(range(len(table[0])), 2)
    table[0][a], table[0][b] = table[0][b], table[0][a]
    return csv(table)


def called_group(rng: Random, table: Cells) -> str:
    """Call any column as an attribute of instances is called."""
    table[0][rng.randrange(len(table[0]))] = "group"
    return csv(table)


def cut(rng: Random, table: Cells) -> str:
    """End in the middle of a row."""
    text = csv(table)
    return text[: rng.randrange(len(text) // 3, len(text) - 2)]


def byte(rng: Random, table: Cells) -> str:
    text = csv(table)
    place = rng.randrange(len(text))
    return text[:place] + rng.choice(['"', "\0", ",", "\n", ";", "\udcff"]) + text[place:]


CELLS = (
    "",
    "-1",
    "-",
    "inf",
    "1e999",
    "1_0",
    "٣",
    "3,5",
    "nan",
    "250",
    "TO",
    "3.5s",
    "ok",
    "timeout",
    "sat",
)
MUTATIONS: list[Mutation] = [
    *(cell(lambda _, text=text: text) for text in (*CELLS, "mo", "what", "0x10", "#REF!")),  # type: ignore[misc]
    cell(str.upper, header=0.3),
    cell(lambda text: f"{text}x", header=0.3),
    cell(lambda text: f" {text} ", header=0.3),
    cell(lambda text: f"-{text}", header=0.3),
    cell(lambda text: text.replace(".", ""), header=0.3),
    cell(lambda text: text.replace(".", ","), header=0.3),
    row(lambda table, one: table.remove(one)),
    row(lambda table, one: table.append([*one])),
    row(lambda _, one: one.pop()),
    column(lambda one, at: [*one[:at], *one[at + 1 :]]),
    column(lambda one, at: [*one, one[at]]),
    names,
    called_group,
    cut,
    byte,
    lambda _, table: "\ufeff" + csv(table).replace("\n", "\r\n\r\n"),
    lambda rng, table: csv(table).replace(",", rng.choice([";", "\t"])),
]


def read(path: Path, text: str) -> Parsed:
    """What the format makes of a table; nothing where it is not recognised."""
    path.write_bytes(text.encode(errors="surrogateescape"))
    format_ = runs_format(TableChoices(cutoff=CUTOFF))
    (location,) = format_.find(path)
    return format_.read(location, format_.load(location))


def scores(found: Parsed) -> dict[str, float]:
    """Solver → its PAR10, by the definition."""
    runs = found.tables["run"].to_pylist()
    par: dict[str, list[float]] = {}
    for run in runs:
        solved = run["runstatus"] == "ok" and run["value"] < CUTOFF
        cost = run["value"] if solved else 10 * CUTOFF
        par.setdefault(run["algorithm"], []).append(cost)
    return {solver: sum(costs) / len(costs) for solver, costs in par.items()}


def words(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    """What is said when a table is imported."""
    return {(f.code, f.message) for f in findings if f.code.startswith("runs-")}


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seed", range(50))
def test_no_other_number_without_a_word(tmp_path: Path, seed: int, *, wide: bool) -> None:
    rng = Random(1000 * seed + wide)  # noqa: S311
    table = whole(rng, wide=wide)
    before = read(tmp_path / "runs.csv", csv(table))
    assert [f for f in before.findings if f.severity == "error"] == []
    change = MUTATIONS[seed % len(MUTATIONS)] if seed < 40 else rng.choice(MUTATIONS)
    after = read(tmp_path / "runs.csv", change(rng, table))
    errors = [f for f in after.findings if f.severity == "error"]
    if errors:
        assert after.tables == {}
        placed = [f for f in errors if not f.message.startswith("and ")]
        assert placed
        assert all(f.line is not None and f.message for f in placed)
    elif scores(after) != scores(before):
        assert words(after.findings) - words(before.findings)


def test_the_mutations_do_both(tmp_path: Path) -> None:
    refused = 0
    for seed, change in enumerate(MUTATIONS):
        rng = Random(seed)  # noqa: S311
        found = read(tmp_path / "runs.csv", change(rng, whole(rng, wide=False)))
        refused += any(f.severity == "error" for f in found.findings)
    assert len(MUTATIONS) / 3 < refused < len(MUTATIONS)
    assert RUNS.find(tmp_path / "nothing.csv") == []
