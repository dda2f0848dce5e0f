"""Units of times: what they are called, and how many seconds each is."""

from __future__ import annotations

import math
import re

from aslib_eval.errors import OptionError
from aslib_eval.formats.measures import plain

_CALLED = {
    "ns": "ns nsec nsecs nanosecond nanoseconds",
    "us": "us usec usecs microsecond microseconds",
    "ms": "ms msec msecs millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hour hours",
}
UNITS = {word: unit for unit, words in _CALLED.items() for word in words.split()}
_SECONDS = {"s": 1, "min": 60, "h": 3600}
PARTS = {"ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second
_LIMIT = re.compile(r"([+-]?[\d.]+(?:[eE][+-]?\d+)?)\s*([a-zA-Zµμ]*)", re.ASCII)


def to_seconds(value: float, unit: str) -> float:
    """A time of that unit (a value of ``UNITS``) in seconds."""
    return value / PARTS[unit] if unit in PARTS else value * _SECONDS[unit]


def from_seconds(value: float, unit: str) -> float:
    """A time in seconds in that unit (a value of ``UNITS``)."""
    return value * PARTS[unit] if unit in PARTS else value / _SECONDS[unit]


def time_limit(given: float | str) -> tuple[float, str]:
    """A limit such as 1800, "1800s" or "30min", and its unit; empty if it has none."""
    match = _LIMIT.fullmatch(str(given).strip())
    value = math.nan
    if match:
        try:
            value = float(match[1])
        except ValueError:  # 1.2.3
            value = math.nan
    if match is None or not (math.isfinite(value) and value > 0):
        what = f"--cutoff {given} is no time limit"
        hint = "It is a number above 0, with a unit if you like: 1800, 1800s, 30min."
        raise OptionError(what, None, hint)
    return value, unit_called(match[2]) if match[2] else ""


def unit_called(word: str) -> str:
    """The unit of that name, such as ms of "msec"."""
    if plain(word) not in UNITS:
        hint = f"There are {', '.join(_CALLED)}."
        raise OptionError(f"{word!r} is no unit of time", None, hint)
    return UNITS[plain(word)]
