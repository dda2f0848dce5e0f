"""What the record of a competition says, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from aslib_eval.extensions.competitions.analysis.boards import sql_file
from aslib_eval.extensions.competitions.analysis.published_cells import are_thousandths, swapped
from aslib_eval.text import join_words, number, plural

if TYPE_CHECKING:
    from aslib_eval.extensions.competitions.analysis.record import CompetitionRecord, Published
    from aslib_eval.extensions.competitions.analysis.rule_changes import Change, Explained

_SHOWN = 10  # values that differ, and places that move


def sentences(record: CompetitionRecord, *, values: bool = True) -> list[str]:
    """What was published, held against what follows, and the remarks: the answer first.

    values: whether the first values that differ are named.
    """
    found = record.published
    compared = () if found is None else _compared(found, values=values)
    return [*compared, *record.remarks]


def _compared(found: Published, *, values: bool) -> Iterator[str]:
    cells, different = found.cells, found.different
    n, some = plural(found.n, "published value"), different.height
    if found.n > cells.height:
        which = f"{some} of the values compared are not" if some else "All compared are"
        yield f"{which} reproduced: {cells.height} compared of {found.n} published."
    elif some:
        yield f"{some} of {n} are not reproduced."
    else:
        yield f"All {n} are reproduced."
    for scenario, one, other in swapped(cells):
        what = f"The published values of {one} and {other} ({scenario}) are each other's"
        yield f"{what}: are their columns swapped, in the runs or in the table?"
    if are_thousandths(cells):
        yield "Times of the runs are 1000 times as large as those published: divide them."
    if (it := found.instance) is not None:
        how = "counted twice" if it.twice else "left out"
        n = f"{some - it.left} of the {some}" if it.left else "all"
        yield f"With the instance {it.name} ({it.scenario}) {how} {n} follow."
    if found.explained is not None:
        yield from _explained(found.explained, found)
    if found.unequal_pairs:
        pairs = plural(found.unequal_pairs, "pair")
        yield f"The published points of {pairs} sum neither to those of a pair nor to 0."
    if values:
        yield from _different(found)
    if found.passed_over:
        yield f"Not compared, as no rule gives them: {join_words(found.passed_over)}."
    yield from found.said


def _different(found: Published) -> Iterator[str]:
    for row in found.different.head(_SHOWN).iter_rows(named=True):
        who = row["solver"] + (f" against {row['other']}" if row["other"] else "")
        where = row["scenario_id"] + ("" if row["part"] == "all" else f", {row['part']}")
        ours = "nothing" if row["ours"] is None else number(row["ours"])
        at = ":".join(str(x) for x in (row["file"], row["line"]) if x is not None)
        what = f"{row['column']} of {who} ({where}; {row['restriction']})"
        yield f"{at}: {what} is published as {row['printed']}; the runs give {ours}."
    if (left := found.different.height - _SHOWN) > 0:
        yield f"{left} more differ; --format json has them all."


def _explained(explained: Explained, found: Published) -> Iterator[str]:
    says = partial(_words, meanings=sql_file("rule").columns)
    left = plural(found.different.height, "value")
    if explained.changes:
        first, *others = map(says, explained.changes)
        yield f"The smallest change of the rule with which all follow: {first}."
        for other in others[:_SHOWN]:
            yield f"As small is this one: {other}."
        yield from _moved(found)
        return
    scope = "" if explained.complete else ", among those that matter here,"
    most = plural(explained.most, "choice")
    if explained.is_cut:
        tried = plural(explained.tried, "change")
        yield f"None of the {tried} of the rule that were tried explains the {left}."
    else:
        yield f"No change of up to {most}{scope} explains the {left}."
    if explained.left < found.different.height:
        yield f"The nearest leaves {explained.left}: {says(explained.nearest)}."


def _moved(found: Published) -> Iterator[str]:
    if found.moved is None or not found.moved.height:
        yield "With it nobody's place is another."
        return
    boards = found.moved.group_by("scenario_id", "rule", "part", maintain_order=True)
    for at, ((scenario, rule, part), rows) in enumerate(boards):
        if at == _SHOWN:
            yield "More boards change; --format json has them all."
            return
        moves = [
            f"{solver} {before or 'none'} to {after or 'none'}"
            for solver, before, after in rows.select("solver", "place", "place_then").iter_rows()
        ]
        more = f" and {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else ""
        where = f"{rule} of {scenario}" + ("" if part == "all" else f", {part}")
        yield f"With it places change by {where}: {', '.join(moves[:_SHOWN])}{more}."


def _words(change: Change, *, meanings: Mapping[str, str]) -> str:
    return join_words([f"{name} = {_value(x)} ({short(meanings[name], x)})" for name, x in change])


def short(meaning: str, value: object) -> str:
    """Of what a column of the relation ``rule`` means, what a value of it does.

    >>> short("what becomes of it: removed; kept, and right; out, and wrong", "out")
    'what becomes of it: out, and wrong'
    """
    first, *others = meaning.split("; ")
    lead, colon, rest = first.partition(": ")
    if not isinstance(value, str) or not others:
        return lead if isinstance(value, str | tuple) or value is None else first
    pieces = [rest or lead, *others]
    fitting = [piece for piece in pieces if re.match(rf"{value}\b", piece)]
    what = fitting[0].removeprefix(f"{value}: ") if fitting else ""
    return ": ".join(filter(None, (lead if colon or not what else "", what)))


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    return number(value)
