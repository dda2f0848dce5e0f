"""experiment.toml: what an experiment of optimisers does not say by itself.

::

    name = "OPT-FUNCTIONS-2026"   # of the scenario; default: the folder
    measure = "objective"         # what was evaluated; the default
    maximize = false              # whether more of it is better; the default
    [optimum]                  # of some problems, where it is known
    branin-2 = 0.397887
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aslib_eval.errors import Finding

FILE = "experiment.toml"
_CODE = "experiment-settings"


@dataclass(frozen=True)
class Settings:
    """The settings of an experiment; None where the file says nothing."""

    name: str
    measure: str = "objective"
    maximize: bool | None = None
    optimum: Mapping[str, float] = field(default_factory=dict)


def parse_settings(
    content: bytes | None, *, file: str, folder: str
) -> tuple[Settings, list[Finding]]:
    """The settings, defaults where they say nothing, and everything that is wrong."""
    if content is None:
        return Settings(folder), []
    try:
        raw = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        what = f"is not TOML ({error})"
        return Settings(folder), [Finding(_CODE, "error", file, None, what)]
    wrong = [
        Finding(_CODE, "error", file, _line(content, key), what)
        for key, what in _faults(raw)
    ]
    if wrong:
        return Settings(folder), wrong
    known = {str(k): float(v) for k, v in raw.pop("optimum", {}).items()}
    return Settings(**{"name": folder, **raw}, optimum=known), []


def _faults(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each wrong key and what is wrong with it."""
    for key, value in raw.items():
        if (right := _RIGHT.get(key)) is None:
            yield key, f"unknown key {key!r}; there are {', '.join(_RIGHT)}"
        elif not right[0](value):
            yield key, f"{key} must be {right[1]}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(x) in (int, float) and math.isfinite(x) for x in value.values()
    )


_RIGHT: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "name": (_is_text, "a text"),
    "measure": (_is_text, "a text"),
    "maximize": (lambda value: isinstance(value, bool), "true or false"),
    "optimum": (_are_numbers, "a table of a finite number for each problem"),
}


def _line(content: bytes, key: str) -> int | None:
    """The first line that begins with the key, as far as that can be told."""
    for number, line in enumerate(content.decode().split("\n"), 1):
        if line.partition("=")[0].partition("#")[0].strip().strip("[]") == key:
            return number
    return None
