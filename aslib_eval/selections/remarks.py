"""Findings on a file of answers: errors one by one, what is odd once a kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from aslib_eval.errors import Finding, Severity

LIMIT = 20  # errors of a kind that are listed one by one

Code = Literal[
    "algorithm-unknown",
    "answer-duplicate",
    "budget",
    "fold",
    "instance-unknown",
    "scheme",
    "selector",
    "train-instance",
    "algorithm-again",
    "ambiguous-name",
    "answer-empty",
    "answer-missing",
    "budget-overrun",
    "ok-above-cutoff",
    "prediction-missing",
    "presolved",
    "repetition-assumed",
    "selector-like-algorithm",
    "step-again",
    "step-requires",
    "step-unreachable",
]
_ERRORS = {
    "algorithm-unknown",
    "answer-duplicate",
    "budget",
    "fold",
    "instance-unknown",
    "scheme",
    "selector",
    "train-instance",
}
# Warnings that are given once, with the number of instances they hold for.
_PER_INSTANCE = {
    "algorithm-again",
    "ambiguous-name",
    "answer-empty",
    "budget-overrun",
    "ok-above-cutoff",
    "presolved",
    "step-again",
    "step-requires",
    "step-unreachable",
}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors by line, then the rest by line; what is of no line comes after those."""
    return tuple(
        sorted(
            findings,
            key=lambda f: (f.severity != "error", f.line is None, f.line or 0),
        )
    )


@dataclass
class Remarks:
    """What was found in one file so far."""

    file: str
    _said: dict[str, list[Finding]] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        code: Code,
        line: int | None,
        what: str,
        *,
        hint: str = "",
        times: int = 1,
    ) -> None:
        """Note something that occurs ``times`` times, first on this line."""
        severity: Severity = "error" if code in _ERRORS else "warning"
        said = self._said.setdefault(code, [])
        self._times[code] = self._times.get(code, 0) + times
        if len(said) < LIMIT:
            said.append(Finding(code, severity, self.file, line, what, hint))

    def findings(self) -> tuple[Finding, ...]:
        """All errors by line, twenty of a kind and then a count; then the warnings."""
        found = [f for code in self._said for f in self._of(code)]
        return in_order(found)

    def _of(self, code: str) -> list[Finding]:
        said, times = self._said[code], self._times[code]
        if code in _PER_INSTANCE:
            what = said[0].message
            what += f" (so on {times} instances)" if times > 1 else ""
            return [replace(said[0], message=what)]
        if times == len(said):
            return said
        more = f"and {times - len(said)} more of {code!r}"
        return [*said, replace(said[0], line=None, message=more, hint="")]
