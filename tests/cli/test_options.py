"""Every option of every command changes something that is printed or written.

A new option needs a line here: a command line without it, and with it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product, takewhile
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.figures.chart import CHART_FILES, Spec
from aslib_eval.selections import import_selections
from aslib_eval.text import shorten
from tests.approved import Answer, approved, changes, head, numbers
from tests.command_lines import EXTENSIONS, added_by, with_extensions
from tests.conftest import ROOT, write_scenario
from tests.test_structure import COMMANDS

pytestmark = pytest.mark.usefixtures("opened_once")

_TOY = "--scenario TOY-2026"
# A command line of every command, on the lake {lake}, in the folder of the test.
BASE = with_extensions(
    "BASE",
    {
        "import": "{made}/B-2026 --lake new",
        "import-selection": "mine {made}/b.csv --scenario B-2026 --lake {copy}",
        "check": "{made}/odd",
        "list": "",
        "score": "",
        "gap": "",
        "compare": "",
        "table": "closed_gap",
        "figure": "cactus --scenario TOY-2026 -o x.svg",
        "report": "--scenario B-2026",
        "views": "",
        "query": "'select scenario_id from raw_scenario'",
        "protocols list": "",
        "protocols show": "asf",
        "protocols diff": "asf llama",
    },
)
# Options that many commands have: what to add to the base.
COMMON = {
    "--lake": "--lake nowhere",
    "--scenario": "--scenario nothing",
    "--protocol": "--protocol nothing",
    "--sql": "--sql {made}/sql",
    "--format": "--format json",
    "--output": "-o x.csv",
    "--columns": "--columns nothing",
    "--measure": "--measure nothing",
}
_RUNS = "={made}/runs.csv --cutoff 60"
OF_RUNS = {
    "--scenario-id": (_RUNS, "--scenario-id OTHER"),
    "--column": (_RUNS, "--column ignore=gap"),
    "--cutoff": (_RUNS, "--cutoff 5"),
    "--status": (_RUNS, "--status to=crash"),
    "--duplicates": ("={made}/twice.csv --cutoff 60 --duplicates first", "--duplicates last"),
    "--missing": ("={made}/wide.csv --cutoff 60", "--missing crash"),
    "--times-in": (_RUNS, "--times-in min"),
    "--measure-column": (_RUNS, "--measure-column gap"),
    "--maximize": (f"{_RUNS} --measure-column gap", "--maximize gap"),
    "--minimize": ("={made}/cells.csv --cells score", "--minimize score"),
    "--cells": ("={made}/cells.csv", "--cells accuracy"),
    "--claims": ("={made}/answers.csv --cutoff 60", "--claims holds=solution"),
    "--records": ("={made}/lists.json --cutoff 60", "--records b"),
    "--one-file-per": ("={made}/solvers --cutoff 60", "--one-file-per solver"),
    "--features": (_RUNS, "--features {made}/features.csv"),
}
OF_INSTANCES = {
    "--family": ("={made}/B-2026", "--family path:1:_"),
    "--attributes": ("={made}/B-2026", "--attributes {made}/families.csv"),
}
# Option → what to add to the base, or (without, with), which may begin with `=`: then they are the whole
# command line.
OPTIONS: dict[str, dict[str, str | tuple[str, str]]] = with_extensions(
    "OPTIONS",
    {
        "import": {
            "--input-format": "--input-format table",
            "--lake": "--lake other",
            # into a lake of its own: the others answer from the one they share
            **{
                name: (f"{base} --lake new", more)
                for name, (base, more) in (OF_RUNS | OF_INSTANCES).items()
            },
        },
        "check": {**OF_RUNS, **OF_INSTANCES},
        "import-selection": {
            "--scheme": "--scheme nothing",
            "--prefix": "--prefix x-",
            "--column": "--column ignore=algorithm",
            "--without-feature-costs": (
                "=mine {made}/times.csv --scenario B-2026 --lake {copy}",
                "--without-feature-costs",
            ),
            "--remove": ("=rf --scenario TOY-2026 --lake {copy}", "--remove"),
        },
        "score": {
            "--contribution": "--contribution",
            "--by": "--by ground_truth",
            "--quality": "--quality",
            "--kind": "--kind selector",
            "--solver": "--solver 'V?S'",
            "--columns": "--columns solver,par10",
            "--fold-mean": "--fold-mean",
            "--sbs": ("--fold-mean", "--sbs test"),
            "--penalty": "--penalty 2",
            "--delta": "--delta 5",
        },
        "gap": {
            "--why": "--why",
            "--by": "--by ground_truth",
            "--interval": "--interval --scenario TOY-2026",
            "--metric": "--metric par2",
            "--kind": "--kind baseline",
            "--solver": "--solver 'r*'",
            "--columns": "--columns solver,closed_gap",
            "--fold-mean": "--fold-mean",
            "--sbs": ("--fold-mean --scenario TOY-2026", "--sbs test"),
            "--penalty": "--penalty 2",
            "--delta": ("--metric borda", "--delta 5"),
        },
        "compare": {
            "--metric": "--metric par2",
            "--by": "--by ground_truth",
            "--unit": "--unit scenarios",
            "--versus": "--versus rf",
            "--kind": "--kind algorithm",
            "--solver": "--solver 'r*'",
            "--alpha": "--alpha 0.4",
            "--correction": ("--kind algorithm", "--correction none"),
            "--test": "--test sign",
            "--alternative": ("--versus rf", "--alternative better"),
            "--joint": "--joint",
            "--differences": "--differences percent",
            "--inside": "--inside instances",
            "--show": "--show systems",
            "--rope": "--rope 1",  # which goes with what an extension shows
            "--chart": "--chart x.svg",
            "--draw": (f"{_TOY} --chart x.svg", "--draw intervals"),
            "--highlight": (f"{_TOY} --chart x.svg", "--highlight rf"),
        },
        "table": {
            "--format": "--format tex",
            "--bare": "--bare",
            "--macros": "--macros x.tex",
            "--fold-mean": "--fold-mean",
            "--sbs": ("--fold-mean --scenario TOY-2026", "--sbs test"),
            "--penalty": "--penalty 2",
            "--delta": ("=ranks", "--delta 5"),
            "--solver": ("=selection --scenario TOY-2026", "--solver rf"),
            "--versus": ("=selection --scenario TOY-2026", "--versus rf"),
        },
        "figure": {
            "--scenario": ("=cactus -o x.svg", "--scenario nothing"),
            "--solver": "--solver rf",
            "--width": "--width 85",
            "--bare": "--bare",
            "--output": "-o x.pdf",
        },
        "report": {"--scenario": ("=--scenario nothing", "--scenario B-2026")},
        "query": {"--timeout": "--timeout 0", "--memory": "--memory 1"},
    },
)
# Options that are handed over as they are, to what is slow or needs other programs:
# a file test_calls*.py holds what the library gets of each.
HANDED_OVER = with_extensions(
    "HANDED_OVER",
    {
        "build",
        "import --forget",
        "import --time-unit",
        "report --output",
        "report --jobs",
        "report --cluster",
        "report --force",
        "report --full",
        "report --link",
        "lake repair",
        "compare --seed",  # of means that nothing bounds alone
    },
)


def options() -> Iterator[tuple[str, str]]:
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option) and option.name != "help":
                yield name, max(option.opts, key=len)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files and a lake that the command lines name."""
    home = tmp_path_factory.mktemp("made")
    folder = write_scenario(
        home / "B-2026",
        runs=[
            (f"fam{i % 2}_i{i}", 1, name, 1 + (i * j) % 7, "ok")
            for i in range(8)
            for j, name in enumerate(("A", "B"), 1)
        ],
        folds={f"fam{i % 2}_i{i}": i % 2 + 1 for i in range(8)},
    )
    odd = write_scenario(home / "odd", runs=[("i", 1, "A", 1, "ok")])
    (odd / "cv.arff").write_text("no ARFF")
    (home / "sql" / "90_mine").mkdir(parents=True)
    (home / "sql" / "90_mine" / "mine.sql").write_text("select broken")
    names = [f"fam{i % 2}_i{i}" for i in range(8)]
    lines = [f"{name},A" for name in names]
    (home / "b.csv").write_text("\n".join(["instance_id,algorithm", *lines, ""]))
    lines = [f"{name},2,ok" for name in names]
    (home / "times.csv").write_text("\n".join(["instance_id,time,runstatus", *lines, ""]))
    lines = [f"{name},{i % 3}" for i, name in enumerate(names)]
    (home / "families.csv").write_text("\n".join(["instance_id,family", *lines, ""]))
    lines = ["instance,solver,time,gap", "i1,A,3,1", "i1,B,TO,2", ""]
    (home / "runs.csv").write_text("\n".join(lines))
    twice = ["instance,solver,time", "i1,A,3", "i1,A,4", "i1,B,TO", ""]
    (home / "twice.csv").write_text("\n".join(twice))
    (home / "wide.csv").write_text("instance,A,B\ni1,3,\ni2,4,5\n")
    (home / "cells.csv").write_text("instance,A,B\ni1,0.3,0.5\ni2,0.4,0.6\n")
    answers = ["instance,solver,time,answer", "i1,A,3,violated", "i1,B,4,holds", ""]
    (home / "answers.csv").write_text("\n".join(answers))
    (home / "features.csv").write_text("instance,size\ni1,3\n")
    lists = {name: [{"instance": "i1", "solver": "A", "time": time}] for name, time in (("a", 1), ("b", 2))}
    (home / "lists.json").write_text(json.dumps(lists))
    (home / "solvers").mkdir()
    for name, time in (("A", 1), ("B", 2)):
        (home / "solvers" / f"{name}.csv").write_text(f"instance,time\ni1,{time}\n")
    toy = ROOT / "scenarios" / "TOY-2026"
    for path in (folder, toy):
        (outcome,) = ae.import_scenarios([path], into=home / "lake")
        assert outcome.error is None
    import_selections(ROOT / "scenarios" / "selections", lake=home / "lake")
    repeated = write_scenario(
        home / "R",
        runs=[
            (instance, r, name, (r * j * 7 + k) % 11 + 1, "ok")
            for k, instance in enumerate(("i1", "i2"))
            for j, name in enumerate(("A", "B", "C"), 1)
            for r in range(1, 9)
        ],
    )
    ae.import_scenarios([repeated], into=home / "repeated")
    objectives = write_scenario(
        home / "O",
        runs=[
            (f"i{i}", 1, name, i + j, 100 if i % 2 else 10 * j, "ok")
            for i in range(4)
            for j, name in enumerate(("A", "B", "C"), 1)
        ],
        measures=[("objective", "solution_quality", "false"), ("runtime", "runtime", "false")],
    )
    ae.import_scenarios([objectives], into=home / "objectives")
    for lines in EXTENSIONS:
        if hasattr(lines, "make"):
            lines.make(home)
    (home / "paper.toml").write_text(_PAPER.format(made=home))
    CliRunner().invoke(main, ["paper", "build", str(home / "paper.toml")])
    return home


@pytest.fixture(scope="module")
def outcome(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Any]:
    """What a command line prints and writes."""

    @cache
    def run(command: str, line: str) -> Any:
        if ".svg" in line and "svg" not in CHART_FILES:
            pytest.skip("no extension is there that writes charts")
        to = tmp_path_factory.mktemp("to")
        if "{copy}" in line:
            shutil.copytree(made / "lake", to / "copy", symlinks=True)
        places = {path.name: path for path in made.iterdir() if path.is_dir()}
        places |= {"made": made, "copy": to / "copy"}
        line = line.format(**places)
        words = [*command.split(), *_words(line)]
        known = {flag for option in COMMANDS[command].params for flag in option.opts}
        if "--lake" in known and "--lake" not in words:
            words += ["--lake", str(made / "lake")]
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(to)
            patch.setattr("aslib_eval.figures.chart.as_bytes", _undrawn)
            found = CliRunner().invoke(main, words)
        assert isinstance(found.exception, SystemExit | None), (words, found.exception)
        files = {
            str(path.relative_to(to)): path.read_bytes()
            for path in sorted(to.rglob("*"))
            if path.is_file() and "copy" not in path.parts
        }
        for path in sorted((to / "copy").glob("outcome/*/*.parquet")):
            files[path.parent.name] = path.read_bytes()
        said = found.output.replace(str(to), "")
        return found.exit_code, said, {k: hash(v) for k, v in files.items()}

    return run


def _undrawn(spec: Spec, **how: Any) -> bytes:
    """What a chart's file is drawn of: drawing takes longer than most questions."""
    return repr((spec, sorted(how.items()))).encode()


def _words(line: str) -> list[str]:
    import shlex

    return shlex.split(line)


def _handed_over(command: str, option: str) -> bool:
    if option in OPTIONS.get(command, {}):
        return False
    return bool({command, f"{command} {option}"} & HANDED_OVER)


def test_every_option_has_a_line() -> None:
    lacking = [
        (command, option)
        for command, option in options()
        if not _handed_over(command, option)
        and option not in OPTIONS.get(command, {})
        and option not in COMMON
    ]
    assert lacking == []
    known = set(options())
    named = {(c, o) for c, found in OPTIONS.items() for o in found}
    assert {pair for pair in named if pair not in known} == set()
    assert set(COMMANDS) <= {*BASE, *HANDED_OVER}
    # Columns are chosen of any answer in one place: test_commands.py.
    others = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    told = "".join(path.read_text() for path in others)
    handed = {option for command, option in options() if _handed_over(command, option)}
    assert [option for option in handed if option not in told] == []


# What else commands are asked, besides the words of these options: an option counts or is refused whatever
# is asked.
ASKS = ("--show", "--change", "--unit", "--of")
MODES = with_extensions(
    "MODES",
    {
        "score": ("--contribution", "--quality --lake {objectives}", "--by ground_truth"),
        "gap": ("--why", "--metric par2", "--by ground_truth"),
        "compare": ("--by ground_truth", "--versus rf"),
        "table": ("closed_gap",),
    },
)
# What options that no line above gives are given.
GIVEN = with_extensions("GIVEN", {"--chart": "--chart x.svg", "--seed": "--seed 3"})
# What counts, though these few runs give the same with it.
COUNTS = with_extensions(
    "COUNTS",
    {
        ("compare", "--seed"),  # of means that nothing bounds alone
        ("compare", "--inside"),  # not of parts whose names tell too few families
    },
)


def _modes(name: str) -> Iterator[str]:
    yield ""
    yield from MODES.get(name, ())
    for option in COMMANDS[name].params:
        flag = max(option.opts, key=len)
        words = getattr(option.type, "choice", option.type)  # of a registry
        if flag in ASKS and isinstance(words, click.Choice):
            yield from (f"{flag} {word}" for word in words.choices)


# What fails without the option, with another message.
FAILING = with_extensions(
    "FAILING",
    {
        ("check", "--format"),
        ("check", "--lake"),
        ("import-selection", "--remove"),
        ("report", "--scenario"),
        ("figure", "--scenario"),
        # Each answers a question that a table asks.
        *product(("check", "import"), ("--cells", "--claims", "--minimize", "--one-file-per", "--records")),
    },
)
# Commands of which each option is tried with each mode.
TRIED = with_extensions("TRIED", {*MODES, "list"})


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(TRIED))
def test_no_option_is_ignored(command: str, outcome: Callable[[str, str], Any]) -> None:
    """Whatever is asked, an option changes what is said or written, or is refused."""
    ignored = []
    for mode in _modes(command):
        base = f"{BASE[command]} {mode}".strip()
        if outcome(command, base)[0]:
            continue  # refused by itself
        for _, flag in (pair for pair in options() if pair[0] == command):
            given = OPTIONS.get(command, {}).get(flag) or GIVEN.get(flag)
            if given is None or flag in base.split() or (command, flag) in COUNTS:
                continue
            added = given if isinstance(given, str) else given[1]
            if outcome(command, f"{base} {added}") == outcome(command, base):
                ignored.append((mode, added))
    assert ignored == []


# What depends on the machine.
OWN = {("query", "--timeout"), ("query", "--memory")}
# What runs other programs, or is shown elsewhere.
UNREAD = with_extensions("UNREAD", {"report"})
# Options of commands of ours that an extension adds: their answers lie in a file of their own, so that all
# others are as they were without it.
ADDED = added_by()


def _is_read(command: str, option: str) -> bool:
    """Whether the answer to an option is approved below."""
    there = option in OPTIONS.get(command, {}) and command in BASE
    return there and command not in UNREAD and (command, option) not in OWN


def _given(command: str, option: str) -> tuple[str, str]:
    """The command line without an option, and with it."""
    base = BASE.get(command, "")
    given = OPTIONS.get(command, {}).get(option) or COMMON[option]
    before, added = ("", given) if isinstance(given, str) else given
    without = before[1:] if before.startswith("=") else f"{base} {before}"
    return without.strip(), f"{without} {added}".strip()


def _changes_something(command: str, option: str, outcome: Callable[[str, str], Any]) -> None:
    without, line = _given(command, option)
    first = outcome(command, without)
    assert outcome(command, line) != first, option
    assert first[0] == 0 or (command, option) in FAILING, first[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "option"), [pair for pair in options() if not (_handed_over(*pair) or _is_read(*pair))]
)
def test_every_option_changes_something(
    command: str, option: str, outcome: Callable[[str, str], Any]
) -> None:
    _changes_something(command, option, outcome)


@pytest.mark.parametrize(
    ("command", "extension"),
    [
        *((command, "") for command in sorted(BASE.keys() - UNREAD)),
        *sorted({(command, by) for (command, _), by in ADDED.items()}),
    ],
)
def test_every_answer_is_as_it_was_read(
    command: str, extension: str, made: Path, outcome: Callable[[str, str], Any]
) -> None:
    """One table a command, and of every option of its own what it makes new."""

    def answer(line: str) -> Answer:
        code, text, files = outcome(command, line)
        return Answer(code, _plain(numbers(text.replace(str(made), "MADE"))), files)

    base = BASE[command]
    said = []
    if not extension:
        said = [f"$ {command} {base}".rstrip(), *head(answer(base).lines)]
    for option in OPTIONS.get(command, {}):
        name = (command, option)
        if name in OWN or ADDED.get(name, "") != extension:
            continue
        _changes_something(command, option, outcome)
        without, line = _given(command, option)
        news = changes(answer(without), answer(line))
        asked = " ".join([command, *line.split()])
        said += [f"$ {asked}", *(f"  {one}" for one in news)]
    file = "-".join([*command.split(), *filter(None, [extension])])
    approved(f"answers/{file}.txt", "\n".join([*said, ""]))


# A terminal: its first and last lines, and what is no text of it.
COLUMNS, LINES, LAST = 80, 8, 3
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_PAPER = """\
lake = "{made}/lake"
output = "."
scenarios = ["TOY-2026"]
[[table]]
name = "closed_gap"
file = "gap.md"
"""
# What the others are asked, on a terminal alone: they are slow, or need other data.
ASKED = with_extensions(
    "ASKED", {**BASE, "build": "--scenario TOY-2026 --lake {copy}", "lake repair": "--lake {copy}"}
)
# Command → the library that it needs.
IMPORTS: dict[str, str] = with_extensions("IMPORTS", {})


@pytest.mark.parametrize("command", sorted(ASKED))
def test_every_answer_on_a_terminal_is_as_it_was_read(
    command: str, made: Path, outcome: Callable[[str, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if (library := IMPORTS.get(command)) is not None:
        pytest.importorskip(library, reason="needs an extra")
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", _is_stdout)
    # Where lines end must not depend on the names of folders of tests.
    monkeypatch.setattr("aslib_eval.cli.options.folded", lambda line, _width: line)
    asked = ASKED[command]
    _, text, _ = outcome.__wrapped__(command, asked)  # type: ignore[attr-defined]
    lines = _plain(_STYLE.sub("", text.replace(str(made), "MADE")))
    if len(lines) > LINES + LAST + 1:
        lines = [*lines[:LINES], f"({len(lines)} lines)", *lines[-LAST:]]
    shown = [shorten(line, 2 * COLUMNS) for line in lines]
    said = [f"$ {command} {asked}".rstrip(), *shown, ""]
    file = f"terminal/{command.replace(' ', '-')}.txt"
    approved(file, "\n".join(said), exact=True)


# What a terminal says without the name of its column: it stands above the rows, or behind what it is of.
_UNNAMED = {"scenario_id", "protocol", "measure"}


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(ASKED))
def test_a_terminal_and_a_pipe_say_the_same(
    command: str, outcome: Callable[[str, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same words and, but for their digits, the same numbers; on a terminal wide enough for all."""
    if (library := IMPORTS.get(command)) is not None:
        pytest.importorskip(library, reason="needs an extra")
    _, piped, _ = outcome(command, ASKED[command])
    monkeypatch.setenv("COLUMNS", "3000")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", _is_stdout)
    _, shown, _ = outcome.__wrapped__(command, ASKED[command])  # type: ignore[attr-defined]
    words, numbers = _content(piped)
    words_shown, numbers_shown = _content(_STYLE.sub("", shown))
    assert (words_shown - words, words - words_shown - _UNNAMED) == (set(), set())
    assert (_unlike(numbers_shown, numbers), _unlike(numbers, numbers_shown)) == ([], [])


def test_what_a_column_without_a_value_is_called_is_no_content() -> None:
    text = "| a | b | c_hash |\n| --- | --: | --- |\n| x | 1.5 | 09f |\n| y |  | 1e |\n\nend, 2."
    assert _content(text) == ({"a", "b", "x", "y", "09f", "1e", "end"}, {1.5, 2.0})
    assert _content("| a | b |\n| --- | --- |\n| x |  |") == ({"a", "x"}, set())
    assert _unlike({0.184, 3.0}, {0.1842, 2.9}) == [3.0]


def _content(text: str) -> tuple[set[str], set[float]]:
    """The words and the numbers of a text, without the headings of columns that are empty or hashes."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if re.fullmatch(r"\|( -+:? \|)+", line):
            rows = takewhile(lambda row: row.startswith("|"), lines[at + 1 :])
            columns = zip(*(row.split(" | ") for row in (lines[at - 1], *rows)), strict=False)
            there = [head for head, *cells in columns if any(cell.strip(" |") for cell in cells)]
            lines[at - 1] = " ".join(there)
            lines[at] = ""
    words, numbers = set[str](), set[float]()
    for word in re.findall(r"[^\s|,;:()=·@*]+", "\n".join(lines).replace("\\", "")):
        try:
            numbers.add(float(word))
        except ValueError:
            words.add(word.strip("."))
    return {word for word in words if not word.endswith("_hash")} - {"<!--", "-->"}, numbers


def _unlike(some: set[float], others: set[float]) -> list[float]:
    """Numbers that are none of the others, rounded to a few digits."""
    return [x for x in some if not any(abs(x - y) <= 0.006 * max(abs(x), 0.1) for y in others)]


def _is_stdout(stream: Any) -> bool:
    return bool(stream.name == "<stdout>")


def _plain(text: str) -> list[str]:
    """Its lines, without what changes with the place, the version and the presets."""
    found = re.sub(r"(?<!\.)\b[0-9a-f]{12}\b|\b[0-9a-f]{64}\b|0x\w+", "#", text)
    found = re.sub(r"aslib-eval \d\S*, DuckDB \S+", "versions", found)
    return [line.rstrip() for line in found.splitlines()]
