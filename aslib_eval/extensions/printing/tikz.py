"""A drawn chart, SVG → TikZ, in which LaTeX sets the texts in the letters of the paper."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from aslib_eval.tables.to_text import tex_text

_HEAD = r"""% Needs \usepackage{tikz}. One unit is a pixel, of which 96 are an inch.
\begin{tikzpicture}[x=0.75bp, y=-0.75bp, every node/.style={inner sep=0pt, outer sep=0pt}]
"""
_UNSEEN = {None, "none", "transparent"}
_PIXEL = 0.75  # bp
_POINT = 1.00375 * _PIXEL  # TeX's pt of a pixel
_STEP = re.compile(r"([MLhvCAZ])((?:[-\d.,\s]|e-)*)")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_MOVE = re.compile(r"(translate|rotate)\(([^)]*)\)")
_QUARTER = 4 / 3 * math.tan(math.pi / 8)  # how far the controls of a quarter of a circle are
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz(svg: str) -> str:
    """The picture of an SVG that Vega wrote, without its white ground."""
    root = ET.fromstring(svg)  # noqa: S314
    box = f"\\useasboundingbox (0,0) rectangle ({root.get('width')},{root.get('height')});\n"
    drawn = (f"{line}\n" for child in root[1:] for line in _element(child, 0j, 0.0))
    return f"{_HEAD}{box}{''.join(drawn)}\\end{{tikzpicture}}%\n"


def _element(found: ET.Element, origin: complex, turn: float) -> Iterator[str]:
    """The commands of an element and of those in it.

    origin: where it stands from the left and from above. turn: degrees by which it is turned to the right.
    """
    if found.get("display") == "none":
        return
    for kind, text in _MOVE.findall(found.get("transform", "")):
        if kind == "rotate":
            turn += float(text)
        else:
            origin += complex(*_numbers(text)) * _direction(turn)
    kind = found.tag.rpartition("}")[2]
    if kind == "g":
        for child in found:
            yield from _element(child, origin, turn)
    elif kind == "text":
        yield from _texts(found, origin, turn)
    elif look := _look(found):
        outline = found.get("d") or f"M0,0L{found.get('x2')},{found.get('y2')}"
        yield f"\\path[{look}] {' '.join(_steps(outline, origin, _direction(turn)))};"


def _direction(turn: float) -> complex:
    return cmath.rect(1, math.radians(turn))


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]


def _at(place: complex) -> str:
    return f"({round(place.real, 2) + 0.0:g},{round(place.imag, 2) + 0.0:g})"


def _steps(outline: str, origin: complex, direction: complex) -> Iterator[str]:
    """The steps of an outline. An arc, which Vega draws of half circles alone, is two curves."""
    here = start = 0j

    def curve(*places: complex) -> str:
        first, second, end = (_at(origin + place * direction) for place in places)
        return f".. controls {first} and {second} .. {end}"

    for kind, text in _STEP.findall(outline):
        numbers = _numbers(text)
        if kind == "Z":
            here = start
            yield "-- cycle"
            continue
        before = here
        if kind in "hv":
            here += numbers[0] * (1 if kind == "h" else 1j)
        else:
            here = complex(*numbers[-2:])
        if kind == "M":
            start = here
            yield _at(origin + here * direction)
        elif kind == "C":
            yield curve(complex(*numbers[:2]), complex(*numbers[2:4]), here)
        elif kind == "A":
            middle = (before + here) / 2
            out = before - middle
            aside = out * (1j if numbers[4] else -1j)
            top = middle + aside
            yield curve(before + _QUARTER * aside, top + _QUARTER * out, top)
            yield curve(top - _QUARTER * out, here + _QUARTER * aside, here)
        else:
            yield f"-- {_at(origin + here * direction)}"


def _look(found: ET.Element) -> str:
    """How an outline is filled and drawn; "" where neither is seen."""
    wide = float(found.get("stroke-width", 1)) * _PIXEL
    paints = {"fill": found.get("fill"), "draw": found.get("stroke") if wide else None}
    look = [f"{what}={_paint(color)}" for what, color in paints.items() if color not in _UNSEEN]
    if not look:
        return ""
    if paints["draw"] not in _UNSEEN:
        look.append(f"line width={wide:g}bp")
        dashes = [part * _PIXEL for part in _numbers(found.get("stroke-dasharray", ""))]
        if all(dashes) and dashes:
            parts = (f"{('on', 'off')[at % 2]} {part:g}bp" for at, part in enumerate(dashes))
            look.append(f"dash pattern={' '.join(parts)}")
        if found.get("stroke-linejoin"):
            look.append(f"line join={found.get('stroke-linejoin')}")
    kinds = {"opacity": "opacity", "fill-opacity": "fill opacity", "stroke-opacity": "draw opacity"}
    look += [f"{kinds[name]}={found.get(name)}" for name in kinds if found.get(name, "1") != "1"]
    return ", ".join(look)


def _paint(color: str | None) -> str:
    """A colour of Vega, ``#rgb`` or ``#rrggbb``, as xcolor reads it."""
    digits = (color or "#000").removeprefix("#")
    each = len(digits) // 3
    red, green, blue = (int(digits[at : at + each] * (3 - each), 16) for at in range(0, 3 * each, each))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _texts(found: ET.Element, origin: complex, turn: float) -> Iterator[str]:
    """A node a line. Its size is whole, as the default font has no others."""
    size = round(_numbers(found.get("font-size", ""))[0] * _POINT)
    bold = r"\bfseries" if found.get("font-weight") == "bold" else ""
    look = f"anchor={_ANCHORS[found.get('text-anchor', 'start')]}, text={_paint(found.get('fill'))}"
    look += f", font=\\fontsize{{{size}}}{{{size}}}\\selectfont{bold}"
    if turn:
        look += f", rotate={-turn:g}"
    below = 0.0
    for line in list(found) or [found]:
        below += float(line.get("dy", 0))
        if line.text:
            place = _at(origin + below * 1j * _direction(turn))
            yield f"\\node[{look}] at {place} {{{tex_text(line.text)}}};"
