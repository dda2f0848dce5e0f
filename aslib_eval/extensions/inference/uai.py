"""Contests of probabilistic inference: each task of a folder is a scenario, scored.

::

    contest.toml                       optional, see ``contest``
    networks/NAME.uai                  one instance each
    evidence/NAME.uai.evid             observed variables; none if it is absent
    queries/NAME.uai.query             variables of a marginal MAP (MMAP)
    tests/NAME.uai.test                test points (MLC): an instance NAME#1, … each
    answers/SOLVER/NAME.uai.TASK       a solver's answer, for every limit
    answers/SOLVER/LIMIT/NAME.uai.TASK the same for one of several limits
    roles/best/NAME.uai.TASK           the truth, or the best answer known before
    roles/trivial/NAME.uai.TASK        the answer of a trivial solver

TASK is PR, MAR, MAP (or MPE), MMAP or MLC. All files except contest.toml are in the formats of the
competitions. Each task becomes a scenario, NAME-TASK: its algorithms are the solvers with an answer, its
instances the networks of the task, its primary measure the score of the competition, from 0 to 100.

Variable elimination computes the truth of PR and MAR and the optimum of MLC, unless roles/best has them. A
network that needs a larger table than contest.toml allows is left out, with a warning.

The measures are ``score`` (0 to 100, over all limits), and for each limit its score and its error:
``score_20`` and ``error_20``, or only ``error`` with one limit. A missing answer has the status timeout, an
invalid one the status other; both have score 0 and no error. The references are log10_best, log10_trivial
and error_trivial.

An instance is a network with its evidence, or a test point of it. Its score compares the answer with the
best and a trivial answer: 100 at the error 0 of the truth (or the best known answer), 0 at the error of the
trivial answer and beyond. The score is a ratio of logarithms, so their base does not matter.

The competitions do not define their trivial solver. A contest may have its own answers in roles/trivial;
otherwise ``log_mean``, ``uniform`` or ``unary_argmax`` is used.

Source: UAI inference competition 2022, evaluation of the tasks PR, MAR, MAP, MMAP, MLC.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.extensions.inference.contest import (
    FILE,
    Asked,
    InferenceContest,
    SolverAnswer,
    load,
    read_contest,
    read_settings,
    tasks_of,
)
from aslib_eval.extensions.inference.networks import (
    LN10,
    Evidence,
    Floats,
    Network,
    TooLargeError,
    absorb,
    log_marginal,
    log_partition,
    marginals,
    most_probable,
    width,
)
from aslib_eval.formats import Format, Parsed, absent
from aslib_eval.formats.sources import Location, Sources, load_files, scenario_table, source_table, table
from aslib_eval.metrics.scale import ScaleStatus, clip, rescale


def _find(path: Path) -> list[Location]:
    """The tasks of a contest; without answers a task without a name."""
    is_contest = path.is_dir() and ((path / FILE).is_file() or any((path / "networks").glob("*.uai")))
    if not is_contest:
        return []
    return [Location(path, str(path), task) for task in tasks_of(path) or ("",)]


def _claim(location: Location) -> str | None:
    """Scenario id, or None if contest.toml is invalid, which ``identify`` reports."""
    with suppress(AslibError, OSError):
        return _identify(location, load_files(location, [FILE]))
    return None


def _identify(location: Location, sources: Sources) -> str:
    settings, wrong = read_settings(location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    if not location.part:
        what = "has no answers of solvers"
        raise AslibError(what, location.file("answers"), "Add answers/SOLVER/NAME.uai.TASK.")
    return f"{settings.name}-{location.part}"


def _read(location: Location, sources: Sources) -> Parsed:
    _identify(location, sources)
    contest = read_contest(location, sources)
    findings = list(contest.findings)
    if any(f.severity == "error" for f in findings):
        return Parsed(tuple(findings))
    scored, more = score_contest(contest)
    findings += more
    if any(f.severity == "error" for f in more):
        return Parsed(tuple(findings))
    return Parsed(tuple(findings), relations(contest, scored, location=location, sources=sources))


UAI = Format(
    "uai",
    _find,
    absent("has neither contest.toml nor networks/*.uai", "Name the folder of an inference contest."),
    _claim,
    load,
    _identify,
    _read,
    marks=("contest.toml", "networks"),
)


BEST = 100.0


def partition_error(log_z: ArrayLike, *, truth: ArrayLike) -> Floats:
    """|log Z* - log Z| of each answer [log units]; the arguments broadcast.

    Edge cases: inf for an answer of +-inf, nan for a missing one.
    """
    true = np.asarray(truth, float)
    if not np.isfinite(true).all():
        raise AslibError("the true log partition function is not a finite number")
    return np.asarray(np.abs(true - np.asarray(log_z, float)))


def likelihood_error(log_likelihood: ArrayLike, *, best: ArrayLike) -> Floats:
    """The distance of each answer to the best, log L(best) - log L(x) [log units].

    Edge cases: the arguments broadcast; inf for an answer of likelihood 0, nan for a missing one.
    """
    found, top = np.asarray(log_likelihood, float), np.asarray(best, float)
    if not np.isfinite(top).all():
        raise AslibError("the best log likelihood is not a finite number")
    error = np.asarray(top - found)
    if (error < 0).any():
        raise AslibError("an answer is likelier than the best one")
    return error


def best_known(log_likelihoods: ArrayLike, *, known: float = -np.inf) -> float:
    """The best value of all answers, without nan. known: the best of earlier contests.

    Edge cases: -inf without any answer.
    """
    return float(np.fmax.reduce(np.asarray(log_likelihoods, float), axis=None, initial=known))


def hellinger(p: ArrayLike, *, q: ArrayLike) -> float:
    """Hellinger distance of two distributions over the same values, 0 to 1."""
    mine, other = np.asarray(p, float), np.asarray(q, float)
    if mine.shape != other.shape:
        raise AslibError(f"one distribution has {mine.size} probabilities, the other {other.size}")
    return float(np.sqrt(((np.sqrt(mine) - np.sqrt(other)) ** 2).sum() / 2))


def mean_hellinger(
    answer: Sequence[ArrayLike], *, truth: Sequence[ArrayLike], observed: Collection[int] = ()
) -> float:
    """Mean distance over the unobserved variables, 0 to 1.

    answer, truth: a distribution for each variable, the observed ones too.

    Edge cases: 0 if every variable is observed.
    """
    if len(answer) != len(truth):
        raise AslibError(f"the answer has {len(answer)} variables, the truth {len(truth)}")
    free = [v for v in range(len(truth)) if v not in observed]
    distances = [hellinger(answer[v], q=truth[v]) for v in free]
    return float(np.mean(distances)) if distances else 0.0


def score(errors: ArrayLike, *, trivial: ArrayLike) -> Floats:
    """100 (1 - Err / MaxErr), not below 0; the arguments broadcast.

    errors: at least 0; nan = no answer.
    trivial: MaxErr, the error of the trivial solver.

    Edge cases: no answer and an infinite error score 0. Where MaxErr is 0, error 0 scores 100 and every
    other 0; where it is infinite, every finite error scores 100.
    """
    error, scale = np.broadcast_arrays(np.asarray(errors, float), np.asarray(trivial, float))
    if np.isnan(scale).any():
        raise AslibError("the trivial solver has no answer, so there is no scale")
    if (error < 0).any() or (scale < 0).any():
        raise AslibError("an error is negative: the best answer is not the best")
    scaled = clip(rescale(error, zero=scale, one=0.0), low=0.0)
    limit = np.where(np.isinf(scale), np.isfinite(error), error == 0)
    return np.asarray(BEST * np.where(scaled.status == ScaleStatus.DEFINED, scaled.values, limit))


def over_limits(scores: ArrayLike, *, weights: ArrayLike) -> Floats:
    """The weighted mean of scores at several time limits.

    scores: (n_limits, …); weights: (n_limits,), positive. Gives (…).

    Source: the final board of the UAI competition of 2022 is in the order of weights
    1, 4, 5 for 20, 1200 and 3600 seconds.
    """
    table, given = np.asarray(scores, float), np.asarray(weights, float)
    if given.shape != table.shape[:1] or not (given > 0).all():
        raise AslibError("there must be one positive weight for each limit")
    return np.asarray(np.average(table, axis=0, weights=given))


def log_mean(model: Network, *, evidence: Evidence | None = None) -> float:
    """log10 Z as if all factors were independent: the product of their mean values.

    Each factor counts with the mean of what the evidence leaves of it, each
    unobserved variable with its number of values.

    Edge cases: -inf where a factor is 0 everywhere.
    """
    model = absorb(model, evidence=evidence or {})
    logs = [_log_of_mean(factor.logs) for factor in model.factors]
    logs += [math.log(model.cards[v]) for v in model.free]
    return math.fsum(logs) / LN10


def uniform(model: Network, *, evidence: Evidence | None = None) -> list[Floats]:
    """All values equally likely; an observed variable has all on its value."""
    model = absorb(model, evidence=evidence or {})
    seen = model.observed
    return [
        np.eye(card)[seen[v]] if v in seen else np.full(card, 1 / card)
        for v, card in enumerate(model.cards)
    ]


def unary_argmax(
    model: Network, *, query: Collection[int] | None = None, evidence: Evidence | None = None
) -> dict[int, int]:
    """Each variable at the best value of its own factors; other factors are ignored.

    query: default all variables. Only factors over one variable in the file count, not those that evidence
    reduces to one; without any the value is 0. Evidence overrides.

    Source: PASCAL challenge 2011, its default result.
    """
    seen = absorb(model, evidence=evidence or {}).observed
    likes = [np.zeros(card) for card in model.cards]
    for factor in model.factors:
        if len(factor.scope) == 1:
            likes[factor.scope[0]] += factor.logs
    asked = range(len(model.cards)) if query is None else sorted(query)
    return {v: seen.get(v, int(likes[v].argmax())) for v in asked}


def _log_of_mean(logs: Floats) -> float:
    top = float(logs.max())
    if top == -math.inf:
        return top
    return top + math.log(float(np.exp(logs - top).mean()))


_ROUNDING = 1e-9  # a value may exceed a computed optimum by this


@dataclass(frozen=True, eq=False)
class ScoredContest:
    """One instance with all answers; log10 values are nan for MAR.

    errors, scores: (n_limits, n_solvers); nan = no valid answer, which scores 0.
    best, trivial: log10 of the best answer and of the trivial one.
    scale: the error of the trivial one; nan where no answer could be evaluated.
    """

    instance: str
    asked: Asked
    evidence: Evidence
    errors: Floats
    scores: Floats
    best: float
    trivial: float
    scale: float


@dataclass(frozen=True, eq=False)
class _Point:
    asked: Asked
    number: int
    evidence: Evidence
    answers: tuple[tuple[SolverAnswer | None, ...], ...]
    best: str
    largest: int

    @property
    def instance(self) -> str:
        name = self.asked.name
        return f"{name}#{self.number + 1}" if self.asked.question.task == "MLC" else name

    def given(self, role: str) -> SolverAnswer | None:
        return self.asked.given.get(role)

    @property
    def query(self) -> tuple[int, ...] | None:
        """What is asked for; None for all variables."""
        asked = self.asked.question
        return None if asked.task == "MAP" else asked.query


def score_contest(contest: InferenceContest) -> tuple[tuple[ScoredContest, ...], list[Finding]]:
    """All instances of a contest without errors, and findings on their scales.

    An instance that is too large for computing its truth is left out, with a warning. If only its answers
    are too large to evaluate (MMAP), all score 0 and it counts. A finding is an error if an instance
    contradicts itself, or if none is left.
    """
    found, findings = [], []
    for point in _points(contest):
        try:
            scored = _SCORERS[contest.task](point)
        except (TooLargeError, MemoryError) as error:
            why = "there is not enough memory for elimination"
            if isinstance(error, TooLargeError):
                why = f"{error.message}, but at most {point.largest} are allowed"
            what = f"{point.instance} is left out: {why}"
            hint = "Put the truth into roles/best, or raise largest in contest.toml."
            findings.append(Finding("uai-large", "warning", point.asked.file, None, what, hint))
        except AslibError as error:
            what = f"{point.instance}: {error.message}"
            hint = "Correct it, or put the truth into roles/best."
            findings.append(Finding("uai-truth", "error", point.asked.file, None, what, hint))
        else:
            found.append(scored)
            findings += _scale_findings(scored)
    if not found and all(f.severity == "warning" for f in findings):
        findings = [replace(f, severity="error") for f in findings]
    return tuple(found), findings


def _points(contest: InferenceContest) -> list[_Point]:
    limits, solvers = contest.settings.labels, contest.solvers
    return [
        _Point(
            asked,
            number,
            evidence,
            tuple(tuple(contest.answers.get((asked.name, s, label)) for s in solvers) for label in limits),
            contest.settings.best,
            contest.settings.largest,
        )
        for asked in contest.asked
        for number, evidence in enumerate(asked.evidence)
    ]


def _scale_findings(scored: ScoredContest) -> list[Finding]:
    if math.isnan(scored.scale):
        what = "all answers score 0, because none can be evaluated or is possible"
    elif math.isinf(scored.scale):
        what = "every possible answer scores 100, because the trivial one is impossible"
    elif scored.scale <= _ROUNDING:
        what = "all other answers score 0, because the trivial one is the best"
    else:
        return []
    hint = "Remove the network, or put another answer into roles/trivial."
    return [Finding("uai-scale", "warning", scored.asked.file, None, f"{scored.instance}: {what}", hint)]


def _partition(point: _Point) -> ScoredContest:
    model, seen = point.asked.model, point.evidence
    truth, zero = point.given("best"), point.given("trivial")
    best = truth.log10_z if truth else log_partition(model, evidence=seen, largest=point.largest)
    worst = zero.log10_z if zero else log_mean(model, evidence=seen)
    errors = partition_error(_each(point, lambda answer: answer.log10_z), truth=best)
    return _scored(point, errors, float(partition_error(worst, truth=best)), best=best, trivial=worst)


def _marginals(point: _Point) -> ScoredContest:
    seen = point.evidence
    truth, worst = _marginal_ends(point)
    errors = _each(
        point, lambda answer: mean_hellinger(_normalised(answer.marginals), truth=truth, observed=seen)
    )
    return _scored(point, errors, mean_hellinger(worst, truth=truth, observed=seen))


def _marginal_ends(point: _Point) -> tuple[list[Floats], list[Floats]]:
    model, seen = point.asked.model, point.evidence
    given, zero = point.given("best"), point.given("trivial")
    truth = (
        _normalised(given.marginals) if given else marginals(model, evidence=seen, largest=point.largest)
    )
    worst = _normalised(zero.marginals) if zero else uniform(model, evidence=seen)
    return list(truth), list(worst)


def variable_errors(contest: InferenceContest) -> Iterator[tuple[str, dict[int, int], Floats, Floats]]:
    """The errors of marginals (MAR), variable by variable, of each instance: Hellinger distances.

    Yields the instance, its unobserved variables with their numbers of values, the errors of all answers
    (n_variables, n_limits, n_solvers; nan = no valid answer), and the errors of the trivial one
    (n_variables,). An instance that is too large for computing its truth is left out.
    """
    for point in _points(contest):
        try:
            truth, worst = _marginal_ends(point)
        except (TooLargeError, MemoryError):
            continue
        free = tuple(v for v in range(len(truth)) if v not in point.evidence)
        errors = np.full((len(free), len(point.answers), len(contest.solvers)), math.nan)
        for limit, row in enumerate(point.answers):
            for s, answer in enumerate(row):
                if answer is not None:
                    given = _normalised(answer.marginals)
                    errors[:, limit, s] = [hellinger(given[v], q=truth[v]) for v in free]
        trivial = np.array([hellinger(worst[v], q=truth[v]) for v in free])
        yield point.instance, {v: len(truth[v]) for v in free}, errors, trivial


def _normalised(distributions: tuple[Floats, ...]) -> list[Floats]:
    """Distributions with sum 1; observed variables may keep another sum."""
    totals = [p.sum() for p in distributions]
    return [
        p / total if 0 < total < math.inf else p for p, total in zip(distributions, totals, strict=True)
    ]


def _assignment(point: _Point) -> ScoredContest:
    asked, seen, number = point.asked, point.evidence, point.number
    known: dict[tuple[tuple[int, int], ...], float] = {}

    def value(assignment: Evidence) -> float:
        chosen = {**assignment, **seen}
        key = tuple(sorted(chosen.items()))
        if key not in known:
            known[key] = log_marginal(asked.model, assignment=chosen, evidence=seen, largest=point.largest)
        return known[key]

    zero = point.given("trivial")
    guess = unary_argmax(asked.model, query=point.query, evidence=seen)
    try:
        values = _each(point, lambda answer: value(answer.assignments[number]))
        worst = value(zero.assignments[number] if zero else guess)
    except (TooLargeError, MemoryError):  # of an answer
        best = -math.inf
    else:
        best = _best(point, values, worst, value)
    if best == -math.inf:
        return _scored(point, _each(point, lambda _: math.nan), math.nan)
    errors = likelihood_error(values, best=best)
    return _scored(point, errors, float(likelihood_error(worst, best=best)), best=best, trivial=worst)


def _best(point: _Point, values: Floats, worst: float, value: Callable[[Evidence], float]) -> float:
    """The likeliest answer of all; in MLC none may exceed the optimum."""
    task = point.asked.question.task
    given = point.given("best")
    known = [worst]
    if given:
        known.append(value(given.assignments[point.number]))
    if point.best == "optimum" or (task == "MLC" and not given):
        model, seen = point.asked.model, point.evidence
        optimum, _ = most_probable(model, query=point.query, evidence=seen, largest=point.largest)
        known.append(value(optimum))
    best = best_known(values, known=max(known))
    if task == "MLC" and best > known[-1] + _ROUNDING:
        raise AslibError("an answer is likelier than the optimum in roles/best")
    return best


def _each(point: _Point, value: Callable[[SolverAnswer], float]) -> Floats:
    return np.array([[math.nan if a is None else value(a) for a in row] for row in point.answers])


def _scored(
    point: _Point, errors: Floats, scale: float, *, best: float = math.nan, trivial: float = math.nan
) -> ScoredContest:
    scores = np.zeros_like(errors) if math.isnan(scale) else score(errors, trivial=scale)
    about = point.instance, point.asked, point.evidence
    return ScoredContest(*about, errors, scores, best, trivial, scale)


_SCORERS: Mapping[str, Callable[[_Point], ScoredContest]] = {
    "PR": _partition,
    "MAR": _marginals,
    "MAP": _assignment,
    "MMAP": _assignment,
    "MLC": _assignment,
}


# Features of networks for selectors.

STEP = "structure"
# Feature → its meaning, after the evidence is absorbed.
FEATURES: Mapping[str, str] = {
    "n_variables": "unobserved variables",
    "n_observed": "observed variables",
    "n_factors": "factors over at least one unobserved variable",
    "log10_states": "log10 of the number of assignments",
    "max_card": "most values of a variable",
    "max_scope": "most variables of a factor",
    "mean_degree": "mean number of variables that share a factor with one",
    "width": "log2 of the largest table of a greedy elimination",
    "zeros": "share of the factors' values that are 0",
    "coupling": "mean over factors of two or more variables of the standard deviation"
    " of their logarithms, zeros left out",
    "field": "the same of factors of one variable",
}


def features(model: Network, *, evidence: Evidence) -> dict[str, float]:
    """The features of a network with evidence, by name; see ``FEATURES``."""
    left = absorb(model, evidence=evidence)
    cards = [left.cards[v] for v in left.free]
    factors = [f for f in left.factors if f.scope]
    near: dict[int, set[int]] = {v: set() for v in left.free}
    for factor in factors:
        for v in factor.scope:
            near[v].update(set(factor.scope) - {v})
    logs = np.concatenate([f.logs.ravel() for f in factors]) if factors else np.ones(1)
    return {
        "n_variables": len(cards),
        "n_observed": len(left.observed),
        "n_factors": len(factors),
        "log10_states": math.fsum(math.log10(card) for card in cards),
        "max_card": max(cards, default=0),
        "max_scope": max((len(f.scope) for f in factors), default=0),
        "mean_degree": sum(map(len, near.values())) / max(len(near), 1),
        "width": width(left),
        "zeros": float(np.isneginf(logs).mean()),
        "coupling": _spread([f.logs.ravel() for f in factors if len(f.scope) > 1]),
        "field": _spread([f.logs for f in factors if len(f.scope) == 1]),
    }


def _spread(logs: Sequence[Floats]) -> float:
    """Mean standard deviation of the finite ones of each; 0 where there are none."""
    spreads = [float(x.std()) for x in [x[np.isfinite(x)] for x in logs] if x.size]
    return math.fsum(spreads) / len(spreads) if spreads else 0.0


Row = dict[str, Any]


def relations(
    contest: InferenceContest, scored: Sequence[ScoredContest], *, location: Location, sources: Sources
) -> dict[str, pa.FunctionTable]:
    """Every relation that the contest has rows for, in the contract's schema."""
    measures = list(_measures(contest))
    rows: dict[str, Iterable[Row]] = {
        "algorithm": [
            {"algorithm": s, "described": True, "described_as": s, "has_runs": True}
            for s in contest.solvers
        ],
        "run": _runs(contest, scored),
        "reference": [
            {"instance_id": each.instance, "role": role, "value": value}
            for each in scored
            for role, value in (
                ("log10_best", each.best),
                ("log10_trivial", each.trivial),
                ("error_trivial", each.scale),
            )
            if not np.isnan(value)
        ],
        "feature": [
            {
                "feature": name,
                "of": "instance",
                "position": position,
                "deterministic": True,
                "has_values": True,
                "steps": [STEP],
            }
            for position, name in enumerate(FEATURES, 1)
        ],
        "feature_step": [
            {
                "step": STEP,
                "of": "instance",
                "position": 1,
                "is_default": True,
                "requires": [],
                "provides": list(FEATURES),
            }
        ],
        "feature_value": [
            {"instance_id": each.instance, "repetition": 1, "feature": name, "value": value}
            for each in scored
            for name, value in features(each.asked.model, evidence=each.evidence).items()
        ],
        "feature_status": [
            {"instance_id": each.instance, "repetition": 1, "step": STEP, "runstatus": "ok"}
            for each in scored
        ],
    }
    scenario = scenario_table(
        location,
        sources,
        measures={name: maximize for name, maximize, _ in measures},
        cutoffs={name: limit for name, _, limit in measures},
    )
    built = {"scenario": scenario, "source": source_table(sources)}
    built |= {name: table(name, list(found)) for name, found in rows.items()}
    return {name: found for name, found in built.items() if found.num_rows}


def _measures(contest: InferenceContest) -> Iterator[tuple[str, bool, float | None]]:
    settings = contest.settings
    yield "score", True, max(settings.limits, default=None)
    if not settings.limits:
        yield "error", False, None
    elif len(settings.limits) == 1:
        yield "error", False, settings.limits[0]
    else:
        for kind, maximize in (("score", True), ("error", False)):
            for label, limit in zip(settings.labels, settings.limits, strict=True):
                yield f"{kind}_{label}", maximize, limit


def _runs(contest: InferenceContest, scored: Sequence[ScoredContest]) -> Iterator[Row]:
    """All instances of a measure before the next measure."""
    limits, solvers = contest.settings.labels, contest.solvers
    for at, (measure, _, _) in enumerate(_measures(contest)):
        kind, _, label = measure.partition("_")
        for each in scored:
            whole = over_limits(each.scores, weights=contest.settings.weights)
            rows = each.scores if kind == "score" else each.errors
            row = limits.index(label) if label else len(limits) - 1
            values = whole if at == 0 else rows[row]
            for s, solver in enumerate(solvers):
                key = (each.asked.name, solver, limits[row])
                status = "timeout"
                if key in contest.answers:
                    status = "other" if contest.answers[key] is None else "ok"
                yield {
                    "instance_id": each.instance,
                    "repetition": 1,
                    "algorithm": solver,
                    "measure": measure,
                    "value": None if np.isnan(values[s]) else float(values[s]),
                    "runstatus": status,
                }
