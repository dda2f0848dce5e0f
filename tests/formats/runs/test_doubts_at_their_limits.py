# ruff: noqa: E501 - a case a line
"""From which number on something is doubted, and what is said then, word by word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from aslib_eval.formats.runs import found_runs as doubts
from aslib_eval.formats.runs.found_runs import by_solver


def of(*values: float) -> dict[str, float]:
    return {f"i{n}": float(value) for n, value in enumerate(values)}


OTHERS = {
    "b": of(1.5, 7.25, 9, 9.5, 8.5),
    "c": of(9, 2.5, 8.25, 9.5, 7.75),
    "d": of(9, 9.25, 3.5, 4.5, 6.5),
}
BEST = of(1.5, 2.5, 3.5, 4.5, 6.5)


@pytest.mark.parametrize(
    ("solved", "n", "said"),
    [
        ({"a": BEST, **OTHERS}, 5, [("a", "has in every run the best time of the others, like VBS")]),
        ({"a": BEST, "b": OTHERS["b"], "c": OTHERS["c"]}, 5, []),
        ({"a": of(1.0, 2.0, 3.0, 4.0, 6.0), **OTHERS}, 5, [("a", "has whole numbers only, and the others do not")]),
        ({"a": of(1.0, 2.0, 3.0, 4.0, 6.5), **OTHERS}, 5, []),
        ({"a": OTHERS["b"], **OTHERS}, 5, [("b", "has the same time as 'a' in every run")]),
        ({"a": BEST, "x": BEST, **OTHERS}, 5, [("a", "has in every run the best time of the others, like VBS"), ("x", "has the same time as 'a' in every run")]),
        # Times of fewer than five kinds are doubted for one reason alone.
        ({"a": of(*[1] * 10), **{s: of(*[2] * 9) for s in "bcd"}}, 10, [("a", "solves all 10 instances, and each other solver solves far fewer")]),
        ({"a": of(*[1] * 10), **{s: of(*[2] * 9) for s in "bc"}}, 10, []),
        ({"a": of(*[1] * 9), **{s: of(*[2] * 8) for s in "bcd"}}, 10, []),
        ({"a": of(*[1] * 4), **{s: of(1) for s in "bcd"}}, 4, []),
        ({"a": of(*[1] * 9), **{s: of(*[2] * 9) for s in "bcd"}}, 9, []),
        ({"a": of(*(n + 0.5 for n in range(10))), **{s: of(*(n + 0.25 for n in range(9))) for s in "bcd"}}, 10, [
            ("a", "solves all 10 instances, and each other solver solves far fewer"),
            ("c", "has the same time as 'b' in every run"),
            ("d", "has the same time as 'b' in every run"),
        ]),
        # Within 0 and 1, where most times of every other are above 1, not of one other.
        ({"a": of(0.75, 0.5, 0.25, 0.125, 1), "b": of(1.5, 7.25, 9, 9.5, 8.5), "c": of(0.3, 0.6, 1.5, 0.7, 0.9)}, 5, []),
    ],
)  # fmt: skip
def test_a_solver_is_doubted(
    solved: dict[str, dict[str, float]], n: int, said: list[tuple[str, str]]
) -> None:
    assert list(doubts._doubts(solved, n, is_wide=True)) == said  # noqa: SLF001


def test_of_a_long_table_only_the_same_times_are_doubted() -> None:
    same = {"a": BEST, **OTHERS, "x": BEST}
    assert list(doubts._doubts(same, 5, is_wide=False)) == [  # noqa: SLF001
        ("x", "has the same time as 'a' in every run")
    ]


def test_how_often_each_solver_occurs() -> None:
    assert by_solver("abbab") == "3 of b, 2 of a"
    many = [f"s{n}" for n in range(12)]
    assert by_solver(many[:10]).endswith("1 of s9")
    assert by_solver(many).endswith("1 of s9 and 2 more")


class Found:
    """The runs of a table with a time each, and what is said of them."""

    def __init__(
        self,
        *runs: tuple[float | None, str],
        cutoff: float | None = 100.0,
        unit: str = "",
        chosen: str = "",
        has_unit: bool = False,
        status: int | None = 1,
    ) -> None:
        self.runs = [SimpleNamespace(values={"t": run}, is_solved=run[1] == "ok") for run in runs]
        self.cutoff = cutoff
        self.layout = SimpleNamespace(
            quality={"t": False},
            times=["t"],
            unit=unit,
            blocks=[SimpleNamespace(status=status)],
            is_bare=False,
        )
        self.choices = SimpleNamespace(unit=chosen, has_unit=has_unit)
        self.said: list[str] = []

    def say(self, code: str, what: str, hint: str = "") -> None:
        self.said.append(f"{code}: {what}. {hint}")


def ok(*times: float) -> list[tuple[float, str]]:
    return [(time, "ok") for time in times]


@pytest.mark.parametrize(
    ("runs", "cutoff", "said"),
    [
        ([], None, ["runs-cutoff: no cutoff is given. "]),
        (ok(3, 9), None, ["runs-cutoff: no cutoff is given; the largest time of a solved run is 9. "]),
        (ok(9, 9, 3), None, ["runs-cutoff: no cutoff is given; the largest time of a solved run is 9. This may be the limit: 2 runs take exactly that long. "]),
        (ok(*[40] * 5, 21), 100, ["runs-limit: 5 solved runs take 40, the longest time; the cutoff is 100. If these runs are timeouts, add --cutoff 40, or give the real limit."]),
        (ok(*[40.1234567] * 5, 21), 100, ["runs-limit: 5 solved runs take 40.1235, the longest time; the cutoff is 100. If these runs are timeouts, add --cutoff 40.1234567, or give the real limit."]),
        (ok(*[40] * 5, 20), 100, ["runs-limit: 5 solved runs take 40, the longest time; the cutoff is 100; no other solved run takes more than 20. If this is the PAR2 of timeouts, add --cutoff 20."]),
        (ok(*[40] * 4, 20), 100, []),
        (ok(*[100] * 5, 20), 100, []),
        ([(0.9, "ok"), *[(0.5, "timeout")] * 19], 100, ["runs-limit: 19 runs failed, the longest run took 0.9, and the cutoff is 100. If the cutoff is in milliseconds, give it the unit: --cutoff 100ms."]),
        ([(0.9, "ok"), *[(1.0, "timeout")] * 19], 100, []),
        ([(0.9, "ok"), *[(0.5, "timeout")] * 18], 100, []),
        ([(0.0, "timeout")] * 20, 100, []),
        (ok(*(n / 100 for n in range(20))), 100, []),
    ],
)  # fmt: skip
def test_a_limit_is_doubted(
    runs: list[tuple[float | None, str]], cutoff: float | None, said: list[str]
) -> None:
    found: Any = Found(*runs, cutoff=cutoff)
    doubts.doubt_limit(found, "t")
    assert found.said == said


ENDLESS = "runs-limit: 1 run with {} far above the cutoff 100 (solver ant, instance i: {}). Are these times in milliseconds?"  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "time", "said"),
    [
        ("walltime", 1100, []),
        ("walltime", 1100.5, [ENDLESS.format("walltime", "1100.5")]),
        ("time_real", 1101, [ENDLESS.format("time_real", "1101")]),
        ("time", 20_000, []),
        ("time", 20_001, [ENDLESS.format("time", "20001")]),
        ("cputime", 20_001, [ENDLESS.format("cputime", "20001")]),
    ],
)
def test_a_time_that_no_run_can_have_taken(measure: str, time: float, said: list[str]) -> None:
    found: Any = Found(cutoff=100)
    found.runs = [
        SimpleNamespace(values={measure: (each, "ok")}, solver="ant", instance="i")
        for each in (time, 1.0, None)
    ]
    doubts.doubt_times(found, measure)
    assert found.said == said
    found.runs = found.runs[:1]  # all of them are of another unit: others say so
    found.said.clear()
    doubts.doubt_times(found, measure)
    assert found.said == []


LATE = "runs-cutoff: 100% of the ok runs take longer than the cutoff, so none is solved."
UNSOLVED = LATE.replace("runs-cutoff", "runs-unsolved")
RIGHT = " If the cutoff is right, add --times-in s."
NONE = "runs-unsolved: none of {} runs is solved. If a column counts answers (incremental tracks), add --measure-column NAME. Or name the column of statuses with --column status=NAME, or explain a word with --status WORD=ok."


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Found(), []),
        (Found(*ok(50, 150)), []),
        (Found(*ok(50, 150, 200)), ["runs-unsolved: 67% of the ok runs take longer than the cutoff. If the cutoff is in minutes, add --cutoff 100min. If the times are in milliseconds, add --times-in ms, or --cutoff 100000."]),
        (Found((5, "crash"), (None, "timeout")), [NONE.format(2)]),
        (Found(*ok(100, 5000), chosen="min"), [f"{UNSOLVED} Check that the times are in min: the largest is 5000 s."]),
        (Found(*ok(100, 5000), unit="min"), [f"{LATE} The times are in min: give the cutoff its unit, as in 100s."]),
        (Found(*ok(100, 6000)), [f"{LATE} If the times are in milliseconds, add --times-in ms, or --cutoff 100000.{RIGHT}"]),
        (Found(*ok(100, 6000), has_unit=True), [f"{LATE} If the times are in milliseconds, add --times-in ms.{RIGHT}"]),
        (Found(*ok(100, 100_000)), [f"{LATE} Check the limit: the largest time is 100000.{RIGHT}"]),
        (Found(*ok(100, 109)), [f"{LATE} Check the limit: the largest time is 109.{RIGHT}"]),
        (Found(*ok(121, 200), cutoff=121), [f"{LATE} If the times are in milliseconds, add --times-in ms, or --cutoff 121000.{RIGHT}"]),
        # Without a status timeouts beyond the cutoff that differ were no timeouts.
        (Found((111, "timeout"), (111, "timeout"), (112, "timeout"), (112, "timeout"), status=None), [NONE.format(4)]),
        (Found((120, "timeout"), (130, "timeout"), status=None), [f"{LATE} If the cutoff is in minutes, add --cutoff 100min. If the times are in milliseconds, add --times-in ms, or --cutoff 100000.{RIGHT}"]),
        (Found(*ok(5, 6), (120, "timeout"), (130, "timeout"), status=None), []),
        (Found(*ok(5, 6), cutoff=None), []),
    ],
)  # fmt: skip
def test_all_runs_are_doubted(found: Any, said: list[str]) -> None:
    doubts.doubt_all(found)
    assert found.said == said
