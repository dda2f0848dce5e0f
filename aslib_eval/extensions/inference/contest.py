"""A contest's folder: the files of each task, and the answers of solvers.

contest.toml, all optional:

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

A question is a network with evidence, the query of a marginal MAP, or test points. An answer has its task
on the first line, then solutions, separated by lines ``-BEGIN-``. Only the last solution is read. An answer
that breaks the format, or does not fit the question, is invalid.

Source: UAI inference competition 2022, file formats and result file format; PASCAL challenge 2011 for
evidence with the number of samples on a line before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.extensions.inference.networks import (
    LARGEST,
    SUM,
    Evidence,
    FormatError,
    Network,
    Tokens,
    network,
    parse_model,
    parsed,
    shown,
    variables,
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

Assignment = Mapping[int, int]
Cards = tuple[int, ...]
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class TestPoints:
    """A .test file: the observed and the query variables, and an assignment for each test point."""

    observed: tuple[int, ...]
    query: tuple[int, ...]
    points: tuple[Assignment, ...]


def parse_evidence(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[Assignment | None, list[Finding]]:
    """Observed variables with their values; none for an empty file or ``0``.

    cards: of the network; None = do not check variables and values.

    Edge cases: a line with the number of samples may come first (until 2010); more than one sample is an
    error.
    """
    return parsed(lambda tokens: _evidence(tokens, cards), content, file)


def parse_query(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[tuple[int, ...] | None, list[Finding]]:
    """The variables that a marginal MAP asks for."""

    def read(tokens: Tokens) -> tuple[int, ...]:
        found = variables(tokens, "the query", of=len(cards) if cards else None)
        tokens.done()
        return found

    return parsed(read, content, file)


def parse_test_points(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[TestPoints | None, list[Finding]]:
    """The test points of a multi-label classification: many observations of one network.

    A point is pairs of variable and value; their number may come first.
    """
    return parsed(lambda tokens: _test_points(tokens, cards), content, file)


def _evidence(tokens: Tokens, cards: Cards | None) -> Assignment:
    if not tokens.left:
        return {}
    lines = [line.split() for line in tokens.content.split(b"\n") if line.strip()]
    if len(lines[0]) == 1 and len(lines) > 1 and _are_samples(lines):
        samples = tokens.whole("the number of samples")
        if samples > 1:
            hint = "Make a network file for each."
            raise tokens.fault(f"has {samples} samples of evidence", hint=hint)
    found = tokens.pairs(tokens.whole("the number of observed variables"), "the evidence")
    _require_values(tokens, found, cards)
    tokens.done()
    return found


def _are_samples(lines: list[list[bytes]]) -> bool:
    """Whether the first line has the number of samples, and each further line a sample."""
    (first,), *samples = lines
    whole = [int(line[0]) if line[0].isdigit() else -1 for line in samples]
    fits = all(len(x) == 1 + 2 * n for x, n in zip(samples, whole, strict=True))
    return fits and first == str(len(samples)).encode()


def _require_values(tokens: Tokens, found: Assignment, cards: Cards | None) -> None:
    for v, value in found.items() if cards is not None else ():
        if cards is not None and not (v < len(cards) and value < cards[v]):
            raise tokens.fault(f"the network has no value {value} of variable {v}")


def _test_points(tokens: Tokens, cards: Cards | None) -> TestPoints:
    n = tokens.whole("the number of variables", low=1)
    if cards is not None and n != len(cards):
        raise tokens.fault(f"has {n} variables, the network {len(cards)}")
    parts = [variables(tokens, f"the {name} part", of=n) for name in ("observed", "query", "hidden")]
    listed = sorted(v for part in parts for v in part)
    if len(listed) != n or listed != list(range(n)):
        hint = "Put each variable into one of the three parts."
        raise tokens.fault("the parts do not hold every variable once", hint=hint)
    count = tokens.whole("the number of test points")
    if count > 1 and not parts[0]:
        raise tokens.fault("nothing is observed, so all points are the same")
    counted = tokens.left == count * (1 + 2 * len(parts[0]))
    points = tuple(_point(tokens, i, parts[0], cards, counted=counted) for i in range(count))
    tokens.done()
    return TestPoints(parts[0], parts[1], points)


def _point(
    tokens: Tokens, number: int, observed: tuple[int, ...], cards: Cards | None, *, counted: bool
) -> Assignment:
    what = f"test point {number + 1}"
    if counted and tokens.whole(what) != len(observed):
        raise tokens.fault(f"{what} does not have {len(observed)} variables")
    found = tokens.pairs(len(observed), what)
    _require_values(tokens, found, cards)
    if set(found) != set(observed):
        raise tokens.fault(f"{what} does not have the observed variables")
    return found


TASKS = ("PR", "MAR", "MAP", "MMAP", "MLC")
NAMES: Mapping[bytes, str] = {b"MPE": "MAP", **{t.encode(): t for t in TASKS}}
_BEGIN = b"-BEGIN-"
Distribution = NDArray[np.float64]


@dataclass(frozen=True)
class InferenceQuery:
    """The question that an answer must fit.

    cards: numbers of values of the network's variables. observed: variables of the evidence; their values
    in an answer are ignored. query: the query variables (MMAP, MLC). points: number of test points (MLC).
    """

    task: str
    cards: tuple[int, ...]
    observed: Collection[int] = ()
    query: tuple[int, ...] = ()
    points: int = 1


@dataclass(frozen=True, eq=False)
class SolverAnswer:
    """The last solution of an answer file.

    task: PR, MAR, MAP (in files also MPE), MMAP or MLC. log10_z: of PR; an infinite value is valid.
    marginals: of MAR, a distribution for each variable, as written. assignments: variable → value, one of
    MAP and MMAP, one for each test point of MLC. n_solutions: number of solutions in the file.
    """

    task: str
    log10_z: float = math.nan
    marginals: tuple[Distribution, ...] = ()
    assignments: tuple[Assignment, ...] = field(default=())
    n_solutions: int = 1


def parse_answer(content: bytes, *, file: str, question: InferenceQuery | None = None) -> SolverAnswer:
    """The last solution of an answer file.

    question: None = check the format alone. Otherwise log10 Z must not be nan, marginals of unobserved
    variables must be distributions (sum 1 within 1e-3), and assignments must give the query variables
    values that exist.

    Raises:
        FormatError: the file is not a valid answer.
    """
    head = Tokens(content, file=file)
    if not head.left:
        raise FormatError("is empty", file, 1)
    (word,) = head.words_of(1, "the task")
    task = NAMES.get(word)
    if task is None:
        known = ", ".join(sorted(name.decode() for name in NAMES))
        raise head.fault(f"begins with {shown(word)}, not with one of {known}")
    if question is not None and task != question.task:
        raise head.fault(f"is an answer to {task}, not to {question.task}")
    begins = [at for at, word in enumerate(head.words) if word == _BEGIN]
    tokens = Tokens(content, file=file, start=begins[-1] + 1 if begins else 1)
    if not tokens.left:
        raise tokens.fault("holds no solution", word=len(tokens.words) - 1)
    count = len(begins) + (not begins or begins[0] > 1)
    return replace(_READERS[task](tokens, question), n_solutions=count)


def _partition(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    (value,) = tokens.numbers(1, "log10 Z")
    if question is not None and math.isnan(value):
        raise tokens.fault("log10 Z is nan")
    tokens.done("An answer to PR is one number.")
    return SolverAnswer("PR", log10_z=value)


def _marginals(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    n = tokens.whole("the number of variables")
    if question is not None and n != len(question.cards):
        raise tokens.fault(f"has {n} variables, the network {len(question.cards)}")
    found = []
    for v in range(n):
        card = tokens.whole(f"the number of values of variable {v}", low=1)
        if question is not None and card != question.cards[v]:
            raise tokens.fault(f"variable {v} has {card} values, in the network {question.cards[v]}")
        values = np.array(tokens.numbers(card, f"the marginal of variable {v}"))
        found.append(values)
        if question is None or v in question.observed:
            continue
        if not (values >= 0).all():
            raise tokens.fault(f"the marginal of variable {v} has a negative number or nan")
        if not abs(values.sum() - 1) <= SUM:
            raise tokens.fault(f"the marginal of variable {v} sums to {values.sum():g}, not 1")
    tokens.done("The answer has more numbers than the variables need.")
    return SolverAnswer("MAR", marginals=tuple(found))


def _assignment(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    n = tokens.whole("the number of variables")
    if question is not None and n != len(question.cards):
        raise tokens.fault(f"has {n} variables, the network {len(question.cards)}")
    found = {}
    for v in range(n):
        found[v] = tokens.whole(f"the value of variable {v}")
        _require_value(tokens, v, found[v], question)
    tokens.done("The answer has more values than variables.")
    return SolverAnswer("MAP", assignments=(found,))


def _marginal_map(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    found = _queried(tokens, question)
    tokens.done("The answer has more pairs than its first number.")
    return SolverAnswer("MMAP", assignments=(found,))


def _points(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    found = []
    while tokens.left:
        found.append(_queried(tokens, question))
    if question is not None and len(found) != question.points:
        raise tokens.fault(f"answers {len(found)} of {question.points} test points")
    return SolverAnswer("MLC", assignments=tuple(found))


def _queried(tokens: Tokens, question: InferenceQuery | None) -> Assignment:
    """Pairs of variable and value, of exactly the variables asked for."""
    begin = tokens.at
    found = tokens.pairs(tokens.whole("the number of query variables"), "the answer")
    if question is not None and set(found) != set(question.query):
        first = min(set(found) ^ set(question.query))
        what = "is not in the query" if first in found else "is missing"
        raise tokens.fault(f"variable {first} {what}", word=begin)
    for v, value in found.items():
        _require_value(tokens, v, value, question)
    return found


def _require_value(tokens: Tokens, variable: int, value: int, question: InferenceQuery | None) -> None:
    if question is None or variable in question.observed:
        return
    if value >= (card := question.cards[variable]):
        raise tokens.fault(f"variable {variable} has no value {value}, only 0 to {card - 1}")


_READERS = {"PR": _partition, "MAR": _marginals, "MAP": _assignment, "MMAP": _marginal_map, "MLC": _points}


FILE = "contest.toml"
_CODE = "uai-contest"
_BEST = ("known", "optimum")
_MOST = 2**30


@dataclass(frozen=True)
class ContestSettings:
    """The settings of a contest; ``limits`` is empty for a single limit."""

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
        """The names of the limits in folders and measures; a single limit has none."""
        return tuple(f"{limit:.15g}" for limit in self.limits) or ("",)

    def asks(self, network: str, *, task: str) -> bool:
        """Whether a network belongs to a task."""
        return any(fnmatchcase(network, glob) for glob in self.networks.get(task, ("*",)))


def parse_settings(
    content: bytes | None, *, file: str, folder: str
) -> tuple[ContestSettings, list[Finding]]:
    """The settings with their defaults, and all errors."""
    if content is None:
        return ContestSettings(folder), []
    raw, wrong = read_settings_file(content, file=file, code=_CODE, keys=_KEYS)
    limits = tuple(map(float, raw.get("limits", ()))) if not wrong else ()
    if not wrong and "weights" in raw and len(raw["weights"]) != max(len(limits), 1):
        what = "weights must have one number for each limit"
        wrong = [Finding(_CODE, "error", file, line_of(content, "weights"), what)]
    if wrong:
        return ContestSettings(folder), wrong
    settings = ContestSettings(
        name=raw.get("name", folder),
        limits=limits,
        unit=raw.get("unit", "s"),
        weights=tuple(map(float, raw.get("weights", [1.0] * max(len(limits), 1)))),
        best=raw.get("best", "known"),
        largest=raw.get("largest", LARGEST),
        tasks=tuple(raw.get("tasks", ())),
        networks={k: tuple(v) for k, v in raw.get("networks", {}).items()},
    )
    return settings, []


def _are_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(x) in {int, float} and x > 0 for x in value)


def _are_tasks(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and set(map(str, value)) <= set(TASKS)


def _are_globs(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    lists = [v if isinstance(v, list) else [None] for v in value.values()]
    return set(value) <= set(TASKS) and all(is_text(x) for part in lists for x in part)


_KEYS: Keys = {
    "name": (is_text, "a text"),
    "limits": (
        lambda value: _are_numbers(value) and value == sorted(set(value)),
        "a list of ascending numbers above 0",
    ),
    "unit": (is_text, "a text"),
    "weights": (_are_numbers, "a list of numbers above 0"),
    "best": (lambda value: value in _BEST, f"one of {', '.join(_BEST)}"),
    "largest": (lambda value: type(value) is int and 1 <= value <= _MOST, "a whole number from 1 to 2^30"),
    "tasks": (_are_tasks, f"a list of {', '.join(TASKS)}"),
    "networks": (_are_globs, "a table of a list of names or globs for each task"),
}


# Endings of answers to a task; folder and ending of its further questions.
ENDINGS = {task: (task, "MPE") if task == "MAP" else (task,) for task in TASKS}
ASKED = {"MMAP": ("queries", ".query"), "MLC": ("tests", ".test")}


def tasks_of(path: Path) -> tuple[str, ...]:
    """The tasks of a contest's folder: declared ones, else those with answers."""
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


ROLES = ("best", "trivial")


@dataclass(frozen=True, eq=False)
class Asked:
    """A network with its question. evidence: one, or of MLC one for each test point. given: by role."""

    name: str
    file: str
    model: Network
    question: InferenceQuery
    evidence: tuple[Evidence, ...]
    given: Mapping[str, SolverAnswer] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class InferenceContest:
    """One task of a contest. answers: network, solver and limit → the answer, None if it is invalid."""

    task: str
    settings: ContestSettings
    asked: tuple[Asked, ...]
    solvers: tuple[str, ...]
    answers: Mapping[tuple[str, str, str], SolverAnswer | None]
    findings: tuple[Finding, ...]


def read_settings(location: Location, sources: Sources) -> tuple[ContestSettings, list[Finding]]:
    """The settings of a contest and their errors."""
    source = sources.get(FILE)
    content = None if source is None else source.content
    return parse_settings(content, file=location.file(FILE), folder=location.folder)


def read_contest(location: Location, sources: Sources) -> InferenceContest:
    """One task of a contest. An invalid answer is a warning, since it scores 0; other faults are errors."""
    settings, findings = read_settings(location, sources)
    reader = _ContestReader(location, sources, findings)
    task = location.part
    asked = tuple(reader.asked(task, settings))
    solvers, answers = reader.answers(asked, settings)
    if not any(f.severity == "error" for f in findings):
        reader.leftovers(task)
    if not asked:
        reader.error("", f"no network has a question of the task {task}", "Add networks/NAME.uai.")
    elif not solvers:
        reader.error("answers", "has no answers of solvers", f"Add SOLVER/NAME.uai.{task}.")
    return InferenceContest(task, settings, asked, solvers, answers, tuple(findings))


class _ContestReader:
    def __init__(self, location: Location, sources: Sources, findings: list[Finding]) -> None:
        self.location = location
        self.sources = sources
        self.findings = findings
        self.used: set[str] = set()

    def error(self, name: str, what: str, hint: str = "") -> None:
        file = self.location.file(name) if name else self.location.shown
        self.findings.append(Finding("uai-contest", "error", file, None, what, hint))

    def content(self, name: str) -> tuple[bytes, str] | None:
        """A file's bytes and the path to show; None without the file."""
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
        folder, end = ASKED.get(task, ("", ""))
        problem = f"{folder}/{name}.uai{end}"
        if folder and problem not in self.sources:
            return None
        model_file = f"networks/{name}.uai"
        parsed = self._parsed(parse_model, model_file)
        if parsed is None:
            return None
        model, cards = network(parsed.cards, parsed.tables), parsed.cards
        question, file = InferenceQuery(task, cards), self.location.file(model_file)
        if task == "MLC":
            tests = self._parsed(parse_test_points, problem, cards=cards)
            if tests is None:
                return None
            question = replace(question, query=tests.query, points=len(tests.points))
            return Asked(name, file, model, question, tests.points)
        evidence = self._parsed(parse_evidence, f"evidence/{name}.uai.evid", cards=cards)
        if evidence is None:
            return None
        query = self._parsed(parse_query, problem, cards=cards) if task == "MMAP" else ()
        question = replace(question, observed=frozenset(evidence), query=query or ())
        return Asked(name, file, model, question, (evidence,))

    def _parsed(
        self, parse: Callable[..., tuple[_Found | None, list[Finding]]], name: str, **more: Cards
    ) -> _Found | None:
        """The value of a file, which may be empty or absent; None with an error."""
        content, file = self.content(name) or (b"", "")
        found, findings = parse(content, file=file, **more)
        self.findings += findings
        return found

    def _with_roles(self, asked: Asked) -> Asked:
        given: dict[str, SolverAnswer] = {}
        for role in ROLES:
            name = self._answer_file(f"roles/{role}", asked)
            try:
                if (answer := self._answer(name, asked)) is not None:
                    given[role] = answer
            except FormatError as error:
                self.findings.append(error.finding("uai-role"))
        return replace(asked, given=given)

    def answers(
        self, asked: tuple[Asked, ...], settings: ContestSettings
    ) -> tuple[tuple[str, ...], dict[tuple[str, str, str], SolverAnswer | None]]:
        """The solvers with an answer, and all answers."""
        names = sorted({n.split("/")[1] for n in self.sources if n.startswith("answers/")})
        found: dict[tuple[str, str, str], SolverAnswer | None] = {}
        for solver in names:
            for each in asked:
                for label in settings.labels:
                    name = self._limited(solver, label, each)
                    if name in self.sources:
                        found[(each.name, solver, label)] = self._judged(name, each)
        return tuple(sorted({solver for _, solver, _ in found})), found

    def _limited(self, solver: str, label: str, asked: Asked) -> str:
        """The file of one limit, else the file of all limits."""
        whole = self._answer_file(f"answers/{solver}", asked)
        own = self._answer_file(f"answers/{solver}/{label}", asked) if label else whole
        return own if own in self.sources else whole

    def _answer_file(self, folder: str, asked: Asked) -> str:
        names = [f"{folder}/{asked.name}.uai.{end}" for end in ENDINGS[asked.question.task]]
        return next((name for name in names if name in self.sources), names[0])

    def _judged(self, name: str, asked: Asked) -> SolverAnswer | None:
        try:
            return self._answer(name, asked)
        except FormatError as error:
            finding = error.finding("uai-answer", "warning")
            finding = replace(finding, hint=f"{finding.hint} It scores 0.".strip())
            if finding not in self.findings:  # one file may hold for several limits
                self.findings.append(finding)
            return None

    def _answer(self, name: str, asked: Asked) -> SolverAnswer | None:
        if (there := self.content(name)) is None:
            return None
        return parse_answer(there[0], file=there[1], question=asked.question)

    def leftovers(self, task: str) -> None:
        """Warn of files of the task without a network, role or limit."""
        ends = tuple(f".uai.{end}" for end in ENDINGS[task])
        for name in sorted(set(self.sources) - self.used):
            if name.startswith(("answers/", "roles/")) and name.endswith(ends):
                what = "belongs to no network, role or limit of the contest, and is ignored"
                file = self.location.file(name)
                self.findings.append(Finding("uai-leftover", "warning", file, None, what))
