"""A contest's folder: which files belong to a task, and what they hold.

contest.toml: what a contest's folder does not show by itself.

::

    name = "UAI-2022"            # of its scenarios: UAI-2022-PR, …; default: the folder
    limits = [20, 1200, 3600]    # for how long solvers ran; default: one, unnamed
    unit = "s"                   # of the limits
    weights = [1, 4, 5]          # of the limits in the final score; default: all equal
    best = "optimum"             # MAP, MMAP: also look for it here; default "known"
    largest = 4194304            # entries of the largest table that may be computed,
                                 # 8 bytes each, up to 2^30; this is the default
    tasks = ["PR", "MAR"]        # default: all that have answers
    [networks]                   # default: all that can be asked the task
    PR = ["Grids_*", "DBN_1*"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from aslib_eval.errors import Finding
from aslib_eval.extensions.inference.formats.uai.answer_files import (
    TASKS,
    InferenceQuery,
    SolverAnswer,
    parse_answer,
    parse_evidence,
    parse_query,
    parse_test_points,
)
from aslib_eval.extensions.inference.formats.uai.elimination import LARGEST
from aslib_eval.extensions.inference.formats.uai.networks import (
    Evidence,
    FormatError,
    Network,
    network,
    parse_model,
)
from aslib_eval.formats.sources import (
    TEXTS,
    Keys,
    Location,
    Source,
    Sources,
    is_text,
    line_of,
    load_files,
    read_settings_file,
)

FILE = "contest.toml"
_CODE = "uai-contest"
_BEST = ("known", "optimum")
_MOST = 2**30


@dataclass(frozen=True)
class ContestSettings:
    """The settings of a contest; ``limits`` is empty where there is only one."""

    name: str
    limits: tuple[float, ...] = ()
    unit: str = "s"
    weights: tuple[float, ...] = (1.0,)
    best: str = "known"
    largest: int = LARGEST
    tasks: tuple[str, ...] = ()
    networks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """The limits as folders and measures have them; one without a name if none."""
        return tuple(f"{limit:.15g}" for limit in self.limits) or ("",)

    def asks(self, network: str, *, task: str) -> bool:
        """Whether a network belongs to a task."""
        globs = self.networks.get(task, ("*",))
        return any(fnmatchcase(network, glob) for glob in globs)


def parse_settings(
    content: bytes | None, *, file: str, folder: str
) -> tuple[ContestSettings, list[Finding]]:
    """The settings, with defaults where they are silent; everything that is wrong."""
    if content is None:
        return ContestSettings(folder), []
    raw, wrong = read_settings_file(content, file=file, code=_CODE, keys=_KEYS)
    wrong = wrong or _weight_faults(raw, content, file)
    return (ContestSettings(folder) if wrong else _settings(raw, folder)), wrong


def _settings(raw: Mapping[str, Any], folder: str) -> ContestSettings:
    limits = tuple(map(float, raw.get("limits", ())))
    return ContestSettings(
        name=raw.get("name", folder),
        limits=limits,
        unit=raw.get("unit", "s"),
        weights=tuple(map(float, raw.get("weights", [1.0] * max(len(limits), 1)))),
        best=raw.get("best", "known"),
        largest=raw.get("largest", LARGEST),
        tasks=tuple(raw.get("tasks", ())),
        networks={k: tuple(v) for k, v in raw.get("networks", {}).items()},
    )


def _weight_faults(raw: Mapping[str, Any], content: bytes, file: str) -> list[Finding]:
    limits = raw.get("limits", [0])
    if "weights" not in raw or len(raw["weights"]) == max(len(limits), 1):
        return []
    line, what = line_of(content, "weights"), "weights must be as many as the limits"
    return [Finding(_CODE, "error", file, line, what)]


def _are_numbers(value: Any) -> bool:
    kinds = (int, float)
    return isinstance(value, list) and all(type(x) in kinds and x > 0 for x in value)


def _are_limits(value: Any) -> bool:
    return _are_numbers(value) and value == sorted(set(value))


def _is_size(value: Any) -> bool:
    return type(value) is int and 1 <= value <= _MOST


def _are_tasks(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and set(map(str, value)) <= set(TASKS)


def _are_globs(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    lists = [v if isinstance(v, list) else [None] for v in value.values()]
    return set(value) <= set(TASKS) and all(is_text(x) for part in lists for x in part)


_KEYS: Keys = {
    "name": (is_text, "a text"),
    "limits": (_are_limits, "a list of ascending numbers above 0"),
    "unit": (is_text, "a text"),
    "weights": (_are_numbers, "a list of numbers above 0"),
    "best": (lambda value: value in _BEST, f"one of {', '.join(_BEST)}"),
    "largest": (_is_size, "a whole number from 1 to 2^30"),
    "tasks": (_are_tasks, f"a list of {', '.join(TASKS)}"),
    "networks": (_are_globs, "a table of a list of names or globs for each task"),
}


# Which files of a contest's folder belong to a task.

# How answers to a task may end, and where to find what else it asks.
ENDINGS = {task: (task, "MPE") if task == "MAP" else (task,) for task in TASKS}
ASKED = {"MMAP": ("queries", ".query"), "MLC": ("tests", ".test")}


def tasks_of(path: Path) -> tuple[str, ...]:
    """The tasks of a contest's folder: as declared, else those with answers."""
    file = path / FILE
    content = file.read_bytes() if file.is_file() else None
    settings, wrong = parse_settings(content, file=str(file), folder=path.name)
    if settings.tasks or wrong:
        return settings.tasks
    ends = {p.suffix.removeprefix(".") for p in (path / "answers").rglob("*.uai.*")}
    return tuple(task for task in TASKS if ends & set(ENDINGS[task]))


def load(location: Location) -> dict[str, Source]:
    """The files of one task, by their path within the folder."""
    task = location.part
    ends = [f".uai.{end}" for end in ENDINGS.get(task, ())]
    globs = [*TEXTS, FILE, "networks/*.uai", "evidence/*.uai.evid"]
    if task in ASKED:
        globs.append("{}/*.uai{}".format(*ASKED[task]))
    globs += [f"{top}/**/*{end}" for top in ("answers", "roles") for end in ends]
    return load_files(location, globs)


def settings_of(location: Location) -> dict[str, Source]:
    """The file of the settings alone, if there is one."""
    return load_files(location, [FILE])


ROLES = ("best", "trivial")


@dataclass(frozen=True, eq=False)
class Asked:
    """A network with what a task asks of it; ``file`` is where it stands.

    evidence: one observation; of MLC one for each test point.
    given: what stands in roles/, by role.
    """

    name: str
    file: str
    model: Network
    question: InferenceQuery
    evidence: tuple[Evidence, ...]
    given: Mapping[str, SolverAnswer] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class InferenceContest:
    """One task of a contest as read.

    answers: network, solver and limit → the answer, None if it is none; what is
        absent was not answered.
    """

    task: str
    settings: ContestSettings
    asked: tuple[Asked, ...]
    solvers: tuple[str, ...]
    answers: Mapping[tuple[str, str, str], SolverAnswer | None]
    findings: tuple[Finding, ...]


def read_settings(location: Location, sources: Sources) -> tuple[ContestSettings, list[Finding]]:
    """The settings of a contest and what is wrong with them."""
    source = sources.get(FILE)
    content = None if source is None else source.content
    file = location.file(FILE)
    return parse_settings(content, file=file, folder=location.folder)


def read_contest(location: Location, sources: Sources) -> InferenceContest:
    """One task of a contest; nothing raises, everything wrong is a finding.

    An answer that is none is a warning: it scores 0. What is wrong with a network,
    its evidence or a role is an error, as no score can be made.
    """
    settings, findings = read_settings(location, sources)
    reader = _SettingsReader(location, sources, findings)
    task = location.part
    asked = tuple(reader.asked(task, settings))
    solvers, answers = reader.answers(asked, settings)
    if not any(f.severity == "error" for f in findings):
        reader.leftovers(task)
    if not asked:
        reader.error("", "no network can be asked this", "Add networks/NAME.uai.")
    elif not solvers:
        reader.error("answers", "nobody has answered", f"Add SOLVER/NAME.uai.{task}.")
    return InferenceContest(task, settings, asked, solvers, answers, tuple(findings))


class _SettingsReader:
    """The files of a contest, those that were looked at, and all findings."""

    def __init__(self, location: Location, sources: Sources, findings: list[Finding]) -> None:
        self.location = location
        self.sources = sources
        self.findings = findings
        self.used: set[str] = set()

    def error(self, name: str, what: str, hint: str = "") -> None:
        file = self.location.file(name) if name else self.location.shown
        self.findings.append(Finding("uai-contest", "error", file, None, what, hint))

    def content(self, name: str) -> tuple[bytes, str] | None:
        """A file's bytes and the path to show; None if it is absent."""
        self.used.add(name)
        source = self.sources.get(name)
        return None if source is None else (source.content, self.location.file(name))

    def asked(self, task: str, settings: ContestSettings) -> Iterator[Asked]:
        for name in sorted(self.sources):
            network_name = Path(name).name.removesuffix(".uai")
            if name.startswith("networks/") and settings.asks(network_name, task=task):
                found = self._asked(network_name, task)
                if found is not None:
                    yield self._with_roles(found)

    def _asked(self, name: str, task: str) -> Asked | None:
        if task in ASKED and self._problem(name, task) not in self.sources:
            return None
        content, network_file = self.content(f"networks/{name}.uai") or (b"", "")
        parsed, more = parse_model(content, file=network_file)
        self.findings += more
        if parsed is None:
            return None
        model = network(parsed.cards, [(t.scope, t.values) for t in parsed.tables])
        question = InferenceQuery(task, model.cards)
        if task == "MLC":
            return self._tested(Asked(name, network_file, model, question, ()))
        evidence: Evidence | None = {}
        if (there := self.content(f"evidence/{name}.uai.evid")) is not None:
            evidence, more = parse_evidence(there[0], file=there[1], cards=model.cards)
            self.findings += more
        if evidence is None:
            return None
        question = replace(question, observed=frozenset(evidence))
        if task == "MMAP":
            content, file = self.content(self._problem(name, task)) or (b"", "")
            query, more = parse_query(content, file=file, cards=model.cards)
            self.findings += more
            question = replace(question, query=query or ())
        return Asked(name, network_file, model, question, (evidence,))

    def _problem(self, name: str, task: str) -> str:
        folder, end = ASKED[task]
        return f"{folder}/{name}.uai{end}"

    def _tested(self, asked: Asked) -> Asked | None:
        content, file = self.content(self._problem(asked.name, "MLC")) or (b"", "")
        found, more = parse_test_points(content, file=file, cards=asked.model.cards)
        self.findings += more
        if found is None:
            return None
        size = len(found.points)
        question = replace(asked.question, query=found.query, points=size)
        return replace(asked, question=question, evidence=found.points)

    def _with_roles(self, asked: Asked) -> Asked:
        given: dict[str, SolverAnswer] = {}
        for role in ROLES:
            name = self._answer_file(f"roles/{role}", asked)
            try:
                answer = self._answer(name, asked)
            except FormatError as error:
                self.findings.append(error.finding("uai-role"))
            else:
                if answer is not None:
                    given[role] = answer
        return replace(asked, given=given)

    def answers(
        self, asked: tuple[Asked, ...], settings: ContestSettings
    ) -> tuple[tuple[str, ...], dict[tuple[str, str, str], SolverAnswer | None]]:
        """The solvers that answered anything, and all their answers."""
        names = sorted({n.split("/")[1] for n in self.sources if n.startswith("answers/")})
        found: dict[tuple[str, str, str], SolverAnswer | None] = {}
        for solver in names:
            for each in asked:
                for label in settings.labels:
                    name = self._limited(solver, label, each)
                    if name in self.sources:
                        key = (each.name, solver, label)
                        found[key] = self._judged(name, each)
        solvers = {solver for _, solver, _ in found}
        return tuple(sorted(solvers)), found

    def _limited(self, solver: str, label: str, asked: Asked) -> str:
        """The file of one limit; where there is none, the one of all limits."""
        whole = self._answer_file(f"answers/{solver}", asked)
        own = self._answer_file(f"answers/{solver}/{label}", asked) if label else whole
        return own if own in self.sources else whole

    def _answer_file(self, folder: str, asked: Asked) -> str:
        ends = ENDINGS[asked.question.task]
        names = [f"{folder}/{asked.name}.uai.{end}" for end in ends]
        return next((name for name in names if name in self.sources), names[0])

    def _judged(self, name: str, asked: Asked) -> SolverAnswer | None:
        try:
            return self._answer(name, asked)
        except FormatError as error:
            finding = error.finding("uai-answer", "warning")
            hint = f"{finding.hint} It scores 0.".strip()
            finding = replace(finding, hint=hint)
            if finding not in self.findings:  # one file may hold for several limits
                self.findings.append(finding)
            return None

    def _answer(self, name: str, asked: Asked) -> SolverAnswer | None:
        there = self.content(name)
        if there is None:
            return None
        return parse_answer(there[0], file=there[1], question=asked.question)

    def leftovers(self, task: str) -> None:
        """Files of the task that belong to no network, solver or limit."""
        ends = tuple(f".uai.{end}" for end in ENDINGS[task])
        for name in sorted(set(self.sources) - self.used):
            if name.startswith(("answers/", "roles/")) and name.endswith(ends):
                what = "belongs to no network, role or limit of the contest"
                file, hint = self.location.file(name), "It counts nowhere."
                code = "uai-leftover"
                self.findings.append(Finding(code, "warning", file, None, what, hint))
