"""What ``figure`` and ``table`` list, refuse and say, without a lake."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from aslib_eval.cli import products as table
from aslib_eval.cli.options import _asked
from aslib_eval.cli.products import _format, _why_empty
from aslib_eval.commands import products as commands


def printed(*arguments: str) -> tuple[int, list[str], str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.stdout.splitlines(), done.stderr


def test_figure_alone_lists_what_there_is() -> None:
    code, lines, _ = printed("figure")
    assert (code, lines[0]) == (0, "| name | of | shows | needs |")
    assert (
        "| cactus | lake | runtimes of solved instances in ascending order, of any solvers |  |"
    ) in lines
    assert (
        "| bump | scenario | the selectors' places under every metric | two selectors with scores |"
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
        ("compare --highlight a --draw intervals", "--highlight goes with --draw ranks"),
        ("compare --highlight a --versus b", "--highlight goes with --draw ranks"),
        ("sweep delta --at 1 --show pairs", "--at gives scores: it goes with --show v"),
    ],
)
def test_what_does_not_go_together(line: str, said: str) -> None:
    code, _, err = printed(*line.split(), *(["--chart", "a.svg"] * ("comp" in line)))
    assert (code, f"Error: {said}" in err) == (2, True)


@pytest.mark.parametrize(
    ("given", "output", "terminal", "format_"),
    [
        (None, None, True, None),
        (None, None, False, "md"),
        ("csv", None, True, "csv"),
        ("csv", "a.tex", True, "csv"),
        (None, "a.tex", False, "tex"),
        (None, "a.b.html", False, "html"),
    ],
)
def test_the_format_of_a_table(
    given: str | None,
    output: str | None,
    terminal: bool,  # noqa: FBT001
    format_: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "on_terminal", lambda: terminal)
    assert _format(given, output and Path(output)) == format_  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a.pdf", "a", "csv"])
def test_the_format_of_a_table_is_told_by_the_file(name: str) -> None:
    with pytest.raises(click.UsageError, match=f"cannot tell the format of {name}: gi"):
        _format(None, Path(name))


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"name": "x", "notes": ("No tests: too few units.",)}, "too few units"),
        ({"name": "selectors"}, "it is of selectors, and there are none; 'algorithms' is of algorithms"),
        (
            {"name": "x", "caption": "Gaps of a selector."},
            "it is of selectors, and there are none; 'algorithms' is of algorithms",
        ),
        (
            {"name": "x", "notes": ("Something: No tests: no.",)},
            "nothing here has what it shows; 'aslib-eval list' says what there is",
        ),
    ],
)
def test_why_a_table_is_empty(about: dict[str, Any], said: str) -> None:
    found: Any = SimpleNamespace(**{"notes": (), "caption": "", **about})
    assert _why_empty(found) == said


def test_a_figure_is_drawn_into_its_file_which_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[Any] = []

    @wraps(commands.figure)
    def figure(name: str, **options: Any) -> Any:
        def save(to: Path, *, width: int | None) -> None:
            saved.append((name, options["scenarios"], to, width))

        return SimpleNamespace(save=save)

    monkeypatch.setattr(commands, "figure", figure)
    line = "figure bump --width 85 -o b.svg --scenario S"
    assert printed(*line.split()) == (0, ["b.svg"], "")
    assert saved == [("bump", ("S",), Path("b.svg"), 85)]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("", set()),
        ("--cost 3", {"cost"}),
        ("--metric cost --metric gap", {"cost", "metric"}),
        ("--by f", {"family"}),
        ("--interval", {"gap_low", "gap_high"}),
    ],
)
def test_columns_that_are_asked_for_are_those_that_are_typed(typed: str, asked: set[str]) -> None:
    found: list[set[str]] = []
    columns = ["cost", "metric", "family", "gap_low", "gap_high", "default", "solver"]

    @click.command()
    @click.option("--cost", default="default")
    @click.option("--metric", multiple=True, default=["solver"])
    @click.option("--by")
    @click.option("--interval", is_flag=True)
    def command(**_: Any) -> None:
        found.append(_asked(columns))

    CliRunner().invoke(command, typed.split(), catch_exceptions=False)
    assert found == [asked]
