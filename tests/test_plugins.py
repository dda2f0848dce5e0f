"""A package that adds one of each thing: that of docs/plugins.md."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import plugins, provenance
from aslib_eval.cli import main
from aslib_eval.cli.declared import Commands
from aslib_eval.commands import DeclaredGroup
from aslib_eval.database.sqlfiles import our_folders
from aslib_eval.database.views import lineage
from aslib_eval.errors import AslibError, BrokenPlugIn, OptionError
from aslib_eval.executors import cluster_of, computed
from aslib_eval.formats.registry import FORMATS
from aslib_eval.options import Option, arguments_of
from aslib_eval.plugins import KINDS, RESERVED, Registry, of_others
from aslib_eval.reports.sections import INDEX_SECTIONS, SECTIONS
from tests.conftest import ROOT
from tests.documents import blocks, read

PAGE = ROOT / "docs" / "plugins.md"
FILES = {block.file: block.text for block in blocks(read(PAGE)) if block.file}
EXAMPLE = "aslib-eval-example"
WORST = FILES["example/aslib_eval_example/sql/solver/solver_worst.sql"]
OURS = our_folders()
WRONG = {"broken": "raise RuntimeError('it is broken')", "empty": ""}


def install(folder: Path, name: str, entries: dict[str, dict[str, str]]) -> None:
    """What pip writes of a distribution into its target folder."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, declared in entries.items()
        for line in (f"[{group}]", *(f"{n} = {home}" for n, home in declared.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that Python finds packages in."""
    folder = tmp_path / "target"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(plugins, "_TOLD", set())
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def example(target: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of docs/plugins.md, installed."""
    project = tomllib.loads(FILES["example/pyproject.toml"])["project"]
    for name, text in FILES.items():
        file = target / Path(name).relative_to("example")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    install(target, project["name"], project["entry-points"])
    monkeypatch.delitem(sys.modules, "aslib_eval_example", raising=False)
    return target / "aslib_eval_example" / "__init__.py"


@pytest.fixture
def wrong(target: Path) -> Path:
    """Packages that cannot be used, and one whose names are taken."""
    for name, text in WRONG.items():
        (target / f"aslib_{name}.py").write_text(text)
    for kind in KINDS:
        group = f"aslib_eval.{kind}"
        install(target, f"b-{kind}", {group: {"broken": "aslib_broken:x"}})
        install(target, f"e-{kind}", {group: {"empty": "aslib_empty:__name__"}})
    install(target, "t-one", {"aslib_eval.formats": {"aslib": "aslib_empty:x"}})
    return target


def test_the_package_adds_one_of_each(example: Path) -> None:
    assert example.is_file()
    assert sorted({each.kind for each in of_others()}) == sorted(KINDS)
    assert {str(x).partition(" of ")[2] for x in of_others()} == {f"{EXAMPLE} 1.0"}


@pytest.mark.slow
@pytest.mark.usefixtures("example")
def test_commands_of_the_page_run(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    shutil.copytree(toy, tmp_path / "lake", symlinks=True)  # which is trained in
    losses = '{"sphere": {"A": 0.5, "B": 0.25}, "cube": {"A": 1, "B": 2}}'
    (tmp_path / "functions.losses.json").write_text(losses)
    blocks = re.findall(r"^```sh\n(.*?)^```", read(PAGE), re.MULTILINE | re.DOTALL)
    lines = [x for block in blocks for x in block.splitlines() if x.startswith("aslib-eval ")]
    said = {}
    for line in lines:
        found = CliRunner().invoke(main, shlex.split(line)[1:])
        assert found.exit_code == 0, (line, found.output, found.exception)
        said[" ".join(line.split()[1:3])] = found.output
    assert f"plug-in: format losses of {EXAMPLE} 1.0\n" in said["--version"]
    assert "| TOY-2026 | careful |" in said["best"]
    assert "| anvil | 505 | 0.333333 |" in said["score --scenario"]
    head, rule = "| solver | par2 |", "| --- | --: |"
    assert said["score --first"].splitlines()[:2] == [head, rule]
    assert "sign-flip permutation test" in said["compare --scenario"]
    assert "| system | median |" in said["compare --show"]
    index = (tmp_path / "report" / "index.html").read_text()
    assert "All scenarios together have 12 instances." in index
    page = (tmp_path / "report" / "scenario" / "TOY-2026.html").read_text()
    assert "Before any penalty, costs are from 1 to 100." in page
    (algorithms,) = re.findall(r'<section id="algorithms".*?</section>', page, re.DOTALL)
    assert "of many solvers." in algorithms
    found = ae.score("losses", kinds=["algorithm"])
    assert dict(found.select("solver", "cost").rows()) == {"A": 0.75, "B": 1.125}
    assert "place: position among the solvers of the same kind." in said["score --scenario"]


@pytest.mark.usefixtures("example")
def test_views_are_there_as_ours_are(toy: Path) -> None:
    worst = "from solver_worst where solver = 'anvil'"
    (row,) = ae.query(worst, lake=toy).select("kind", "worst_cost").rows()
    assert row == ("algorithm", 1000.0)
    listed = ae.views().filter(ae.views()["relation"] == "solver_worst")
    assert listed["subject"].to_list() == ["solver"]
    assert lineage().names.keys() >= {"solver_worst", "solver_borda"}
    assert "worst_cost" in ae.gap(toy, metrics=["worst_cost"])["metric"].to_list()
    found = ae.table("worst", toy)
    assert found.caption == "Largest cost of every algorithm, and upper quartile of its costs."
    costs = ae.query("from instance_solver where solver = 'anvil'", lake=toy)["cost"]
    upper = float(np.quantile(costs.to_numpy(), 0.75))
    assert f"| anvil | 1000.0 | {upper:.1f} |" in found.render()


@pytest.mark.usefixtures("example")
def test_a_declared_command_is_a_function(toy: Path) -> None:
    assert ae.best(toy).rows() == [("TOY-2026", "careful")]
    assert ae.solvers(toy) == ["anvil", "bolt", "crane", "drift"]
    assert "solvers" in ae.__all__
    assert "best" in ae.__all__
    assert "lake_size" not in ae.__all__  # it is a command of click
    with pytest.raises(AttributeError, match="'lake_size'"):
        _ = ae.lake_size
    with pytest.raises(AttributeError, match="'bestow'"):
        _ = ae.bestow


@pytest.mark.usefixtures("example")
def test_a_cluster_is_found_by_how_its_address_begins() -> None:
    with cluster_of("threads://3") as found:
        assert found.jobs == 3
        assert dict(computed(found.executor, abs, [-2, 1])) == {-2: 2, 1: 1}


@pytest.mark.usefixtures("example")
def test_a_check_of_what_is_imported(tmp_path: Path) -> None:
    paths = []
    for name, solvers in {"duo": "a,b\ni,1,2\n", "solo": "solver,time\ni,a,1\n"}.items():
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(f"instance,{solvers}")
    into = tmp_path / "mine"
    for wanted in ({"solo": ["has only one algorithm"]}, {}):  # then unchanged
        done = ae.import_scenarios(paths, into=into, cutoff=5)
        told = {each.scenario_id: [x.message for x in each.findings if x.code == "one"] for each in done}
        assert told == {"duo": [], "solo": [], **wanted}


def test_a_check_that_fails_is_said_of_what_is_imported(target: Path, tmp_path: Path) -> None:
    (target / "aslib_refuses.py").write_text("def check(lake, ids): raise ValueError(ids)")
    install(target, "fails", {"aslib_eval.checks": {"bad": "aslib_refuses:check"}})
    (tmp_path / "duo.csv").write_text("instance,a,b\ni,1,2\n")
    (done,) = ae.import_scenarios("duo.csv", into=tmp_path / "mine", cutoff=5)
    (said,) = [x.message for x in done.findings if x.code == "check-failed"]
    assert (done.status, done.error) == ("imported", None)
    assert said.startswith("the check bad of 1 scenario failed: bad: ")
    assert "ValueError: ['duo']" in said


@pytest.mark.usefixtures("example")
def test_a_command_in_a_group() -> None:
    assert list(main.commands["lake"].commands) == ["repair", "snapshot", "size"]
    found = CliRunner().invoke(main, ["lake", "size", "--help"])
    assert "Print the size of a lake in bytes." in found.output


def test_a_command_of_no_group_is_told(target: Path) -> None:
    entries = {"nowhere.size": "aslib_eval_example:size"}
    install(target, "astray", {"aslib_eval.commands": entries})
    found = CliRunner().invoke(main, ["--help"])
    assert found.exit_code == 0
    assert "nowhere.size of astray 1.0: is in no group of commands" in found.stderr


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import --help", "|losses|runs|table]"),
        ("--help", "\n  best  "),
        ("compare --help", "|sign-flip]"),
        ("compare --test sign-flop", "Did you mean 'sign-flip'"),
    ],
)
def test_names_are_listed_where_they_are_chosen(line: str, said: str, target: Path) -> None:
    """In a process of its own: a command makes its options once."""
    found = subprocess.run(
        [sys.executable, "-m", "aslib_eval", *line.split()],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200", "PYTHONPATH": str(target)},
    )
    assert said in found.stdout + found.stderr


@pytest.mark.usefixtures("example")
def test_the_metric_in_score_and_gap(toy: Path) -> None:
    found = ae.score(toy, kinds=["algorithm"]).sort("solver")
    assert found.columns[-2:] == ["quick", "place"]
    wanted = {"anvil": 4 / 12, "bolt": 5 / 12, "crane": 2 / 12, "drift": 2 / 12}
    assert dict(found.select("solver", "quick").rows()) == pytest.approx(wanted)
    gaps = ae.gap(toy, metrics=["quick", "par10"])
    ours = gaps.filter((gaps["metric"] == "quick") & (gaps["kind"] == "algorithm"))
    rows = ours.select("solver", "value", "sbs", "sbs_value", "closed_gap").rows()
    assert ("bolt", 5 / 12, "bolt", 5 / 12, 0.0) in rows
    assert gaps.columns == ae.gap(toy, metrics=["par10"]).columns
    selectors = gaps.filter((gaps["metric"] == "quick") & (gaps["kind"] == "selector"))
    scores = ae.score(toy, kinds=["selector"]).select("solver", "quick").rows()
    assert dict(selectors.select("solver", "value").rows()) == pytest.approx(dict(scores))


@pytest.mark.usefixtures("example")
def test_the_column_of_solvers(toy: Path) -> None:
    said: list[str] = []
    found = ae.gap(toy, solvers=["anvil", "drift", "VBS", "careful"], note=said.append)
    # Before some are left out: drift is the first of the algorithms by its gap, anvil the last.
    assert dict(found.select("solver", "place").rows()) == {"careful": 1, "VBS": 1, "drift": 1, "anvil": 4}
    assert "place: position among the solvers of the same kind." in said
    compared = ae.compare(toy, kind="algorithm")
    assert compared.systems.select("system", "place").rows()[0] == ("drift", 1)
    assert compared.sentences[-1] == "place: position among the solvers of the same kind."
    for others in ({"by": "ground_truth"}, {"why": True}, {"metrics": ["par10"]}):
        assert "place" not in ae.gap(toy, **others).columns
    assert "place" not in ae.score(toy, contribution=True).columns
    assert "place" not in ae.compare(toy, unit="folds", kind="algorithm").systems.columns


@pytest.mark.usefixtures("example")
def test_the_test_and_the_figure(toy: Path, tmp_path: Path) -> None:
    found = ae.compare(toy, kind="algorithm", test="sign-flip")
    assert found.pairs["test"].unique().to_list() == ["sign-flip"]
    wilcoxon = ae.compare(toy, kind="algorithm")
    both = np.abs(found.pairs["p"].to_numpy() - wilcoxon.pairs["p"].to_numpy())
    assert both.max() > 0.01  # another test, of the same differences
    assert found.pairs["advantage"].equals(wilcoxon.pairs["advantage"])
    chart = ae.figure("mean-costs", toy, scenarios=["TOY-2026"])
    assert chart.title == "Mean costs"
    assert chart.about == "drift has the least."
    chart.save(tmp_path / "costs.dat")
    (first, *_) = (tmp_path / "costs.dat").read_text().splitlines()
    assert first == "{}\t{}".format(*chart.marks[0].points[0][:2])  # type: ignore[union-attr]


@pytest.mark.usefixtures("example")
def test_an_option_answers_a_command(toy: Path) -> None:
    found = ae.score(toy, first=1, order="par2")
    every = ae.score(toy, kinds=["algorithm", "selector"])
    assert found["par2"].to_list() == [every["par2"].min()]
    assert found.columns[:2] == ["scenario_id", "protocol"]
    line = f"score --lake {toy} --first 1 --order par2 --columns solver --format csv"
    said = CliRunner().invoke(main, line.split())
    assert said.output == f"solver\n{found['solver'][0]}\n"
    # What is given as by default asks for nothing, and an unknown word is no option.
    assert ae.score(toy, first=None).equals(ae.score(toy))
    with pytest.raises(TypeError, match="unexpected keyword argument 'frist'"):
        ae.score(toy, frist=1, first=1)


@pytest.mark.usefixtures("example")
def test_an_option_is_explained() -> None:
    said = CliRunner().invoke(main, ["score", "--help"]).output
    assert "--first N" in said
    assert "--order [par10|par2]" in said
    assert "Metric that --first ranks by. [default: par10]" in " ".join(said.split())
    assert "first: int | None = None" in str(inspect.signature(ae.score))
    assert "first: Show only the N best solvers per scenario." in str(ae.score.__doc__)
    assert "first" not in inspect.signature(ae.gap).parameters


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(
    ("words", "given", "typed", "asked"),
    [
        (
            "--first 1 --kind algorithm --contribution",
            {"first": 1, "kinds": ["algorithm"], "contribution": True},
            "--first cannot be combined with --contribution, --kind",
            "first cannot be combined with contribution=True, kinds",
        ),
        ("--order par2", {"order": "par2"}, "--order needs --first", "order needs first"),
        (
            "--first 1 --order par3",
            {"first": 1, "order": "par3"},
            "'par3' is not one of 'par10', 'par2'. Did you mean 'par2'",
            "score: order = 'par3' is none of par10, par2. Did you mean 'par2'",
        ),
    ],
)
def test_what_does_not_go_with_an_option_is_refused(
    words: str, given: dict[str, Any], typed: str, asked: str
) -> None:
    found = CliRunner().invoke(main, ["score", *words.split()])
    assert (found.exit_code, found.stdout) == (2, "")
    assert typed in " ".join(found.stderr.split())
    with pytest.raises(OptionError) as raised:
        ae.score(**given)
    assert str(raised.value).startswith(asked)


PRINTS = """
from aslib_eval.cli.declared import made_of
from aslib_eval.options import Lake
from aslib_eval.options import public

@public
def lake_name(lake: Lake = "lake"):
    return str(lake)

@made_of("aslib_prints:lake_name", example="lake name")
def name(run, **options):
    "Say the name."
    print(f"It is called {run(**options)}.")
"""


def test_a_command_that_prints_in_its_own_way_is_a_function_too(target: Path) -> None:
    (target / "aslib_prints.py").write_text(PRINTS)
    entries = {"lake.name": "aslib_prints:name"}
    install(target, "prints", {"aslib_eval.commands": entries})
    said = CliRunner().invoke(main, ["lake", "name", "--lake", "mine"])
    assert said.output == "It is called mine.\n"
    assert ae.lake_name("mine") == "mine"
    assert "lake_name" in ae.__all__


OWN = """
from typing import Annotated
from aslib_eval.options import Option
def first(*, first: Annotated[int | None, Option("Another.")] = None): return []
def by(*, by: Annotated[str | None, Option("It is there.")] = None): return []
def plain(*, plain: int | None = None): return []
"""


@pytest.mark.usefixtures("example")
def test_options_that_cannot_be_added_are_left_out(target: Path, toy: Path) -> None:
    (target / "aslib_own.py").write_text(OWN)
    names = ("by", "plain", "__name__", "other", "first")
    entries = {f"score.{name}": f"aslib_own:{name}" for name in names}
    install(target, "own", {"aslib_eval.options": entries})
    with pytest.warns(BrokenPlugIn) as said:
        assert ae.score(toy, first=1).height == 1
    lacking = "module 'aslib_own' has no attribute"
    told = " ".join(str(each.message) for each in said)
    assert re.findall(r"option score\.(\w+) of own 1.0: (.*?)\. Up", told) == [
        ("first", "has a name that is taken, by aslib-eval-example"),
        ("__name__", "is a str, not a function"),
        ("other", f"cannot be loaded (AttributeError: {lacking} 'other')"),
        ("plain", "has no parameter plain with an Option"),
        ("by", "adds by, which score has already"),
    ]


FAST = """
from typing import Annotated
from aslib_eval.options import Option
def fast(
    *,
    fast: Annotated[bool, Option("Soon.", goes_without=("slow",))] = False,
    slow: Annotated[bool, Option("Late.")] = False,
): return []
def whole(*, whole: Annotated[bool, Option("All.")] = False, **choices): return [*choices]
"""


def test_an_added_option_keeps_what_it_says_goes_without_it(target: Path) -> None:
    (target / "aslib_fast.py").write_text(FAST)
    entries = {f"views.{name}": f"aslib_fast:{name}" for name in ("fast", "whole")}
    install(target, "fast", {"aslib_eval.options": entries})
    found = arguments_of(ae.views)
    assert found["fast"].option == Option("Soon.", goes_without=("slow", "name", "sql_dirs", "whole"))
    assert found["slow"].option == Option("Late.", goes_with="fast")
    assert found["whole"].option == Option("All.", goes_without=("fast", "slow"))
    assert ae.views("solver_gap", whole=True) == ["name"]


@pytest.mark.usefixtures("wrong")
def test_broken_ones_break_no_other(example: Path, toy: Path) -> None:
    with pytest.warns(BrokenPlugIn) as said:
        assert "losses" in FORMATS.usable()
    texts = [str(each.message) for each in said]
    wanted = [
        ("aslib of t-one", "has a name that is taken, by aslib-eval"),
        ("broken of b-formats", "cannot be loaded (RuntimeError: it is broken)"),
        ("empty of e-formats", "is a str instead of a Format"),
    ]
    for text, (which, why) in zip(texts, wanted, strict=True):
        distribution = which.split()[-1]
        assert text == (f"the plug-in format {which} 1.0: {why}. Update {distribution}, or uninstall it.")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(FORMATS.usable())[-3:] == ["losses", "runs", "table"]  # said once
    with pytest.warns(BrokenPlugIn) as said:
        assert our_folders() == (*OURS, example.parent / "sql")
    assert [str(each.message).partition(":")[0] for each in said] == [
        "the plug-in view broken of b-views 1.0",
        "the plug-in view empty of e-views 1.0",
    ]
    with pytest.raises(AslibError, match=r"test broken of b-tests 1\.0: cannot"):
        ae.compare(toy, test="broken")
    with pytest.raises(AslibError, match=r"e-figures 1\.0: is a str, not a Fig"):
        ae.figure("empty", toy)
    with pytest.warns(BrokenPlugIn):
        assert "quick" in ae.score(toy).columns


@pytest.mark.usefixtures("example", "wrong")
def test_what_is_no_function_is_none_of_ours() -> None:
    with pytest.warns(BrokenPlugIn) as said:
        assert {"solvers", "empty", "broken"} & {*ae.__all__} == {"solvers"}
    assert "function empty of e-functions 1.0: is a str, not a function" in " ".join(
        str(each.message) for each in said
    )


def test_a_group_is_listed_where_it_has_commands() -> None:
    reserved = DeclaredGroup("It waits.", {"build": RESERVED})
    filled = DeclaredGroup("It is there.", {"list": "products:views"})
    assert [*Commands({"empty": reserved, "filled": filled}, "none")] == ["filled"]
    assert "paper" in [*main.commands]  # which extensions fill


@pytest.mark.usefixtures("example", "wrong")
def test_the_command_line_goes_on(toy: Path) -> None:
    found = CliRunner().invoke(main, ["--help"])
    assert found.exit_code == 0
    assert "\n  best  " in found.stdout
    assert found.stderr.count("of b-commands") == 1
    found = CliRunner().invoke(main, ["broken"])
    assert found.exit_code == 1
    assert found.stderr.startswith("the plug-in command broken of b-commands 1.0: ")
    found = CliRunner().invoke(main, ["score", "--lake", str(toy)])
    assert found.exit_code == 0
    assert "left out: the plug-in metric broken of b-metrics" in found.stderr


FAILS = """
from aslib_eval.metrics.scale import OwnMetric
from aslib_eval.statistics.paired import OwnTest
METRIC = OwnMetric(lambda runs: runs.times[0])
TEST = OwnTest("a test", lambda d, side: (1.0, 2.0))
def section(results): return 1 / 0
def other(results): return "text"
"""


@pytest.mark.slow
def test_what_fails_when_it_is_asked(target: Path, toy: Path) -> None:
    (target / "aslib_fails.py").write_text(FAILS)
    homes = {
        "metrics": {"m": "aslib_fails:METRIC"},
        "tests": {"p": "aslib_fails:TEST"},
        "sections": {
            "s": "aslib_fails:section",
            "text": "aslib_fails:other",
            "origin.s": "aslib_fails:section",
            "algorithms.s": "aslib_fails:section",
            "algorithms.text": "aslib_fails:other",
        },
        "index_sections": {"s": "aslib_fails:section"},
    }
    install(target, "fails", {f"aslib_eval.{kind}": n for kind, n in homes.items()})
    with pytest.raises(AslibError, match=r"metric m of fails 1.0: returned \(4,\) poin"):
        ae.score(toy)
    with pytest.raises(AslibError, match=r"returned the statistic 1.0 and p = 2.0"):
        ae.compare(toy, test="p", kind="algorithm")
    assert [name for name in SECTIONS.usable() if name in homes["sections"]] == ["s", "text"]
    assert "s" in INDEX_SECTIONS.usable()
    ae.report(toy, output="pages", jobs=1)
    page = Path("pages/scenario/TOY-2026.html").read_text()
    assert "The plug-in section s of fails 1.0 failed (ZeroDivisionError" in page
    assert "it returned str instead of Section" in page
    assert "The plug-in section algorithms.s of fails 1.0 failed (ZeroDivision" in page
    assert "The plug-in section origin.s of fails 1.0 failed (ZeroDivision" in page
    assert "text of fails 1.0 failed (it returned str instead of Html or Chart)" in page
    index = Path("pages/index.html").read_text()
    assert "The plug-in index section s of fails 1.0 failed (ZeroDivisionError" in index


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("solver/solver_score.sql", WORST, "has a name that is taken, solver_score"),
        ("table/par10.sql", WORST, "has a name that is taken, par10"),
        ("suite/protocol.sql", WORST, "has a name that is taken, protocol"),
        ("solver/worst.sql", "select 1 as x", "the header does not begin 'One row"),
        ("solver/keys.txt", "", "which holds no view"),
    ],
)
def test_views_that_cannot_be_used_are_left_out(
    target: Path, toy: Path, file: str, text: str, why: str
) -> None:
    sys.modules.pop("aslib_views", None)
    path = target / "aslib_views" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    install(target, "v", {"aslib_eval.views": {"own": "aslib_views"}})
    with pytest.warns(BrokenPlugIn, match="view own of v 1.0: .*") as said:
        assert our_folders() == OURS
    assert why in str(said[0].message)
    assert ae.score(toy).height


def test_a_column_of_a_key_is_explained_beside_the_view(target: Path) -> None:
    sys.modules.pop("aslib_views", None)
    folder = target / "aslib_views"
    (folder / "suite").mkdir(parents=True)
    header = "-- One row per {0}.\n-- key: {0}\n"
    text = header.format("planet, scenario_id") + "select 1 as planet, 2 as scenario_id"
    (folder / "suite" / "planets.sql").write_text(text.replace("per planet,", "per"))
    (folder / "keys.toml").write_text('planet = "where"\nscenario_id = "no"\n')
    install(target, "v", {"aslib_eval.views": {"own": "aslib_views"}})
    assert ae.views("planets").rows() == [("planet", "where"), ("scenario_id", "scenario")]


def test_names_are_in_one_order_and_refused_in_it(target: Path) -> None:
    (target / "aslib_two.py").write_text("ONE, TWO = 'one', 'two'")
    for name, home in (("z-dist", "TWO"), ("a-dist", "ONE")):
        entries = {"aslib_eval.tests": {"same": f"aslib_two:{home}", name: "aslib_two:ONE"}}
        install(target, name, entries)
    ours = {"first": "1", "z-dist": RESERVED, "none": RESERVED, "last": "9"}
    registry = Registry("tests", ours, lambda _, x: str(x), last=1)
    with pytest.warns(BrokenPlugIn, match=r"same of z-dist 1.0: .* taken, by a-dist"):
        assert list(registry) == ["first", "z-dist", "a-dist", "same", "last"]
    assert registry["same"] == "one"
    assert len(registry) == 5
    assert "nothing" not in registry
    assert "none" not in registry
    with pytest.raises(KeyError):
        registry["nothing"]


def test_provenance_follows_what_plug_ins_hold(example: Path) -> None:
    before = provenance.code()
    (example.parent / "asked.sql").write_text("select 1")  # beside the views
    with_sql = provenance.code()
    example.write_text(example.read_text() + "\n# changed\n")
    importlib.invalidate_caches()
    assert len({before, with_sql, provenance.code()}) == 3


def test_provenance_without_plug_ins_is_as_before(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = provenance.code()
    (target / "aslib_empty.py").write_text("")
    install(target, "e", {"aslib_eval.tests": {"x": "aslib_empty:x"}})
    # Of a folder that is read already nothing is looked up again.
    monkeypatch.syspath_prepend(target / "other")
    assert provenance.code() != without


def test_the_test_of_a_plug_in_is_asked_each_time(
    target: Path, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (target / "own_p.py").write_text("P = 0.25\n")
    module = (
        "import own_p\nfrom aslib_eval.statistics.paired import OwnTest\n"
        "T = OwnTest('own', lambda differences, side: (0.0, own_p.P))\n"
    )
    (target / "own_test.py").write_text(module)
    install(target, "t", {"aslib_eval.tests": {"own": "own_test:T"}})
    found = []
    for p in (0.25, 0.75):
        sys.modules.pop("own_test", None)
        importlib.import_module("own_p")
        monkeypatch.setattr("own_p.P", p)
        pairs = ae.compare(toy, kind="algorithm", versus="drift", test="own").pairs
        found.append(pairs["p"].min())
    assert found == [0.25, 0.75]


@pytest.mark.parametrize(
    "does", ["raise SystemExit(3)", "raise KeyboardInterrupt", "import sys; sys.exit()"]
)
def test_one_that_ends_the_process_ends_nothing(target: Path, does: str) -> None:
    (target / "aslib_ends.py").write_text(does)
    kinds = ("formats", "commands")
    install(target, "e", {f"aslib_eval.{k}": {"ends": "aslib_ends:x"} for k in kinds})
    found = CliRunner().invoke(main, ["--help"])
    assert (found.exit_code, "Data:" in found.stdout) == (0, True)
    assert "left out: the plug-in command ends of e 1.0: cannot be loaded" in (found.stderr)
    with pytest.warns(BrokenPlugIn, match="format ends of e"):
        assert "aslib" in FORMATS.usable()


@pytest.mark.parametrize(
    "text",
    [
        b"[aslib_eval.commands]\nbest = aslib_eval_example:best\n[aslib_eva",
        b"[aslib_eval.commands]\nbest",
        b"[aslib_eval.commands]\nbest =",
        b"[aslib_eval.commands]\nbest = aslib_eval_example:",
        b"[aslib_eval.commands]\nbest\xff\x00 = x:\xff\n",
    ],
)
def test_entry_points_that_were_cut_are_told(target: Path, text: bytes) -> None:
    install(target, "cut-one", {})
    (target / "cut_one-1.0.dist-info" / "entry_points.txt").write_bytes(text)
    (target / "cut_one-1.0.dist-info" / "METADATA").unlink()
    for command in ("--help", "--version"):
        plugins._TOLD.clear()  # noqa: SLF001
        plugins._installed.cache_clear()  # noqa: SLF001
        found = CliRunner().invoke(main, [command])
        assert found.exit_code == 0
        assert f"left out: {target}: the entry points of a package cannot be read" in found.stderr


def test_a_name_of_an_extension_stays_its_own(target: Path) -> None:
    install(target, "a-dist", {"aslib_eval.commands": {"diff": "aslib_empty:x"}})
    with pytest.warns(BrokenPlugIn, match=r"diff of a-dist 1.0: .* taken, by aslib-eval"):
        found = Registry("commands", {}, lambda _, x: x).plug_in("diff")
    assert found is not None
    assert found.comes_along


def test_the_first_of_two_folders_counts(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "later").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "later")])
    for folder, name in ((target, "x"), (tmp_path / "later", "y")):
        install(folder, "both", {"aslib_eval.tests": {name: "aslib_empty:x"}})
    assert [each.name for each in of_others()] == ["x"]


def test_a_package_without_metadata_is_named_by_its_folder(target: Path) -> None:
    install(target, "bare", {"aslib_eval.metrics": {"m": "aslib_bare:X"}})
    (target / "bare-1.0.dist-info" / "METADATA").unlink()
    assert [each.distribution for each in of_others()] == [f"a package in {target}"]


def test_what_a_registry_cannot_use_is_said_of_the_plug_in(target: Path) -> None:
    (target / "aslib_odd.py").write_text("X = 1")
    install(target, "odd", {"aslib_eval.metrics": {"m": "aslib_odd:X"}})

    def made(_name: str, found: object) -> object:
        raise LookupError(found)

    with pytest.raises(AslibError) as refused:
        Registry("metrics", {}, made)["m"]
    assert str(refused.value) == (
        "the plug-in metric m of odd 1.0: cannot be used (LookupError: 1). Update odd, or uninstall it."
    )
