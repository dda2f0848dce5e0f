"""What the readme of every scenario says in the same words."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .plan import Record

_SHORT = 0.1  # seconds; shorter times are told apart


def machine(sessions: Sequence[Mapping[str, Any]]) -> str:
    """Machine and versions, each different description once."""
    described: dict[str, None] = {}
    for said in sessions:
        packages = ", ".join(f"{k} {v}" for k, v in said["packages"].items())
        text = (
            f"  {said['processor']}, cache {said['cache']}, {said['cores']} cores,"
            f" pinned to {said['pinned_to']}\n"
            f"  {said['memory']} of memory, {said['system']}, {said['libc']}\n"
            f"  Python {said['python']}, {packages}"
        )
        described[text] = None
    return "\n\n".join(described)


def days(records: Sequence[Record]) -> str:
    """The day, or the first and last, on which they were made."""
    first, last = (
        datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
        for at in (min(r.at for r in records), max(r.at for r in records))
    )
    return first if first == last else f"{first} to {last}"


def spread(what: str, pairs: Sequence[tuple[float, float]], *, cutoff: float) -> list[str]:
    """Quantiles of longer by shorter time, short times apart."""
    lines = []
    for name, low, high in (("below", 0.0, _SHORT), ("from", _SHORT, cutoff)):
        ratios = [max(p) / min(p) for p in pairs if min(p) > 0 and low <= min(p) < high]
        if len(ratios) > 1:
            cuts = statistics.quantiles(ratios, n=20)
            lines.append(
                f"  Longer by shorter, {what}, {name} {_SHORT:g} s: median"
                f" {statistics.median(ratios):.3f},\n  90 % below {cuts[17]:.3f},"
                f" largest {max(ratios):.3f} ({len(ratios)} pairs)."
            )
    return lines
