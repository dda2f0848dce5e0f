"""The command group ``aslib-eval`` and its handling of errors and warnings.

A command is made of the function that it calls (``declared.py``). It prints the frame of that function, or
what a function of the modules here makes of its answer.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from aslib_eval.cli.declared import Commands
from aslib_eval.cli.options import PlainOption, folded, say, silence, terminal_width
from aslib_eval.commands import Declared, DeclaredGroup
from aslib_eval.errors import (
    TYPED,
    AslibError,
    BrokenPlugIn,
    LeftOut,
    NotKept,
    is_interrupt,
    sentence,
    unexpected,
)
from aslib_eval.plugins import RESERVED, Reserved
from aslib_eval.progress import clock

# Subject, as --help groups them → name → what it is made of, or where it is.
SUBJECTS: dict[str, dict[str, str | Declared | DeclaredGroup | Reserved]] = {
    "Data": {
        "fetch": RESERVED,
        "import": "products:import_",
        "import-selection": "products:import_selection",
        "check": "products:check",
        "list": Declared("aslib_eval.commands.scoring:list_scenarios", "list --format csv"),
        "build": "products:build",
        "lake": DeclaredGroup(
            "Repair a lake, or copy it for other tools.",
            {"repair": "products:repair", "snapshot": RESERVED},
        ),
        "export": RESERVED,
    },
    "Ask": {
        "score": Declared("aslib_eval.commands.scoring:score", "score --scenario 'MIP*' --protocol llama"),
        "gap": Declared("aslib_eval.commands.scoring:gap", "gap --scenario 'MIP*' --format md"),
        "compare": Declared(
            "aslib_eval.commands.scoring:compare",
            "compare --scenario 'SAT*' --versus zilla --chart cd.svg",
            "The command averages repeated runs on an instance. An instance that no solver solves is a "
            "tie. A summary in words goes to stderr.",
        ),
        **dict.fromkeys(("diff", "explain", "like", "competition"), RESERVED),
        **dict.fromkeys(("trials", "optimisers", "board"), RESERVED),
    },
    "What if": {
        "sweep": DeclaredGroup(
            "Show how a ranking changes with a parameter, a definition or the set of solvers.",
            dict.fromkeys(
                (
                    *("delta", "penalty", "cutoff", "tolerance", "scaled"),
                    *("definitions", "choices", "solvers", "portfolio"),
                ),
                RESERVED,
            ),
        ),
        **dict.fromkeys(("certify", "orders", "suite", "resample"), RESERVED),
        **dict.fromkeys(("train", "audit", "plan"), RESERVED),
    },
    "Publish": {
        "table": "products:table",
        "figure": "products:figure",
        "paper": DeclaredGroup(
            "Build the tables and figures of your paper, or reproduce a published paper.",
            {"build": RESERVED, "check": RESERVED},
        ),
        "published": RESERVED,
        "report": "products:report",
        "serve": RESERVED,
    },
    "SQL and definitions": {
        "query": "products:query",
        "views": Declared("aslib_eval.commands.products:views", "views solver_gap"),
        "protocols": DeclaredGroup(
            "List, show and compare protocols: the sets of choices that determine all numbers.",
            {
                "list": Declared("aslib_eval.database.query:protocols", "protocols list"),
                "show": Declared("aslib_eval.database.query:protocol", "protocols show llama"),
                "diff": Declared(
                    "aslib_eval.database.query:protocol_difference", "protocols diff default asf"
                ),
            },
        ),
    },
}


@contextmanager
def _report_left_out() -> Iterator[list[str]]:
    """Print every damaged scenario that is left out to stderr; yield the lines.

    Broken plug-ins and what cannot be kept are told as well, and make no result incomplete.
    """
    printed: list[str] = []
    with warnings.catch_warnings():
        for told in (LeftOut, BrokenPlugIn, NotKept):
            warnings.simplefilter("always", told)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *at: Any) -> None:
            if issubclass(category, BrokenPlugIn):
                say(f"left out: {message}", err=True)
            elif issubclass(category, NotKept):
                say(f"note: {message}", err=True)
            elif not issubclass(category, LeftOut):
                others(message, category, *at)
            elif (text := sentence(None, str(message), None)) not in printed:
                printed.append(text)
                say(text, err=True)

        warnings.showwarning = show  # type: ignore[assignment]
        yield printed


class _CommandGroup(click.Group):
    """Command group that prints errors and "Aborted!" for Ctrl-C, with exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        with _report_left_out():
            return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by subject, each with a whole sentence."""
        found = {name: self.commands[name] for name in self.list_commands(ctx)}
        ours = {name for commands in SUBJECTS.values() for name in commands}
        subjects = {subject: [*names] for subject, names in SUBJECTS.items()}
        subjects["Of plug-ins"] = [name for name in found if name not in ours]
        wide = max(map(len, found))
        for subject, names in subjects.items():
            rows = [
                (name.ljust(wide), found[name].get_short_help_str(limit=200))
                for name in names
                if name in found
            ]
            if rows:
                with formatter.section(subject):
                    formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run with streams that may be closed; what the system refuses is an error."""
        _open_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            own = "temporary files" if error.errno == errno.ENOENT else "stdout"
            silence(sys.stdout)
            say(unexpected(error, str(error.filename or own)), err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        typed = TYPED.set(True)
        try:
            with _report_left_out() as left_out, clock(shown=sys.stderr.isatty()):
                found = super().invoke(ctx)
        except AslibError as error:
            say(error, err=True)
            ctx.exit(1)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise click.UsageError(_with_hint(error), error.ctx) from None
        except Exception as error:
            if is_interrupt(error):
                raise click.Abort from None
            message = _lacking(error)
            if not message:
                raise
            say(message, err=True)
            ctx.exit(1)
        finally:
            TYPED.reset(typed)
        if left_out:  # the result is incomplete
            ctx.exit(1)
        return found


def _open_streams() -> None:
    """Let closed standard streams be /dev/null: no file may get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:  # what is opened gets the lowest number that is free
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _with_hint(error: click.UsageError) -> str:
    """The message in lines of a terminal, with an example of what is missing.

    Words that a command does not take may be ids of scenarios.
    """
    text, command = error.format_message(), error.ctx and error.ctx.command
    if isinstance(error, click.MissingParameter) and command and command.epilog:
        text += f"\n{command.epilog}"
    found = re.match(r"Got unexpected extra arguments? \((.*)\)", error.message)
    if found and command and any("--scenario" in each.opts for each in command.params):
        options = " ".join(f"--scenario {word}" for word in found[1].split())
        text = f"{text}. To choose scenarios, write: {options}"
    begins = "Error: "  # which click puts before it
    text = folded(begins + text, terminal_width()) if sys.stderr.isatty() else text
    return text.removeprefix(begins)


def _lacking(error: Exception) -> str:
    """What to say if memory or open files ran out, whichever library reports it; else nothing."""
    names, text = {base.__name__ for base in type(error).__mro__}, str(error)
    if isinstance(error, RecursionError):
        return "folders or files: something is nested too deep. Name a folder or file inside it."
    fewer = "Choose fewer scenarios with --scenario, or"
    signs = ("bad_alloc", "bad allocation", "can't start new thread", "allocate memory")
    if names & {"MemoryError", "OutOfMemoryException", "ArrowMemoryError"} or any(s in text for s in signs):
        return f"memory: there is not enough for this. {fewer} give the process more."
    if "Too many open files" in text:
        return f"lake: this needs more open files than are allowed. {fewer} allow more ('ulimit -n 4096')."
    return ""


def _show_version(
    ctx: click.Context,
    param: click.Parameter,  # noqa: ARG001
    asked: bool,  # noqa: FBT001 - as click calls it
) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from aslib_eval._version import __version__
    from aslib_eval.plugins import of_others

    say(f"aslib-eval, version {__version__}")
    with _report_left_out():
        for plug_in in of_others():
            say(f"plug-in: {plug_in}")
    ctx.exit()


_OURS: Any = Commands({name: made for made_of in SUBJECTS.values() for name, made in made_of.items()})


@click.group(
    cls=_CommandGroup,
    commands=_OURS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: aslib-eval import scenarios && aslib-eval gap. With a table of your"
    " own runs: aslib-eval import runs.csv --cutoff 300 && aslib-eval score",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and the installed plug-ins, and exit.",
)
@click.option(
    "--lock-timeout",
    cls=PlainOption,
    type=click.FloatRange(min=0, max=1e9),
    metavar="SECONDS",
    show_default="$ASLIB_LOCK_TIMEOUT, else 60",
    help="Wait at most this many seconds while another process writes to the lake.",
)
@click.pass_context
def main(ctx: click.Context, lock_timeout: float | None) -> None:
    """Evaluate algorithm selectors and solvers.

    'aslib-eval import' reads scenarios into a folder, the lake. Most other commands read the lake. In all
    results, SBS is the single best solver, VBS the virtual best solver and VWS the virtual worst solver.
    """
    # The arrays here are small, and the threads of BLAS busily wait for larger ones.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if lock_timeout is not None:
        name, before = "ASLIB_LOCK_TIMEOUT", os.environ.get("ASLIB_LOCK_TIMEOUT")
        os.environ[name] = str(lock_timeout)
        ctx.call_on_close(lambda: _restore(name, before))


def _restore(name: str, before: str | None) -> None:
    if before is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = before
