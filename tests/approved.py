"""Texts that a person has read and found right: tests/approved/ holds them.

After a change that is meant, ``ASLIB_APPROVE=1 pytest FILE`` writes them anew; read the
difference before it is committed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent / "approved"
_FEW = 3  # points at either end of a long line
_MANY = 40
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


def approved(name: str, found: str) -> None:
    """Compare a text with the approved one of that name, numbers to nine digits."""
    text, file = numbers(found), HOME / name
    if os.environ.get("ASLIB_APPROVE"):
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)
    assert text.splitlines() == file.read_text().splitlines()


def numbers(text: str) -> str:
    """The text with nine digits of each number."""
    return _NUMBER.sub(_short, text)


def _short(found: re.Match[str]) -> str:
    return f"{float(found[0]):.9g}"


def page_text(page: str) -> str:
    """A page, an element a line, and its charts, a mark a line; without its program."""
    body = page[page.index("<body>") :]
    charts = re.search(r'<script[^>]*id="charts"[^>]*>(.*?)</script>', body)
    data = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', body)
    elements = re.sub(r"<script.*?</script>", "", body, flags=re.DOTALL)
    lines = [line for line in re.split(r"(?=<)", elements) if line[:2] != "</"]
    after = re.findall(r"</\w+>\s*([^<\s][^<]*)", elements)
    found = [line.strip() for line in [*lines, "after elements:", *after]]
    if charts is not None:
        for name, spec in json.loads(charts[1]).items():
            found += [f"chart {name}", *_chart(spec)]
    if data is not None:
        found += [f"{k}: {json.dumps(v)}" for k, v in json.loads(data[1]).items()]
    # What changes with the version, the presets and the place.
    changing = re.compile(r"(?<=@)[0-9a-f]{12}|(?<=>)[0-9a-f]{12}$|/\S*/", re.MULTILINE)
    text = changing.sub("#", "\n".join(filter(None, found))) + "\n"
    return re.sub(r"(aslib-eval|importer) \d[\w.+]*", r"\1 #", text)


def outline(page: str) -> str:
    """A large page: its words, sizes of its tables, and its charts without marks."""
    kept = re.compile(
        "<p|<table|<h2|chart |  (title|about|rowHeight|height|minWidth|maxWidth"
        "|population):"
    )
    found = [line for line in page_text(page).splitlines() if kept.match(line)]
    rows = [len(re.findall("<tr ", table)) for table in page.split("<table")[1:]]
    charts = re.search(r'<script[^>]*id="charts"[^>]*>(.*?)</script>', page)
    specs = json.loads(charts[1]) if charts is not None else {}
    for name, spec in specs.items():
        sizes = [len(m.get("points", m.get("boxes", ()))) for m in spec["marks"]]
        colors = sorted({str(m.get("color")) for m in spec["marks"]})
        found.append(f"{name}: {len(sizes)} marks, longest {max(sizes)}, {colors}")
    return "\n".join([*found, f"rows: {rows}", ""])


def _chart(spec: dict[str, Any]) -> list[str]:
    marks = spec.pop("marks")
    lines = [f"  {key}: {json.dumps(value)}" for key, value in spec.items()]
    for mark in marks:
        for key in ("points", "boxes"):
            if len(values := mark.get(key, ())) > _MANY:
                ends = [*values[:_FEW], f"{len(values)} in all", *values[-_FEW:]]
                total = sum(v[1] for v in values)
                mark[key] = [*ends, f"sum of y {total:.6g}"]
        lines.append(f"  mark {json.dumps(mark, ensure_ascii=False)}")
    return lines
