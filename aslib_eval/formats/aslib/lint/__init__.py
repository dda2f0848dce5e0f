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
    "attribute-file": "A row of a file of attributes is not as it must be.",
    "attribute-none": "A file or rule for attributes fits no instance.",
    "column-missing": "A column that identifies the rows is not declared.",
    "column-type": "A column that must hold numbers is not declared NUMERIC.",
    "cost-invalid": "A feature cost is negative or infinite.",
    "cv-incomplete": "An instance has no fold in some repetition of cv.arff.",
    "description-missing": "There is no description.txt.",
    "experiment-file": "A file of an experiment of optimisers cannot be read.",
    "experiment-grid": "An optimiser has fewer trials or evaluations than others.",
    "experiment-settings": "The settings of an experiment do not make sense.",
    "experiment-value": "An evaluation is nan, or better than anything can be.",
    "family": "A row of a file of instance families is not as it must be.",
    "features-file": "A row of a file of features is not as it must be.",
    "features-none": "A file of features fits no instance, or a scenario that has features.",
    "id": "An identifying cell is empty, or a counter is no whole number.",
    "instance-missing": "An instance of the runs does not occur in another file.",
    "instance-unknown": "An instance of another file has no run.",
    "lake-file": "A file of the lake is not as it was written.",
    "lake-link": "A symbolic link of the lake is lost.",
    "lake-manifest": "The manifest of a scenario in the lake is damaged.",
    "log-direction": "Whether more of a metric of a log is better is unsaid or disputed.",
    "log-file": "A log of an evaluation cannot be read.",
    "measure-missing": "A declared measure has no column in the runs.",
    "run-missing": "An algorithm has no run on an instance.",
    "run-unbalanced": "A run has fewer repetitions than others have.",
    "row-duplicate": "Two rows have the same identifying cells.",
    "runs-category": "Runs of BenchExec do not say which answers are correct.",
    "runs-cutoff": "A table of runs gives no cutoff, several, or one below its times.",
    "runs-empty": "The file of the runs holds no run.",
    "runs-file": "A file of BenchExec or StarExec cannot be read.",
    "runs-table": "A table of runs cannot be read, or a cell of it is none.",
    "runs-unfinished": "A run has no status: it was never finished.",
    "runtime-negative": "A successful run has a negative runtime.",
    "search-file": "A file of an archive of searches is missing, cut, or wrong.",
    "search-mixed": "An archive of searches holds functions of several suites.",
    "split-contradiction": "Training and test part of a contest contradict each other.",
    "split-overlap": "Training and test part of a contest share instances.",
    "status-column": "The runs have no column runstatus that holds text.",
    "status-missing": "A run has no status.",
    "status-spelling": "A status is a known one in other letters or with blanks.",
    "table-direction": "Whether more of a metric is better is unsaid or disputed.",
    "table-incomplete": "A method has fewer results on a task than others have.",
    "table-range": "A value lies outside the range of its metric.",
    "table-runtime": "A metric of a table of results is a runtime.",
    "table-row": "A row of a table of results cannot be read, or is there twice.",
    "trajectory-measure": "There are trajectories but no quality measure.",
    "trajectory-order": "A point of a run was found before the one above it.",
    "trajectory-unknown": "A trajectory belongs to no run.",
    "trajectory-value": "A point of a trajectory has no finite value, or no time.",
    "uai-contest": "The settings or the folder of a contest do not make sense.",
    "uai-format": "A network, its evidence or query does not follow its format.",
    "uai-role": "A given best or trivial answer is none.",
    "uai-truth": "There is no true value to measure answers against.",
    "uai-value": "A table of a network holds a negative or no number.",
    "unreadable": "The scenario cannot be opened or unpacked.",
    "value-missing": "A successful run has no finite value.",
    "yaml": "description.txt is not YAML of keys and values.",
    "yaml-duplicate": "A key occurs twice in description.txt.",
    "yaml-key": "description.txt gives no scenario_id.",
    "yaml-measures": "Measures, their types and directions do not fit together.",
    "yaml-type": "A value in description.txt is of the wrong kind.",
}

# What may make a reader of the numbers draw a wrong conclusion.
WARNINGS: Mapping[str, str] = {
    "algorithm-renamed": "Files name an algorithm alike only after R's make.names.",
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
    "experiment-scale": "There is no random search to measure optimisers by.",
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
    "log-answers": "A model answers different prompts alike.",
    "log-left-out": "Samples or metrics of a log do not count, or failed.",
    "log-price": "Prices, latencies or tokens are missing; prices are not positive, or not explained.",
    "log-prompts": "A prompt occurs in several instances.",
    "log-scores": "Every score is the same.",
    "log-stated": "A log states another score than its samples give.",
    "log-tokens": "All runs of a solver have the same count of tokens.",
    "measure-by-position": "Measure columns have other names than declared.",
    "measure-undeclared": "A column of the runs is not a declared measure.",
    "ok-at-cutoff": "A run is ok although its runtime is not below the cutoff.",
    "proof-beaten": "A run is ok, as if proved best, and another one is better.",
    "requires-cyclic": "Feature steps require each other.",
    "requires-unknown": "A feature step requires a step that is not declared.",
    "runs-claims": "Solvers claim of an instance what cannot all be right.",
    "runs-copies": "Several solvers have the same runs, to the last digit.",
    "runs-direction": "Nobody said whether more of a measure is better.",
    "runs-early": "A run of a table is a timeout below the cutoff.",
    "runs-ignored": "A column of a table of runs is not read.",
    "runs-incomplete": "An execution did not end as it should.",
    "runs-late": "A run of a table is ok at or above the cutoff.",
    "runs-limit": "Times of a table seem to have had another limit than the cutoff.",
    "runs-memory": "Runs were made with different limits of memory.",
    "runs-missing": "Runs of a table were filled in or left out, as its user says.",
    "runs-negative": "A run of a table that failed has a negative time.",
    "runs-repeated": "Runs of a competition are there twice.",
    "runs-scores": "Points of a pair do not sum to 1, or scores contradict costs.",
    "runs-solver": "A column or name of a table may be no solver, or has no times.",
    "runs-spelling": "Names of a table differ only in how they are spelt.",
    "runs-unsolved": "Nothing is solved, or most runs end well beyond the cutoff.",
    "runs-unjudged": "Nobody has said whether answers are correct.",
    "runs-unended": "The last line of a table of runs has no end.",
    "runs-verdict": "A run's category is not what its expected verdict gives.",
    "runs-wrong": "A solver gave wrong answers, which are not solved.",
    "runtime-maximized": "A runtime is declared to be the better the larger.",
    "runtime-pile-up": "Suspiciously many successful runs end at the cutoff.",
    "search-best": "A search found better than its meta file says.",
    "search-cut": "A record of an archive of searches ends in the middle.",
    "search-uneven": "Algorithms have different numbers of searches somewhere.",
    "search-worse": "The best value of a search becomes worse on the way.",
    "split-difference": "Training and test part of a contest differ in details.",
    "split-without-training": "The training part of a contest has no runs.",
    "status-mixed": "Repetitions of a run disagree on its success.",
    "status-unknown": "A status is not one of the format.",
    "step-feature-unknown": "A step provides a feature that is not declared.",
    "step-no-column": "A declared feature step has no column.",
    "step-undeclared": "A column is not a declared feature step.",
    "test-algorithms": "The test set has other algorithms than the main set.",
    "test-overlap": "Instances of the test set are in the main set too.",
    "trajectory-disagrees": "A run's value is not the best point on its way.",
    "trajectory-late": "A point of a trajectory lies after the cutoff.",
    "uai-answer": "An answer is none; it scores 0.",
    "uai-leftover": "An answer belongs to no network, role or limit.",
    "uai-rows": "A table of a Bayesian network holds no distributions.",
    "uai-scale": "The trivial answer leaves no scale for a score.",
    "unsolved-below-cutoff": "An unsuccessful run has a runtime below the cutoff.",
    "unsolved-encoding-mixed": "Unsuccessful runs are recorded in several ways.",
    "value-zero": "Every run of an algorithm is ok and has the value 0.",
    "yaml-number": "A YAML reader takes a number of description.txt for another.",
}

# What is worth knowing.
NOTES: Mapping[str, str] = {
    "algorithm-undescribed": "An algorithm with runs is not described.",
    "attribute-understood": "What was made an attribute of instances.",
    "column-order": "Columns are not in the order of the format.",
    "cost-missing": "The cost of a feature step is not known.",
    "feature-constant": "A feature has the same value everywhere.",
    "feature-empty": "A feature has no value at all.",
    "feature-listed-twice": "A feature is listed twice.",
    "feature-nan": "A feature value is the word NaN where the format has '?'.",
    "feature-sentinel": "A feature has values that look like codes for missing.",
    "feature-several-steps": "A feature is provided by more than one step.",
    "feature-text": "A feature is not numeric.",
    "features-understood": "What was made features of instances.",
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
    "runs-others": "Columns of results that are no measures unless one says so.",
    "runs-timeouts": "A text or a time of a table is taken for a status.",
    "runs-understood": "How a table of runs or an archive of searches was understood.",
    "runtime-zero": "A successful run took no time at all.",
    "scenario-id-folder": "scenario_id is not the name of the folder.",
    "stopped-with-value": "Timeouts of a quality have values, which count.",
    "step-count": "number_of_feature_steps is not the number of feature steps.",
    "trajectory-missing": "A successful run has no trajectory, others have.",
    "unsolved-encoding": "How the runs that failed are recorded, all in one way.",
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
            new_finding(code, file=self._file, what=f"and {n - LIMIT} more of {code!r}")
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
            code, file=table.file, what=f"and {rows.size - LIMIT} more of {code!r}", hint=hint
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
