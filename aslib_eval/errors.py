"""Errors and findings that tell a reader where to look and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

_LONGEST = 2000  # characters of one message, whatever ids a file holds
Severity = Literal["error", "warning", "note"]


# Whether the command line asks, whose options messages name as they are written here.
TYPED: ContextVar[bool] = ContextVar("TYPED", default=False)


class AslibError(Exception):
    """Something in the user's data or request is wrong.

    ``str(error)`` reads ``where: message. hint``; what is unknown is left out. Options are written
    ``--name``; ``worded`` says them as who asks names them.
    """

    worded: Callable[[str], str] = str

    def __init__(self, message: str, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return self.worded(sentence(self.where, self.message, self.hint))


class OutOfTimeError(AslibError):
    """What was asked takes longer than the time that was given for it."""


class OptionError(AslibError):
    """Options that do not go together; the command line shows its usage."""


def require_share(value: float, name: str) -> None:
    """Raise AslibError unless a probability lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise AslibError(f"{name} = {value:g} must lie between 0 and 1")


def unexpected(error: BaseException, where: str) -> AslibError:
    """Turn an unexpected exception into an AslibError, so that the rest goes on."""
    if isinstance(error, MemoryError):
        hint = "Free memory, or ask for it alone."
        return AslibError("is too large for the memory that is there", where, hint)
    if isinstance(error, OSError):
        what = f"cannot be read or written ({error.strerror or error})"
        return AslibError(what, where, "Check the disk and the permissions.")
    reason = " ".join(str(error).split())
    what = f"stumbled over something unexpected ({type(error).__name__}: {reason})"
    hint = "It is a fault of aslib-eval: please report it with the file."
    return AslibError(what, where, hint)


def is_interrupt(error: BaseException) -> bool:
    """Whether it is what DuckDB makes of a KeyboardInterrupt during a query."""
    return isinstance(error, RuntimeError) and str(error) == "Query interrupted"


@contextmanager
def os_errors(
    where: object = None, hint: str | None = None, *, what: str = "cannot be read"
) -> Iterator[None]:
    """Turn an OSError of the body into an AslibError that gives its reason.

    where: None = the file that the error names.
    """
    try:
        yield
    except OSError as error:
        place = str(error.filename if where is None else where)
        raise AslibError(f"{what} ({error.strerror or error})", place, hint) from None


class LeftOut(UserWarning):
    """A damaged scenario that an answer does without; it names the scenario."""


class NotKept(UserWarning):
    """What was computed for an answer cannot be kept where it should; says where."""


class BrokenPlugIn(UserWarning):
    """A plug-in that is left out; it names the distribution and what is wrong."""


@dataclass(frozen=True)
class Finding:
    """One finding about a scenario: a code to look up, a place, and what to do."""

    code: str
    severity: Severity
    file: str
    line: int | None
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return sentence(place(self.file, self.line), self.message, self.hint)


class ScenarioError(AslibError):
    """A scenario cannot be used as it is; ``findings`` holds all of them."""

    def __init__(self, scenario: str, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [f for f in self.findings if f.severity == "error"]
        super().__init__(f"{len(errors)} error{'s' if len(errors) != 1 else ''}", scenario)

    def __str__(self) -> str:
        return self.worded("\n".join(str(f) for f in self.findings if f.severity == "error"))


def place(file: str, line: int | None) -> str:
    """``file:line``, or the file alone where no line applies."""
    return file if line is None else f"{file}:{line}"


def sentence(where: str | None, message: str, hint: str | None) -> str:
    """Join the parts of an error into ``where: message. hint`` on one line."""
    text = message.rstrip(".")
    if where:
        text = f"{where}: {text}"
    end = "" if text.endswith(("?", "!")) else "."
    text = f"{text}{end} {hint}" if hint else text
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]} …"
    return harmless(text)


def harmless(text: str) -> str:
    """Text of one line; what could steer a terminal or break the line, as escapes.

    Spaces of numbers and units, which do not break a line, stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _SPACES else repr(c)[1:-1] for c in text)


_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


# Libraries that some commands alone need, and the extra that installs them.

# Extra → module → the package that brings it.
EXTRAS: Mapping[str, Mapping[str, str]] = {
    "cluster": {"distributed": "distributed"},
    "figures": {"altair": "altair", "vl_convert": "vl-convert-python"},
    "fetch": {"pooch": "pooch"},
    "selectors": {"asf": "asf", "sklearn": "scikit-learn"},
}


def require_extra(extra: str, *, where: str | None = None) -> None:
    """Check that the libraries of an extra are installed, before the work for them.

    where: what needs them, such as a command.

    """
    missing = [package for module, package in EXTRAS[extra].items() if find_spec(module) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        hint = f"Install the extra {extra}, in a checkout: pip install '.[{extra}]'"
        raise AslibError(f"{' and '.join(missing)} {verb} not installed", where, hint)
