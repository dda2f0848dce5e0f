"""The Parquet contract: one relation, one schema; unit and meaning at every field; where files lie.

Text is dictionary-encoded, numbers are float64, counters int32. ``scenario_id`` is
not a column of the files but the Hive partition they lie in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import pyarrow as pa


FORMAT = 4
TEXT, CONTENT, NUMBER, COUNT = "text", "content", "number", "count"
SIZE, FLAG, LIST = "size", "flag", "list"
# Kind of a column → its type in SQL; ``arrow_type`` gives the type in the files.
SQL_TYPES = {
    TEXT: "varchar",
    CONTENT: "varchar",
    NUMBER: "double",
    COUNT: "integer",
    SIZE: "bigint",
    FLAG: "boolean",
    LIST: "varchar[]",
}


@dataclass(frozen=True)
class RelationColumn:
    """A column of a relation: its kind, one of ``SQL_TYPES``, and meaning [unit]."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True)
class Relation:
    """A stored table: what a row is, the columns that identify it, and all columns."""

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[RelationColumn, ...]

    @cached_property
    def schema(self) -> pa.Schema:
        """The schema of its files; Arrow is slow to load, so it is made when somebody asks for it."""
        import pyarrow as pa

        fields = [
            pa.field(each.name, arrow_type(each.kind), metadata={"meaning": each.meaning})
            for each in self.columns
        ]
        return pa.schema(fields, {"row": self.row})

    def meanings(self) -> dict[str, str]:
        """Column → its meaning and [unit]."""
        return {each.name: each.meaning for each in self.columns}

    def sql_types(self) -> dict[str, str]:
        """Column → its type in SQL."""
        return {each.name: SQL_TYPES[each.kind] for each in self.columns}


def arrow_type(kind: str) -> pa.DataType:
    """The type that columns of a kind have in the files."""
    import pyarrow as pa

    return {
        TEXT: pa.dictionary(pa.int32(), pa.string()),
        CONTENT: pa.string(),
        NUMBER: pa.float64(),
        COUNT: pa.int32(),
        SIZE: pa.int64(),
        FLAG: pa.bool_(),
        LIST: pa.list_(pa.string()),
    }[kind]


def _relation(name: str, row: str, key: str, /, **columns: tuple[str, str]) -> tuple[str, Relation]:
    described = tuple(RelationColumn(column, kind, meaning) for column, (kind, meaning) in columns.items())
    return name, Relation(name, row, ("scenario_id", *key.split()), described)


_INSTANCE = (TEXT, "instance, as text")
_ALGORITHM = (TEXT, "algorithm of the portfolio, as text")
_REPETITION = (COUNT, "number of the repetition, as in the file")
_STATUS = (TEXT, "status of the run: ok, timeout, memout, crash, presolved, ...")
_UNIT = "scenario time unit"

_RUN = {
    "instance_id": _INSTANCE,
    "repetition": _REPETITION,
    "algorithm": _ALGORITHM,
    "measure": (TEXT, "name of the measure"),
    "value": (NUMBER, "value of the measure, as in the file; ignore a runtime whose runstatus is not ok"),
    "runstatus": _STATUS,
}
_FEATURE_VALUE = {
    "instance_id": _INSTANCE,
    "repetition": _REPETITION,
    "feature": (TEXT, "instance feature"),
    "value": (NUMBER, "numeric value of the feature, as in the file; null = missing"),
    "label": (TEXT, "value of a nominal or text feature"),
}
_FEATURE_STATUS = {
    "instance_id": _INSTANCE,
    "repetition": _REPETITION,
    "step": (TEXT, "feature step"),
    "runstatus": _STATUS,
}
_FEATURE_COST = {
    "instance_id": _INSTANCE,
    "repetition": _REPETITION,
    "step": (TEXT, "feature step"),
    "cost": (NUMBER, f"cost of the step; null = unknown [{_UNIT}]"),
}
_ANSWER = {
    "selector": (TEXT, "name of the selector"),
    "cv_scheme": (TEXT, "split on which the selector was trained; `none` = not known"),
    "cv_repetition": (COUNT, "repetition of the split; 1 if the split has only one"),
    "fold": (COUNT, "fold in which the instance was tested; null = not known"),
    "instance_id": _INSTANCE,
}
_ROLES = "competing, hors concours (without a place), derived (from a base solver), base, virtual"
_CLAIMS = "sat, unsat, optimal (proven), solution (not proven), solved (answer not stated), unknown"
_ACTIONS = "algorithm, feature_step, asked (the selector pays for an algorithm but ignores its answer)"

# Columns that the files of an earlier format lack; they are null there.
ADDED = {
    "scenario": ("time_unit", "unit"),
    "algorithm": ("role",),
    "selector": ("training_time", "n_trained", "choosing_time", "n_chosen"),
    "outcome": ("price",),
}

RELATIONS: dict[str, Relation] = dict(
    (
        _relation(
            "scenario",
            "scenario and measure",
            "measure",
            folder=(TEXT, "name of the folder or archive from which the scenario was imported"),
            measure=(TEXT, "name of the measure"),
            measure_index=(COUNT, "position of the measure in description.txt; 1 = primary measure"),
            measure_type=(TEXT, "type of the measure: runtime or solution_quality"),
            maximize=(FLAG, "whether larger values of the measure are better"),
            cutoff=(NUMBER, f"time limit of a run (algorithm_cutoff_time); null = unknown [{_UNIT}]"),
            cutoff_memory=(NUMBER, "memory limit of a run (algorithm_cutoff_memory)"),
            features_cutoff_time=(NUMBER, f"time limit for features [{_UNIT}]"),
            features_cutoff_memory=(NUMBER, "memory limit for features"),
            time_unit=(TEXT, "unit of all times of the scenario, such as s; null = not stated"),
            unit=(TEXT, "unit of the values of a quality, such as USD; null = not stated"),
            missing=(LIST, "files of the ASlib format that the scenario lacks"),
            source_sha256=(TEXT, "SHA-256 hash over the names and hashes of all source files"),
        ),
        _relation(
            "source",
            "scenario and source file",
            "file",
            file=(TEXT, "name of the file"),
            bytes=(SIZE, "size of the file [byte]"),
            sha256=(TEXT, "SHA-256 hash of the content"),
            text=(CONTENT, "content of the file if the file is readme, citation or description; else null"),
        ),
        _relation(
            "algorithm",
            "scenario and algorithm",
            "algorithm",
            algorithm=_ALGORITHM,
            described=(FLAG, "whether description.txt lists the algorithm"),
            described_as=(TEXT, "name of the algorithm in description.txt"),
            has_runs=(FLAG, "whether the scenario has runs of the algorithm"),
            deterministic=(FLAG, "whether the algorithm is declared deterministic; null = not declared"),
            configuration=(TEXT, "configuration of the algorithm, as declared"),
            role=(TEXT, f"role in a competition: {_ROLES}; null = not stated"),
        ),
        _relation(
            "algorithm_feature",
            "scenario, algorithm, repetition and feature",
            "algorithm repetition feature",
            algorithm=_ALGORITHM,
            repetition=_REPETITION,
            feature=(TEXT, "algorithm feature"),
            value=(NUMBER, "numeric value of the feature; null = missing"),
            label=(TEXT, "value of a nominal or text feature"),
        ),
        _relation(
            "algorithm_feature_status",
            "scenario, algorithm, repetition and feature step",
            "algorithm repetition step",
            algorithm=_ALGORITHM,
            repetition=_REPETITION,
            step=(TEXT, "algorithm feature step"),
            runstatus=_STATUS,
        ),
        _relation(
            "algorithm_feature_cost",
            "scenario, algorithm, repetition and feature step",
            "algorithm repetition step",
            algorithm=_ALGORITHM,
            repetition=_REPETITION,
            step=(TEXT, "algorithm feature step"),
            cost=(NUMBER, f"cost of the step [{_UNIT}]"),
        ),
        _relation(
            "feature",
            "scenario and feature (instance feature or algorithm feature)",
            "feature of",
            feature=(TEXT, "name of the feature"),
            of=(TEXT, "object that the features describe: instance or algorithm"),
            position=(COUNT, "position of the feature: declared features come first, then others"),
            deterministic=(FLAG, "whether the feature is declared deterministic; null = not declared"),
            has_values=(FLAG, "whether the file of feature values has a column for the feature"),
            steps=(LIST, "feature steps that provide the feature"),
        ),
        _relation(
            "feature_step",
            "scenario and feature step",
            "step of",
            step=(TEXT, "feature step"),
            of=(TEXT, "object that the features describe: instance or algorithm"),
            position=(COUNT, "position of the step in the order of declarations"),
            is_default=(FLAG, "whether default_steps lists the step"),
            requires=(LIST, "feature steps that must run before this step"),
            provides=(LIST, "features that the step provides"),
        ),
        _relation("run", "scenario, run and measure", "instance_id repetition algorithm measure", **_RUN),
        _relation(
            "run_test",
            "scenario, run and measure of a separate test set",
            "instance_id repetition algorithm measure",
            **_RUN,
        ),
        _relation(
            "answer",
            "scenario and run in the scenario's file of answers",
            "instance_id repetition algorithm",
            instance_id=_INSTANCE,
            repetition=_REPETITION,
            algorithm=_ALGORITHM,
            said=(TEXT, "word that the file uses for the answer; null = none"),
            claim=(TEXT, f"meaning of the answer: {_CLAIMS}; null = no answer"),
            objective=(NUMBER, "objective of the best solution, as in the file"),
            n_answers=(COUNT, "number of answers of the run, if a run may give several"),
            judged=(TEXT, "verdict of the organisers: right or wrong; null = not checked"),
        ),
        _relation(
            "feature_value",
            "scenario, instance, repetition and feature",
            "instance_id repetition feature",
            **_FEATURE_VALUE,
        ),
        _relation(
            "feature_value_test",
            "scenario, instance, repetition and feature of a separate test set",
            "instance_id repetition feature",
            **_FEATURE_VALUE,
        ),
        _relation(
            "feature_status",
            "scenario, instance, repetition and feature step",
            "instance_id repetition step",
            **_FEATURE_STATUS,
        ),
        _relation(
            "feature_status_test",
            "scenario, instance, repetition and feature step of a separate test set",
            "instance_id repetition step",
            **_FEATURE_STATUS,
        ),
        _relation(
            "feature_cost",
            "scenario, instance, repetition and feature step",
            "instance_id repetition step",
            **_FEATURE_COST,
        ),
        _relation(
            "feature_cost_test",
            "scenario, instance, repetition and feature step of a separate test set",
            "instance_id repetition step",
            **_FEATURE_COST,
        ),
        _relation(
            "fold",
            "scenario, split and instance",
            "cv_scheme cv_repetition instance_id",
            cv_scheme=(
                TEXT,
                "name of the split: aslib (folds of cv.arff), split (fixed test set) or another",
            ),
            cv_repetition=(COUNT, "repetition of the cross-validation"),
            fold=(COUNT, "fold in which the instance is tested; null = only for training"),
            instance_id=_INSTANCE,
        ),
        _relation(
            "reference",
            "scenario, instance and reference value",
            "instance_id role",
            instance_id=_INSTANCE,
            role=(TEXT, "name of the reference value, as in ground_truth.arff"),
            value=(NUMBER, "numeric reference value"),
            label=(TEXT, "reference value that is a text, such as SAT"),
        ),
        _relation(
            "attribute",
            "scenario, instance and attribute with a known value",
            "instance_id attribute",
            instance_id=_INSTANCE,
            attribute=(TEXT, "name of the attribute, such as family, track or ground_truth"),
            value=(TEXT, "value of the attribute, as text"),
        ),
        _relation(
            "selection",
            "scenario, selector, split, instance and step of the selector's schedule",
            "selector cv_scheme cv_repetition instance_id position",
            **_ANSWER,
            position=(COUNT, "position of the step in the schedule, from 1; 0 for an empty schedule"),
            action=(TEXT, f"kind of the step: {_ACTIONS}, or none for an empty schedule"),
            name=(TEXT, "name of the algorithm or feature step; null for an empty schedule"),
            budget=(NUMBER, f"time limit of the step; null = the step can run up to the cutoff [{_UNIT}]"),
        ),
        _relation(
            "selector",
            "scenario, selector and split. The row says where the predictions come from",
            "selector cv_scheme",
            selector=_ANSWER["selector"],
            cv_scheme=_ANSWER["cv_scheme"],
            origin=(TEXT, "trained (by aslib-eval), imported (from a file) or stored (by other programs)"),
            file=(TEXT, "name of the imported file"),
            seed=(SIZE, "random seed of the training"),
            version=(TEXT, "version of aslib-eval that trained the selector"),
            training_time=(NUMBER, "mean time to train the selector for a fold; null = unknown [s]"),
            n_trained=(COUNT, "number of folds whose training time is known"),
            choosing_time=(NUMBER, "mean time of a choice for one instance; null = unknown [s]"),
            n_chosen=(COUNT, "number of instances whose choosing time is known"),
        ),
        _relation(
            "outcome",
            "scenario, selector, split and instance on which another program ran the selector",
            "selector cv_scheme cv_repetition instance_id",
            **_ANSWER,
            time=(NUMBER, f"runtime of the selector; ignore it if runstatus is not ok [{_UNIT}]"),
            runstatus=_STATUS,
            objective=(NUMBER, "value of the quality measure; null = no value"),
            price=(NUMBER, "price that the selector paid for the instance; null = not given [USD]"),
            pays_features=(FLAG, "whether the column `time` includes the cost of the features"),
        ),
        _relation(
            "trajectory",
            "scenario, measure and point of a run. A point is a solution that the run found",
            "instance_id algorithm trial measure step suggestion",
            instance_id=_INSTANCE,
            algorithm=_ALGORITHM,
            trial=_REPETITION,
            measure=(TEXT, "name of the measure"),
            step=(COUNT, "number of the step within the run, from 1"),
            suggestion=(COUNT, "number of the point, if the optimiser tried several points in this step"),
            elapsed=(NUMBER, f"time from the start of the run to the point; null = unknown [{_UNIT}]"),
            value=(NUMBER, "value of the solution, as in the file"),
            visible=(NUMBER, "value that the optimiser observed; null = the same as in the column `value`"),
        ),
    )
)


VERSIONS = ".versions"
PREFIX = "scenario_id="
CURRENT = "current"
MANIFEST = "manifest.json"
PART = "part-0.parquet"
# A folder is filled under the first name and gets the second when it is complete.
UNFINISHED = "new-"
WHOLE = "v-"
_LONGEST = 200
REPAIR = "Run 'aslib-eval lake repair' on it; nothing is lost by that."


def require_unicode(lake: Path) -> None:
    """Raise AslibError for a folder whose files DuckDB cannot open."""
    name = str(lake.absolute())
    if name != name.encode(errors="ignore").decode():
        what = "the name of the lake's folder is not Unicode text"
        raise AslibError(what, str(lake), "Name another --lake, or rename the folder.")


def partition(scenario_id: str) -> str:
    """The Hive partition folder of a scenario, safe as a file name."""
    try:
        name = PREFIX + quote(scenario_id, safe="")
    except UnicodeEncodeError:
        raise AslibError(
            f"the scenario_id {scenario_id!a} is not Unicode text", None, "Give it another one."
        ) from None
    if len(name) > _LONGEST:
        what = f"the scenario_id of {len(scenario_id)} characters is too long"
        raise AslibError(what, None, "Shorten it to 180 plain characters.")
    return name


def _code(scenario_id: str) -> str:
    """The partition folder with every letter as its code: no two ids differ in case."""
    return PREFIX + "".join(f"%{byte:02X}" for byte in scenario_id.encode())


def _escaped(scenario_id: str) -> str:
    code = _code(scenario_id)
    if len(code) > _LONGEST:
        what = f"the scenario_id {scenario_id!r} differs only in case from another one"
        raise AslibError(what, None, "Give it a name that differs in more.")
    return code


def home_of(lake: Path, scenario_id: str) -> Path:
    """The folder that holds a scenario's versions, or that a new one would get.

    It is named like the partition. If another scenario's name differs from that in nothing but case, which
    some file systems ignore, every letter is escaped.
    """
    return home_among(frozenset(names_in(lake / VERSIONS)), lake, scenario_id)


def home_among(names: frozenset[str], lake: Path, scenario_id: str) -> Path:
    """The home of a scenario where homes of these names are there."""
    plain = partition(scenario_id)
    if plain in names:
        return lake / VERSIONS / plain
    taken = plain.casefold() in {name.casefold() for name in names}
    if taken or _code(scenario_id) in names:
        return lake / VERSIONS / _escaped(scenario_id)
    return lake / VERSIONS / plain


def scenario_of(name: str) -> str | None:
    """The scenario whose home has this name; None if it is no home's name."""
    if not name.startswith(PREFIX):
        return None
    with suppress(UnicodeDecodeError, AslibError):
        found = unquote(name.removeprefix(PREFIX), errors="strict")
        if found and name in (partition(found), _code(found)):
            return found
    return None


def homes(lake: Path) -> list[tuple[str, Path]]:
    """Every scenario and the folder of its versions, by scenario."""
    found = [(scenario_of(name), lake / VERSIONS / name) for name in names_in(lake / VERSIONS)]
    return sorted(
        (known, home) for known, home in found if known and home.is_dir() and not home.is_symlink()
    )


def versions_in(home: Path, prefix: str = WHOLE) -> list[Path]:
    """The folders of versions in a scenario's home."""
    found = [home / name for name in names_in(home) if name.startswith(prefix)]
    return sorted(p for p in found if p.is_dir() and not p.is_symlink())


def current(home: Path) -> Path | None:
    """The folder of the current version below a scenario's home, None without one."""
    while True:
        target = _target(home)
        if target is not None and (home / target).is_dir():
            return home / target
        lost = versions_in(home)
        if _target(home) != target or (target and (home / target).is_dir()):
            continue  # replaced in between: look again
        if target is not None and lost:
            raise AslibError(
                f"its current version {target} is gone, but others are there", str(home), REPAIR
            )
        if lost:
            raise AslibError(
                "it holds versions, but no link that says which one is current", str(home), REPAIR
            )
        return None


def _target(home: Path) -> str | None:
    """What the link ``current`` leads to; None if there is nothing."""
    link = home / CURRENT
    try:
        target = os.readlink(link)  # noqa: PTH115 - a name, whatever it holds
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        raise AslibError(
            f"{CURRENT!r} is no symbolic link; the lake was copied without them", str(home), REPAIR
        ) from None
    if not target.startswith(WHOLE) or "/" in target or (home / target).is_symlink():
        raise AslibError(f"{CURRENT!r} leads to {target!r}, which is no version of it", str(home), REPAIR)
    return target


def links(lake: Path, home: Path, relations: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Every link through which plain readers find a scenario, and where it leads."""
    inside = f"{VERSIONS}/{home.name}/{CURRENT}"
    for relation in sorted(relations):
        yield lake / relation / home.name, f"../{inside}/{relation}"
    name = home.name.removeprefix(PREFIX)
    yield lake / f"{name}.json", f"{inside}/{MANIFEST}"


def is_link(link: Path, target: str) -> bool:
    """Whether a path is a symbolic link with this very target."""
    try:
        return os.readlink(link) == target  # noqa: PTH115 - as text
    except OSError:
        return False


def stray_links(lake: Path) -> Iterator[tuple[Path, str]]:
    """Links of plain readers that lead to nothing, and the home that they are of."""
    for relation in RELATIONS:
        for name in names_in(lake / relation):
            home = lake / VERSIONS / name
            for link, target in links(lake, home, [relation]):
                if link.parent != lake and is_link(link, target) and not link.exists():
                    yield link, name
    for file in names_in(lake):
        name = PREFIX + file.removesuffix(".json")
        for link, target in links(lake, lake / VERSIONS / name, ()):
            if link.name == file and is_link(link, target) and not link.exists():
                yield link, name


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted; none if it is not there."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
    except (FileNotFoundError, NotADirectoryError):
        return []
