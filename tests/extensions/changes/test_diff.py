"""``diff``: whose runs, what changed, the verdict, and what is printed."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from functools import cache
from html import escape
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.changes.analysis import Changes, _noise
from aslib_eval.extensions.changes.reports import history, times_of_two
from tests.conftest import Row, write_scenario
from tests.extensions.changes.simulated import verdicts as verdicts_of
from tests.lab import ACCURACY, OBJECTIVE, OUT, Given, table

pytestmark = pytest.mark.usefixtures("opened_once")

FAMILIES = "instance,family\n" + "".join(f"i{n},{'xy'[n > 6]}\n" for n in range(1, 21))


def run(*words: object) -> Result:
    """Of single instances: the two families of the lake show nothing."""
    return CliRunner().invoke(main, ["diff", *map(str, words), "--inside", "instances"])


def lake_of(to: Path, *, name: str = "S", cutoff: str = "100", **times: Sequence[float | None]) -> Path:
    """A lake with one scenario; None is a timeout."""
    rows = [
        (f"i{i}", 1, solver, 100 if time is None else time,
         "timeout" if time is None else "ok")
        for solver, own in times.items()
        for i, time in enumerate(own, 1)
    ]  # fmt: skip
    folder = write_scenario(to.parent / f"of-{to.name}" / name, runs=rows, cutoff=cutoff)
    (folder.parent / "families.csv").write_text(FAMILIES)
    (done,) = ae.import_scenarios([folder], into=to, attributes=folder.parent / "families.csv")
    assert done.error is None, done.error
    return to


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Versions of a solver: v2 is as v1, v3 loses six instances and is slower."""
    v1 = [float(n) for n in range(1, 21)]
    return lake_of(
        tmp_path_factory.mktemp("home") / "lake",
        v1=v1,
        v2=[1.05 * time for time in v1],
        v3=[None] * 6 + [3 * time for time in v1[6:]],
        v4=[None] * 6 + [0.3 * time for time in v1[6:]],
    )


@cache
def of(lake: Path, *names: str, **asked: Any) -> Changes:
    """Each question once, of single instances: tests look at parts of its answer."""
    return ae.diff(names, lake, **{"inside": "instances", **asked})


def verdicts(*names: str, lake: Path, **asked: object) -> list[tuple[object, ...]]:
    found = of(lake, *names, **asked).summary
    return found.select("gained", "lost", "faster", "slower", "level", "verdict").rows()


def test_verdicts(lake: Path) -> None:
    none = "no difference"
    assert verdicts("v1", "v2", lake=lake) == [(0, 0, 0, 0, 20, none)]
    assert verdicts("v1", "v3", lake=lake) == [(0, 6, 0, 14, 0, "worse")]
    assert verdicts("v3", "v1", lake=lake) == [(6, 0, 14, 0, 0, "better")]
    assert verdicts("v1", "v4", lake=lake, alpha=0.1) == [(0, 6, 14, 0, 0, "mixed")]


def test_slower_at_less_cost_is_mixed_and_slower_at_more_is_worse(tmp_path: Path) -> None:
    slow = [3.0 * n for n in range(1, 11)]
    lake = lake_of(
        tmp_path / "lake",
        old=[None, None, *map(float, range(1, 11))],
        less=[1, 1, *slow],
        more=[None, None, *slow],
    )
    assert verdicts("old", "less", lake=lake) == [(2, 0, 0, 10, 0, "mixed")]
    # All ten are slower; what two timeouts cost may decide the mean.
    assert verdicts("old", "more", lake=lake) == [(0, 0, 0, 10, 0, "typically worse")]


def test_families_are_taken_as_wholes(lake: Path) -> None:
    # Of x and y v3 loses six in the one, and is slower in the other: no p is below 1.
    found = ae.diff(["v1", "v3"], lake)
    row = found.summary.row(0, named=True)
    assert (row["n"], row["n_families"], row["verdict"]) == (20, 2, "no difference")
    assert (row["p_solved"], row["p_time"]) == (1, 1)
    assert row["change_low"] < 0 < row["change"] < row["change_high"]
    assert found.verdicts[0].startswith("S (20 instances of 2 families): ")
    told = "2 are too few to show a difference; --inside instances ignores"
    assert told in str(found.sentences)
    assert of(lake, "v1", "v3").summary["n_families"].to_list() == [None]


def test_two_fatal_failures_are_not_better(tmp_path: Path) -> None:
    # 29 of 31 are faster; one more timeout either way would turn the mean.
    old = [*map(float, range(41, 70)), 50, None]
    new = [*map(float, range(11, 40)), None, 50]
    found = ae.diff(["old", "new"], lake_of(tmp_path / "lake", old=old, new=new))
    row = found.summary.row(0, named=True)
    assert row["change_low"] < 0 < row["change_high"]
    assert row["verdict"] == "typically better"
    assert "new is typically better than old, but the interval of the mean" in str(found.verdicts)


def test_p_are_of_both_tests_with_holm_over_all_rows(lake: Path) -> None:
    found = of(lake, "v1", "v3").summary
    # 6 of 6 lost: 2 / 2^6; 14 of 14 slower: 2 / 2^14, twice that as the smaller.
    assert found.select("p_solved", "p_time").rows() == [(2 / 2**6, 4 / 2**14)]
    steps = of(lake, "v1", "v2", "v3").summary
    assert steps.select("before", "after", "p_solved", "p_time").rows() == [
        ("v1", "v2", None, None),
        ("v2", "v3", 2 / 2**6, 4 / 2**14),
    ]
    both = of(lake, "v1", "v3", by="family").summary
    assert both.select("family", "n", "lost", "slower", "p_solved", "p_time").rows() == [
        ("x", 6, 6, 0, 2 / 2**6, None),
        ("y", 14, 0, 14, None, 4 / 2**14),
    ]
    found = of(lake, "v1", "v3", "v4").summary
    assert found["p_time"].to_list() == [6 / 2**14, 6 / 2**14]
    assert found["p_solved"].to_list() == [2 / 2**6, None]


def test_factor_and_margin(lake: Path) -> None:
    assert verdicts("v1", "v2", lake=lake, factor=1.01)[0][3:5] == (18, 2)
    assert verdicts("v1", "v2", lake=lake, factor=1.01, margin=0)[0][3:5] == (20, 0)
    assert verdicts("v1", "v3", lake=lake, factor=4)[0][3:5] == (0, 14)
    assert verdicts("v1", "v3", lake=lake, margin=30)[0][3:5] == (5, 9)


def test_repetitions_are_paired_and_their_spread_is_noise(toy: Path) -> None:
    found = ae.diff(["anvil", "drift"], toy).instances
    columns = "value_before", "value_after", "solved_after", "n_runs", "status_after"
    (row,) = found.filter(found["instance_id"] == "anvil_2").select(columns).rows()
    assert row == (20, (40 + 100) / 2, 0.5, 2, "ok timeout")
    assert found["noise"].unique().to_list() == [pytest.approx(1.3575, abs=1e-4)]
    stated = ae.diff(["anvil", "drift"], toy, factor=1.2).instances
    assert stated["noise"].unique().to_list() == [1.2]


def test_the_noise_is_that_of_the_noisier_side() -> None:
    scope = {"protocol": "p", "scenario_id": "S", "measure": "m"}
    sides = [{"factor": 1.1, "margin": 0.1, "spread": 0.2},
             {"factor": 1.3, "margin": 0.5, "spread": None},
             {"factor": 1.2, "margin": 0.2, "spread": 0.4}]  # fmt: skip
    runs = pl.DataFrame([scope | side for side in sides])
    both = scope | {"factor": 1.3, "margin": 0.5, "spread": 0.4}
    assert _noise(runs, None, None).to_dicts() == [both]
    asked = both | {"factor": 2.0, "margin": 7.0, "spread": None}
    assert _noise(runs, 2.0, 7.0).to_dicts() == [asked]


def test_instances_have_the_largest_loss_first(lake: Path) -> None:
    found = ae.diff(["v1", "v3"], lake, show="instances").frame
    columns = "instance_id", "outcome", "value_before", "value_after", "status_after"
    rows = found.select(*columns, "ratio").rows()
    assert rows[0] == ("i1", "lost", 1, 100, "timeout", 100)
    assert rows[6] == ("i20", "slower", 20, 60, "ok", 3)
    assert rows[-1] == ("i7", "slower", 7, 21, "ok", 3)
    assert len(rows) == 20


def test_two_lakes_and_what_only_one_ran(tmp_path: Path) -> None:
    old = lake_of(tmp_path / "old", a=[1, 2, 3, 4])
    new = lake_of(tmp_path / "new", name="T", a=[1, 20, 3], b=[1, 2, 3])
    found = ae.diff([f"{old}/", str(new)], solver="a")
    columns = "scenario_id", "before", "after", "n", "slower", "level", "apart"
    row = ("T", str(old), str(new), 3, 1, 2, 1)
    assert found.summary.select(columns).rows() == [row]
    assert found.apart.select("instance_id", "why").rows() == [("i4", f"only {old} ran the instance")]
    assert found.sentences[-1] == (
        f"Left out: 1 run (only {old} ran the instance: 1). --show apart lists them."
    )
    back = ae.diff([new, old], solver="a").apart
    assert back.select("scenario_id", "instance_id", "why").rows() == [
        ("S", "i4", f"only {old} ran the instance")
    ]
    one = ae.diff([f"{old}:a", f"{new}:b"], show="apart")
    assert one.frame.equals(one.apart)
    assert one.summary["level"].to_list() == [3]


def test_runs_under_another_cutoff_do_not_count(tmp_path: Path) -> None:
    old = lake_of(tmp_path / "old", a=[1, 2])
    new = lake_of(tmp_path / "new", a=[1, 2], cutoff="50")
    done = run(old, new, "--solver", "a")
    assert done.exit_code == 1
    assert "have no instance in common" in done.output
    assert "cutoff 100.0 and 50.0" in done.output
    assert "Import both with one --cutoff." in done.output


@pytest.mark.parametrize("lakes", [1, 2])
def test_what_is_to_be_typed_to_pair_scenarios_works(
    tmp_path: Path, lakes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two lakes, or one, with several scenarios of other names; another is at hand."""
    monkeypatch.setenv("ASLIB_LAKE", str(lake_of(tmp_path / "home", name="H", b=[1])))
    old = tmp_path / "old"
    new = tmp_path / "new" if lakes > 1 else old
    for name, to in (("A-1", old), ("B-1", old), ("A-2", new), ("B-2", new)):
        solver = "a" if to is old and name.endswith("1") else "c"
        lake_of(to, name=name, **{solver: [1.0, 2.0]})
    words = (f"{old}:a", f"{new}:c")
    if lakes == 1:
        words = ("a", "c", "--lake", str(old))
    done = run(*words)
    assert done.exit_code == 1
    typed = done.output.split("type aslib-eval diff ")[1].rstrip(".\n")
    done = run(*shlex.split(typed))
    assert done.exit_code == 0, done.output
    assert "is not significantly different from" in done.output


def test_two_scenarios_of_one_lake(tmp_path: Path) -> None:
    lake_of(tmp_path / "lake", name="S1", a=[1, 2], b=[1, 2])
    both = lake_of(tmp_path / "lake", name="S2", a=[5, 2], c=[1, 1])
    found = ae.diff(["S1", "S2"], both, solver="a").summary
    columns = "scenario_id", "before", "after", "slower", "level"
    assert found.select(columns).rows() == [("S2", "S1", "S2", 1, 1)]
    assert ae.diff(["b", "c"], both).summary["faster"].to_list() == [1]
    found = ae.diff(["S1:b", "S2:c"], both)
    assert found.summary["faster"].to_list() == [1]
    assert found.sentences[-1] == ("aslib-eval pairs the instances of these scenarios by name: S1, S2.")


def test_selectors_and_baselines(toy: Path) -> None:
    found = ae.diff(["SBS", "careful", "VBS"], toy)
    assert found.summary.select("after", "gained", "lost").rows() == [("careful", 0, 1), ("VBS", 1, 0)]
    assert found.instances["status_after"][:2].to_list() == ["unsolved", "solved"]


def test_a_quality_has_no_ratio_and_its_own_direction(tmp_path: Path) -> None:
    runs = [
        (f"i{i}", 1, name, value, "ok")
        for name, values in (("a", (0.5, 0.9)), ("b", (0.6, 0.8)), ("c", (0.0, 0.7)))
        for i, value in enumerate(values)
    ]
    folder = write_scenario(tmp_path / "Q", runs=runs, measures=ACCURACY)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    diff = ae.diff(["a", "b"], tmp_path / "lake")
    columns = "instance_id", "outcome", "value_before", "value_after", "ratio"
    assert diff.instances.select(columns).rows() == [
        ("i1", "worse", 0.9, 0.8, None),
        ("i0", "better", 0.5, 0.6, None),
    ]
    assert diff.summary.select("faster", "slower").rows() == [(1, 1)]
    assert "better on 1, worse on 1 and equal on 0 (p = 1)." in diff.sentences[0]
    assert "The mean accuracy changes by 0 (" in diff.sentences[0]
    falls = ae.diff(["a", "c"], tmp_path / "lake")
    (said,) = re.findall("The mean accuracy.*", falls.sentences[0])
    low, high = map(float, re.findall("interval (.*) to (.*)[)]", said)[0])
    assert said.startswith("The mean accuracy changes by -0.35 (95 % interval ")
    assert low < -0.35 < high
    assert str(falls.instances["value_after"].to_list()) == "[0.0, 0.7]"  # and not -0


def test_of_one_quality_there_is_no_interval_and_without_costs_no_mean(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 5, "ok"), ("i", 1, "b", 6, "ok")]
    folder = write_scenario(tmp_path / "Q", runs=runs, measures=OBJECTIVE)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    found = ae.diff(["a", "b"], tmp_path / "lake")
    columns = "cost_before", "cost_after", "change", "change_low", "change_high"
    assert found.summary.select(columns).rows() == [(5, 6, 1, None, None)]
    assert found.sentences[0].endswith("The mean objective changes by 1, from 5 to 6.")
    runs += [("j", 1, "a", None, "crash"), ("j", 1, "b", 6, "ok")]
    folder = write_scenario(tmp_path / "Q", runs=runs, measures=OBJECTIVE)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    asked = [ae.Protocol(protocol="mine", failures="left_out")]
    found = ae.diff(["a", "b"], tmp_path / "lake", protocols=asked)
    assert found.summary.select(columns).rows() == [(None,) * 5]
    assert found.summary.select("n", "gained").rows() == [(2, 1)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("v1", "Type aslib-eval diff v1 OTHER"),
        ("v1 v1", "v1: is named twice"),
        ("v1 'v*'", "It matches v1, v2, v3, v4"),
        ("v1 V2", "Did you mean 'v2'?"),
        ("v1 S", "Name one with --solver NAME: v1, v2, v3, v4"),
        ("{lake} {lake} --solver v1", "is named twice"),
        ("v1 v2 --solver v1", "is no lake, and no scenario of"),
        ("S {lake} --solver v9", "S: has no solver 'v9'"),
        ("v1 {file}", "Type aslib-eval import {file} --lake families-lake"),
        ("{lake}/v1 v2", "Type {lake}:v1."),
        ("v1 v2 --by famly", "Did you mean 'family'?"),
        ("v1 v2 --factor 0.9", "--factor must be at least 1"),
        ("v1 v2 --margin -1", "--margin at least 0"),
    ],
)
def test_what_is_refused(lake: Path, line: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lake.parent)
    given = {"lake": lake, "file": lake.parent / "of-lake" / "families.csv"}
    done = run(*line.replace("'", "").format(**given).split(), "--lake", lake)
    assert done.exit_code in (1, 2)
    assert said.format(**given) in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("names", "on", "code"),
    [
        ("v1 v3", "worse", 1),
        ("v3 v1", "worse", 0),
        ("v1 v4", "worse", 1),  # of a family, which all is not
        ("v1 v4", "mixed", 1),
        ("v1 v4", "lost", 1),
        ("v1 v2", "lost", 0),
    ],
)
def test_what_fails(lake: Path, names: str, on: str, code: int) -> None:
    assert of(lake, *names.split(), alpha=0.1).fails(on) == bool(code)
    if on == "worse":
        done = run(*names.split(), "--lake", lake, "--alpha", "0.1", "--fail-on", on)
        assert done.exit_code == code


def test_sentences(lake: Path) -> None:
    assert "\n".join(of(lake, "v1", "v3").sentences) == (
        "S (20 instances): v3 is worse than v1. v3 gains 0 solved instances and loses 6 (p = 0.031). "
        "Of the 14 instances that both solve, v3 is faster on 0, slower on 14 and equal on 0 (p < 0.001). "
        "The mean PAR10 changes by 317.9 (95 % interval 41.45 to 553.6), from 10.5 to 328.4.\n"
        "The sign test compares the solved instances. Wilcoxon's test compares the times of instances that "
        "both solve. Holm's method corrects p for 2 tests (alpha = 0.05).\n"
        "In S, two values count as equal (level) if they differ by at most a factor of 1.1 or "
        "by at most 0.1."
    )


def test_of_several_protocols_each_sentence_names_its_own(lake: Path) -> None:
    found = ae.diff(["v1", "v3"], lake, protocols=["llama", "default"], by="family")
    assert [text.partition(" (")[0] for text in found.sentences[:4]] == [
        *("S, default, x", "S, default, y"),
        *("S, llama, x", "S, llama, y"),
    ]


def test_markdown_is_a_text_and_other_formats_are_data(lake: Path) -> None:
    text = run("v1", "v3", "--lake", lake, "--format", "md")
    assert text.stdout.startswith("S (20 instances): v3 is worse than v1.")
    assert "| v1 | v3 | 20 |" in text.stdout
    assert text.stderr == ""
    data = run("v1", "v3", "--lake", lake, "--format", "json")
    assert json.loads(data.stdout)[0]["lost"] == 6
    assert data.stderr.startswith("S (20 instances): v3 is worse than v1.")


def test_the_figure(lake: Path, tmp_path: Path) -> None:
    chart = ae.figure("changes", lake, solvers=["v1", "v3"])
    found = {mark.name: len(mark.points) for mark in chart.marks}
    assert found == {"": 2, "lost (6)": 6, "slower (14)": 14}
    assert chart.marks[1].points[0] == (1, 100, "i1: lost")
    assert chart.x.label == "time of v1"
    assert run("v1", "v3", "--lake", lake, "--chart", tmp_path / "x.svg").exit_code == 0
    assert (tmp_path / "x.svg").exists()
    with pytest.raises(AslibError, match="solvers=OLD solvers=NEW"):
        ae.figure("changes", lake)


def test_the_figure_of_a_history(lake: Path) -> None:
    chart = ae.figure("history", lake, solvers=["v1", "v2", "v3", "v4"])
    assert chart.y.names == ["v1 → v2", "v2 → v3", "v3 → v4"]
    rows = of(lake, "v1", "v2", "v3", "v4", inside="families").summary.to_dicts()
    _, *lines = (mark for mark in chart.marks if not getattr(mark, "name", ""))
    assert [[(x, y) for x, y, _ in line.points] for line in lines] == [
        [(row["change_low"], at), (row["change_high"], at)] for at, row in enumerate(rows)
    ]
    sure = [row["verdict"] in {"better", "worse"} for row in rows]
    assert [line.dash is None for line in lines] == sure
    named = {mark.name: mark for mark in chart.marks if getattr(mark, "name", "")}
    shown = {round(y): (x, name) for name, mark in named.items() for x, y, _ in mark.points}
    assert [shown[at] for at in range(3)] == [(row["change"], row["verdict"]) for row in rows]
    assert {mark.symbol for mark in named.values()} == {
        {"worse": "square", "better": "triangle-down"}.get(name, "ring") for name in named
    }
    with pytest.raises(AslibError, match="two solvers or more"):
        ae.figure("history", lake, solvers=["v1"])


def test_figures_are_of_one_scenario_and_two_of_runtimes(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = ae.diff(["v1", "v2"], lake)
    other = two.summary.with_columns(scenario_id=pl.lit("T"))
    with pytest.raises(AslibError, match="it shows the history on one scenario"):
        history(pl.concat([two.summary, other]))
    unlike = two.instances.with_columns(scenario_id=pl.lit("T"))
    no_times = two.instances.with_columns(ratio=pl.lit(None, pl.Float64))
    for wrong in (pl.concat([two.instances, unlike]), no_times):
        with pytest.raises(AslibError, match="it shows the times of one scenario"):
            times_of_two(wrong)
    lost = ae.diff(["v1", "v3"], lake).instances
    assert [times_of_two(part).x.spec().get("cutoff") for part in (two.instances, lost)] == [None, True]
    monkeypatch.chdir(tmp_path)
    lake_of(Path("old"), a=[1, 2, 3, 4])
    lake_of(Path("new"), name="T", a=[1, 20, 3])
    ae.diff(["old", "new"], solver="a", page="x.html")
    text = Path("x.html").read_text()
    assert "only old ran the instance" in text.partition('id="apart-table"')[2]


def test_the_page_has_verdict_figure_and_every_instance(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.html"
    found = ae.diff(["v1", "v3"], lake, page=file, inside="instances")
    text = file.read_text()
    told, *_ = found.verdicts[0].partition(". ")
    lost = '<a href="#instances" data-rows="0,1,2,3,4,5">6 lost</a>'
    assert (
        f'<p class="story"><b>{escape(told)}</b>. 6 fewer solved ({lost}); 0 faster, 14 slower.</p>' in text
    )
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)', text)
    assert "change of PAR10" in heads[: heads.index("95 % interval")]
    assert not {"measure", "protocol"} & {*heads}  # the same in every row
    assert (
        text.count("In S, two values count as equal (level) if they differ by at most a factor of 1.1 or")
        == 1
    )
    assert ">41.5 to 554<" in text
    assert '"times":' in text
    assert "6 instances lost: i1, i2, i3 and 3 more." in text
    assert text.count('<th scope="row"') == 1 + 20 + 2
    families = text.split('id="families-table"')[1].split("</table>")[0]
    rows = [re.findall("<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in families.split("<tr>")[1:]]
    assert [row[:4] for row in rows] == [
        ["family", "n", "gained", "lost"],
        ["x", "6", "0", "6"],
        ["y", "14", "0", "0"],
    ]
    history = ae.diff(["v1", "v2", "v3"], lake, page=file)
    text = file.read_text()
    told = [said.partition(". ")[0] for said in history.verdicts]
    assert [text.count(f"<b>{escape(said)}</b>") for said in told] == [1, 1]
    assert '"history":' in text
    assert '"times":' not in text  # that figure is of two
    assert "<title>v1 \N{RIGHTWARDS ARROW} v3</title>" in text


def test_sentences_say_the_unit(tmp_path: Path) -> None:
    runs = "instance,solver,time\n" + "".join(f"i{n},{name},{n}\n" for n in range(1, 4) for name in "ab")
    (tmp_path / "runs.csv").write_text(runs)
    to = tmp_path / "lake"
    ae.import_runs(tmp_path / "runs.csv", into=to, cutoff=10, time_unit="s")
    found = ae.diff(["a", "b"], to)
    assert found.sentences[-1] == "Times, PARk and costs are in s."
    assert "The mean PAR10 [s] changes by 0 (95 % interval" in found.sentences[0]
    assert (
        "In runs, two values count as equal (level) if they differ by at most a factor of 1.1 or "
        "by at most 0.1 s." in found.sentences
    )
    assert ae.figure("changes", to, solvers=["a", "b"]).x.label == "time of a [s]"
    label = "change of the mean PAR10 [s]"
    assert ae.figure("history", to, solvers=["a", "b"]).x.label == label


def test_a_family_that_the_whole_hides_is_named_and_decides_the_exit_code(tmp_path: Path) -> None:
    """Of x all are slower, of y as many faster: the whole shows nothing."""
    old = [10.0 + n for n in range(20)]
    mixed = lake_of(
        tmp_path / "mixed",
        old=old,
        new=[2 * t if n < 6 else t / (2 if n < 12 else 1) for n, t in enumerate(old)],
    )
    words = ("old", "new", "--lake", mixed)
    found = ae.diff(["old", "new"], mixed, alpha=0.1)
    assert found.summary["verdict"].to_list() == ["no difference"]
    assert found.unlike == ("typically worse", "typically better")
    (worse, better) = (t for t in found.sentences if t.startswith("In one family, the verdict"))
    assert worse.startswith(
        "In one family, the verdict differs: S, x (6 instances): new is typically worse"
    )
    assert "faster on 0, slower on 6 and equal on 0" in worse
    assert better.startswith("In one family, the verdict differs: S, y (14 instances)")
    by = ae.diff(["old", "new"], mixed, by="family", alpha=0.1)
    assert by.summary["verdict"].to_list() == [*found.unlike]
    assert by.unlike == ()
    for more in ((), ("--by", "family")):
        done = run(*words, "--alpha", "0.1", "--fail-on", "worse", *more)
        assert done.exit_code == 1, done.output


# --- the views ``runs_compared`` and ``noise_level``

SEPARATE = Protocol(repetitions="separate")
WHERE = "before = 'A' and after = 'B'"


def pairs(*times: tuple[object, object]) -> list[Row]:
    """Runs of A and B on i1, i2, …: a time, or a status."""
    return [
        (f"i{i}", 1, name, *((100, time) if isinstance(time, str) else (time, "ok")))
        for i, both in enumerate(times, 1)
        for name, time in zip("AB", both, strict=True)
    ]


@pytest.mark.parametrize(
    ("before", "after", "outcome", "advantage"),
    [
        (OUT, 10, "gained", None),
        (20, "crash", "lost", None),
        (OUT, "memout", "neither", None),
        (50, 20, "faster", log(2.5)),
        (10, 30, "slower", -log(3)),
        (10, 10.9, "level", 0),
        (10, 11.1, "slower", -log(1.11)),
        (11.1, 10, "faster", log(1.11)),
        (0.01, 0.11, "level", 0),  # by the margin
        (0.01, 0.2, "slower", -log(2)),  # as if it had taken the margin
        (OUT, 100, "neither", None),  # at the cutoff
    ],
)
def test_outcomes(
    given: Given, before: object, after: object, outcome: str, advantage: float | None
) -> None:
    con = given(pairs((before, after)))
    ((found, gain),) = table(con, "runs_compared", "outcome, advantage", WHERE)
    assert found == outcome
    assert gain == (None if advantage is None else pytest.approx(advantage))


def test_values_and_costs_of_both(given: Given) -> None:
    con = given(pairs((50, OUT)))
    columns = "value_before, value_after, cost_before, cost_after, n_runs, noise"
    assert table(con, "runs_compared", columns, WHERE) == [(50, 100, 50, 1000, 1, 1.1)]
    back = "before = 'B' and after = 'A'"
    assert table(con, "runs_compared", "outcome", back) == [("gained",)]


def test_any_two_solvers_of_any_kind_but_not_one_with_itself(given: Given) -> None:
    con = given(pairs((1, 2)))
    found = table(con, "runs_compared", "before, after")
    names = ("A", "B", "SBS", "VBS", "VWS")
    assert sorted(found) == [(x, y) for x in names for y in names if x != y]


def test_of_a_quality_every_difference_counts(given: Given) -> None:
    runs = [("i1", 1, "A", 0.9, "ok"), ("i1", 1, "B", 0.91, "ok")]
    con = given(runs, measures=ACCURACY)
    columns = "outcome, value_before, value_after, advantage"
    ((outcome, *values),) = table(con, "runs_compared", columns, WHERE)
    assert outcome == "faster"
    assert values == pytest.approx([-0.9, -0.91, 0.01])
    assert table(con, "noise_level", "factor, margin, spread") == [(1, 0, None)]


REPEATED = [
    *(("i1", r, "A", time, "ok") for r, time in ((1, 10), (2, 40))),
    *(("i1", r, "B", time, "ok") for r, time in ((1, 20), (2, 20))),
    *(("i2", r, "A", 30, status) for r, status in ((1, "ok"), (2, OUT))),
    *(("i2", r, "B", 60, "ok") for r in (1, 2)),
]


def test_the_noise_is_the_pooled_spread_of_what_is_solved(given: Given) -> None:
    # Sums of squares about the mean: i1 of A 2 (log 2)^2, i1 and i2 of B 0; A fails i2.
    spread = sqrt(2 * log(2) ** 2 / 3)
    con = given(REPEATED, SEPARATE)
    ((factor, *found),) = table(con, "noise_level", "factor, spread, n_repeated")
    assert (factor, found) == (1.1, [pytest.approx(spread), 3])
    columns = "instance_id, outcome, solved_before, value_before, noise, advantage"
    one, two = table(con, "runs_compared", columns, WHERE)
    noise = pytest.approx(exp(1.96 * spread), abs=1e-6)  # of two means of two runs
    assert one == ("i1", "level", 1, 25, noise, pytest.approx(log(1.25), abs=1e-6))
    # Half of the runs are enough for solving; the other counts as the cutoff.
    assert two == ("i2", "level", 0.5, 65, noise, 0)


def test_only_repetitions_that_both_have_are_paired(given: Given) -> None:
    con = given([*pairs((10, 20)), ("i1", 2, "A", 90, "ok")], SEPARATE)
    columns = "value_before, value_after, n_runs"
    assert table(con, "runs_compared", columns, WHERE) == [(10, 20, 1)]


# --- how often two seeds of one solver are called different, and a slower one is not


@pytest.mark.slow
def test_seeds_are_no_change_and_a_slower_solver_is_one() -> None:
    assert verdicts_of(20, slower=1)["no difference"] >= 18
    # At 60 instances the mean may be anything: a timeout costs as much as ten cutoffs.
    assert verdicts_of(20, slower=3) == {"worse": 9, "typically worse": 11}


@pytest.mark.slow
@pytest.mark.parametrize("runs", [1, 3])
def test_false_alarms_are_no_more_than_alpha_of_200(runs: int) -> None:
    found = verdicts_of(200, slower=1, runs=runs)
    # 10 are expected at the level, 16 are two standard errors more: 7 and 11 there are.
    assert 200 - found["no difference"] <= 16


@pytest.mark.slow
def test_a_change_is_found_by_its_consistency_though_most_are_level() -> None:
    found = verdicts_of(200, slower=1.5, runs=3)
    assert found["worse"] + found["typically worse"] >= 150


def test_rounding_makes_no_difference(toy: Path) -> None:
    """Neither of a factor nor of a margin that two values are apart by."""
    con = ae.connect(toy, stored=False)
    sql = "select differs(2.0, 1.0, 2, 0.5), differs(2.1, 1.0, 2, 0.5), differs(2.0, 1.0, 1.5, 1)"
    assert con.execute(sql).fetchall() == [(False, True, False)]
