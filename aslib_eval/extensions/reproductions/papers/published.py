"""Numbers that papers print of ASlib scenarios, each with the protocol that gives it.

The numbers are rows of ``published.csv``, their papers sections of ``published.toml``.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from aslib_eval.database.protocol import COLUMNS as PROTOCOL_COLUMNS
from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.errors import AslibError
from aslib_eval.paths import read_text
from aslib_eval.text import Printed, one_of, printed

FILE = Path(__file__).with_suffix(".csv")
COLUMNS = (
    *("paper", "place", "scenario", "solver", "metric", "number"),
    *("in_lake", "protocol", "remark"),
)
NO_PROTOCOL = "none"


@dataclass(frozen=True)
class PublishedNumber:
    """A number as it is printed, and what is claimed of it.

    place: table or file of the paper. metric: one of aslib-eval, with a minus before it where the paper
    prints it with the other sign, or what the paper calls it. in_lake: the solver's name where its runs or
    answers are public; "" where they are not. protocol: the preset that gives the number, and the choices
    that it changes, as in ``llama, sbs_criterion = par1``; ``none`` where no protocol does; "" where nobody
    has tried. remark: why none does.
    """

    line: int
    paper: str
    place: str
    scenario: str
    solver: str
    metric: str
    number: str
    in_lake: str
    protocol: str
    remark: str

    @property
    def printed(self) -> Printed:
        """Its value and its last digit."""
        return printed(self.number)

    @property
    def decimals(self) -> int:
        """How many digits are printed behind the point."""
        return len(self.number.partition(".")[2])

    @property
    def column(self) -> str:
        """The metric without its sign."""
        return self.metric.removeprefix("-")

    def ours(self, value: float | None) -> float | None:
        """A value of ``column`` with the sign that the paper prints."""
        return -value if value is not None and self.metric.startswith("-") else value


@cache
def papers() -> Mapping[str, Mapping[str, str]]:
    """Paper → its ``title`` and where its numbers were ``read``."""
    text = FILE.with_suffix(".toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found


@cache
def published_numbers() -> tuple[PublishedNumber, ...]:
    """The rows of ``published.csv``."""
    return read_numbers(FILE)


def read_numbers(file: Path) -> tuple[PublishedNumber, ...]:
    """The rows of a file; papers of a file of one's own need no section.

    Raises:
        AslibError: with every line that is not well formed.

    """
    reader = csv.DictReader(io.StringIO(read_text(file)), strict=True)
    found, faults = [], []
    try:
        if tuple(reader.fieldnames or ()) != COLUMNS:
            hint = f"Its first line is {','.join(COLUMNS)}"
            raise AslibError("has other columns", str(file), hint)
        for row in reader:
            if None in row or None in row.values():
                faults.append(f"{reader.line_num}: has not {len(COLUMNS)} cells")
                continue
            number = PublishedNumber(reader.line_num, **row)
            faults += [f"{number.line}: {what}" for what in _faults(number, file)]
            found.append(number)
    except csv.Error as error:
        faults.append(f"{reader.line_num}: is not CSV ({error})")
    first: dict[tuple[str, ...], int] = {}
    for number in found:
        key = (*(getattr(number, name) for name in COLUMNS[:5]),)
        if first.setdefault(key, number.line) != number.line:
            faults.append(f"{number.line}: is said in line {first[key]} already")
    if faults:
        raise AslibError("; ".join(f"{file.name}:{fault}" for fault in faults))
    return tuple(found)


def _faults(number: PublishedNumber, file: Path) -> Iterator[str]:
    """What is wrong with a row by itself."""
    for name in COLUMNS[:6]:
        if not getattr(number, name).strip():
            yield f"{name} is empty"
    if file == FILE and number.paper not in papers():
        yield f"published.toml has no section [{number.paper}]. Name the source there."
    if number.number and not re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?%?", number.number):
        yield f"{number.number!r} is no number. Write it as it is printed."
    try:
        claimed(number.protocol)
    except AslibError as error:
        yield str(error)
    if number.protocol and not number.in_lake:
        yield "a claim needs in_lake: the solver whose number it is"
    if (number.protocol == NO_PROTOCOL) != bool(number.remark):
        yield "a remark goes with 'none', and says why no protocol gives the number"


def claimed(text: str) -> Protocol | None:
    """The protocol of a claim such as ``llama, sbs_criterion = par1``; None of none.

    Raises:
        AslibError: for an unknown preset, choice or value.

    """
    if text in {"", NO_PROTOCOL}:
        return None
    preset, *changes = (part.strip() for part in text.split(","))
    if preset not in PRESETS:
        hint = one_of(preset, PRESETS)
        raise AslibError(f"there is no protocol {preset!r}", hint=hint)
    choices: dict[str, Any] = {}
    for change in changes:
        name, _, word = (part.strip() for part in change.partition("="))
        if name not in PROTOCOL_COLUMNS or not word:
            raise AslibError(f"{change!r} is no choice", hint="Write CHOICE = VALUE.")
        choices[name] = _value(word)
    words = "".join(f"+{name}-{value}" for name, value in choices.items())
    return replace(PRESETS[preset], **choices, protocol=preset + words)


def _value(word: str) -> str | float | bool:
    if word in {"true", "false"}:
        return word == "true"
    try:
        return float(word)
    except ValueError:
        return word


def of_table(paper: str, place: str) -> Sequence[PublishedNumber]:
    """The numbers of one table of a paper, in its order."""
    return [n for n in published_numbers() if (n.paper, n.place) == (paper, place)]
