"""The tables and figures of a paper: ``paper build`` and ``paper check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from aslib_eval.options import Option, public
from aslib_eval.paths import as_path

if TYPE_CHECKING:
    from aslib_eval.extensions.manifests.papers import FileChange

_Manifest = Annotated[str | Path, Option("A .toml file.", flags="")]
_OtherLake = Annotated[
    str | Path | None,
    Option(
        "The lake: the folder that holds the imported scenarios.", shown="the lake that the manifest names"
    ),
]
_OtherOutput = Annotated[
    str | Path | None,
    Option(
        "Folder that holds the paper's tables and figures.",
        flags="-o --output",
        metavar="DIR",
        shown="the folder that the manifest names",
    ),
]


@public
def paper_build(
    manifest: _Manifest = "aslib-eval.toml", *, lake: _OtherLake = None, output: _OtherOutput = None
) -> list[Path]:
    """Write all tables and figures that a manifest lists, and a file that records the values in them.

    The error for files that cannot be made names the others as ``written``.

    >>> ae.paper_build("paper.toml")[0].name
    'gap.tex'
    """
    from aslib_eval.extensions.manifests.papers import build as run
    from aslib_eval.extensions.manifests.papers import read_manifest

    what = read_manifest(Path(manifest), lake=as_path(lake), output=as_path(output))
    return run(what, progress=sys.stderr.isatty())


@public
def paper_check(
    manifest: _Manifest = "aslib-eval.toml", *, lake: _OtherLake = None, output: _OtherOutput = None
) -> list[FileChange]:
    """Which numbers of a paper would change, and why: data, protocol or code.

    >>> ae.paper_check("paper.toml")
    []
    """
    from aslib_eval.extensions.manifests.papers import check as run
    from aslib_eval.extensions.manifests.papers import read_manifest

    what = read_manifest(Path(manifest), lake=as_path(lake), output=as_path(output))
    return run(what, progress=sys.stderr.isatty())
