"""MaxSAT Evaluations: the table of all results of a track, HTML or CSV.

An HTML table has a row for each benchmark and a column for each solver. A cell such as "136.86 (35)" holds
a number and a cost, or "(-)" without a cost. The CSV files of 2024 and of the repository of data hold times
or costs alone, and words for failures.

In complete, exact and incremental tracks the number is a time and the cost a proved optimum; cells without
a cost have the limit as their time. A time alone is a proof, unless it is the limit. In incomplete and
anytime tracks the number is a score, (1 + best known) / (1 + cost), and the cost was found within the
limit, which is in the name of the track. The best known cost is in a column; or in a file such as
``bestcosts-weighted.csv`` beside the table or its folder; or it follows from the scores of the row. Where
the scores allow several costs, the best cost in the table of the same track with more time decides.

Source: MaxSAT Evaluation 2022, rules, https://maxsat-evaluations.github.io/2022.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_pages import maxsat_track, read_page
from aslib_eval.extensions.competitions.raw_runs import (
    CompetitionRun,
    CompetitionRuns,
    RawFile,
    claim_findings,
    raw_format,
    refuse_hidden,
    year_of,
)
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import new_finding
from aslib_eval.formats.runs import SETTINGS
from aslib_eval.formats.sources import CsvTable, FileHead, FilesRead, Location, header_of
from aslib_eval.text import plural

# Names as sources; LONGER is the table of 300 s beside one of 60 s.
BEST_COSTS, LONGER = "best costs", "longer limit"
_NUMBER = r"\d+(?:\.\d+)?(?:E\+\d+)?"
_CELL = re.compile(rf"(?P<first>{_NUMBER})\s*(?:\((?P<cost>-|{_NUMBER})\))?")
_BEST = frozenset({"best-sol", "bestsol", "best sol", "best-cost", "best cost"})
_NONE = frozenset({"", "-", "-1", "nan", "<na>", "failed"})
# Word instead of a result → status of the run.
_WORDS: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "unknown": "other",
    "no-sol": "timeout",
    "incorrect": "wrong",
}
_FIRST = ("benchmark", "instance", "")
_CUT = "Fetch the file again if it was cut."
_FILE = "filename"  # a column beside the hash
_SCORE, _COST = "_score", "_cost"  # a solver has a column for each
_WITHOUT_PROOFS = ("incomplete", "anytime")
_LIMIT = 3600.0  # [s] by the rules, if no cell is unsolved
_MANY = 20  # with so many unsolved cells at the limit, another time is odd


class _Cell(NamedTuple):
    """A cell: its number, and the cost in brackets; None for a dash or no number.

    digits: decimals of the number. ended: the status that a word gives.
    """

    benchmark: str
    line: int
    solver: str
    first: float | None = None
    cost: float | None = None
    has_brackets: bool = False
    digits: int = 0
    ended: str = ""
    is_empty: bool = False


@dataclass(frozen=True)
class _Table:
    """The cells of a table, by benchmark. files: benchmark → file name, where hashes name benchmarks."""

    solvers: Sequence[str] = ()
    cells: Mapping[str, Sequence[_Cell]] = field(default_factory=dict)
    best: Mapping[str, float] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def every(self) -> list[_Cell]:
        """All cells, row by row."""
        return [cell for cells in self.cells.values() for cell in cells]


def read_track_table(raw: RawFile, *, track: str) -> Parsed:
    """The relations of a track."""
    has_proofs = not track.startswith(_WITHOUT_PROOFS)
    is_csv = raw.location.path.suffix.lower() == ".csv"
    found = _of_csv(raw) if is_csv else _of_page(raw, raw.content)
    if is_csv:
        raw.say_end()
    for cell in found.every if is_csv and has_proofs else ():
        if cell.is_empty:
            what = f"the cell of {cell.solver} is empty"
            raw.say("runs-table", what, "Write timeout if nothing was proved.", line=cell.line)
    if raw.is_broken:
        return raw.parsed()
    runs = _proofs(found, track) if has_proofs else _costs(found, track, raw)
    about = "times [s] and proved costs" if has_proofs else "costs found within the limit, not proved"
    sizes = f"{plural(len(found.solvers), 'solver')} on {plural(len(found.cells), 'benchmark')}"
    raw.add([new_finding("runs-understood", file=raw.name, what=f"{sizes}; the cells are {about}")])
    raw.add(claim_findings(runs.runs, file=raw.name))
    if runs.cutoff is not None:
        _say_odd_times(found, runs.runs, runs.cutoff, raw)
    return raw.parsed(runs)


def _of_page(raw: RawFile, content: bytes) -> _Table:
    for table in read_page(content, file=raw.name).tables:
        header = table.rows[0].texts if table.rows else ("no",)
        if header[0].lower() in _FIRST and len(header) > 1:
            return _table(header, [(row.line, row.texts) for row in table.rows[1:]], raw)
    what = "has no table with a column Benchmark and a column for each solver"
    raise AslibError(what, raw.name, "Use table-all.html of a track.")


def _of_csv(raw: RawFile) -> _Table:
    """A table of 2024, or of the repository of data. Score and cost of a solver become one cell."""
    table = CsvTable(raw.content, file=raw.name, names={}, code="runs-table")
    rows = [(row.line, row.cells) for row in table.rows()]
    raw.add(table.findings)
    at = {name: n for n, name in enumerate(table.header)}
    costs: dict[int, int] = {}
    for score, n in at.items():
        if score.endswith(_SCORE):
            cost = score.removesuffix(_SCORE) + _COST
            if cost not in at:
                what = f"has a column {score} but no column {cost}"
                raw.say("runs-table", what, _CUT, line=table.line)
                return _Table()
            costs[n] = at[cost]

    def joined(cells: Sequence[str], form: str) -> list[str]:
        return [
            form.format(cell, cells[costs[n]]) if n in costs else cell
            for n, cell in enumerate(cells)
            if n not in costs.values()
        ]

    names = [name.removesuffix(_SCORE) for name in joined(table.header, "{0}")]
    return _table(names, [(line, joined(cells, "{0} ({1})")) for line, cells in rows], raw)


def _table(header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], raw: RawFile) -> _Table:
    names = [name.strip() for name in header]
    file_at = next((n for n, name in enumerate(names) if name.lower() == _FILE), None)
    best_at = next((n for n, name in enumerate(names) if name.lower() in _BEST), None)
    solvers = _solvers(names, file_at, raw)
    cells: dict[str, list[_Cell]] = {}
    best: dict[str, float] = {}
    files: dict[str, str] = {}
    for line, texts in rows:
        name = texts[0]
        if not any(texts[1:]):  # the second line of a header
            continue
        if len(texts) != len(names) or not name or name in cells:
            wrong = f"{len(texts)} cells instead of {len(names)}"
            if len(texts) == len(names):
                wrong = f"benchmark {name!r} occurs twice" if name else "the benchmark has no name"
            raw.say("runs-table", wrong, _CUT, line=line)
            continue
        cells[name] = [_cell(texts[n], _Cell(name, line, solver), raw) for n, solver in solvers.items()]
        if file_at is not None:
            files[name] = texts[file_at]
        if best_at is not None:
            known = _cell(texts[best_at], _Cell(name, line, ""), raw).first
            best |= {} if known is None else {name: known}
    if not cells:
        raw.say("runs-empty", "the table has no benchmark")
    return _Table([*solvers.values()], cells, best, files)


def _solvers(names: Sequence[str], file_at: int | None, raw: RawFile) -> dict[int, str]:
    """Position → solver; a repeated name gets a number."""
    found: dict[int, str] = {}
    for n, name in enumerate(names):
        if n and n != file_at and name.lower() not in {*_BEST, "vbs"}:
            earlier = sum(names[at] == name for at in found)
            found[n] = f"{name} ({earlier + 1})" if earlier else name
            if earlier:
                what = f"several columns are called {name!r}; one is renamed {found[n]!r}"
                raw.say("runs-solver", what, line=1)
    return found


def _cell(text: str, empty: _Cell, raw: RawFile) -> _Cell:
    if text.lower() in _NONE:
        return empty._replace(is_empty=not text)
    if ended := _WORDS.get(text.lower()):
        return empty._replace(ended=ended)
    match = _CELL.fullmatch(text)
    if match is None:
        hint = f'Write it as "136.86 (35)" or "3600.0 (-)", or one of {", ".join(_WORDS)}.'
        raw.say("runs-table", f"{text!r} is not a result", hint, line=empty.line)
        return empty
    cost = match["cost"]
    return empty._replace(
        first=float(match["first"]),
        cost=None if cost in {None, "-"} else float(cost),
        has_brackets=cost is not None,
        digits=len(match["first"].partition(".")[2]),
    )


# --- what the cells mean ----------------------------------------------------------------


def _proofs(found: _Table, track: str) -> CompetitionRuns:
    """Runs of a track that counts proved optima and their times.

    A number without brackets is the time of a proof, unless it is the limit. Without unsolved cells the
    limit is that of the rules, if a cell has it or has no number at all, else the largest time.
    """
    every = found.every
    bare = [c.first for c in every if c.first is not None and not c.has_brackets]
    unsolved = Counter(c.first for c in every if c.has_brackets and c.cost is None and c.first)
    if unsolved:
        limit = unsolved.most_common(1)[0][0]
    elif _LIMIT in bare or any(c.first is None and not c.has_brackets for c in every):
        limit = _LIMIT
    else:
        limit = max(_LIMIT, *bare, 0.0)
    runs = []
    claimed: dict[str, set[float]] = defaultdict(set)
    for cell in every:
        is_time = cell.first is not None and not cell.has_brackets
        is_proof = cell.cost is not None or (is_time and cell.first != limit)
        ended = cell.ended or ("other" if cell.first is not None and cell.first < limit else "timeout")
        runs.append(_run(cell, cell.first, cell.cost, "ok" if is_proof else ended, "optimal"))
        if cell.cost is not None:
            claimed[cell.benchmark].add(cell.cost)
    optimum = {name: min(values) for name, values in claimed.items() if len(values) == 1}
    return CompetitionRuns(
        runs, ["runtime"], limit, _attributes(found, track), references={"optimum": optimum}
    )


def _run(cell: _Cell, value: float | None, cost: float | None, ended: str, claim: str) -> CompetitionRun:
    """A run with a claim, if it is ok."""
    said, claimed = {"ok": (claim, claim), "wrong": ("incorrect", None)}.get(ended, ("-", "unknown"))
    judged = "wrong" if ended == "wrong" else None
    run = CompetitionRun(cell.benchmark, cell.solver, (value,), ended, said, claimed)
    return run._replace(judged=judged, objective=cost)


def _costs(found: _Table, track: str, raw: RawFile) -> CompetitionRuns:
    """Runs of a track that counts the cost at the limit: in brackets, or the number itself."""
    runs = []
    for cell in found.every:
        cost = cell.cost if cell.has_brackets else cell.first
        runs.append(
            _run(cell, cost, cost, "ok" if cost is not None else cell.ended or "timeout", "solution")
        )
    best = found.best or _best_of_file(raw, found) or _best_by_scores(raw, found)
    known = {name: value for name, value in best.items() if name in found.cells}
    _say_contradicted(found, known, raw)
    about, references = _attributes(found, track), {"best_known": known}
    return CompetitionRuns(
        runs, ["cost"], None, about, references=references, measure_type="solution_quality"
    )


def _best_of_file(raw: RawFile, found: _Table) -> dict[str, float]:
    """Benchmark → best cost, by the rows of the file beside the table that have a number.

    The file may name a benchmark by its file where the table has its hash.
    """
    if BEST_COSTS not in raw.sources:
        return {}
    text = raw.sources[BEST_COSTS].content.decode(errors="replace")
    rows = [[cell.strip() for cell in line.split(",")] for line in text.splitlines()]
    hashes = {file: name for name, file in found.files.items()}
    return {
        hashes.get(row[0], row[0]): float(row[1])
        for row in rows
        if len(row) > 1 and re.fullmatch(_NUMBER, row[1])
    }


def _best_by_scores(raw: RawFile, found: _Table) -> dict[str, float]:
    """Benchmark → best known cost, where the scores of its row, or the table of 300 s, determine it."""
    later: dict[str, float] = {}
    if LONGER in raw.sources:
        apart = RawFile(raw.location, raw.sources)  # its errors are not those of this table
        for cell in _of_page(apart, raw.sources[LONGER].content).every:
            if cell.cost is not None:
                later[cell.benchmark] = min(cell.cost, later.get(cell.benchmark, cell.cost))
    best: dict[str, float] = {}
    for name, cells in _scored(found).items():
        if scored := [each for each in cells if each.cell.first]:
            low = max(each.low for each in scored)
            high = min(*(each.high for each in scored), *(int(each.cost) for each in scored))
            if low == high:
                best[name] = float(low)
            elif low <= later.get(name, math.inf) <= high:
                best[name] = later[name]
    return best


class _Scored(NamedTuple):
    """A cost with a score, and the least and greatest best cost that give this score."""

    cell: _Cell
    cost: float
    low: int
    high: int


def _scored(found: _Table) -> dict[str, list[_Scored]]:
    digits = max((cell.digits for cell in found.every), default=0)
    half, scored = Fraction(1, 2 * 10**digits), defaultdict(list)
    for cell in found.every:
        if cell.first is not None and cell.cost is not None:
            score, cost = Fraction(str(cell.first)), 1 + Fraction(cell.cost)
            low, high = math.ceil((score - half) * cost - 1), math.floor((score + half) * cost - 1)
            scored[cell.benchmark].append(_Scored(cell, cell.cost, low, high))
    return scored


def _say_contradicted(found: _Table, best: Mapping[str, float], raw: RawFile) -> None:
    """Warn of solvers with scores that their costs do not give.

    The best cost of a row is the known one, else the one of most of its scores.
    """
    odd: dict[str, list[_Cell]] = defaultdict(list)
    for name, scored in _scored(found).items():
        known = [int(best[name])] if name in best else {each.low for each in scored}
        most = max(([e for e in scored if e.low <= at <= e.high] for at in known), key=len)
        if 2 * len(most) + (name in best) > len(scored):
            for each in (each for each in scored if each not in most):
                odd[each.cell.solver].append(each.cell)
    for solver, cells in odd.items():
        what = f"the score of {solver} does not follow from its cost in {len(cells)} of"
        what += f" {plural(len(found.cells), 'cell')}, such as {cells[0].benchmark}; only costs count"
        hint = "Check whether the scores belong to another solver."
        raw.say("runs-scores", what, hint, line=cells[0].line)


def _say_odd_times(found: _Table, runs: Sequence[CompetitionRun], limit: float, raw: RawFile) -> None:
    """Warn of proofs after the limit.

    Where many unsolved cells have the limit as their time, warn also of unsolved cells with another time
    and of proofs with exactly this time.
    """
    timed = [cell for cell in found.every if cell.has_brackets]
    if sum(cell.cost is None and cell.first == limit for cell in timed) >= _MANY:
        for cell in timed:
            if (cell.cost is None) == (cell.first != limit):
                cost = "without" if cell.cost is None else "with"
                what = f"{cell.solver} on {cell.benchmark} has the time {cell.first:g} s {cost} a cost;"
                what += f" cells without a cost have the time {limit:g} s, the limit"
                hint = "Check whether the time belongs to another cell."
                raw.say("runs-early", what, hint, line=cell.line)
    for run in runs:
        if run.status == "ok" and (run.times[0] or 0) > limit:
            what = f"{run.solver} on {run.instance} has a cost after {run.times[0]:g} s, above the limit"
            raw.say("runs-late", what, "Protocols count this run as unsolved; a rule may differ.")


def _attributes(found: _Table, track: str) -> dict[str, dict[str, str]]:
    return {
        "filename": {**found.files},
        "sense": dict.fromkeys(found.cells, "minimize"),
        "track": dict.fromkeys(found.cells, track),
        "family": {n: n.rpartition("/")[0] for n in found.cells if "/" in n},
    }


_PAGES = (".html", ".htm")
_HEADER = re.compile(rb"<t[hd][^>]*>\s*(benchmark|instance)\s*</t[hd]>", re.IGNORECASE)
_SUMMED = re.compile(rb"#\s*Ins", re.IGNORECASE)  # a table with a row for each family
_TOTALS = re.compile(rb"<t[hd][^>]*>\s*(solver|tool)\s*<", re.IGNORECASE)
_YEAR = re.compile(rb"MaxSAT Evaluation (20\d\d)")
_HINT = "Name the file or folder as in maxsat2022/complete-weighted.table-all.html, or add"
_HINT += " --scenario-id MAXSAT-2022-complete-weighted."


def _find(path: Path, files: FilesRead) -> list[Location]:
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    found = [each for each in inside if each.is_file() and _is_table(each, files)]
    if not found and path.is_file():
        _refuse_totals(path, files)
        refuse_hidden(path, files, lambda head: _begins_as_one(head, path), of="a MaxSAT Evaluation")
    return [Location(each, str(each)) for each in found]


def _is_table(path: Path, files: FilesRead) -> bool:
    if path.suffix.lower() in _PAGES:
        head = files.head(path).content
        header = _HEADER.search(head)
        return header is not None and not _SUMMED.search(head[header.end() :][:200])
    return not (path.parent / SETTINGS).is_file() and _is_of_csv(header_of(path, files), path)


def _begins_as_one(head: FileHead, path: Path) -> bool:
    first = head.content.decode("utf-8-sig", errors="replace").partition("\n")[0]
    return _is_of_csv(first.strip().split(","), path)


def _is_of_csv(columns: Sequence[str], path: Path) -> bool:
    is_of_2024 = columns[:1] == ["Name"] and columns[-1:] == ["VBS"]
    if not (is_of_2024 or (columns[:1] == ["hash"] and not _is_of_best_costs(columns))):
        return False
    track = maxsat_track(path.as_posix() if is_of_2024 else path.name)
    return bool(track) and (is_of_2024 or bool(_weights(track)))


def _refuse_totals(path: Path, files: FilesRead) -> None:
    """Refuse a page or CSV file with totals of solvers alone."""
    has_totals = path.suffix.lower() in _PAGES and _TOTALS.search(files.head(path).content) is not None
    if has_totals or {"board", "solver", "value"} <= {*header_of(path, files)}:
        hint = "Compare it with imported runs: aslib-eval competition RULE RUNS --published FILE."
        raise AslibError("holds totals of solvers, but no runs", str(path), hint)


def _beside(table: Path) -> dict[str, Path]:
    """The file of best costs beside a table or its folder, and the table of more time."""
    weights, folder = _weights(table.as_posix()), table.parent
    found = [
        path
        for each in [folder, *([folder.parent] if _weights(folder.name) else [])]
        for path in sorted(each.glob("*best*.csv"))
        if _weights(path.name) in {"", weights} and path.is_file()
    ]
    sources = {BEST_COSTS: found[0]} if found else {}
    longer = folder.parent / folder.name.replace("-60s", "-300s") / table.name
    if longer != table and longer.is_file():
        sources[LONGER] = longer
    return sources


def _is_of_best_costs(header: Sequence[str]) -> bool:
    names = [name.strip().lower() for name in header[:2]]
    return names[:1] in (["instance"], ["hash"]) and names[-1].startswith("best")


def _weights(name: str) -> str:
    """Weighted, unweighted, or an empty text if a name has neither."""
    words = re.findall(r"(?:un)?weighted", name.lower())
    return words[-1] if words else ""


def _titled(location: Location, name: str) -> tuple[str, str]:
    """The track and the year, by the path, the page or the given name."""
    content = location.files.source(location.path).content
    named = re.findall(rb"<h1>(.*?)</h1>", content, re.DOTALL)
    titles = [title.decode(errors="replace") for title in named]
    track, match = maxsat_track(location.shown, *titles, name), _YEAR.search(content)
    year = year_of(location.shown) or (match[1].decode() if match else "")
    if not track or not (year or name):
        missing = "track" if year or name else "year"
        raise AslibError(f"neither path nor title has the {missing}", location.shown, _HINT)
    return track, year


def _identify(location: Location, name: str) -> str:
    """MAXSAT, the year and the track; or the given name, with the track if it has none."""
    track, year = _titled(location, name)
    return name if maxsat_track(name) else f"{name or f'MAXSAT-{year}'}-{track}"


MAXSAT = raw_format(
    "maxsat",
    _find,
    ("table of all results of a MaxSAT Evaluation", _HINT),
    _identify,
    lambda raw, choices: read_track_table(raw, track=_titled(raw.location, choices.scenario_id)[0]),
    _beside,
    is_header=_is_of_best_costs,
    same_id="Put year and track into the names of their folders.",
)
