"""All files of the contest, made anew from the names of its networks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from . import belief, exact, generate, gibbs, mean_field
from .problem import Problem, Solver, explanation, problem

NAME = "INFERENCE-2026"
LIMITS = (10, 200)
TASKS = ("PR", "MAR", "MAP", "MMAP")
SOLVERS: dict[str, Solver] = {
    "belief-propagation": belief.answer,
    "exact": exact.answer,
    "gibbs": gibbs.answer,
    "mean-field": mean_field.answer,
}
TEXTS = Path(__file__).parent
SETTINGS = f"""\
# Made by scripts/infer. A limit is a number of sweeps over all variables or messages.
name = "{NAME}"
limits = [{", ".join(map(str, LIMITS))}]
unit = "sweeps"
weights = [1, 4]
best = "optimum"
"""


def files(names: Iterable[str] | None = None) -> Iterator[tuple[str, str]]:
    """Path in the folder and text of every file; of some networks only if named."""
    if names is None:
        yield from texts()
    for name in generate.names() if names is None else names:
        draft = generate.draft(name)
        model, evidence, query = draft.files()
        yield f"networks/{name}.uai", model
        if evidence:
            yield f"evidence/{name}.uai.evid", evidence
        if query:
            yield f"queries/{name}.uai.query", query
        asked = problem(name, model=model, evidence=evidence, query=query)
        if draft.guess:
            guess = explanation(asked, dict(enumerate(draft.guess)))
            yield f"roles/trivial/{name}.uai.MAP", guess
        yield from answers(asked)


def texts() -> Iterator[tuple[str, str]]:
    """The files that belong to no network."""
    yield "contest.toml", SETTINGS
    for name in ("readme.txt", "citation.bib"):
        yield name, (TEXTS / name).read_text()


def answers(asked: Problem) -> Iterator[tuple[str, str]]:
    """What every solver says to every task; nothing where it has no answer.

    One file where the answer is the same at every limit.
    """
    for solver, answer in SOLVERS.items():
        for task in TASKS:
            if task == "MMAP" and not asked.query:
                continue
            said = [answer(asked, task=task, sweeps=limit) for limit in LIMITS]
            end = f"{asked.name}.uai.{task}"
            if said[0] is not None and len(set(said)) == 1:
                yield f"answers/{solver}/{end}", said[0]
                continue
            for limit, text in zip(LIMITS, said, strict=True):
                if text is not None:
                    yield f"answers/{solver}/{limit}/{end}", text
