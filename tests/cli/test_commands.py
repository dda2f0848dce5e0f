"""The command line as its user sees it: output, exit codes, and what goes where."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import polars as pl
import pytest
from click.testing import CliRunner, Result

from aslib_eval.cli import main
from aslib_eval.cli.declared import Commands
from aslib_eval.commands import Declared
from tests.conftest import ROOT, Once, needs, write_scenario
from tests.test_structure import COMMANDS

pytestmark = pytest.mark.usefixtures("opened_once")

TOY = ROOT / "scenarios" / "TOY-2026"
RUNS = [
    ("i1", 1, "a", 10, "ok"),
    ("i1", 1, "b", 20, "ok"),
    ("i2", 1, "a", 100, "timeout"),
    ("i2", 1, "b", 30, "ok"),
    ("i3", 1, "a", 5, "ok"),
    ("i3", 1, "b", 40, "ok"),
]


def run(*words: str | Path, stdin: str | None = None) -> Result:
    arguments = [str(word) for word in words]
    return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)


def made(home: Path) -> Path:
    folder = write_scenario(home / "S", runs=RUNS, folds={"i1": 1, "i2": 2, "i3": 3})
    assert run("import", folder, "--lake", home / "lake").exit_code == 0
    return home / "lake"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake to be read only."""
    return made(tmp_path_factory.mktemp("commands"))


def test_import_says_what_it_did_and_that_again_it_did_nothing(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    first, second = (run("import", folder, "--lake", tmp_path / "l") for _ in "12")
    assert first.stdout.startswith("imported S: 6 runs; missing feature_values.arff")
    assert second.stdout == "unchanged S: 6 runs\n"


def test_import_says_where_its_warnings_are_told(tmp_path: Path) -> None:
    late = [("i1", 1, "A", 1, "ok"), ("i1", 1, "B", 200, "ok")]
    folder = write_scenario(tmp_path / "S", runs=late)
    done = run("import", folder, "--lake", tmp_path / "l")
    assert done.stdout.endswith(f"; 2 warnings (aslib-eval check {folder})\n")


def test_a_bad_scenario_among_good_ones(tmp_path: Path) -> None:
    good = write_scenario(tmp_path / "good", runs=RUNS)
    bad = write_scenario(tmp_path / "bad", runs=RUNS)
    (bad / "cv.arff").write_text("@RELATION r\n")
    done = run("import", bad, good, "--lake", tmp_path / "lake")
    assert done.exit_code == 1
    assert "bad/cv.arff:1: no @DATA line" in done.stderr
    assert "1 of 2 not imported" in done.stderr
    assert done.stdout.startswith("imported good: 6 runs")


def test_gap_is_markdown_in_a_pipe(lake: Path) -> None:
    done = run("gap", "--lake", lake, "--protocol", "default")
    lines = done.stdout.splitlines()
    names = "| protocol | protocol_hash | scenario_id | measure | kind | solver | n |"
    assert lines[0].startswith(names)
    assert lines[2].startswith("| default | 09b8597f48a4 | S | runtime |")
    assert "| S | runtime | baseline | VBS | 3 | 1 | 1 |" in lines[2]


def test_score_as_csv_keeps_every_digit(lake: Path) -> None:
    frame = pl.read_csv(run("score", "--lake", lake, "--format", "csv").output.encode())
    par10 = dict(zip(frame["solver"], frame["par10"], strict=True))
    assert par10["a"] == 1015 / 3
    assert par10["b"] == 30
    assert par10["VBS"] == 15


def test_several_protocols_side_by_side(lake: Path) -> None:
    words = ("--protocol", "default", "--protocol", "asf", "--format", "json")
    rows = json.loads(run("list", "--lake", lake, *words).output)
    assert [row["protocol"].partition("@")[0] for row in rows] == ["asf", "default"]


def test_query_from_standard_input(lake: Path) -> None:
    sql = "select sbs, sbs_par10 from scenario_baseline"
    done = run("query", "-", "--lake", lake, "--format", "csv", stdin=sql)
    assert done.output == "sbs,sbs_par10\nb,30.0\n"


def test_a_query_is_printed_as_it_is(lake: Path) -> None:
    sql = "select tag, protocol from protocol"
    done = run("query", sql, "--lake", lake, "--format", "csv")
    assert done.output == "tag,protocol\ndefault@09b8597f48a4,default\n"


def test_an_answer_without_rows_has_the_same_columns(lake: Path) -> None:
    words = ("gap", "--lake", lake, "--kind", "selector", "--format", "csv")
    done = run(*words, "--columns", "protocol,protocol_hash,solver")
    assert done.stdout == "protocol,protocol_hash,solver\n"


def test_a_table_without_rows_says_what_is_missing(lake: Path) -> None:
    done = run("table", "closed_gap", "--lake", lake)
    assert done.stderr.startswith("no rows: the lake has no selectors with the data of this table")
    done = run("table", "steps", "--lake", lake)
    found = "no rows: no selector differs from SBS in cost over instances\n"
    assert done.stderr == found
    done = run("table", "scenarios", "--lake", lake)
    assert done.stderr == ""


@pytest.mark.slow
def test_output_to_a_file(lake: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.tex"
    done = run("list", "--lake", lake, "--format", "tex", "-o", out)
    assert done.output == ""
    assert out.read_text().startswith("\\begin{tabular}")
    parquet = tmp_path / "t.parquet"
    run("list", "--lake", lake, "-o", parquet)
    assert pl.read_parquet(parquet)["scenario_id"].to_list() == ["S"]
    csv = tmp_path / "t.csv"
    run("list", "--lake", lake, "-o", csv)
    assert pl.read_csv(csv)["sbs_cost"].to_list() == [30.0]


@needs("exporting")
def test_export_leaves_a_file_that_is_not_its_own(lake: Path, tmp_path: Path) -> None:
    mine = tmp_path / "notes.txt"
    mine.write_text("precious notes")
    done = run("export", "--lake", lake, "-o", mine)
    assert (done.exit_code, mine.read_text()) == (1, "precious notes")
    assert "exists and is not a DuckDB file" in done.stderr


def test_a_damaged_lake_says_what_to_do(tmp_path: Path) -> None:
    lake = made(tmp_path)
    (lake / "run" / "scenario_id=S" / "part-0.parquet").write_bytes(b"no")
    done = run("gap", "--lake", lake)
    assert done.exit_code == 1
    assert "damaged: 2 bytes where" in done.stderr
    assert "Import the scenario again; 'aslib-eval check --lake' lists" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("gap", "--lake", "nowhere"), 1, "nowhere: there is no lake with a scenario."),
        (("gap", "--protocol", "nope"), 1, "nope: there is no such protocol."),
        (("gap", "--scenario", "X*"), 1, "no scenario matches X*. It holds S."),
        (("gap", "--scenario", "s"), 1, "matches s. Did you mean 'S'?"),
        (("gap", "--solver", "VBX"), 1, "Did you mean 'VBS'?"),
        (("gap", "--columns", "n,closedgap"), 1, "Did you mean 'closed_gap'"),
        (("gap", "--why", "--kind", "baseline"), 2, "--why shows selectors"),
        (("gap", "S"), 2, "To choose scenarios, write: --scenario S"),
        (("gap", "--sbs", "all"), 2, "it needs --fold-mean"),
        (("gap", "--measure", "runtme"), 1, "Did you mean 'runtime'?"),
        (("gap", "--protocol", "asff"), 1, "asff: there is no such protocol. Did you"),
        (("table", "closedgap"), 1, "closedgap: there is no such table. Did you mean"),
        (("views", "solver_gp"), 1, "Did you mean 'solver_gap'"),
        (("query", "drop view stg_run"), 1, "only one SELECT statement is allowed"),
        (("query", "select nope"), 1, 'olumn "nope" was not found'),
        (("list", "--format", "parquet"), 2, "--format parquet needs -o FILE"),
        (("list", "--format", "xml"), 2, "Invalid value for '--format'"),
        (("import",), 2, "Missing argument 'PATH...'"),
        (("import", "nothing-there"), 1, "nothing-there: does not exist."),
        (("views", "nope"), 1, "nope: there is no such relation."),
        (("list", "-o", "no/such/folder/x.parquet"), 1, "cannot be written"),
        (("list", "-o", "x.unknown"), 2, "the suffix of x.unknown is not a known format"),
    ],
)
def test_errors_say_what_to_do(lake: Path, words: tuple[str, ...], code: int, said: str) -> None:
    if "--lake" not in words and words[0] in {"gap", "query", "list"}:
        words = (*words, "--lake", str(lake))
    done = run(*words)
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr


def test_what_has_no_default_must_be_given() -> None:
    """An argument or option without one, in every command."""
    seen = set()
    for name, command in COMMANDS.items():
        for param in (param for param in command.params if param.required):
            seen.add(f"{name} {param.name}")
            with pytest.raises(click.MissingParameter):
                param.handle_parse_result(click.Context(command), {}, [])
    assert {"query sql", "sweep choices first"} <= seen


@pytest.mark.parametrize("words", ["compare --seed -1", "build --jobs 0"])
def test_numbers_have_a_least(words: str) -> None:
    done = run(*words.split())
    assert done.exit_code == 2
    assert "is not in the range" in done.stderr


def handled() -> pl.DataFrame:
    """Whether SIGTERM is handled, asked while a command runs."""
    ends = signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    return pl.DataFrame({"handled": [ends]})


@pytest.mark.parametrize(("runs", "said"), [(True, "true"), (False, "false")])
def test_signals_end_programs_of_commands_that_run_some(runs: bool, said: str) -> None:  # noqa: FBT001
    asked = Declared(f"{__name__}:handled", "x", runs_programs=runs)
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        found = CliRunner().invoke(Commands({"x": asked})["x"], ["--format", "csv"])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert found.stdout.split() == ["handled", said]


def test_check_exits_1_on_errors_only(tmp_path: Path) -> None:
    assert run("check", TOY).exit_code == 0
    bad = write_scenario(tmp_path / "bad", runs=RUNS[:-1])
    done = run("check", bad)
    assert done.exit_code == 1
    assert "algorithm_runs.arff" in done.stdout


def on_terminal(words: list[str], columns: int) -> str:
    """Run with a terminal as stdout; what it showed."""
    leader, follower = pty.openpty()
    env = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    code = "from aslib_eval.cli import main; main()"
    command = [sys.executable, "-c", code, *words]
    subprocess.run(command, stdout=follower, env=env, check=True, cwd=ROOT)
    os.close(follower)
    with open(leader, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        lines: list[str] = []
        with suppress(OSError):  # the other end is closed
            lines.extend(file)
    return "".join(lines)


@pytest.mark.slow
def test_a_terminal_gets_a_table_that_fits(lake: Path) -> None:
    shown = on_terminal(["score", "--lake", str(lake)], 60)
    assert "not shown: " in shown
    assert "| " not in shown


def test_a_row_that_does_not_fit_is_written_downwards(lake: Path) -> None:
    shown = re.sub(r"\x1b\[\d*m", "", on_terminal(["list", "--lake", str(lake)], 60))
    lines = shown.splitlines()
    assert lines[0].split() == ["protocol", "default"]
    assert lines[1].split() == ["protocol_hash", "09b8597f48a4"]
    assert max(map(len, lines)) <= 60


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["head -1"])
def test_a_closed_pipe_is_no_error(lake: Path, shell: str) -> None:
    code = "from aslib_eval.cli import main; main()"
    line = f"{sys.executable} -c '{code}' query --format csv --lake {lake}"
    line += f' "select * from range(200000)" | {shell}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout == "range\n"
    assert done.stderr == ""


SLOW = ("altair", "pandas", "rich", "scipy", "sklearn")
ANSWERING = (*SLOW, "arff", "yaml")
WARM = (*ANSWERING, "numpy", "pyarrow")  # where the results are built already
# What a command may not load.
ABSENT = {
    ("--help",): (*ANSWERING, "duckdb", "numpy", "polars", "pyarrow"),
    ("import", TOY): (*SLOW, "duckdb", "polars"),
    ("list",): WARM,
    ("score",): WARM,
    ("gap",): WARM,
    ("query", "from scenario_baseline"): WARM,
}


@pytest.mark.parametrize(("words", "absent"), ABSENT.items(), ids=[words[0] for words in ABSENT])
def test_a_command_loads_what_it_needs_alone(
    tmp_path: Path, words: tuple[str | Path, ...], absent: tuple[str, ...], once: Once
) -> None:
    def fill(folder: Path) -> None:
        run("import", TOY, "--lake", folder / "lake")
        run("build", "--lake", folder / "lake")

    lake = (once("built", fill) if absent == WARM else tmp_path) / "lake"
    code = (
        f"import sys; sys.argv[1:] = {[str(word) for word in words]}\n"
        "from aslib_eval.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print(sorted({{*{absent}}} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "ASLIB_LAKE": str(lake)},
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")


def test_latex_is_another_name_of_tex(lake: Path) -> None:
    said = [
        run(*words, "--lake", lake, "--format", name).stdout
        for words in (["score"], ["table", "algorithms"])
        for name in ("tex", "latex")
    ]
    assert said[0] == said[1] != ""
    assert said[2] == said[3] != ""
    assert "\\begin{tabular}" in said[2]


# Options of other programs, and what is no option.
NOT_OURS = {
    "--check",
    "--nthreads",
    "--classifier",
    "--data",
    "--opt",
    "--places--",
    "--output-dir",
    "--to",
}


def test_messages_name_options_that_there_are() -> None:
    ours = {o for c in COMMANDS.values() for p in c.params for o in (*p.opts, *p.secondary_opts)}
    ours |= {"--help", "--version", "--lock-timeout", *NOT_OURS}
    for path in (ROOT / "aslib_eval").rglob("*.py"):
        named = {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", path.read_text())}
        assert named <= ours, path
