"""Amadini et al. 2023, section 2: Tables 1 and 2 and Figures 1 to 4 from a lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from aslib_eval.papers.amadini2023 import claims, tables
from aslib_eval.papers.amadini2023.lake import PROTOCOL, look
from aslib_eval.papers.reproduction import Paper
from aslib_eval.signatures import public

TITLE = "On the Evaluation of (Meta-)solver Approaches, made again"


@public
def amadini2023(
    lake: str | PathLike[str],
    *,
    scenarios: Sequence[str] = (),
    systems: Mapping[str, str] | None = None,
) -> Paper:
    """Make the paper's tables and figures again, from whatever selections there are.

    systems: name in the paper (ASAP, RF, RF-reg ...) → selector of the lake; by default
    by their usual names. Only scenarios of the paper take part.

    Raises:
        AslibError: the lake holds no scenario of the paper, or no answers of ASAP and
            RF.

    """
    seen = look(lake, scenarios=scenarios, systems=systems or {})
    sweeps = claims.sweeps(seen)
    return Paper(
        name=PROTOCOL,
        title=TITLE,
        tables=(
            tables.table1(seen),
            tables.table2(seen),
            tables.implied(seen),
            tables.choices(seen),
        ),
        figures=claims.all_figures(seen, sweeps),
        claims=claims.all_claims(seen, sweeps),
        remarks=claims.all_remarks(seen),
        provenance=seen.made_of.lines(),
    )
