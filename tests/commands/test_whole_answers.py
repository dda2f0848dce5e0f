"""What commands answer of a rich lake, as a whole: a letter for each column.

The lake has ties, every status, instances that nobody solves, features, selectors, and a quality to be
maximised. A line of ``answers.txt`` is a command line, its letters are the columns in their order and,
behind a dot, what is said besides. After a change that is meant, ``ASLIB_APPROVE=1`` writes them anew.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
import scipy
from click.testing import CliRunner

from aslib_eval.cli import main
from tests import pages
from tests.approved import DIGEST, letter, six_digits
from tests.command_lines import with_extensions
from tests.conftest import Once
from tests.test_structure import COMMANDS

pytestmark = pytest.mark.usefixtures("opened_once")

# The last digits, streams of random numbers and the order of some rows are theirs.
VERSIONS = ", ".join(f"{each.__name__} {each.__version__}" for each in (duckdb, np, pl, scipy))
# Command → what it is asked for; ``WHOLE`` of an extension has those of its commands.
WHOLE: dict[str, tuple[str, ...]] = with_extensions(
    "WHOLE",
    {
        "list": ("",),
        "score": (
            "",
            "--contribution",
            "--quality --scenario QUALITY",
            "--protocol asf --protocol amadini2023 --protocol llama",
        ),
        "gap": (
            "",
            "--why",
            "--fold-mean --sbs test",
            "--metric borda --protocol amadini2023",
            "--interval --scenario RICH --kind selector",
        ),
        "compare": (
            "--scenario RICH",
            "--scenario RICH --kind algorithm --versus a0 --test sign",
            "--scenario RICH --show systems --differences percent",
            "--kind selector --unit scenarios --metric solved",
            "--scenario TOY --show bayes --rope 5 --kind algorithm",
        ),
    },
)
FILE = Path(__file__).with_name("answers.txt")


@pytest.fixture(scope="session")
def rich(once: Once) -> Path:
    """The lake of the pages, which is made once for all tests."""
    return once("rich", pages.rich) / "lake"


def plain(value: Any) -> str:
    return six_digits(DIGEST.sub("#", json.dumps(value)))


def answered(command: str, asked: str, lake: Path) -> str:
    """How many rows there are, a letter for each column, and one for what is said."""
    words = [*command.split(), *shlex.split(asked), "--lake", str(lake)]
    found = CliRunner().invoke(main, [*words, "--format", "json"])
    if found.exit_code:
        return f"exit {found.exit_code}.{letter(plain(found.stderr))}"
    rows = json.loads(found.stdout)
    columns = [[row[name] for row in rows] for name in rows[0]] if rows else []
    names = letter(list(rows[0])) if rows else ""
    said = letter(plain(found.stderr))
    return f"{len(rows)} {names}{''.join(map(letter, map(plain, columns)))}.{said}"


@pytest.mark.parametrize("command", WHOLE)
def test_a_command_answers_as_it_did(command: str, rich: Path) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    known = dict(line.split(": ") for line in lines)
    approving = bool(os.environ.get("ASLIB_APPROVE"))
    if known.get("libraries") != VERSIONS and not approving:
        pytest.skip("the letters are of other versions of the libraries")
    asked = {f"{command} {one}".rstrip(): one for one in WHOLE[command]}
    found = {name: answered(command, one, rich) for name, one in asked.items()}
    if approving:
        rest = {n: v for n, v in known.items() if n != "libraries"}
        made = {"libraries": VERSIONS, **dict(sorted({**rest, **found}.items()))}
        FILE.write_text("".join(f"{name}: {what}\n" for name, what in made.items()))
        return
    assert found == {name: known.get(name, "new: approve it") for name in found}


def refusing() -> Iterator[tuple[str, str]]:
    """Each command with each option that names what a lake may not have."""
    for command in WHOLE:
        flags = {flag for option in COMMANDS[command].params for flag in option.opts}
        yield from ((command, f) for f in ("--measure", "--protocol", "--sql") if f in flags)


@pytest.mark.parametrize(("command", "flag"), list(refusing()))
def test_what_is_named_and_not_there_is_refused(command: str, flag: str, rich: Path) -> None:
    """What a command is given reaches what answers."""
    words = [*command.split(), *shlex.split(WHOLE[command][0]), "--lake", str(rich)]
    found = CliRunner().invoke(main, [*words, flag, "no-such-thing"])
    assert found.exit_code in {1, 2}
    assert "no-such-thing" in found.stderr


def test_a_table_is_written_as_it_is_printed(rich: Path, tmp_path: Path) -> None:
    words = ["table", "closed_gap", "--lake", str(rich)]
    printed = CliRunner().invoke(main, [*words, "--format", "md"])
    to = tmp_path / "t.md"
    assert CliRunner().invoke(main, [*words, "-o", str(to)]).exit_code == 0
    assert to.read_text() == printed.stdout
