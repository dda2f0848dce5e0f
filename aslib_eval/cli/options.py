"""Options and printing that the commands share."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from aslib_eval.errors import AslibError, harmless
from aslib_eval.progress import no_clock
from aslib_eval.words import (
    MissingRuns,
    RepeatedRuns,
)

if TYPE_CHECKING:
    import polars as pl


# Types of numbers: finite floats, and seeds that numpy accepts.


class Finite(click.types.FloatParamType):
    """A number that is neither nan nor infinite."""

    name = "number"

    def __init__(self, *, most: float = math.inf) -> None:
        """``most``: the largest size of a number, of either sign."""
        self.most = most

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number; a usage error if it is none or not finite."""
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number", param, ctx)
        if abs(found) > self.most:
            self.fail(f"{value} is beyond {self.most:g}", param, ctx)
        return found


FINITE = Finite()


class TimeLimit(click.ParamType[str]):
    """A number above 0, with or without a unit of time."""

    name = "time"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """The text; a usage error if it is no such limit."""
        from aslib_eval.formats.runs.time_units import time_limit

        try:
            time_limit(value)
        except AslibError as error:
            self.fail(f"{error.message}. {error.hint}", param, ctx)
        return str(value)


class Words(click.Choice[str]):
    """Some words, such as those of a Literal; for a wrong one it names the nearest."""

    def __init__(self, words: Any) -> None:
        """``words``: a Literal, or the words themselves."""
        super().__init__(get_args(words) or tuple(words))

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """The word; ends in a usage error if it is none of them."""
        from aslib_eval.text import did_you_mean

        if value == "latex" and "tex" in self.choices:
            value = "tex"
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = did_you_mean(str(value), self.choices)
            self.fail(f"{error.message} {hint}".strip(), param, ctx)


class Registered(click.ParamType[str]):
    """One of the names in a registry of the library, which is loaded when needed."""

    name = "choice"

    def __init__(self, module: str, registry: str, *others: str) -> None:
        """``registry``: a mapping in the module; ``others``: names beside its keys."""
        self._module, self._registry, self._others = module, registry, others

    @property
    def choice(self) -> Words:
        """The names as a choice of words, with those of plug-ins."""
        names = getattr(import_module(f"aslib_eval.{self._module}"), self._registry)
        return Words((*names, *self._others))

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """The name; ends in a usage error if the registry lacks it."""
        return self.choice.convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """The names, as help shows them."""
        return self.choice.get_metavar(param, ctx)


class PartNumber(click.ParamType[tuple[int, int]]):
    """The number of a part and how many parts there are: 1/8."""

    name = "part"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, int]:
        """Both numbers; a usage error if they are none."""
        if isinstance(value, tuple):
            return value
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            self.fail(f"{value!r} is no part such as 1/8", param, ctx)
        return int(number), int(of)


# Printing: text for a terminal is escaped here and nowhere else.


def say(what: Any, *, err: bool = False) -> None:
    """Print lines of text with the control characters of terminals escaped."""
    with no_clock():
        click.echo(_lines(str(what)), err=err)


def note(text: str) -> None:
    """Print a sentence on the result to stderr."""
    say(text, err=True)


def show(text: str) -> None:
    """Print a result unchanged, but with control characters escaped on a terminal."""
    text = _lines(text) if sys.stdout.isatty() else text
    with no_clock():
        click.echo(text, nl=False, color=True)  # with color click removes nothing


def draw(text: str) -> None:
    """Print text rendered for a terminal, whose cells are escaped already."""
    with no_clock():
        click.echo(text, nl=False)


def _lines(text: str) -> str:
    return "\n".join(
        "\t".join(harmless(cell) for cell in line.split("\t"))
        for line in text.split("\n")
    )


class _NoPandas:
    """A finder of modules by which pandas is not there."""

    @staticmethod
    def find_spec(fullname: str, _path: object, _target: object = None, /) -> None:
        """Find nothing; raise for pandas, so that no other finder is asked for it."""
        if fullname == "pandas":
            message = "pandas is left alone"
            raise ModuleNotFoundError(message, name=fullname)


@contextmanager
def without_pandas() -> Iterator[None]:
    """Leave pandas alone, which Arrow loads for its first array where it is installed.

    That takes longer than most scenarios to import.
    """
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


FORMATS = ("table", "csv", "json", "md", "tex", "html", "typ", "parquet")
Command = Callable[..., None]
Decorator = Callable[[Command], Command]


def combine(*options: Decorator) -> Decorator:
    """Several options as one, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def writable(kind: str) -> Callable[..., Path | None]:
    """A callback for a ``file``, ``chart`` or ``folder`` to write, before the work.

    What cannot be written there later ends the command at once.
    """

    def require(
        ctx: click.Context,  # noqa: ARG001 - as click calls it
        param: click.Parameter,  # noqa: ARG001
        to: Path | None,
    ) -> Path | None:
        if to is not None and kind == "chart":
            from aslib_eval.figures.write import require_chart

            require_chart(to)
        elif to is not None:
            from aslib_eval.atomic_files import require_file, require_folder

            (require_folder if kind == "folder" else require_file)(to)
        return to

    return require


def file_option(*names: str, about: str, required: bool = False) -> Decorator:
    """An option for a file to write, which must be writable before the work begins."""
    return click.option(
        *names,
        type=click.Path(path_type=Path),
        metavar="FILE",
        required=required,
        callback=writable("chart" if "--chart" in names else "file"),
        help=about,
    )


def folder_option(about: str, *, default: str | None = None) -> Decorator:
    """The option ``-o`` of a folder, which must be writable before the work begins."""
    return click.option(
        "-o",
        "output",
        type=click.Path(path_type=Path),
        default=default,
        metavar="DIR",
        show_default=default is not None,
        callback=writable("folder"),
        help=about,
    )


def default_lake() -> Path:
    """The default folder of the lake."""
    return Path(os.environ.get("ASLIB_LAKE") or "lake")


LAKE = click.option(
    "--lake",
    type=click.Path(path_type=Path),
    default=default_lake,
    show_default="$ASLIB_LAKE, else ./lake",
    help="Folder of the lake.",
)
SQL_DIRS = click.option(
    "--sql",
    "sql_dirs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="More views, in a folder laid out like sql/; repeatable.",
)
SCENARIOS = click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="GLOB",
    help="Only scenarios whose id or folder matches; repeatable.",
)
PROTOCOLS = click.option(
    "--protocol",
    "protocols",
    multiple=True,
    default=["default"],
    metavar="NAME|FILE",
    show_default="default",
    help="Preset or .toml file; repeatable.",
)
FORMAT = click.option(
    "--format",
    "format_",
    type=Words(FORMATS),
    show_default="the file's suffix; table on a terminal, md in a pipe",
    help="How to print the result.",
)
OUTPUT = file_option("-o", "output", about="Write to a file instead of stdout.")
COLUMNS = click.option(
    "--columns", metavar="NAME,NAME", help="Only these columns, in this order."
)
# Options of commands that read a lake, and of commands that print a table.
lake_options = combine(LAKE, SCENARIOS, PROTOCOLS, SQL_DIRS)
output_options = combine(FORMAT, OUTPUT, COLUMNS)


# What is decided about a table of runs, in ``import`` and in its dry run ``check``.
_OF_RUNS = (
    click.option(
        "--scenario-id",
        metavar="NAME",
        help="Name of the scenario that runs become.  [default: that of the file]",
    ),
    click.option(
        "--column",
        multiple=True,
        metavar="ROLE=NAME",
        help="Column of a table of runs, as in time=cpu_s or ignore=note; repeatable.",
    ),
    click.option(
        "--cutoff",
        type=TimeLimit(),
        metavar="TIME",
        help="Time limit of runs, in the unit of the times or with its own, such as "
        "30min.  [default: as their column cutoff or BenchExec says]",
    ),
    click.option(
        "--unit",
        default="",
        metavar="ms|s|min|h",
        help="Unit of times whose columns do not say it: all become seconds, and "
        "--cutoff is in seconds.  [default: the times stay as they are]",
    ),
    click.option(
        "--status",
        multiple=True,
        metavar="WORD=STATUS",
        help="A word of a table of runs, and what it means: ok, timeout, memout, crash"
        " or other; repeatable.",
    ),
    click.option(
        "--missing",
        type=Words(MissingRuns),
        help="Runs that others have on an instance: take them for timeouts or crashes,"
        " or drop what not all have.  [default: an error]",
    ),
    click.option(
        "--duplicates",
        type=Words(RepeatedRuns),
        help="A run that a table has twice: take its first or its last row."
        "  [default: an error]",
    ),
    click.option(
        "--measure",
        multiple=True,
        metavar="NAME",
        help="A further column of a table of runs that is a measure; repeatable.",
    ),
    click.option(
        "--maximize",
        multiple=True,
        metavar="NAME",
        help="A measure of a table of runs of which more is better; repeatable.",
    ),
)


def runs_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of tables of runs."""
    for option in reversed(_OF_RUNS):
        command = option(command)
    return command


# Where attributes of instances come from, in ``import`` and in ``check``.
_OF_INSTANCES = (
    click.option(
        "--family",
        metavar="path:N|FILE",
        help="Family of the instances: path:1 is the first folder of their names, "
        "path:-1 the last, path:1:_ the first word before a _; or a CSV file.",
    ),
    click.option(
        "--attributes",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="CSV file of attributes: first the instance, then a column for each.",
    ),
    click.option(
        "--direction",
        type=Words(("min", "max")),
        help="What is better in archives of IOHprofiler that do not say it.",
    ),
)


def attribute_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of attributes of instances."""
    for option in reversed(_OF_INSTANCES):
        command = option(command)
    return command


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn the library's word on options that do not go together into click's."""
    from aslib_eval.errors import OptionError

    try:
        yield
    except OptionError as error:
        raise click.UsageError(str(error)) from None


def frame_command(command: Callable[..., pl.DataFrame]) -> Command:
    """A command that returns a frame: print it as the options say.

    Protocols are named by name, with the hash in a column behind.
    """

    @wraps(command)
    def named(*args: Any, **options: Any) -> pl.DataFrame:
        return _named(command(*args, **options))

    return verbatim_command(named)


def verbatim_command(command: Callable[..., pl.DataFrame]) -> Command:
    """As ``frame_command``, but the frame is printed as it is."""

    @wraps(command)
    def printing(
        *args: Any,
        format_: str | None,
        output: Path | None,
        columns: str | None,
        **options: Any,
    ) -> None:
        _require_format(format_, output)
        with usage_errors():
            frame = _with_columns(command(*args, **options), columns)
        chosen = columns is not None
        sql_dirs = options.get("sql_dirs", ())
        print_frame(
            *(frame, format_, output),
            sql_dirs=sql_dirs,
            chosen=chosen,
            asked=_asked(frame.columns),
        )

    return output_options(printing)


def _asked(columns: Sequence[str]) -> set[str]:
    """The columns that the command line names: its options, or what they are given."""
    ctx = click.get_current_context()
    typed = {
        name: value
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    if "by" in typed:
        typed["family"] = None
    values = (v if isinstance(v, tuple) else (v,) for v in typed.values())
    return {*typed, *(v for each in values for v in each)} & {*columns}


_TAG = r"^(.*)@([0-9a-f]{12})$"


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame that names protocols by name alone; the hash is in the next column."""
    import polars as pl

    columns: list[pl.Expr] = []
    for name in frame.columns:
        parts = pl.col(name).str.extract_groups(_TAG).struct
        if _is_tag(frame[name]):
            columns.append(parts.field("1").alias(name))
            columns.append(parts.field("2").alias(f"{name}_hash"))
        else:
            columns.append(pl.col(name))
    return frame.select(columns)


def _is_tag(column: pl.Series) -> bool:
    """Whether a column names protocols with their hash, as one without rows may."""
    import polars as pl

    if column.dtype != pl.String:
        return False
    if not len(column):
        return column.name == "protocol"
    named = column.drop_nulls()
    return "@" in str(named.first()) and bool(named.str.contains(_TAG).all())


def _with_columns(frame: pl.DataFrame, columns: str | None) -> pl.DataFrame:
    """The columns of a frame that ``--columns`` names, all without it."""
    if columns is None:
        return frame
    from aslib_eval.errors import AslibError
    from aslib_eval.text import one_of

    names = list(dict.fromkeys(filter(None, map(str.strip, columns.split(",")))))
    unknown = [name for name in names if name not in frame.columns]
    if unknown or not names:
        word = unknown[0] if unknown else columns
        hint = one_of(word, frame.columns)
        raise AslibError(f"there is no column {word!r}", "--columns", hint)
    return frame.select(names)


def print_frame(
    frame: pl.DataFrame,
    format_: str | None,
    output: Path | None,
    *,
    sql_dirs: Sequence[Path] = (),
    chosen: bool = False,
    asked: Collection[str] = (),
) -> None:
    """Print a frame, or write it to a file; `no rows` goes to stderr.

    chosen: whether its columns were chosen by name. asked: those that were asked for.
    """
    from aslib_eval import tables

    _require_format(format_, output)
    if not frame.height:
        say("no rows", err=True)
    if output is not None:
        tables.write(frame, output, format=_file_format(format_, output))
        return
    if format_ in {None, "table"} and sys.stdout.isatty():
        if not frame.height:
            return
        width = terminal_width()
        draw(
            tables.to_terminal(
                frame, width, sql_dirs=sql_dirs, chosen=chosen, asked=asked
            )
        )
        return
    text = tables.FORMATS["md" if format_ in {None, "table"} else str(format_)]
    show(text(frame))


def _require_format(format_: str | None, output: Path | None) -> None:
    """Raise a usage error before the work if the format cannot be written."""
    if output is not None:
        _file_format(format_, output)
    elif format_ == "parquet":
        message = "--format parquet needs -o FILE"
        raise click.UsageError(message)


def _file_format(format_: str | None, output: Path) -> str:
    """The format of a file: as asked for, else by its suffix."""
    suffix = output.suffix.removeprefix(".")
    found = format_ or suffix
    if found not in FORMATS or found == "table":
        message = f"cannot tell the format of {output}: give --format"
        raise click.UsageError(message)
    return found


def terminal_width() -> int:
    """Width of the terminal in columns."""
    import shutil

    return shutil.get_terminal_size().columns
