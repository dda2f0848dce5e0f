"""What a second measure adds to score, gap, compare and a page; without one nothing changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.extensions.tradeoffs.analysis import budget_gaps
from aslib_eval.extensions.tradeoffs.reports import section, tradeoff
from aslib_eval.extensions.tradeoffs.second import best_at_prices, second_columns, second_means
from aslib_eval.figures.chart import Line
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.reports.html import Section
from tests.conftest import Row, arff, write_scenario
from tests.lab import ACCURACY, SELECTION, Given, InMemory, fill, one, settle

MEASURES = (("accuracy", "solution_quality", "true"), ("price", "solution_quality", "false"))
# Means: haiku 0.5 at 1, sonnet 0.75 at 4.
RUNS: list[Row] = [
    (f"i{at}", 1, solver, right, price, "ok")
    for solver, price, values in (("haiku", 1, (1, 1, 0, 0)), ("sonnet", 4, (1, 0, 1, 1)))
    for at, right in enumerate(values, 1)
]
SAYS = {"i1": "haiku", "i2": "haiku", "i3": "sonnet", "i4": "sonnet"}


@pytest.fixture
def routed(imported: Callable[..., Path], tmp_path: Path) -> Path:
    """A lake with a selector that is right on every instance, at a mean price of 2.5."""
    lake = imported(runs=RUNS, measures=MEASURES)
    file = tmp_path / "router.csv"
    file.write_text("\n".join(["instance,algorithm", *(f"{i},{a}" for i, a in SAYS.items()), ""]))
    ae.import_selection(file, lake, name="router", scenario="S")
    return lake


def front(*solvers: tuple[str, float], unit: str | None = "USD", **changed: object) -> pl.DataFrame:
    """Rows of second_means, all on the front."""
    rows = [
        {
            "protocol": "default", "scenario_id": "S", "measure": "accuracy", "kind": "algorithm",
            "solver": solver, "second": "price", "unit": unit, "second_maximize": False,
            "price": price, "on_front": True, "reason": None,
        }
        | changed
        for solver, price in solvers
    ]  # fmt: skip
    return pl.DataFrame(
        rows, schema_overrides={"unit": pl.String, "reason": pl.String, "price": pl.Float64}
    )


@pytest.mark.parametrize(
    ("solvers", "said"),
    [
        ([("haiku", 0.05), ("sonnet", 0.3127)], "haiku is best below 0.313 USD an instance, sonnet above."),
        ([("c", 4), ("a", 1), ("b", 2)], "a is best below 2 USD an instance, b below 4, c above."),
        ([("a", 1)], "a is best and the cheapest of all."),
        ([("b", 1), ("a", 1), ("c", 2)], "a = b is best below 2 USD an instance, c above."),
        (
            [(name, at) for at, name in enumerate("abcdef")],
            "a is best below 1 USD an instance, b below 2, c below 3, d below 4, then 1 more solver, f above.",  # noqa: E501
        ),
        (
            [(name, at) for at, name in enumerate("abcde")],
            "a is best below 1 USD an instance, b below 2, c below 3, d below 4, e above.",
        ),
    ],
)
def test_who_is_best_at_which_price(solvers: Sequence[tuple[str, float]], said: str) -> None:
    assert best_at_prices(front(*solvers)) == [f"S, accuracy: {said}"]


def test_a_price_without_unit_says_what_it_is() -> None:
    said = best_at_prices(front(("a", 1), ("b", 2), unit=None))
    assert said == ["S, accuracy: a is best below a mean price of 2, b above."]


def test_a_unit_of_what_is_no_price_says_of_what() -> None:
    said = best_at_prices(front(("a", 1), ("b", 2), unit="ms", second="latency"))
    assert said == ["S, accuracy: a is best below 2 ms of latency an instance, b above."]


def test_only_solvers_on_the_front_are_best_and_no_baseline() -> None:
    behind = front(("b", 1), on_front=False)
    sbs = front(("SBS", 0.5), kind="baseline")
    found = pl.concat([front(("a", 1), ("c", 3)), behind, sbs])
    assert best_at_prices(found) == ["S, accuracy: a is best below 3 USD an instance, c above."]


def test_what_is_maximised_is_no_price() -> None:
    assert best_at_prices(front(("a", 1), ("b", 2), second_maximize=True)) == []


def test_who_has_no_price_is_named_with_the_reason() -> None:
    why = "1 of 4 instances have no price"
    lacking = front(("b", 2), ("c", 3), on_front=None, price=None, reason=why)
    for known, said in (
        (front(("a", 1)), "a is best and the cheapest of those with a known price."),
        (
            front(("a", 1), ("d", 2)),
            "a is best below 2 USD an instance, d above, of those with a known price.",
        ),
    ):
        assert best_at_prices(pl.concat([known, lacking], how="vertical_relaxed")) == [
            f"S, accuracy: {said}",
            f"S, accuracy: no price of b, c: {why}.",
        ]


def test_scenarios_and_reasons_have_the_order_of_the_rows_and_three_names_each() -> None:
    scenarios, reasons = [*"hcafbgde"], [*"zxywvu"]
    first = [front((name, 1), scenario_id=name) for name in scenarios]
    lacking = [
        front(*((solver, 1) for solver in "klmn"), scenario_id="h", on_front=None, price=None, reason=why)
        for why in reasons
    ]
    said = best_at_prices(pl.concat([*first, *lacking], how="vertical_relaxed"))
    assert [each[0] for each in said if "is best" in each] == scenarios
    assert [each for each in said if "is best" not in each] == [
        f"h, accuracy: no price of k, l, m and 1 more: {why}." for why in reasons
    ]


def test_protocols_are_named_where_there_are_several() -> None:
    found = pl.concat([front(("a", 1)), front(("b", 1), protocol="asf")])
    assert [text.split(":")[0] for text in best_at_prices(found)] == [
        *("S, accuracy, default", "S, accuracy, asf")
    ]


def test_score_gap_and_compare_show_the_price(routed: Path) -> None:
    said: list[str] = []
    scores = ae.score(routed, note=said.append)
    assert scores.columns[-1] == "price"
    prices = dict(scores.select("solver", "price").rows())
    # On i1 both are right: VBS has one of them.
    assert prices == {"router": 2.5, "VBS": 2.875, "SBS": 4, "VWS": 2.125, "haiku": 1, "sonnet": 4}
    assert said[-1] == "S, accuracy: haiku is best below a mean price of 2.5, router above."
    gaps = ae.gap(routed, kinds=["selector"])
    assert gaps.select("solver", "closed_gap", "price").rows() == [("router", 1, 2.5)]
    at_price = ae.gap(routed, tradeoff=True, kinds=["selector"], note=said.append)
    assert at_price.select("solver", "price", "gap", "area").rows() == [("router", 2.5, 1, 1)]
    assert said[-2].startswith("gap: 0 = mixture")
    compared = ae.compare(routed, kind="algorithm")
    assert dict(compared.systems.select("system", "price").rows()) == {"haiku": 1, "sonnet": 4}
    assert compared.sentences[-1] == said[-1]


def test_the_baselines_have_an_expected_price(routed: Path) -> None:
    found = ae.score(routed, baselines="family", solvers=["random*"])
    # Half of 1 and half of 4; half of 0.5 and half of 0.75.
    assert found.select("solver", "value", "price").rows() == [("random like router", 0.625, 2.5)]
    assert "random like router" not in second_means(open_lake(routed))["solver"]


@pytest.mark.parametrize(
    ("decides", "price"), [("nothing", (4 + 4 + 4 + 4) / 4), ("ties", (1 + 1 + 4 + 4) / 4)]
)
def test_the_best_of_a_family_is_the_cheapest_of_equals(given: Given, decides: str, price: float) -> None:
    # Both are as good on f (i1, i2), a-sonnet is better on g (i3, i4).
    data = [(row[0], 1, f"a-{row[2]}" if row[2] == "sonnet" else row[2], *row[3:]) for row in RUNS]
    families = [("i1", "f"), ("i2", "f"), ("i3", "g"), ("i4", "g")]
    data = [(*row[:3], 1, *row[4:]) if row[0] == "i2" else row for row in data]
    files = {"attributes.arff": arff({"instance_id": "STRING", "family": "STRING"}, families)}
    con = given(data, Protocol(second_decides=decides), measures=MEASURES, files=files)
    assert one(con, "best_per_family", "quality, price", "measure = 'accuracy'") == (1, price)
    # An unknown price decides nothing, and leaves none.
    for solver, known in (("haiku", 4), ("a-sonnet", None)):
        con.execute(f"update raw_run set value = null where algorithm = '{solver}'"
                    " and instance_id = 'i1' and measure = 'price'")  # fmt: skip
        settle(con)
        assert one(con, "best_per_family", "quality, price", "measure = 'accuracy'") == (1, known)


@pytest.mark.parametrize(
    ("second", "unit"),
    [("price", "price unit"), ("runtime", "runtime time"), ("feature cost", "loss time")],
)
def test_each_second_measure_has_its_unit(given: Given, second: str, unit: str) -> None:
    measures = (("loss", "solution_quality", "false"), ("runtime", "runtime", "false"), MEASURES[1])
    features = [("probe", True, (), {"i1": (3.0, "ok")})]
    own = Protocol(second_measure=second)
    con = given([("i1", 1, "A", 1, 10, 5, "ok")], own, measures=measures, features=features)
    con.execute("update raw_scenario set unit = measure || ' unit', time_unit = measure || ' time'")
    assert second_means(InMemory(con)).select("measure", "unit").unique().rows() == [("loss", unit)]


def test_rows_stand_in_one_order(given: Given) -> None:
    # z is cheap; b and c are as good for as much, better than d; a has no quality on i2.
    values = {"a": (1, None, 3), "b": (1, 1, 2), "c": (1, 1, 2), "d": (1, 0, 2), "z": (0, 0, 1)}
    data = [
        (f"i{at}", 1, name, value, value, price, "crash" if value is None else "ok")
        for name, (*both, price) in values.items()
        for at, value in enumerate(both, 1)
    ]
    protocols = [Protocol(protocol=name, measures="all", failures="left_out") for name in ("q", "p")]
    measures = (*ACCURACY, ("recall", "solution_quality", "true"), MEASURES[1])
    says = {name: {"i1": [("b", None)], "i2": [("b", None)]} for name in ("s", "r")}
    families = [("i1", "f"), ("i2", "f")]
    files = {"attributes.arff": arff({"instance_id": "STRING", "family": "STRING"}, families)}
    con = given(data, *protocols, measures=measures, says=says, files=files)
    for name in RELATIONS:
        con.execute(f"insert into raw_{name} select * replace ('R' as scenario_id) from raw_{name}")
    con.execute("update raw_run set value = 2 * value where scenario_id = 'R' and measure = 'price'")
    settle(con)
    lake = InMemory(con)
    prices = budget_gaps(lake).filter(solver="z").select("scenario_id", "measure", "price")
    assert set(prices.rows()) == {
        (s, m, p) for s, p in (("R", 2), ("S", 1)) for m in ("accuracy", "recall")
    }
    for asked, solvers in (
        (("baseline_scores", {"attribute": "family"}), [*"rs", "SBS", "VBS", "best per family"]),
        (("second_means", {}), ["z", "b", "c", "d", "a"]),
        (("second_baselines", {}), ["best per family", "random like r", "random like s"]),
    ):
        found = lake.ask(*asked)
        found = found.filter(pl.col("measure").cast(pl.String) != "price")
        parts = found.select(pl.col("scenario_id", "measure", "protocol").cast(pl.String)).unique(
            maintain_order=True
        )
        assert [(s, m, p[0]) for s, m, p in parts.rows()] == [
            (s, m, p) for s in "RS" for m in ("accuracy", "recall") for p in "pq"
        ]
        one_part = found.head(found.height // parts.height)["solver"].to_list()
        assert one_part[: len(solvers)] == solvers, one_part
        assert asked[0] != "baseline_scores" or one_part[-5:] == [*"bcdza"], one_part


def test_an_algorithm_that_is_asked_first_is_paid_for(given: Given) -> None:
    con = given(RUNS, measures=MEASURES, says={"s": {i: [(a, None)] for i, a in SAYS.items()}})
    rows = [("s", "aslib", 1, None, i, 2, "algorithm", a, None) for i, a in SAYS.items()]
    rows += [("s", "aslib", 1, None, i, 1, "asked", "haiku", None) for i in ("i3", "i4")]
    fill(con, "selection", SELECTION, rows)
    # haiku answers twice and is asked twice: its price is always paid, that of sonnet by halves.
    assert one(con, "random_selection", "quality, price, reason", "true") == (0.625, 3, None)


def test_without_a_second_measure_nothing_changes(toy: Path) -> None:
    lake = open_lake(toy)
    frame = lake.ask("score_list")
    found, said = second_columns(lake, frame)
    assert found is frame
    assert said == []
    (results,) = LakeResults(lake).scenarios
    assert section(results) is None
    assert tradeoff(results) is None


def test_a_column_that_is_there_keeps_its_name(given: Given) -> None:
    measures = (MEASURES[0], ("value", "solution_quality", "false"))
    lake = InMemory(given(RUNS, Protocol(second_measure="value"), measures=measures))
    found, said = second_columns(lake, lake.ask("score_list"))
    assert dict(found.filter(kind="algorithm").select("solver", "second_value").rows()) == {
        "haiku": 1,
        "sonnet": 4,
    }
    assert said[0].startswith("second_value: ")


def test_what_is_maximised_is_shown_in_its_own_direction(given: Given) -> None:
    lake = InMemory(given(RUNS, Protocol(second_direction="maximise"), measures=MEASURES))
    found, said = second_columns(lake, lake.ask("score_list"))
    assert dict(found.filter(kind="algorithm").select("solver", "price").rows()) == {
        "haiku": 1,
        "sonnet": 4,
    }
    assert said == ["price: the mean over the instances [unit not stated], higher is better."]


BOLD, NONE = r'class="[^"]*\bbest\b', "\N{EN DASH}"


def cells_of(found: Section | None) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The texts of each solver's row, and the heads of its cells in bold."""
    assert found is not None
    head, *rows = [
        re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row, re.DOTALL)
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", found.body, re.DOTALL)
    ]
    heads, shown, bold = [text for _, text in head], {}, {}
    for row in rows:
        looks, (solver, *texts) = zip(
            *((look, re.sub("<[^>]*>", "", text)) for look, text in row), strict=True
        )
        shown[solver] = texts
        bold[solver] = [n for n, look in zip(heads, looks, strict=True) if re.search(BOLD, look)]
    return shown, bold


def test_the_section_has_every_solver_with_its_gap(routed: Path) -> None:
    (results,) = LakeResults(open_lake(routed)).scenarios
    found = section(results)
    assert found is not None
    assert found.finding == "haiku is best below a mean price of 2.5, router above."
    assert set(found.charts) == {"tradeoff"}
    assert 'id="tradeoff"' in found.body
    shown, bold = cells_of(found)
    assert list(shown) == ["haiku", "VWS", "router", "random like router", "VBS", "SBS", "sonnet"]
    assert shown["router"] == ["selector", "1.000", "2.50", "yes", "1", "1 to 1"]
    assert shown["sonnet"] == ["algorithm", "0.750", "4.00", "no", "0", ""]
    assert shown["random like router"][1:3] == ["0.625", "2.50"]
    assert {solver for solver, heads in bold.items() if heads == ["gap at its price"]} == {"router"}
    assert tradeoff(results) == found.charts["tradeoff"]


def test_a_section_of_a_loss_and_of_a_solver_without_a_price(tmp_path: Path) -> None:
    losses = [(*row[:3], 1 - row[3], *row[4:]) for row in RUNS]
    losses += [(f"i{at}", 1, "late", 1, None if at == 1 else 2, "crash") for at in range(1, 5)]
    for name, runs, own in (("R", RUNS, ("loss", "false")), ("S", losses, ("loss", "false"))):
        measures = ((own[0], "solution_quality", own[1]), MEASURES[1])
        write_scenario(tmp_path / name, runs=runs, measures=measures)
    write_scenario(tmp_path / "T", runs=[row[:4] + row[5:] for row in RUNS], measures=MEASURES[:1])
    kinds = [(f"i{at}", "f" if at < 3 else "g", "t") for at in range(1, 5)]
    text = arff({"instance_id": "STRING", "family": "STRING", "topic": "STRING"}, kinds)
    (tmp_path / "S" / "attributes.arff").write_text(text)
    ae.import_scenarios([tmp_path / name for name in "RST"], into=tmp_path / "lake")
    _, results, without = LakeResults(open_lake(tmp_path / "lake")).scenarios
    assert section(without) is None
    found = section(results)
    assert found is not None
    assert (found.title, found.group) == ("Loss at a price", "who")
    # By price, then by loss and name; who has no price comes last. A failure costs 1 more than the worst.
    assert cells_of(found)[0] == {
        "haiku": ["algorithm", "0.500", "1.00", "yes", NONE, ""],
        "best per family": ["baseline", "0.000", "2.50", "", NONE, ""],
        "VBS": ["baseline", "0.000", "2.88", "", NONE, ""],
        "SBS": ["baseline", "0.250", "4.00", "", NONE, ""],
        "sonnet": ["algorithm", "0.250", "4.00", "yes", "0", ""],
        "VWS": ["baseline", "1.750", NONE, "", NONE, ""],
        "late": ["algorithm", "1.750", NONE, "", NONE, ""],
    }
    assert list(cells_of(found)[0])[-3:] == ["sonnet", "VWS", "late"]
    assert re.findall(r'data-n="([^"]*)"', found.body) == ["4 instances"] * 7
    head = re.findall(r'<th scope="col"[^>]*class="words"[^>]*>([^<]*)', found.body)
    assert head == ["kind", "on the front", "95 %"]
    assert re.findall(r'data-tip="([^"]*)"', found.body) == [
        "at this price, a mixture of algorithms is as good as VBS",
        "no interval: the solver is itself the best mixture at its price",
        "1 of 4 instances have no price",
    ]
    topics = ae.score(tmp_path / "lake", scenarios=["S"], baselines="topic", solvers=["best per*"])
    assert topics.select("solver", "price").rows() == [("best per topic", 4)]
    chart = found.charts["tradeoff"]
    assert (chart.population, chart.about) == (results.population, found.finding)
    front = next(mark for mark in chart.marks if isinstance(mark, Line) and mark.name == "best solver")
    assert front.points == [[1, 0.5], [4, 0.25], [4, 0.25]]


def test_a_section_is_of_one_measure(imported: Callable[..., Path]) -> None:
    runs = [(*row[:4], 1 - row[3], *row[4:]) for row in RUNS]
    measures = (MEASURES[0], ("loss", "solution_quality", "false"), MEASURES[1])
    lake = open_lake(imported(runs=runs, measures=measures), protocols=[Protocol(measures="all")])
    found = {
        each.measure: cells_of(section(each))[0]
        for each in LakeResults(lake).scenarios
        if each.measure != "price"
    }
    for measure, values in (("accuracy", ["0.500", "0.750"]), ("loss", ["0.500", "0.250"])):
        assert [row[1] for solver, row in found[measure].items() if row[0] == "algorithm"] == values
