"""What in prompts and answers of a log would mislead a ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aslib_eval.errors import Finding
from aslib_eval.extensions.evaluations.logs import Sample
from aslib_eval.formats.aslib.lint import LimitedFindings
from aslib_eval.text import plural

_FEW = 5  # runs of which nothing is said
_ALIKE = 0.5  # of all answers


def content_findings(rows: Iterable[tuple[str, str, Sample]], *, file: str) -> tuple[Finding, ...]:
    """Prompts that occur twice, and solvers that answer different prompts alike.

    rows: solver, instance and sample.
    """
    found, place = LimitedFindings(file), (file, None)
    asked: dict[tuple[str, str], set[str]] = {}
    answers: dict[str, dict[str, str]] = {}
    for solver, instance, sample in rows:
        if sample.prompt:
            asked.setdefault((solver, sample.prompt), set()).add(instance)
            if sample.answer:
                answers.setdefault(solver, {})[sample.prompt] = sample.answer
    again = {frozenset(instances) for instances in asked.values() if len(instances) > 1}
    if extra := sum(len(each) - 1 for each in again):
        example = " and ".join(sorted(min(again, key=sorted))[:2])
        what = f"{plural(extra, 'instance')} have a prompt that another one has, as {example}"
        found.say(
            "log-prompts",
            place,
            what,
            "They count more than once in each mean, and intervals are too narrow.",
        )
    for solver, of in answers.items():
        _, most = Counter(of.values()).most_common(1)[0]
        if len(of) >= _FEW and most > max(_ALIKE * len(of), 1):
            what = f"{solver} gives the same answer to {most} of {len(of)} different prompts"
            hint = "Its score is that of a constant answer: it ranks by luck. Is the answer an error?"
            found.say("log-answers", place, what, hint)
    return found.findings
