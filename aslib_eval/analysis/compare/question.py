"""Options of a comparison, and what a block of values is; nothing here loads a library of arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, get_args

from aslib_eval import provenance
from aslib_eval.database.build import LocalQuestion
from aslib_eval.database.sqlfiles import Metric, frame_file
from aslib_eval.database.views import metrics_over
from aslib_eval.errors import AslibError, require_share
from aslib_eval.options import Alternative, ComparedKind, Correction, Differences, Inside, Unit
from aslib_eval.paths import Paths
from aslib_eval.plugins import Registry
from aslib_eval.text import did_you_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from aslib_eval.statistics.paired import OwnTest

# Names of the tests in sentences.
_OURS = {
    "wilcoxon": "Wilcoxon signed-rank",
    "t": "paired t",
    "sign": "sign test",
    "nemenyi": "Nemenyi",
    "bonferroni-dunn": "Bonferroni-Dunn",
    "corrected-t": "corrected resampled t",
}


def _own_test(_name: str, found: object) -> OwnTest:
    """The test of a plug-in, before which nothing of arithmetic is loaded."""
    from aslib_eval.statistics.paired import own_test

    return own_test(found)


TESTS = Registry("tests", _OURS, lambda name, found: _own_test(name, found).words)
OTHER_TESTS: Registry[OwnTest] = Registry("tests", {}, _own_test)


FAMILY = "family"


@dataclass(frozen=True)
class Question:
    """Options of one comparison: metric, unit, solvers and test.

    ``unit``: what one independent value belongs to. ``versus``: the solver that all others are compared
    with, of any kind; None = all against all. ``kind``: None = selectors where there are any, else
    algorithms, as in ``sweep``. ``alternative`` ``better`` (with ``versus`` only) asks only whether that
    one is better. Intervals have the confidence 1 - alpha each, or jointly (``joint``, by Bonferroni).
    ``differences``: ``percent`` divides all values of a unit by the size of that of ``versus`` there, or
    without it by the mean of all systems there (Campelo and Wanner 2020, eq. 6 to 8); differences are
    shares then, 0.05 for 5 percent. Against one they are of logarithms, so that what is averaged is the
    geometric mean of the ratio. ``sql_dirs``: folders whose views may declare the metric. ``solvers``:
    globs of those that are compared; none = all of the kind. ``by``: attribute of instances; each of its
    families is compared by itself. ``inside``: of instances, whether known families are what is
    independent, or each instance.
    """

    metric: str = "cost"
    unit: Unit = "instances"
    test: str | None = None  # wilcoxon; over folds corrected-t
    versus: str | None = None
    kind: ComparedKind | None = None
    alpha: float = 0.05
    correction: Correction = "holm"
    alternative: Alternative = "two-sided"
    joint: bool = False
    differences: Differences = "simple"
    seed: int = 1
    sql_dirs: Paths = ()
    solvers: tuple[str, ...] = ()
    by: str | None = None
    inside: Inside = "families"

    def __post_init__(self) -> None:
        """Raise AslibError if the options are inconsistent."""
        require_share(self.alpha, "alpha")
        if self.differences not in get_args(Differences):
            raise AslibError(f"there are no {self.differences} differences", hint="Use simple or percent.")
        declared = metrics_over(self.unit, self.sql_dirs)
        if self.metric not in declared:
            every = f"Use one of {', '.join(declared)}."
            raise AslibError(
                f"there is no metric {self.metric} over {self.unit}",
                hint=did_you_mean(self.metric, declared) or every,
            )
        if self.chosen_test not in TESTS:
            hint = f"{did_you_mean(self.chosen_test, TESTS)} Available: {', '.join(TESTS)}."
            raise AslibError(f"there is no test {self.test}", hint=hint.strip())
        self._check_unit()
        self._check_versus()

    def _check_unit(self) -> None:
        if (self.unit == "folds") != (self.chosen_test == "corrected-t"):
            if self.unit == "folds":
                message = f"folds share training instances, which {self.test} ignores"
                hint = "Use corrected-t, or --unit instances."
            else:
                message = f"{self.unit} are not resampled: corrected-t is for folds"
                hint = "Use wilcoxon, t or sign."
            raise AslibError(message, hint=hint)

        if self.by is not None and self.unit != "instances":
            message = f"--by needs instances, not {self.unit}"
            raise AslibError(message, hint="Use --unit instances.")

    def _check_versus(self) -> None:
        whole = (self.versus or "").encode(errors="ignore").decode()
        if self.versus is not None and (not whole or whole != self.versus):  # no text of whole characters
            raise AslibError(f"there is no solver {self.versus!a}")
        if self.versus is None and self.chosen_test == "bonferroni-dunn":
            raise AslibError("bonferroni-dunn compares all with one solver", hint="Name it with --versus.")
        if self.versus is not None and self.chosen_test == "nemenyi":
            raise AslibError("nemenyi compares all pairs", hint="Leave --versus out, or use wilcoxon.")
        if self.alternative == "better":
            if self.versus is None:
                raise AslibError(
                    "a one-sided test needs a solver to compare with", hint="Name it with --versus."
                )
            if self.chosen_test == "bonferroni-dunn":
                raise AslibError("bonferroni-dunn is two-sided", hint="Use wilcoxon.")

    @property
    def chosen_test(self) -> str:
        """The test of the options, else the default for the unit."""
        return self.test or ("corrected-t" if self.unit == "folds" else "wilcoxon")

    @property
    def one_by_one(self) -> bool:
        """Whether the test looks at the units one by one, and not at their mean."""
        return self.chosen_test in {"wilcoxon", "sign", "nemenyi", "bonferroni-dunn"}

    @cached_property
    def declared(self) -> Metric:
        """The metric as its view declares it."""
        return metrics_over(self.unit, self.sql_dirs)[self.metric]

    @property
    def families(self) -> tuple[str, ...]:
        """The further column of every frame where the question is by families."""
        return () if self.by is None else (FAMILY,)

    @property
    def compared(self) -> str:
        """What is compared: the metric, or of what it is a share."""
        if self.differences == "simple":
            return self.metric
        of = f"mean {self.metric}" if self.versus is None else f"{self.metric} of {self.versus}"
        return f"{self.metric} / {of}"

    @property
    def lower_is_better(self) -> bool:
        """True if lower values of the metric are better."""
        return self.declared.lower_is_better

    def asked(self, name: str) -> LocalQuestion:
        """What answers of that name to the question depend on beside the data."""
        frame = frame_file(f"compared_{self.unit}").reads
        # Attributes are of the scenario's files, as all answers are.
        given = {"compared_value", "protocol", "raw_attribute"}
        relations = frame - given | {self.declared.relation}
        options = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "sql_dirs"  # of their views the metric's alone is read
        }
        code = provenance.code(), *provenance.libraries()
        return LocalQuestion(name, relations, (options, self.declared, *code))


@dataclass(frozen=True)
class Block:
    """The values of one comparison: a row for each unit, a column for each system."""

    protocol: str  # name@hash
    scenario_id: str | None  # null over scenarios
    measure: str | None
    unit: str  # in words, singular
    systems: tuple[str, ...]  # best mean first
    kinds: tuple[str, ...]
    values: NDArray[np.float64]  # (n, k)
    solved: NDArray[np.bool_] | None  # (n, k); None where nothing can time out
    test_to_train: float | None  # of folds
    remarks: tuple[str, ...]  # caveats on the population
    failed: NDArray[np.bool_]  # (n, k); True where the rule for failures set the value
    n_left_out: int  # units on which some system has no value
    # The largest value that a unit can have, the least being 0; None = unbounded.
    ceiling: float | None = None
    # Of a quality measure: which of its values are better, lower or higher.
    better: str | None = None
    # 1 where the values are logarithms of shares of versus; -1 where those are negative and the values are
    # the logarithms of their sizes, negated; else 0.
    logs: int = 0
    family: str | None = None  # of instances, where the question is by families
    families: NDArray[np.int64] | None = None  # (n,) of each unit, if these vary as one

    @property
    def n_families(self) -> int | None:
        """Number of families that are independent; None where each unit is."""
        return None if self.families is None else int(self.families.max()) + 1

    @property
    def by_family(self) -> Block:
        """The values as those of families: for what knows none."""
        if self.families is None:
            return self
        from aslib_eval.statistics.means import family_values

        values = family_values(self.values, self.families, together=True)
        return replace(self, values=values, solved=None, unit="family", families=None)

    @property
    def place(self) -> str | None:
        """Scenario and family, for sentences; None over scenarios."""
        if self.family is None:
            return self.scenario_id
        return f"{self.scenario_id}, {self.family}"

    @property
    def n(self) -> int:
        """Number of independent values of each system."""
        return len(self.values)

    @property
    def n_nobody(self) -> int | None:
        """Units on which none of the systems solves anything: uninformative ties."""
        if self.solved is None:
            return None
        return self.n - int(self.solved.any(axis=1).sum())
