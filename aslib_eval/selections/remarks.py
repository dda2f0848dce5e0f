"""Findings on a file of answers: errors one by one, the rest once a kind."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    "repetition-assumed",
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
        """All errors by line, the first twenty of a kind; then the warnings."""
        found = [f for code in self._said for f in self._of(code)]
        found.sort(key=lambda f: (f.severity != "error", f.line is None, f.line or 0))
        return tuple(found)

    def _of(self, code: str) -> list[Finding]:
        said, times = self._said[code], self._times[code]
        first = said[0]
        if first.severity == "error":
            rest = times - len(said)
            more = f"and {rest} more of {code!r}"
            last = Finding(code, "error", self.file, None, more, "")
            return [*said, last] if rest > 0 else said
        what = f"{first.message} (so on {times} instances)"
        message = what if times > 1 else first.message
        return [Finding(code, "warning", self.file, first.line, message, first.hint)]
