"""The harness of scripts/measure: limits, the journal, going on after a kill, proof."""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from measuring import box, company
from measuring.campaign import measure
from measuring.journal import Journal
from measuring.plan import Child, Folder, Key, Limits, Outcome, Plan, Recheck, Record, Send
from measuring.proof import prove
from measuring.publish import hashes

pytestmark = pytest.mark.slow

LIMITS = Limits(cpu=1, wall=300, memory=1 << 28)


# --- one process ----------------------------------------------------------------------


def test_a_child_sends_and_returns() -> None:
    def child(send: Send) -> None:
        send({"answer": 42})
        send([1, None])

    outcome, sent = box.run(child, limits=LIMITS)
    assert (outcome.end, outcome.code) == ("done", 0)
    assert sent == [{"answer": 42}, [1, None]]


def test_a_long_message_arrives_whole() -> None:
    _, sent = box.run(lambda send: send("x" * 1_000_000), limits=LIMITS)
    assert sent == ["x" * 1_000_000]


def test_the_clock_of_a_child_starts_at_its_fork() -> None:
    def burn(until: float) -> None:
        while time.process_time() < until:
            pass

    burn(time.process_time() + 0.2)  # the measuring process has a past
    outcome, _ = box.run(lambda _: burn(0.1), limits=LIMITS)
    assert outcome.cpu >= 0.1
    idle, _ = box.run(lambda _: None, limits=LIMITS)
    assert idle.cpu < 0.1


def test_the_cpu_limit_ends_a_child_that_ignores_signals() -> None:
    def child(send: Send) -> None:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        send("before")
        while True:
            pass

    outcome, sent = box.run(child, limits=LIMITS)
    assert outcome.end == "cpu"
    assert sent == ["before"]


def test_the_wall_limit_ends_a_child_that_sleeps() -> None:
    def child(send: Send) -> None:
        send("before")
        time.sleep(60)

    outcome, sent = box.run(child, limits=Limits(cpu=1, wall=3, memory=1 << 28))
    assert (outcome.end, outcome.code) == ("wall", -signal.SIGKILL)
    assert sent == ["before"]


def test_the_wall_limit_also_holds_once_the_pipe_is_closed() -> None:
    def child(_: Send) -> None:
        os.closerange(3, 100)
        time.sleep(60)

    outcome, _ = box.run(child, limits=Limits(cpu=1, wall=0.1, memory=1 << 28))
    assert outcome.end == "wall"


def test_the_memory_limit_is_above_what_the_parent_holds() -> None:
    # Maps, as an allocation may find room among what the parent has freed.
    def child(send: Send) -> None:
        send("fits" if mmap.mmap(-1, 1 << 26) else "")
        try:
            mmap.mmap(-1, 1 << 29)
        except OSError as error:
            raise MemoryError from error

    outcome, sent = box.run(child, limits=LIMITS)
    assert (outcome.end, sent) == ("memory", ["fits"])


def aborts(_: object) -> None:
    faulthandler.disable()  # pytest's would print every thread
    os.abort()


def test_a_child_that_raises_or_aborts_crashed(capfd: pytest.CaptureFixture) -> None:
    assert box.run(lambda _: 1 / 0, limits=LIMITS)[0].end == "crash"
    assert "ZeroDivisionError" in capfd.readouterr().err
    # A fork has the memory of its parent, and this one may be large.
    limits = replace(LIMITS, memory=1 << 40)
    outcome, _ = box.run(aborts, limits=limits)
    assert (outcome.end, outcome.code) == ("crash", -signal.SIGABRT)


# --- many of them ---------------------------------------------------------------------


def work(key: Key) -> Child:
    return lambda send: send(key[1])


def judge(_: Key, sent: Sequence[Any], outcome: Outcome) -> dict[str, Any]:
    return {"status": outcome.end, "said": sent}


def recheck(_: Path) -> Iterator[Recheck]:
    def agrees(record: Record) -> str | None:
        return None if record.found["said"] == ["a"] else "it said something else"

    yield Recheck(("run", "a", "solver", "1"), "a", agrees)


def plan(**other: Any) -> Plan:
    """Four runs and a repeat of the first two."""
    said: dict[str, Any] = {
        "scenario_id": "FOUR",
        "jobs": lambda: [("run", name, "solver", "1") for name in "abcd"],
        "limits": lambda _: LIMITS,
        "work": work,
        "judge": judge,
        "instances": lambda: iter([("a.cnf", b"a"), ("b.cnf", b"b")]),
        "assemble": lambda *_: Folder({}, "", ""),
        "again": lambda records: [("repeat", *r.key[1:]) for r in records[:2]],
        "recheck": recheck,
        "packages": ("numpy",),
    }
    return Plan(**(said | other))


def keys(journal: Journal) -> list[str]:
    return [f"{record.key[0]} {record.key[1]}" for record in journal.records.values()]


ALL = ["run a", "run b", "run c", "run d", "repeat a", "repeat b"]


def go_on(folder: Path, *, most: int | None = None) -> None:
    """Measure as a new process would."""
    with closing(Journal(folder, write=True)) as journal:
        measure(plan(), journal, most=most)


def test_measuring_goes_on_where_it_stopped(tmp_path: Path) -> None:
    go_on(tmp_path, most=3)
    assert keys(Journal(tmp_path)) == ALL[:3]
    go_on(tmp_path)
    go_on(tmp_path)  # there is nothing left
    journal = Journal(tmp_path)
    assert keys(journal) == ALL
    assert [r.found["said"] for r in journal.records.values()] == [[name] for name in "abcdab"]
    assert len(journal.sessions) == 3


def test_a_line_cut_by_a_kill_is_measured_again(tmp_path: Path) -> None:
    go_on(tmp_path, most=3)
    file = tmp_path / "journal.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    assert keys(Journal(tmp_path)) == ALL[:2]
    go_on(tmp_path)
    assert keys(Journal(tmp_path)) == ALL


def test_one_process_writes_a_journal(tmp_path: Path) -> None:
    first = Journal(tmp_path, write=True)
    with closing(first), pytest.raises(SystemExit, match="being written already"):
        Journal(tmp_path, write=True)
    Journal(tmp_path, write=True).close()


def test_proof_names_instances_that_are_not_the_same(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    committed = tmp_path / "instances.sha256"
    committed.write_text(hashes(plan()))
    assert prove(plan(), tmp_path) == 0
    assert "byte for byte the same" in capsys.readouterr().out
    other = plan(instances=lambda: iter([("a.cnf", b"a"), ("b.cnf", b"c")]))
    assert prove(other, tmp_path) == 1
    assert "b.cnf" in capsys.readouterr().out


def test_proof_fails_if_a_run_says_something_else(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "instances.sha256").write_text(hashes(plan()))
    liar = plan(work=lambda _: lambda send: send("z"))
    assert prove(liar, tmp_path) == 1
    assert "DIFFERS: it said something else" in capsys.readouterr().out


# --- what company does to a time ------------------------------------------------------


def burn(_: Key) -> Child:
    def child(_: Send) -> None:
        while time.process_time() < 0.02:
            pass

    return child


def took(kind: str, name: str, cpu: float) -> Record:
    return Record((kind, name, "s", "1"), Outcome("done", cpu, cpu, 0, 0), {}, 0.0)


def test_runs_are_made_alone_beside_and_together_with_a_second_worker(tmp_path: Path) -> None:
    with closing(Journal(tmp_path, write=True)) as journal:
        for record in (took("run", "a", 0.1), took("run", "b", 1), took("run", "c", 9)):
            journal.add(record)
        (other, *_) = os.sched_getaffinity(0)
        company.accompany(plan(work=burn), journal, other=other)
        company.accompany(plan(work=burn), journal, other=other)  # nothing is left
    assert [f"{r.key[0]} {r.key[1]}" for r in Journal(tmp_path).records.values()] == [
        "run a",
        "run b",
        "run c",
        "alone b",
        "beside b",
        "together b",
    ]


def test_the_readme_tells_how_much_longer() -> None:
    assert "was not measured" in company.told({"alone": [took("alone", "a", 1.0)]})
    kinds = {
        kind: [took(kind, name, factor * cpu) for name, cpu in (("a", 1.0), ("b", 2.0))]
        for kind, factor in (("alone", 1), ("beside", 1.1), ("together", 1.2))
    }
    said = company.told(kinds)
    assert "2 runs of 0.3 to 4 s made again" in said
    assert "other core, times those alone: median 1.100" in said
    assert "same core, times those alone: median 1.200" in said
