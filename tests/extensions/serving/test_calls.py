"""What ``serve`` and ``report --sql-page`` hand to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_calls import called


def test_what_serve_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = (
        "serve --lake L --scenario A --protocol asf --sql tests --port 7 --open -o out "
        "--jobs 2 --timeout 3 --memory 1GB"
    )
    found = called(line, "aslib_eval.extensions.serving.server:serve", monkeypatch)
    asked = found[1]
    assert callable(asked.pop("ready"))
    assert asked == {
        "lake": Path("L"), "scenarios": ("A",), "protocol": "asf",
        "sql_dirs": (Path("tests"),), "port": 7, "open": True, "output": Path("out"),
        "jobs": 2, "timeout": 3.0, "memory": "1GB",
    }  # fmt: skip


def test_which_package_the_page_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "report --lake L --sql-page package.tgz"
    function = "aslib_eval.extensions.serving.sql_page:read_package"
    assert called(line, function, monkeypatch) == ((Path("package.tgz"),), {})
