"""Numbers that papers print, and which protocols give them: ``published``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import opened, silent
from aslib_eval.errors import AslibError
from aslib_eval.options import Lake, Note, Option, Scenarios
from aslib_eval.signatures import public
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.reproductions.published import CheckedNumber, PublishedNumber


@public
def published(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    papers: Annotated[
        Sequence[str], Option("Only papers whose key matches.", flags="--paper", metavar="GLOB")
    ] = (),
    explain: Annotated[
        bool, Option("Compare those whose scenario and solver the lake holds with ours.")
    ] = False,
    seconds: Annotated[
        float,
        Option(
            "Time to combine choices for a number that no claim explains; 0 = check the claims alone.",
            metavar="S",
            least=0,
            goes_with="explain",
        ),
    ] = 60.0,
    numbers: Annotated[
        str | PathLike[str] | None,
        Option("A CSV file of your own with the same columns, in place of ours.", metavar="FILE"),
    ] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """What papers print of ASlib scenarios, and the protocols that give it.

    One row per number: where it is printed, ``decimals`` of it, and the ``protocol`` that is claimed to
    give it (``none``: no protocol does, ``remark`` says why; null: the answers behind it are not public, or
    nobody has tried).

    explain: the numbers at hand alone, with our ``value``, the ``verdict`` and the protocol that was
    ``found``. A claim is ``as claimed`` or ``not as claimed``; of a number without one it is ``explained``
    by a protocol, ``unexplained`` or ``out of time``; ``no protocol`` or ``a protocol gives it`` where none
    was said to.

    Raises:
        AslibError: for a file that is not well formed, and where nothing matches.

    >>> ae.published(papers=["oasc2017"], scenarios=["Mira"]).height
    8
    """
    from fnmatch import fnmatchcase

    from aslib_eval.commands.declared import function_added
    from aslib_eval.extensions.reproductions import published as file
    from aslib_eval.extensions.reproductions.published import check, numbers_at_hand, of_papers
    from aslib_eval.progress import tracked

    every = file.read_numbers(Path(numbers) if numbers is not None else file.FILE)
    chosen = [
        number
        for number in every
        if (not papers or any(fnmatchcase(number.paper, glob) for glob in papers))
    ]
    if not chosen:
        hint = one_of(papers[0] if papers else "", dict.fromkeys(number.paper for number in every))
        raise AslibError("no paper matches", ", ".join(papers), hint)
    if not explain:
        chosen = [
            number
            for number in chosen
            if not scenarios or any(fnmatchcase(number.scenario, glob) for glob in scenarios)
        ]
        if not chosen:
            raise AslibError("no published number is of such a scenario", ", ".join(scenarios))
        for paper in dict.fromkeys(number.paper for number in chosen):
            if about := file.papers().get(paper):
                note(f"{paper}: {about['title']}. Read: {about['read']}.")
        return _listed(chosen)
    held = opened(lake, scenarios, ["default"], ())
    found, said = of_papers(numbers_at_hand(held, chosen), own=numbers is not None)
    if not found:
        hint = "Import the scenarios, and the answers of their selectors."
        raise AslibError("it holds none of these numbers", str(lake), " ".join([*said, hint]))
    shown = sys.stderr.isatty()
    search = None
    if seconds:
        combine = function_added("explain")
        if combine is None:
            raise AslibError(
                "choices of protocols cannot be combined",
                hint="Put the extension explanations back, or write --seconds 0.",
            )
        search = partial(combine, lake=lake, seconds=seconds)
    checked = list(tracked(check(found, search), "published numbers", len(found), shown=shown))
    for sentence in (*_sentences(checked, len(chosen)), *said):
        note(sentence)
    return _compared(checked)


def _listed(numbers: Iterable[PublishedNumber]) -> pl.DataFrame:
    import polars as pl

    texts = ("paper", "place", "scenario", "solver", "metric", "number")
    rows = [
        {
            **{name: getattr(number, name) for name in texts},
            "decimals": number.decimals,
            "protocol": number.protocol or None,
            "remark": number.remark or None,
        }
        for number in numbers
    ]
    schema = dict.fromkeys((*texts, "decimals", "protocol", "remark"), pl.String())
    return pl.DataFrame(rows, schema={**schema, "decimals": pl.Int64()})


def _compared(checked: Iterable[CheckedNumber]) -> pl.DataFrame:
    import polars as pl

    texts = ("paper", "place", "scenario", "solver", "metric", "number", "protocol")
    rows = [
        {
            **{name: getattr(one.at_hand.number, name) or None for name in texts},
            "value": one.at_hand.value,
            "verdict": one.verdict,
            "found": one.found or None,
        }
        for one in checked
    ]
    schema = dict.fromkeys((*texts, "value", "verdict", "found"), pl.String())
    return pl.DataFrame(rows, schema={**schema, "value": pl.Float64()})


def _sentences(checked: Sequence[CheckedNumber], n_chosen: int) -> Iterable[str]:
    counts = Counter(one.verdict for one in checked)
    words = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    yield f"{len(checked)} of {n_chosen} published numbers are at hand: {words}."
    by_protocol = Counter(one.found for one in checked if one.verdict == "as claimed")
    if by_protocol:
        words = ", ".join(f"{claim} ({n})" for claim, n in by_protocol.most_common())
        yield f"They come of: {words}."
