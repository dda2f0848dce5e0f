"""What the cells of a table of runs mean (answers, times, units), and the names of its columns."""

from __future__ import annotations

import csv
import math
import re
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import chain, combinations
from types import MappingProxyType
from typing import NamedTuple

from aslib_eval.errors import OptionError
from aslib_eval.formats import is_runtime, known, plain

# How each run was made, and the CRC-32 of the text before the last comma.
LOGGED = ("command", "reads", "program", "version", "check")


def is_logged(header: Sequence[str]) -> bool:
    """Whether a table's columns are those of such a log."""
    return {"run", "seed", *LOGGED} <= set(header)


def checksum(line: bytes) -> bytes:
    """The cell that a line ends with: the CRC-32 of the text before it."""
    return b"%08x" % zlib.crc32(line)


def checked(line: bytes) -> list[str]:
    """The cells of a line without its check sum; none if the line was altered."""
    text, _, check = line.rpartition(b",")
    if check != checksum(text):
        return []
    with suppress(UnicodeDecodeError, csv.Error):
        return next(csv.reader([text.decode()]), [])
    return []


def altered(content: bytes) -> list[int]:
    """Numbers of the lines of a log that are not as they were written."""
    return [n for n, line in enumerate(content.split(b"\n")[1:], 2) if line and not checked(line)]


_CALLED = {
    "ns": "ns nsec nsecs nanosecond nanoseconds",
    "us": "us usec usecs microsecond microseconds",
    "ms": "ms msec msecs millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hour hours",
}
UNITS = {word: unit for unit, words in _CALLED.items() for word in words.split()}
_SECONDS = {"s": 1, "min": 60, "h": 3600}
PARTS = {"ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second
_LIMIT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([a-zA-Zµμ]*)", re.ASCII)


_PARTED = re.compile(
    r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+(?:\.\d*)?)\s*s)?", re.ASCII | re.IGNORECASE
)


def to_seconds(value: float, unit: str) -> float:
    """A time of that unit (a value of ``UNITS``) in seconds."""
    return value / PARTS[unit] if unit in PARTS else value * _SECONDS[unit]


def from_seconds(value: float, unit: str) -> float:
    """A time in seconds in that unit (a value of ``UNITS``)."""
    return value * PARTS[unit] if unit in PARTS else value / _SECONDS[unit]


def time_limit(given: float | str) -> tuple[float, str]:
    """A limit such as 1800, "1800s" or "30min", and its unit; empty if it has none."""
    match = _LIMIT.fullmatch(str(given).strip())
    value = float(match[1]) if match else math.nan
    if match is None or not 0 < value < math.inf:
        hint = "Give a number above 0, with or without a unit: 1800, 1800s, 30min."
        raise OptionError(f"--cutoff {given} is not a time limit", None, hint)
    return value, unit_called(match[2]) if match[2] else ""


def unit_called(word: str) -> str:
    """The unit of that name, such as ms of "msec"."""
    if plain(word) not in UNITS:
        raise OptionError(f"{word!r} is not a unit of time", None, f"Units are {', '.join(_CALLED)}.")
    return UNITS[plain(word)]


def seconds_of(cell: str) -> float | None:
    """The seconds of a time with a unit; None for anything else.

    ``5m`` alone is none: it may be minutes, metres or millions.

    >>> seconds_of("66.37us"), seconds_of("1.5 ms"), seconds_of("3m20s"), seconds_of("5m"), seconds_of("7")
    (6.637e-05, 0.0015, 200.0, None, None)
    """
    single, parted = _LIMIT.fullmatch(cell), _PARTED.fullmatch(cell)
    if single and (unit := UNITS.get(plain(single[2]))):
        return to_seconds(float(single[1]), unit)
    parts = parted.groups() if parted else ()
    if sum(part is not None for part in parts) < 2:  # noqa: PLR2004 - else a number and a unit
        return None
    return sum(float(part or 0) * factor for part, factor in zip(parts, (3600, 60, 1), strict=True))


_LEAST = 1.0  # [s], shorter runs are measured too roughly
_RUNS = 20  # so many must be compared
_FAR = 10.0


def odd_clocks(walls: Sequence[float | None], cpus: Sequence[float | None]) -> list[int]:
    """Positions of at most two runs whose CPU and wall-clock times have an odd ratio.

    The ratio is more than ten times that of every other run, or less than a tenth. Only runs of at least a
    second are compared, if there are 20; a file with solvers of one core and of a thousand has none.

    >>> odd_clocks([2.0] * 30, [1.9] * 29 + [1900.0])
    [29]
    >>> odd_clocks([2.0] * 5, [1.9] * 4 + [1900.0])
    []
    """
    ratios = sorted(
        (cpu / wall, at)
        for at, (wall, cpu) in enumerate(zip(walls, cpus, strict=True))
        if wall and cpu and min(wall, cpu) > 0 and max(wall, cpu) >= _LEAST
    )
    if len(ratios) < _RUNS:
        return []
    (least, first), (second, _), *_, (before, _), (most, last) = ratios
    return [at for at, is_far in ((first, least * _FAR < second), (last, most > _FAR * before)) if is_far]


# Word of a column of times or of a status, in lower case → the status it means.
_FAILURES = {
    "timeout": (
        "timeout, time out, timed out, timelimit, time limit, time-limit, to, t/o, tle,"
        " tl, timeouted, time_out, exceeded time limit,"
        " time, timeout (cpu), timeout (wallclock)"
    ),
    "memout": (
        "memout, mem out, memory out, out of memory, outofmemory, oom, mo, m/o, mem,"
        " memoryout, memlimit, memory limit, out_of_memory"
    ),
    "crash": (
        "crash, crashed, error, err, fail, failed, failure, segfault, exception, abort,"
        " aborted, killed, runtime error, ee"
    ),
}
_FAILED: Mapping[str, str] = {
    word.strip(): status for status, words in _FAILURES.items() for word in words.split(",")
}
MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "-", "--", "—", "\u2013", "*"})
NOTHING = MISSING - {"-", "--", "—", "\u2013", "*"}  # and no sign for a timeout
_ENDLESS = frozenset({"inf", "+inf", "infinity", "+infinity", "∞"})
# In a column of times, where no status says more: no time is a timeout.
MARKERS: Mapping[str, str] = {**_FAILED, **dict.fromkeys(MISSING | _ENDLESS, "timeout")}
# That a run is solved, or that it came to its end; not what it answered.
ENDED = frozenset(
    {*("ok", "solved", "success", "successful", "complete", "completed", "done"), *("finished", "correct")}
)
# Answers, and the word under which they are compared.
ANSWERS: Mapping[str, str] = {
    **dict.fromkeys(("sat", "satisfiable"), "sat"),
    **dict.fromkeys(("unsat", "unsatisfiable", "uns"), "unsat"),
    **dict.fromkeys(("optimum", "optimal", "optimum found"), "optimum"),
}
# Answers to a question of yes or no, or whether a run is solved.
TRUTHS = ("true", "yes", "false", "no")
NO_ANSWER = frozenset({*("unknown", "unk", "none", "maybe", "undecided", "starexec-unknown"), "no answer"})
_OTHER = "other, unsolved, not solved, incomplete, false, no"
STATUS_WORDS: Mapping[str, str] = {
    **_FAILED,
    **dict.fromkeys((*ENDED, *ANSWERS, "true", "yes"), "ok"),
    **dict.fromkeys((*_OTHER.split(", "), *NO_ANSWER), "other"),
    **dict.fromkeys(("wrong", "incorrect"), "wrong"),
}
# Words of a column of times: the markers, and statuses of runs that are not solved.
TIME_WORDS: Mapping[str, str] = {
    **{word: status for word, status in STATUS_WORDS.items() if status != "ok"},
    **MARKERS,
}
# Of a column that says whether a run is solved.
TRUTH_VALUES = {"1": "ok", "1.0": "ok", "0": "other", "0.0": "other"}
_NEARLY = 0.999  # of the cutoff: a timeout that was measured a little early
_BEGINS_WITH_NUMBER = re.compile(r"[+-]?[.,]?\d", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def number(cell: str) -> float | None:
    """A finite number written with a decimal point; None for anything else."""
    value = float(cell) if _NUMBER.fullmatch(cell) else math.inf
    return value if math.isfinite(value) else None


# A mean with its deviation, as in 0.95 (0.01) or 0.95 ± 0.01, and a price, a share in percent.
_QUALITY = re.compile(
    rf"\$?\s*({_NUMBER.pattern})\s*(%?)\s*(?:\(\s*[\d.eE+-]+\s*%?\s*\)|(?:±|\+/-|\+-)\s*[\d.eE+-]+\s*%?)?",
    re.ASCII,
)


def quality(cell: str) -> float | None:
    """The value of a quality; None where the cell holds none.

    A number, true and false (yes and no) as 1 and 0, ``95.2%`` as 0.952; of a mean with its deviation,
    ``0.95 (0.01)`` or ``0.95 ± 0.01``, the mean.
    """
    if is_truth([cell]):
        return float(cell.lower() in GOOD)
    found = _QUALITY.fullmatch(cell)
    if found is None or not found[4]:
        return number(found[1]) if found else None
    return float(Decimal(found[1]) / 100)


def is_missing(cell: str) -> bool:
    """Whether a cell says nothing."""
    return cell.lower() in MISSING


def says_failure(cell: str) -> bool:
    """Whether a text is a word for a timeout, a memout or a crash."""
    return cell.lower() in _FAILED


class Judged(NamedTuple):
    """The value and status of a time, and what to tell about it.

    code: of a finding with the words ``said``. MARKED: ``said`` is the text that means a failure, without
    a status. UNREAD: ``said`` is an unknown word in the place of a time.
    """

    value: float | None
    status: str
    code: str = ""
    said: str = ""


MARKED, UNREAD = "marked", "unread"


def judged(cell: str, status: str | None, cutoff: float, words: Mapping[str, str]) -> Judged:  # noqa: PLR0911
    """A cell of times with the status of its run, None if the table has none.

    cutoff: inf if it is not known. words: word in the place of a time, in lower case, and the status it
    means. A status decides whether a run is solved; without
    one a time below the cutoff is solved, and a word or any other time is not.
    """
    value, word = number(cell), words.get(cell.lower())
    if value is None and word is None:
        if _BEGINS_WITH_NUMBER.match(cell):
            return Judged(None, "other", "runs-table", f"has the time {cell!r}, which is not a number")
        return Judged(None, "other", UNREAD, cell)
    if status is None and word is not None and (word != "ok" or value is not None):
        return Judged(value, word, MARKED, repr(cell))
    if status is not None and status != "ok":
        return _failed(value, status, cutoff)
    if value is None:
        said = f"is ok, but its time is {cell!r}" if status else f"has the time {cell!r}, not a number"
        return Judged(None, "ok", "value-missing", said)
    if value < 0:
        said = f"{'is ok after' if status else 'has the time'} {value:g}"
        return Judged(value, "ok", "runtime-negative", said)
    if value < cutoff:
        return Judged(value, "ok")
    if status is None:
        return Judged(value, "timeout", MARKED, "a time at or above the cutoff")
    said = f"is ok after {value:g}, at or above the cutoff {cutoff:g}"
    return Judged(value, "ok", "runs-late", said)


def _failed(value: float | None, status: str, cutoff: float) -> Judged:
    if value is not None and value < 0:
        said = f"is {status} with the time {value:g}; the time is dropped"
        return Judged(None, status, "runs-negative", said)
    if value is not None and status == "timeout" and cutoff < math.inf and value < _NEARLY * cutoff:
        said = f"is a timeout after {value:g}, below the cutoff {cutoff:g}; it counts as not solved"
        return Judged(value, status, "runs-early", said)
    return Judged(value, status)


_SEVERAL = re.compile("[,;]")  # of a run that was asked several questions
# Other words for the same answers. They do not say that a run is solved.
_SYNONYMS: Mapping[str, str] = {
    **ANSWERS,
    "violated": "sat",
    "feasible": "sat",
    "holds": "unsat",
    "infeasible": "unsat",
    "yes": "true",
    "no": "false",
}
# Answers (``compared``) of which at most one is right; other words may agree.
_EXCLUDING = [
    *({"sat", "unsat"}, {"optimum", "unsat"}, {"true", "false"}),
    *({"safe", "unsafe"}, {"valid", "invalid"}, {"theorem", "countersatisfiable"}),
]


# What a word claims according to a user → the word under which it is compared; empty if it claims nothing.
CLAIMS: Mapping[str, str] = {
    "sat": "sat",
    "unsat": "unsat",
    "optimal": "optimum",
    "solution": "sat",
    "solved": "",
    "unknown": "",
}


def compared(word: str, claims: Mapping[str, str] = MappingProxyType({})) -> str:
    """The word under which an answer is compared; empty if it says nothing.

    claims: word in lower case and what it claims according to a user.
    """
    low = word.lower()
    if low in claims:
        return CLAIMS[claims[low]]
    return "" if low in MISSING | NO_ANSWER else _SYNONYMS.get(low, low)


def contradict(one: str, other: str) -> bool:
    """Whether two answers (``compared``) are known not to be right both."""
    return {one, other} in _EXCLUDING


def is_right(answer: str, truth: str, truths: Collection[str]) -> bool | None:
    """Whether an answer is the right one; None if that is not known.

    All are ``compared``. The right answer of another instance is wrong here, and so is another number.
    """
    if answer == truth or {answer, truth} == {"sat", "optimum"}:
        return True
    if contradict(answer, truth) or answer in truths:
        return False
    return None if number(answer) is None or number(truth) is None else False


def contradicting(answers: Collection[str]) -> list[str]:
    """The answers that another one of them contradicts."""
    return [one for one in answers if any(contradict(one, each) for each in answers)]


def meaning(word: str, words: Mapping[str, str]) -> str | None:
    """The status that a word means; of several answers if none of them is one."""
    said = words.get(word.lower())
    if said is None:
        parts = {words.get(part.strip().lower()) for part in _SEVERAL.split(word)}
        return "other" if parts == {"other"} else None
    return said


_MOST, _TOGETHER = 8, 3  # columns that are tried, and how many of them at once
_ROWS = 5000  # rows that are looked at
_LEFT = 0.1  # the share of runs there twice that may be left, as of a row copied
WORDS, WHOLE, DECIMAL = range(3)  # kinds of cells


def may_name(cells: Sequence[str], of: Sequence[str]) -> bool:
    """Whether a column may name something that several runs have in common, as a key does.

    cells: of the column. of: the solver of each row, else its instance. Most cells occur with several of
    them, or they are words that repeat. A measurement does neither: it differs in each row.
    """
    holders: dict[str, set[str]] = {}
    for cell, each in zip(cells, of, strict=True):
        holders.setdefault(cell, set()).add(each)
    if "" in holders or None not in map(seconds_of, cells):
        return False
    is_shared = 2 * sum(len(holders[cell]) > 1 for cell in cells) >= len(cells)
    return is_shared or (2 * len(holders) <= len(cells) and kind_of(cells) == WORDS)


def kind_of(cells: Sequence[str]) -> int:
    """``WORDS``, ``WHOLE`` numbers, or other numbers and times with a unit."""
    values = [number(cell) for cell in cells]
    if None in values:
        return DECIMAL if cells and None not in map(seconds_of, cells) else WORDS
    return WHOLE if all(value is not None and value.is_integer() for value in values) else DECIMAL


def telling_apart(
    columns: Mapping[str, Sequence[str]],
    *,
    runs: Sequence[object],
    of: Sequence[str],
    known: Sequence[str] = (),
) -> tuple[str, ...]:
    """The fewest columns that tell rows of one run apart; nothing if none do.

    columns: name → its cells. runs: which run each row is. of: as in ``may_name``. known: columns that name
    something by their own names. Words are tried before whole numbers, and those before other numbers.
    """
    named = [n for n, cells in columns.items() if n in known or may_name(cells, of)]
    named = [name for name in named if len({*columns[name]}) > 1]
    named.sort(key=lambda name: (name not in known, kind_of(columns[name])))
    seen: dict[object, int] = {}
    for run in runs:
        seen[run] = seen.get(run, 0) + 1
    at = [k for k, run in enumerate(runs) if seen[run] > 1][:_ROWS]
    doubled = len(at) - len({runs[k] for k in at})
    for most in range(3):
        tried = [n for n in named if n in known or kind_of(columns[n]) <= most][:_MOST]
        for names in chain.from_iterable(combinations(tried, n + 1) for n in range(_TOGETHER)):
            cells = [columns[name] for name in names]
            different = {(runs[k], *(column[k] for column in cells)) for k in at}
            if len(at) - len(different) <= _LEFT * doubled:
                return names
    return ()


# Names of columns and of solvers.

CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])")  # between two words of aB
BESIDE = re.compile("(total|avg|mean|max|min|num|n|is|cpu|wall)_")
QUALITIES = re.compile("r2|scores?|rewards?|correct|success_rate|fitness|loss(es)?|errors?")
_LESS = re.compile(
    "costs?|prices?|loss(es)?|errors?|err|regret|makespan|gap|penalty|violations?|ranks?|tokens|latency"
)
_MORE = re.compile(
    "(exact_match|em|correct|r2|ndcg|bleu|rouge_?l?|precision|recall|mrr|map|iou|dice|mcc)(@?_?\\d+)?"
    "|(success|pass|win|solve)_rate|.*_(accuracy|acc|auc|f1)|pass_?\\d+"
)
_SOLUTION = re.compile("(.*_)?(cost|makespan|objective|obj|length|distance|quality|profit)(_value)?")
# Pairs of words of which the first is said of a run that is solved.
_PAIRS = "true false, yes no, t f, y n, 1 0, 1.0 0.0, pass fail, passed failed, ✓ ✗, ✔ ✘"
GOOD = dict(pair.split() for pair in _PAIRS.split(", "))
# A column of truth values that says whether a run is solved.
SUCCESS = ("solved", "is_solved", "success")
ALIASES: Mapping[str, tuple[str, ...]] = {
    "scenario": ("scenario", "scenario_id"),
    "instance": (
        *("instance", "instance_id", "instance_name", "inst", "benchmark"),
        *("benchmark_name", "problem", "problem_name", "task", "task_name", "formula"),
        *("file", "filename", "file_name", "input", "cnf", "wcnf", "opb", "hash"),
        *("instance_hash", "benchmark_hash", "benchmark_id", "problem_id", "inst_id"),
        *("question", "prompt", "instruction", "dataset", "dataset_name", "data_set", "graph"),
    ),
    "solver": (
        *("solver", "solver_name", "algorithm", "algorithm_name", "algo", "algo_id"),
        *("configuration", "config", "method", "tool", "system", "optimizer"),
    ),
    "status": ("status", "runstatus", "run_status", "exit_status"),
    "answer": ("result", "answer", "outcome", "verdict", *SUCCESS),
    "expected": (
        *("expected", "expected_result", "expected_answer", "expected_status"),
        *("expected_verdict", "ground_truth"),
    ),
    "repetition": ("repetition", "rep", "repeat", "seed", "trial", "run"),
    "objective": ("objective", "objective_value", "obj", "cost", "quality"),
    "best": ("best_known", "best", "bks", "best_objective", "reference"),
    "cutoff": ("cutoff", "cutoff_time", "timeout", "time_limit", "timelimit", "limit"),
    "family": ("family", "instance_family"),
}
# Columns that are attributes of instances by their names.
ATTRIBUTES = frozenset(
    {
        *("track", "subtrack", "category", "class", "domain", "division", "logic"),
        *("group", "suite", "theme", "benchmark_set", "instance_set", "subset"),
        "ground_truth",
    }
)
_NO_TIME = re.compile(r"log\d*|par\d*|score|penali[sz]ed|algorithm")
_SHORT_TIMES = {"cpu", "wall", "real", "t"}
_VIRTUAL = re.compile(
    r"(.*_)?(oracle|vbs\w*|sbs|vws|virtual(_best|_worst|_portfolio)?"
    r"|single_best|best_single|virtualbest)(_.*)?"
)
# What a row of sums is called, and the words that may stand beside.
_SUM = re.compile(
    r"(grand)?total[es]?|sum|averages?|avg|means?|(geo(metric)?|g)mean|geo(m|metric)?|median"
    r"|gesamt(zeit)?|summe|mittelwert|durchschnitt|somme|moyenne|mediane|suma|promedio|somma|media"
    r"|st(an)?d(ard)?(ev|deviation)?|sgm|var(iance)?|counts?|overall|summary|(un)?solved"
    r"|ranks?|ranking|wins?|winner|loss(es)?|ties|draws?|min(imum)?|max(imum)?|quantile"
    r"|par\d*"
)
_BESIDE_SUM = re.compile(
    r"n|nr|nb|no|num|number|of|the|in|all|general|grand|shifted|arith(metic)?|harmonic|penali[sz]ed"
    r"|times?|runtimes?|cpu|wall|scores?|cost|best|worst|dev|deviation|error"
    r"|instances?|over|across|per|m?s|sec(onds)?|rate|percent"
)

# Parts of a time.
_PHASE = re.compile(
    "(pars(e|ing)|read(ing)?|load(ing)?|translat(e|ion|ing)|(pre|post)process(ing)?|encod(e|ing)|setup"
    "|ground(ing)?|solv(e|er|ing)|init(iali[sz]ation)?|compil(e|ation)|presolv(e|ing)|build(ing)?|overhead)"
    "(_?(run)?time)?(_(m|u|n)?s(ec(ond)?s?)?)?"
)
# What else a solver's columns may hold: how a run ended; what it used.
_ENDS = re.compile("found|feasible|valid|converged|passed|verified|optimal|ok|finished|terminated|proven")
USED = re.compile(
    "((max_)?mem(ory)?|rss|conflicts|decisions|nodes|iterations|calls|response)(_(k|m|g)?i?b)?"
)
MONEY = re.compile("(total_)?(cost|price|usd|dollars)")
_PRICE = re.compile(rf"{MONEY.pattern}|((input|output|prompt|completion|total)_)?tokens|latency")


def words_of(name: str) -> str:
    """The words of a name as ``plain``, also those of ``solveTime``."""
    return plain(CAMEL.sub(" ", name))


def is_time(name: str) -> bool:
    """Whether a column is called like a runtime of solvers, not like PARk or a log."""
    words = plain(name).split("_")
    if any(_NO_TIME.fullmatch(word) for word in words):
        return False
    core = [word for word in words if word not in UNITS]
    is_said = len(core) < len(words) and core in (["solve"], ["total"], ["overall"])  # solve_seconds
    return is_said or is_runtime(name) or (len(core) == 1 and core[0] in _SHORT_TIMES)


def unit_of(name: str) -> str:
    """The unit in the name of a column; empty where it says none.

    It is the last word; in a column of times a part of a second is any word.
    """
    words = words_of(name).split("_")
    found = [unit for word in words if (unit := UNITS.get(word)) in PARTS]
    return UNITS.get(words[-1], "") or (found[-1] if found and is_time(name) else "")


def is_cell_of_times(cell: str) -> bool:
    """Whether a cell makes its column one of times: a number with or without a unit, or a failure.

    A number of thousands, such as 41,127, is refused later, with what to do.
    """
    is_number = number(cell) is not None or seconds_of(cell) is not None or THOUSANDS.fullmatch(cell)
    return bool(is_number) or says_failure(cell)


def part_of(name: str) -> str:
    """Whether a solver's column is called like time, status, answer or objective; empty if like none."""
    if is_time(name):
        return "time"
    return next((role for role in ("status", "answer", "objective") if plain(name) in ALIASES[role]), "")


def is_quality(name: str) -> bool:
    """Whether a column is called like a measure that says how good a run is."""
    name = plain(name)
    words = (BESIDE.sub("", name), name.rpartition("_")[2], name.partition("_")[0])
    found = [measure.kind for word in words if (measure := known(word))]
    return any(QUALITIES.fullmatch(word) for word in words) or not {"objective", "share"}.isdisjoint(found)


def is_solution(name: str) -> bool:
    """Whether a column is called like the worth of what a run found, such as tour_cost."""
    return _SOLUTION.fullmatch(words_of(name)) is not None


def is_outcome(words: Iterable[str], *, alone: bool) -> bool:
    """Whether a column of these words, in lower case, may say what is solved.

    alone: whether no column is known to say it. Else it must hold true and false.
    """
    words = {*words}
    is_pair = any(words == {*pair} for pair in GOOD.items())
    means = {STATUS_WORDS.get(word) for word in words}
    fits = None not in means and (len(words) > 1 or not means <= {"ok"})
    return is_pair or (alone and (fits or any(map(says_failure, words))))


def is_less(name: str) -> bool:
    """Whether of a measure less is better, by its name: a cost, a loss, an error, a time."""
    about = known(name)
    is_bad = not about.maximize if about else any(map(_LESS.fullmatch, words_of(name).split("_")))
    return is_time(name) or is_bad


def is_more(name: str) -> bool:
    """Whether of a measure more is better, by its name."""
    about = known(name)
    return about.maximize if about else _MORE.fullmatch(words_of(name)) is not None


def is_truth(cells: Sequence[str]) -> bool:
    """Whether cells hold true or false, or yes or no, alone."""
    said = {cell.lower() for cell in cells} - MISSING
    return bool(said) and said <= {"true", "false", "yes", "no", "t", "f", "y", "n"}


def is_virtual(name: str) -> bool:
    """Whether a solver is one that is computed of the others, by its name."""
    return _VIRTUAL.fullmatch(words_of(name)) is not None


def is_sum(name: str) -> bool:
    """Whether a row or column is called like a sum or a mean of the others."""
    name = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", name))  # without accents
    name = re.sub(r"[\d.]+\s*%", "quantile", re.sub(r"(?i)\bpar\W?(?=\d)", "par", name))
    words = words_of(name).split("_")
    rest = [word for word in words if not _SUM.fullmatch(word)]
    return len(rest) < len(words) and all(map(_BESIDE_SUM.fullmatch, rest))


def is_part(word: str) -> bool:
    """Whether a word says what a solver's column holds."""
    bare = BESIDE.sub("", plain(word))
    kinds = (QUALITIES, _PHASE, _ENDS, USED, _PRICE)
    named = part_of(word) or part_of(bare) or known(bare)
    return bool(named or any(kind.fullmatch(each) for kind in kinds for each in (bare, plain(word))))


def is_phase(word: str) -> bool:
    """Whether a part is called like a part of a time, such as parsing or solve_time."""
    return _PHASE.fullmatch(words_of(word)) is not None


def is_price(word: str) -> bool:
    """Whether a part is what an answer cost, beside its quality."""
    return _PRICE.fullmatch(plain(word)) is not None
