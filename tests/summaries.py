"""Tables in brief, which are committed in tests/approved and read in a difference.

A line is a table: how many rows it has, then each column. Of numbers it says the least, the greatest, the
mean, and the mean that counts row 1 once, row 2 twice and so on, which moves where values change places. Of
texts it says how many there are of each where they are few, and the first and the last otherwise. After a
change that is meant, ``ASLIB_APPROVE=1`` writes the lines anew.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from aslib_eval.text import shorten
from tests.approved import DIGEST, HOME, approving, brief, six_digits

_FEW, _WIDE = 3, 32
_NUMBER = re.compile(r"(?<![\w.])[-\N{MINUS SIGN}]?\d+(?:\.\d+)?(?![\w.]*\d)")


def of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, str]:
    """How many rows there are, and each column in brief."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return {"rows": str(len(rows))} | {
        name: of_values(values) for name, values in zip(names, columns, strict=True)
    }


def of_values(values: Iterable[Any]) -> str:
    """A column in brief."""
    given = list(values)
    there = [value for value in given if value is not None]
    nulls = [f"{len(given) - len(there)} null"] if len(there) < len(given) else []
    if not there:
        return " ".join(nulls)
    if all(isinstance(value, int | float) for value in there):
        return " ".join([*nulls, *_of_numbers([*map(float, there)])])
    counts = Counter(map(_plain, there))
    shown = [f"{shorten(text, _WIDE)} ({n})" for text, n in sorted(counts.items())]
    few = shown if len(shown) <= _FEW else [f"{len(shown)} texts", shown[0], "…", shown[-1]]
    return " ".join([*nulls, *few])


def of_chart(spec: Mapping[str, Any]) -> dict[str, str]:
    """The title of a chart, its sentence and axes, and of each kind of mark what it has and where it is."""
    said = {"title": spec["title"], "about": six_digits(spec["about"])}
    said |= {axis: " ".join(f"{k} {_plain(v)}" for k, v in spec[axis].items() if v) for axis in ("x", "y")}
    for kind in sorted({mark["type"] for mark in spec["marks"]}):
        marks = [mark for mark in spec["marks"] if mark["type"] == kind]
        said[kind] = f"{len(marks)} marks"
        for part in sorted({key for mark in marks for key in mark} - {"type"}):
            values = [mark.get(part) for mark in marks]
            if part in {"points", "boxes", "items"}:
                columns = zip_longest(*(each for value in values for each in value or ()))
                said |= {f"{kind} {part} {at}": of_values(column) for at, column in enumerate(columns)}
            else:
                said[f"{kind} {part}"] = of_values(values)
    return said


def of_text(text: str) -> dict[str, str]:
    """How many words a text has, and the numbers in it."""
    found = [float(each.replace("\N{MINUS SIGN}", "-")) for each in _NUMBER.findall(DIGEST.sub("#", text))]
    return {"words": str(len(text.split())), "numbers": f"{len(found)} {of_values(found)}".rstrip()}


def _of_numbers(given: list[float]) -> list[str]:
    ends = [brief(n) for n in dict.fromkeys((min(given), max(given)))]
    if len(ends) == 1:
        return ends
    counted = sum(at * n for at, n in enumerate(given, start=1)) * 2 / (len(given) + 1)
    means = [brief(total / len(given)) for total in (sum(given), counted)]
    return ["..".join(ends), "mean", *means]


def _plain(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return six_digits(DIGEST.sub("#", " ".join(text.split()).replace(" | ", " / ")))


def hold(file: str, found: Mapping[str, Mapping[str, str]]) -> None:
    """Compare tables with their approved lines; those of other names in the file stay."""
    path = HOME / file
    lines = {name: " | ".join(f"{k}: {v}" for k, v in columns.items()) for name, columns in found.items()}
    with approving(path):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        known = dict(line.split(" | ", 1) for line in text.splitlines())
        if os.environ.get("ASLIB_APPROVE"):
            known = dict(sorted((known | lines).items()))
            path.write_text("".join(f"{n} | {t}\n" for n, t in known.items()), encoding="utf-8")
    said = []
    for name, line in lines.items():
        now, was = line.split(" | "), known.get(name, "").split(" | ")
        said += [f"{name} is {part}" for part in now if part not in was]
        said += [f"{name} was {part}" for part in was if part not in now]
    assert said == [], "\n".join(["tables in brief have changed", *said])
