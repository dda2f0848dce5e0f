"""Options and printing that the commands share."""

from __future__ import annotations

import math
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.core import ParameterSource

from aslib_eval.errors import AslibError, harmless
from aslib_eval.progress import no_clock
from aslib_eval.text import did_you_mean, one_of

if TYPE_CHECKING:
    import polars as pl


# Types of numbers: finite floats, and seeds that numpy accepts.


class Finite(click.types.FloatParamType):
    """A number that is neither nan nor infinite."""

    name = "number"

    def __init__(self, *, most: float = math.inf) -> None:
        """``most``: the largest size of a number, of either sign."""
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; a usage error if it is none or not finite."""
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number", param, ctx)
        if abs(found) > self.most:
            self.fail(f"{value} is beyond {self.most:g}", param, ctx)
        return found


class Words(click.Choice[str]):
    """Some words, such as those of a Literal; for a wrong one it names the nearest.

    known: more that are taken, as a registry knows them.
    """

    def __init__(self, words: Iterable[str], *, known: Container[str] = ()) -> None:
        super().__init__([*words])
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word; ends in a usage error if it is none of them."""
        if value in self._known:
            return str(value)
        if value == "latex" and "tex" in self.choices:
            value = "tex"
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = did_you_mean(str(value), self.choices)
            self.fail(f"{error.message} {hint}".strip(), param, ctx)


# Its base is generic from click 8.4 on, not before.
class PartNumber(click.ParamType):  # type: ignore[type-arg]
    """The number of a part and how many parts there are: 1/8."""

    name = "part"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Both numbers; a usage error if they are none."""
        if isinstance(value, tuple):
            return value
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            self.fail(f"{value!r} is not a part such as 1/8", param, ctx)
        return int(number), int(of)


class PlainOption(click.Option):
    """An option whose help does not give the range of a number; the error for a wrong one does."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        """What stands in brackets behind the help."""
        return {k: text for k, text in super().get_help_extra(ctx).items() if k != "range"}


# Printing: text for a terminal is escaped here and nowhere else.


def say(what: Any, *, err: bool = False) -> None:
    """Print lines of text with the control characters of terminals escaped.

    On a terminal lines that are longer than it end between words.
    """
    text = _lines(str(what))
    if (sys.stderr if err else sys.stdout).isatty():
        text = "\n".join(folded(line, terminal_width()) for line in text.split("\n"))
    with no_clock():
        try:
            click.echo(text, err=err)
        except OSError:
            if not err:
                raise
            silence(sys.stderr)  # what is said beside an answer can be done without


def silence(stream: TextIO) -> None:
    """Let a standard stream that cannot be written lead to nothing, also at the end."""
    with suppress(OSError):
        number = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def folded(line: str, width: int) -> str:
    """A line in lines of a width, below what names a file; long words stay whole."""
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2 * bool(re.match(r" *\S+:", line)))
    settings: Any = {"break_on_hyphens": False, "break_long_words": False}
    return fill(line, width, subsequent_indent=indent, **settings)


def note(text: str) -> None:
    """Print a sentence on the result to stderr, on a terminal in lines of its width."""
    if sys.stderr.isatty():
        text = paragraphs(text, terminal_width())
    say(text, err=True)


_LINES = 3  # of a paragraph on a terminal, if its sentences are not longer


def paragraphs(text: str, width: int) -> str:
    """Lines of a width; a long text in paragraphs of whole sentences.

    No line ends between a number and its sign.
    """
    text = re.sub(r" (?=[%<=] ?)|(?<= [<=]) (?=[-\d])", "\N{NO-BREAK SPACE}", text)
    found = [""]
    for sentence in text.split(". "):
        lines = fill(f"{found[-1]}{sentence}", width, break_on_hyphens=False)
        if lines.count("\n") < _LINES or not found[-1]:
            found[-1] += f"{sentence}. "
        else:
            found.append(f"{sentence}. ")
    found[-1] = found[-1][:-2]  # the point is the text's own
    wrapped = (fill(each, width, break_on_hyphens=False) for each in found)
    return "\n\n".join(wrapped).replace("\N{NO-BREAK SPACE}", " ")


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
    return "\n".join("\t".join(harmless(cell) for cell in line.split("\t")) for line in text.split("\n"))


class _NoPandas:
    """A finder of modules by which pandas is not there."""

    @staticmethod
    def find_spec(fullname: str, _path: object, _target: object = None, /) -> None:
        """Find nothing; raise for pandas, so that no other finder is asked for it."""
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is left alone", name=fullname)


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


def require_writable(kind: str, _: click.Context, __: click.Parameter, to: Path | None) -> Path | None:
    """End the command at once if a ``file``, ``chart`` or ``folder`` cannot be written after the work."""
    if to is not None and kind == "chart":
        from aslib_eval.figures.chart import require_chart

        require_chart(to)
    elif to is not None:
        from aslib_eval.atomic_files import require_file, require_folder

        (require_folder if kind == "folder" else require_file)(to)
    return to


def default_lake() -> Path:
    """The default folder of the lake."""
    return Path(os.environ.get("ASLIB_LAKE") or "lake")


def file_option(flags: str, about: str, *, of: str = "file") -> click.Option:
    """An option for a file, chart or folder that must be writable before the work."""
    return click.Option(
        flags.split(),
        type=click.Path(path_type=Path),
        metavar="DIR" if of == "folder" else "FILE",
        callback=partial(require_writable, of),
        help=about,
    )


OUTPUT = file_option("-o --output", "Write the result to this file instead of stdout.")
# Options of commands that print a frame.
FRAME_OPTIONS = (
    click.Option(
        ["--format", "format_"],
        type=Words(FORMATS),
        show_default="by the suffix of --output; else table on a terminal or in a pager, md elsewhere",
        help="Print the result in this format (md: Markdown, typ: Typst).",
    ),
    OUTPUT,
    click.Option(["--columns"], metavar="NAME,NAME", help="Print only these columns, in this order."),
)


def print_result(
    answer: Callable[..., pl.DataFrame],
    *,
    format_: str | None,
    output: Path | None,
    columns: str | None,
    verbatim: bool = False,
    **options: Any,
) -> None:
    """Call a function, and print its frame as the options say.

    Protocols are named by name, with the hash in a column behind, unless ``verbatim``.
    """
    if output is not None:  # what cannot be written is said before the work
        file_format(format_, output)
    elif format_ == "parquet":
        raise click.UsageError("--format parquet needs -o FILE")
    frame = answer(**options)
    frame = frame if verbatim else _named(frame)
    if columns is not None:
        frame = _chosen(frame, columns)
    print_frame(
        *(frame, format_, output),
        sql_dirs=options.get("sql_dirs", ()),
        chosen=columns is not None,
        asked=_asked(frame.columns),
    )


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
    if "interval" in typed:
        typed |= {"gap_low": None, "gap_high": None}
    values = (v if isinstance(v, tuple) else (v,) for v in typed.values())
    return {*typed, *(v for each in values for v in each)} & {*columns}


_TAG = r"^(.*)@([0-9a-f]{12})$"


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame that names protocols by name alone; the hash is in the next column."""
    import polars as pl

    columns: list[pl.Expr] = []
    for column in frame:
        name, known = column.name, column.drop_nulls()
        is_tag = "@" in str(known.first()) if len(column) else name == "protocol"
        if column.dtype == pl.String and is_tag and known.str.contains(_TAG).all():
            parts = pl.col(name).str.extract_groups(_TAG).struct
            columns += [parts.field("1").alias(name), parts.field("2").alias(f"{name}_hash")]
        else:
            columns.append(pl.col(name))
    return frame.select(columns)


def _chosen(frame: pl.DataFrame, columns: str) -> pl.DataFrame:
    """The columns of a frame that ``--columns`` names."""
    names = list(dict.fromkeys(filter(None, map(str.strip, columns.split(",")))))
    unknown = [name for name in names if name not in frame.columns]
    if unknown or not names:
        word = unknown[0] if unknown else columns
        raise AslibError(f"there is no column {word!r}", "--columns", one_of(word, frame.columns))
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
    from aslib_eval.tables import FORMATS as RENDERED
    from aslib_eval.tables import to_terminal, write

    if not frame.height:
        say("no rows", err=True)
    if output is not None:
        write(frame, output, format=file_format(format_, output))
        return
    if not on_terminal(format_):
        show(RENDERED[format_ or "md"](frame))
    elif frame.height:
        said: Any = {"sql_dirs": sql_dirs, "chosen": chosen, "asked": asked}
        draw(to_terminal(frame, terminal_width(), **said))


def file_format(format_: str | None, output: Path, known: Container[str] = FORMATS[1:]) -> str:
    """The format of a file, one of those known: as asked for, else by its suffix."""
    found = format_ or output.suffix.removeprefix(".")
    if found not in known:
        raise click.UsageError(f"the suffix of {output} is not a known format: give --format")
    return found


def on_terminal(format_: str | None = None, output: Path | None = None) -> bool:
    """Whether a terminal shows what is printed: itself, or by less or head in a pipe.

    A pipe of a program without a terminal, and a file, get what programs read, unless the format is the
    terminal's.
    """
    if format_ or output:
        return format_ == "table" and output is None
    if sys.stdout.isatty():
        return True
    try:
        piped = stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no file at all, as in tests
        return False
    return piped and sys.stderr.isatty()


def terminal_width() -> int:
    """Width in columns of the terminal that the program runs on; 80 without one."""
    import shutil

    if not sys.stdout.isatty() and sys.stderr.isatty() and "COLUMNS" not in os.environ:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return shutil.get_terminal_size().columns
