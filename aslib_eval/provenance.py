"""What numbers were made of: data, protocols and code, each as a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval import versions
from aslib_eval.paths import Paths, as_paths
from aslib_eval.sqlfiles import sql_dir

if TYPE_CHECKING:
    import duckdb

_DIGITS = 12
# Facts of a manifest that tell how a scenario is stored, not what it holds.
_STORAGE = ("relations", "importer", "format", versions.SEAL)


@dataclass(frozen=True)
class Provenance:
    """Scenario → hash of its sources and selections, protocol → hash, and the code."""

    scenarios: Mapping[str, str]
    protocols: Mapping[str, str]
    code: str

    @property
    def data(self) -> str:
        """One hash of all scenarios."""
        return _hash(json.dumps(dict(self.scenarios), sort_keys=True))

    def lines(self) -> tuple[str, ...]:
        """For a comment in a file: what was made of what, without a date."""
        protocols = ", ".join(f"{n}@{h}" for n, h in self.protocols.items())
        return (
            f"data {self.data}: {', '.join(self.scenarios)}",
            f"protocol {protocols}",
            f"code {self.code}",
        )


def provenance(
    con: duckdb.DuckDBPyConnection,
    lake: str | Path,
    *,
    sql_dirs: Paths = (),
) -> Provenance:
    """Of everything that an open lake shows, and of the views that it has."""
    ids = con.sql("select distinct scenario_id from raw_scenario order by all")
    names = [name for (name,) in ids.fetchall()]
    protocols = con.sql("select protocol, hash from protocol order by protocol")
    return Provenance(
        scenarios={name: _scenario(Path(lake), name) for name in names},
        protocols=dict(protocols.fetchall()),
        code=_code(tuple(as_paths(sql_dirs))),
    )


def _scenario(lake: Path, name: str) -> str:
    held = versions.lease(lake, name)
    if held is None:
        return "gone"
    try:
        facts: dict[str, Any] = held.manifest()
    finally:
        held.release()
    kept = {key: value for key, value in facts.items() if key not in _STORAGE}
    return _hash(json.dumps(kept, sort_keys=True))


@cache
def _code(sql_dirs: tuple[Path, ...]) -> str:
    """Version, DuckDB's, and a hash of every module and every SQL file."""
    import duckdb

    from aslib_eval import __version__

    package = Path(__file__).parent
    digest = hashlib.sha256()
    for root, glob in (
        (package, "*.py"),
        *((d, "*.sql") for d in (sql_dir(), *sql_dirs)),
    ):
        for path in sorted(root.rglob(glob)):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    found = digest.hexdigest()[:_DIGITS]
    return f"{found}: aslib-eval {__version__}, DuckDB {duckdb.__version__}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
