"""What every command does with its outputs: tried early, harmless to print."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main, options
from aslib_eval.errors import harmless
from tests.command_lines import with_extensions
from tests.conftest import ROOT, needs, write_scenario
from tests.lab import runs
from tests.test_structure import COMMANDS

CLI = ROOT / "aslib_eval" / "cli"
# What a command needs besides its output.
NEEDS: dict[str, list[str]] = with_extensions(
    "NEEDS",
    {"figure": ["bump"], "import-selection": ["file.csv"], "query": ["select 1"], "table": ["closed_gap"]},
)


def run(*words: object) -> Result:
    """The command line, in this process."""
    return CliRunner().invoke(main, [*map(str, words)], color=True)


def outputs() -> list[tuple[str, str]]:
    """Every command's options that name what it writes, but those of a manifest."""
    return [
        (name, option.opts[0])
        for name, command in COMMANDS.items()
        if name not in {"paper build", "paper check"}
        for option in command.params
        if isinstance(option, click.Option)
        and (option.name == "output" or option.opts[0] in {"--chart", "--macros"})
    ]


@pytest.mark.parametrize(("command", "option"), outputs())
def test_an_output_that_cannot_be_written_is_noticed_before_the_work(
    command: str, option: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    to = tmp_path / "file" / "x.svg"
    words = [word.format(to=to) for word in NEEDS.get(command, [])]
    if not (command == "export" and option == "-o"):
        words += [option, str(to)]
    known = {name for p in COMMANDS[command].params for name in p.opts}
    if option == "-o" and "--format" in known and command not in {"export", "table"}:
        words += ["--format", "csv"]
    if "--lake" in known:
        words += ["--lake", str(tmp_path / "nowhere")]
    if "--log" in known:
        words += ["--log", str(tmp_path / "log.csv")]
    found = run(*command.split(), *words)
    assert found.exit_code == 1, found.output
    assert found.stderr.startswith(f"{to}: cannot be written (Not a directory). ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_paper_that_cannot_be_written_is_noticed_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    text = 'lake = "no"\noutput = "file"\n[[table]]\nname = "closed_gap"\nfile = "x.md"'
    (tmp_path / "aslib-eval.toml").write_text(text)
    found = run("paper", "build", tmp_path / "aslib-eval.toml")
    assert found.stderr.startswith(f"{tmp_path}/file: cannot be written (Not a dir")
    other = tmp_path / "file" / "other"
    found = run("paper", "build", tmp_path / "aslib-eval.toml", "-o", other)
    assert found.stderr.startswith(f"{other}: cannot be written (Not a dir")


@pytest.mark.slow
def test_a_full_disk_keeps_the_old_file(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    for command in (["table", "closed_gap"], ["score"], ["list"]):
        to = tmp_path / "x.csv"
        to.write_text("old")
        found = run(*command, "--lake", toy, "-o", to)
        assert found.exit_code == 1
        assert "x.csv: cannot be written (No space left on device)" in found.stderr
        assert to.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


# --- what is printed ----------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of one scenario whose names steer a terminal and run in a spreadsheet."""
    home = tmp_path_factory.mktemp("hostile")
    folder = write_scenario(
        home / "S",
        runs=[(f"i{i}", 1, name, i + j, "ok") for i in range(4) for j, name in enumerate(("=cmd()", "B"))],
        folds={f"i{i}": i % 2 + 1 for i in range(4)},
    )
    described = folder / "description.txt"
    text = described.read_text().replace("scenario_id: S", 'scenario_id: "S\\e[31mred"')
    described.write_text(text)
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None
    return home / "lake"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["compare", "--kind", "algorithm", "--versus", "B"],
        ["list"],
        ["gap"],
        ["check"],
        ["sweep", "delta"],
        *(line.split() for line in sorted(with_extensions("SHOWN_NAMES", set()))),
    ],
)
def test_no_name_steers_the_terminal(words: list[str], hostile: Path, tmp_path: Path) -> None:
    words = [word.format(tmp=tmp_path) for word in words]
    found = run(*words, "--lake", hostile)
    assert "\x1b" not in found.stderr
    assert "\x1b" not in found.stdout


def test_a_result_is_harmless_on_a_terminal_and_whole_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options.show("a\tb\x1b[31m\n")
    assert capsys.readouterr().out == "a\tb\x1b[31m\n"
    monkeypatch.setattr(options.sys.stdout, "isatty", lambda: True)
    options.show("a\tb\x1b[31m\n")
    assert capsys.readouterr().out == "a\tb\\x1b[31m\n"


@needs("exporting")
@pytest.mark.slow
def test_a_csv_of_the_lake_has_no_live_formula(hostile: Path, tmp_path: Path) -> None:
    done = run("export", "--format", "csv", "-o", tmp_path, "--lake", hostile)
    assert done.exit_code == 0
    with (tmp_path / "raw_run.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["algorithm"] for row in rows} == {"'=cmd()", "B"}
    assert {row["value"] for row in rows} == {f"{i}.0" for i in range(5)}
    live = {
        (path.name, cell)
        for path in tmp_path.glob("*.csv")
        for row in csv.reader(path.read_text().splitlines())
        for cell in row
        if re.match(r"[=+@-].", cell) and not re.fullmatch(r"-?[\d.e+-]+|-inf", cell)
    }
    assert live == set()


@needs("exporting")
def test_negative_numbers_in_text_stay_numbers(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=runs(**{"-5": [1], "-x": [2]}))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (file,) = ae.export(tmp_path / "out", tmp_path / "lake", relations=["raw_run"], format="csv")
    with file.open(newline="") as text:
        assert {row["algorithm"] for row in csv.DictReader(text)} == {"-5", "'-x"}


def test_too_few_open_files_are_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise duckdb.IOException('IO Error: Cannot open file "x": Too many open files')

    monkeypatch.setattr("aslib_eval.database.open_lake.open_lake", fails)
    found = run("list")
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("lake: this needs more open files than are allowed.")


@pytest.mark.parametrize("name", ["MemoryError", "OutOfMemoryException"])
def test_no_memory_is_a_message(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise type(name, (Exception,), {})

    monkeypatch.setattr("aslib_eval.database.open_lake.open_lake", fails)
    found = run("list")
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("memory: there is not enough for this. Choose fewer")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One.", "One."),
        ("aaaa p < 1 b", "aaaa\np < 1 b"),
        ("aaaaaa 95 % b", "aaaaaa\n95 % b"),
        ("a b c. d e. f", "a b c. d\ne. f"),
        ("aa bb cc. dd ee ff. gg hh ii. jj", "aa bb cc.\ndd ee ff.\ngg hh ii.\n\njj"),
        ("aa bb cc dd ee ff gg hh ii jj. k.", "aa bb cc\ndd ee ff\ngg hh ii\njj.\n\nk."),
    ],
)
def test_a_long_text_on_a_terminal_hasparagraphs_of_three_lines(text: str, shown: str) -> None:
    assert options.paragraphs(text, 9) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("aa bb", "aa bb"),
        ("aa  bb\tc", "aa  bb\tc"),
        ("aa bb cc dd", "aa bb cc\ndd"),
        ("  aa bb cc", "  aa bb\n  cc"),
        ("a.csv:1: bb cc", "a.csv:1:\n  bb cc"),
        ("a-very-long/path b", "a-very-long/path\nb"),
    ],
)
def test_a_long_line_on_a_terminal_ends_between_words(line: str, shown: str) -> None:
    assert options.folded(line, 9) == shown


def test_spaces_of_numbers_are_no_escapes_and_what_steers_a_terminal_is() -> None:
    assert harmless("time 120\u202f000\xa0s") == "time 120\u202f000\xa0s"
    assert harmless("a\x1b[2Jb\u202ec\u2028d") == "a\\x1b[2Jb\\u202ec\\u2028d"
