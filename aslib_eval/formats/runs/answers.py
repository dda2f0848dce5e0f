"""What solvers answered: in words, against the ground truth, and against each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from aslib_eval.formats.runs.run_cells import (
    ANSWERS,
    ENDED,
    MISSING,
    NO_ANSWER,
    STATUS_WORDS,
    TRUTH_VALUES,
    TRUTHS,
    number,
)

_SEVERAL = re.compile("[,;]")  # of a run that was asked several questions
# Other words of the same answers. That a run which says so is solved, nobody knows.
_SYNONYMS: Mapping[str, str] = {
    **ANSWERS,
    "violated": "sat",
    "feasible": "sat",
    "holds": "unsat",
    "infeasible": "unsat",
    "yes": "true",
    "no": "false",
}
# Answers (``compared``) of which at most one is right; of other words nobody knows it.
_EXCLUDING = [
    *({"sat", "unsat"}, {"optimum", "unsat"}, {"true", "false"}),
    *({"safe", "unsafe"}, {"valid", "invalid"}, {"theorem", "countersatisfiable"}),
]


def compared(word: str) -> str:
    """The word under which an answer is compared; empty where it says nothing."""
    low = word.lower()
    return "" if low in MISSING | NO_ANSWER else _SYNONYMS.get(low, low)


def contradict(one: str, other: str) -> bool:
    """Whether two answers (``compared``) are known not to be right both."""
    return {one, other} in _EXCLUDING


def is_right(answer: str, truth: str, truths: Collection[str]) -> bool | None:
    """Whether an answer is the right one; None where nobody knows.

    All are ``compared``. Another right answer of the table is not the one of this instance, and another
    number neither.
    """
    if answer == truth or {answer, truth} == {"sat", "optimum"}:
        return True
    if contradict(answer, truth) or answer in truths:
        return False
    return None if number(answer) is None or number(truth) is None else False


def contradicting(answers: Collection[str]) -> list[str]:
    """The answers that another one of them contradicts."""
    return [one for one in answers if any(contradict(one, each) for each in answers)]


def meaning(word: str, words: Mapping[str, str]) -> str | None:
    """The status that a word means; of several answers if none of them is one."""
    said = words.get(word.lower())
    if said is None:
        parts = {words.get(part.strip().lower()) for part in _SEVERAL.split(word)}
        return "other" if parts == {"other"} else None
    return said


def words_of(
    *, is_truth: bool, beside: bool, user: Mapping[str, str], truths: frozenset[str]
) -> dict[str, str]:
    """The words of a column, in lower case, and the statuses they mean.

    is_truth: of a column ``solved``. beside: of one beside a status, where nobody knows whether "false" is
    an answer, and an empty cell is none. user: his words, and what they mean. truths: the right answers of
    the table (``compared``).
    """
    words = {**STATUS_WORDS, **(TRUTH_VALUES if is_truth else {})}
    if beside:
        words |= dict.fromkeys(MISSING, "other")
    if not is_truth and not truths.isdisjoint(TRUTHS):
        words |= dict.fromkeys(TRUTHS, "ok")
    elif not is_truth and beside:
        words = {word: kind for word, kind in words.items() if word not in TRUTHS[2:]}
    return {**words, **user}


def is_answer(word: str, *, says_answers: bool, user: Mapping[str, str], truths: frozenset[str]) -> bool:
    """Whether a word of a run that is ok is an answer, which others can contradict.

    says_answers: whether its column is called like one of answers.
    """
    low = word.lower()
    if low in ANSWERS:
        return True
    if low in TRUTHS:
        known = {*truths, *user}
        return says_answers and not known.isdisjoint(TRUTHS)
    return says_answers and low not in ENDED
