"""Damaged results are refused with their line, or whatever changes a number is said."""

from __future__ import annotations

import bz2
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from aslib_eval.errors import Finding
from aslib_eval.extensions.runners.benchexec import benchexec_format
from aslib_eval.formats import Parsed, TableChoices
from tests.extensions.runners.benchexec.test_results import results, run

CUTOFF = 60.0
TOOLS = ("ant", "bee", "cat")
Mutation = Callable[[Random, str], str]


def outcomes(rng: Random) -> list[tuple[str, str, str]]:
    """(status, category, time) of six tasks, all of which should be true."""
    solved = [("true", "correct", f"{rng.uniform(1, 59):.3f}") for _ in range(3)]
    return [
        *solved,
        ("TIMEOUT", "error", "60.1"),
        ("false", "wrong", "3.25"),
        ("unknown", "unknown", "2.5"),
    ]


def whole(rng: Random, *, table: bool) -> dict[str, str]:
    """File → its text: three results files, or the table of them."""
    made = {tool: outcomes(rng) for tool in TOOLS}
    if not table:
        return {
            tool: results(
                *(
                    run(f"t/i{at}", status, category, f"{time}s")
                    for at, (status, category, time) in enumerate(found)
                ),
                tool=tool,
                memlimit="1000B",
            )
            for tool, found in made.items()
        }
    rows = [
        ["tool", *(f"{tool} 1" for tool in TOOLS for _ in range(3))],
        ["run set", *["d"] * 9],
        ["t/", *["status", "category", "cputime (s)"] * 3],
        *([f"i{at}", *(x for t in TOOLS for x in made[t][at])] for at in range(6)),
    ]
    return {"table": "".join("\t".join(row) + "\n" for row in rows)}


def exchange(old: str, new: str) -> Mutation:
    """Write one text for another, at one of the places where it stands."""

    def change(rng: Random, text: str) -> str:
        parts = text.split(old)
        at = rng.randrange(1, max(len(parts), 2))
        return old.join(parts[:at]) + (new if len(parts) > 1 else old) + old.join(parts[at:])

    return change


def lines(function: Callable[[Random, list[str], int], None]) -> Mutation:
    """Change the line of a run."""

    def change(rng: Random, text: str) -> str:
        found = text.split("\n")
        body = [at for at, line in enumerate(found) if "i" in line and at > 2]
        runs = [at for at in body if "run name" in found[at] or "\t" in found[at]]
        function(rng, found, rng.choice(runs))
        return "\n".join(found)

    return change


def drop(_: Random, found: list[str], at: int) -> None:
    del found[at]


def twice(_: Random, found: list[str], at: int) -> None:
    found.insert(at, found[at])


def cut(rng: Random, text: str) -> str:
    return text[: rng.randrange(len(text) // 3, len(text) - 2)]


def byte(rng: Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('"<&\0\n\t>;') + text[at:]


def lost(rng: Random, text: str) -> str:
    """Without one character; a digit that is lost is another number nobody can see."""
    at = rng.choice([at for at, each in enumerate(text) if not each.isdigit()])
    return text[:at] + text[at + 1 :]


def other_line_ends(_: Random, text: str) -> str:
    return text.replace("\n", "\r\n")


BOTH: list[Mutation] = [
    exchange("true", "false"),
    exchange("correct", "wrong"),
    exchange("wrong", "correct"),
    exchange("TIMEOUT", "true"),
    exchange("unknown", ""),
    exchange("error", "correct"),
    exchange("i1", "i2"),
    exchange("i1", "i7"),
    exchange("2.5", "-2.5"),
    exchange("2.5", "1e999"),
    exchange("2.5", "2,5"),
    exchange("3.25", "nan"),
    lines(drop),
    lines(twice),
    cut,
    byte,
    lost,
    other_line_ends,
]
XML: list[Mutation] = [
    *BOTH,
    exchange('limit="60s"', 'limit="61s"'),
    exchange('limit="60s"', 'limit="1min"'),
    exchange('limit="60s"', ""),
    exchange("1000B", "1 MB"),
    exchange('s"/>', '"/>'),
    exchange('s"/>', 'ms"/>'),
    exchange('title="cputime"', 'title="walltime"'),
    exchange('title="category"', 'title="status"'),
    exchange('title="status"', 'title="Status"'),
    exchange("expectedVerdict", "verdict"),
    exchange("<run ", "<sourcefile "),
    exchange("</run>", ""),
    exchange("name=", "nome="),
    exchange('properties="p"', 'properties="q"'),
    exchange("true", "&amp;true"),
    exchange("true", "&true;"),
    exchange("<result", '<result error="incomplete"'),
    exchange('tool="ant"', 'tool="bee"'),
]
CSV: list[Mutation] = [
    *BOTH,
    exchange("(s)", "(ms)"),
    exchange("(s)", ""),
    exchange("\t", ","),
    exchange("\t", "\t\t"),
    exchange("ant 1", "bee 1"),
    exchange("category", "memory (MB)"),
    exchange("category", "status"),
    exchange("status", "cputime"),
    exchange("run set", "runset"),
    exchange("tool", "Tool"),
]


def read(folder: Path, files: dict[str, str], *, table: bool) -> Parsed | None:
    """What the format makes of the files; None where it does not take them."""
    folder.mkdir()
    path = folder
    for name, text in files.items():
        content = text.encode()
        if table:
            path = folder / "x.table.csv"
            path.write_bytes(content)
        elif name == "bee":
            (folder / "x.results.bee.xml.bz2").write_bytes(bz2.compress(content))
        else:
            (folder / f"x.results.{name}.xml").write_bytes(content)
    format_ = benchexec_format(TableChoices(cutoff=CUTOFF if table else None))
    found = format_.find(path)
    return format_.read(found[0], format_.load(found[0])) if found else None


def scores(found: Parsed) -> dict[str, float]:
    """Solver → its PAR10, by the definition."""
    (cutoff,) = found.tables["scenario"]["cutoff"].to_pylist()[:1]
    par: dict[str, list[float]] = {}
    for each in found.tables["run"].to_pylist():
        solved = each["runstatus"] == "ok" and each["value"] < cutoff
        par.setdefault(each["algorithm"], []).append(each["value"] if solved else 10 * cutoff)
    return {solver: sum(costs) / len(costs) for solver, costs in par.items()}


def words(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    """What is said when results are imported, without the first runs."""
    return {(f.code, f.message) for f in findings if f.code.startswith("runs-")}


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("seed", range(len(XML)))  # each mutation once
def test_no_other_number_without_a_word(tmp_path: Path, seed: int, *, table: bool) -> None:
    rng = Random(1000 * seed + table)  # noqa: S311
    files = whole(rng, table=table)
    before = read(tmp_path / "before", files, table=table)
    assert before is not None
    assert [f for f in before.findings if f.severity == "error"] == []
    mutations = CSV if table else XML
    hurt = rng.choice(list(files))
    files[hurt] = mutations[seed % len(mutations)](rng, files[hurt])
    after = read(tmp_path / "after", files, table=table)
    if after is None:
        assert table  # another format says why it takes none of it
        return
    errors = [f for f in after.findings if f.severity == "error"]
    if errors:
        assert after.tables == {}
        assert all(f.file and f.message for f in errors)
        assert any(f.line is not None or f.code == "runs-category" for f in errors)
    elif scores(after) != scores(before):
        assert words(after.findings) - words(before.findings)
