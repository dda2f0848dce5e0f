"""All that commands answer of a rich lake, in brief: tests/approved/commands.txt.

The lake has ties, every status, instances that nobody solves, features, selectors, and a quality to be
maximised. A line is a command line; its last columns are what is said besides.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from tests import pages
from tests.command_lines import with_extensions
from tests.conftest import Once
from tests.summaries import hold, of_rows, of_text
from tests.test_structure import COMMANDS

pytestmark = pytest.mark.usefixtures("opened_once")

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


@pytest.fixture(scope="session")
def rich(once: Once) -> Path:
    """The lake of the pages, which is made once for all tests."""
    return once("rich", pages.rich) / "lake"


def answered(command: str, asked: str, lake: Path) -> dict[str, str]:
    words = [*command.split(), *shlex.split(asked), "--lake", str(lake)]
    found = CliRunner().invoke(main, [*words, "--format", "json"])
    assert found.exit_code == 0, found.stderr
    rows = json.loads(found.stdout)
    return of_rows([*rows[0]] if rows else [], [[*row.values()] for row in rows]) | of_text(found.stderr)


@pytest.mark.parametrize("command", WHOLE)
def test_a_command_answers_as_it_did(command: str, rich: Path) -> None:
    asked = {f"{command} {one}".rstrip(): one for one in WHOLE[command]}
    hold("commands.txt", {name: answered(command, one, rich) for name, one in asked.items()})


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
