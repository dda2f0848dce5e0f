"""Discrete graphical models and their files in the UAI format.

A network is a product of non-negative tables over variables 0, 1, …. Everything is computed with logarithms
to the base e; results are log10, as in the files of the inference competitions.

A file that does not follow the format has no value; what is wrong with it is a finding with file and line.
What is asked about a model, and the answers of solvers, are read by ``answer_files``.

Source: UAI inference competition 2022, file formats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError, Finding, Severity, place

Floats = NDArray[np.float64]
Evidence = Mapping[int, int]
LN10 = math.log(10)


@dataclass(frozen=True, eq=False)
class Factor:
    """A table over a few variables.

    scope: the variables, in the order of the axes.
    logs: one axis a variable; natural logarithm of the values, -inf for 0.
    """

    scope: tuple[int, ...]
    logs: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """Variables with their numbers of values, and the factors over them.

    cards: (n_variables,) how many values each has.
    observed: variables with a known value; no factor has them in its scope.
    """

    cards: tuple[int, ...]
    factors: tuple[Factor, ...]
    observed: Evidence = field(default_factory=dict)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unobserved variables, ascending."""
        return tuple(v for v in range(len(self.cards)) if v not in self.observed)


def network(cards: Sequence[int], tables: Iterable[tuple[Sequence[int], ArrayLike]]) -> Network:
    """A network of plain tables.

    cards: (n_variables,) number of values of each variable.
    tables: scope and values; the last variable of the scope changes fastest.

    Edge cases: an empty scope is a constant; a variable in no scope is free.
    """
    factors = []
    for scope, values in tables:
        numbers = np.asarray(values, float)
        _require(cards, scope, numbers)
        with np.errstate(divide="ignore"):
            logs = np.log(numbers).reshape([cards[v] for v in scope])
        factors.append(Factor(tuple(scope), logs))
    return Network(tuple(cards), tuple(factors))


def _require(cards: Sequence[int], scope: Sequence[int], values: Floats) -> None:
    if any(not 0 <= v < len(cards) for v in scope) or len(set(scope)) < len(scope):
        raise AslibError(f"the scope {tuple(scope)} does not fit {len(cards)} variables")
    if values.size != math.prod(cards[v] for v in scope):
        raise AslibError(f"{values.size} values do not fill the scope {tuple(scope)}")
    if not ((values >= 0) & np.isfinite(values)).all():
        raise AslibError(f"the table over {tuple(scope)} holds a negative or no number")


def absorb(model: Network, *, evidence: Evidence) -> Network:
    """The network in which more variables are observed: their axes are gone.

    A variable that was observed before keeps its value.
    """
    for v, value in evidence.items():
        if not (0 <= v < len(model.cards) and 0 <= value < model.cards[v]):
            raise AslibError(f"variable {v} has no value {value}")
    observed = {**evidence, **model.observed}
    if not evidence:
        return model
    factors = tuple(_sliced(f, observed) for f in model.factors)
    return Network(model.cards, factors, observed)


def _sliced(factor: Factor, observed: Evidence) -> Factor:
    if not any(v in observed for v in factor.scope):
        return factor
    at = tuple(observed.get(v, slice(None)) for v in factor.scope)
    scope = tuple(v for v in factor.scope if v not in observed)
    return Factor(scope, np.asarray(factor.logs[at]))


def log_likelihood(
    model: Network, *, assignment: Mapping[int, int], evidence: Evidence | None = None
) -> float:
    """log10 of the product of all factors at an assignment; evidence overrides it.

    assignment: a value for each unobserved variable.

    Edge cases: -inf where a factor is 0 there. Equal sets of factor values give equal results, whatever
    their order.
    """
    model = absorb(model, evidence=evidence or {})
    whole = {**assignment, **model.observed}
    if missing := [v for v in model.free if v not in whole]:
        raise AslibError(f"variable {missing[0]} has no value")
    if any(not 0 <= whole[v] < model.cards[v] for v in model.free):
        raise AslibError("a variable has a value that does not exist")
    values = (f.logs[tuple(whole[v] for v in f.scope)] for f in model.factors)
    return math.fsum(values) / LN10


# The words of a UAI file, one after the other, each with its line.

_WHOLE = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)", re.IGNORECASE
)
_Read = TypeVar("_Read")
_SHOWN = 20  # characters of a word in a message


class FormatError(AslibError):
    """A file does not follow its format; the line is known."""

    def __init__(self, message: str, file: str, line: int, hint: str = "") -> None:
        super().__init__(message, place(file, line), hint)
        self.file = file
        self.line = line

    def finding(self, code: str, severity: Severity = "error") -> Finding:
        """The same as a finding."""
        what, hint = self.message, self.hint or ""
        return Finding(code, severity, self.file, self.line, what, hint)


class Tokens:
    """What is left of a file to read, in words; line ends count as blanks.

    start, end: the words to read, all unless given. Lines that begin with the word ``c`` are comments.
    """

    def __init__(self, content: bytes, *, file: str, start: int = 0, end: int | None = None) -> None:
        self.content = _without_comments(content)
        self.file = file
        self.words = self.content.split()
        self.at = start
        self.end = len(self.words) if end is None else end

    @property
    def left(self) -> int:
        """How many words there are still."""
        return self.end - self.at

    def line_of(self, word: int) -> int:
        """The line, from 1, on which a word stands; the last one for none."""
        seen = 0
        number = 1
        for line_number, line in enumerate(self.content.split(b"\n"), 1):
            count = len(line.split())
            seen += count
            if count:
                number = line_number
            if seen > word:
                break
        return number

    def fault(self, message: str, *, word: int | None = None, hint: str = "") -> FormatError:
        """What is wrong with a word (the last one read unless given)."""
        at = self.at - 1 if word is None else word
        return FormatError(message, self.file, self.line_of(max(at, 0)), hint)

    def words_of(self, count: int, what: str) -> list[bytes]:
        """The next words.

        Raises:
            FormatError: when there are not so many.
        """
        if count > self.left:
            message = f"ends before {what}: {self.left} of {count} words are there"
            raise self.fault(message, word=self.end)
        found = self.words[self.at : self.at + count]
        self.at += count
        return found

    def whole(self, what: str, *, low: int = 0, below: int | None = None) -> int:
        """The next whole number.

        Raises:
            FormatError: when it is none or out of range.
        """
        (word,) = self.words_of(1, what)
        if not _WHOLE.fullmatch(word):
            raise self.fault(f"{what} is {shown(word)}, not a whole number")
        number = int(word[:_SHOWN])
        if number < low or (below is not None and number >= below):
            limit = f"{low} or more" if below is None else f"{low} to {below - 1}"
            raise self.fault(f"{what} is {shown(word)}, not {limit}")
        return number

    def numbers(self, count: int, what: str) -> list[float]:
        """Numbers, nan and infinities too.

        Raises:
            FormatError: when one is none.
        """
        begin = self.at
        words = self.words_of(count, what)
        for at, word in enumerate(words, begin):
            if not _NUMBER.fullmatch(word):
                message = f"{what}: {shown(word)} is not a number"
                raise self.fault(message, word=at)
        return [float(word) for word in words]

    def pairs(self, count: int, what: str) -> dict[int, int]:
        """Pairs of a variable and its value.

        Raises:
            FormatError: when one is repeated.
        """
        found: dict[int, int] = {}
        for _ in range(count):
            variable = self.whole(f"a variable of {what}")
            if variable in found:
                raise self.fault(f"{what}: variable {variable} occurs twice")
            found[variable] = self.whole(f"{what}: the value of variable {variable}")
        return found

    def done(self, hint: str = "") -> None:
        """Nothing may follow.

        Raises:
            FormatError: when something does.
        """
        if self.left:
            word = shown(self.words[self.at])
            raise self.fault(f"{word} is one too many", word=self.at, hint=hint)


def parsed(
    read: Callable[[Tokens, list[Finding]], _Read], content: bytes, file: str
) -> tuple[_Read | None, list[Finding]]:
    """What ``read`` makes of a file, None with an error; and all findings."""
    findings: list[Finding] = []
    try:
        found = read(Tokens(content, file=file), findings)
    except FormatError as error:
        return None, [*findings, error.finding("uai-format")]
    if any(f.severity == "error" for f in findings):
        return None, findings
    return found, findings


def variables(tokens: Tokens, what: str, *, of: int | None) -> tuple[int, ...]:
    """A number of variables, and the variables, each once.

    of: how many there are in the network; a larger one is refused.

    Raises:
        FormatError: when the file begins otherwise.
    """
    count = tokens.whole(f"the number of variables of {what}")
    found = []
    for _ in range(count):
        found.append(tokens.whole(f"a variable of {what}", below=of))
        if found.index(found[-1]) < len(found) - 1:
            raise tokens.fault(f"{what}: variable {found[-1]} occurs twice")
    return tuple(found)


def shown(word: bytes) -> str:
    """A word as a message has it, cut if long."""
    text = word.decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _without_comments(content: bytes) -> bytes:
    if not re.search(rb"(?m)^c(?:\s|$)", content):
        return content
    lines = content.split(b"\n")
    return b"\n".join(b"" if line.split()[:1] == [b"c"] else line for line in lines)


Kind = Literal["MARKOV", "BAYES"]
MOST_VALUES = 1_000_000  # of a variable; nothing that is computed gets that far
MOST_AXES = 32  # variables of a function
LISTED = 20  # wrong values that are listed one by one
SUM = 1e-3  # by which the sum of a distribution may miss 1


@dataclass(frozen=True, eq=False)
class FunctionTable:
    """A function: its variables, and a value for each of their assignments.

    values: flat, the last variable of the scope changes fastest.
    """

    scope: tuple[int, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """A .uai file: numbers of values of the variables 0, 1, … and the functions."""

    kind: Kind
    cards: tuple[int, ...]
    tables: tuple[FunctionTable, ...]


def parse_model(content: bytes, *, file: str) -> tuple[Model | None, list[Finding]]:
    """A network; warnings where rows of a BAYES network do not sum to 1 (1e-3)."""
    return parsed(_model, content, file)


def _model(tokens: Tokens, findings: list[Finding]) -> Model:
    (word,) = tokens.words_of(1, "the kind of network")
    kinds: dict[bytes, Kind] = {b"MARKOV": "MARKOV", b"BAYES": "BAYES"}
    if (kind := kinds.get(word)) is None:
        raise tokens.fault(f"begins with {shown(word)}, not with MARKOV or BAYES")
    cards = _cards(tokens)
    count = tokens.whole("the number of functions")
    scopes = [variables(tokens, f"function {i}", of=len(cards)) for i in range(count)]
    tables = []
    for i, scope in enumerate(scopes):
        if len(scope) > MOST_AXES:
            what = f"function {i} is over {len(scope)} variables"
            raise tokens.fault(what, hint=f"At most {MOST_AXES} can be read.")
        size = math.prod(cards[v] for v in scope)
        begin = tokens.at + 1
        if tokens.whole(f"the size of table {i}") != size:
            what = f"table {i} has {shown(tokens.words[begin - 1])} values, not {size}"
            raise tokens.fault(f"{what}, as its {len(scope)} variables need")
        values = np.array(tokens.numbers(size, f"table {i}"))
        tables.append(FunctionTable(scope, values))
        _judge(tokens, i, values, begin, findings)
        if kind == "BAYES" and scope:
            rows = values.reshape(-1, cards[scope[-1]])
            _judge_rows(tokens, i, rows, begin, findings)
    tokens.done()
    return Model(kind, cards, tuple(tables))


def _cards(tokens: Tokens) -> tuple[int, ...]:
    n = tokens.whole("the number of variables", low=1)
    if n > tokens.left:
        raise tokens.fault(f"{n} variables, but only {tokens.left} words follow")
    most = MOST_VALUES + 1
    names = (f"the values of variable {v}" for v in range(n))
    return tuple(tokens.whole(name, low=1, below=most) for name in names)


def _judge(
    tokens: Tokens, table: int, values: NDArray[np.float64], begin: int, findings: list[Finding]
) -> None:
    """Values that cannot be in a table, up to a limit."""
    wrong = np.flatnonzero(~((values >= 0) & np.isfinite(values)))
    for at in wrong[: max(LISTED - len(findings), 0)].tolist():
        what = f"table {table} holds {shown(tokens.words[begin + at])}"
        hint = "Values are finite and at least 0."
        findings.append(tokens.fault(what, word=begin + at, hint=hint).finding("uai-value"))


def _judge_rows(
    tokens: Tokens, table: int, rows: NDArray[np.float64], begin: int, findings: list[Finding]
) -> None:
    """Tables of a Bayesian network whose child has no distribution in some row."""
    off = np.flatnonzero(~(np.abs(rows.sum(axis=1) - 1) <= SUM))
    if off.size and len(findings) < LISTED:
        at = int(off[0])
        what = f"table {table} of a BAYES network: row {at + 1} sums to {rows[at].sum():g}"
        fault = tokens.fault(what, word=begin + at * rows.shape[1])
        findings.append(fault.finding("uai-rows", "warning"))
