"""An instance: a generator, its parameters and a seed; all else follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .draw import Draw
from .formula import Formula


@dataclass(frozen=True)
class Instance:
    """``name`` says family, parameters and seed; the formula is made when asked for."""

    name: str
    family: str
    make: Callable[..., Formula]
    parameters: Mapping[str, Any]

    def formula(self) -> Formula:
        """The same one whenever and wherever it is made: the name is the seed."""
        return self.make(Draw(self.name), **self.parameters)

    def text(self) -> bytes:
        """As DIMACS."""
        return self.formula().dimacs(self.name)


@dataclass(frozen=True)
class Family:
    """Instances of one kind: rows of parameters, and how many seeds of each row."""

    name: str
    make: Callable[..., Formula]
    rows: tuple[tuple[int, Mapping[str, Any]], ...]

    def instances(self) -> Iterator[Instance]:
        """One for each row and seed."""
        for seeds, row in self.rows:
            words = [_word(key, value) for key, value in row.items()]
            for seed in range(1, seeds + 1):
                name = "-".join([self.name, *filter(None, words), f"s{seed}"])
                yield Instance(name, self.name, self.make, row)


def _word(key: str, value: Any) -> str:
    """A parameter in a name: n260; a flag only if it is set; 3,11 as 3.11."""
    if isinstance(value, bool):
        return key if value else ""
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    return f"{key[0]}{value}"
