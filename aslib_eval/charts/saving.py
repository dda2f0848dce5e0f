"""A chart → a file that opens without a network, or its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.atomic_files import replace_file, require_file
from aslib_eval.errors import AslibError
from aslib_eval.extras import require_extra

if TYPE_CHECKING:
    import altair as alt

# Lines such as "/fo1 2 0 R", one below the other.
_FONTS = re.compile(rb"(?:^ */\w+ \d+ 0 R\n){2,}", re.MULTILINE)
_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
_TRIES = 200
_LINE = 200  # a PDF must end within 1024 bytes of its last mark
SUFFIXES = (".svg", ".pdf", ".png", ".html")
HINT = "Choose another --chart; nothing was changed."


def as_bytes(
    chart: alt.Chart | alt.LayerChart,
    *,
    suffix: str,
    said: Sequence[str] = (),
    points: float = 1,
) -> bytes:
    """A chart as ``.svg`` or ``.pdf``, with lines in a comment.

    points: of a pixel, in a PDF; 0.75 is as large as browsers show an SVG.

    The same chart gives the same bytes; the comment of a PDF comes last, where its
    lines are cut to what readers skip.
    """
    require_extra("figures", where="chart")
    import vl_convert as vlc

    spec = chart.to_json()
    if suffix == ".svg":
        comments = "".join(f"<!-- {_harmless(line)} -->\n" for line in said)
        found: str = vlc.vegalite_to_svg(spec)
        return f"{comments}{found.rstrip()}\n".encode()
    comments = "".join(f"% {_harmless(line)[:_LINE]}\n" for line in said)
    pdf = _settled(_sized(vlc.vegalite_to_svg(spec), points))
    return pdf.rstrip() + b"\n" + comments.encode("ascii", "replace")


def _sized(svg: str, points: float) -> str:
    """With the size that a PDF has of it; the writer takes a pixel for a point."""

    def scaled(found: re.Match[str]) -> str:
        return f'{found[1]}="{float(found[2]) * points:g}"'

    head, end, rest = svg.partition(">")
    return _SIZE.sub(scaled, head) + end + rest


def _settled(svg: str) -> bytes:
    """As PDF, always the same: the writer puts the fonts in an order by chance.

    Lines of a dictionary are sorted, which moves no object; for the objects it is asked
    again until they come in the order of their numbers.
    """
    import vl_convert as vlc

    for _ in range(_TRIES):
        pdf: bytes = _FONTS.sub(_by_name, vlc.svg_to_pdf(svg))
        fonts = _FONTS.search(pdf)
        numbers = sorted(
            int(n) for n in re.findall(rb" (\d+) 0 R", fonts[0] if fonts else b"")
        )
        places = [pdf.find(b"\n%d 0 obj" % n) for n in numbers]
        if places == sorted(places):
            break
    return pdf


def _by_name(found: re.Match[bytes]) -> bytes:
    return b"".join(sorted(found[0].splitlines(keepends=True)))


def _harmless(text: str) -> str:
    """Text of one line that cannot end an XML comment."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return line.replace("--", "- -").replace("--", "- -")


def save(chart: alt.Chart | alt.LayerChart, to: Path) -> None:
    """Write a chart as its file's suffix says; HTML carries its own JavaScript.

    Raises AslibError if the suffix is none of SUFFIXES, or the file cannot be written;
    an old one stays then.
    """
    require_chart(to)
    import vl_convert as vlc

    if to.suffix == ".html":
        content: bytes = chart.to_html(inline=True).encode()
    elif to.suffix == ".png":
        content = vlc.vegalite_to_png(chart.to_json(), scale=2)
    else:
        content = as_bytes(chart, suffix=to.suffix)
    replace_file(to, content, hint=HINT)


def require_chart(to: Path) -> None:
    """Raise AslibError if a chart cannot be written, before the work for it is done."""
    if to.suffix not in SUFFIXES:
        hint = f"Name it with one of {', '.join(SUFFIXES)}."
        raise AslibError("this is no kind of chart", str(to), hint)
    require_extra("figures", where="chart")
    require_file(to, hint=HINT)
