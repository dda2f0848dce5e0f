"""The codes of findings with their severity and meaning, and how findings are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.errors import Finding, Severity
from aslib_eval.formats.aslib.scenario import IDS, ArffTable

# What would make a number wrong or incomplete: such a scenario is not imported.
ERRORS: Mapping[str, str] = {
    "arff-encoding": "The file holds bytes that are not UTF-8 text.",
    "arff-header": "The header of the ARFF file cannot be read.",
    "arff-no-data": "The ARFF file is empty or has no @DATA line.",
    "arff-row": "A row does not fit the columns declared in the header.",
    "attribute-file": "A file of attributes, or a row of it, is invalid.",
    "attribute-none": "A file of attributes or a rule for families matches no instance.",
    "column-missing": "A column that identifies the rows is not declared.",
    "column-type": "A column that must hold numbers is not declared NUMERIC.",
    "cost-invalid": "A feature cost is negative or infinite.",
    "cv-incomplete": "An instance has no fold in some repetition of cv.arff.",
    "description-missing": "There is no description.txt.",
    "experiment-file": "A file of an experiment of optimisers cannot be read.",
    "experiment-grid": "An optimiser has fewer trials or evaluations than others.",
    "experiment-settings": "The settings of an experiment are invalid.",
    "experiment-value": "An evaluation is nan, or better than the best possible value.",
    "family": "A file of instance families, or a row of it, is invalid.",
    "features-file": "A file of features, or a row of it, is invalid.",
    "features-none": "A file of features matches no instance, or the scenario already has features.",
    "id": "A cell that identifies its row is empty, or should be a whole number and is not.",
    "instance-missing": "An instance of the runs does not occur in another file.",
    "instance-unknown": "An instance of another file has no run.",
    "lake-file": "A file of the lake has changed since it was written.",
    "lake-link": "A symbolic link of the lake is missing.",
    "lake-manifest": "The manifest of a scenario in the lake is damaged.",
    "log-direction": "A log does not say whether more of a metric is better, or is contradicted.",
    "log-file": "A log of an evaluation cannot be read.",
    "measure-missing": "A declared measure has no column in the runs.",
    "run-missing": "An algorithm has no run on an instance.",
    "run-unbalanced": "A run has fewer repetitions than others have.",
    "row-duplicate": "Two rows have the same identifying cells.",
    "runs-category": "Runs of BenchExec do not say which answers are correct.",
    "runs-cutoff": "A table of runs gives no cutoff, several cutoffs, or a cutoff below its times.",
    "runs-empty": "The file of the runs holds no run.",
    "runs-file": "A file of BenchExec or StarExec cannot be read.",
    "runs-table": "A table of runs, or one of its cells, cannot be read.",
    "runs-unfinished": "A run has no status, because it was never finished.",
    "runtime-negative": "A successful run has a negative runtime.",
    "search-file": "A file of an archive of searches is missing, cut or invalid.",
    "search-mixed": "An archive of searches holds functions of several suites.",
    "split-contradiction": "The training and test parts of a contest contradict each other.",
    "split-overlap": "The training and test parts of a contest share instances.",
    "status-column": "The runs have no column runstatus that holds text.",
    "status-missing": "A run has no status.",
    "status-spelling": "A status differs from a known one only by case or blanks.",
    "table-direction": "A table does not say whether more of a metric is better, or is contradicted.",
    "table-incomplete": "A method has fewer results on a task than others have.",
    "table-range": "A value lies outside the range of its metric.",
    "table-runtime": "A metric of a table of results is a runtime.",
    "table-row": "A row of a table of results cannot be read, or occurs twice.",
    "trajectory-measure": "There are trajectories but no quality measure.",
    "trajectory-order": "A point of a run was found earlier than the point above it.",
    "trajectory-unknown": "A trajectory belongs to no run.",
    "trajectory-value": "A point of a trajectory has no finite value, or no time.",
    "uai-contest": "The settings or the folder of a contest are invalid.",
    "uai-format": "A network, its evidence or query does not follow its format.",
    "uai-role": "The best or trivial answer that is given is not a valid answer.",
    "uai-truth": "The true value, with which answers are compared, is missing.",
    "uai-value": "A table of a network holds a negative number, or a cell that is not a number.",
    "unreadable": "The scenario cannot be opened or unpacked.",
    "value-missing": "A successful run has no finite value.",
    "yaml": "description.txt is not a YAML mapping from keys to values.",
    "yaml-duplicate": "A key occurs twice in description.txt.",
    "yaml-key": "description.txt gives no scenario_id.",
    "yaml-measures": "Measures, their types and their directions do not match.",
    "yaml-type": "A value in description.txt is of the wrong kind.",
}

# What may make a reader of the numbers draw a wrong conclusion.
WARNINGS: Mapping[str, str] = {
    "algorithm-renamed": "Files agree on the name of an algorithm only after R's make.names.",
    "algorithm-without-runs": "An algorithm is described but has no run.",
    "arff-integer": "A column declared INTEGER holds numbers that are not whole.",
    "attribute-missing": "An instance has no value of an attribute.",
    "attribute-unknown": "An instance of a file of attributes has no run.",
    "cost-above-cutoff": "A feature step costs more than a cutoff allows.",
    "cutoff-implausible": "The largest successful runtime is far below the cutoff.",
    "cutoff-missing": "A runtime measure has no cutoff above 0.",
    "cv-identical": "Repetitions of the cross-validation are copies of each other.",
    "cv-one-fold": "A repetition of the cross-validation has a single fold.",
    "default-step-unknown": "A default step is not among the feature steps.",
    "experiment-scale": "Losses have no scale, because no random search gives a baseline.",
    "feature-infinite": "A feature value is infinite.",
    "feature-leak": "Instances of different folds have identical feature vectors.",
    "feature-no-column": "A declared feature has no column.",
    "feature-repetitions": "Instances have different numbers of repetitions.",
    "feature-status-missing": "A feature step has no status.",
    "feature-undeclared": "A feature column is not declared in description.txt.",
    "feature-without-step": "A feature is provided by no feature step.",
    "features-missing": "An instance of the runs has no row in a file of features.",
    "features-unknown": "An instance of a file of features has no run.",
    "file-misspelt": "A file is not read; its name looks like a misspelt one.",
    "id-spelling": "Names differ only by case or by blanks around them.",
    "log-again": "A model has several logs of one data set.",
    "log-answers": "A model gives the same answer to different prompts.",
    "log-left-out": "Samples or metrics of a log do not count, or failed.",
    "log-price": "Prices, latencies or tokens are missing, or prices are not positive or inexplicable.",
    "log-prompts": "A prompt occurs in several instances.",
    "log-scores": "Every score is the same.",
    "log-stated": "The score that a log states differs from the score of its samples.",
    "log-tokens": "All runs of a solver have the same count of tokens.",
    "measure-by-position": "Measure columns have other names than declared.",
    "measure-undeclared": "A column of the runs is not a declared measure.",
    "ok-at-cutoff": "A run is ok although its runtime is not below the cutoff.",
    "proof-beaten": "A run is ok, as if proved best, but another run has a better value.",
    "requires-cyclic": "Feature steps require each other.",
    "requires-unknown": "A feature step requires a step that is not declared.",
    "runs-claims": "Solvers make claims about an instance that contradict each other.",
    "runs-copies": "Several solvers have the same runs, to the last digit.",
    "runs-direction": "Nothing says whether more of a measure is better, so it is assumed.",
    "runs-early": "A run of a table is a timeout below the cutoff.",
    "runs-ignored": "A column or row of a table of runs is not read.",
    "runs-incomplete": "An execution ended with an error of the system that ran it.",
    "runs-late": "A run of a table is ok at or above the cutoff.",
    "runs-limit": "Times of a table suggest another limit than the cutoff.",
    "runs-memory": "Runs were made with different memory limits.",
    "runs-missing": "Missing or repeated runs of a table were filled in, left out or read as timeouts.",
    "runs-negative": "A run of a table that failed has a negative time.",
    "runs-repeated": "Runs of a competition occur twice.",
    "runs-scores": "The points of a pair of solvers do not sum to 1, or scores contradict costs.",
    "runs-solver": "A column or name of a table may not be a solver, or has no times.",
    "runs-spelling": "Names of a table differ only in how they are spelt.",
    "runs-unsolved": "Nothing is solved, or most runs end well beyond the cutoff.",
    "runs-unjudged": "Nothing says whether answers are correct.",
    "runs-unended": "The last line of a table of runs has no line break.",
    "runs-verdict": "A category contradicts the expected verdict, or answers contradict each other.",
    "runs-wrong": "A solver gave wrong answers, which are not solved.",
    "runtime-maximized": "A runtime is declared as a measure to maximise.",
    "runtime-pile-up": "Suspiciously many successful runs end just below the cutoff.",
    "search-best": "A search found a better value than its meta file says.",
    "search-cut": "A record of an archive of searches ends in the middle.",
    "search-uneven": "Algorithms have different numbers of searches on an instance.",
    "search-worse": "The best value of a search becomes worse on the way.",
    "split-difference": "The training and test parts of a contest differ in details.",
    "split-without-training": "The training part of a contest has no runs.",
    "status-mixed": "Repetitions of a run disagree on its success.",
    "status-unknown": "A status is not one of the format.",
    "step-feature-unknown": "A step provides a feature that is not declared.",
    "step-no-column": "A declared feature step has no column.",
    "step-undeclared": "A column is not a declared feature step.",
    "test-algorithms": "The test set has other algorithms than the main set.",
    "test-overlap": "Instances of the test set are in the main set too.",
    "trajectory-disagrees": "The value of a run is not the best point of its trajectory.",
    "trajectory-late": "A point of a trajectory lies after the cutoff.",
    "uai-answer": "An answer is invalid and scores 0.",
    "uai-leftover": "An answer belongs to no network, role or limit.",
    "uai-rows": "A table of a Bayesian network holds no distributions.",
    "uai-scale": "Scores have no scale, because of the trivial answer, or because no answer is possible.",
    "unsolved-below-cutoff": "An unsuccessful run has a runtime below the cutoff.",
    "unsolved-encoding-mixed": "Failed runs are recorded in several ways.",
    "value-zero": "Every run of an algorithm is ok and has the value 0.",
    "yaml-number": "A YAML reader reads a number of description.txt as another number.",
}

# What is worth knowing.
NOTES: Mapping[str, str] = {
    "algorithm-undescribed": "An algorithm with runs is not described.",
    "attribute-understood": "The values that were read as an attribute of the instances.",
    "column-order": "Columns are not in the order of the format.",
    "cost-missing": "The cost of a feature step is not known.",
    "feature-constant": "A feature has the same value everywhere.",
    "feature-empty": "A feature has no value at all.",
    "feature-listed-twice": "A feature is listed twice.",
    "feature-nan": "A feature value is the word NaN where the format has '?'.",
    "feature-sentinel": "A feature has values that look like codes for missing.",
    "feature-several-steps": "A feature is provided by more than one step.",
    "feature-text": "A feature is not numeric.",
    "features-understood": "The values that were read as features of the instances.",
    "file-missing": "A file of the format is absent.",
    "file-unknown": "An ARFF file is not one of the format; it is not read.",
    "first-run": "One of the first runs of a table, as the lake would hold it.",
    "instance-without-features": "All features of an instance are missing.",
    "key-missing": "description.txt lacks a key of the format.",
    "key-unknown": "description.txt has a key that is not one of the format.",
    "lake-leftover": "A version in the lake is left from a writer that was stopped.",
    "lake-stray": "Something in the lake belongs to no scenario; it is not read.",
    "log-understood": "How the log of an evaluation was understood.",
    "objective-absent": "Instances without objectives count as decision problems.",
    "runs-others": "Columns of results that an option can make measures are not read.",
    "runs-timeouts": "A text or a time of a table is read as a status.",
    "runs-understood": "How a table of runs or an archive of searches was understood.",
    "runtime-zero": "A successful run took no time at all.",
    "scenario-id-folder": "scenario_id is not the name of the folder.",
    "stopped-with-value": "Some timeouts have a value of the quality, and these values count.",
    "step-count": "number_of_feature_steps is not the number of feature steps.",
    "trajectory-missing": "A successful run has no trajectory, but others have one.",
    "unsolved-encoding": "All failed runs are recorded in the same way.",
}

# Severity never depends on the case at hand, only on the code.
CODES: dict[str, str] = dict(sorted({**ERRORS, **WARNINGS, **NOTES}.items()))


SEVERITIES: dict[str, Severity] = {
    **dict.fromkeys(ERRORS, "error"),
    **dict.fromkeys(WARNINGS, "warning"),
    **dict.fromkeys(NOTES, "note"),
}


LIMIT = 20  # wrong places that are listed one by one
NAMES = 10  # names in a message that is no error
Rows = NDArray[np.int64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


def new_finding(code: str, *, file: str, what: str, line: int | None = None, hint: str = "") -> Finding:
    """A finding with the severity that belongs to its code."""
    return Finding(code, SEVERITIES[code], file, line, what, hint)


ALIKE = 5  # findings of one kind that are listed of a table; the others are counted


def five_of(findings: Sequence[Finding], n: int) -> Iterator[Finding]:
    """The first findings of a kind, and how many of n there are beyond them."""
    yield from findings[:ALIKE]
    if n > ALIKE:
        first = findings[0]
        yield Finding(first.code, first.severity, first.file, None, f"and {n - ALIKE} more like these")


class LimitedFindings:
    """Findings, of which at most twenty of a kind are listed."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._counts: Counter[str] = Counter()
        self._found: list[Finding] = []

    def say(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record a finding; after twenty of a code they are counted."""
        self._counts[code] += 1
        if self._counts[code] <= LIMIT:
            file, line = place
            self._found.append(new_finding(code, file=file, line=line, what=what, hint=hint))

    def once(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record the first finding of a code."""
        if not self._counts[code]:
            self.say(code, place, what, hint)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, and how many more there are of each code."""
        rest = (
            new_finding(code, file=self._file, what=f"and {n - LIMIT} more findings {code!r}")
            for code, n in self._counts.items()
            if n > LIMIT
        )
        return (*self._found, *rest)


def at_rows(code: str, table: ArffTable, rows: Rows | Flags, what: str, hint: str = "") -> Finding:
    """A finding at the first of the rows, given as numbers or as flags."""
    numbers = np.flatnonzero(rows) if rows.dtype == bool else rows
    line = line_of_row(table, int(numbers[0])) if numbers.size else None
    return new_finding(code, file=table.file, line=line, what=what, hint=hint)


def at_column(code: str, table: ArffTable, column: str, what: str, hint: str = "") -> Finding:
    """A finding where the column is declared, if it is."""
    return new_finding(code, file=table.file, line=table.line_of(column), what=what, hint=hint)


def row_findings(
    code: str, table: ArffTable, rows: Rows, *, what: Callable[[int], str], hint: str = ""
) -> Iterator[Finding]:
    """One finding per row, up to the limit, then one that counts the rest."""
    for row in rows[:LIMIT].tolist():
        yield new_finding(code, file=table.file, line=line_of_row(table, row), what=what(row), hint=hint)
    if rows.size > LIMIT:
        yield new_finding(
            code, file=table.file, what=f"and {rows.size - LIMIT} more findings {code!r}", hint=hint
        )


def line_of_row(table: ArffTable, row: int) -> int:
    """File line (1-based) of a row of the table (0-based).

    Without blank lines and comments among the rows this is a sum; otherwise the
    lines up to the row are looked at. Blank is what the parser takes for blank.
    """
    data = table.data
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    skipped = lines - table.table.num_rows
    if skipped == 0:
        return table.data_line + row
    near = data.split(b"\n", row + skipped + 1)[: row + skipped + 1]
    numbers = (
        number
        for number, line in enumerate(near, table.data_line)
        if (text := line.decode().strip()) and not text.startswith("%")
    )
    return next(islice(numbers, row, None))


def twice(words: Iterable[str]) -> list[str]:
    """Words that occur more than once, in order of appearance."""
    seen: set[str] = set()
    found: dict[str, None] = {}
    for word in words:
        if word in seen:
            found[word] = None
        seen.add(word)
    return list(found)


# Columns of a parsed file as numpy arrays, and the numbers that identify its rows.

PARTS = ("", "_test")


def codes(table: ArffTable, column: str) -> tuple[NDArray[np.int32], pa.Array]:
    """A text column as codes (rows,), -1 where missing, and the words they mean."""
    array = table.table[column].combine_chunks()
    indices = array.indices
    if indices.null_count:
        indices = indices.fill_null(-1)
    return indices.to_numpy(), array.dictionary


def words(table: ArffTable, column: str) -> pa.Array:
    """The distinct texts of a column."""
    return table.table[column].combine_chunks().dictionary


def equal(table: ArffTable, column: str, word: str) -> Flags:
    """Where a text column holds the word, (rows,); missing is not equal."""
    code, listed = codes(table, column)
    at: int = pc.index(listed, pa.scalar(word, listed.type)).as_py()
    found: Flags = code == (at if at >= 0 else -2)
    return found


def is_number(table: ArffTable, column: str) -> bool:
    """Whether the column holds numbers."""
    return bool(pa.types.is_floating(table.table[column].type))


def is_text(table: ArffTable, column: str) -> bool:
    """Whether the column is there and holds text."""
    cells = table.table
    return column in cells.column_names and pa.types.is_dictionary(cells[column].type)


def values(table: ArffTable, column: str) -> Floats:
    """A column of numbers (rows,); missing is NaN."""
    array: Floats = table.table[column].to_numpy()
    return array


def data_columns(table: ArffTable, name: str) -> list[str]:
    """The columns of a file of the format that do not identify its rows."""
    return [c for c in table.table.column_names if c not in IDS[name]]


def dense(numbers: NDArray[Any]) -> tuple[Ints, Ints]:
    """Whole numbers → codes 0, 1, … (rows,) and the distinct numbers, ascending."""
    if not numbers.size:
        return numbers.astype(np.int64), numbers.astype(np.int64)
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 4 * numbers.size + 1024:
        distinct, code = np.unique(numbers.astype(np.int64), return_inverse=True)
        return code, distinct
    shifted = numbers.astype(np.int64) - low
    present = np.bincount(shifted) > 0
    return (np.cumsum(present) - 1)[shifted], np.flatnonzero(present) + low


@dataclass(frozen=True)
class Key:
    """The identifying columns of a file as one number a row.

    ``numbers`` (rows,) count in mixed radix through all combinations of the
    ``labels`` of each column, the last column fastest.
    """

    columns: tuple[str, ...]
    labels: tuple[Sequence[Any], ...]
    numbers: Ints

    @property
    def size(self) -> int:
        """Number of combinations."""
        return prod(len(labels) for labels in self.labels)

    def label(self, number: int) -> str:
        """The cells that a number stands for, in words."""
        cells = []
        for column, labels in zip(self.columns[::-1], self.labels[::-1], strict=True):
            number, at = divmod(number, len(labels))
            cell = labels[at]
            word = cell.as_py() if isinstance(cell, pa.Scalar) else int(cell)
            cells.append(f"{column.removesuffix('_id')} {word!r}")
        return ", ".join(cells[::-1])


def key(table: ArffTable, columns: Sequence[str]) -> Key:
    """Number the rows of a file by the given columns."""
    numbers = np.zeros(table.table.num_rows, np.int64)
    labels: list[Any] = []
    for column in columns:
        if is_text(table, column):
            code, texts = codes(table, column)
            numbers = numbers * len(texts) + code
            labels.append(texts)
        else:
            number, values = dense(table.table[column].to_numpy())
            numbers = numbers * len(values) + number
            labels.append(values)
    return Key(tuple(columns), tuple(labels), numbers)


def distinct(numbers: Ints) -> Ints:
    """The distinct numbers, ascending."""
    return dense(numbers)[1]


def repeated(numbers: Ints) -> Ints:
    """Rows whose number is in an earlier row already too, ascending."""
    if distinct(numbers).size == numbers.size:
        return np.empty(0, np.int64)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    return np.sort(order[1:][ordered[1:] == ordered[:-1]])
