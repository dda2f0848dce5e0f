"""Limits of time and memory, shown with work that ends only when it is told to."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database import query
from aslib_eval.database.query import Limits, RunawayError, within_limits
from tests.conftest import ROOT

PLENTY = Limits(seconds=600, memory=2**50)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (None, 500),
        ("1", None),
        ("100B", 100),
        ("2KB", 2000),
        ("2 kb", 2000),
        ("1.5M", 1_500_000),
        ("3GiB", 3 * 2**30),
        ("1TB", 10**12),
        ("1TiB", 2**40),
        ("25%", 250),
        ("100%", 1000),
        ("101%", None),
        ("0GB", None),
        ("-1GB", None),
        ("nanGB", None),
        ("GB", None),
        ("", None),
    ],
)
def test_amounts_of_memory(text: str | None, size: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "machine_memory", lambda: 1000)
    if size is None:
        with pytest.raises(ae.AslibError, match=r"^memory: .* is no amount of memory"):
            query.limits(memory=text)
    else:
        assert query.limits(memory=text) == Limits(60.0, size)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_limit_is_a_time(timeout: float) -> None:
    with pytest.raises(ae.AslibError, match=r"^timeout: .* is no time limit"):
        query.limits(timeout=timeout)


def test_work_within_its_limits_returns_or_raises() -> None:
    assert within_limits(PLENTY, lambda: 1, stop=lambda: None) == 1
    with pytest.raises(ZeroDivisionError):
        within_limits(PLENTY, lambda: 1 // 0, stop=lambda: None)


def test_work_over_its_time_is_stopped() -> None:
    stopped = threading.Event()
    with pytest.raises(ae.AslibError, match=r"^query: took longer than 0.01 s"):
        within_limits(Limits(0.01, 2**50), stopped.wait, stop=stopped.set)
    assert stopped.is_set()


def test_work_over_its_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has 100 bytes, may grow by 1.5 times 10, and grows to 116."""
    sizes = iter([100, 115, 115])
    monkeypatch.setattr(query, "resident_memory", lambda *_: next(sizes, 116))
    stopped = threading.Event()
    with pytest.raises(ae.AslibError, match=r"^query: needs more than 10 B of memory"):
        within_limits(Limits(600, 10), stopped.wait, stop=stopped.set)
    assert next(sizes, None) is None


def test_work_that_does_not_stop_runs_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "_GRACE", 0.05)
    end = threading.Event()
    with pytest.raises(RunawayError, match="end this process"):
        within_limits(Limits(0.01, 2**50), end.wait, stop=lambda: None)
    end.set()


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, as on a terminal; what runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_stops_the_work_and_is_passed_on() -> None:
    stopped = threading.Event()

    def work() -> None:
        _thread.interrupt_main()
        stopped.wait()

    with pytest.raises(KeyboardInterrupt):
        within_limits(PLENTY, work, stop=stopped.set)
    assert stopped.is_set()


ENDLESS = "select count(*) from range(1000000000000000)"


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_during_a_query_is_no_traceback(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    select = query.select

    def interrupted(*args: object) -> object:
        _thread.interrupt_main()
        return select(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(query, "select", interrupted)
    found = CliRunner().invoke(main, ["query", ENDLESS, "--lake", str(toy)])
    assert (found.exit_code, found.stderr) == (1, "\nAborted!\n")


@pytest.mark.parametrize(
    ("sql", "options", "message"),
    [
        (ENDLESS, ("--timeout", "0.01"), "query: took longer than 0.01 s."),
        (
            "select list(range) from range(100000000)",
            ("--memory", "60MB"),
            "query: needs more than 60 MB of memory.",
        ),
        ("select 1", ("--memory", "much"), "memory: 'much' is no amount of memory."),
    ],
)
def test_the_command_ends_at_its_limits(
    toy: Path, sql: str, options: tuple[str, str], message: str
) -> None:
    found = CliRunner().invoke(main, ["query", sql, "--lake", str(toy), *options])
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith(message)
    assert found.stderr.count("\n") == 1


NEVER_STOPS = """
import sys, time
from aslib_eval.database import query
from aslib_eval.cli import main
query.select = lambda con, sql: time.sleep(600)
main()
"""


@pytest.mark.slow
def test_the_command_ends_what_nothing_stops(toy: Path, tmp_path: Path) -> None:
    words = ("query", "select 1", "--lake", str(toy), "--timeout", "0.01")
    done = subprocess.run(
        [sys.executable, "-c", NEVER_STOPS, *words],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("query: took longer than 0.01 s. Ask for less")
    assert list(tmp_path.iterdir()) == []
