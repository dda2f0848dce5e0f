"""MaxSAT Evaluations: the table of all results of a track, HTML or CSV.

An HTML table has a row a benchmark and a column a solver. Its cells are "136.86 (35)": of complete, exact
and incremental tracks the time and the cost that is proved, of incomplete and anytime ones a score and the
cost; "(-)" where there is none. The CSV of 2024, and those of the repository of data for all years, have
times or costs alone, and words for what failed. A file such as ``bestcosts-weighted.csv`` beside the table,
or beside its folder, has the best known costs.

A table of all results of a MaxSAT Evaluation → the tables of the lake contract.

In complete, exact and incremental tracks a cost in the cell is a proved optimum, found in the time before
it; the limit is the time of the cells without a cost. A time alone is a proof, unless it is the limit. In
incomplete
and anytime tracks a cell has the cost that was found within the limit, which the name of the track has, and
a score before it: (1 + best known) / (1 + cost). The best known cost is in a column, in a file beside the
table, or what the scores of its row tell:
the one whole number that makes all of them, or of several the best cost in the table
of the same track with more time.

Source: MaxSAT Evaluation 2022, rules, https://maxsat-evaluations.github.io/2022.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.html_tables import read_page
from aslib_eval.extensions.competitions.raw_runs import (
    CompetitionRun,
    CompetitionRuns,
    RawFile,
    RawFormat,
    claim_findings,
    refuse_hidden,
    year_of,
)
from aslib_eval.formats.aslib.lint.reporting import new_finding
from aslib_eval.formats.csv_rows import CsvTable, header_of
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs import SETTINGS
from aslib_eval.formats.sources import FileHead, FilesRead, Location
from aslib_eval.text import plural

# As sources, whatever their files are called: of 60 s the table of 300 s.
BEST_COSTS, LONGER = "best costs", "longer limit"
_NUMBER = r"\d+(?:\.\d+)?(?:E\+\d+)?"
_CELL = re.compile(rf"(?P<first>{_NUMBER})\s*(?:\((?P<cost>-|{_NUMBER})\))?")
_BEST = frozenset({"best-sol", "bestsol", "best sol", "best-cost", "best cost"})
_NONE = frozenset({"", "-", "-1", "nan", "<na>", "failed"})
# Word in the place of a result → how the run ended.
_WORDS: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "unknown": "other",
    "no-sol": "timeout",
    "incorrect": "wrong",
}
_FIRST = ("benchmark", "instance", "")
_FILE = "filename"  # a column beside the hash
_SCORE, _COST = "_score", "_cost"  # a solver has a column for each
_WITHOUT_PROOFS = ("incomplete", "anytime")
_LIMIT = 3600.0  # [s] by the rules, where nothing is unsolved
_MANY = 20  # unsolved cells, beside which one with another time is odd


class _Cell(NamedTuple):
    """The number of a cell, and the cost in its brackets; None for a dash or none.

    digits: of the number, after the point. ended: how the run ended, of a word of WORDS.
    """

    first: float | None = None
    cost: float | None = None
    has_brackets: bool = False
    digits: int = 0
    ended: str = ""
    is_empty: bool = False


@dataclass(frozen=True)
class _Table:
    """The rows of a table: of each benchmark its line and the cell of each solver.

    files: the name of the file of each benchmark, where that is called by its hash.
    """

    solvers: tuple[str, ...]
    cells: Mapping[str, tuple[int, tuple[_Cell, ...]]]
    best: Mapping[str, float]
    files: Mapping[str, str]


def read_track_table(raw: RawFile, *, track: str) -> Parsed:
    """The relations of a track.

    A file of best known costs among the sources is for a table without such a column.
    """
    has_proofs = not track.startswith(_WITHOUT_PROOFS)
    is_csv = raw.location.path.suffix.lower() == ".csv"
    found = _of_csv(raw) if is_csv else _of_page(raw, raw.content)
    if is_csv:
        raw.say_end()
    for name, solver, cell in _each(found) if is_csv and has_proofs else ():
        if cell.is_empty:
            what, line = f"the cell of {solver} is empty", found.cells[name][0]
            raw.say("runs-table", what, "Say timeout where nothing is proved.", line=line)
    if raw.is_broken:
        return raw.parsed()
    runs = _proofs(found, track) if has_proofs else _costs(found, track, raw)
    about = "times [s] and costs that are proved"
    if not has_proofs:
        about = "costs found within the limit, not proved"
    sizes = f"{plural(len(found.solvers), 'solver')} on {plural(len(found.cells), 'benchmark')}"
    raw.add([new_finding("runs-understood", file=raw.name, what=f"{sizes}; the cells are {about}")])
    raw.add(claim_findings(runs.runs, file=raw.name))
    _early(found, runs.cutoff, raw)
    _late(runs, raw)
    return raw.parsed(runs)


# Reading.


def _of_page(raw: RawFile, content: bytes) -> _Table:
    for table in read_page(content, file=raw.name).tables:
        header = table.rows[0].texts if table.rows else ("no",)
        if header[0].lower() in _FIRST and len(header) > 1:
            rows = [(row.line, row.texts) for row in table.rows[1:]]
            return _table(header, rows, raw)
    what = "has no table with a column Benchmark and one for each solver"
    raise AslibError(what, raw.name, "Is it table-all.html of a track?")


def _of_csv(raw: RawFile) -> _Table:
    """A table of 2024, or of the repository of data.

    Two columns of a solver, for score and cost, become one as pages have it.
    """
    table = CsvTable(raw.content, file=raw.name, names={}, code="runs-table")
    rows = [(row.line, row.cells) for row in table.rows()]
    raw.add(table.findings)
    at = {name: n for n, name in enumerate(table.header)}
    costs = {
        n: at.get(name.removesuffix(_SCORE) + _COST) for name, n in at.items() if name.endswith(_SCORE)
    }
    if lacks := [table.header[n] for n, cost in costs.items() if cost is None]:
        what = f"{lacks[0]} has no column {lacks[0].removesuffix(_SCORE)}{_COST}"
        raw.say("runs-table", what, "Is the file whole?", line=table.line)
        return _Table((), {}, {}, {})

    def joined(cells: Sequence[str], form: str) -> list[str]:
        pairs = {n: form.format(cells[n], cells[m or 0]) for n, m in costs.items()}
        left = {*costs.values()}
        return [pairs.get(n, c) for n, c in enumerate(cells) if n not in left]

    names = [name.removesuffix(_SCORE) for name in joined(table.header, "{0}")]
    both = [(line, joined(cells, "{0} ({1})")) for line, cells in rows]
    return _table(names, both, raw)


def _table(header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], raw: RawFile) -> _Table:
    names = [name.strip() for name in header]
    file_at = next((n for n, name in enumerate(names) if name.lower() == _FILE), None)
    best_at = next((n for n, name in enumerate(names) if name.lower() in _BEST), None)
    derived = {*_BEST, "vbs"}
    at = [n for n, name in enumerate(names) if n and n != file_at and name.lower() not in derived]
    cells: dict[str, tuple[int, tuple[_Cell, ...]]] = {}
    best: dict[str, float] = {}
    files: dict[str, str] = {}
    solvers = _told_apart([names[n] for n in at], raw)
    for line, texts in rows:
        name = texts[0]
        if not any(texts[1:]):  # of a header of two lines
            continue
        if len(texts) != len(names) or not name or name in cells:
            wrong = f"{len(texts)} cells instead of {len(names)}"
            if len(texts) == len(names):
                wrong = f"benchmark {name!r} is there twice" if name else "has no name"
            raw.say("runs-table", wrong, "Is the file whole?", line=line)
            continue
        cells[name] = (line, tuple(_cell(texts[n], raw, line) for n in at))
        if file_at is not None:
            files[name] = texts[file_at]
        known = _cell(texts[best_at], raw, line).first if best_at is not None else None
        if known is not None:
            best[name] = known
    if not cells:
        raw.say("runs-empty", "the table has no row of a benchmark")
    return _Table(solvers, cells, best, files)


def _told_apart(names: Sequence[str], raw: RawFile) -> tuple[str, ...]:
    """Names of solvers; one that is there again gets a number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
        if seen[name] > 1:
            what = f"several columns are called {name!r}; one becomes {found[-1]!r}"
            raw.say("runs-solver", what, line=1)
    return tuple(found)


def _cell(text: str, raw: RawFile, line: int) -> _Cell:
    if text.lower() in _NONE:
        return _Cell(is_empty=not text)
    if ended := _WORDS.get(text.lower()):
        return _Cell(ended=ended)
    match = _CELL.fullmatch(text)
    if match is None:
        words = ", ".join(_WORDS)
        hint = f'A cell is as in "136.86 (35)" or "3600.0 (-)", or one of {words}.'
        raw.say("runs-table", f"{text!r} is no result", hint, line=line)
        return _Cell()
    cost = match["cost"]
    known = None if cost in {None, "-"} else float(cost)
    digits = len(match["first"].partition(".")[2])
    return _Cell(float(match["first"]), known, cost is not None, digits)


# What the cells mean.


def _each(found: _Table) -> Iterator[tuple[str, str, _Cell]]:
    for name, (_, cells) in found.cells.items():
        for solver, cell in zip(found.solvers, cells, strict=True):
            yield name, solver, cell


def _proofs(found: _Table, track: str) -> CompetitionRuns:
    """Runs of a track in which what counts is a proved optimum and its time.

    A number without brackets is the time of a proof, unless it is the limit: that of the rules if a run has
    it, or none at all, else the largest of all.
    """
    every = [*_each(found)]
    bare = [c.first for *_, c in every if c.first is not None and not c.has_brackets]
    unsolved = [c.first for *_, c in every if c.has_brackets and c.cost is None and c.first]
    has_words = any(c.first is None and not c.has_brackets for *_, c in every)
    of_rules = has_words or _LIMIT in bare
    (limit, _), *_ = Counter(unsolved).most_common(1) or [
        (_LIMIT if of_rules else max(_LIMIT, *bare, 0.0), 0)
    ]
    runs = []
    for name, solver, cell in every:
        is_proof = cell.cost is not None or (
            not cell.has_brackets and cell.first is not None and cell.first != limit
        )
        early = cell.first is not None and cell.first < limit
        ended = cell.ended or ("other" if early else "timeout")
        run = _run(name, solver, cell.first, "ok" if is_proof else ended, "optimal")
        runs.append(run._replace(objective=cell.cost))
    references = {"optimum": _agreed(runs)}
    return CompetitionRuns(runs, ["runtime"], limit, _attributes(found, track), references=references)


def _run(name: str, solver: str, value: float | None, ended: str, claim: str) -> CompetitionRun:
    """A run that claims so much if it is ok, and nothing else."""
    judged = "wrong" if ended == "wrong" else None
    said = {"ok": (claim, claim), "wrong": ("incorrect", None)}
    run = CompetitionRun(name, solver, (value,), ended, *said.get(ended, ("-", "unknown")))
    return run._replace(judged=judged)


def _agreed(runs: Sequence[CompetitionRun]) -> dict[str, float]:
    """The optimum of each benchmark on which all claims of one are equal."""
    claimed: dict[str, set[float]] = defaultdict(set)
    for run in runs:
        if run.objective is not None:
            claimed[run.instance].add(run.objective)
    return {name: min(values) for name, values in claimed.items() if len(values) == 1}


def _costs(found: _Table, track: str, raw: RawFile) -> CompetitionRuns:
    """Runs of a track in which what counts is the cost at the limit.

    A cell with brackets has a score before them, one without is the cost itself.
    """
    runs = []
    for name, solver, cell in _each(found):
        cost = cell.cost if cell.has_brackets else cell.first
        ended = "ok" if cost is not None else cell.ended or "timeout"
        run = _run(name, solver, cost, ended, "solution")
        runs.append(run._replace(objective=cost))
    best = found.best or _best_of_file(raw, found) or _best_by_scores(raw, found)
    known = {name: value for name, value in best.items() if name in found.cells}
    _contradicted(found, known, raw)
    about, references = _attributes(found, track), {"best_known": known}
    return CompetitionRuns(
        *(runs, ["cost"], None, about), references=references, measure_type="solution_quality"
    )


def _best_of_file(raw: RawFile, found: _Table) -> dict[str, float]:
    """Benchmark and best cost in each row of CSV; others, as a header, are left out.

    A benchmark that a table calls by its hash may be called by its file.
    """
    if BEST_COSTS not in raw.sources:
        return {}
    text = raw.sources[BEST_COSTS].content.decode(errors="replace")
    rows = (line.split(",") for line in text.splitlines())
    hashes = {file: name for name, file in found.files.items()}
    return {
        hashes.get(row[0].strip(), row[0].strip()): float(row[1])
        for row in rows
        if len(row) > 1 and re.fullmatch(_NUMBER, row[1].strip())
    }


def _best_with_more_time(raw: RawFile) -> dict[str, float]:
    """The best cost of each benchmark in the table of 300 s beside one of 60 s."""
    if LONGER not in raw.sources:
        return {}
    apart = RawFile(raw.location, raw.sources)  # what is wrong there is not said here
    found = _of_page(apart, raw.sources[LONGER].content)
    costs: dict[str, float] = {}
    for name, _, cell in _each(found):
        if cell.cost is not None:
            costs[name] = min(cell.cost, costs.get(name, cell.cost))
    return costs


def _best_by_scores(raw: RawFile, found: _Table) -> dict[str, float]:
    """The best known cost of each row whose scores, or a later cost, tell it."""
    later, best = _best_with_more_time(raw), {}
    for name, cells in _scored(found).items():
        if not (scored := [each for each in cells if each.score]):
            continue
        low, high = max(each.low for each in scored), min(e.high for e in scored)
        high = min(high, *(int(each.cost) for each in scored))
        if low == high or low <= later.get(name, math.inf) <= high:
            best[name] = float(low) if low == high else later[name]
    return best


class _Scored(NamedTuple):
    """A cost with a score, which says between which whole numbers the best cost is."""

    solver: str
    score: float
    cost: float
    low: int
    high: int


def _scored(found: _Table) -> dict[str, list[_Scored]]:
    """The cells of each benchmark that have a score and a cost."""
    digits = max((cell.digits for *_, cell in _each(found)), default=0)
    half, scored = Fraction(1, 2 * 10**digits), defaultdict(list)
    for name, solver, cell in _each(found):
        if cell.first is not None and cell.cost is not None:
            score, cost = Fraction(str(cell.first)), 1 + Fraction(cell.cost)
            low, high = (score - half) * cost - 1, (score + half) * cost - 1
            ends = math.ceil(low), math.floor(high)
            scored[name].append(_Scored(solver, cell.first, cell.cost, *ends))
    return scored


def _contradicted(found: _Table, best: Mapping[str, float], raw: RawFile) -> None:
    """Warn of solvers whose scores are not those of their costs.

    The best cost of a row is the known one, else that of most of its scores.
    """
    odd: dict[str, list[str]] = defaultdict(list)
    for name, scored in _scored(found).items():
        known = [int(best[name])] if name in best else {each.low for each in scored}
        fitting = {at: [e for e in scored if e.low <= at <= e.high] for at in known}
        most = max(fitting.values(), key=len)
        if 2 * len(most) + (name in best) > len(scored):
            for each in (each for each in scored if each not in most):
                odd[each.solver].append(name)
    for solver, names in odd.items():
        what = f"the score of {solver} is not that of its cost in {len(names)} of"
        what += f" {plural(len(found.cells), 'cell')}, such as {names[0]}"
        line, hint = found.cells[names[0]][0], "Are they another solver's scores?"
        raw.say("runs-scores", f"{what}: the cost counts", hint, line=line)


def _early(found: _Table, limit: float | None, raw: RawFile) -> None:
    """Warn of cells of a page that are unlike the many unsolved ones at the limit.

    These are unsolved ones with another time, and proofs in exactly that time.
    """
    timed = [(n, s, c) for n, s, c in _each(found) if c.has_brackets]
    at_limit = [c.cost is None for *_, c in timed if c.first == limit]
    if limit is None or sum(at_limit) < _MANY:
        return
    for name, solver, cell in timed:
        if (cell.cost is None) == (cell.first != limit):
            cost = "without" if cell.cost is None else "with"
            what = f"{solver} on {name} has {cell.first:g} s {cost} a cost;"
            what += f" all that are unsolved have the limit, {limit:g} s"
            raw.say("runs-early", what, "Is it another cell's time?", line=found.cells[name][0])


def _late(runs: CompetitionRuns, raw: RawFile) -> None:
    for run in runs.runs if runs.cutoff is not None else ():
        time = run.times[0]
        if run.status == "ok" and time is not None and time > (runs.cutoff or 0):
            what = f"{run.solver} on {run.instance} has {time:g} s, with a cost"
            raw.say("runs-late", what, "A rule says whether it counts; the protocol's cutoff says no.")


def _attributes(found: _Table, track: str) -> dict[str, dict[str, str]]:
    families = {n: n.rpartition("/")[0] for n in found.cells if "/" in n}
    return {
        "filename": {**found.files},
        "sense": dict.fromkeys(found.cells, "minimize"),
        "track": dict.fromkeys(found.cells, track),
        "family": families,
    }


_TRACK_WORDS: Sequence[tuple[str, ...]] = (
    ("complete", "exact", "incomplete", "anytime", "incremental"),
    ("weighted", "unweighted"),
)
_SECONDS = re.compile(r"\d{2,4}s")


def maxsat_track(path: str, *titles: str) -> str:
    """The track by its words in the path, else in titles; empty if none has one.

    Incremental solvers have several tracks; each is called as the folder of its files.

    >>> maxsat_track("2022/results/incomplete/weighted-60s/summary.html")
    'incomplete-weighted-60s'
    >>> maxsat_track("page.html", "Summary of Unweighted Complete Track")
    'complete-unweighted'
    >>> maxsat_track("2022/incremental/adaboost/summary.html")
    'incremental-adaboost'
    >>> maxsat_track("results/2026-anytime-weighted-1707s.csv")
    'anytime-weighted-1707s'
    """
    names = (path, *titles)
    words = [re.findall(r"[a-z]+|\d+\s*s\b", name.lower()) for name in names]
    said = [word.replace(" ", "") for each in words for word in each]
    found = [next((w for w in said if w in choices), "") for choices in _TRACK_WORDS]
    if found[0] in ("incomplete", "anytime"):
        found.append(next((w for w in said[::-1] if _SECONDS.fullmatch(w)), ""))
    if found[0] == "incremental":
        found.append(Path(path).parent.name)
    return "-".join(word for word in found if word)


_PAGES = (".html", ".htm")
_HEADER = re.compile(rb"<t[hd][^>]*>\s*(benchmark|instance)\s*</t[hd]>", re.IGNORECASE)
_SUMMED = re.compile(rb"#\s*Ins", re.IGNORECASE)  # a row of those is a family
_TOTALS = re.compile(rb"<t[hd][^>]*>\s*(solver|tool)\s*<", re.IGNORECASE)
_YEAR = re.compile(rb"MaxSAT Evaluation (20\d\d)")
_HINT = "Name file or folder as in maxsat2022/complete-weighted.table-all.html, or say"
_HINT += " --scenario-id MAXSAT-2022-complete-weighted."


def _find(path: Path, files: FilesRead) -> list[Location]:
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    found = [each for each in inside if each.is_file() and _is_table(each, files)]
    if not found and path.is_file():
        _refuse_totals(path, files)
        refuse_hidden(path, files, partial(_is_hidden, path=path), of="a MaxSAT Evaluation")
    return [Location(each, str(each)) for each in found]


def _is_table(path: Path, files: FilesRead) -> bool:
    if path.suffix.lower() in _PAGES:
        head = files.head(path).content
        header = _HEADER.search(head)
        return header is not None and not _SUMMED.search(head[header.end() :][:200])
    return not (path.parent / SETTINGS).is_file() and _is_of_csv(header_of(path, files), path)


def _is_hidden(head: FileHead, path: Path) -> bool:
    first = head.content.decode("utf-8-sig", errors="replace").partition("\n")[0]
    return _is_of_csv(first.strip().split(","), path)


def _is_of_csv(columns: Sequence[str], path: Path) -> bool:
    """Whether a CSV file with these columns, of this name, is a table of a track."""
    is_of_2024 = columns[:1] == ["Name"] and columns[-1:] == ["VBS"]
    is_of_data = columns[:1] == ["hash"] and not _is_of_best_costs(columns)
    if not (is_of_2024 or is_of_data):
        return False
    track = maxsat_track(path.as_posix() if is_of_2024 else path.name)
    return bool(track) and (is_of_2024 or bool(_weights(track)))


def _refuse_totals(path: Path, files: FilesRead) -> None:
    """Say so where a page, or CSV of the same, holds only totals of solvers."""
    is_page = path.suffix.lower() in _PAGES
    has_totals = is_page and _TOTALS.search(files.head(path).content) is not None
    if has_totals or {"board", "solver", "value"} <= {*header_of(path, files)}:
        hint = "It is a published table, which is held against runs that are imported."
        raise AslibError("holds totals of solvers, and no runs", str(path), hint)


def _beside(table: Path) -> dict[str, Path]:
    """The best costs, beside a table or its track's folder; the table of more time."""
    weights, folder = _weights(table.as_posix()), table.parent
    folders = [folder, *([folder.parent] if _weights(folder.name) else [])]
    found = [
        path
        for each in folders
        for path in sorted(each.glob("*best*.csv"))
        if _weights(path.name) in {"", weights} and path.is_file()
    ]
    sources = {BEST_COSTS: found[0]} if found else {}
    longer = folder.parent / folder.name.replace("-60s", "-300s") / table.name
    if longer != table and longer.is_file():
        sources[LONGER] = longer
    return sources


def _is_of_best_costs(header: Sequence[str]) -> bool:
    """Whether a table is such a file of best costs, and none of runs."""
    names = [name.strip().lower() for name in header[:2]]
    return names[:1] in (["instance"], ["hash"]) and names[-1].startswith("best")


def _weights(name: str) -> str:
    """Weighted, unweighted, or nothing where a name says neither."""
    words = re.findall(r"(?:un)?weighted", name.lower())
    return words[-1] if words else ""


def _titled(location: Location, name: str) -> tuple[str, str]:
    """The track and the year, by the path, what the page says, or the name it gets."""
    content = location.files.source(location.path).content
    named = re.findall(rb"<h1>(.*?)</h1>", content, re.DOTALL)
    titles = [title.decode(errors="replace") for title in named]
    track, match = maxsat_track(location.shown, *titles, name), _YEAR.search(content)
    year = year_of(location.shown) or (match[1].decode() if match else "")
    if not track or not (year or name):
        missing = "track" if year or name else "year"
        raise AslibError(f"neither its path nor its title says the {missing}", location.shown, _HINT)
    return track, year


def _identify(location: Location, name: str) -> str:
    """MAXSAT, the year and the track; or a name, with the track if it says none."""
    track, year = _titled(location, name)
    return name if maxsat_track(name) else f"{name or f'MAXSAT-{year}'}-{track}"


MAXSAT = RawFormat(
    "maxsat",
    _find,
    "table of all results of a MaxSAT Evaluation",
    _HINT,
    _identify,
    lambda raw, choices: read_track_table(raw, track=_titled(raw.location, choices.scenario_id)[0]),
    _beside,
    is_header=_is_of_best_costs,
    same_id="Put year and track into the names of their folders.",
).decided()
