"""Which scenarios of a lake take part in the tables of a paper."""

from __future__ import annotations

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.reproductions.amadini2023 import _answered

IDS = {"Alpha": "A-2020", "Beta": "B-2020", "Gamma": "C-2020"}
ANSWERS = {"A-2020": {"asap", "forest", "x"}, "B-2020": {"forest"}}


def test_both_systems_have_answered() -> None:
    found = _answered("lake", IDS, ANSWERS, {"ASAP": "asap", "RF": "forest"})
    assert found == {"Alpha": "A-2020"}


@pytest.mark.parametrize(
    ("systems", "who"), [({"RF": "forest"}, "ASAP"), ({"ASAP": "asap", "RF": "none"}, "ASAP and RF")]
)
def test_without_their_answers_there_is_no_paper(systems: dict[str, str], who: str) -> None:
    with pytest.raises(AslibError, match=f"lake: no answers of {who}. Import them"):
        _answered("lake", IDS, ANSWERS, systems)
