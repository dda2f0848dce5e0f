"""Commands as they are declared: the public function that one calls, and an example.

The command line makes commands of click of these (``aslib_eval/cli/declared.py``); the same functions are
there in Python, as ``aslib_eval.NAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aslib_eval.plugins import Registry, Reserved, a_function, loaded


@dataclass(frozen=True)
class Declared:
    """A command that calls a function and prints the frame that it returns.

    Of an answer with a ``frame`` and ``sentences`` it prints the frame, and these on stderr.

    function: as ``aslib_eval.commands.scoring:gap``. example: a command line. more: what its help says
    after the first paragraph of the function's docstring. runs_programs: SIGTERM and SIGHUP end the program
    that runs first, as Ctrl-C does.
    """

    function: str
    example: str
    more: str = ""
    runs_programs: bool = False


@dataclass(frozen=True)
class DeclaredGroup:
    """Commands below one name. about: what its help says of them.

    commands: by name; ours may be where in ``aslib_eval.cli`` they are.
    """

    about: str
    commands: Mapping[str, Declared | Reserved | str]


# Command → the function of ``aslib_eval`` where its name is not the command's.
PYTHON = {
    "import": "import_scenarios",
    "list": "list_scenarios",
    "check": "check_paths",  # of one scenario it is ``check``
    "sweep definitions": "definitions",
}


def python_name(command: str) -> str:
    """The function of ``aslib_eval`` that does the same as a command.

    >>> python_name("plan instances"), python_name("check")
    ('plan_instances', 'check_paths')
    """
    words = command.replace(".", " ")
    return PYTHON.get(words) or words.replace(" ", "_").replace("-", "_")


# What plug-ins add: commands, those of groups as ``plan.instances``, and functions that no command calls.
_COMMANDS: Registry[object] = Registry("commands", {}, lambda _, found: found)
_FUNCTIONS: Registry[Callable[..., Any]] = Registry("functions", {}, a_function)


def _functions(command: str, found: object) -> dict[str, str]:
    """Name in Python → function of a command, or of the commands of a group.

    A command of click is of none, unless the command line made it of one.
    """
    if isinstance(found, DeclaredGroup):
        below = (_functions(f"{command} {name}", one) for name, one in found.commands.items())
        return {name: function for one in below for name, function in one.items()}
    function = getattr(found, "function", "")
    return {python_name(command): function} if function else {}


def added() -> list[str]:
    """The names of the public functions that plug-ins add."""
    of_commands = (_functions(name, found) for name, found in _COMMANDS.usable().items())
    return [*(name for one in of_commands for name in one), *_FUNCTIONS.usable()]


def function_added(name: str) -> Callable[..., Any] | None:
    """The public function of that name of a plug-in; None if none adds it."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    for command in _COMMANDS:
        if f"{name}_".startswith(f"{python_name(command)}_"):
            function = _functions(command, _COMMANDS[command]).get(name)
            if function is not None:
                return loaded(function)  # type: ignore[no-any-return]
    return None
