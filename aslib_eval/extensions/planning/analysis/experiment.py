"""An experiment from the number of instances to the test, for ``plan experiment``."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.compare.beside import schema_of, step_rows, steps_in_words
from aslib_eval.analysis.compare.blocks import relative
from aslib_eval.analysis.compare.pairs import pair_rows
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.sentences import describe
from aslib_eval.analysis.compare.systems import omnibus_row
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.analysis.instances import SolvedPlan
from aslib_eval.extensions.planning.analysis.runs import Program, drive
from aslib_eval.extensions.planning.statistics.adaptive_sampling import Accuracy
from aslib_eval.text import comparable, plural, significant

MEASURE = "value"  # what a program prints, as a measure
_NAME = "experiment"


@dataclass(frozen=True)
class DrawnInstances:
    """Instances drawn at random of a pool; families: of each in the pool, or None."""

    pool: Sequence[str]
    instances: Sequence[str]
    families: Sequence[str] | None
    seed: int

    def sentence(self) -> str:
        """The draw in words."""
        text = f"Drawn at random with seed {self.seed}: {len(self.instances)} of"
        text += f" {plural(len(self.pool), 'instance')}"
        if self.families is None:
            return f"{text}."
        of = dict(zip(self.pool, self.families, strict=True))
        n = len({of[instance] for instance in self.instances})
        every = len(set(self.families))
        return f"{text}, in proportion from {n} of {plural(every, 'family', 'families')}."


def draw(
    pool: Sequence[str], *, n: int, seed: int, families: Sequence[str] | None = None
) -> DrawnInstances:
    """Draw n instances of a pool, from each family in proportion if there are any."""
    if len(set(pool)) < len(pool):
        twice = next(name for name in pool if list(pool).count(name) > 1)
        raise AslibError(f"instance {twice} is given twice", hint="Give each once.")
    if n > len(pool):
        message = f"the plan takes {n} instances, and the pool has {len(pool)}"
        raise AslibError(message, hint="Give more, or say with --n how many to run.")
    names = [""] * len(pool) if families is None else families
    strata = np.unique(names, return_inverse=True)[1]
    places = stratified_draw(strata, size=n, rng=np.random.default_rng(seed))
    return DrawnInstances(pool, [pool[place] for place in places], families, seed)


def stratified_draw(strata: NDArray[np.int64], *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw ``size`` of n instances at random without replacement, from every stratum.

    strata: (n,) codes. Each stratum gives its share of ``size``, rounded down; what is left goes to the
    largest remainders (of equal ones to the smaller code). Returns the (size,) places that were drawn, in
    ascending order.
    """
    n = len(strata)
    if not 1 <= size <= n:
        message = f"{plural(size, 'instance')} cannot be drawn of {n}"
        raise AslibError(message, hint="Give more instances, or draw fewer.")
    codes, counts = np.unique(strata, return_counts=True)
    quotas = counts * size // n
    left = size - int(quotas.sum())
    quotas[np.argsort(-(counts * size % n), kind="stable")[:left]] += 1
    order = np.argsort(rng.random(n), kind="stable")
    drawn = [order[strata[order] == code][:quota] for code, quota in zip(codes, quotas, strict=True)]
    return np.sort(np.concatenate(drawn))


@dataclass(frozen=True)
class ExperimentResult:
    """What came of an experiment.

    ``pairs``: one row for each instance and pair, as of ``drive``; ``steps``: one for each pair of
    algorithms in the order of p, as of ``compare --show steps``; ``means``: of each algorithm (columns) on
    each instance (rows), in the order of the programs.
    """

    pairs: pl.DataFrame
    steps: pl.DataFrame
    means: pl.DataFrame
    sentences: tuple[str, ...]

    def as_table(self, *, maximise: bool) -> bytes:
        """The means as a table of results that ``import`` takes: a run an instance."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(("task", "method", "seed", "metric", "value", "direction"))
        way = "maximize" if maximise else "minimize"
        for instance, *values in self.means.rows():
            for name, value in zip(self.means.columns[1:], values, strict=True):
                lines.writerow((instance, name, 1, MEASURE, repr(value), way))
        return text.getvalue().encode()


def experiment(  # noqa: PLR0913
    programs: Sequence[Program],
    drawn: DrawnInstances,
    *,
    plan: SolvedPlan,
    accuracy: Accuracy,
    log: Path,
    seed: int = 1,
    maximise: bool = False,
    rng: np.random.Generator | None = None,
    jobs: int = 1,
    done: Callable[[dict[str, Any]], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> ExperimentResult:
    """Run programs on the drawn instances, and test their mean values.

    The test, level and correction are those of the plan; the pairs and whether differences are percent
    those of the accuracy, the first program being the reference. n is the number of instances, however
    often they are run.

    Source: Campelo and Wanner 2020, section 5.
    """
    pairs = drive(
        programs, drawn.instances, accuracy=accuracy, log=log, seed=seed,
        done=done, warn=warn, rng=rng, jobs=jobs,
    )  # fmt: skip
    names = [program.name for program in programs]
    first = pairs.select("instance", name="system", value="mean")
    second = pairs.select("instance", name="other", value="other_mean")
    means = (
        pl.concat([first, second])
        .unique(["instance", "name"], keep="first", maintain_order=True)
        .pivot(on="name", index="instance", values="value", maintain_order=True)
        .select("instance", *names)
    )
    question = question_of(plan, accuracy, names, seed=seed)
    block = _block(means, names, question, maximise=maximise)
    tested = pair_rows(block, question)
    steps = step_rows(block, question)
    scope = {
        "protocol": block.protocol,
        "measure": MEASURE,
        "metric": question.compared.replace(question.metric, MEASURE),
        "unit": block.unit,
        "test": question.chosen_test,
    }
    rows = [scope | row for row in steps]
    return ExperimentResult(
        pairs=pairs,
        steps=pl.DataFrame(rows, schema=schema_of("steps"), orient="row"),
        means=means,
        sentences=(
            plan.sentence(),
            drawn.sentence(),
            _sampled(pairs, accuracy),
            describe(block, question, tested, omnibus_row(block, question)),
            steps_in_words(steps, question),
        ),
    )


def question_of(plan: SolvedPlan, accuracy: Accuracy, names: Sequence[str], *, seed: int) -> Question:
    """The comparison that a plan and an accuracy ask for."""
    one_sided = plan.plan.alternative == "one-sided"
    return Question(
        test=plan.plan.test,
        versus=names[0] if accuracy.pairs == "first" else None,
        kind="algorithm",
        alpha=plan.plan.alpha,
        correction=plan.plan.correction,
        alternative="better" if one_sided else "two-sided",
        differences=accuracy.difference,
        seed=seed,
    )


def _block(means: pl.DataFrame, names: Sequence[str], question: Question, *, maximise: bool) -> Block:
    values = means.select(names).to_numpy() * (-1 if maximise else 1)
    keys = [comparable(float(mean)) for mean in values.mean(axis=0)]
    order = sorted(range(len(names)), key=lambda column: (keys[column], names[column]))
    block = Block(
        protocol=_NAME,
        scenario_id=None,
        measure=MEASURE,
        unit="instance",
        systems=tuple(names[column] for column in order),
        kinds=("algorithm",) * len(names),
        values=values[:, order],
        solved=None,
        test_to_train=None,
        remarks=("the runs of an instance are averaged: they are not independent",),
        failed=np.zeros(values.shape, bool),
        n_left_out=0,
        better="higher" if maximise else "lower",
    )
    return relative(block, question) if question.differences == "percent" else block


def _sampled(pairs: pl.DataFrame, accuracy: Accuracy) -> str:
    """How many runs there were, and where they did not suffice."""
    each = pairs.group_by("instance").agg(pl.col("reached").all(), pl.col("total_runs").first())
    n, lacking = each.height, each.height - int(each["reached"].sum())
    text = f"{plural(int(each['total_runs'].sum()), 'run')} on {plural(n, 'instance')}"
    if not lacking:
        return f"{text}: all standard errors are at most {significant(accuracy.se, 6)}."
    return (
        f"{text}: on {lacking} of them a standard error stayed above"
        f" {significant(accuracy.se, 6)} when the budget was spent."
    )
