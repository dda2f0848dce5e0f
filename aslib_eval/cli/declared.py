"""Commands made of public functions: the signature of a function is its declaration."""

from __future__ import annotations

import inspect
import math
import signal
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

import click

from aslib_eval.added_options import declared
from aslib_eval.cli.options import (
    Decorator,
    Finite,
    PartNumber,
    Registered,
    Words,
    combine,
    default_lake,
    frame_command,
    note,
    writable,
)
from aslib_eval.commands.declared import Declared, DeclaredGroup, loaded
from aslib_eval.errors import AslibError
from aslib_eval.options import Option, option_of, spell, type_of
from aslib_eval.plugins import Registry, leave_out, plug_ins
from aslib_eval.signatures import has_type, words_of


def command_of(name: str, command: Declared) -> click.Command:
    """The command of click that calls the function and prints its frame."""
    called = command.load()
    noted = {"note": note} if "note" in declared(called) else {}

    def run(**options: Any) -> Any:
        with _signals_end_programs() if command.runs_programs else nullcontext():
            found = called(**options, **noted)
        return getattr(found, command.frame) if command.frame else found

    about = inspect.cleandoc(called.__doc__ or "").split("\n\n")[0]
    run.__doc__ = f"{about}\n\n{command.more}".strip()
    make = click.command(name, epilog=f"Example: aslib-eval {command.example}")
    return make(combine(*options_of(called))(frame_command(run)))


class Commands(Mapping[str, click.Command]):
    """Commands by name, each made or loaded when it is asked for; with plug-ins.

    ours: what a command is made of, the module of ``aslib_eval.cli`` that has it, or
    the command. group: the name of the group that they are in, if they are in one.
    """

    def __init__(self, ours: Mapping[str, Any], group: str = "") -> None:
        self._ours, self._group = ours, group

    @cached_property
    def _all(self) -> Registry[Any]:
        return Registry("commands", self._ours, _require_command, within=self._group)

    def __getitem__(self, name: str) -> click.Command:
        found = self._all[name]
        if isinstance(found, Declared):
            return command_of(name, found)
        below = f"{self._group}.{name}" if self._group else name
        if isinstance(found, DeclaredGroup):
            inside: Any = Commands(found.commands, below)
            return click.Group(name, inside, help=found.about)
        if isinstance(found, str):
            found = getattr(import_module(f"aslib_eval.cli.{found}"), found)
        if isinstance(found, click.Group) and not isinstance(found.commands, Commands):
            inside = Commands(found.commands, below)
            found.commands = inside
        command: click.Command = found
        return command

    def __iter__(self) -> Iterator[str]:
        names = self._all.usable()
        if not self._group:
            self._tell_of_those_in_no_group(names)
        return iter(names)

    def _tell_of_those_in_no_group(self, names: Container[str]) -> None:
        for plug_in in plug_ins("commands"):
            group, dot, _ = plug_in.name.partition(".")
            if dot and group not in names:
                leave_out(plug_in.error("is in no group of commands"))

    def __len__(self) -> int:
        return len(self._all.usable())


def _require_command(_name: str, found: object) -> object:
    """What a plug-in adds as a command."""
    if isinstance(found, Declared):
        found.load()
    elif not isinstance(found, DeclaredGroup | click.Command):
        what = f"is a {type(found).__name__}, and no Declared or command of click"
        raise AslibError(what)
    return found


def options_from(function: str, *, without: Sequence[str] = ()) -> Decorator:
    """The options of a public function, for a command that does more than print it.

    function: as ``aslib_eval.commands.products:report``. without: parameters that the
    command takes in its own way.
    """
    return combine(*options_of(loaded(function), without=without))


@contextmanager
def _signals_end_programs() -> Iterator[None]:
    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = {n: signal.signal(n, leave) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def options_of(
    function: Callable[..., Any], *, without: Sequence[str] = ()
) -> list[Decorator]:
    """The options and arguments of click that the parameters of a function are."""
    parameters = {
        name: (parameter, option)
        for name, parameter in declared(function).items()
        if (option := option_of(parameter.annotation))
    }

    def spelling(name: str) -> str:
        """The flag of a parameter, or the word that stands for it in the usage."""
        option = parameters[name][1]
        flags = option.spelled(name)
        return flags[-1].split("/")[0] if flags else option.metavar or name.upper()

    return [
        _made(name, parameter, option, spelling)
        for name, (parameter, option) in parameters.items()
        if name not in without
    ]


def _made(
    name: str,
    parameter: inspect.Parameter,
    option: Option,
    spelling: Callable[[str], str],
) -> Decorator:
    kind = type_of(parameter.annotation)
    required = parameter.default is inspect.Parameter.empty
    default = None if required else parameter.default
    several = has_type(kind, Sequence) and not option.joined
    # To click even None is a default, beside which nothing is required.
    given: dict[str, Any] = {} if required else {"default": default}
    settings: dict[str, Any] = {"metavar": option.metavar}
    settings["type"] = _click_type(kind, option)
    if not option.spelled(name):
        settings |= {"nargs": -1} if several else given
        return click.argument(name, required=required, **settings)
    about = spell(option.about, spelling)
    if several:
        about = f"{about.removesuffix('.')}; repeatable."
    settings["multiple"] = several
    if has_type(kind, bool):
        settings = {"is_flag": True} if default is False else {}
    if option.bare is not None:
        settings |= {"is_flag": False, "flag_value": option.bare}
    if option.writes:
        settings["callback"] = writable(option.writes)
    if name == "lake" and default is not None:
        given = {"default": default_lake}
    return click.option(
        *option.spelled(name),
        name,
        required=required,
        show_default=spell(option.shown or "", spelling) or _shown(default),
        help=about,
        **given,
        **settings,
    )


def _shown(default: object) -> str | bool:
    """How help shows a default: several words of an option without brackets."""
    if isinstance(default, tuple):
        return ", ".join(map(str, default)) or False
    return default not in (None, False, "")


def _click_type(kind: object, option: Option) -> Any:
    """The type of click that checks a value."""
    if words := [word for word in words_of(kind) if word is not None]:
        return Words(words)
    if option.registry:
        registry, *others = option.registry
        return Registered(*registry.split(":"), *others)
    if has_type(kind, tuple) or option.joined:
        return str if option.joined else PartNumber()
    if has_type(kind, Path) or has_type(kind, PathLike):
        return click.Path(path_type=Path)
    if has_type(kind, int):
        least, most = option.least, option.most or 10**9
        return click.IntRange(None if least is None else int(least), int(most))
    return Finite(most=option.most or math.inf) if has_type(kind, float) else str
