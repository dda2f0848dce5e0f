"""Commands as they are declared: the public function that one calls, and an example.

The command line makes commands of click of these (``aslib_eval/cli/declared.py``); the same functions are
there in Python, as ``aslib_eval.NAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from aslib_eval.plugins import Registry, Reserved, a_function


@dataclass(frozen=True)
class Declared:
    """A command that calls a function and prints the frame that it returns.

    function: as ``aslib_eval.commands.scoring:gap``. example: a command line. more: what its help says
    after the first paragraph of the function's docstring. frame: the attribute of what the function returns
    that is printed; "" for all of it. said: the attribute with the sentences that follow it, on stderr; ""
    for none.
    runs_programs: SIGTERM and SIGHUP end the program that runs first, as Ctrl-C does.
    """

    function: str
    example: str
    more: str = ""
    frame: str = ""
    said: str = ""
    runs_programs: bool = False

    def load(self) -> Callable[..., Any]:
        """The function."""
        return loaded(self.function)


@dataclass(frozen=True)
class DeclaredGroup:
    """Commands below one name. about: what its help says of them.

    commands: by name; ours may be where in ``aslib_eval.cli`` they are.
    """

    about: str
    commands: Mapping[str, Declared | Reserved | str]


def loaded(function: str) -> Callable[..., Any]:
    """The function of a name such as ``aslib_eval.commands.scoring:gap``."""
    module, _, name = function.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


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


# The commands of plug-ins: those of groups as ``plan.instances``.
_ADDED: Registry[object] = Registry("commands", {}, lambda _, found: found)


# The functions of plug-ins that no command calls.
_FUNCTIONS: Registry[Callable[..., Any]] = Registry("functions", {}, a_function)


def added() -> list[str]:
    """The names of the public functions that plug-ins add."""
    usable = _ADDED.usable().items()
    of = [name for command, found in usable for name, _ in _functions(command, found)]
    return [*of, *_FUNCTIONS.usable()]


def function_added(name: str) -> Callable[..., Any] | None:
    """The public function of that name of a plug-in; None if none adds it."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    for command in _ADDED:
        begins = python_name(command)
        if name == begins or name.startswith(f"{begins}_"):
            for own, function in _functions(command, _ADDED[command]):
                if own == name:
                    return loaded(function)
    return None


def _functions(command: str, found: object) -> Iterator[tuple[str, str]]:
    """The functions of a command, or of the commands of a group, by name.

    A command of click is of none, unless the command line made it of one.
    """
    if isinstance(found, DeclaredGroup):
        for name, below in found.commands.items():
            yield from _functions(f"{command} {name}", below)
    elif function := getattr(found, "function", ""):
        yield python_name(command), function
