"""Formats as the importer sees them, the choices about tables, and a catalogue of measures.

The catalogue holds the direction of known metrics, such as latency and throughput. A metric that is not in
it needs a direction from its user.

Source: the list of performance metrics of TransOPT's results analysis, else the common meaning, which
``about`` gives.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources

Kind = Literal["objective", "share", "time", "size", "count", "rate", "energy"]


@dataclass(frozen=True)
class Measure:
    """A measure; ``kind`` is what its unit measures, ``objective`` the task's own unit.

    aliases: other spellings; case, blanks and punctuation never matter.
    low, high: the values it can take, both included.
    """

    name: str
    maximize: bool
    low: float
    high: float
    kind: Kind
    about: str
    aliases: tuple[str, ...] = ()

    def holds(self, value: float) -> bool:
        """Whether the measure can have this value."""
        return self.low <= value <= self.high

    @property
    def range(self) -> str:
        """As in [0, ∞]."""
        ends = (self.low, self.high)
        words = ("-∞" if e == -math.inf else "∞" if e == math.inf else f"{e:g}" for e in ends)
        return "[{}, {}]".format(*words)


def _less(name: str, kind: Kind, about: str, *aliases: str) -> Measure:
    """A measure from 0 up of which less is better."""
    return Measure(name, False, 0.0, math.inf, kind, about, aliases)  # noqa: FBT003


def _share(name: str, about: str, *aliases: str) -> Measure:
    """A share of which more is better."""
    return Measure(name, True, 0.0, 1.0, "share", about, aliases)  # noqa: FBT003


CATALOGUE: tuple[Measure, ...] = (
    _less("absolute_error", "objective", "least value found above the optimum", "regret"),
    _share("f1", "harmonic mean of precision and recall", "f1_score"),
    _share("auc", "area under the ROC curve", "area_under_curve", "roc_auc"),
    _share("accuracy", "share classified correctly", "acc"),
    _less("log_loss", "objective", "mean negative log-likelihood", "nll", "cross_entropy"),
    _less("rmse", "objective", "root mean squared error", "root_mean_squared_error"),
    _less("mse", "objective", "mean squared error", "mean_squared_error"),
    _less("mae", "objective", "mean absolute error", "mean_absolute_error"),
    Measure(
        "binding_affinity",
        maximize=False,
        low=-math.inf,
        high=0.0,
        kind="energy",
        about="how strongly a protein binds its ligand; lower is stronger",
    ),
    _share("gc_content", "share of guanine and cytosine among the bases"),
    _less(
        "execution_time",
        "time",
        "time of a run of the optimised program; a solver's runtime is not a quality",
        "avg_execution_time",
    ),
    _less("compile_time", "time", "time to compile", "compilation_time"),
    _less("file_size", "size", "size of the compiled file", "size", "code_size"),
    _less("max_rss", "size", "largest resident set of a run", "maximum_resident_set_size"),
    _less("cycles", "count", "processor cycles of a run", "papi_tot_cyc"),
    _less("instructions", "count", "instructions of a run", "papi_tot_ins"),
    _less("branch_mispredictions", "count", "branches predicted wrongly", "papi_br_msp"),
    _less(
        "branch_predictions",
        "count",
        "branches predicted rightly; minimised like all branches",
        "papi_br_prc",
    ),
    _less("branches", "count", "conditional branches of a run", "papi_br_cn"),
    _less("memory_wait", "count", "cycles spent waiting for memory", "papi_mem_wcy"),
    Measure(
        "throughput",
        maximize=True,
        low=0.0,
        high=math.inf,
        kind="rate",
        about="transactions in a unit of time",
        aliases=("tps", "requests_per_second"),
    ),
    _less("latency", "time", "time of one transaction"),
    _less("cpu_usage", "share", "share of the processors; above 1 if one processor counts 1"),
    _less("memory_usage", "size", "memory in use", "memory"),
)


def plain(name: str) -> str:
    """A name without case, blanks and punctuation: ``F1 Score`` is ``f1_score``."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub("[µμ]", "u", name.lower())).strip("_")


# Names of a solver's runtime, without what only says how it is measured or summed up.
_RUNTIME = re.compile(
    "(run|running|cpu|user|real|wc|wall|wallclock|elapsed|solve|solver|solving)?time"
    "|time(cpu|user|real|wall|wallclock|elapsed)"
    "|timeto(solve|solution)|wallclock|elapsed|duration|seconds|secs|par"
)
_BESIDE = re.compile(
    "s|secs?|seconds?|[mun]s(ecs?)?|(milli|micro|nano)seconds|min|minutes|h|hours|in"
    "|mean|avg|average|median|total|sum|log|log10|score|algorithm"
)
_PENALISED = re.compile(r"par\d+(score)?|penali[sz]ed(average)?(run)?time\d*")


def is_runtime(name: str) -> bool:
    """Whether a name is that of a solver's runtime, or of PARk, which is made of it.

    In any case and punctuation, with a unit or what is said of many runs: ``CPU time [s]``,
    ``mean_runtime``, ``PAR10``. The time that what is optimised takes has names of its own:
    ``execution_time``, ``latency``.
    """
    words = plain(name).split("_")
    core = "".join(word for word in words if not _BESIDE.fullmatch(word))
    whole = "".join(words)
    return any(
        kind.fullmatch(each) is not None for kind in (_RUNTIME, _PENALISED) for each in (core, whole)
    )


_BY_NAME: Mapping[str, Measure] = {
    plain(name): measure for measure in CATALOGUE for name in (measure.name, *measure.aliases)
}


def known(name: str) -> Measure | None:
    """The measure of that name or alias; None if there is none."""
    return _BY_NAME.get(plain(name))


def similar(name: str) -> tuple[str, ...]:
    """Names of measures spelled much like one that is not known, the closest first."""
    close = difflib.get_close_matches(plain(name), _BY_NAME, n=3, cutoff=0.7)
    return tuple(dict.fromkeys(_BY_NAME[name].name for name in close))


@dataclass(frozen=True)
class TableChoices:
    """The choices about a table; whatever is not chosen is recognised and reported.

    scenario_id: empty = the name of the file, or the column scenario.
    cutoff: time limit; in seconds if ``has_unit``, else in the unit of the times.
    column: role (``ROLES``) and the name of the column that has it; attribute and ignore may occur more
        than once.
    maximize, minimize: measures of which more, and less, is better.
    cells: the measure that columns of solvers hold, or ``time``; empty = as they look.
    claims: word in the table, in lower case, and the answer (``CLAIMS``) it means.
    measure: further columns that are measures.
    status: word in the table, in lower case, and the status (``STATUSES``) it means.
    family: the rule that finds it in the instances' names (``PathRule``); empty = none.
    split: what says the families by which scenarios are split, as of ``--family``; empty = the column of
        families, or ``family``.
    missing: what runs are that others have (``MissingRuns``); empty = an error.
    duplicates: which row counts of those of one run (``RepeatedRuns``); empty = an error.
    unit: of times whose columns do not say it, such as ms: all become seconds; empty = they stay as they
        are.
    has_unit: whether the cutoff was given with a unit.
    records: path of the list of runs in a JSON file that has several, such as ``data.runs``.
    file_per: what each file of a folder is one of: ``solver``, then all are one scenario, or
        ``scenario``; empty = a scenario, and a question where each file has one solver.
    """

    scenario_id: str = ""
    cutoff: float | None = None
    column: tuple[tuple[str, str], ...] = ()
    maximize: tuple[str, ...] = ()
    measure: tuple[str, ...] = ()
    status: tuple[tuple[str, str], ...] = ()
    family: str = ""
    missing: str = ""
    duplicates: str = ""
    split: str = ""
    unit: str = ""
    has_unit: bool = False
    minimize: tuple[str, ...] = ()
    cells: str = ""
    claims: tuple[tuple[str, str], ...] = ()
    records: str = ""
    file_per: str = ""

    @property
    def given(self) -> frozenset[str]:
        """The names of what is decided."""
        nothing = TableChoices()
        names = (field.name for field in fields(self))
        return frozenset(name for name in names if getattr(self, name) != getattr(nothing, name))

    def chosen(self, role: str) -> list[str]:
        """The columns that are given for a role."""
        return [name for key, name in self.column if key == role]

    def settled(
        self,
        header: Sequence[str],
        *,
        roles: Mapping[str, str],
        attributes: Sequence[str],
        times: Sequence[str],
        status: Mapping[str, str],
        measures: Sequence[str] = (),
    ) -> TableChoices:
        """The choices for a table whose columns are known; their user's go before.

        roles: role → column. attributes: columns that belong to instances. times, measures: columns of
        such. status: word, in lower case, and what it means. All other columns of the header are ignored,
        without a word.
        """
        said = {role for role, _ in self.column}
        named = {name for _, name in self.column}
        pairs = [*self.column]
        pairs += [(role, name) for role, name in roles.items() if role not in said and name not in named]
        pairs += [("attribute", each) for each in attributes if each not in named]
        used = {name for _, name in pairs} | {*self.measure, *measures, *times}
        ignored = [("ignore", name) for name in header if name not in used]
        return replace(
            self,
            column=(*pairs, *ignored),
            measure=(*self.measure, *measures),
            status=tuple({**status, **dict(self.status)}.items()),
        )

    def text(self) -> bytes:
        """The choices as the lake's hashes see them; empty where there is none."""
        # A family is said by scenario.toml alone, which has a hash of its own. What came later is told
        # where it is given, so that older hashes stay.
        first = ("scenario_id", "cutoff", "column", "maximize", "measure", "status")
        said = {key: value for key, value in asdict(self).items() if value or key in first}
        said.pop("family", None)
        return b"" if self == TableChoices() else json.dumps(said).encode()


# What is decided about runs, whatever files they are in.
ABOUT_RUNS = frozenset(field.name for field in fields(TableChoices))


@dataclass(frozen=True)
class Parsed:
    """A scenario as read; ``tables`` are its relations, none if a finding is an error.

    ``missing`` names files of the format that are absent. ``facts``: of a scenario that comes from a lake,
    with its selections and splits, what its manifest said there.
    """

    findings: tuple[Finding, ...]
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Finder:
    """A ``find`` that looks into files, which all formats then read once.

    look: the scenarios at a path.
    """

    look: Callable[[Path, FilesRead], list[Location]]

    def __call__(self, path: Path) -> list[Location]:
        """The scenarios at a path that nobody else has looked at."""
        return self.look(path, FilesRead())


@dataclass(frozen=True)
class Format:
    """How to read one kind of scenario.

    find: the scenarios at a path, several if a folder holds several; raises OSError. One that looks into
        files is a ``Finder``.
    absent: an error for a path where none is found.
    claim: the scenario's id if that is quickly seen, else None; raises anything.
    load: the files that it is made of, by name; raises AslibError.
    identify: its id; raises AslibError with all findings if it has none.
    read: what the files hold.

    Of formats for which options of ``import`` decide:
    choices: the fields of ``TableChoices`` that it understands; ``ABOUT_RUNS`` for tables of runs. It is
        left out where others are given.
    with_choices: the same format with what is decided.

    Of formats whose files another one could take for its own:
    marks: names of files and folders that only its folders have: no table in such a folder is that of a
        general format.
    is_header: whether a table with these columns is of its kind, also where ``find`` does not take it.
    is_general: whether it leaves to the other formats what they find before it, and what has their marks
        and headers.

    selections: what systems choose, of a file of this kind: content and name → ``ParsedSelection``, None if
        it is no such file.

    same_id: what to do where two of its scenarios have the same id.
    together: what becomes of all that it finds at several paths of one call, where they belong together.
    """

    name: str
    find: Callable[[Path], list[Location]]
    absent: Callable[[Path], AslibError]
    claim: Callable[[Location], str | None]
    load: Callable[[Location], dict[str, Source]]
    identify: Callable[[Location, Sources], str]
    read: Callable[[Location, Sources], Parsed]
    choices: frozenset[str] = frozenset()
    with_choices: Callable[[TableChoices], Format] | None = None
    marks: tuple[str, ...] = ()
    is_header: Callable[[Sequence[str]], bool] | None = None
    is_general: bool = False
    selections: Callable[[bytes, str], Any] | None = None
    same_id: str = "Import one of the two."
    together: Callable[[Sequence[Location]], Sequence[Location]] | None = None

    @property
    def is_of_runs(self) -> bool:
        """Whether its scenarios are tables of runs, or become such."""
        return self.choices >= ABOUT_RUNS


def absent(what: str, hint: str) -> Callable[[Path], AslibError]:
    """The ``absent`` of a format that says the same of every path."""
    return lambda path: AslibError(what, str(path), hint)


@dataclass(frozen=True)
class Found:
    """A scenario that waits to be read."""

    format: Format
    location: Location


@dataclass(frozen=True)
class Packed:
    """An archive that waits to be unpacked, and the formats that it may hold."""

    formats: tuple[Format, ...]
    location: Location
