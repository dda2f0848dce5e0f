"""Whether each column of a wide table is a solver; if not, what else and what to type.

A table without a column of solvers is wide only where no other reading fits.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from aslib_eval.formats.measures import known, plain
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.formats.runs.run_cells import MISSING, STATUS_WORDS, number, says_failure

Columns = Mapping[str, Sequence[str]]  # name → cells
# Pairs of words of which the first is said of a run that is solved.
_PAIRS = "true false, yes no, t f, y n, 1 0, 1.0 0.0, pass fail, passed failed, ✓ ✗, ✔ ✘"
GOOD = dict(pair.split() for pair in _PAIRS.split(", "))
Asked = tuple[str, str]  # what may be meant otherwise, and what to type
PERCENT, _FEW = 100, 4
_NAMED = 16  # columns that a message names
CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])")  # between two words of aB
_JOINT = re.compile(rf"[\W_]+|{CAMEL.pattern}")
_BESIDE = re.compile("(total|avg|mean|max|min|num|n|is|cpu|wall)_")
_QUALITIES = re.compile("scores?|rewards?|correct|success_rate|fitness|loss(es)?|errors?")
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


def is_quality(name: str) -> bool:
    """Whether a column is called like a measure that says how good a run is."""
    name = plain(name)
    words = (_BESIDE.sub("", name), name.rpartition("_")[2], name.partition("_")[0])
    found = [measure.kind for word in words if (measure := known(word))]
    named = any(_QUALITIES.fullmatch(word) for word in words)
    return named or not {"objective", "share"}.isdisjoint(found)


def is_outcome(words: Iterable[str], *, alone: bool) -> bool:
    """Whether a column of these words, in lower case, may say what is solved.

    alone: whether no column is known to say it. Else it must hold true and false.
    """
    words = {*words}
    is_pair = any(words == {*pair} for pair in GOOD.items())
    means = {STATUS_WORDS.get(word) for word in words}
    fits = None not in means and (len(words) > 1 or not means <= {"ok"})
    return is_pair or (alone and (fits or any(map(says_failure, words))))


def is_truth(cells: Sequence[str]) -> bool:
    """Whether cells hold true or false, or yes or no, alone."""
    said = {cell.lower() for cell in cells} - MISSING
    letters = {word for pair in [*GOOD.items()][:4] for word in pair}
    return bool(said) and said <= letters


def choosing(role: str, *names: str) -> str:
    """What to type so that columns have a role."""
    return " ".join(f"--column {shlex.quote(f'{role}={name}')}" for name in names)


def other_reading(
    table: RawTable,
    solvers: Sequence[str],
    texts: Sequence[str],
    part: Callable[[str], str],
    *,
    cutoff: float | None,
) -> Asked | None:
    """Why columns may be no solvers, and what to type; None where all may be.

    solvers: columns of numbers. texts: others. part: the role of a column of one solver by its name; empty
    where it has none. cutoff: None where somebody says that the cells are times.
    """
    columns = {name: [cells[at] for _, cells in table.rows] for at, name in enumerate(table.header)}
    paired = _paired(table, columns, solvers, texts, part)
    if paired or not solvers:
        truths = [name for name in texts if is_truth(columns[name])]
        said = _qualities(table, truths, "true or false") if truths else None
        return paired or said
    asked = _unlike_solvers(table, columns, solvers)
    if asked or cutoff is None:
        return asked
    return _unlike_times(table, columns, solvers, cutoff)


def _paired(
    table: RawTable,
    columns: Columns,
    solvers: Sequence[str],
    texts: Sequence[str],
    part: Callable[[str], str],
) -> Asked | None:
    """Columns such as ``a_time`` and ``a_solved``, or ``a`` and ``a|cost``."""

    def is_part(word: str) -> bool:
        bare = _BESIDE.sub("", plain(word))
        known_word = known(bare) or _QUALITIES.fullmatch(bare) or _PARTS.fullmatch(bare)
        return bool(part(word) or part(bare)) or known_word is not None

    of = {name: _parted(name, is_part) for name in (*solvers, *texts)}
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
        if word and part(word) != "time" and not _PARTS.fullmatch(plain(word))
    ]
    if not wrong:
        return None
    new = {
        name: f"{stem}:{_what(word, columns[name], part)}"
        for name, (stem, word) in of.items()
        if several[stem] > 1 or name in wrong
    }
    what = f"{_listed(wrong)} may be measures of solvers, and no solvers, by their names"
    more = f" Where each is a solver, {called(table, wrong, 'time')}."
    return what, f"Where they are, {_rename(table, new)}.{more}"


def _what(word: str, cells: Sequence[str], part: Callable[[str], str]) -> str:
    """What a solver's column holds, in a word that is read where there is one."""
    if part(word):
        return word
    if is_truth(cells):
        return "solved"
    values = [value for cell in cells if (value := number(cell)) is not None]
    if is_quality(word) or (not word and values and max(values) <= 1):
        return "objective"
    return word or "time"


def _parted(name: str, is_part: Callable[[str], bool]) -> tuple[str, str]:
    """The solver and the word for what its column holds; empty without one."""
    joints = list(_JOINT.finditer(name))
    for at in joints:
        if name[: at.start()] and is_part(name[at.end() :]):
            return name[: at.start()], name[at.end() :]
    for at in reversed(joints):
        if name[at.end() :] and is_part(name[: at.start()]):
            return name[at.end() :], name[: at.start()]
    return name, ""


def _unlike_solvers(table: RawTable, columns: Columns, solvers: Sequence[str]) -> Asked | None:
    """Columns that are called like something else: folds, ranks, losses, features."""
    features = all(_FEATURE.fullmatch(plain(name)) for name in solvers)
    if features or "feature" in Path(table.file).name.lower():
        what = f"{_listed(solvers)} may be features of instances, and no solvers"
        new = ", ".join(f"feature:{name}" for name in solvers[:_NAMED])
        hint = f"Add them to the table of runs as {new}. Where they are solvers,"
        return what, f"{hint} {called(table, solvers, 'time')}."
    wrong = [
        name
        for name in solvers
        for words in [plain(name).split("_")]
        if any(map(_OTHER.fullmatch, plain(CAMEL.sub(" ", name)).split("_")))
        or _FIRST.fullmatch(words[0])
        or _LAST.fullmatch(words[-1])
        or is_outcome({*columns[name]} - MISSING, alone=False)
    ]
    if not wrong:
        return None
    hint = "If a row is a run, --column solver=NAME says which column names the solver"
    if len(wrong) < len(solvers):
        hint = f"Where they are none: {choosing('ignore', *wrong)}"
    what = f"{_listed(wrong)} may be no solvers, by their names or cells"
    return what, f"{hint}. Where they are, {called(table, wrong, 'time')}."


def _unlike_times(table: RawTable, columns: Columns, solvers: Sequence[str], cutoff: float) -> Asked | None:
    """Cells that may be qualities: within 0 and 1, or most of them high percentages."""
    cells = [cell for name in solvers for cell in columns[name]]
    values = [value for cell in cells if (value := number(cell)) is not None]
    words = {cell.lower() for cell in cells if number(cell) is None} - MISSING
    if not values or words or min(values) < 0:
        return None
    if max(values) <= 1:
        return _qualities(table, solvers, "within 0 and 1", "--unit s")
    below = [value for value in values if value < cutoff]
    is_high = len(below) >= _FEW and median(below) > cutoff / 2
    if is_high and max(values) <= cutoff <= PERCENT:
        said = f"below {cutoff:g}, most above its half, as percentages are"
        return _qualities(table, solvers, said, "--unit s")
    return None


def _qualities(table: RawTable, names: Sequence[str], what: str, times: str = "") -> Asked:
    said = f"the cells of {_listed(names)} are {what}: they may be qualities, not times"
    hint = f"Where they are qualities, {called(table, names, 'objective')}, and say"
    hint += " --maximize objective if more is better."
    return said, hint + (f" Where they are times: {times}." if times else "")


def called(table: RawTable, names: Sequence[str], what: str) -> str:
    """How to call the columns so that these are ``what`` of solvers."""
    return _rename(table, {name: f"{name}:{what}" for name in names})


def _rename(table: RawTable, new: Mapping[str, str]) -> str:
    """What the columns are called then, as the first line of the table."""
    header = [new.get(name, name) for name in table.header]
    more = ["…"] if len(header) > _NAMED else []
    between = {"semicolons": ";", "tabs": "\t"}.get(table.separated, ",")
    return f"call the columns {between.join([*header[:_NAMED], *more])}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + more
