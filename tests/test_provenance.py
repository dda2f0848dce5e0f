"""The hash of all code that decides about a number."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from aslib_eval._version import __version__
from aslib_eval.provenance import code


def test_it_names_the_versions_too() -> None:
    words = re.escape(f": aslib-eval {__version__}, DuckDB {duckdb.__version__}")
    assert re.fullmatch(rf"[0-9a-f]+{words}", code())


@pytest.mark.parametrize(("name", "counts"), [("v.sql", True), ("a/b.toml", True), ("notes.txt", False)])
def test_a_users_views_and_their_rows_count(
    tmp_path: Path,
    name: str,
    counts: bool,  # noqa: FBT001
) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    found = [code([tmp_path])]
    for text in ("one", "two"):
        file.write_text(text)
        found.append(code([tmp_path]))
    file.rename(file.with_name(f"x{file.name}"))
    found.append(code([tmp_path]))
    assert len(set(found)) == (4 if counts else 1)
