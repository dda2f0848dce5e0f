"""Every command and snippet of the documents runs, and prints what stands there.

The blocks of a document run in its order, in a folder of their own with `scenarios/` and the lake of the
demo. ``ASLIB_APPROVE=1`` writes anew what ``console`` blocks print; read the difference before it is
committed.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.figures.catalogue import FIGURES
from aslib_eval.reports.html import GLOSSARY
from aslib_eval.selections import import_selections
from tests.conftest import ROOT
from tests.documents import DOCUMENTS, blocks, name_of, read
from tests.test_structure import COMMANDS

# Environments are made by scripts/test, which installs the wheel in an empty one.
ENVIRONMENT = re.compile(r"python3 -m venv|pip install|scripts/reference\b")
RUNNABLE = [document for document in DOCUMENTS if blocks(read(document))]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake that scripts/demo makes."""
    lake = tmp_path_factory.mktemp("demo") / "lake"
    ae.import_scenarios([ROOT / "scenarios"], into=lake)
    import_selections(ROOT / "scenarios" / "selections", lake=lake)
    return lake


@pytest.mark.slow
@pytest.mark.usefixtures("opened_once")
@pytest.mark.parametrize("document", RUNNABLE, ids=name_of)
def test_blocks_run(document: Path, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(read(document))
    if not any("aslib-eval import scenarios" in block.text for block in found):
        shutil.copytree(demo, tmp_path / "lake", symlinks=True)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    text = read(document)
    names: dict[str, Any] = {"__name__": "document"}
    found, done = [], 0
    for block in blocks(text):
        place = f"{name_of(document)}:{block.line}"
        if block.file is None:
            run = RUN[block.language]
            found += [text[done : block.start], run(block.text, place, names)]
            done = block.end
        else:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text)
    new = "".join([*found, text[done:]])
    if os.environ.get("ASLIB_APPROVE"):
        document.write_text(new, encoding="utf-8")
    assert new == read(document)


# Quoted in docs/definitions.md → the question whose answer it quotes.
FINDINGS = {
    "worse than SBS by PAR1 (closed gap {:.3f}), by the shifted geometric mean ({:.3f}) "
    "and by Borda ({:.3f})": "select "
    "any_value(closed_gap) filter (metric = 'par1'), "
    "any_value(closed_gap) filter (metric = 'sgm'), "
    "any_value(closed_gap) filter (metric = 'borda') from metric_gap "
    "where scenario_id = 'SAT-PYSAT-2026' and solver = 'zilla'",
    "SBS costs {:.4f}. VBS, the best optimiser of each function, costs {:.4f}. A solver that runs one "
    "trial of each optimiser and keeps the best trial costs {:.4f}, so its closed gap is "
    "{:.2f}.": "select sbs_cost, vbs_cost, vbs_of_runs, closed_gap_of_runs "
    "from scenario_luck where scenario_id = 'OPT-FUNCTIONS-2026'",
    "is slower than SBS on {} instances and faster on {}. The median speedup is {:.2f}": "select "
    "n_slower, n_faster, median from solver_speedup "
    "where scenario_id = 'SAT-PYSAT-2026' and solver = 'zilla'",
    "would close {:.3f} of the gap.": "select choice_gap "
    "from scenario_selectors where scenario_id = 'SAT-PYSAT-2026'",
}


@pytest.mark.slow
@pytest.mark.parametrize("quoted", FINDINGS, ids=lambda quoted: quoted[:24])
def test_findings_quote_what_the_program_answers(quoted: str, demo: Path) -> None:
    (values,) = ae.query(FINDINGS[quoted], lake=demo).rows()
    said = quoted.format(*values).replace("-0.", "\N{MINUS SIGN}0.")
    assert said in " ".join(read(ROOT / "docs" / "definitions.md").split())


def test_documents_show_every_figure_that_is_drawn_for_them() -> None:
    shown = re.findall(r'"docs/pictures/(.+)\.svg"', read(ROOT / "README.md"))
    shown += re.findall(r"\(pictures/(.+)\.svg\)", read(ROOT / "docs" / "definitions.md"))
    drawn = runpy.run_path(str(ROOT / "scripts" / "picture"))["FIGURES"]
    assert shown == list(drawn)
    assert all((ROOT / "docs" / "pictures" / f"{name}.svg").is_file() for name in drawn)


GALLERY = ROOT / "docs" / "gallery.md"
TABLES = ROOT / "docs" / "data" / "tables.md"
TABLE = re.compile(r"`(aslib-eval table [^\n`]+)`\n(?:\n|\Z)((?:\|[^\n]*\n)*\n?)")


def test_the_gallery_shows_every_figure_and_every_table() -> None:
    drawn = re.findall(r"aslib-eval figure (\S+) .*-o (\S+)\.svg`", read(GALLERY))
    assert all(name == file for name, file in drawn)
    shown = re.findall(r'"pictures/gallery/(\S+)\.webp"', read(GALLERY))
    assert shown == [name for name, _ in drawn]
    # Twice the same; what takes selectors over scenarios that all of them answer, or public scenarios;
    # and what needs a price, which the tutorial on routing has.
    assert FIGURES.usable().keys() - {*shown} == {"runtimes", "ranks", "published", "tradeoff"}
    pictures = (ROOT / "docs" / "pictures" / "gallery").iterdir()
    assert {picture.stem for picture in pictures} == {*shown}
    tables = [line.split()[2] for line, _ in TABLE.findall(read(TABLES))]
    assert sorted(tables) == sorted(find_tables())


@pytest.mark.slow
@pytest.mark.usefixtures("opened_once")
def test_paper_tables_are_what_their_commands_print(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASLIB_LAKE", str(demo))

    def made(found: re.Match[str]) -> str:
        line = found[1]
        return f"`{line}`\n\n{command(line)[1]}\n"

    new = TABLE.sub(made, read(TABLES))
    if os.environ.get("ASLIB_APPROVE"):
        TABLES.write_text(new, encoding="utf-8")
    assert new == read(TABLES)


# What the example of ``train`` says where its extra is not installed.
INSTALL = (
    "train: asf and scikit-learn are not installed. Install the extra selectors, in a "
    "checkout: pip install '.[selectors]'\n"
)
# What needs more than the start of the README makes, or stands there itself.
ELSEWHERE = {
    "report": "the start",
    "competition": "the raw results of a competition",
    "fetch": "the net",
    "serve": "until it is stopped",
    "paper amadini2023": "the scenarios of the paper",
    "paper oasc2017": "the scenarios of the contest",
}


@pytest.mark.slow
def test_every_example_of_the_help_runs_where_the_start_ends(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo, tmp_path / "lake", symlinks=True)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    shutil.copy(ROOT / "aslib-eval.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    for name in COMMANDS.keys() - ELSEWHERE.keys():
        assert COMMANDS[name].epilog, name
    for name in [name for name in COMMANDS if name not in ELSEWHERE]:
        line = str(COMMANDS[name].epilog).removeprefix("Example: ").partition(" && ")[0]
        code, output = command(line)
        if name == "train" and find_spec("asf") is None:
            assert (code, output) == (1, INSTALL)
        else:
            assert code == 0, (line, output)


INLINE = re.compile(r"`(aslib-eval [^`\n]+)`")


def test_the_glossary_explains_the_words_of_pages_as_pages_do() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text()
    entries = [f"* **{word}**: {about}." for word, about in GLOSSARY.items()]
    assert [entry for entry in entries if entry not in text] == []


def test_every_command_answers_a_question() -> None:
    asked = " ".join(INLINE.findall(read(ROOT / "docs" / "questions.md")))
    names = {name.split()[0] for name in COMMANDS}
    assert {name for name in names if f"aslib-eval {name}" not in asked} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_command_in_a_sentence_is_one(document: Path) -> None:
    for line in INLINE.findall(read(document)):
        words = shlex.split(line)[1:]
        names = [n for n in COMMANDS if words[: len(n.split())] == n.split()]
        groups = {n.split()[0] for n in COMMANDS}
        assert names or words[0] in groups or words[0].startswith("-"), line
        known = {o for n in names for p in COMMANDS[n].params for o in p.opts}
        flags = {w for w in words if w.startswith("-") and not w[1:].isdigit()}
        assert not names or flags <= known, line


def shell(text: str, place: str, names: dict[str, Any]) -> str:
    """Run commands, which all must succeed."""
    for line in text.replace("\\\n", " ").splitlines():
        if line and not ENVIRONMENT.match(line):
            code, output = command(line)
            assert code == 0, (place, names["__name__"], line, output)
    return text


def console(text: str, place: str, names: dict[str, Any]) -> str:
    """Run commands after ``$``: each with what it prints; ``...`` are any lines."""
    new = []
    for example in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]:
        line, _, wanted = example.partition("\n")
        _, output = command(line.removeprefix("$ "))
        pattern = re.escape(wanted).replace(re.escape("...\n"), "(?:.*\n)*?")
        same = re.fullmatch(pattern, output)
        new.append(example if same else f"{line}\n{output}")
    assert new, (place, names["__name__"], "no line begins with $")
    return "".join(new)


def command(line: str) -> tuple[int, str]:
    """Exit code and output of a command; ours in this process."""
    words = shlex.split(line, comments=True)
    if words[:1] == ["aslib-eval"]:
        done = CliRunner().invoke(main, words[1:], catch_exceptions=False)
        return done.exit_code, done.output
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


def python(text: str, place: str, names: dict[str, Any]) -> str:
    """Run a snippet; the snippets of a document share their names."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, place, "exec"), names)  # noqa: S102 - our own documents
    return text


def query(text: str, place: str, names: dict[str, Any]) -> str:
    """Run a SELECT on the lake."""
    assert ae.query(text, lake="lake").height, (place, names["__name__"])
    return text


def layout(text: str, place: str, names: dict[str, Any]) -> str:
    """A layout of files, or a print-out of another time: not to be run."""
    assert not text.startswith("$ aslib-eval"), (place, names["__name__"])
    return text


RUN: dict[str, Callable[[str, str, dict[str, Any]], str]] = {
    "sh": shell,
    "console": console,
    "python": python,
    "sql": query,
    "text": layout,
}
