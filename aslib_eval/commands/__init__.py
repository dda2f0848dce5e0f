"""Each command as a plain function with the command's options, and how commands are declared.

``import aslib_eval as ae`` has the functions. The command line makes commands of click of what is
``Declared`` (``aslib_eval/cli/declared.py``), parses and prints; it calls ``note`` with each sentence for
stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from aslib_eval.database.protocol import AnyProtocol as AnyProtocol
from aslib_eval.database.protocol import OneProtocol as OneProtocol
from aslib_eval.database.protocol import Protocols as Protocols
from aslib_eval.database.protocol import changed, load
from aslib_eval.errors import OptionError
from aslib_eval.options import Lake, Note, ProtocolOptions
from aslib_eval.paths import Paths
from aslib_eval.plugins import Registry, Reserved, a_function, loaded
from aslib_eval.text import list_names

if TYPE_CHECKING:
    from aslib_eval.database.open_lake import OpenLake


def silent(*notes: str) -> None:
    """Say nothing."""


def changed_protocols(protocols: Protocols, **given: Unpack[ProtocolOptions]) -> Protocols:
    """Protocols that make some choices under names of their own; None = their own.

    Raises:
        OptionError: for ``sbs`` where folds are pooled.
    """
    choices = {
        "measures": given.get("measure"),
        "fold_aggregate": "mean" if given.get("fold_mean") else None,
        "sbs_scope": given.get("sbs"),
        "penalty": given.get("penalty"),
        "borda_delta": given.get("delta"),
    }
    if not any(choice is not None for choice in choices.values()):
        return protocols
    found = tuple(changed(load(each), **choices) for each in protocols)
    if choices["sbs_scope"] is not None and any(p.fold_aggregate == "pooled" for p in found):
        raise OptionError("--sbs chooses the SBS of each fold: it needs --fold-mean")
    return found


def opened(
    lake: Lake,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    **choices: Unpack[ProtocolOptions],
) -> OpenLake:
    """The open lake, with protocols that make these choices; a bar on a terminal shows what is built."""
    from aslib_eval.database.open_lake import open_lake

    asked = changed_protocols(protocols, **choices)
    return open_lake(
        lake, protocols=asked, scenarios=scenarios, sql_dirs=sql_dirs, shown=sys.stderr.isatty()
    )


def tell_left_out(lake: OpenLake, attribute: str | None, note: Note) -> None:
    """Name the scenarios that have no family of an attribute; None has no families."""
    from aslib_eval.analysis.summaries import scenarios_without

    if attribute is not None and (without := scenarios_without(lake, attribute)):
        names = list_names(without, quoted=False)
        note(f"left out, as no instance has the attribute {attribute}: {names}")


def as_numbers(given: str | Sequence[float] | None, option: str) -> tuple[float, ...]:
    """Numbers of a sequence, or of a text such as ``0.1,0.01``."""
    words = (given or "").split(",") if isinstance(given, str | None) else given
    try:
        return tuple(float(word) for word in words if word != "")
    except ValueError:
        raise OptionError(f"{given!r} is no list of numbers for {option}") from None


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
