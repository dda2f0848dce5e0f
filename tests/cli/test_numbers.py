"""Every number of every command is checked: nan, infinities, negatives, zero, huge."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from aslib_eval.cli import main

NUMERIC = (click.types.FloatParamType, click.types.IntParamType)


def options(group: click.Group, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Command and flag of every numeric option."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from options(command, (*at, name))
        else:
            for p in command.params:
                if isinstance(p.type, NUMERIC):
                    yield (*at, name, p.opts[0])


@pytest.mark.parametrize("words", [*options(main)], ids=" ".join)
@pytest.mark.parametrize("value", ["nan", "1e999"])
def test_what_is_no_finite_number_is_refused(words: tuple[str, ...], value: str) -> None:
    found = CliRunner().invoke(main, [*words, value])
    assert found.exit_code == 2, found.output
    assert f"Invalid value for '{words[-1]}'" in found.stderr


@pytest.mark.parametrize("seed", ["-1", "1" + "0" * 30])
def test_a_seed_that_no_generator_takes_is_refused(seed: str) -> None:
    found = CliRunner().invoke(main, ["compare", "--seed", seed])
    assert found.exit_code == 2
    assert "Invalid value for '--seed'" in found.stderr
