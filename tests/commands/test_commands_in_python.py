"""Every command is a function of ``aslib_eval`` whose options are its arguments."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple, Unpack

import click
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare import Comparison
from aslib_eval.cli.declared import FunctionCommand
from aslib_eval.commands import python_name
from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.options import (
    Alpha,
    By,
    Column,
    Compared,
    Jobs,
    Lake,
    Note,
    ProtocolOptions,
    Scenarios,
    Seed,
    SqlDirs,
    arguments_of,
    completed,
    in_python,
    public,
    words_of,
)
from tests.command_lines import with_extensions
from tests.conftest import ROOT, needs, write_scenario
from tests.lab import runs
from tests.test_structure import COMMANDS

# What the command line alone has: how to print, and what it reads in its own way.
OWN = {"format_", "output", "columns"}
OWN_OF = with_extensions(
    "OWN_OF",
    {
        "import-selection": {"words", "remove"},
        "check": {"paths", "lake", "format_"},
        "figure": {"name", "width", "bare", "output"},
        "table": {"name", "format_", "bare", "macros", "output"},
    },
)


@pytest.mark.parametrize(("name", "command"), COMMANDS.items())
def test_options_are_arguments(name: str, command: click.Command) -> None:
    assert isinstance(command, FunctionCommand)
    function = getattr(ae, python_name(name))
    known = inspect.signature(function).parameters
    more = {param.name for param in command.params} - OWN_OF.get(name, OWN)
    assert more <= known.keys()
    without = {n for n, each in arguments_of(function).items() if not each.option}
    assert without <= {*("note", "done", "ready", "progress", "written", "registry", "name", "path")}


def examples() -> Iterator[tuple[str, doctest.DocTest]]:
    finder = doctest.DocTestFinder(recurse=False)
    for name in ae.__all__:
        function = getattr(ae, name)
        if inspect.isfunction(function):
            (found,) = finder.find(function, name, globs={"ae": ae, "Path": Path})
            yield name, found


EXAMPLES = dict(examples())


@pytest.mark.parametrize("name", EXAMPLES)
def test_help_explains_every_argument(name: str) -> None:
    function = getattr(ae, name)
    text = str(function.__doc__)
    for argument in inspect.signature(function).parameters:
        said = rf"(?<!\w){argument}(, \w+)*:|``{argument}``"
        assert re.search(said, text), argument
    assert max(map(len, text.splitlines())) <= 108


def explained(
    lake: Lake = "lake",
    *,
    alpha: Alpha = 0.05,
    kind: Compared = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    own: int = 0,
    note: Note = print,
) -> None:
    """Do something.

    alpha, beta: in words of its own. jobs: in those.

    >>> explained()
    """


def test_help_adds_what_a_docstring_does_not_explain() -> None:
    assert completed(public(explained)).__doc__ == (
        "Do something.\n\nalpha, beta: in words of its own. jobs: in those.\n\n"
        "Arguments:\n"
        "    lake: Folder of the lake, as text or path, or what ``ae.open`` returned.\n"
        "    kind: Compare solvers of this kind. The solver named by ``versus`` may be of\n"
        "        another kind. By default: selectors if there are any, else algorithms.\n"
        "    seed: Seed of all random choices: the same seed gives the same result.\n"
        "    note: Called with each sentence that the command prints to stderr.\n"
        "\n>>> explained()"
    )


def test_help_says_what_an_option_of_an_extension_is_by_default() -> None:
    parameters = inspect.signature(ae.gap).parameters
    assert (parameters["tradeoff"].default, parameters["fold_mean"].default) == (False, False)


def words_of_functions() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every function, parameter and words of a public function."""
    for name in ae.__all__:
        function = getattr(ae, name)
        if not inspect.isfunction(function):
            continue
        for parameter in inspect.signature(function).parameters.values():
            allowed = tuple(w for w in words_of(parameter.annotation) if w is not None)
            if allowed:
                yield name, parameter.name, allowed


WORDS = list(words_of_functions())


def test_what_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    """But for paths, which may be called as they like."""
    for asked in ({"scenarios": ["a", "\udc80"]}, {"solvers": "\udc80"}):
        with pytest.raises(AslibError, match=r"^score: \w+ = .* is not UTF-8 text"):
            ae.score(tmp_path, **asked)  # type: ignore[arg-type]
    with pytest.raises(AslibError, match="the name of the lake's folder is not Unicode text"):
        ae.score(tmp_path / "\udc80")


@pytest.mark.parametrize(("name", "option", "allowed"), WORDS)
def test_an_unknown_word_is_refused(name: str, option: str, allowed: tuple[str, ...]) -> None:
    function = getattr(ae, name)
    taken = inspect.signature(function).parameters[option]
    assert set(words_of(taken.annotation)) - {None} == set(allowed)
    several = isinstance(taken.default, tuple)
    near = f"{allowed[-1]}x"
    given = {option: [near] if several else near}
    with pytest.raises(OptionError) as caught:
        function(**given)
    said = str(caught.value)
    assert said.startswith(f"{name}: {option} = '{near}' is none of")
    assert ", ".join(allowed) in said
    # A word of one or two letters is like none that has another letter.
    assert f"Did you mean '{allowed[-1]}'" in said or len(allowed[-1]) < 3


def test_a_wrong_metric_is_told_all(toy: Path) -> None:
    every = {"par10", "borda", "mznc", "scaled", "satisficing", "incomplete"}
    with pytest.raises(AslibError) as caught:
        ae.gap(toy, metrics=["scald"])
    said = str(caught.value)
    assert "Did you mean 'scaled'?" in said
    assert every <= set(re.findall(r"\w+", said))


PAPER = """lake = "lake"
output = "paper"
[[table]]
name = "closed_gap"
file = "gap.tex"
"""


# They take scenarios and predictions that do not come along; they have no example.
OF_PAPERS = {"paper_amadini2023", "paper_oasc2017"}
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the lake of TOY-2026, to write to."""
    folder = tmp_path_factory.mktemp("here")
    (folder / "scenarios").symlink_to(ROOT / "scenarios")
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=folder / "lake")
    ae.import_selection(ROOT / "scenarios" / "selections", folder / "lake")
    (folder / "paper.toml").write_text(PAPER, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("opened_once")
def test_examples_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    told: list[str] = []
    last = ("paper_build", "paper_check", "import_selection", "remove_selection")
    last = (*last, "evaluate")  # it adds a selector to the lake
    names = EXAMPLES.keys() - set(last) - OF_PAPERS - {"audit", "train"}
    for name in (*sorted(names), *(name for name in last if name in EXAMPLES)):
        assert EXAMPLES[name].examples, name
        result = doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(
            EXAMPLES[name], out=told.append
        )
        assert result.failed == 0, "".join(told)


def test_notes_are_said_on_request(toy: Path) -> None:
    said: list[str] = []
    frame = ae.sweep_penalty(toy, note=said.append)
    assert said
    assert all("TOY-2026" in text for text in said)
    assert frame.equals(ae.sweep_penalty(toy))


def test_options_that_exclude_each_other(toy: Path) -> None:
    with pytest.raises(
        OptionError, match="why=True explains costs over all instances: it cannot be combined with metrics"
    ):
        ae.gap(toy, why=True, metrics=["par10"])
    with pytest.raises(OptionError, match="it needs fold_mean=True"):
        ae.gap(toy, sbs="train")


def test_gaps_of_objectives_are_of_the_scenarios_asked_for(tmp_path: Path) -> None:
    measures = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
    runs = [("i", 1, "x", 4, 20, "ok"), ("i", 1, "y", 8, 30, "ok")]
    folders = [write_scenario(tmp_path / name, runs=runs, measures=measures) for name in "AB"]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    found = ae.gap(tmp_path / "lake", metrics=["mznc"], scenarios=["A"])
    assert {*found["scenario_id"]} == {"A"}


def test_mznc_of_runtimes_is_borda_and_of_objectives_that_of_proofs(tmp_path: Path) -> None:
    both = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
    # x proves 4, y finds 8; on j nobody proves, and y is better.
    found = [("i", 1, "x", 4, 20, "ok"), ("i", 1, "y", 8, 100, "ok"),
             ("j", 1, "x", 9, 100, "ok"), ("j", 1, "y", 3, 100, "ok"), ("k", 1, "x", 5, 10, "ok"),
             ("k", 1, "y", 5, 30, "ok")]  # fmt: skip
    times = [("i", 1, "x", 10, "ok"), ("i", 1, "y", 30, "ok"), ("j", 1, "x", 60, "ok"),
             ("j", 1, "y", 40, "ok")]  # fmt: skip
    folders = [write_scenario(tmp_path / "O", runs=found, measures=both),
               write_scenario(tmp_path / "T", runs=times)]  # fmt: skip
    ae.import_scenarios(folders, into=tmp_path / "lake")
    gaps = ae.gap(tmp_path / "lake", metrics=["mznc"], kinds=["algorithm"])
    columns = ["scenario_id", "solver", "metric", "sbs", "value", "sbs_value", "vbs_value", "closed_gap"]
    # O: x 1 + 0 + 0.75, y 0 + 1 + 0.25. T: x 0.75 + 0.4, y 0.25 + 0.6.
    assert [pytest.approx(row) for row in sorted(gaps.select(columns).rows())] == [
        ("O", "x", "mznc", "x", 1.75 / 3, 1.75 / 3, 2.75 / 3, 0),
        ("O", "y", "mznc", "x", 1.25 / 3, 1.75 / 3, 2.75 / 3, -0.5),
        ("T", "x", "mznc", "x", 0.575, 0.575, 0.675, 0),
        ("T", "y", "mznc", "x", 0.425, 0.575, 0.675, -1.5),
    ]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of two scenarios with the same two algorithms."""
    home = tmp_path_factory.mktemp("pair")
    runs = [("i", 1, "x", 4, "ok"), ("i", 1, "y", 8, "ok")]
    folders = [write_scenario(home / name, runs=runs) for name in "AB"]
    ae.import_scenarios(folders, into=home / "lake")
    return home / "lake"


@pytest.mark.parametrize("name", ["delta", "penalty", "cutoff", "tolerance"])
def test_every_sweep_pools_scenarios(pair: Path, name: str) -> None:
    at = 0.5 if name == "cutoff" else 1
    found = getattr(ae, f"sweep_{name}")(pair, pooled=True, at=[at])
    assert {*found.select("scenario_id", "value").rows()} == {("(2 scenarios)", at)}


def test_gaps_are_listed_from_the_best(toy: Path) -> None:
    found = ae.gap(toy, metrics=["par10"])
    assert found["kind"].unique(maintain_order=True).to_list() == ["selector", "baseline", "algorithm"]
    for _, rows in found.group_by("kind"):
        assert rows["closed_gap"].is_sorted(descending=True)


@needs("resampling")
def test_a_closed_gap_has_one_interval(toy: Path) -> None:
    """That of ``resample``, of the gap over all instances: there is none of another."""
    told: list[str] = []
    found = ae.gap(toy, interval=True, note=told.append)
    assert "The 95 % intervals come from 2000 bootstrap samples of the instances. SBS and VBS" in told[-1]
    keys = ["kind", "solver", "gap_low", "gap_high", "remark"]
    ours = found.filter(pl.col("kind") != "baseline").select(keys)
    drawn = ae.resample(toy, draws=2000).select(keys)
    assert ours.sort("kind", "solver").equals(drawn.sort("kind", "solver"))
    assert ours["gap_high"].null_count() == 0
    baselines = found.filter(kind="baseline").select("gap_low", "gap_high", "remark")
    assert baselines.rows() == [(None, None, None)] * 3
    folds = ae.gap(toy, interval=True, fold_mean=True, kinds=["selector"])
    assert folds["closed_gap"].null_count() == 0
    assert folds["gap_low"].null_count() == folds["gap_high"].null_count() == len(folds)
    assert folds["remark"].str.contains("over all instances at once").all()
    with pytest.raises(OptionError, match="interval=True cannot be combined with why=True"):
        ae.gap(toy, interval=True, why=True)


def test_an_interval_is_drawn_where_it_is_asked_for(toy: Path) -> None:
    assert "gap_low" not in ae.gap(toy).columns


@pytest.mark.slow
@pytest.mark.usefixtures("two_definitions")
def test_the_page_draws_the_interval_of_gap(toy: Path) -> None:
    from aslib_eval.analysis.results import page_frames, scenarios_of
    from aslib_eval.database.open_lake import open_lake
    from aslib_eval.reports.sections.instances import page_data

    lake = open_lake(toy)
    (results,) = scenarios_of(lake, page_frames(lake))
    data = page_data(results)
    assert data is not None
    names = [solver["name"] for solver in data["solvers"]]
    drawn = {names[at]: (low, high) for at, low, high in data["intervals"]}
    found = ae.gap(toy, interval=True, kinds=["selector"])
    told = found.select("solver", "gap_low", "gap_high").rows()
    assert drawn == {solver: (low, high) for solver, low, high in told}


def asked(
    *,
    scenarios: Scenarios = (),
    show: Literal["values", "pairs"] | None = None,
    scheme: str | None = None,
    column: Column = (),
    by: By = None,
    sql_dirs: SqlDirs = (),
    jobs: int = 1,
    note: Callable[[str], None] | None = None,
    **choices: Unpack[ProtocolOptions],
) -> list[Outcome]:
    """A command that fails as it is asked to."""
    del choices, scenarios, scheme, column, by, sql_dirs, jobs  # named in messages
    assert note is not None
    note("left out by --fold-mean")
    if show == "values":
        raise AslibError("--by is of gaps: it goes with no --show pairs", "--scenario")
    return [Outcome(AslibError("no split", hint="Say --scheme none."))]


class Outcome(NamedTuple):
    error: AslibError


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("needs --fold-mean.", "needs fold_mean=True."),
        ("Say it with --scenario NAME.", "Say it with scenarios=NAME."),
        ("--show pairs; --show all", "show='pairs'; show='all'"),
        ("see --show, or --scheme none", "see show, or scheme='none'"),
        ("--by needs instances", "by needs instances"),
        ("or --column ignore=NAME", "or column={'ignore': 'NAME'}"),
        ("Use --jobs 1, or --sql DIR.", "Use jobs=1, or sql_dirs=DIR."),
        ("see 'aslib-eval check --lake' -- a dash", None),
        ("give --other-program 3", None),
    ],
)
def test_python_names_options_as_its_arguments(typed: str, said: str | None) -> None:
    assert in_python(typed, arguments_of(asked)) == (said or typed)


def test_errors_outcomes_and_notes_are_worded_for_who_asks() -> None:
    told: list[str] = []
    with pytest.raises(AslibError) as raised:
        public(asked)(show="values", note=told.append)
    assert str(raised.value) == "scenarios: by is of gaps: it goes with no show='pairs'"
    (outcome,) = public(asked)(note=told.append)
    assert str(outcome.error) == "no split. Say scheme='none'."
    typed = TYPED.set(True)
    try:
        with pytest.raises(AslibError, match=r"^--scenario: --by is of gaps"):
            public(asked)(show="values", note=told.append)
    finally:
        TYPED.reset(typed)
    assert told == ["left out by fold_mean=True"] * 2 + ["left out by --fold-mean"]


def test_results_show_themselves(toy: Path, imported: Callable[..., Path]) -> None:
    found = ae.compare(toy, kind="algorithm", show="systems")
    assert isinstance(found, Comparison)
    html = found._repr_html_()
    assert html.count("<table>") == html.count("<svg") == 1
    sentence = f"<p>{escape(found.sentences[0])}</p>"  # below table and figure
    assert html.index("<table>") < html.index("<svg") < html.index(sentence)
    assert "<td>anvil</td>" in html
    assert found.frame.equals(found.systems)
    equal = ae.compare(imported("N", runs=runs(A=[1, 2], B=[1, 2])))
    assert "<svg" not in equal._repr_html_()  # no ranks to draw
    changed = ae.diff(["anvil", "crane"], toy)._repr_html_()
    assert changed.count("<svg") == 1
    three = ae.diff(["anvil", "crane", "bolt"], toy)._repr_html_()
    assert three.count("<svg") == 1
    table = ae.table("closed_gap", toy)._repr_html_()
    assert table.startswith("<table")
    assert "Closed gap of every selector" in table
    assert ae.figure("cactus", toy).spec()["title"] == "Runtimes of solved instances"
