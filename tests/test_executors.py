"""Parts of the work are done in other processes or here, as far as they are wanted."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Semaphore
from time import monotonic, sleep
from typing import Any

import pytest

from aslib_eval import executors
from aslib_eval.errors import AslibError
from aslib_eval.executors import Helper, cluster_of, computed, processes


def test_processes_do_each_part_once() -> None:
    with processes(2) as pool:
        found = dict(computed(pool, abs, [-3, -2, -1]))
        ((_, elsewhere),) = computed(pool, eval, ["__import__('os').getpid()"])
    assert found == {-3: 3, -2: 2, -1: 1}
    assert elsewhere != os.getpid()


def test_several_threads_may_end_one_process() -> None:
    """One after the other: a link that two close at once gives EBADF."""
    helper, closing, most = Helper(Connection.recv), Semaphore(1), []

    def close() -> None:
        most.append(closing.acquire(blocking=False))
        sleep(0.05)
        closing.release()

    helper.link.close()
    helper.link.close = close  # type: ignore[method-assign]
    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(lambda _: helper.end(), range(4))} == {-signal.SIGKILL}
    assert most == [True] * 4


def test_a_script_is_not_run_once_more_by_its_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from aslib_eval.executors import computed, processes\n"
        "print('begun')\n"
        "with processes(2) as pool:\n"
        "    print(list(computed(pool, abs, [-3])))\n"
    )
    ran = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("begun\n[(-3, 3)]\n", "")


def test_few_parts_are_handed_over_ahead() -> None:
    parts = iter(range(9))
    with ThreadPoolExecutor(2) as pool:
        found = computed(pool, abs, parts, ahead=3)
        next(found)
        assert next(parts) == 4
        found.close()


def test_one_job_is_done_here() -> None:
    with processes(1) as pool:
        assert pool is None
        assert list(computed(pool, abs, [-3, -2])) == [(-3, 3), (-2, 2)]


def test_an_interrupt_ends_the_work_that_is_under_way() -> None:
    begun: list[Future[None]] = []

    def interrupted() -> None:
        with processes(2) as pool:
            assert pool is not None
            begun.append(pool.submit(sleep, 600))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert begun[0].done()


def test_a_process_that_is_killed_is_no_traceback() -> None:
    kill = f"__import__('os').kill(__import__('os').getpid(), {signal.SIGKILL:d})"
    with pytest.raises(AslibError, match="ended from outside"), processes(2) as pool:
        list(computed(pool, eval, [kill]))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("what", ['__import__("time").sleep(600)', "while True: pass"])
def test_workers_end_with_their_parent(number: int, what: str) -> None:
    """Also those that are at work, or are helpers; a worker has one of its own."""
    script = (
        "import os, signal\n"
        # What starts the tests may have these ignored, as nohup does.
        "for number in signal.SIGTERM, signal.SIGHUP:\n"
        "    signal.signal(number, signal.SIG_DFL)\n"
        "from multiprocessing.connection import Connection\n"
        "from aslib_eval.executors import Helper, processes\n"
        "with processes(2) as pool:\n"
        "    pids = [*pool.map(eval, [\"__import__('os').getpid()\"] * 2)]\n"
        "    helper = Helper(Connection.recv)\n"
        "    print(*pids, *pool._processes, helper.pid, flush=True)\n"
        "    for _ in 1, 2, 3, 4:\n"
        f"        pool.submit(exec, '{what}')\n"
        "    helper.link.poll(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pids = {int(pid) for pid in process.stdout.readline().split()}
        assert len(pids) == 3
        sleep(0.5)
        process.send_signal(number)
        try:
            assert process.wait(20) == -number
        finally:
            process.kill()
    end = monotonic() + 20
    while left := [pid for pid in pids if _runs(pid)]:
        assert monotonic() < end, left
        sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_parts_that_wait_are_not_begun_after_one_that_fails() -> None:
    begun: list[int] = []

    def fail(part: int) -> None:
        begun.append(part)
        raise ValueError(part)

    def alone() -> Iterator[object]:
        yield from computed(None, fail, [1, 2])

    with pytest.raises(ValueError, match="1"):
        list(alone())
    assert begun == [1]


def test_a_caller_that_stops_cancels_what_waits() -> None:
    begun: list[int] = []
    stopped = Event()

    def work(part: int) -> None:
        begun.append(part)
        if part:
            stopped.wait()

    with ThreadPoolExecutor(1) as pool:
        found = computed(pool, work, range(9))
        next(found)
        found.close()
        stopped.set()
    assert len(begun) <= 2


def test_an_address_begins_with_what_finds_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {"tcp": "tcp {}".format, "grid": "grid {}".format}
    monkeypatch.setattr(executors, "CLUSTERS", known)
    found: list[Any] = [cluster_of(address) for address in ("tcp://a:1", "grid://b", "c:1")]
    assert found == ["tcp tcp://a:1", "grid grid://b", "tcp c:1"]
    with pytest.raises(AslibError) as refused:
        cluster_of("gird://b")
    assert str(refused.value) == (
        "--cluster: no extension knows clusters whose address begins with gird://. Did you mean 'grid'?"
    )
