"""``plan runs``: what its log refuses, and what a program may do and leave behind."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.planning import runs as log
from aslib_eval.extensions.planning.runs import Program, drive
from aslib_eval.extensions.planning.sampling import Accuracy
from aslib_eval.formats.runs.cells import LOGGED, checked, checksum
from tests.conftest import ROOT

ACCURACY = Accuracy(se=0.5, budget=4, start=2)
ECHO = "echo {instance} {seed}"


def echo(name: str = "A", *, more: str = "") -> Program:
    return Program(name, f"echo{more} {{instance}} {{seed}}")


def two(path: Path, **words: Any) -> pl.DataFrame:
    """Two programs, two runs of each; what is to be changed is given."""
    programs = words.pop("programs", (echo(), echo("B")))
    instances = words.pop("instances", ["i"])
    return drive(programs, instances, accuracy=ACCURACY, log=path, **words)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


# --- the log ------------------------------------------------------------------------


def test_the_seed_that_is_logged_is_the_one_that_the_program_got(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    two(path, seed=7)
    frame = pl.read_csv(path)
    assert frame.columns == list(log.columns(timed=False))
    shown = frame.select("algorithm", "run", "seed", "objective", "command", "reads")
    assert shown.rows() == [
        (name, run, 7 + run, 7.0 + run, ECHO, "the last number") for name in ("A", "B") for run in (0, 1)
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"seed": 2}, "--seed was 1, now it is 2"),
        (
            {"programs": (echo(more=" -n"), echo("B"))},
            "its command was echo {instance} {seed}, now it is echo -n {instance}",
        ),
        (
            {"programs": (Program("A", ECHO, r"(\d+)$"), echo("B"))},
            r"--value was the last number, now it is (\d+)$",
        ),
        ({"programs": (Program("A", ECHO, None), echo("B"))}, "now it is time"),
        ({"programs": (echo(), echo())}, "-a A is given twice"),
        ({"instances": ["i", "j", "i"]}, "instance i is given twice"),
    ],
)
def test_runs_that_were_made_otherwise_are_refused(
    tmp_path: Path, words: dict[str, Any], message: str
) -> None:
    path = tmp_path / "log.csv"
    two(path)
    before = path.read_bytes()
    with pytest.raises(AslibError) as caught:
        two(path, **words)
    assert message in str(caught.value)
    assert path.read_bytes() == before


def test_another_version_or_another_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "a.sh"
    script.write_text("#!/bin/sh\necho 1\n")
    script.chmod(0o755)
    path, programs = tmp_path / "log.csv", (Program("A", str(script)), echo("B"))
    two(path, programs=programs)
    two(path, programs=programs)
    script.write_text("#!/bin/sh\necho 2\n")
    with pytest.raises(AslibError, match=r"log.csv:2: .*the program has changed since"):
        two(path, programs=programs)
    made = echo().settings()
    old = log.RunSettings(made.command, made.reads, made.program, "0.0.1")
    monkeypatch.setattr(Program, "settings", lambda _: old)
    with pytest.raises(AslibError, match=r"aslib-eval 0.1.0, now it is 0.0.1"):
        two(path, programs=(echo("A"), echo("B")))


def test_a_third_algorithm_and_more_instances_go_on(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    two(path)
    before = path.read_bytes()
    accuracy = Accuracy(se=0.5, budget=6, start=2)
    programs = [echo(name) for name in "ABC"]
    drive(programs, ["i", "j"], accuracy=accuracy, log=path)
    assert path.read_bytes().startswith(before)
    assert len(lines(path)) == 1 + 12


@pytest.mark.parametrize("cut", [1, 2, 9, 20, 55])
def test_a_torn_last_line_is_dropped_with_a_word(tmp_path: Path, cut: int) -> None:
    path, said = tmp_path / "log.csv", []
    two(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    again: list[Any] = []
    two(path, warn=said.append, done=again.append)
    assert path.read_bytes() == whole
    assert [row["run"] for row in again] == [1]
    (text,) = said
    assert text.startswith(f"{path}: the last line was torn (")


@pytest.mark.parametrize(
    "content", [b"", b"instance,algo", b"\0\0\0", ",".join(log.columns(timed=False)).encode()]
)
def test_a_log_that_was_cut_at_its_first_line_is_begun_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(content)
    two(path)
    assert len(lines(path)) == 5


@pytest.mark.parametrize(
    "text", [b"a,b\n1,2\n", b"\n", b"PK\x03\x04\xff", b"instance,algorithm,run,seed,value\ni,A,0,1,1\n"]
)
def test_a_log_of_something_else_is_left_alone(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(text)
    with pytest.raises(AslibError, match=r"log\.csv:1: not a log of runs"):
        two(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize("byte", [0, 1, 2, 9, 20, 50, -12, -3])
def test_a_damaged_line_is_named(tmp_path: Path, byte: int) -> None:
    """Whatever byte of the third line is changed."""
    path = tmp_path / "log.csv"
    two(path)
    content = path.read_bytes().splitlines(keepends=True)
    damaged = bytearray(content[2])
    damaged[byte] ^= 0x80
    path.write_bytes(b"".join([*content[:2], bytes(damaged), *content[3:]]))
    with pytest.raises(AslibError, match=r"log.csv:3: this line is damaged. Remove it"):
        two(path)


@pytest.mark.parametrize("value", ["inf", "nan", "", "x"])
def test_a_value_that_no_run_has_is_damage(tmp_path: Path, value: str) -> None:
    path = tmp_path / "log.csv"
    two(path)
    made = echo().settings()
    cells = ("i", "A", 7, 8, value, made.command, made.reads, made.program)
    with path.open("ab") as file:
        file.write(log._line((*cells, made.version)))  # noqa: SLF001
    with pytest.raises(AslibError, match=r"log.csv:6: this line is damaged"):
        two(path)


def test_two_values_of_one_run_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    two(path)
    made = echo().settings()
    cells = ("i", "A", 0, 1, 5.5, made.command, made.reads, made.program, made.version)
    with path.open("ab") as file:
        file.write(log._line(cells))  # noqa: SLF001
    with pytest.raises(AslibError, match=r"log.csv:6: run 0 of A on i has two values"):
        two(path)
    path.write_text("\n".join([*lines(path)[:5], lines(path)[1], ""]))
    two(path)  # the same twice does no harm


def drive_into(path: Path, results: Any) -> None:
    try:
        two(path)
        results.put("done")
    except AslibError as error:
        results.put(str(error))


@pytest.mark.slow
def test_a_second_driver_of_one_log_is_sent_away(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    spawn = multiprocessing.get_context("spawn")
    results = spawn.Queue()
    with log.open_log(path, settings={}, seed=1):
        other = spawn.Process(target=drive_into, args=(path, results))
        other.start()
        said = results.get(timeout=60)
        other.join()
    assert "log.csv: another process adds runs to this log" in said
    two(path)
    assert len(lines(path)) == 5


def test_each_run_is_on_disk_before_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(log.os, "fsync", lambda _: order.append("sync"))
    two(tmp_path / "log.csv", done=lambda row: order.append(row["algorithm"]))
    # The folder, the header, and then each run.
    assert order == ["sync"] * 2 + ["sync", "A"] * 2 + ["sync", "B"] * 2


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.csv"
    two(path)
    before, write = path.read_bytes(), os.write

    def half(descriptor: int, content: bytes) -> int:
        return write(descriptor, content[: len(content) // 2])

    with monkeypatch.context() as patched:
        patched.setattr(log.os, "write", half)
        with pytest.raises(AslibError, match=os.strerror(errno.ENOSPC)):
            two(path, instances=["i", "j"])
    assert path.read_bytes() == before


def test_logs_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="cannot be written"):
        two(tmp_path)
    with pytest.raises(AslibError, match="cannot be written"):
        two(tmp_path / "missing" / "log.csv")
    with pytest.raises(AslibError, match="it is a pipe or a device"):
        two(Path("/dev/null"))


@pytest.mark.parametrize("content", [None, "mine"])
def test_a_link_is_no_log(tmp_path: Path, content: str | None) -> None:
    """Nothing is written through it, whether its file exists or not."""
    mine, link = tmp_path / "mine", tmp_path / "log.csv"
    if content is not None:
        mine.write_text(content)
    link.symlink_to(mine)
    with pytest.raises(AslibError, match="is a symbolic link"):
        two(link)
    assert (mine.read_text() if mine.exists() else None) == content


def test_without_locks_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lockless(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(log.fcntl, "flock", lockless)
    with pytest.raises(AslibError, match="cannot be locked"):
        two(tmp_path / "log.csv")


def test_what_cannot_be_planned_makes_no_log(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    with pytest.raises(AslibError, match="is too small"):
        two(path, programs=[echo(name) for name in "ABC"])
    with pytest.raises(AslibError, match="no difference to estimate"):
        two(path, programs=[echo()])
    assert not path.exists()


# --- commands, names and values -----------------------------------------------------


def test_places_are_filled_once() -> None:
    code = f"{sys.executable} -c 'import sys; print(len(sys.argv[1]))' {{instance}}"
    assert Program("A", code).run("{seed}{instance}", 123456) == 16
    assert Program("A", code).run("; touch x", 1) == 9  # no shell reads it


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("A", "echo 'x"), "A: its command cannot be split into words (No closing"),
        (("A", " "), "A: its command is empty"),
        (("", "x"), "an algorithm needs a name"),
        (("A", "x", "("), "A: --value is no regular expression (missing )"),
        (("A", "x", "a{99999999999}"), "is no regular expression"),
        (("A", "x", "(" * 5000), "is no regular expression"),
        (("A", "x\0y"), "A: the command holds a control character"),
        (("A\n", "x"), "the name of an algorithm holds a control character"),
        (("A", "x", "5", 0.0), "A: a run cannot take at most 0 s"),
        (("A", "x", "5", float("nan")), "A: a run cannot take at most nan s"),
    ],
)
def test_programs_that_cannot_be(words: Any, message: str) -> None:
    with pytest.raises(AslibError) as caught:
        Program(*words)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\ud800", "\x7f"])
def test_instances_that_no_line_can_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(AslibError, match="holds a control character or is not UTF-8"):
        two(tmp_path / "log.csv", instances=[name])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("cost 1.465 solver v2.5.1", 1.465),
        ("cost 7 at 2.5.1", 7),
        ("cost 7 a1 x-3 0x1F 3d7f 1_000", 7),
        ("took 12s", 12),
        ("t=+.5e-3;", 0.0005),
        ("(9.)", 9),
        ("-7e2", -700),
        ("info nancy 3", 3),
    ],
)
def test_the_last_number_stands_alone(output: str, value: float) -> None:
    assert Program("A", f"echo '{output}'").run("i", 1) == value


@pytest.mark.parametrize("output", ["3 cost inf", "3 NaN", "3 -Infinity", "1e999"])
def test_a_value_without_a_mean_is_refused_and_not_logged(tmp_path: Path, output: str) -> None:
    path = tmp_path / "log.csv"
    with pytest.raises(AslibError, match=r"A: the value \S+ for i has no mean"):
        two(path, programs=(Program("A", f"echo {output}"), echo("B")))
    assert len(lines(path)) == 1
    two(path)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [(r"cost=(\d+) (\w+)", 7), (r"gain=(\d+)|cost=(\d+)", 7), (r"\d+", 9), (r"(?<=cost=)\d+", 7)],
)
def test_patterns_of_several_groups(pattern: str, value: float) -> None:
    assert Program("A", "echo cost=7 s end 9", pattern).run("i", 1) == value


def test_patterns_that_find_no_number() -> None:
    with pytest.raises(AslibError, match="the value cost for i is no number"):
        Program("A", "echo cost=7", r"(cost)=(\d+)").run("i", 1)
    with pytest.raises(AslibError, match="no value on standard output for i"):
        Program("A", "echo cost=7", r"gain=(\d+)").run("i", 1)


def test_a_program_that_fails_says_what_it_printed(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="exit code 3 on i: oh no"):
        Program("X", python("import sys; print('oh no'); sys.exit(3)")).run("i", 1)
    with pytest.raises(AslibError, match="cannot be run"):
        Program("X", str(tmp_path / "missing")).run("i", 1)
    told = CliRunner().invoke(
        main, ["plan", "runs", "-a", "x", "--se", "1", "--budget", "9", "--log", "l", "i"]
    )
    assert (told.exit_code, "NAME=COMMAND" in told.stderr) == (2, True)


def test_a_pattern_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "SEARCH_SECONDS", 0.3)
    program = Program("A", f"echo {'a' * 60}b", "(a+)+$")
    with pytest.raises(AslibError, match=r"searches the output for i longer than 0.3"):
        program.run("i", 1)


# --- what a program prints and leaves -----------------------------------------------


def python(code: str) -> str:
    return f'{sys.executable} -c "{code}"'


def test_output_that_is_not_utf8() -> None:
    code = "import sys; sys.stdout.buffer.write(bytes([255, 10]) + b'cost 4')"
    assert Program("A", python(code)).run("i", 1) == 4
    assert Program("A", python(code), r"cost (\d)").run("i", 1) == 4
    code = "import sys; sys.stderr.buffer.write(bytes([255, 65])); sys.exit(1)"
    with pytest.raises(AslibError, match="exit code 1 on i: �A"):
        Program("A", python(code)).run("i", 1)
    with pytest.raises(AslibError, match="signal 9 on i"):
        Program("A", "bash -c 'kill -9 $$'").run("i", 1)


def test_of_much_output_the_end_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "OUTPUT_LIMIT", 4096)
    code = "print('cost 5'); print('x 1234567 ' * 20000); print('cost 4')"
    assert Program("A", python(code)).run("i", 1) == 4
    ended = log.run_program([sys.executable, "-c", "print('123456789 ' * 2000, end='')"])
    assert set(ended.output.split()) == {"123456789"}  # none is cut
    assert 4000 < len(ended.output) <= 8192


def test_digits_without_end_take_linear_time() -> None:
    """Quadratic time would take a day."""
    assert log.re.findall(log.NUMBER, "1" * 10**6 + "x1") == []
    assert log.re.findall(log.NUMBER, "1." * 10**6 + "x") == []
    assert log.re.findall(log.NUMBER, "-1" * 10**6) == ["-1"]


def running(token: str) -> list[int]:
    """Processes whose command line holds the token."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if token.encode() in words and state != "Z":
                found.append(int(entry.name))
    return found


def gone(token: str) -> bool:
    """Whether nothing of it runs any more, after a moment."""
    for _ in range(200):
        if not running(token):
            return True
        time.sleep(0.02)
    return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
def test_a_timeout_ends_what_the_program_started() -> None:
    program = Program("A", "bash -c 'sleep 57.0131; echo 1'", timeout=0.3)
    with pytest.raises(AslibError, match=r"more than 0.3 s on i. Raise --timeout"):
        program.run("i", 1)
    assert gone("57.0131")


@needs_proc
def test_what_a_program_leaves_behind_is_ended() -> None:
    assert Program("A", "bash -c 'sleep 57.0132 & echo 5'").run("i", 1) == 5
    assert gone("57.0132")


@needs_proc
def test_a_program_that_will_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "GRACE", 0.1)
    command = "bash -c 'trap \"\" TERM; sleep 57.0133; sleep 57.0133'"
    with pytest.raises(AslibError, match="more than"):
        Program("A", command, timeout=0.5).run("i", 1)
    assert gone("57.0133")


@needs_proc
def test_ctrl_c_while_a_program_starts_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def interrupted(*words: Any, **options: Any) -> Any:
        process = start(*words, **options)
        signal.raise_signal(signal.SIGINT)
        return process

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Program("A", "sleep 57.0134").run("i", 1)
    assert gone("57.0134")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_proc
def test_ctrl_c_while_runs_are_handed_out_ends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = log.ThreadPoolExecutor.submit

    def interrupted(*words: Any) -> Any:
        waiting = submit(*words)
        time.sleep(0.2)
        signal.raise_signal(signal.SIGINT)
        return waiting

    monkeypatch.setattr(log.ThreadPoolExecutor, "submit", interrupted)
    programs = [Program("A", "sleep 57.0135"), Program("B", "echo 1")]
    with pytest.raises(KeyboardInterrupt):
        log.drive(programs, ["i", "j"], accuracy=ACCURACY, log=tmp_path / "log.csv", jobs=2)
    assert gone("57.0135")


def test_a_program_is_asked_to_end_first(tmp_path: Path) -> None:
    file = tmp_path / "asked"
    command = f"trap 'touch {file}; exit' TERM; echo ready; sleep 9 & wait"
    process = subprocess.Popen(
        ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    log._end(process)  # noqa: SLF001 - as at a time limit
    assert file.exists()
    assert process.returncode == 0


def test_a_program_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "end"
    command = f"bash -c 'exec >&- 2>&-; sleep 0.3; touch {file}'"
    assert Program("A", command, None).run("i", 1) >= 0.3
    assert file.exists()


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 1), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_what_runs(tmp_path: Path, number: signal.Signals, code: int) -> None:
    token = f"57.02{int(number)}"
    command = f"bash -c 'touch {tmp_path}/started; sleep {token}; echo 1'"
    words = ["plan", "runs", "-a", f"A={command}", "-a", "B=echo 1", "--se", "1"]
    words += ["--budget", "20", "--log", str(tmp_path / "log.csv"), "i"]
    # As on a terminal: what is run in the background ignores Ctrl-C.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL);"
        "from aslib_eval.cli import main; main()"
    )
    driving = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "started").exists():
        assert driving.poll() is None
        time.sleep(0.02)
    driving.send_signal(number)
    _, errors = driving.communicate(timeout=60)
    assert (driving.returncode, "Traceback" in errors) == (code, False)
    assert gone(token)


# --- the command --------------------------------------------------------------------


def runs(path: Path, *words: str) -> Any:
    always = ["--se", "0.5", "--budget", "4", "--start", "2", "--log", str(path)]
    return CliRunner().invoke(main, ["plan", "runs", *always, *words])


def test_a_torn_line_is_said_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    words = ["-a", "A=echo 1", "-a", "B=echo 2", "i"]
    assert runs(path, *words).exit_code == 0
    path.write_bytes(path.read_bytes()[:-4])
    done = runs(path, *words)
    assert "log.csv: the last line was torn" in done.stderr
    assert done.exit_code == 0


@pytest.mark.parametrize("call", ["dup", "ftruncate", "fsync"])
def test_calls_on_a_log_that_fail_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "log.csv"
    if call != "fsync":  # then already that of the folder of a new log fails
        two(path)
        path.write_bytes(path.read_bytes()[:-1])

    def failing(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(log.os, call, failing)
        with pytest.raises(AslibError, match=r"log.csv: cannot be .*Input/output"):
            two(path)
    two(path)


def test_runs_of_who_takes_no_part_stay(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    accuracy = Accuracy(se=0.5, budget=6, start=2)
    drive([echo(name) for name in "ABC"], ["i"], accuracy=accuracy, log=path)
    before = path.read_bytes()
    again: list[Any] = []
    two(path, programs=(echo("C"), echo("A")), done=again.append)
    assert (again, path.read_bytes()) == ([], before)


def test_a_whole_log_is_a_plain_file_and_says_nothing(tmp_path: Path) -> None:
    path, said = tmp_path / "log.csv", []
    mask = os.umask(0o022)
    try:
        two(path, warn=said.append)
        two(path, warn=said.append)
    finally:
        os.umask(mask)
    assert (said, path.stat().st_mode & 0o777) == ([], 0o644)


@pytest.mark.parametrize(
    ("code", "seconds", "solved", "answers", "found"),
    [
        (0, 0.5, "", False, 0.5),
        (0, 9.0, "", False, 2.0),  # it ended after the timeout, all the same
        (None, 0, "", False, 2.0),
        (3, 0.5, "s SAT", True, 0.5),
        (0, 9.0, "s SAT", True, 2.0),
        (0, 0.5, "s UNKNOWN", True, 2.0),
        (None, 0, "", True, 2.0),
    ],
)
def test_seconds_until_a_program_has_solved(
    code: int | None, seconds: float, solved: str, answers: object, found: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def ended(*_: object) -> Any:
        if code is None:
            raise TimeoutError
        return SimpleNamespace(code=code, seconds=seconds, output=solved)

    monkeypatch.setattr(Program, "_end", ended)
    program = Program("p", "p", timeout=2.0, value="s (SAT)")
    monkeypatch.setattr(Program, "_searched", lambda _, output, __: "SAT" in output.split())
    assert program.time("i", 1, answers=bool(answers)) == found


# --- the log is a table of runs: what was run is what is imported -----------------------


PROGRAMS = ["ant=echo {instance} 4.{seed}", "bee=echo {instance} 5{seed}"]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pl.DataFrame]:
    """The log of two programs of unequal spread on two instances, and their means."""
    path = tmp_path_factory.mktemp("plan") / "log.csv"
    found = ae.plan_runs(["i 1", "i2"], algorithms=PROGRAMS, se=0.004, budget=25, start=3, log=path)
    return path, found


def said(path: Path, lake: Path) -> list[str]:
    """Code and line of each error with which a log is refused."""
    with pytest.raises(ScenarioError) as caught:
        ae.import_runs(path, into=lake)
    wrong = [f for f in caught.value.findings if f.severity == "error"]
    assert not lake.exists() or not list(lake.glob("scenario*"))
    return [f"{found.line}: {found.code}" for found in wrong]


def test_the_lake_has_the_means_that_plan_prints(
    planned: tuple[Path, pl.DataFrame], tmp_path: Path
) -> None:
    log, pairs = planned
    (done,) = ae.import_scenarios([log], into=tmp_path)
    assert (done.status, done.scenario_id) == ("imported", "log")
    sql = "select algorithm, instance_id, cost, n_repetitions from instance_algorithm"
    found = {row[:2]: row[2:] for row in ae.query(sql, lake=tmp_path).rows()}
    printed = {
        (row[name], row["instance"]): (row[mean], row[n])
        for row in pairs.to_dicts()
        for name, mean, n in (("system", "mean", "runs"), ("other", "other_mean", "other_runs"))
    }
    assert found == printed
    assert len({n for _, n in found.values()}) > 1  # which no other table may have


def test_separate_repetitions_are_those_that_all_algorithms_have(
    planned: tuple[Path, pl.DataFrame], tmp_path: Path
) -> None:
    ae.import_scenarios([planned[0]], into=tmp_path)
    separate = ae.Protocol(protocol="separate", repetitions="separate")
    runs = (
        pl.read_csv(planned[0])
        .pivot("algorithm", index=["instance", "seed"], values="objective")
        .drop_nulls()
    )
    assert runs.height < pl.read_csv(planned[0])["seed"].n_unique() * 2
    best = runs.select(pl.min_horizontal("ant", "bee")).to_series().mean()
    scores = {
        row["solver"]: (row["n"], row["cost"])
        for row in ae.score(tmp_path, protocols=[separate]).to_dicts()
    }
    assert scores["VBS"] == (2, pytest.approx(best))
    assert scores["bee"] == (2, pytest.approx(runs["bee"].mean()))
    assert scores["ant"] == (2, pytest.approx(runs["ant"].mean()))


def test_the_seeds_are_the_repetitions(planned: tuple[Path, pl.DataFrame], tmp_path: Path) -> None:
    log, _ = planned
    (done,) = ae.import_scenarios([log], into=tmp_path)
    sql = "select instance_id, algorithm, repetition, value, runstatus from raw_run"
    logged = pl.read_csv(log).select("instance", "algorithm", "seed", "objective")
    runs = ae.query(sql, lake=tmp_path).rows()
    assert sorted(runs) == sorted((*row, "ok") for row in logged.rows())
    told = [f.message for f in done.findings if f.code == "runs-understood"]
    assert "this is a log of 'plan'; the import ignores its columns on how each run was made" in told
    assert not [f for f in done.findings if f.code == "runs-ignored"]


def test_wall_clock_times_are_runtimes_below_the_timeout(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    for timeout in (30, 60):  # raised when it went on
        ae.plan_runs(
            ["i1"], algorithms=["a=true", "b=true"], se=9, budget=timeout // 5,
            start=timeout // 15, log=log, value="time", timeout=timeout,
        )  # fmt: skip
    (done,) = ae.import_scenarios([log], into=tmp_path / "lake")
    about = "select measure_type, cutoff, time_unit from raw_scenario"
    assert ae.query(about, lake=tmp_path / "lake").rows() == [("runtime", 60.0, "s")]
    lower = "4 rows with a lower cutoff; their runs were solved below it"
    assert lower in [f.message for f in done.findings]
    with pytest.raises(ae.AslibError, match="value was time, now it is the last"):
        ae.plan_runs(["i1"], algorithms=["a=true", "b=true"], se=9, budget=4, start=2, log=log)


def test_what_was_changed_or_left_out_is_named(planned: tuple[Path, pl.DataFrame], tmp_path: Path) -> None:
    lines = planned[0].read_text().splitlines()
    path = tmp_path / "log.csv"

    def put(changed: list[str]) -> list[str]:
        path.write_text("".join(f"{line}\n" for line in changed))
        return said(path, tmp_path / "lake")

    assert put([*lines[:2], lines[2].replace("4.", "3."), *lines[3:]]) == ["3: runs-table"]
    assert put([*lines[:2], *lines[3:]]) == ["3: run-missing"]
    assert put([*lines, lines[2]]) == [f"{len(lines) + 1}: row-duplicate"]
    bees = [line for line in lines if ",bee," not in line or "i2" not in line]
    first = next(n for n, line in enumerate(bees, 1) if line.startswith("i2"))
    assert put(bees) == [f"{first}: run-missing"]
    ae.plan_runs(["i 1", "i2"], algorithms=PROGRAMS, se=0.004, budget=25, start=3, log=path)
    assert sorted(path.read_text().splitlines()) == sorted(lines)


def test_a_check_sum_holds_for_the_text_before_it() -> None:
    line = b'"a,b",A,0,1,2.5,c,time,p,0.1.0'
    whole = line + b"," + checksum(line)
    assert checked(whole)[:2] == ["a,b", "A"]
    assert checked(whole.replace(b"2.5", b"2.6")) == []
    assert LOGGED[-1] == "check"
