"""A contest's folder: which files belong to a task, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from aslib_eval.errors import Finding
from aslib_eval.inference.files import ASKED, ENDINGS
from aslib_eval.inference.settings import FILE, Settings, parse_settings
from aslib_eval.metrics.networks import Evidence, Network, network
from aslib_eval.readers.locations import Location
from aslib_eval.readers.sources import Sources
from aslib_eval.readers.uai import parse_model
from aslib_eval.readers.uai_answers import Answer, Question, parse_answer
from aslib_eval.readers.uai_problems import (
    parse_evidence,
    parse_query,
    parse_test_points,
)
from aslib_eval.readers.uai_tokens import FormatError

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
    question: Question
    evidence: tuple[Evidence, ...]
    given: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Contest:
    """One task of a contest as read.

    answers: network, solver and limit → the answer, None if it is none; what is
        absent was not answered.
    """

    task: str
    settings: Settings
    asked: tuple[Asked, ...]
    solvers: tuple[str, ...]
    answers: Mapping[tuple[str, str, str], Answer | None]
    findings: tuple[Finding, ...]


def read_settings(
    location: Location, sources: Sources
) -> tuple[Settings, list[Finding]]:
    """The settings of a contest and what is wrong with them."""
    source = sources.get(FILE)
    content = None if source is None else source.content
    file = location.file(FILE)
    return parse_settings(content, file=file, folder=location.folder)


def read_contest(location: Location, sources: Sources) -> Contest:
    """One task of a contest; nothing raises, every remark is a finding.

    An answer that is none is a warning: it scores 0. What is wrong with a network,
    its evidence or a role is an error, as no score can be made.
    """
    settings, findings = read_settings(location, sources)
    reader = _Reader(location, sources, findings)
    task = location.part
    asked = tuple(reader.asked(task, settings))
    solvers, answers = reader.answers(asked, settings)
    if not any(f.severity == "error" for f in findings):
        reader.leftovers(task)
    if not asked:
        reader.error("", "no network can be asked this", "Add networks/NAME.uai.")
    elif not solvers:
        reader.error("answers", "nobody has answered", f"Add SOLVER/NAME.uai.{task}.")
    return Contest(task, settings, asked, solvers, answers, tuple(findings))


class _Reader:
    """The files of a contest, those that were looked at, and all remarks."""

    def __init__(
        self, location: Location, sources: Sources, findings: list[Finding]
    ) -> None:
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

    def asked(self, task: str, settings: Settings) -> Iterator[Asked]:
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
        parsed, said = parse_model(content, file=network_file)
        self.findings += said
        if parsed is None:
            return None
        model = network(parsed.cards, [(t.scope, t.values) for t in parsed.tables])
        question = Question(task, model.cards)
        if task == "MLC":
            return self._tested(Asked(name, network_file, model, question, ()))
        evidence: Evidence | None = {}
        if (there := self.content(f"evidence/{name}.uai.evid")) is not None:
            evidence, said = parse_evidence(there[0], file=there[1], cards=model.cards)
            self.findings += said
        if evidence is None:
            return None
        question = replace(question, observed=frozenset(evidence))
        if task == "MMAP":
            content, file = self.content(self._problem(name, task)) or (b"", "")
            query, said = parse_query(content, file=file, cards=model.cards)
            self.findings += said
            question = replace(question, query=query or ())
        return Asked(name, network_file, model, question, (evidence,))

    def _problem(self, name: str, task: str) -> str:
        folder, end = ASKED[task]
        return f"{folder}/{name}.uai{end}"

    def _tested(self, asked: Asked) -> Asked | None:
        content, file = self.content(self._problem(asked.name, "MLC")) or (b"", "")
        found, said = parse_test_points(content, file=file, cards=asked.model.cards)
        self.findings += said
        if found is None:
            return None
        size = len(found.points)
        question = replace(asked.question, query=found.query, points=size)
        return replace(asked, question=question, evidence=found.points)

    def _with_roles(self, asked: Asked) -> Asked:
        given: dict[str, Answer] = {}
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
        self, asked: tuple[Asked, ...], settings: Settings
    ) -> tuple[tuple[str, ...], dict[tuple[str, str, str], Answer | None]]:
        """The solvers that answered anything, and all their answers."""
        names = sorted(
            {n.split("/")[1] for n in self.sources if n.startswith("answers/")}
        )
        found: dict[tuple[str, str, str], Answer | None] = {}
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

    def _judged(self, name: str, asked: Asked) -> Answer | None:
        try:
            return self._answer(name, asked)
        except FormatError as error:
            finding = error.finding("uai-answer", "warning")
            hint = f"{finding.hint} It scores 0.".strip()
            finding = replace(finding, hint=hint)
            if finding not in self.findings:  # one file may hold for several limits
                self.findings.append(finding)
            return None

    def _answer(self, name: str, asked: Asked) -> Answer | None:
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
