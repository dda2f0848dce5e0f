"""What else a table may mean: columns that may be no solvers, or may name instances. Its user is asked."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from aslib_eval.formats.format import TableChoices, known, plain
from aslib_eval.formats.runs.cells import (
    ALIASES,
    BESIDE,
    CAMEL,
    MISSING,
    QUALITIES,
    is_cell_of_times,
    is_outcome,
    is_quality,
    is_time,
    is_truth,
    may_name,
    number,
    part_of,
)
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.text import list_names

Asked = tuple[str, str]  # what may be meant otherwise, and what to type
_PERCENT, _FEW = 100, 4
_NAMED = 16  # columns that a message names
_JOINT = re.compile(rf"[\W_]+|{CAMEL.pattern}")
# What else a solver's columns may hold.
_PARTS = re.compile(
    "pars(e|ing)|translati(on|ng)|preprocessing|encoding|grounding|solving|tokens|price"
    "|response|mem|rss|conflicts|decisions|nodes|iterations|calls|found|feasible|valid"
)
# Words of columns that are no solver: anywhere in a name, at its start, at its end.
_OTHER = re.compile(
    "diff(erence)?s?|delta|gap|speedup|ratio|improvement|hardness|difficulty|folds?|cv"
    "|iter(ation)?s?|epochs?|loss(es)?|regret|accuracy|feat(ure)?s?|counts?|rank(s|ing)?"
    "|rewards?|scores?|probability|confidence|percent(age)?|conflicts|decisions|entropy"
    "|propagations|restarts|backtracks|nodes|objective|tokens|price|costs?|predictions?"
)
_FIRST = re.compile("best|worst|min|max|mean|avg|average|median|total|number|num|nb|std")
_LAST = re.compile("id|idx|index|nr|mem|memory|size|year|mean|std|stddev|variance")
_FEATURE = re.compile(r"f\d+")


# What to type.


def choosing(role: str, *names: str) -> str:
    """What to type so that columns have a role."""
    return " ".join(f"--column {shlex.quote(f'{role}={name}')}" for name in names)


def listed_columns(names: Sequence[str], role: str = "ROLE") -> str:
    """The columns of a table, and how to say which of them has a role."""
    more = ", …" if len(names) > _NAMED else ""
    return f"It has {', '.join(names[:_NAMED])}{more}; --column {role}=NAME says which it is."


def _called(table: RawTable, names: Sequence[str], what: str) -> str:
    """How to call the columns so that these are ``what`` of solvers."""
    return _rename(table, {name: f"{name}:{what}" for name in names})


def _rename(table: RawTable, new: Mapping[str, str]) -> str:
    """What the columns are called then, as the first line of the table."""
    header = [new.get(name, name) for name in table.header]
    more = ["…"] if len(header) > _NAMED else []
    between = {"semicolons": ";", "tabs": "\t"}.get(table.separated, ",")
    return f"call the columns {between.join([*header[:_NAMED], *more])}"


# Columns of solvers that may be something else.


def ask_of_words(
    table: RawTable, at: Mapping[str, int], attribute: Mapping[str, int], choices: TableChoices
) -> Asked | None:
    """What to ask of a column that is an attribute by its name and a solver by its cells."""
    if any(":" in name for name in table.header):  # as in a:time, which says who is a solver
        return None
    roles = dict.fromkeys(attribute, "attribute")
    roles |= {table.header[k]: role for role, k in at.items() if role in ("scenario", "family", "expected")}
    for name in sorted(roles.keys() - {name for _, name in choices.column}):
        cells = table.column(name)
        if all(map(is_cell_of_times, cells)) and any(number(cell) is not None for cell in cells):
            what = f"{name!r} may be a solver, by its cells, or say something of instances, by its name"
            called = _called(table, [name], "time")
            return what, f"Where it is one, {called}; else say {choosing(roles[name], name)}."
    return None


def ask_of_solvers(
    table: RawTable,
    columns: Mapping[str, Mapping[str, int]],
    bare: Sequence[str],
    texts: Sequence[str],
    single: Sequence[str],
    instances: Sequence[str],
    choices: TableChoices,
) -> Asked | None:
    """What is wrong or may be meant otherwise where solvers are called by columns.

    columns: of each solver. bare, texts: columns without ``:what``, of numbers and of anything else.
    single: known columns of no solver. instances: of the rows.
    """
    for name in texts:
        if ":" in name and is_truth(table.column(name)):
            hint = f"Call it {name.rpartition(':')[0]}:solved, or say {choosing('ignore', name)}."
            return f"{name!r} may say whether runs are solved", hint
    texts = [name for name in texts if ":" not in name]
    is_bare = len(bare) == len(columns) and not any(":" in name for name in table.header)
    timed = [name for name in single if is_time(name) or name in choices.chosen("time")]
    if is_bare and (timed or (single and len(bare) == 1)):
        keys = [choosing("solver", name) for name in texts if may_name(table.column(name), instances)]
        hint = (
            f"Is it in a column? {' or '.join(keys)}." if keys else listed_columns(table.header, "solver")
        )
        hint += " In a file of one solver, add a column solver with its name in each row."
        if timed and len(bare) > 1:
            hint += f" If the columns are solvers: {choosing('ignore', *timed)}."
        return "there is no column solver/algorithm, and a row is a run", hint
    if paired := _ask_of_pairs(table, bare, texts):
        return paired
    if not bare:
        truths = [name for name in texts if is_truth(table.column(name))]
        return _ask_of_qualities(table, truths, "true or false") if truths else None
    if asked := _ask_of_names(table, bare):
        return asked
    return None if choices.unit or not is_bare else _ask_of_times(table, bare, choices.cutoff or _PERCENT)


def _ask_of_pairs(table: RawTable, solvers: Sequence[str], texts: Sequence[str]) -> Asked | None:
    """Columns such as ``a_time`` and ``a_solved``, or ``a`` and ``a|cost``."""
    of = {name: _parted(name) for name in (*solvers, *texts)}
    stems = {stem for stem, word in of.values() if word}
    for name in (name for name, (_, word) in of.items() if not word):
        mine = (s for s in stems if re.match(re.escape(s) + r"[\W_]", name))
        if stem := max(mine, key=len, default=""):
            of[name] = stem, name[len(stem) + 1 :]
    several = Counter(stem for stem, _ in of.values())
    wrong = [name for name in solvers if several[of[name][0]] > 1] or [
        name
        for name in solvers
        for word in [of[name][1]]
        if word and part_of(word) != "time" and not _PARTS.fullmatch(plain(word))
    ]
    if not wrong:
        return None
    new = {
        name: f"{stem}:{_what(word, table.column(name))}"
        for name, (stem, word) in of.items()
        if several[stem] > 1 or name in wrong
    }
    what = f"{list_names(wrong, most=_NAMED)} may be measures of solvers, and no solvers, by their names"
    more = f"Where each is a solver, {_called(table, wrong, 'time')}."
    return what, f"Where they are, {_rename(table, new)}. {more}"


def _parted(name: str) -> tuple[str, str]:
    """The solver and the word for what its column holds; empty without one."""
    joints = [match.span() for match in _JOINT.finditer(name)]
    for start, end in joints:
        if name[:start] and _is_part(name[end:]):
            return name[:start], name[end:]
    for start, end in reversed(joints):
        if name[end:] and _is_part(name[:start]):
            return name[end:], name[:start]
    return name, ""


def _is_part(word: str) -> bool:
    bare = BESIDE.sub("", plain(word))
    return bool(
        part_of(word) or part_of(bare) or known(bare) or QUALITIES.fullmatch(bare) or _PARTS.fullmatch(bare)
    )


def _what(word: str, cells: Sequence[str]) -> str:
    """What a solver's column holds, in a word that is read where there is one."""
    if part_of(word):
        return word
    if is_truth(cells):
        return "solved"
    values = [value for cell in cells if (value := number(cell)) is not None]
    if is_quality(word) or (not word and values and max(values) <= 1):
        return "objective"
    return word or "time"


def _ask_of_names(table: RawTable, solvers: Sequence[str]) -> Asked | None:
    """Columns that are called like something else: folds, ranks, losses, features."""
    features = all(_FEATURE.fullmatch(plain(name)) for name in solvers)
    if features or "feature" in Path(table.file).name.lower():
        new = ", ".join(f"feature:{name}" for name in solvers[:_NAMED])
        called = _called(table, solvers, "time")
        hint = f"Add them to the table of runs as {new}. Where they are solvers, {called}."
        return f"{list_names(solvers, most=_NAMED)} may be features of instances, and no solvers", hint
    wrong = [
        name
        for name in solvers
        for words in [plain(name).split("_")]
        if any(map(_OTHER.fullmatch, plain(CAMEL.sub(" ", name)).split("_")))
        or _FIRST.fullmatch(words[0])
        or _LAST.fullmatch(words[-1])
        or is_outcome({*table.column(name)} - MISSING, alone=False)
    ]
    if not wrong:
        return None
    hint = "If a row is a run, --column solver=NAME says which column names the solver"
    if len(wrong) < len(solvers):
        hint = f"Where they are none: {choosing('ignore', *wrong)}"
    what = f"{list_names(wrong, most=_NAMED)} may be no solvers, by their names or cells"
    return what, f"{hint}. Where they are, {_called(table, wrong, 'time')}."


def _ask_of_times(table: RawTable, solvers: Sequence[str], cutoff: float) -> Asked | None:
    """Cells that may be qualities: within 0 and 1, or most of them high percentages."""
    cells = [cell for name in solvers for cell in table.column(name)]
    numbers = [number(cell) for cell in cells]
    values = [value for value in numbers if value is not None]
    words = {cell.lower() for cell, value in zip(cells, numbers, strict=True) if value is None} - MISSING
    if not values or words or min(values) < 0:
        return None
    if max(values) <= 1:
        return _ask_of_qualities(table, solvers, "within 0 and 1", "--unit s")
    below = [value for value in values if value < cutoff]
    if max(values) <= cutoff <= _PERCENT and len(below) >= _FEW and median(below) > cutoff / 2:
        said = f"below {cutoff:g}, most above its half, as percentages are"
        return _ask_of_qualities(table, solvers, said, "--unit s")
    return None


def _ask_of_qualities(table: RawTable, names: Sequence[str], what: str, times: str = "") -> Asked:
    said = f"the cells of {list_names(names, most=_NAMED)} are {what}: they may be qualities, not times"
    called = _called(table, names, "objective")
    hint = f"Where they are qualities, {called}, and say --maximize objective if more is better."
    return said, hint + (f" Where they are times: {times}." if times else "")


# No column of instances.


def no_instance(table: RawTable, at: Mapping[str, int], free: Sequence[str]) -> Asked:
    """That no column names the instances, and which of the free ones may do so."""
    what = "there is no column instance/benchmark/problem"
    hint = listed_columns(table.header, "instance")
    if "solver" not in at:
        return what, hint
    of = table.column(at["solver"])
    if _is_turned(table, at["solver"], of):
        what += ": its rows are solvers, and its columns instances"
        return what, "Turn it round, so that its rows are instances."
    used = {table.header[k] for k in at.values()}
    keys = [
        name for name in free if name not in used and not is_time(name) and may_name(table.column(name), of)
    ]
    typed = choosing("instance", "+".join(keys))
    return what, f"Is it {', '.join(keys)}? {typed}. {hint}" if keys else hint


def _is_turned(table: RawTable, solver: int, solvers: Sequence[str]) -> bool:
    """Whether all columns but that of the solvers hold times, and no name is known."""
    rest = [name for at, name in enumerate(table.header) if at != solver]
    known_names = {alias for aliases in ALIASES.values() for alias in aliases}
    return (
        len(rest) > 1
        and not any(plain(name) in known_names or is_time(name) for name in rest)
        and len(solvers) == len({*solvers})
        and all(all(map(is_cell_of_times, table.column(name))) for name in rest)
    )
