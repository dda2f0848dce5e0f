"""Axes of the page's charts: values → places on a linear scale, and what stands there.

A place is a value on a linear axis, the number of a name on an axis of names, and the
decimal logarithm on a logarithmic one. There, what is 0 and what is null (beyond the
axis) have places of their own, which are no logarithms: STUB of the axis at its ends.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aslib_eval.charts.theme import shortened, visible

Spec = Mapping[str, Any]
STUB = 0.1  # of what the logarithms take, for what is 0 and what is beyond
NAME = 30  # letters of a name that is drawn
_FEW = 2.1  # decades within which 2 and 5 have ticks, too
_SMALL, _LARGE = -3, 4  # powers of ten that are written out
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Axis:
    """An axis: low and high are its ends, ticks are (place, text).

    ``ticks`` is None where the drawer may choose round numbers, of which ``step`` is
    the least distance. ``place`` turns a value into a place.
    """

    label: str
    low: float
    high: float
    place: Callable[[float | None], float]
    ticks: tuple[tuple[float, str], ...] | None = None
    step: float = 0.0
    of_names: bool = False

    @property
    def span(self) -> float:
        """From end to end."""
        return self.high - self.low

    @property
    def texts(self) -> list[str]:
        """What stands at the ticks, as far as it is known."""
        return [text for _, text in self.ticks or ()]

    @property
    def label_expression(self) -> str:
        """Vega's expression for a tick's text; each text is a literal, never code.

        A tick is found by its place, which Vega hands on as it was given.
        """
        places = json.dumps([place for place, _ in self.ticks or ()])
        return f"{json.dumps(self.texts)}[indexof({places}, datum.value)]"


def axis_of(axis: Spec, *, most: int) -> Axis:
    """The axis of a specification, with about ``most`` ticks if it is logarithmic."""
    if axis["kind"] == "band":
        return _band(axis)
    return _logarithmic(axis, most) if axis["kind"] == "log" else _linear(axis)


def _linear(axis: Spec) -> Axis:
    low, high = float(axis["low"]), float(axis["high"])
    if not high > low:
        low, high = low - 0.5, low + 0.5

    def place(value: float | None) -> float:
        return high if value is None else float(value)

    step = 1.0 if axis.get("whole") else 0.0
    return Axis(_label(axis), low, high, place, step=step)


def _band(axis: Spec) -> Axis:
    names = [shortened(visible(name), NAME) for name in axis["names"]]
    ticks = tuple((float(at), name) for at, name in enumerate(names))

    def place(value: float | None) -> float:
        return -0.5 if value is None else float(value)

    return Axis(_label(axis), -0.5, len(names) - 0.5, place, ticks, of_names=True)


def _logarithmic(axis: Spec, most: int) -> Axis:
    low, high = math.log10(axis["low"]), math.log10(axis["high"])
    high = high if high > low else low + 1
    stub = STUB * (high - low)
    begin = low - (stub if axis.get("zero") else 0)
    end = high + (stub if axis.get("beyond") else 0)

    def place(value: float | None) -> float:
        if value is None:
            return (high + end) / 2
        return (begin + low) / 2 if value < axis["low"] else math.log10(value)

    named = [(place(0), axis.get("zero")), (place(None), axis.get("beyond"))]
    own = [(at, visible(text)) for at, text in named if text]
    ticks = _apart(own, _decades(low, high, most), 0.8 * (end - begin) / most)
    return Axis(_label(axis), begin, end, place, ticks)


def _decades(low: float, high: float, most: int) -> Iterable[tuple[float, str]]:
    """Powers of ten, so that there are not too many; of few, twice and five times."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    every = max(1, math.ceil((high - low) / most))
    if high - low < _FEW:
        for exponent in range(first - 1, last + 1):
            for times in (1, 2, 5):
                at = exponent + math.log10(times)
                if low - 1e-9 <= at <= high + 1e-9:
                    yield at, _written(times, exponent)
        return
    for exponent in range(first, last + 1):
        if exponent % every == 0:
            yield float(exponent), _written(1, exponent)


def _written(times: int, exponent: int) -> str:
    if _SMALL <= exponent <= _LARGE:
        return f"{times * 10.0**exponent:g}"
    raised = str(exponent).translate(_RAISED)
    return f"10{raised}" if times == 1 else f"{times}\N{MIDDLE DOT}10{raised}"


def _apart(
    own: Sequence[tuple[float, str]], others: Iterable[tuple[float, str]], least: float
) -> tuple[tuple[float, str], ...]:
    """All of ``own``, and of the others those that stand apart, in their order."""
    kept = list(own)
    for at, text in others:
        if all(abs(at - taken) >= least for taken, _ in kept):
            kept.append((at, text))
    return tuple(sorted(kept))


def _label(axis: Spec) -> str:
    return visible(axis.get("label") or "")
