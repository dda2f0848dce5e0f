"""Protocols: named sets of all choices that scores depend on, as rows of TOML files.

The fields are the columns of the SQL relation ``protocol``; the first value listed for each is the default.

Other relations have rows in TOML files too. A view whose header says ``rows: toml`` gives one row: the
columns with their types, the words that they allow (an ``enum``) and their defaults. A file of its folder
with the ending ``.toml`` holds further rows: what it says at its top is the row called like the file, and
each of its tables is a row called like the table. ``like = "other"`` begins with what another row says.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.options import Option
from aslib_eval.paths import as_toml, read_text
from aslib_eval.text import did_you_mean, join_words, nearest, one_of, shown

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

CHOICES: Mapping[str, tuple[str, ...]] = {
    "at_cutoff": ("unsolved", "solved"),
    "repetitions": ("mean_par", "median", "mean_runtime", "first", "separate"),
    "timeout_value": ("counts", "failed"),
    "failures": ("beyond_worst", "worst", "value", "left_out"),
    "feature_cost": ("default_steps", "none", "all_steps", "schedule_only"),
    "sbs_scope": ("train", "test", "all"),
    "sbs_criterion": ("par", "par1", "solved"),
    "unsolvable": ("keep", "drop"),
    "wrong_answers": ("unsolved", "disqualified", "left_out"),
    "disputed_answers": ("solved", "unsolved", "left_out"),
    "fold_aggregate": ("pooled", "mean", "median", "geometric"),
    "gap": ("closed", "remaining", "bounded"),
    "borda_delta_kind": ("absolute", "relative"),
    "execution": ("sequential", "parallel", "one_core"),
    "incumbent": ("own", "shared"),
    "second_run": ("restart", "resume"),
    "second_direction": ("as_stated", "minimise", "maximise"),
    "second_decides": ("nothing", "ties"),
}

MEANING: Mapping[str, str] = {
    "protocol": "name of the protocol",
    "measures": "measures to evaluate: the scenario's first (`primary`), `all`, or the one that you name",
    "penalty": "factor k of PARk in `cost` and in every gap; par1, par2 and par10 do not depend on it",
    "at_cutoff": "whether a run that ends exactly at the cutoff is solved",
    "repetitions": "how repetitions of a run count. `mean_par`: mean of their PARk; `median`: median time "
    "and most frequent status; `mean_runtime`: mean time, with cutoff + 1 for a failure; `first`: only "
    "the repetition with the lowest number; `separate`: each repetition is an instance",
    "timeout_value": "how a run with a value and the status `timeout` counts under a quality measure: "
    "with its value (`counts`), or as `failed`",
    "failures": "cost of a failed run under a quality measure. `beyond_worst`: w + (w - b), where "
    "w is the worst value on the instance and b the best one; `worst`: w; `value`: the setting "
    "failure_value; `left_out`: no cost",
    "failure_value": 'value of a failed run under `failures = "value"`, in the measure\'s own unit and '
    "direction",
    "feature_cost": "feature steps that a selector pays for. `default_steps`: the steps in its schedule "
    "or, if there are none, the scenario's default steps; `schedule_only`: the steps in its schedule; "
    "`all_steps`: all steps of the scenario",
    "presolving": "whether the run of a selector ends when a feature step solves the instance",
    "sbs_scope": "instances on which SBS of a fold is chosen: the other folds (`train`), the fold itself "
    "(`test`), or `all`; SBS of a scenario is always chosen on all instances",
    "sbs_criterion": "SBS has the best mean cost (`par`), mean PAR1 or share of solved instances; if "
    "algorithms tie, the first name wins",
    "unsolvable": "whether to count instances that no algorithm solves",
    "wrong_answers": "after a wrong answer, the run is `unsolved`, the algorithm is `disqualified` (it "
    "solves nothing in the scenario), or the instance is `left_out`",
    "disputed_answers": "if answers contradict each other and the right one is unknown, the runs are "
    "`solved` or `unsolved`, or the instance is `left_out`",
    "fold_aggregate": "one gap over all instances (`pooled`), or mean, median or geometric mean over folds",
    "gap": "kind of gap in the column `gap`: `closed`, `remaining` (1 - closed), `bounded` (from -1 to 1)",
    "gap_floor": "lower bound (at most 0) of the columns `clipped_gap` and `gap`; no bound if left out",
    "borda_delta": "in Borda scores, two solvers tie on an instance if their times (or costs, for a "
    "quality) differ by at most this value",
    "borda_delta_kind": "borda_delta is `absolute`, or `relative` to the smaller of the two values",
    "alpha": "score of the worst solution of an instance, in the column `scaled` of `score --quality`",
    "beta": "score of the best solution of an instance, in the column `scaled`; a proved optimum gets 1",
    "execution": "how `score --anytime` runs the algorithms of a schedule. `sequential`: one after the "
    "other; `parallel`: all at once, without budgets; `one_core`: like `parallel`, but the k algorithms "
    "share a core, and each has 1/k of its speed",
    "incumbent": "under `sequential`, whether an algorithm knows only its `own` solutions, or also the "
    "best solution of the earlier algorithms (`shared`)",
    "second_run": "under `sequential`, whether the second run of an algorithm begins anew (`restart`) or "
    "continues the first run (`resume`)",
    "second_measure": "name of the second measure, if the scenario has it. `feature cost`: the time that "
    "a selector spends on features; empty: no second measure",
    "second_direction": "direction of the second measure. `as_stated`: as the scenario states it",
    "second_decides": "`ties`: if algorithms tie by the first measure, the second one chooses VBS and SBS",
    "second_budget": "budget b of the column `gap_at_budget`: limit on the mean of the second measure",
    "arena_beta": "weight of the price in RouterArena's `arena` score; the quality has weight 1",
    "arena_min": "price of 1,000 instances at which the price term of the `arena` score is 1 (best)",
    "arena_max": "price of 1,000 instances at which the price term of the `arena` score is 0 (worst)",
    "source": "paper or program that the protocol follows",
    "hash": "hash of the choices that differ from `default`; every output shows it",
}
TAG = "name@hash, as outputs name the protocol"

# Raised when a default changes, or what a choice means: then every hash changes.
DEFINITIONS = 1
_LONG = 60  # characters of a value in a message
_TEXTS = ("protocol", "measures", "second_measure", "source")
_NUMBERS = (
    *("penalty", "failure_value", "gap_floor", "borda_delta", "alpha", "beta"),
    *("second_budget", "arena_beta", "arena_min", "arena_max"),
)


@dataclass(frozen=True)
class Protocol:
    """The choices that scores depend on; see docs/definitions.md for each of them."""

    protocol: str = "default"
    measures: str = "primary"
    penalty: float = 10.0
    at_cutoff: str = "unsolved"
    repetitions: str = "mean_par"
    timeout_value: str = "counts"
    failures: str = "beyond_worst"
    failure_value: float | None = None
    feature_cost: str = "default_steps"
    presolving: bool = True
    sbs_scope: str = "train"
    sbs_criterion: str = "par"
    unsolvable: str = "keep"
    wrong_answers: str = "unsolved"
    disputed_answers: str = "solved"
    fold_aggregate: str = "pooled"
    gap: str = "closed"
    gap_floor: float | None = None
    borda_delta: float = 0.0
    borda_delta_kind: str = "absolute"
    alpha: float = 0.25
    beta: float = 0.75
    execution: str = "sequential"
    incumbent: str = "own"
    second_run: str = "restart"
    second_measure: str = "price"
    second_direction: str = "as_stated"
    second_decides: str = "nothing"
    second_budget: float | None = None
    arena_beta: float = 0.1
    arena_min: float = 0.0044
    arena_max: float = 200.0
    source: str = ""

    def __post_init__(self) -> None:
        for column, allowed in CHOICES.items():
            if (value := getattr(self, column)) not in allowed:
                raise AslibError(
                    f"{column} = {_shown(value)} is none of {', '.join(allowed)}", self.protocol
                )
        shares = _finite(self.alpha) and _finite(self.beta) and 0 <= self.alpha <= self.beta <= 1
        floor, failed, budget = self.gap_floor, self.failure_value, self.second_budget
        least, most = self.arena_min, self.arena_max
        prices = _finite(least) and _finite(most) and 0 < least < most
        no_value = "a number" if self.failures == "value" else "left out unless failures is 'value'"
        for column, holds, what in (
            ("presolving", isinstance(self.presolving, bool), "true or false"),
            ("penalty", _finite(self.penalty) and self.penalty >= 1, "a number of at least 1"),
            ("borda_delta", _finite(self.borda_delta) and self.borda_delta >= 0, "a number of at least 0"),
            ("alpha", shares, "a number from 0 to beta, and that at most 1"),
            ("gap_floor", floor is None or (_finite(floor) and floor <= 0), "left out, or at most 0"),
            ("failure_value", _finite(failed) if self.failures == "value" else failed is None, no_value),
            ("second_budget", budget is None or _finite(budget), "left out, or a number"),
            ("arena_beta", _finite(self.arena_beta) and self.arena_beta > 0, "a number above 0"),
            ("arena_min", prices, "a number above 0 and below arena_max"),
            *((name, isinstance(getattr(self, name), str), "a text") for name in _TEXTS),
            *((name, bool(getattr(self, name)), "not empty") for name in ("protocol", "measures")),
        ):
            if not holds:
                value = getattr(self, column)
                raise AslibError(f"{column} = {_shown(value)} must be {what}", self.protocol)

    @cached_property
    def hash(self) -> str:
        """SHA-256 (12 hex digits) of the choices that differ from ``default``.

        So a choice that is added changes no protocol that does not make it. The version of the definitions
        goes in as well.
        """
        default = {field.name: field.default for field in fields(self)}
        choices = {
            column: float(value) + 0.0 if column in _NUMBERS else value  # -0.0 is 0
            for column, value in asdict(self).items()
            if column not in {"protocol", "source"} and value != default[column]
        }
        text = json.dumps({"definitions": DEFINITIONS, **choices}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def tag(self) -> str:
        """The protocol as outputs name it: ``name@hash``."""
        return f"{self.protocol}@{self.hash}"

    @property
    def words(self) -> str:
        """How a closed gap is made, for the note below a table: ``PAR10; over …``.

        What always shapes a number is said, and what differs from ``default``.
        """
        pooled = self.fold_aggregate == "pooled"
        said = [f"PAR{self.penalty:g}", _WORDS["fold_aggregate"][self.fold_aggregate]]
        said += [_WORDS["sbs_scope"]["all" if pooled else self.sbs_scope]]
        said += [_WORDS[c][getattr(self, c)] for c in ("feature_cost", "unsolvable")]
        for column in _SAID:
            if (value := getattr(self, column)) != CHOICES[column][0]:
                said.append(_WORDS[column][value])
        if not self.presolving:
            said.append("no step presolves")
        if self.borda_delta:
            near = "% of the smaller" if self.borda_delta_kind == "relative" else ""
            most = self.borda_delta * (100 if near else 1)
            said.append(f"times that differ by at most {shown(most)}{near} are equal")
        if self.second_decides == "ties":
            said.append(f"VBS and SBS have the least {self.second_measure} among equals")
        return ", ".join(said)


AnyProtocol = str | Protocol  # a preset's name, a file, or the protocol
_PROTOCOL = Option(
    "Compute all numbers by this protocol (rules such as the penalty): a preset ('aslib-eval protocols "
    "list') or a .toml file.",
    flags="--protocol",
    metavar="NAME|FILE",
    shown="the preset 'default'",
)
OneProtocol = Annotated[AnyProtocol, _PROTOCOL]
Protocols = Annotated[Sequence[AnyProtocol], _PROTOCOL]

# Choices that are said where they differ from ``default``.
_SAID = (
    *("sbs_criterion", "at_cutoff", "timeout_value", "repetitions"),
    *("wrong_answers", "disputed_answers"),
)
# Each choice in words, of which ``Protocol.words`` is made.
_WORDS: Mapping[str, Mapping[str, str]] = {
    "fold_aggregate": {
        "pooled": "over all instances at once",
        "mean": "mean over the folds",
        "median": "median over the folds",
        "geometric": "geometric mean over the folds",
    },
    "sbs_scope": {
        "train": "SBS of each training set",
        "test": "SBS of each test set",
        "all": "SBS of all instances",
    },
    "feature_cost": {
        "default_steps": "default feature steps charged",
        "none": "no feature costs charged",
        "all_steps": "all feature steps charged",
        "schedule_only": "the feature steps of a schedule charged",
    },
    "unsolvable": {
        "keep": "instances that no algorithm solves counted",
        "drop": "instances that no algorithm solves left out",
    },
    "wrong_answers": {
        "disqualified": "algorithms with a wrong answer solve nothing",
        "left_out": "instances with a wrong answer left out",
    },
    "disputed_answers": {
        "unsolved": "contradicted answers solve nothing",
        "left_out": "instances with contradicting answers left out",
    },
    "sbs_criterion": {"par1": "SBS by mean PAR1", "solved": "SBS by share solved"},
    "at_cutoff": {"solved": "a run that ends at the cutoff solved"},
    "timeout_value": {"failed": "a timeout with a value failed"},
    "repetitions": {
        "median": "median time of the repetitions",
        "mean_runtime": "mean time of the repetitions",
        "first": "the first repetition",
        "separate": "each repetition an instance",
    },
}


def counts_as(failures: str, value: float | None) -> str:
    """How a failed run of a quality measure counts, in words."""
    words = {
        "beyond_worst": "the worst value of its instance plus the distance from best to worst",
        "worst": "the worst value of its instance",
        "value": f"{value}",
        "left_out": "nothing, so its algorithm has no mean",
    }
    return words[failures]


COLUMNS = tuple(field.name for field in fields(Protocol))
# The choices that options make, and the words by which they name a protocol.
_OPTIONS = {
    "measures": "measure-{}",
    "fold_aggregate": "fold-{}",
    "sbs_scope": "sbs-{}",
    "penalty": "penalty-{:g}",
    "borda_delta": "delta-{:g}",
}


def changed(protocol: Protocol, **choices: Any) -> Protocol:
    """The protocol with other choices, which its name says: ``default+fold-mean``.

    choices: by column, of ``_OPTIONS``; one that is None stays as it is.
    """
    new = {c: x for c, x in choices.items() if x is not None and x != getattr(protocol, c)}
    name = "+".join([protocol.protocol, *(_OPTIONS[c].format(x) for c, x in new.items())])
    return replace(protocol, **new, protocol=name)


def _finite(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer of more digits than any double has
        return False


def _shown(value: object) -> str:
    """The value as a message has it, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "a number of thousands of digits"
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def load(name: str | Protocol) -> Protocol:
    """A preset by name, or a TOML file with the columns as keys, or the protocol given.

    What the file leaves out is default; its name is the key ``protocol`` or else the file's own.
    """
    if isinstance(name, Protocol):
        return name
    if name in PRESETS:
        return PRESETS[name]
    path = Path(name)
    if path.suffix != ".toml":
        every = f"Name one of {', '.join(PRESETS)}, or a .toml file."
        hint = did_you_mean(name, PRESETS) or every
        raise AslibError("there is no such protocol", name, hint)
    choices = as_toml(read_text(path, hint="Name a .toml file."), file=name)
    if unknown := sorted(set(choices) - set(COLUMNS)):
        every = f"The keys are {', '.join(COLUMNS)}."
        hint = nearest(unknown, COLUMNS) or every
        raise AslibError(f"unknown key {', '.join(unknown)}", name, hint)
    choices = {"protocol": path.stem, **choices}
    if choices["protocol"] in PRESETS:
        hint = "Give it another one with the key 'protocol'."
        raise AslibError(f"{choices['protocol']!r} is the name of a preset", name, hint)
    try:
        return replace(Protocol(), **choices)
    except AslibError as error:
        raise AslibError(error.message, name, error.hint) from None


def difference(a: Protocol, b: Protocol) -> list[tuple[str, Any, Any]]:
    """The columns in which two protocols differ, with both values."""
    rows = ((c, getattr(a, c), getattr(b, c)) for c in COLUMNS)
    return [row for row in rows if row[1] != row[2]]


_ALL = (
    Protocol(source="Amadini et al. 2023, Definitions 1 and 3; the other choices are ours"),
    Protocol(
        protocol="amadini2023",
        repetitions="first",
        feature_cost="none",
        presolving=False,
        sbs_scope="all",
        unsolvable="drop",
        source="Amadini et al. 2023, section 2. Only these choices give the paper's numbers",
    ),
    Protocol(
        protocol="oasc2017",
        at_cutoff="solved",
        repetitions="median",
        feature_cost="schedule_only",
        sbs_scope="train",
        unsolvable="drop",
        fold_aggregate="mean",
        gap="remaining",
        source="Lindauer, van Rijn, Kotthoff 2019, AIJ 272, eq. 2 and Table E.9; "
        "mlindauer/OASC_starterkit validation/validate.py",
    ),
    Protocol(
        protocol="icon2015",
        at_cutoff="solved",
        feature_cost="schedule_only",
        sbs_scope="all",
        fold_aggregate="mean",
        gap="remaining",
        source="Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 3.2 and appendix B; the contest used "
        "ten bootstrap samples instead of cv.arff",
    ),
    Protocol(
        protocol="tornede2020",
        at_cutoff="solved",
        repetitions="median",
        feature_cost="all_steps",
        presolving=False,
        sbs_scope="train",
        unsolvable="drop",
        fold_aggregate="mean",
        gap="remaining",
        source="Tornede et al. 2020, nPAR10; alexandertornede/algorithm_survival_analysis par_10_metric.py",
    ),
    Protocol(
        protocol="aslibscenario",
        at_cutoff="solved",
        repetitions="median",
        source="mlindauer/ASlibScenario aslib_scenario.py, read_algorithm_runs and check_data",
    ),
    Protocol(
        protocol="asf",
        at_cutoff="solved",
        repetitions="mean_runtime",
        feature_cost="all_steps",
        presolving=False,
        sbs_scope="test",
        source="asf 0.1.8, scenario/aslib_reader.py and metrics/baselines.py",
    ),
    Protocol(
        protocol="autofolio",
        at_cutoff="solved",
        repetitions="median",
        feature_cost="all_steps",
        sbs_scope="train",
        unsolvable="drop",
        gap="remaining",
        source="automl/AutoFolio 2.2.0, validation/validate.py, default configuration",
    ),
    Protocol(
        protocol="llama",
        at_cutoff="solved",
        timeout_value="failed",
        failures="worst",
        sbs_scope="all",
        source="LLAMA 0.10.1 (misc.R, parscores.R) and aslib 0.1.1 (runLlamaModels.R), scenario pages of "
        "2021. SBS is LLAMA's singleBestByPar. Under sbs_criterion = par1, SBS is singleBest; under "
        "sbs_criterion = solved, SBS is singleBestBySuccesses",
    ),
    Protocol(
        protocol="routing",
        second_decides="ties",
        source="Hu et al. 2024 (RouterBench), ken-ab/routerbench-mini. VBS is the cheapest of the language "
        "models that answer best",
    ),
)
PRESETS: Mapping[str, Protocol] = {p.protocol: p for p in _ALL}
# Those that may order solvers in another way: the second measure decides between equals alone.
ORDERING: Mapping[str, Protocol] = {n: p for n, p in PRESETS.items() if p.second_decides == "nothing"}

LIKE = "like"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=""")
_TABLE = re.compile(r"""\s*\[\s*["']?([A-Za-z0-9_.-]+)["']?\s*\]""")
_TOP = ""  # the table of what stands before the first one


@dataclass(frozen=True)
class TomlRow:
    """A row as it stands in a file: its name, what it says, and in which lines."""

    name: str
    path: Path
    line: int
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def finding(self, message: str, hint: str = "", *, key: str = "") -> Finding:
        """What is wrong with it, or with what it says of a column."""
        return Finding("toml", "error", str(self.path), self.lines.get(key, self.line), message, hint)


def read_rows(path: Path, text: str) -> list[TomlRow]:
    """The rows in the text of a file."""
    tables = as_toml(text, file=str(path))
    top = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    rows = {path.stem: top} if top or not tables else {}
    again = rows.keys() & tables.keys() - top.keys()
    if again:
        hint = "Write what it says before the first table, or into it."
        raise AslibError(f"[{path.stem}] is there twice", str(path), hint)
    rows |= {key: value for key, value in tables.items() if key not in top}
    lines = _lines(text)
    found = []
    for name, values in rows.items():
        at = lines.get(name) or lines[_TOP]
        found.append(TomlRow(name, path, at.get(_TOP, 1), values, at))
    return found


def _lines(text: str) -> dict[str, dict[str, int]]:
    """Table → key → the line where it stands; the table's own under no name."""
    found: dict[str, dict[str, int]] = {_TOP: {}}
    table = _TOP
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            table = header[1]
            found[table] = {_TOP: number}
        elif key := _KEY.match(line):
            found[table].setdefault(key[1], number)
    return found


def complete(rows: Sequence[TomlRow], *, beside: Sequence[TomlRow] = ()) -> list[TomlRow]:
    """Rows with what those say that they are like; ``beside`` may be named, too."""
    known: dict[str, TomlRow] = {row.name: row for row in beside}
    wrong = []
    for row in rows:
        if not _NAME.fullmatch(row.name):
            hint = "Write letters, digits, '_', '.' and '-'."
            wrong.append(row.finding(f"{row.name!r} is no name of a row", hint))
        elif row.name in known:
            what = f"the name {row.name!r} is taken by {known[row.name].path}"
            wrong.append(row.finding(what, "Choose another name."))
        else:
            known[row.name] = row
    found = []
    for row in rows:
        values = dict(row.values)
        seen = [row.name]
        last = row
        while (other := last.values.get(LIKE)) is not None:
            if other in seen:
                what = f"'like' goes in a circle: {', '.join(seen)}"
                wrong.append(row.finding(what, "Remove 'like' from one of these rows.", key=LIKE))
                break
            if not isinstance(other, str) or other not in known:
                hint = one_of(str(other), sorted(known.keys() - {row.name}))
                what = f"'like' names the row {other!r}, which does not exist"
                wrong.append(last.finding(what, hint, key=LIKE))
                break
            last = known[other]
            seen.append(other)
            values = {**last.values, **values}
        values.pop(LIKE, None)
        found.append(TomlRow(row.name, row.path, row.line, values, row.lines))
    _require(wrong)
    return found


def _require(wrong: Sequence[Finding]) -> None:
    if wrong:
        unique = list(dict.fromkeys(wrong))
        raise ScenarioError(unique[0].file, unique)


def require_columns(rows: Iterable[TomlRow], defaults: str, *, key: str) -> None:
    """Raise a ScenarioError with all that does not fit the columns of a relation.

    defaults: the SELECT of one row that gives columns, types, words and defaults. key: the column of the
    row's name, which a file does not say.
    """
    import duckdb

    with duckdb.connect(config={"enable_external_access": "false"}) as con:
        relation = con.sql(defaults)
        types = dict(zip(relation.columns, relation.types, strict=True))
    known = sorted(types.keys() - {key})
    wrong = []
    for row in rows:
        for column, value in row.values.items():
            if column in (LIKE, *known):
                wanted = types.get(column)
                said = "" if wanted is None else _misfit(column, value, wanted)
                hint = ""
            else:
                said = f"there is no column {column!r}"
                hint = did_you_mean(column, known) or f"Available: {join_words(known)}."
            if said:
                wrong.append(row.finding(said, hint, key=column))
    _require(wrong)


def _misfit(column: str, value: object, wanted: DuckDBPyType) -> str:
    """What is wrong with a value of a column of that type; nothing if it fits."""
    inside: dict[str, Any] = {}
    if wanted.id in {"list", "enum"}:
        inside = dict(wanted.children)
    if wanted.id == "list" and isinstance(value, list):
        texts = (_misfit(column, each, inside["child"]) for each in value)
        return next((text for text in texts if text), "")
    words = inside.get("values", [])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits, wrong = {
        "list": (False, "not a list"),
        "enum": (value in words, f"not one of {', '.join(words)}"),
        "boolean": (isinstance(value, bool), "not true or false"),
        "varchar": (isinstance(value, str), "not a text"),
    }.get(wanted.id, (is_number, "not a number"))
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return "" if fits else f"{column} is {shown}, {wrong}"


def rows_select(defaults: str, rows: Sequence[TomlRow], *, key: str) -> str:
    """The SELECT of these rows, with the defaults for what they do not say."""
    if not rows:
        return f"from ({defaults}) where false"
    said = sorted({column for row in rows for column in row.values} - {key})
    values = ",\n    ".join(
        f"({', '.join(map(_literal, (row.name, *(row.values.get(c) for c in said))))})" for row in rows
    )
    replaced = "".join(f",\n    coalesce(g.{c}, d.{c}) as {c}" for c in said)
    return (
        f"with defaults as (\n{defaults}\n),\n\n"
        f"given({', '.join((key, *said))}) as (\n    values {values}\n)\n\n"
        f"select d.* replace (\n    g.{key} as {key}{replaced}\n)\n"
        "from given as g, defaults as d"
    )


def _literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"'{value}'::double"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    text = str(value)
    return text if isinstance(value, int) else "'" + text.replace("'", "''") + "'"
