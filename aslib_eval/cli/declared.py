"""Commands made of public functions: the signature of a function is its declaration.

A command that prints the frame of its function is a ``Declared``; of one that prints something else
``made_of`` makes what it is of the function, and a function of ``aslib_eval/cli`` says what is printed.
"""

from __future__ import annotations

import inspect
import math
import signal
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from aslib_eval.cli.options import (
    FRAME_OPTIONS,
    Finite,
    PartNumber,
    Registered,
    Words,
    default_lake,
    note,
    on_terminal,
    print_result,
    writable,
)
from aslib_eval.commands.declared import Declared, DeclaredGroup, loaded
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import Option, declared, option_of, spell, type_of
from aslib_eval.plugins import Registry, Reserved, leave_out, plug_ins
from aslib_eval.signatures import types_in, words_of


class FunctionCommand(click.Command):
    """A command with the options of a function, which are made when they are needed.

    So ``aslib-eval --help`` loads no function. Options that do not go together are an error of usage.
    """

    def __init__(self, function: str, *, without: Sequence[str], **settings: Any) -> None:
        self.function, self._without = function, without
        super().__init__(**settings)

    @cached_property
    def _all(self) -> list[click.Parameter]:
        declared = parameters_of(loaded(self.function), without=self._without)
        return [*declared, *self._own]

    @property
    def params(self) -> list[click.Parameter]:
        """Those of the function, and those of the command line alone."""
        return self._all

    @params.setter
    def params(self, own: list[click.Parameter]) -> None:
        self._own = own

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        try:
            return super().invoke(ctx)
        except OptionError as error:
            raise click.UsageError(str(error), ctx) from None


def made_of(
    function: str,
    *,
    example: str,
    about: str = "",
    more: Sequence[click.Parameter] = (),
    without: Sequence[str] = (),
) -> Callable[[Callable[..., None]], click.Command]:
    """A command of a public function; the body calls it, and prints.

    function: as ``aslib_eval.commands.products:report``; the body is given it before the options. example:
    a command line. about: its help, if not the body's docstring. more: options of the command line alone,
    which are listed after the others.
    without: parameters that the command takes in its own way.
    """

    def make(body: Callable[..., None]) -> click.Command:
        said = about or inspect.getdoc(body) or ""
        return FunctionCommand(
            function,
            name=body.__name__.strip("_").replace("_", "-"),
            callback=lambda **options: body(_at_terminal(loaded(function)), **options),
            help=said,
            short_help=said.partition("\n\n")[0],
            epilog=f"Example: aslib-eval {example}",
            params=list(more),
            without=without,
        )

    return make


def _at_terminal(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that says on stderr what it notes, and how far it is."""
    known = inspect.signature(function).parameters
    said = {"note": note, "progress": sys.stderr.isatty()}
    return partial(function, **{name: said[name] for name in said if name in known})


def command_of(command: Declared) -> click.Command:
    """The command of click that calls the function and prints its frame."""

    def body(run: Callable[..., Any], **options: Any) -> None:
        sentences: list[str] = []
        takes = inspect.signature(run).parameters

        def tell(text: str) -> None:  # of a run at once, in sentences below the table
            is_run = command.runs_programs and not text.endswith(".")
            (note if is_run else sentences.append)(text)

        notes = {"note": tell} if "note" in takes else {}

        def answer(**asked: Any) -> Any:
            with _signals_end_programs() if command.runs_programs else nullcontext():
                found = run(**asked, **notes)
            if command.said:
                sentences.extend(getattr(found, command.said))
            return getattr(found, command.frame) if command.frame else found

        if on_terminal(options["format_"], options["output"]):
            options |= dict.fromkeys(_quick(command), None)
        try:
            print_result(answer, **options)
        finally:  # below the table, and where there is none above what is wrong
            for text in sentences:
                note(text)

    about = inspect.cleandoc(command.load().__doc__ or "").split("\n\n")[0]
    body.__doc__ = f"{about}\n\n{command.more}".strip()
    return made_of(command.function, example=command.example, more=FRAME_OPTIONS)(body)


def _quick(command: Declared) -> list[str]:
    """The switches of a command of which the command line says nothing."""
    ctx = click.get_current_context()
    found = declared(command.load())
    return [
        name
        for name, parameter in found.items()
        if (option := option_of(parameter.annotation)) and option.quick
        if ctx.get_parameter_source(name) is ParameterSource.DEFAULT
    ]


class Commands(Mapping[str, click.Command]):
    """Commands by name, each made or loaded when it is asked for; with plug-ins.

    ours: what a command is made of, or where in ``aslib_eval.cli`` it is, as ``products:report``, or the
    command. group: the name of the group that they are in, if they are in one.
    """

    def __init__(self, ours: Mapping[str, Any], group: str = "") -> None:
        self._ours, self._group = ours, group

    @cached_property
    def _all(self) -> Registry[Any]:
        return Registry("commands", self._ours, _require_command, within=self._group)

    def __getitem__(self, name: str) -> click.Command:
        found = self._all[name]
        if isinstance(found, Declared):
            return command_of(found)
        below = self._below(name)
        if isinstance(found, DeclaredGroup):
            inside: Any = Commands(found.commands, below)
            return click.Group(name, inside, help=found.about)
        if isinstance(found, str):
            found = loaded(f"aslib_eval.cli.{found}")
        if isinstance(found, click.Group) and not isinstance(found.commands, Commands):
            inside = Commands(found.commands, below)
            found.commands = inside
        command: click.Command = found
        return command

    def __iter__(self) -> Iterator[str]:
        found = self._all.usable()
        if not self._group:
            self._tell_of_those_in_no_group(found)
        return iter([name for name, one in found.items() if self._has_some(name, one)])

    def _has_some(self, name: str, found: object) -> bool:
        """Whether it is no group, or one with commands: extensions may add them all."""
        if not isinstance(found, DeclaredGroup):
            return True
        kept = found.commands.values()
        if not all(isinstance(one, Reserved) for one in kept):
            return True
        below = self._below(name)
        return any(plug_in.name.startswith(f"{below}.") for plug_in in plug_ins("commands"))

    def _below(self, name: str) -> str:
        """What the names of plug-ins begin with that are below a name of these."""
        return f"{self._group}.{name}" if self._group else name

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


def parameters_of(function: Callable[..., Any], *, without: Sequence[str] = ()) -> list[click.Parameter]:
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
        _made(parameter, option, spelling)
        for name, (parameter, option) in parameters.items()
        if name not in without
    ]


def _made(parameter: inspect.Parameter, option: Option, spelling: Callable[[str], str]) -> click.Parameter:
    name, kind = parameter.name, type_of(parameter.annotation)
    types = types_in(kind)
    flags = option.spelled(name)
    required = parameter.default is inspect.Parameter.empty
    default = None if required else parameter.default
    if "--lake" in flags and not (default is None and not required):
        required, default = False, default_lake
    several = Sequence in types and not option.as_text
    # To click even None is a default, beside which nothing is required.
    given: dict[str, Any] = {} if required else {"default": default}
    settings: dict[str, Any] = {"metavar": option.metavar}
    settings["type"] = _click_type(kind, types, option)
    if not flags:
        settings |= {"nargs": -1} if several else given
        return click.Argument([name], required=required, **settings)
    about = spell(option.about, spelling)
    if several:
        about = f"{about.removesuffix('.')}; repeatable."
    settings["multiple"] = several
    if bool in types:
        settings = {"is_flag": True} if default is False else {}
    if option.bare is not None:
        settings |= {"is_flag": False, "flag_value": option.bare}
    if option.writes:
        settings["callback"] = writable(option.writes)
    return click.Option(
        [*flags, name],
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


def _click_type(kind: object, types: Container[object], option: Option) -> Any:
    """The type of click that checks a value."""
    if words := [str(word) for word in words_of(kind) if word is not None]:
        return Words(words)
    if option.registry:
        registry, *others = option.registry
        return Registered(*registry.split(":"), *others)
    if option.as_text:
        return str
    if int in types and tuple not in types:
        least, most = option.least, option.most or 10**9
        return click.IntRange(None if least is None else int(least), int(most))
    of_paths = partial(click.Path, path_type=Path)
    made: dict[object, Callable[[], Any]] = {
        tuple: PartNumber,
        Path: of_paths,
        PathLike: of_paths,
        float: partial(Finite, most=option.most or math.inf),
    }
    return next((make() for each, make in made.items() if each in types), str)
