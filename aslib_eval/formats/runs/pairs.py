"""Columns of one solver, told by their names: ``a_time, a_solved``, ``time|a, status|a``, ``a, a|price``.

``paired`` calls them ``a:time`` and ``a:solved`` where one reading alone fits all columns of values: each
solver has the same parts, and each part is a known word. ``ask_of_pairs`` asks of all others.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from aslib_eval.formats import TableChoices, plain
from aslib_eval.formats.runs.cells import (
    ALIASES,
    ATTRIBUTES,
    CAMEL,
    GOOD,
    MISSING,
    MONEY,
    STATUS_WORDS,
    USED,
    is_cell_of_times,
    is_outcome,
    is_part,
    is_phase,
    is_price,
    is_quality,
    is_sum,
    is_time,
    is_truth,
    is_virtual,
    number,
    part_of,
    quality,
)
from aslib_eval.formats.runs.raw_table import NAMED, RawTable
from aslib_eval.text import list_names, plural

_JOINT = re.compile(rf"[\W_]+|{CAMEL.pattern}")
NAME_OF = "NAME, with --maximize NAME or --minimize NAME"
QUALITY_OF = f"--cells {NAME_OF}"
_WAYS = 2  # measures that a question offers
NO_PART = "is not time, status or objective"
_FAILED = re.compile("time_?d?_?out|fail|err|crash|unsolved|kill|oom|wrong|in(valid|corr)")
# Words before a part that name no solver.
_NO_SOLVER = re.compile(
    r"train(ing)?|test(ing)?|val(id(ation)?)?|fit|dev|cv|split\d*|fold\d*|mean|std|min|max|avg|average|median"
    r"|best|worst|first|last|total|overall|sum|cpu|wall|user|sys(tem)?|real|start|end|exit|before|after"
    r"|pre|post|n|nb|no|nr|num|number|is|has|rank|expected|instance|problem|task|run|solver|solution|log|par\d*"
)


def paired(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with such columns called ``SOLVER:part``, and a note about it.

    It stays as it is if a column names the solver, a name has a colon, or the parts are not clear.
    """
    names = [name for name in table.header if name not in {name for _, name in choices.column}]
    names = [name for name in names if name not in choices.measure and not _is_single(name)]
    is_long = choices.chosen("solver") or any(plain(n) in ALIASES["solver"] for n in table.header)
    if is_long or any(":" in name for name in table.header):
        return table
    readings = [_reading(table, names, prefix=prefix) for prefix in (False, True)]
    found = [reading for reading in readings if reading] or [_reading_by(names, choices.cells)]
    (reading, *others) = found
    if others or not reading:
        return table
    solvers = dict.fromkeys(solver for solver, _ in reading.values())
    first = {name: part for name, (solver, part) in reading.items() if solver == next(iter(solvers))}
    parts = ", ".join(f"{name!r} ({part or 'value'})" for name, part in first.items())
    what = f"columns name {plural(len(solvers), 'solver')}; {next(iter(solvers))!r} has {parts}"
    new = {name: f"{solver}:{part}" if part else solver for name, (solver, part) in reading.items()}
    header = tuple(new.get(name, name) for name in table.header)
    if len({*header}) < len(header):
        return table
    renamed = {name: old for old, name in new.items() if name != old}
    return replace(table, header=header, renamed={**table.renamed, **renamed}).told("runs-understood", what)


def _is_single(name: str) -> bool:
    """Whether the name of a column says that it belongs to no solver."""
    word = plain(name)
    of_rows = word in ATTRIBUTES or any(word in aliases for aliases in ALIASES.values())
    return (
        not name
        or of_rows
        or is_time(name)
        or is_virtual(name)
        or is_sum(name)
        or name.startswith("feature:")
    )


Reading = Mapping[str, tuple[str, str]]  # column → its solver and part; an empty part of a bare name


def _reading(table: RawTable, names: Sequence[str], *, prefix: bool) -> Reading:
    """The solver and part of each column; empty if some have none or the solvers differ in their parts."""
    split = {name: _split(name, prefix=prefix) for name in names}
    split = {name: parted for name, parted in split.items() if _may_be_part(parted[1], table.column(name))}
    stems = {stem for stem, word in split.values() if word}
    found: dict[str, tuple[str, str]] = {}
    for name, (stem, word) in split.items():
        found[name] = (stem, word) if word or name in stems else _beside(name, stems)
        if not found[name][0]:
            return {}
    parts: dict[str, set[str]] = {}
    for stem, word in found.values():
        parts.setdefault(stem, set()).add(plain(word))
    sets = {frozenset(each) for each in parts.values()}
    alike = len(parts) > 1 and len(sets) == 1 and len(found) == sum(map(len, parts.values()))
    if not alike or any(_NO_SOLVER.fullmatch(plain(stem)) or is_part(stem) for stem in parts):
        return {}
    (words,) = sets
    is_worth = len(words) > 1 or all(is_quality(word) and not is_time(word) for word in words)
    return found if is_worth else {}


def _reading_by(names: Sequence[str], part: str) -> Reading:
    """The solvers whose columns end in the part that a user names, and what follows their names."""
    ends = [(name[: at.start()], name[at.end() :]) for name in names for at in _JOINT.finditer(name)]
    solvers = {solver for solver, word in ends if solver and word and plain(word) == plain(part)}
    found = {name: _beside(name, solvers) for name in names}
    return {name: of for name, of in found.items() if of[0]}


def _may_be_part(word: str, cells: Sequence[str]) -> bool:
    """Whether a column may belong to a solver: it holds values or statuses, not other text."""
    says = part_of(word) in ("status", "answer")
    values = [cell for cell in cells if not is_truth([cell])]
    says = says or is_truth(cells) or {*map(str.lower, cells)} <= STATUS_WORDS.keys() | MISSING
    return says or any(is_cell_of_times(c) or quality(c) is not None for c in values)


def _split(name: str, *, prefix: bool) -> tuple[str, str]:
    """The solver, and the word before or after it for the part; empty if there is none."""
    joints = [match.span() for match in _JOINT.finditer(name)]
    for start, end in reversed(joints) if prefix else joints:
        solver, word = (name[end:], name[:start]) if prefix else (name[:start], name[end:])
        solver = solver.removesuffix(")") if prefix and "(" in name[start:end] else solver
        if solver and is_part(word):
            return solver, word
    return name, ""


# What the parts hold.


@dataclass(frozen=True)
class Part:
    """What the columns of one part hold, of all solvers.

    key: status or answer, else the measure; empty if they are not read. why: the reason, empty if their
    user decided it.
    """

    key: str
    is_time: bool = False
    why: str = ""


Parts = Mapping[str, Part]  # part, as ``plain``, → what it holds; an empty one is that of bare names
Asked = tuple[str, str]  # a question to the user, and what to type
PRICE = "price"
_A_PHASE = Part("", why="the runtime already includes this part")


def parts_of_solvers(
    table: RawTable, columns: Mapping[str, Sequence[str]], choices: TableChoices
) -> Parts | Asked:
    """What each part holds, or what to ask.

    columns: part as written → its columns, one for each solver that has it.
    """
    spelled: dict[str, str] = {}
    cells: dict[str, list[str]] = {}
    for what, names in columns.items():
        spelled.setdefault(plain(what), what)
        cells.setdefault(plain(what), []).extend(cell for name in names for cell in table.column(name))
    said = {plain(name): role for role, name in choices.column if name not in table.header}
    said |= {plain(name): "objective" for name in choices.measure if name not in table.header}
    qualities = [what for what in spelled.values() if not what or (is_quality(what) and not is_price(what))]
    is_priced = bool(qualities or (choices.cells and not is_time(choices.cells)))
    parts: dict[str, Part] = {}
    for word, what in spelled.items():
        if word == plain(choices.cells) or not word:
            name = choices.cells or spelled.get("time", "time")
            parts[word] = Part(name, is_time=is_time(name) or is_phase(name))
        elif word in said:
            parts[word] = _part_of(what, "" if said[word] == "ignore" else said[word])
        elif part := _part_by_name(what, is_priced=is_priced):
            parts[word] = part
        elif words := _outcome(cells[word], spelled):
            holds = f"may say whether a run is solved: it holds {' and '.join(words)}"
            ways = ways_of(what, words, "status", f"--cells {shlex.quote(what)}")
            return f"the part {what!r} of each solver {holds}", ways
        else:
            parts[word] = Part(what) if is_quality(what) else Part("", why=f"{what!r} {NO_PART}")
    asked = _choose_time(parts, spelled, cells)
    return (
        asked
        if asked and not qualities
        else _with_one_primary(parts, spelled, choices, is_told=any(":" in name for name in table.renamed))
    )


def _part_of(what: str, role: str) -> Part:
    """A part of that role; empty of one that nobody reads."""
    return Part(what if role in ("time", "objective") else role, is_time=role == "time")


def _part_by_name(what: str, *, is_priced: bool) -> Part | None:
    """A part as its name says; None where that says no more than that it may be a quality or an outcome."""
    if is_phase(what):
        return _A_PHASE
    if is_priced and is_price(what):
        return Part(PRICE if MONEY.fullmatch(plain(what)) else what)
    role = part_of(what)
    return Part("objective") if role == "objective" else _part_of(what, role) if role else None


def _choose_time(
    parts: dict[str, Part], spelled: Mapping[str, str], cells: Mapping[str, Sequence[str]]
) -> Asked | None:
    """Leave out the parts of a time where a column holds the whole; else what to ask."""
    phases = [word for word, part in parts.items() if part is _A_PHASE]
    times = [word for word, part in parts.items() if part.is_time]
    sums = [word for word in parts if phases and is_sum(word)]  # a column called total may be one
    told = ({word: cells[word] for word in (*times, *phases, *more)} for more in ([], sums))
    if total := next(filter(None, map(_total, told)), ""):
        parts |= {**dict.fromkeys((*times, *phases), _A_PHASE), total: Part(spelled[total], is_time=True)}
    elif len(phases) == 1 and not times and part_of(spelled[phases[0]]):
        parts[phases[0]] = Part(spelled[phases[0]], is_time=True)
    elif phases and not times:
        names = [spelled[word] for word in phases]
        what = f"{list_names(names)} of each solver are parts of a time, and no column holds the whole"
        one = shlex.quote(names[-1])
        return what, f"Add a column SOLVER:time with their sum, or rank by one of them with --cells {one}."
    return None


def _with_one_primary(
    parts: Parts, spelled: Mapping[str, str], choices: TableChoices, *, is_told: bool
) -> Parts | Asked:
    """The parts, where one says what counts; else what to ask.

    is_told: whether the columns are told by their names: nobody wrote ``a:time,a:objective``.
    """
    measures = {word: part for word, part in parts.items() if part.key not in ("", "status", "answer")}
    times = [word for word, part in measures.items() if part.is_time]
    qualities = [word for word, part in measures.items() if not part.is_time and not is_price(part.key)]
    is_ended = any(part.key in ("status", "answer") for part in parts.values())
    first = plain(choices.cells)
    if not first and "" in parts and len({part.key for part in measures.values()}) > 1:
        told = ", ".join(repr(spelled[word]) for word in measures if word)
        what = f"a solver has the columns {told}, and one column whose kind is unknown"
        return what, f"For accuracies, add --cells accuracy. For another quality, add {QUALITY_OF}."
    rivals = [word for word in qualities if is_told or parts[word].key != "objective"]
    if not first and ((times and rivals and not is_ended) or (not times and len(qualities) > 1)):
        names = [spelled[word] or "time" for word in (*times[:1], *qualities)]
        what = f"each solver has {list_names(names)}, and each of them may be the measure to rank by"
        ways = [f"--cells {shlex.quote(name)}" for name in names]
        return what, f"Choose one with {', '.join(ways[:-1])} or {ways[-1]}."
    if first in times or not first or choices.cutoff is not None:
        return parts
    # What counts is a quality: a time beside it has no limit.
    return {word: Part(part.key) if word in times else part for word, part in parts.items()}


def _outcome(cells: Sequence[str], parts: Mapping[str, str]) -> list[str]:
    """The words of a part that may say whether runs are solved; empty if it says something else."""
    words = {cell.lower() for cell in cells} - MISSING
    roles = {part_of(part) for part in parts.values()}
    is_alone = roles.isdisjoint(("status", "answer")) and not any(
        number(word) is not None for word in words
    )
    may_be = "time" in roles and is_outcome(words, alone=is_alone)
    return sorted(words) if may_be or is_truth([*words]) else []


def choosing(role: str, *names: str) -> str:
    """The options that give columns a role."""
    return " ".join(f"--column {shlex.quote(f'{role}={name}')}" for name in names)


def ways_of(name: str, words: Sequence[str], role: str, ranking: str) -> str:
    """What to type for a column, or a part of columns, of words that may say whether runs are solved.

    role: that it would have; empty if none is free. ranking: the options that rank runs by it.
    """
    is_failure = _FAILED.search(plain(name)) is not None
    typed = choosing(role, name)
    for word in words:
        is_ok = (word in GOOD or STATUS_WORDS.get(word) == "ok") != is_failure
        if is_failure or role == "answer" or word not in STATUS_WORDS:
            typed += f" --status {shlex.quote(word + ('=ok' if is_ok else '=other'))}"
    ways = f"If it does, add {typed}. " if role else ""
    if number("".join(words)) is not None or {*words} <= {"true", "false"}:
        more = "" if is_failure else f" --maximize {shlex.quote(name)}"
        ways += f"If runs are ranked by it, add {ranking}{more}. "
    return f"{ways}Otherwise, add {choosing('ignore', name)}."


def _total(cells: Mapping[str, Sequence[str]]) -> str:
    """The part that is the sum of two others or more wherever all are numbers; empty if none is."""
    if len({*map(len, cells.values())}) > 1 or len(cells) <= 2:  # noqa: PLR2004 - as of one other
        return ""
    rows = [
        row for row in zip(*(map(number, each) for each in cells.values()), strict=True) if None not in row
    ]
    for at, part in enumerate(cells):
        sums = ((row[at], sum(row) - row[at]) for row in rows)
        if len(rows) > 1 and all(math.isclose(*pair, rel_tol=1e-3, abs_tol=1e-2) for pair in sums):
            return part
    return ""


# Questions if the parts are not clear.


def ask_of_pairs(table: RawTable, solvers: Sequence[str], texts: Sequence[str]) -> tuple[str, str] | None:
    """Columns such as ``a_time`` and ``a_solved``, or ``a`` and ``a|cost``, that fit no one reading."""
    of = {name: parted(name) for name in (*solvers, *texts)}
    of = {n: each for n, each in of.items() if n in solvers or _may_be_part(each[1], table.column(n))}
    stems = {stem for stem, word in of.values() if word}
    of |= {name: found for name, (_, word) in of.items() if not word and (found := _beside(name, stems))[0]}
    several = Counter(stem for stem, _ in of.values())
    wrong = [name for name in solvers if several[of[name][0]] > 1] or [
        name
        for name in solvers
        for word in [of[name][1]]
        if word and part_of(word) != "time" and not (is_phase(word) or USED.fullmatch(plain(word)))
    ]
    if not wrong:
        return None
    new = {
        name: f"{stem}:{_what(word, table.column(name))}"
        for name, (stem, word) in of.items()
        if several[stem] > 1 or name in wrong
    }
    what = f"{list_names(wrong, most=NAMED)} do not look like names of solvers: they may be measures"
    more = f"If each is a solver, {table.called({name: f'{name}:time' for name in wrong})}."
    if rest := [name for name in solvers if name not in wrong]:
        more += f" If a column belongs to no solver, leave it out with {choosing('ignore', *rest)}."
    words = Counter(of[name][1] for name in wrong)
    shared = [word for word, n in words.items() if "" not in words and n == max(words.values())]
    ways = "".join(f"add --cells {shlex.quote(word)}, or " for word in shared[:_WAYS])
    return what, f"If they are measures, {ways}{table.called(new)}. {more}"


def _beside(name: str, stems: Collection[str]) -> tuple[str, str]:
    """The solver, of these, with which a name begins, and the rest of it; both empty if there is none."""
    stem = max((stem for stem in stems if re.match(re.escape(stem) + r"[\W_]", name)), key=len, default="")
    return stem, name[len(stem) + 1 :] if stem else ""


def parted(name: str) -> tuple[str, str]:
    """The solver and the part in whichever order there is one."""
    solver, word = _split(name, prefix=False)
    return (solver, word) if word else _split(name, prefix=True)


def _what(word: str, cells: Sequence[str]) -> str:
    """What a solver's column holds, in a word that is read where there is one."""
    if part_of(word):
        return word
    if is_truth(cells):
        return "solved"
    values = [value for cell in cells if (value := number(cell)) is not None]
    if not word and values and max(values) <= 1:
        return "objective"
    return word or "time"
