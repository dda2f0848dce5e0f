"""Provenance of results: hashes of the data, the protocols and the code."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.database.sqlfiles import version
from aslib_eval.lake.versions import content_of
from aslib_eval.paths import Paths, as_paths
from aslib_eval.plugins import EXTENSIONS, sources

if TYPE_CHECKING:
    from aslib_eval.database.open_lake import OpenLake

_DIGITS = 12


@dataclass(frozen=True)
class Provenance:
    """Hashes by scenario (sources and selections) and by protocol, and of the code."""

    scenarios: Mapping[str, str]
    protocols: Mapping[str, str]
    code: str

    @property
    def data(self) -> str:
        """One hash of all scenarios."""
        return _hash(json.dumps(dict(self.scenarios), sort_keys=True))

    def lines(self) -> tuple[str, ...]:
        """Lines for a comment in a file, without a date."""
        protocols = ", ".join(f"{n}@{h}" for n, h in self.protocols.items())
        return (
            f"data {self.data}: {', '.join(self.scenarios)}",
            f"protocol {protocols}",
            f"code {self.code}",
        )


def provenance(lake: OpenLake) -> Provenance:
    """Provenance of the scenarios and views of an open lake."""
    contents = {name: content_of(each) for name, each in lake.manifests.items()}
    return Provenance(
        scenarios={n: _hash(json.dumps(c, sort_keys=True)) for n, c in contents.items()},
        protocols=dict(sorted((p.protocol, p.hash) for p in lake.protocols)),
        code=code(lake.sql_dirs),
    )


def code(sql_dirs: Paths = ()) -> str:
    """Version, DuckDB's, and a hash of every module and SQL file, and of plug-ins."""
    import duckdb

    from aslib_eval._version import __version__

    digest = _package().copy()
    for plug_in, file in sources():
        digest.update(f"{plug_in}\n{plug_in.home}\n".encode() + file.read_bytes())
    for root in as_paths(sql_dirs):  # a user may change them during a run
        _add(digest, root, (".sql", ".toml"))
    found = digest.hexdigest()[:_DIGITS]
    return f"{found}: aslib-eval {__version__}, DuckDB {duckdb.__version__}"


def libraries() -> tuple[bytes, ...]:
    """The versions of the libraries that do arithmetic, which are not loaded for it."""
    found = (find_spec(name) for name in ("numpy", "scipy"))
    modules = (Path(str(spec.origin)) for spec in found if spec is not None)
    return tuple(path.with_name("version.py").read_bytes() for path in modules)


@cache
def _package() -> hashlib._Hash:
    digest = hashlib.sha256()
    _add(digest, Path(__file__).parent, ".py")
    _add(digest, EXTENSIONS, "entry_points.txt")
    digest.update(version().encode())
    return digest


def _add(digest: hashlib._Hash, root: Path, suffix: str | tuple[str, ...]) -> None:
    """Add the names and contents of plain files (reading a pipe would block)."""
    for folder, _, names in sorted(os.walk(root)):  # half the time that rglob takes
        for name in sorted(name for name in names if name.endswith(suffix)):
            path = Path(folder, name)
            if path.is_file():
                content = path.read_bytes()
                place = path.relative_to(root).as_posix()
                digest.update(f"{place}\n{len(content)}\n".encode() + content)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
