"""The table of selectors between SBS and VBS: its rows, and that its numbers are those of the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.tables import ShownTable
from aslib_eval.tables.paper_table import Style
from aslib_eval.text import NONE
from tests.conftest import Once, write_scenario
from tests.lab import ACCURACY, OBJECTIVE
from tests.tables.conftest import run

KEY = ["scenario_id", "kind", "solver"]


def texts(table: ShownTable) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_selectors_and_an_algorithm_that_is_asked_for(toy: Path) -> None:
    table = ae.table("selection", toy, solvers=["rf*", "careful", "anvil"])
    heads = ["n", "solver", "solved", "PAR10", "gap", "from", "to", "p", "Holm", "verdict"]
    assert [c.heading for c in table.columns] == heads
    none, same = [NONE] * 3, "no difference"
    assert [row[1:] for row in texts(table)] == [
        ["SBS", "0.833", "200.0", "0.000", NONE, NONE, *none],
        ["VBS", "0.917", "100.0", "1.000", NONE, NONE, *none],
        ["anvil", "0.500", "505.0", "-3.050", NONE, "1.000", *none],
        ["careful", "0.833", "181.6", "0.184", NONE, "1.000", "0.156", "0.469", same],
        ["rfreg", "0.750", "273.0", "-0.730", NONE, "1.000", "0.594", "1.000", same],
        ["rf", "0.667", "344.4", "-1.444", NONE, "1.000", "0.969", "1.000", same],
    ]
    assert [row[3].is_bold for row in table.rows] == [False, False, False, True, False, False]
    assert "TOY-2026, SBS: drift." in table.notes
    families = "tested on 7 families with 12 instances, while the interval of the gap resamples instances"
    assert f"TOY-2026, careful, rfreg, rf: {families}." in table.notes


def test_against_another_than_sbs(toy: Path) -> None:
    """Who is tested against stands in the table, and is not tested."""
    table = ae.table("selection", toy, solvers=["rf*"], versus="careful")
    found = [(row[1], row[7], row[8]) for row in texts(table)[2:]]
    assert found == [("careful", NONE, NONE), ("rfreg", "0.250", "0.500"), ("rf", "0.500", "0.500")]
    assert any(note.startswith("Test against careful: Wilcoxon signed-rank") for note in table.notes)
    assert not any("so no test" in note for note in table.notes)


@pytest.mark.parametrize("solvers", [(), ("zilla",), ("zilla", "sunny")])
def test_its_numbers_are_those_of_score_gap_and_compare(toy: Path, solvers: tuple[str, ...]) -> None:
    same_numbers(toy, solvers)


@pytest.mark.slow
@pytest.mark.parametrize("solvers", [(), ("zilla",)])
def test_its_numbers_of_a_real_scenario(shared: Path, once: Once, solvers: tuple[str, ...]) -> None:
    def fill(home: Path) -> None:
        ae.import_scenarios([shared / "aslib" / "MIP-2016"], into=home)
        ae.import_selection(shared / "selections" / "MIP-2016", home)

    same_numbers(once("selection", fill), solvers)


def same_numbers(lake: Path, solvers: tuple[str, ...]) -> None:
    table = ae.table("selection", lake, solvers=solvers)
    at = {column.name: i for i, column in enumerate(table.columns)}
    rows = {row[at["solver"]].value: row for row in table.rows}
    score = ae.score(lake, kinds=["baseline", "selector"])
    gap = ae.gap(lake, kinds=["baseline", "selector"], interval=True)
    pairs = ae.compare(lake, kind="selector", versus="SBS", solvers=solvers).pairs
    of_pairs = pairs.rename({"system": "solver"})
    some = {"SBS", "VBS", *(solvers or score.filter(kind="selector")["solver"])}
    assert rows.keys() == some
    for frame, names in (
        (score, ("solved", "par10")),
        (gap, ("closed_gap", "gap_low", "gap_high")),
        (of_pairs, ("p", "p_adjusted", "verdict")),
    ):
        for row in frame.iter_rows(named=True):
            for name in names if row["solver"] in rows else ():
                assert rows[row["solver"]][at[name]].value == row[name], (row["solver"], name)
    assert pairs.height == len(some) - 2


@pytest.fixture
def tied(tmp_path: Path) -> Callable[..., Path]:
    """A lake in which x is faster than y on all of three instances, with selectors."""

    def made(**choices: str) -> Path:
        runs = [(f"i{n}", 1, s, t, "ok") for n in "123" for s, t in (("x", 1.0), ("y", 3.0))]
        ae.import_scenarios([write_scenario(tmp_path / "S", runs=runs)], into=tmp_path / "lake")
        for name, chosen in choices.items():
            lines = [f"i{n},{solver}\n" for n, solver in zip("123", chosen, strict=True)]
            (tmp_path / f"{name}.csv").write_text("instance,solver\n" + "".join(lines))
            ae.import_selection(tmp_path / f"{name}.csv", tmp_path / "lake", scenario="S")
        return tmp_path / "lake"

    return made


def test_no_gap_where_sbs_is_vbs(tied: Callable[..., Path]) -> None:
    table = ae.table("selection", tied(same="xxx", other="yxx"))
    assert [row[1:] for row in texts(table)] == [
        ["SBS", "1.000", "1.0", NONE, NONE, NONE],
        ["VBS", "1.000", "1.0", NONE, NONE, NONE],
        ["same", "1.000", "1.0", NONE, NONE, NONE],
        ["other", "1.000", "1.7", "1.000", "1.000", "no difference"],
    ]
    assert "S, SBS, VBS, same and 1 more: SBS equals VBS." in table.notes
    assert "S, same: equal to SBS, so no test." in table.notes


@pytest.mark.parametrize("choices", [{}, {"same": "xxx"}])
def test_no_tests_and_why(tied: Callable[..., Path], choices: dict[str, str]) -> None:
    table = ae.table("selection", tied(**choices))
    assert [row[1:] for row in texts(table)] == [[s, "1.000", "1.0"] for s in ("SBS", "VBS", *choices)]
    assert table.notes[-1] == "No tests: no selector differs from SBS in cost over instances."


def test_the_cost_stands_there_where_gaps_are_not_of_par10(toy: Path) -> None:
    table = ae.table("selection", toy, solvers=["zilla"], penalty=2)
    assert [row[1:5] for row in texts(table)] == [
        ["SBS", "0.833", "200.0", "66.6667"],
        ["VBS", "0.917", "100.0", "33.3333"],
        ["zilla", "0.833", "200.1", "66.75"],
    ]


@pytest.mark.parametrize("penalty", [2, 10])
def test_values_of_a_quality_measure_stand_in_their_own_direction(tmp_path: Path, penalty: float) -> None:
    runs = [("i1", 1, "x", 5.0, "ok"), ("i1", 1, "y", 3.0, "ok"), ("i2", 1, "x", 1.0, "ok")]
    folder = write_scenario(tmp_path / "S", runs=[*runs, ("i2", 1, "y", 2.0, "ok")], measures=OBJECTIVE)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    table = ae.table("selection", tmp_path / "lake", solvers=["y"], penalty=penalty)
    assert [c.heading for c in table.columns] == ["n", "solver", "solved", "value", "gap", "from", "to"]
    assert [[row[1].text, row[3].value, row[4].value] for row in table.rows] == [
        ["SBS", 2.5, 0.0], ["VBS", 2.0, 1.0], ["y", 2.5, 0.0]
    ]  # fmt: skip


def test_who_lacks_a_cost_is_last_and_tested_on_fewer_instances(tmp_path: Path) -> None:
    """x, which a chooses, has no value on i1 of S, and is as good there as elsewhere on T."""
    values = [(None, 0.5), *[(0.7, 0.5)] * 6]
    runs = [
        (f"i{at}", 1, name, value, "crash" if value is None else "ok")
        for at, two in enumerate(values, 1)
        for name, value in zip("xy", two, strict=True)
    ]
    lake = tmp_path / "lake"
    whole = [(*row[:3], row[3] or 0.7, "ok") for row in runs]
    for scenario, data in (("S", runs), ("T", whole)):
        folder = write_scenario(tmp_path / scenario, runs=data, measures=ACCURACY)
        ae.import_scenarios([folder], into=lake)
    for name, models in (("a", "xxxxxxx"), ("b", "yxxxxxx")):
        lines = [f"i{at},{model}\n" for at, model in enumerate(models, 1)]
        (tmp_path / f"{name}.csv").write_text("instance,algorithm\n" + "".join(lines))
        for scenario in "ST":
            ae.import_selection(tmp_path / f"{name}.csv", lake, scenario=scenario)
    own = Protocol(protocol="own", failures="left_out")
    table = ae.table("selection", lake, protocols=[own, Protocol()])
    of_t = [(("T", "a"), NONE), (("T", "b"), "1.000")]
    assert [(row[0], (row[1], row[3]), row[9]) for row in texts(table) if row[3] in "ab"] == [
        *(("default", *row) for row in ((("S", "b"), "1.000"), (("S", "a"), NONE), *of_t)),
        *(("own", *row) for row in ((("S", "b"), "0.031"), (("S", "a"), "0.031"), *of_t)),
    ]
    assert {"S, a: equal to SBS, so no test.", "S, b, a: tested on 6 instances."} <= {*table.notes}


def test_each_measure_has_its_own_test(tmp_path: Path) -> None:
    """The selector is faster than SBS (x) on three instances, 2 of 8 signs; all values are equal."""
    times = [(1 + i, 9 - i) for i in range(8)]
    runs = [
        (f"i{i}", 1, name, t, 1.0, "ok")
        for i, two in enumerate(times)
        for name, t in zip("xy", two, strict=True)
    ]
    measures = [("runtime", "runtime", "false"), ("loss", "solution_quality", "false")]
    lake = tmp_path / "lake"
    ae.import_scenarios([write_scenario(tmp_path / "S", runs=runs, measures=measures)], into=lake)
    (tmp_path / "mine.csv").write_text(
        "instance,algorithm\n" + "".join(f"i{i},{'x' if i < 4 else 'y'}\n" for i in range(8))
    )
    ae.import_selection(tmp_path / "mine.csv", lake)
    table = ae.table("selection", lake, measure="all")
    at = {column.name: i for i, column in enumerate(table.columns)}
    mine = [row for row in table.rows if row[at["solver"]].value == "mine"]
    assert [row[at["p"]].text for row in mine] == [NONE, "0.250"]


def test_a_rule_stands_between_scenarios_and_a_name_once(tmp_path: Path) -> None:
    runs = [("i1", 1, "x", 1.0, "ok"), ("i1", 1, "y", 3.0, "ok")]
    folders = [write_scenario(tmp_path / name, runs=runs) for name in "ST"]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    words = ("table", "selection", "--lake", tmp_path / "lake", "--bare", "--format")
    body = run(*words, "tex").partition("\\midrule\n")[2]
    assert body == (
        "S & 1 & SBS & 1.000 & 1.0 \\\\\n &  & VBS & 1.000 & 1.0 \\\\\n\\midrule\n"
        "T & 1 & SBS & 1.000 & 1.0 \\\\\n &  & VBS & 1.000 & 1.0 \\\\\n\\bottomrule\n\\end{tabular}\n"
    )
    assert run(*words, "typ").count("hline") == 4
    assert run(*words, "html").count("<tbody>") == 2
    assert [line.split(",")[0] for line in run(*words, "csv").splitlines()[1:]] == ["S", "S", "T", "T"]


def test_options_of_other_tables_and_of_nobody(toy: Path) -> None:
    with pytest.raises(OptionError, match="solvers and versus go with the table selection"):
        ae.table("closed_gap", toy, solvers=["rf"])
    with pytest.raises(AslibError, match="no solver matches rg"):
        ae.table("selection", toy, solvers=["rg"])
    with pytest.raises(AslibError, match="no solver matches rg"):
        ae.compare(toy, solvers=["rg"])
    only = ae.compare(toy, solvers=["rf*"]).pairs
    assert only.select("system", "other").rows() == [("rfreg", "rf")]


def test_a_p_that_its_digits_cannot_tell_from_0() -> None:
    nothing = {key: {} for key in ("headings", "bold", "mark", "signs", "over")}
    none = dict.fromkeys(("within", "rank", "spread", "foot", "hide"), ())
    style = Style(digits={"p": 3, "gap": 3}, across="", **nothing, **none)  # type: ignore[arg-type]
    found = [style.text(*each) for each in (("p", 0.0004), ("p", 0.001), ("p", None), ("gap", 0.0004))]
    assert found == ["<0.001", "0.001", NONE, "0.000"]
