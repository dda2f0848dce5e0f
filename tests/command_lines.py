"""The command lines of extensions that are there, for the tests of all commands.

The tests of an extension may have a module ``command_lines``, with tables of the names of those in
``tests/cli``, and ``make``, which makes what the lines name.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeVar

from tests.conftest import ROOT

EXTENSIONS = [
    import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for path in sorted((ROOT / "tests" / "extensions").glob("*/command_lines.py"))
]
Table = TypeVar("Table", dict[Any, Any], set[Any])


def with_extensions(name: str, ours: Table) -> Table:
    """A table with the lines of extensions; of a command of ours they add to its."""
    for module in EXTENSIONS:
        for line in (theirs := getattr(module, name, ())):
            if isinstance(ours, set):
                ours.add(line)
            elif isinstance(theirs[line], dict):
                ours.setdefault(line, {}).update(theirs[line])
            else:
                ours[line] = theirs[line]
    return ours


def added_by() -> dict[tuple[str, str], str]:
    """Command of ours and option → the extension that adds it."""
    return {
        (command, option): module.__name__.split(".")[-2]
        for module in EXTENSIONS
        for command, lines in getattr(module, "OPTIONS", {}).items()
        for option in lines
        if command not in getattr(module, "BASE", {})
    }
