"""A chart's specification → the bytes of a file that opens without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import harmless
from aslib_eval.figures.chart import ChartFile, Spec
from aslib_eval.tables.to_text import in_script

if TYPE_CHECKING:
    import altair as alt


# Lines such as "/fo1 2 0 R", one below the other; /fo is a font.
_NAMED = re.compile(rb"(?:^ */\w+ \d+ 0 R\n){2,}", re.MULTILINE)
_FONT = re.compile(rb"/fo\d+ (\d+) 0 R\n")
_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
_TRIES = 200
_POINTS = 0.75  # of a pixel
_LINE = 200  # a PDF must end within 1024 bytes of its last mark


def _svg(spec: Spec, *, width: float, titled: bool, comment: Sequence[str]) -> bytes:
    comments = "".join(f"<!-- {_harmless(line)} -->\n" for line in comment)
    return f"{comments}{_drawn(spec, width=width, titled=titled).rstrip()}\n".encode()


def _pdf(spec: Spec, *, width: float, titled: bool, comment: Sequence[str]) -> bytes:
    """As large as browsers show the SVG; the comment comes last.

    Its lines are cut to what readers skip.
    """
    comments = "".join(f"% {_harmless(line)[:_LINE]}\n" for line in comment)
    svg = _drawn(spec, width=width, titled=titled)
    return _stable_pdf(_sized(svg)).rstrip() + b"\n" + comments.encode("ascii", "replace")


def _pgf(spec: Spec, *, width: float, titled: bool, comment: Sequence[str]) -> bytes:
    from aslib_eval.extensions.printing.tikz import tikz

    comments = "".join(f"% {_harmless(line)}\n" for line in comment)
    return (comments + tikz(_drawn(spec, width=width, titled=titled))).encode()


def _vega_lite(spec: Spec, width: float, *, titled: bool) -> alt.LayerChart:
    from aslib_eval.extensions.printing.altair import vega_lite

    return vega_lite(spec, width=width, titled=titled)


def _drawn(spec: Spec, *, width: float, titled: bool) -> str:
    import vl_convert as vlc

    svg: str = vlc.vegalite_to_svg(_vega_lite(spec, width, titled=titled).to_json())
    return svg


def _without_comment(content: Callable[[Any], bytes]) -> Callable[..., bytes]:
    """How a kind of file is written that has no place for a comment."""

    def write(spec: Spec, *, width: float, titled: bool, comment: object) -> bytes:  # noqa: ARG001
        return content(_vega_lite(spec, width, titled=titled))

    return write


def _png(drawn: alt.LayerChart) -> bytes:
    import vl_convert as vlc

    # A pixel of the chart is 1/96 inch, one of vl_convert 1/72. The file says its 300 dpi.
    png: bytes = vlc.vegalite_to_png(drawn.to_json(), scale=72 / 96, ppi=300)
    return png


def _html(drawn: alt.LayerChart) -> bytes:
    return str(drawn.to_html(inline=True, json_kwds={"cls": _InScript})).encode()


class _InScript(json.JSONEncoder):
    def encode(self, o: object) -> str:
        return in_script(super().encode(o))


def _sized(svg: str) -> str:
    """With the size that a PDF has of it; the writer takes a pixel for a point."""
    head, end, rest = svg.partition(">")
    return _SIZE.sub(lambda size: f'{size[1]}="{float(size[2]) * _POINTS:g}"', head) + end + rest


def _stable_pdf(svg: str) -> bytes:
    """As PDF, always the same: the writer puts the fonts in an order by chance.

    Lines of a dictionary are sorted, which moves no object; for the objects it is asked again until they
    come in the order of their numbers.
    """
    import vl_convert as vlc

    for _ in range(_TRIES):
        pdf: bytes = _NAMED.sub(
            lambda found: b"".join(sorted(found[0].splitlines(keepends=True))), vlc.svg_to_pdf(svg)
        )
        places = [pdf.find(b"\n%d 0 obj" % n) for n in sorted({int(n) for n in _FONT.findall(pdf)})]
        if places == sorted(places):
            break
    return pdf


def _harmless(text: str) -> str:
    return harmless(text).replace("--", "- -").replace("--", "- -")


SVG, PDF, PGF, PNG, HTML, JSON = (
    ChartFile(write, "figures")
    for write in (
        _svg,
        _pdf,
        _pgf,
        _without_comment(_png),
        _without_comment(_html),
        # The specification in Vega-Lite, which other tools draw.
        _without_comment(lambda drawn: f"{drawn.to_json(sort_keys=True)}\n".encode()),
    )
)
