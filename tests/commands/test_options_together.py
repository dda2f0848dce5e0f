"""Which options go together: declared beside them, said as who asks names them."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Annotated, Any, Literal, Unpack

import pytest

import aslib_eval
from aslib_eval.errors import TYPED, OptionError
from aslib_eval.options import Argument, By, Kinds, Option, TableOptions, arguments_of, public, words_of

Draw = Annotated[str | None, Option("How.", goes_with="chart")]


@public
def ask(  # noqa: PLR0913 - of every kind one
    names: Annotated[str, Option("Which.", flags="", metavar="NAME")] = "",
    *,
    kinds: Kinds = (),
    show: Literal["pairs", "wins", "ranks"] = "ranks",
    chart: Annotated[str | None, Option("Draw.", goes_without=("by",))] = None,
    draw: Draw = None,
    highlight: Draw = None,
    pairs: Annotated[bool | None, Option("All.", flags="--all/--one", goes_with="show=pairs|wins")] = None,
    level: Annotated[float, Option("p.", goes_with="pairs show=wins")] = 0.5,
    ties: Annotated[str | None, Option("How.", goes_with="show=ranks|wins")] = None,
    by: Annotated[By, Option(goes_without=("names", "kinds"), because="is of all")] = None,
) -> dict[str, Any]:
    """What is asked."""
    return dict(locals())


@pytest.mark.parametrize(
    ("given", "typed", "asked"),
    [
        ({"draw": "a"}, "--draw needs --chart", "draw needs chart"),
        (
            {"draw": "a", "highlight": "b"},
            "--draw and --highlight need --chart",
            "draw and highlight need chart",
        ),
        (
            {"chart": "a", "by": "b"},
            "--chart cannot be combined with --by",
            "chart cannot be combined with by",
        ),
        (
            {"by": "b", "kinds": ["selector"], "names": "n"},
            "--by is of all: it cannot be combined with NAME, --kind",
            "by is of all: it cannot be combined with names, kinds",
        ),
        ({"pairs": False}, "--one needs --show pairs or wins", "pairs=False needs show='pairs' or 'wins'"),
        (
            {"pairs": True, "show": "pairs", "level": 0.1},
            "--level needs --show wins",
            "level needs show='wins'",
        ),
        ({"level": 0.1, "show": "wins"}, "--level needs --all", "level needs pairs"),
    ],
)
def test_what_does_not_go_together(given: dict[str, Any], typed: str, asked: str) -> None:
    with pytest.raises(OptionError) as raised:
        ask(**given)
    assert str(raised.value) == asked
    token = TYPED.set(True)
    try:
        with pytest.raises(OptionError) as raised:
            ask(**given)
        assert str(raised.value) == typed
    finally:
        TYPED.reset(token)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"chart": "a", "draw": "b"},
        {"by": "b", "kinds": [], "names": ""},
        {"pairs": False, "show": "wins"},
        {"level": 0.5},
        {"level": 0.1, "pairs": True, "show": "wins"},
        {"draw": None, "by": "b", "chart": None},
        {"ties": "a"},  # as ranks are shown where nothing else is asked for
    ],
)
def test_what_goes_together(given: dict[str, Any]) -> None:
    assert ask(**given).items() >= given.items()


@pytest.mark.parametrize(
    ("value", "default", "said"),
    [
        (None, None, False),
        (None, 3, False),
        (3, 3, False),
        (0, None, True),
        (False, None, True),
        (False, False, False),
        ((), (), False),
        ([], (), False),
        (["default"], ("default",), False),
        (["asf"], ("default",), True),
        ("", None, True),
    ],
)
def test_what_is_given(value: object, default: object, said: bool) -> None:  # noqa: FBT001
    assert Argument("x", Any, default, None).is_given(value) == said


def test_a_second_option_changes_the_first() -> None:
    def plain(*, by: By = None, n: int = 1, m: Annotated[int, "no option"] = 1) -> None: ...

    changed, shared = arguments_of(ask)["by"].option, arguments_of(plain)["by"].option
    assert changed is not None
    assert shared is not None
    assert (changed.about, changed.metavar) == (shared.about, "ATTRIBUTE")
    assert (changed.because, shared.because) == ("is of all", "")
    assert [arguments_of(plain)[name].option for name in "nm"] == [None, None]


def test_a_group_of_options_is_empty_by_default() -> None:
    def one(n: int = 1, **table: Unpack[TableOptions]) -> None: ...

    found = {name: each.default for name, each in arguments_of(one).items()}
    some = ("n", "scenario_id", "column", "cutoff", "features")
    assert [found.get(name, "none") for name in (*some, "table")] == [1, "", (), None, None, "none"]


def test_the_default_of_an_option_is_one_of_its_words() -> None:
    seen = 0
    for name in aslib_eval.__all__:
        function = getattr(aslib_eval, name)
        if not inspect.isfunction(function):
            continue
        for argument in arguments_of(function).values():
            words, default = words_of(argument.type), argument.default
            if words and default is not inspect.Parameter.empty:
                seen += 1
                several = default if isinstance(default, tuple) else (default,)
                assert {*several} <= {*words, None}, (name, argument.name)
    assert seen > 50


def test_an_answer_is_given_while_another_thread_loads_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", ModuleType("polars"))
    assert ask("a")["names"] == "a"
