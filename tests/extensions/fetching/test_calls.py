"""What ``fetch`` hands to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_calls import called


def test_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "fetch A 'B*' --to t --mirror m --unverified --max-mib 7 --max-seconds 8"
    function = "aslib_eval.extensions.fetching:fetch"
    assert called(line, function, monkeypatch) == (
        (),
        {"names": ("A", "B*"), "to": Path("t"), "mirror": "m", "unverified": True,
         "max_mib": 7, "max_seconds": 8, "progress": False},
    )  # fmt: skip
