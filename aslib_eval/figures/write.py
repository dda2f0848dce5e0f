"""Charts as files: which kinds there are, and how a chart becomes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aslib_eval.atomic_files import replace_file, require_file
from aslib_eval.errors import AslibError, require_extra
from aslib_eval.plugins import RESERVED, Registry, of_kind

Spec = Mapping[str, Any]
COLUMN = 85.0  # mm of a column of a page
TITLED = 140.0  # mm of a chart that stands alone, with its title
HINT = "Choose another --chart; nothing was changed."


@dataclass(frozen=True)
class ChartFile:
    """A kind of file that a chart can be written as.

    write: takes the specification of a chart, and by name ``width`` [mm], ``titled`` (with its title above
    it) and ``comment`` (lines, if the kind has comments); gives the bytes. extra: of aslib-eval, whose
    libraries it takes; "" for none.
    """

    write: Callable[..., bytes]
    extra: str = ""


# Suffix without its dot → the kind of file.
CHART_FILES: Registry[ChartFile] = Registry(
    "charts", dict.fromkeys(("svg", "pdf", "png", "html"), RESERVED), of_kind(ChartFile)
)


def as_bytes(
    spec: Spec, *, suffix: str, width: float = COLUMN, titled: bool = False, comment: Sequence[str] = ()
) -> bytes:
    """A chart's specification as a file with a suffix such as ``.svg``.

    width: millimetres. titled: with its title above it. The same chart gives the same bytes.

    """
    return _kind(suffix, str(spec["title"])).write(spec, width=width, titled=titled, comment=comment)


def save(spec: Spec, to: Path, *, width: float = TITLED) -> None:
    """Write a chart with its title as its file's suffix says; HTML needs no network."""
    require_chart(to)
    replace_file(to, as_bytes(spec, suffix=to.suffix, width=width, titled=True), hint=HINT)


def require_chart(to: Path) -> None:
    """Check that a chart can be written, before the work for it is done."""
    _kind(to.suffix, str(to))
    require_file(to, hint=HINT)


def _kind(suffix: str, where: str) -> ChartFile:
    if suffix.removeprefix(".") not in CHART_FILES:
        some = ", ".join(f".{name}" for name in CHART_FILES)
        hint = f"Name it with one of {some}." if some else "No extension writes any."
        raise AslibError("this is no kind of chart", where, hint)
    kind = CHART_FILES[suffix.removeprefix(".")]
    if kind.extra:
        require_extra(kind.extra, where="chart")
    return kind
