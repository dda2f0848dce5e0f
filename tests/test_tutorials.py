"""The tutorials run, and print what is stored in them.

Each is one notebook with its outputs, which a person reads on a code host, runs in Jupyter and edits there
or as text. Here its cells run in one namespace, as in Jupyter, in a folder where ``../../scenarios`` leads
to the scenarios. What is stored of an output is its richest form (a figure, else HTML, else text). Compared
are the words of it, with nine digits of each number: not the markup, which is that of other libraries.
``ASLIB_APPROVE=1`` writes the outputs anew; read the difference before it is committed.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.approved import numbers
from tests.conftest import ROOT
from tests.documents import TUTORIALS, name_of

Cell = dict[str, Any]
_HEAD = {
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "nbformat": 4,
    "nbformat_minor": 4,
}
_RICHEST = ("image/svg+xml", "text/html", "text/plain")
_MARKUP = re.compile(r"<style[^>]*>.*?</style>|<[^>]+>", re.DOTALL)
# Programs and modules that not everybody has, with what a cell says who needs them.
_PROGRAMS = ("duckdb", "Rscript")
_MODULES = {"pandas": re.compile(r"pandas|\bpd\.")}
_NUMBER = re.compile("(?<![\\w.-])[-\N{MINUS SIGN}]?\\d+(?:\\.\\d+)?(?:e-?\\d+)?(?!\\w)")
_SHELL = "%%bash\n"
_LOAD = "%load_ext aslib_eval\n"


@pytest.mark.slow
@pytest.mark.usefixtures("opened_once")
@pytest.mark.parametrize("tutorial", TUTORIALS, ids=name_of)
def test_a_tutorial_prints_what_is_stored(
    tutorial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "docs" / "tutorials"
    here.mkdir(parents=True)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    for table in tutorial.parent.glob("*.csv"):
        shutil.copy(table, here)
    monkeypatch.chdir(here)
    own = str(Path(sys.executable).parent)  # where pip puts the DuckDB shell
    monkeypatch.setenv("PATH", os.pathsep.join([own, os.environ["PATH"]]))
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    stored = json.loads(tutorial.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    new: list[Cell] = []
    absent: set[str] = set()
    for cell in stored["cells"]:
        lacking = missing("".join(cell["source"]))
        absent |= lacking
        new.append(normal(cell) if lacking else ran(cell, names, f"<{tutorial.stem}>"))
    if os.environ.get("ASLIB_APPROVE"):
        tutorial.write_text(written(new), encoding="utf-8")
        stored = json.loads(written(new))
    for old, found in zip(stored["cells"], new, strict=True):
        assert words(found) == words(old), "".join(old["source"])
    assert tutorial.read_text(encoding="utf-8") == written(stored["cells"])
    if absent:
        pytest.skip(f"as far as it goes without {', '.join(sorted(absent))}")


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=name_of)
def test_a_number_in_the_text_stands_in_the_cell_before_or_after(tutorial: Path) -> None:
    cells = json.loads(tutorial.read_text(encoding="utf-8"))["cells"]
    beside = [
        "".join(cell["source"]) + " ".join(" ".join(each) for each in words(cell))
        if cell["cell_type"] == "code"
        else None
        for cell in cells
    ]
    for at, cell in enumerate(cells):
        if beside[at] is None:
            near = [
                next((text for text in side if text is not None), "")
                for side in (reversed(beside[:at]), beside[at:])
            ]
            text = re.sub(r"\]\([^)]*\)", "]", "".join(cell["source"]))
            wrong = [n for n in _NUMBER.findall(text) if not held(n, " ".join(near))]
            assert wrong == [], text


def test_the_runs_of_the_first_tutorial_are_those_of_the_scenario(tmp_path: Path) -> None:
    ae.import_scenarios(ROOT / "scenarios" / "SAT-PYSAT-2026", into=tmp_path)
    ae.import_runs(ROOT / "docs/tutorials/runs.csv", cutoff=10, into=tmp_path)
    found = ae.query(
        "select count(*), count(*) filter (ours.runstatus = 'ok'), count(*) filter"
        " (round(theirs.value, 2) <> ours.value or ours.runstatus <> theirs.runstatus)"
        " from raw_run as ours join raw_run as theirs"
        " using (instance_id, repetition, algorithm, measure)"
        " where ours.scenario_id = 'runs' and theirs.scenario_id = 'SAT-PYSAT-2026'",
        lake=tmp_path,
    )
    assert found.rows() == [(648, 573, 0)]


def held(number: str, text: str) -> bool:
    """Whether a text holds a number: as it is, rounded, in percent, less its sign."""
    number, text = (each.replace("\N{MINUS SIGN}", "-") for each in (number, text))
    digits = len(number.partition(".")[2])
    there = [float(found) for found in _NUMBER.findall(text)]
    scaled = [scale * value for value in there for scale in (1, 100)]
    return any(number in (f"{x:.{digits}f}", f"{abs(x):.{digits}f}") for x in scaled)


def written(cells: Sequence[Cell]) -> str:
    """The text of a notebook, without what its last editor left in it."""
    plain = [normal(cell) for cell in cells]
    for n, cell in enumerate((c for c in plain if c["cell_type"] == "code"), 1):
        cell["execution_count"] = n
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = n
    return json.dumps({"cells": plain, **_HEAD}, ensure_ascii=False, indent=1) + "\n"


def missing(source: str) -> set[str]:
    """What a cell needs and is not there."""
    called = set(re.findall(r"^[\w-]+", source.removeprefix(_SHELL), re.MULTILINE))
    programs = called & {*_PROGRAMS} if source.startswith(_SHELL) else set()
    modules = {module for module, use in _MODULES.items() if use.search(source)}
    return {program for program in programs if shutil.which(program) is None} | {
        module for module in modules if find_spec(module) is None
    }


def normal(cell: Cell) -> Cell:
    """A cell without what its last editor left in it."""
    if cell["cell_type"] != "code":
        return {"cell_type": "markdown", "metadata": {}, "source": cell["source"]}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": cell["outputs"],
        "source": cell["source"],
    }


def ran(cell: Cell, names: dict[str, Any], place: str) -> Cell:
    """A cell with the outputs of running it here."""
    source, new = "".join(cell["source"]), normal(cell)
    if cell["cell_type"] == "code":
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            if source.startswith(_SHELL):
                told, value = shell(source.removeprefix(_SHELL)), None
            else:
                told, value = "", evaluated(source, names, place)
        new["outputs"] = [
            *streams(stdout=printed.getvalue(), stderr=told),
            *([] if value is None else [result(value)]),
        ]
    return new


def evaluated(source: str, names: dict[str, Any], place: str) -> Any:
    """Run the code of a cell; the value of its last line, if that is an expression."""
    tree = ast.parse(source.replace(_LOAD, ""))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)  # noqa: S102 - our own tutorials
    if last is None:
        return None
    expression = ast.Expression(last.value)
    value = eval(compile(expression, place, "eval"), names)  # noqa: S307
    return None if source.rstrip().endswith(";") else value


def shell(text: str) -> str:
    """Run commands, ours in this process; print stdout, and return stderr."""
    told = ""
    lines = text.replace("\\\n", " ").splitlines()
    if all(line.startswith("aslib-eval ") for line in lines):
        for line in lines:
            done = CliRunner().invoke(main, shlex.split(line)[1:], catch_exceptions=False)
            assert done.exit_code == 0, done.output
            print(done.stdout, end="")  # noqa: T201
            told += done.stderr
    else:
        run = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
        print(run.stdout, end="")  # noqa: T201
        told = run.stderr
    return told


def streams(**texts: str) -> list[Cell]:
    """What was printed, as outputs of a cell."""
    return [
        {"name": name, "output_type": "stream", "text": text.splitlines(keepends=True)}
        for name, text in texts.items()
        if text
    ]


class Formatter(dict[type, Callable[[Any], str]]):
    """What Jupyter shows of a type in HTML, as the extension of the package sets it."""

    def for_type(self, kind: type, html: Callable[[Any], str]) -> None:
        self[kind] = html


def formatter() -> Formatter:
    """The one of a notebook that has loaded the extension."""
    found = Formatter()
    display = SimpleNamespace(formatters={"text/html": found})
    ae.load_ipython_extension(SimpleNamespace(display_formatter=display))
    return found


def result(value: Any) -> Cell:
    """The value of a cell's last line, as an output."""
    bundle = getattr(value, "_repr_mimebundle_", dict)()
    html = formatter().get(type(value))
    if html is not None:
        bundle["text/html"] = html(value)
    elif hasattr(value, "_repr_html_"):
        bundle["text/html"] = value._repr_html_()
    bundle.setdefault("text/plain", repr(value))
    kind = next(kind for kind in _RICHEST if kind in bundle)
    # A row of a table, a mark of a figure in a line of its own.
    text = re.sub(r"(</tr>|</p>|</g>|/>)(?=<)", r"\1\n", bundle[kind])
    return {
        "data": {kind: text.splitlines(keepends=True)},
        "execution_count": None,
        "metadata": {},
        "output_type": "execute_result",
    }


def said(output: Cell) -> str:
    """The text of an output."""
    (lines,) = output.get("data", {"": output.get("text")}).values()
    return "".join(lines)


def words(cell: Cell) -> list[list[str]]:
    """The words of each output of a cell."""
    return [
        numbers(html.unescape(_MARKUP.sub(" ", said(output)))).split() for output in cell.get("outputs", ())
    ]


# DuckDB takes itself to be in Jupyter, and finds no ipywidgets.
_JUPYTER = """
import builtins, sys, types

class Shell:
    config = {"IPKernelApp": {}}

found = types.ModuleType("IPython")
found.get_ipython = builtins.get_ipython = Shell
sys.modules |= {"IPython": found, "ipywidgets": None}
sys.ps1 = ">>> "

import duckdb
from aslib_eval.database.views import new_connection

try:
    duckdb.connect().execute("set enable_progress_bar = false")
except duckdb.InvalidInputException:
    print(new_connection().execute("select 1").fetchone())
"""


def test_a_lake_opens_in_jupyter_without_ipywidgets() -> None:
    done = subprocess.run([sys.executable, "-c", _JUPYTER], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("(1,)\n", "")
