"""Amadini et al. 2023, section 2: Tables 1 and 2 and Figures 1 to 4 from a lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from aslib_eval.errors import OptionError
from aslib_eval.extensions.reproductions.papers.amadini2023 import claims, tables
from aslib_eval.extensions.reproductions.papers.amadini2023.lake import PROTOCOL, look
from aslib_eval.extensions.reproductions.papers.reproduction import Paper
from aslib_eval.options import Lake, Option, Scenarios
from aslib_eval.signatures import public

TITLE = "On the Evaluation of (Meta-)solver Approaches, made again"


@public
def amadini2023(
    lake: Lake,
    *,
    scenarios: Scenarios = (),
    systems: Annotated[
        Mapping[str, str] | Sequence[str],
        Option(
            "Who plays a system of the paper, such as RF=my_forest.",
            flags="--system",
            metavar="NAME=SELECTOR",
        ),
    ] = (),
) -> Paper:
    """Make the paper's tables and figures again, from whatever selections there are.

    systems: name in the paper (ASAP, RF, RF-reg ...) → selector of the lake; by default by their usual
    names. Only scenarios of the paper take part.

    Raises:
        AslibError: the lake holds no scenario of the paper, or no answers of ASAP and RF.

    """
    opened = look(lake, scenarios=scenarios, systems=_selectors(systems))
    sweeps = claims.sweeps(opened)
    return Paper(
        name=PROTOCOL,
        title=TITLE,
        tables=(
            tables.table1(opened),
            tables.table2(opened),
            tables.implied(opened),
            tables.choices(opened),
        ),
        figures=claims.all_figures(opened, sweeps),
        claims=claims.all_claims(opened, sweeps),
        remarks=claims.all_remarks(opened),
        provenance=opened.made_of.lines(),
    )


def _selectors(systems: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    """System of the paper → selector, also of texts such as ``RF=my_forest``."""
    if isinstance(systems, Mapping):
        return systems
    pairs = [text.partition("=")[::2] for text in systems]
    for text, pair in zip(systems, pairs, strict=True):
        if not all(pair):
            raise OptionError(f"--system {text}: write NAME=SELECTOR")
    return dict(pairs)
