"""Commands made of public functions: the signature of a function is its declaration.

``Commands`` finds a command by its name. ``_command_of`` makes one of a ``Declared``: it prints the frame
of its function. ``made_of`` makes one that prints something else: a function of ``aslib_eval/cli`` or of an
extension says what. Both are a ``FunctionCommand``: ``_click_parameter`` makes its options of the arguments
of the function.
"""

from __future__ import annotations

import inspect
import math
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any

import click

from aslib_eval.cli.options import (
    FRAME_OPTIONS,
    Finite,
    PartNumber,
    PlainOption,
    Words,
    default_lake,
    note,
    print_result,
    require_writable,
    say,
)
from aslib_eval.commands import Declared, DeclaredGroup
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import RARE, Argument, Option, arguments_of, spell, types_in, words_of
from aslib_eval.plugins import Registry, leave_out, loaded, plug_ins


class FunctionCommand(click.Command):
    """A command with the options of a function, which are made when they are needed.

    So ``aslib-eval --help`` loads no function. Options that do not go together are an error of usage.

    body: called with the function and what the options say. about: the help. more: options of the command
    line alone, which are listed after the others. without: arguments that the command takes in its own way.
    """

    def __init__(
        self,
        function: str,
        body: Callable[..., None],
        *,
        example: str,
        about: str,
        more: Sequence[click.Parameter],
        without: Sequence[str] = (),
    ) -> None:
        self.function, self._more, self._without = function, more, without
        super().__init__(
            body.__name__.strip("_").replace("_", "-"),
            callback=lambda **options: body(_at_terminal(loaded(function)), **options),
            help=about,
            short_help=about.partition("\n\n")[0],
            epilog=f"Example: aslib-eval {example}",
        )
        del self.params  # of which there are none yet

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """The arguments of the function."""
        return arguments_of(loaded(self.function))

    @cached_property
    def params(self) -> list[click.Parameter]:  # type: ignore[override]
        """Those of the function, and those of the command line alone."""
        options = (one for name, one in self.arguments.items() if one.option and name not in self._without)
        return [*(_click_parameter(one, self.arguments) for one in options), *self._more]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; an option that is called as in the release before is told its name."""
        options = ((one, one.option) for one in self.arguments.values())
        names = {option.was: one.typed() for one, option in options if option and option.was}
        end = args.index("--") if "--" in args else len(args)
        for at, word in enumerate(args[:end]):
            flag, *value = word.split("=", 1)
            if new := names.get(flag):
                args[at] = "=".join([new, *value])
                say(f"{flag} is now called {new}. The next release drops the old name.", err=True)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those that few need below headings."""
        parts: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            argument = self.arguments.get(parameter.name or "")
            heading = argument and argument.option and argument.option.heading
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
                parts.setdefault(heading or "Options", []).append(record)
        for heading, records in sorted(parts.items(), key=lambda part: part[0] == RARE):
            with formatter.section(heading):
                formatter.write_dl(records)

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
    a command line. about: its help, if not the body's docstring. more, without: as of FunctionCommand.
    """

    def make(body: Callable[..., None]) -> click.Command:
        said = about or inspect.getdoc(body) or ""
        return FunctionCommand(function, body, example=example, about=said, more=more, without=without)

    return make


def _at_terminal(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that says on stderr what it notes, and how far it is."""
    known = inspect.signature(function).parameters
    said = {"note": note, "progress": sys.stderr.isatty()}
    return partial(function, **{name: said[name] for name in said if name in known})


def _command_of(command: Declared) -> click.Command:
    """The command of click that calls the function and prints its frame."""
    function = loaded(command.function)

    def body(run: Callable[..., Any], **options: Any) -> None:
        sentences: list[str] = []

        def tell(text: str) -> None:  # of a run at once, in sentences below the table
            is_run = command.runs_programs and not text.endswith(".")
            (note if is_run else sentences.append)(text)

        def answer(**asked: Any) -> Any:
            notes = {"note": tell} if "note" in inspect.signature(function).parameters else {}
            with _signals_end_programs() if command.runs_programs else nullcontext():
                found = run(**asked, **notes)
            sentences.extend(getattr(found, "sentences", ()))
            return getattr(found, "frame", found)

        try:
            print_result(answer, **options)
        finally:  # below the table, and where there is none above what is wrong
            for text in sentences:
                note(text)

    about = inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0]
    about = f"{about}\n\n{command.more}".strip()
    return FunctionCommand(command.function, body, example=command.example, about=about, more=FRAME_OPTIONS)


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


class Commands(Mapping[str, click.Command]):
    """Commands by name, each made or loaded when it is asked for; with plug-ins.

    ours: what a command is made of, or where in ``aslib_eval.cli`` it is, as ``products:report``, or the
    command. group: the name of the group that they are in, if they are in one.
    """

    def __init__(self, ours: Mapping[str, Any], group: str = "") -> None:
        self._group = group
        self._all: Registry[Any] = Registry("commands", ours, _require_command, within=group)

    def __getitem__(self, name: str) -> click.Command:
        found = self._all[name]
        if isinstance(found, Declared):
            return _command_of(found)
        if isinstance(found, DeclaredGroup):
            inside: Any = self._below(name, found.commands)
            return click.Group(name, inside, help=found.about)
        command: click.Command = loaded(f"aslib_eval.cli.{found}") if isinstance(found, str) else found
        if isinstance(command, click.Group) and not isinstance(command.commands, Commands):
            inside = self._below(name, command.commands)
            command.commands = inside
        return command

    def __iter__(self) -> Iterator[str]:
        found = self._all.usable()
        for plug_in in () if self._group else plug_ins("commands"):
            group, dot, _ = plug_in.name.partition(".")
            if dot and group not in found:
                leave_out(plug_in.error("is in no group of commands"))
        # A group is there if it has commands: extensions may add them all.
        return (
            name
            for name, one in found.items()
            if not isinstance(one, DeclaredGroup) or len(self._below(name, one.commands))
        )

    def _below(self, name: str, ours: Mapping[str, Any]) -> Commands:
        return Commands(ours, f"{self._group}.{name}" if self._group else name)

    def __len__(self) -> int:
        return len(self._all)


def _require_command(_name: str, found: object) -> object:
    """What a plug-in adds as a command."""
    if isinstance(found, Declared):
        loaded(found.function)
    elif not isinstance(found, DeclaredGroup | click.Command):
        raise AslibError(f"is a {type(found).__name__}, not a Declared or a command of click")
    return found


def _click_parameter(argument: Argument, arguments: Mapping[str, Argument]) -> click.Parameter:
    """The option, or the argument of click, that an argument of a function is; beside all of them."""
    option, flags, default = argument.option or Option(), argument.flags, argument.default
    types = [*types_in(argument.type)]
    required = default is inspect.Parameter.empty
    if "--lake" in flags and default is not None:
        required, default = False, default_lake
    several = argument.is_several
    # To click even None is a default, beside which nothing is required.
    given: dict[str, Any] = {} if required else {"default": default}
    metavar = option.metavar or ("N" if int in types else None)
    settings: dict[str, Any] = {"metavar": metavar, "type": _click_type(argument, types)}
    if not flags:
        settings |= {"nargs": -1} if several else given
        return click.Argument([argument.name], required=required, **settings)
    if bool in types:
        settings = {"is_flag": True} if default is False else {}
    elif option.bare is not None:
        settings |= {"is_flag": False, "flag_value": option.bare}
    if option.writes:
        settings["callback"] = partial(require_writable, option.writes)

    def said(text: str) -> str:
        return spell(text, lambda name: arguments[name].typed())

    about = said(option.about)
    shown: str | bool = default not in (None, False, "")
    if isinstance(default, tuple):  # several words of an option without brackets
        shown = ", ".join(map(str, default)) or False
    return PlainOption(
        [*flags, argument.name],
        required=required,
        multiple=several,
        show_default=said(option.shown or "") or shown,
        help=f"{about} Can be repeated." if several else about,
        **given,
        **settings,
    )


def _click_type(argument: Argument, types: Sequence[object]) -> Any:
    """The type of click that checks a value."""
    option = argument.option or Option()
    if words := [str(word) for word in words_of(argument.type) if word is not None]:
        return Words(words)
    if option.registry:
        home, *others = option.registry
        return Words((*loaded(home), *others), known=loaded(home))
    if tuple in types:
        return PartNumber()
    if int in types:
        least = None if option.least is None else int(option.least)
        return click.IntRange(least, int(option.most or 10**9))
    if not option.as_text and (Path in types or PathLike in types):
        return click.Path(path_type=Path)
    return Finite(most=option.most or math.inf) if float in types and not option.as_text else str
