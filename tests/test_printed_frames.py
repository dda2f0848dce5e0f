"""How the frames print that public functions return."""

from __future__ import annotations

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.figures import chart as write
from aslib_eval.text import printed_class

Answer = printed_class()
WIDE = {f"c{n}": [n, n + 1] for n in range(12)}


def test_a_wide_answer_names_what_is_the_same_and_shows_what_is_not() -> None:
    text = str(Answer({"id": ["s", "s"], "none": [None, None], **WIDE}))
    assert text.startswith("shape: (2, 14)\n")
    assert "c9" in text
    assert text.endswith("in every row: id s\nnot shown: c10, c11")
    assert "c0 " in str(Answer({name: cells[:1] for name, cells in WIDE.items()}))


def test_a_narrow_one_and_who_sets_polars_are_as_polars_prints() -> None:
    few = pl.DataFrame({"a": [1, 1], "b": [2, 3]})
    assert str(Answer(few)) == repr(Answer(few)) == str(few)
    with pl.Config(tbl_cols=-1):
        assert "c11" in str(Answer(WIDE))


def test_a_gap_prints_who_and_how_much(toy: object) -> None:
    text = str(ae.gap(toy))  # type: ignore[arg-type]
    assert "solver" in text
    assert "closed" in text


def test_an_argument_that_is_misspelt_is_named(toy: object) -> None:
    with pytest.raises(TypeError, match=r"'solver'\. Did you mean 'solvers'"):
        ae.gap(toy, solver="x")  # type: ignore[arg-type, call-arg]


def test_a_misspelt_figure_is_said_before_what_its_file_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object, **__: object) -> None:
        pytest.fail("the extra was asked for")

    monkeypatch.setattr(write, "require_extra", lacking)
    done = CliRunner().invoke(main, ["figure", "cactsu", "-o", "x.svg"])
    assert done.exit_code == 1
    assert "cactsu: there is no such figure. Did you mean 'cactus'?" in done.output
