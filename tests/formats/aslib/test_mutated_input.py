"""Seeded mutations of every file of a scenario and of plain tables.

Whatever they hold: findings that can be printed and no exception; where ARFF is taken, it is what liac-arff
takes it for, cell for cell; where YAML is taken, names and numbers are those of a YAML reader, or there is
a finding. ASLIB_EVAL_MUTATIONS says how many.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import arff
import pytest
import yaml

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.description import parse_description
from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import parse_arff, read_scenario
from aslib_eval.formats.results import Results, read_results
from aslib_eval.formats.sources import Location, Source
from tests.formats.aslib.lint.test_rules import CLEAN, points_of

pytestmark = pytest.mark.slow

SEEDS = int(os.environ.get("ASLIB_EVAL_MUTATIONS", "100"))  # for each file
RUNS = CLEAN["algorithm_runs.arff"]
FILES = {
    **CLEAN,
    "algorithm_runs_test.arff": RUNS.replace("\ni", "\nt"),
    "trajectories.arff": points_of("1,12", "2,10"),
}
RESULTS = """\
task,method,seed,metric,value,direction
t,A,1,f1,0.5,
t,B,1,f1,0.25,max
u,A,1,depth,?,min
u,B,1,depth,1,
"""
WORDS = [
    *("?", "", "NaN", "nan", "inf", "-inf", "1e400", "-0", "0x1", "1_0", "1e308"),
    *("'", '"', "{", "}", "{0 a}", "%", "%s", "'o %k'", ",", ",,", "\t", "  ", "\r"),
    *("\0", "\ufeff", "\u2028", "\u00e9", "\\", "\\u12", "'\\ud800'", "a b", "'a b'"),
    *("@DATA", "@data", "@ATTRIBUTE x {}", "@ATTRIBUTE x NUMERIC", "STRING", "REAL"),
    *("INTEGER", "DATE", "{}", "{ok}", "{ok,}", "1.5", "010", "08", "0o10", "1:30"),
    *("~", "null", "[", "]", "[a", "{a: b}", "&a", "*a", "!!int 3", "|", "- ", "? "),
    *(": ", "---", "...", "#", "<<", "99999999999999999999", "2147483648", "-1"),
    *("3.0000000001", "i1", "i9", "ok", "OK", " ok", "crash", "\u0663", "+1", "1."),
]


def lines_changed(lines: list[str], rng: random.Random) -> list[str]:
    """One line removed, repeated, exchanged for a word, or with a word for a cell."""
    at = rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        return [*lines[:at], *lines[at + 1 :]]
    if kind == 1:
        return [*lines[:at], rng.choice(lines), *lines[at:]]
    if kind == 2:
        return [*lines[:at], rng.choice(WORDS), *lines[at:]]
    mark = "," if kind < 5 else " "
    cells = lines[at].split(mark)
    cells[rng.randrange(len(cells))] = rng.choice(WORDS)
    return [*lines[:at], mark.join(cells), *lines[at + 1 :]]


def bytes_changed(content: bytes, rng: random.Random) -> bytes:
    """One byte exchanged, a word put in, or the end cut off."""
    at = rng.randrange(len(content) + 1)
    word = rng.choice(WORDS).encode()
    return rng.choice(
        [
            content[:at] + rng.randbytes(1) + content[at + 1 :],
            content[:at] + word + content[at:],
            content[:at],
        ]
    )


def mutated(text: str, rng: random.Random) -> bytes:
    lines = text.split("\n")
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        lines = lines_changed(lines, rng)
    content = "\n".join(lines).encode()
    return bytes_changed(content, rng) if rng.random() < 0.4 else content


def mutations(text: str, name: str) -> Iterator[tuple[int, bytes]]:
    for seed in range(SEEDS):
        yield seed, mutated(text, random.Random(f"{name} {seed}"))  # noqa: S311


def readable(findings: list[Finding]) -> None:
    """Every finding can be printed, on one line."""
    for finding in findings:
        assert len(str(finding).encode().splitlines()) == 1


def same_cells(content: bytes, seed: int) -> None:
    """Our table is liac-arff's; what one refuses the other refuses."""
    ours = parse_arff(content, file="f")
    wrong = [f.message for f in ours.findings if f.severity == "error"]
    if any(a.kind == "INTEGER" for a in ours.attributes):
        return  # liac-arff cuts fractions off
    text = content.decode("utf-8-sig", errors="replace")
    try:
        theirs = arff.loads(text.replace("\r\n", "\n").replace("\r", "\n"))["data"]
    except Exception:  # noqa: BLE001 (it raises whatever its parts do)
        assert wrong, seed
        return
    if wrong:
        ours_alone = ("half of a character", "not UTF-8", "0x00 does not belong in a text")
        assert any(known in said for said in wrong for known in ours_alone), seed
        return
    columns = [column.to_pylist() for column in ours.table.columns]
    cells = [list(map(repr, row)) for row in zip(*columns, strict=True)]
    assert cells == [list(map(repr, row)) for row in theirs], seed


def same_meaning(content: bytes, seed: int) -> None:
    """The id and the cutoff are those that a YAML reader finds."""
    ours, findings = parse_description(content, file="f")
    if ours is None or any(f.code == "yaml-number" for f in findings):
        return
    # A ? alone, as ASlib 1.0.1 has it, is a key to YAML and an unknown value to us.
    text = re.sub(r"(?m)(:\s*)\?\s*$", r"\1'?'", content.decode("utf-8-sig"))
    theirs = yaml.load(text, yaml.CSafeLoader)
    name, cutoff = theirs["scenario_id"], theirs.get("algorithm_cutoff_time")
    if isinstance(name, str):
        assert name.strip() == ours.scenario_id, seed
    if isinstance(cutoff, int | float):
        assert cutoff == ours.cutoff, seed


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_scenario(name: str) -> None:
    whole = {file: Source.of(text.encode()) for file, text in FILES.items()}
    compare: Callable[[bytes, int], None]
    compare = same_cells if name.endswith(".arff") else same_meaning
    for seed, content in mutations(FILES[name], name):
        sources = {**whole, name: Source.of(content)}
        scenario = read_scenario(Location(Path("S"), "S"), sources)
        findings = check(scenario)
        readable(findings)
        if not any(f.severity == "error" for f in findings):
            relations(scenario)
        compare(content, seed)


def test_a_table_of_results() -> None:
    for _, content in mutations(RESULTS, "results"):
        text = content.decode("utf-8-sig", errors="replace")
        found, findings = read_results(text, file="f")
        readable([*findings, *Results(tuple(found), "f").findings()])
