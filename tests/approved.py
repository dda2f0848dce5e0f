"""Texts that a person has read and found right: tests/approved/ holds them.

After a change that is meant, ``ASLIB_APPROVE=1 pytest FILE`` writes them anew; read the difference before
it is committed. Four letters behind a # stand for what is left out: where they alone change, compare what
the command or the page shows with what it showed.
"""

from __future__ import annotations

import fcntl
import hashlib
import html
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aslib_eval.text import shorten

HOME = Path(__file__).parent / "approved"
_LINES, _ROWS = 8, 4  # of an answer, and of a table with its head
_FEW, _WIDE = 3, 84  # parts of a line that are new, and their letters
_TIP = 48  # letters of what a mark of a chart says
_LONG = 240  # letters of a sentence on a page
_ZERO = 1e-9  # what is less comes of rounding alone
# A number that is half-way between two with so many digits is rounded up: else its last bit decides, which
# is not the same on every processor.
_HALF = 1 + 1e-11
DIGEST = re.compile(r"(?<!\.)\b[0-9a-f]{12,64}\b")  # and not decimals
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


def approved(name: str, found: str, *, exact: bool = False) -> None:
    """Compare a text with the approved one of that name, numbers to nine digits.

    exact: as they are written.
    """
    text, file = found if exact else numbers(found), HOME / name
    if os.environ.get("ASLIB_APPROVE"):
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)
    assert text.splitlines() == file.read_text().splitlines()


@contextmanager
def approving(file: Path) -> Iterator[None]:
    """Let one worker alone change a file of lines that several tests approve."""
    if not os.environ.get("ASLIB_APPROVE"):
        yield
        return
    with Path(tempfile.gettempdir(), f"approving-{file.name}").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def approved_line(name: str, key: str, found: str) -> None:
    """Compare a line with the approved one of that key, in a text of such lines."""
    file, line = HOME / name, f"{key}: {found}"
    with approving(file):
        known = file.read_text().splitlines() if file.exists() else []
        if os.environ.get("ASLIB_APPROVE"):
            known = sorted({*(k for k in known if not k.startswith(f"{key}: ")), line})
            file.write_text("\n".join([*known, ""]))
    assert [one for one in known if one.startswith(f"{key}: ")] == [line]


def numbers(text: str) -> str:
    """The text with nine digits of each number."""
    return _NUMBER.sub(_short, text)


def _short(found: re.Match[str]) -> str:
    return f"{float(found[0]) * _HALF:.9g}"


def mark(what: object) -> str:
    """Four letters for a text that is not shown, by six digits of its numbers."""
    return f" #{hashlib.sha256(six_digits(what).encode()).hexdigest()[:4]}"


def six_digits(what: object) -> str:
    """As text, with six digits of each number."""
    return _NUMBER.sub(_rounded, str(what))


def _rounded(found: re.Match[str]) -> str:
    return brief(float(found[0]))


def brief(number: float) -> str:
    """Six digits of a number, of which rounding alone makes none."""
    return f"{0.0 if abs(number) < _ZERO else number * _HALF:.6g}"


@dataclass(frozen=True)
class Answer:
    """What a command line gives: its exit code, its text, and files with a digest."""

    code: int
    lines: list[str]
    files: dict[str, Any]


def head(lines: list[str]) -> list[str]:
    """Sentences, and of each table the first rows."""
    kept, rows = [], 0
    for line in lines:
        rows = rows + 1 if line.startswith("| ") else 0
        if rows <= _ROWS:
            kept.append(line)
    if len(kept) > _LINES or len(kept) < len(lines):
        return [*kept[:_LINES], f"({len(lines)} lines{mark(lines)})"]
    return kept


def changes(before: Answer, after: Answer) -> list[str]:
    """What an option makes new: cells with their column, or sentences.

    Of the lines that have something new the first and the last are shown, and where nothing is new a line
    that is gone.
    """
    said = []
    if after.code != before.code:
        said.append(f"exit {after.code}")
    lakes = {name.split("/")[0] for name in after.files if "/.versions/" in name}
    said += [
        f"file {name}"
        for name, of in sorted(after.files.items())
        if before.files.get(name) != of and name.split("/")[0] not in lakes
    ]
    if len(after.lines) != len(before.lines):
        said.append(f"{len(before.lines)} lines → {len(after.lines)}")
    new = _only(after, but=before)
    shown = [*new[:1], *new[1:][-1:]] or _only(before, but=after)[:1]
    for parts in shown:
        text = " · ".join(shorten(part, _WIDE) for part in parts[:_FEW])
        said.append(text if new else f"gone: {text}")
    return [*said[:-1], said[-1] + mark(new)] if len(new) > len(shown) else said


def _only(one: Answer, *, but: Answer) -> list[list[str]]:
    """Of each line what the other answer has nowhere, if there is such a thing."""
    known = {part for parts in _parts(but.lines) for part in parts}
    lines = ([part for part in parts if part not in known] for parts in _parts(one.lines))
    return [parts for parts in lines if parts]


def _parts(lines: list[str]) -> list[list[str]]:
    """Of each line of a table its cells with their columns; of others the sentences."""
    found: list[list[str]] = []
    columns: list[str] = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("<!--"):  # where a table comes from
            continue
        if not line.startswith("| "):
            columns = []
            found.append(re.split(r"(?<=[.;]) ", line))
        elif not columns:
            columns = cells
            found.append([f"column {name}" for name in columns])
        elif not line.startswith("| ---"):
            row = dict(zip(columns, cells, strict=True))
            if "protocol" in row:  # changes with most options, and so is said last
                row["protocol"] = row.pop("protocol")
            found.append([f"{name} {cell or 'null'}" for name, cell in row.items()])
    return found


# Of a page: what nobody reads, where a line begins, and what changes with the place.
_UNREAD = re.compile(r"<(script|select|button|nav|datalist|pre)\b.*?</\1>", re.DOTALL)
_LINE = re.compile(r"(?=<(?:h1|h2|p|table|strong|dt|li|figcaption|summary)\b)")
_ROW = re.compile(r"<tr\b.*?(?=<tr\b|</tbody>|</thead>)", re.DOTALL)
_PLACE = re.compile(r"(?<=@)[0-9a-f]{12}|(?<!\.)\b[0-9a-f]{12}\b|/\S*/")


def page_text(page: str, *, rows: bool = True) -> list[str]:
    """What a person reads on a page; of tables the head, the first and last row."""
    lines: list[str] = []
    for piece in _LINE.split(_UNREAD.sub("", page[page.index("<body>") :])):
        text = piece
        if piece.startswith("<table"):
            table, _, text = piece.partition("</table>")
            found = [" | ".join(_cells(row)) for row in _ROW.findall(table)]
            ends = [*found[1:2], *found[2:][-1:]] if rows else []
            lines += [found[0], *ends, f"({len(found) - 1} rows{mark(found)})"]
        lines.append(_text(text))
    digests = re.sub(r"\b[0-9a-f]{64}\b", "#", "\n".join(filter(None, lines)))
    return re.sub(r"(aslib-eval|importer) \d[\w.+]*", r"\1 #", digests).splitlines()


# Of a page: programs and styles, which have tests of their own.
_PROGRAM = re.compile(r"<script>.*?</script>|<style>.*?</style>", re.DOTALL)


def markup(page: str) -> str:
    """Four letters for the elements, attributes and data of a page."""
    said = _PLACE.sub("#", _PROGRAM.sub("", page))
    said = re.sub(r"[0-9a-f]{64}", "#", said)
    return "markup" + mark(re.sub(r"(aslib-eval|importer) \d[\w.+]*", "#", said))


def _cells(row: str) -> list[str]:
    return [_text(cell) for cell in re.split(r"(?=<t[hd]\b)", row)[1:]]


def _text(markup: str) -> str:
    """The words of markup, as far as a person reads on."""
    words = " ".join(html.unescape(re.sub("<[^>]*>", " ", markup)).split())
    said = _PLACE.sub("#", words)
    return shorten(said, _LONG) + (mark(said) if len(said) > _LONG else "")


def drawn(page: str) -> list[str]:
    """The charts of a page: their marks, what the first and the last one say, the axes,
    and the colours of the first and the last name."""
    found = re.search(r'<script[^>]*id="charts"[^>]*>(.*?)</script>', page)
    assert found is not None
    lines = []
    for name, chart in json.loads(found[1]).items():
        points = [
            point for mark in chart["marks"] for point in (*mark.get("points", ()), *mark.get("boxes", ()))
        ]
        kinds = Counter(mark["type"] for mark in chart["marks"])
        counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        says = [shorten(_said(point), _TIP) for point in (points[0], points[-1])]
        ends = dict.fromkeys(says)
        lines.append(f"{name}: {counts}, {len(points)} points{mark(chart)}: {'; '.join(ends)}")
        axes = [f"{axis} {_axis(chart[axis])}" for axis in ("x", "y")]
        named = [f"{m['name']} {m['color']}" for m in chart["marks"] if m.get("name")]
        said = " · ".join([chart["title"], *axes, *named[:1], *named[1:][-1:]])
        lines.append(shorten(_PLACE.sub("#", said), _LONG))
    return lines


def _axis(axis: dict[str, Any]) -> str:
    """Its kind, its label, and its ends or the names at them."""
    at = axis["names"] if axis["kind"] == "band" else [axis["low"], axis["high"]]
    return f"{axis['kind']} {axis['label']!r} {' to '.join(map(str, at[:1] + at[-1:]))}"


def _said(point: list[Any]) -> str:
    """Its tip, or where it stands."""
    tips = (part for part in point if isinstance(part, str))
    return _PLACE.sub("#", next(tips, str(point)))
