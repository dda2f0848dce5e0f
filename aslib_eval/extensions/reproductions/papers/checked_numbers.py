"""Published numbers beside those of a lake: what is claimed of them, and what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import PRESETS
from aslib_eval.errors import OutOfTimeError
from aslib_eval.extensions.reproductions.papers.published import NO_PROTOCOL, PublishedNumber, claimed
from aslib_eval.text import plural

# What became of a number. The last two are claims that do not hold.
Verdict = Literal[
    "as claimed", "no protocol", "explained", "unexplained", "out of time",
    "not as claimed", "a protocol gives it",
]  # fmt: skip
BROKEN: frozenset[Verdict] = frozenset({"not as claimed", "a protocol gives it"})


@dataclass(frozen=True)
class NumberAtHand:
    """A published number whose scenario and solver a lake holds, by their names there.

    value: what the protocol gives that is claimed to, else ``default``, with the sign that is printed; None
    if it gives none.
    """

    number: PublishedNumber
    scenario_id: str
    kind: str
    solver: str
    value: float | None = None

    @property
    def fits(self) -> bool:
        """Whether the value is printed as the number is."""
        return self.number.printed.rounds(self.value)


@dataclass(frozen=True)
class CheckedNumber:
    """A number at hand and what became of it. found: a protocol that gives it."""

    at_hand: NumberAtHand
    verdict: Verdict
    found: str = ""


def numbers_at_hand(lake: OpenLake, numbers: Iterable[PublishedNumber]) -> list[NumberAtHand]:
    """Those whose scenario has runs in a lake and whose solver is there, with values.

    Scenarios are named by id or folder, whatever the case; of a selector and an algorithm of one name it is
    the selector.
    """
    solvers: dict[tuple[str, str], tuple[str, str, str]] = {}
    for scenario_id, folder, kind, solver in lake.rows("solvers_of_scenarios"):
        for scenario in (folder, scenario_id):
            key = scenario.lower(), solver.lower()
            if key not in solvers or kind == "selector":
                solvers[key] = scenario_id, kind, solver
    by_claim: dict[str, list[NumberAtHand]] = {}
    for number in numbers:
        there = solvers.get((number.scenario.lower(), number.in_lake.lower()))
        if there is not None:
            by_claim.setdefault(number.protocol, []).append(NumberAtHand(number, *there))
    found = [one for claim, wanted in by_claim.items() for one in _with_values(lake, claim, wanted)]
    return sorted(found, key=lambda one: one.number.line)


def of_papers(found: Iterable[NumberAtHand], *, own: bool) -> tuple[list[NumberAtHand], list[str]]:
    """The numbers of solvers that may be the papers', and what is said of selectors.

    A selector of a lake has its name from whoever imported it. It is left out where numbers of the paper's
    are claimed and none fits. own: whether the numbers are of a user's file, which says whose they are: all
    are kept.
    """
    groups: dict[tuple[str, str], list[NumberAtHand]] = {}
    kept, said = [], []
    for one in found:
        if one.kind == "selector" and not own:
            groups.setdefault((one.number.paper, one.solver), []).append(one)
        else:
            kept.append(one)
    for (paper, solver), numbers in groups.items():
        claims = [one for one in numbers if one.number.protocol not in {"", NO_PROTOCOL}]
        if not claims:
            said.append(f"{solver} is taken for that of {paper} by its name alone.")
        elif not any(one.fits for one in claims):
            said.append(
                f"{solver} is not that of {paper}: none of its"
                f" {plural(len(claims), 'claimed number')} fits; left out."
            )
            continue
        kept += numbers
    return sorted(kept, key=lambda one: one.number.line), said


def _with_values(lake: OpenLake, claim: str, wanted: Sequence[NumberAtHand]) -> Iterator[NumberAtHand]:
    """The same numbers with what one protocol gives."""
    protocol = claimed(claim) or PRESETS["default"]
    names = sorted({one.scenario_id for one in wanted})
    under = lake.under(protocols=[protocol], scenarios=names)
    values: dict[tuple[str, str, str, str], float | None] = {}
    for metric in sorted({one.number.column for one in wanted} & set(lake.metrics)):
        relation = lake.metrics[metric].relation
        sql = f"select scenario_id, kind, solver, {metric} from {relation}"  # noqa: S608
        for *key, value in under.rows(sql):
            values[metric, *key] = value
    for one in wanted:
        number = one.number
        value = values.get((number.column, one.scenario_id, one.kind, one.solver))
        yield NumberAtHand(number, one.scenario_id, one.kind, one.solver, number.ours(value))


def check(
    found: Iterable[NumberAtHand], search: Callable[..., pl.DataFrame] | None = None
) -> Iterator[CheckedNumber]:
    """Say of each number whether its claim holds, and else which protocol gives it.

    search: ``explain`` of a lake, which combines choices for a number whose claim does not hold, or of
    which none is made, or that no protocol is said to give; None = none of that.
    """
    for one in found:
        claim = one.number.protocol
        is_open = claim in {"", NO_PROTOCOL}
        if one.fits and not is_open:
            yield CheckedNumber(one, "as claimed", claim)
            continue
        giving: str | None = "default" if one.fits else ""
        if not giving and search is not None:
            giving = _search(one, search)
        yield CheckedNumber(one, _verdict(claim, giving), giving or "")


def _verdict(claim: str, giving: str | None) -> Verdict:
    """What a search says of a claim that is none, or does not hold.

    giving: None = it did not come to an end.
    """
    if claim == NO_PROTOCOL:
        return "a protocol gives it" if giving else "no protocol"
    if claim:
        return "not as claimed"
    if giving is None:
        return "out of time"
    return "explained" if giving else "unexplained"


def _search(one: NumberAtHand, search: Callable[..., pl.DataFrame]) -> str | None:
    """A protocol that gives a number, "" if none does, None without an end."""
    number = one.number
    text = number.number
    if number.metric != number.column:
        text = text.removeprefix("-") if text.startswith("-") else f"-{text}"
    try:
        rows = search(f"{number.column}={text}", scenario=one.scenario_id, solver=one.solver, kind=one.kind)
    except OutOfTimeError:
        return None
    for row in rows.iter_rows(named=True):
        if number.printed.rounds(number.ours(row["value"])):
            return row["presets"].partition(",")[0] or row["changes"] or "default"
    return ""
