"""What ``figure`` and ``table`` list, refuse and say, without a lake."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main


def printed(*arguments: str) -> tuple[int, list[str], str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.stdout.splitlines(), done.stderr


def test_figure_alone_lists_what_there_is() -> None:
    code, lines, _ = printed("figure")
    assert (code, lines[0]) == (0, "| name | of | shows | needs |")
    assert (
        "| cactus | lake | runtimes of the instances that each solver solves, in ascending order |  |"
    ) in lines
    assert (
        "| bump | scenario | ranks of the selectors by every metric | two selectors with scores |"
    ) in lines


def test_table_alone_lists_what_there_is() -> None:
    code, lines, _ = printed("table")
    assert (code, lines[0]) == (0, "| table | caption | about |")
    assert (
        "| closed_gap | Closed gap of every selector: 1 is VBS, 0 is SBS. "
        "| One row per protocol, scenario, measure and selector. |"
    ) in lines


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("figure cactus", "Missing option '-o'. Example: aslib-eval figure cactus -o"),
        ("compare --highlight a --draw intervals", "--highlight needs --draw ranks"),
        ("compare --highlight a --versus b", "--highlight needs --draw ranks"),
    ],
)
def test_what_does_not_go_together(line: str, said: str) -> None:
    code, _, err = printed(*line.split(), *(["--chart", "a.svg"] * ("comp" in line)))
    assert (code, f"Error: {said}" in err) == (2, True)


def test_the_help_of_import_has_what_few_need_below_headings() -> None:
    first, *others = CliRunner().invoke(main, ["import", "--help"]).stdout.split("\nMore")
    named = re.findall(r"^  (?:-h, )?(--[a-z-]+)", first, flags=re.MULTILINE)
    assert named == ["--lake", "--scenario-id", "--column", "--cutoff", "--times-in", "--status", "--help"]
    assert [part.partition(":")[0] for part in others] == [" about tables of runs", " about instances", ""]
    assert "--input-format" in others[2]
