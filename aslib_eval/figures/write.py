"""A chart's specification → a file that opens without a network, or its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from aslib_eval.atomic_files import replace_file, require_file
from aslib_eval.errors import AslibError, harmless, require_extra
from aslib_eval.figures.altair import WIDTH, Spec, vega_lite

# Lines such as "/fo1 2 0 R", one below the other.
_FONTS = re.compile(rb"(?:^ */\w+ \d+ 0 R\n){2,}", re.MULTILINE)
_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
_TRIES = 200
TITLED = 140.0  # mm of a chart that stands alone, with its title
_POINTS = 0.75  # of a pixel
_LINE = 200  # a PDF must end within 1024 bytes of its last mark
SUFFIXES = (".svg", ".pdf", ".png", ".html")
HINT = "Choose another --chart; nothing was changed."


def as_bytes(
    spec: Spec,
    *,
    suffix: str,
    width: float = WIDTH,
    titled: bool = False,
    comment: Sequence[str] = (),
) -> bytes:
    """A chart's specification as ``.svg`` or ``.pdf``, with lines in a comment.

    width: millimetres. titled: with its title above it. A PDF is as large as browsers
    show the SVG.

    The same chart gives the same bytes; the comment of a PDF comes last, where its
    lines are cut to what readers skip.

    """
    require_extra("figures", where="chart")
    import vl_convert as vlc

    svg: str = vlc.vegalite_to_svg(
        vega_lite(spec, width=width, titled=titled).to_json()
    )
    if suffix == ".svg":
        comments = "".join(f"<!-- {_harmless(line)} -->\n" for line in comment)
        return f"{comments}{svg.rstrip()}\n".encode()
    comments = "".join(f"% {_harmless(line)[:_LINE]}\n" for line in comment)
    return (
        _stable_pdf(_sized(svg)).rstrip() + b"\n" + comments.encode("ascii", "replace")
    )


def _sized(svg: str) -> str:
    """With the size that a PDF has of it; the writer takes a pixel for a point."""

    def scaled(found: re.Match[str]) -> str:
        return f'{found[1]}="{float(found[2]) * _POINTS:g}"'

    head, end, rest = svg.partition(">")
    return _SIZE.sub(scaled, head) + end + rest


def _stable_pdf(svg: str) -> bytes:
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
    return harmless(text).replace("--", "- -").replace("--", "- -")


def save(spec: Spec, to: Path, *, width: float = TITLED) -> None:
    """Write a chart with its title as its file's suffix says; HTML needs no network."""
    require_chart(to)
    import vl_convert as vlc

    if to.suffix in {".html", ".png"}:
        drawn = vega_lite(spec, width=width, titled=True)
        if to.suffix == ".html":
            content: bytes = drawn.to_html(inline=True).encode()
        else:
            content = vlc.vegalite_to_png(drawn.to_json(), scale=2)
    else:
        content = as_bytes(spec, suffix=to.suffix, width=width, titled=True)
    replace_file(to, content, hint=HINT)


def require_chart(to: Path) -> None:
    """Check that a chart can be written, before the work for it is done."""
    if to.suffix not in SUFFIXES:
        hint = f"Name it with one of {', '.join(SUFFIXES)}."
        raise AslibError("this is no kind of chart", str(to), hint)
    require_extra("figures", where="chart")
    require_file(to, hint=HINT)
