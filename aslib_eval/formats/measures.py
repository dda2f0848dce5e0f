"""What is known of a measure by its name: whether more is better, range, and unit.

A table of results names its metrics; here stands what they mean, so that nobody has to say again that less
latency and more throughput are better. A name that is not here needs its direction said.

Source: the list of performance metrics of TransOPT's results analysis; where that is silent or a name is
used elsewhere, the common meaning, which ``about`` then says.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["objective", "share", "time", "size", "count", "rate", "energy"]


@dataclass(frozen=True)
class Measure:
    """A measure; ``kind`` is what its unit measures, ``objective`` the task's own unit.

    aliases: other spellings; case, blanks and punctuation never matter.
    low, high: the values it can take, both included.
    """

    name: str
    maximize: bool
    low: float
    high: float
    kind: Kind
    about: str
    aliases: tuple[str, ...] = ()

    def holds(self, value: float) -> bool:
        """Whether the measure can have this value."""
        return self.low <= value <= self.high

    @property
    def range(self) -> str:
        """As in [0, ∞]."""
        ends = (self.low, self.high)
        words = ("-∞" if e == -math.inf else "∞" if e == math.inf else f"{e:g}" for e in ends)
        return "[{}, {}]".format(*words)


def _less(name: str, kind: Kind, about: str, *aliases: str) -> Measure:
    """A measure from 0 up of which less is better."""
    return Measure(name, False, 0.0, math.inf, kind, about, aliases)  # noqa: FBT003


def _share(name: str, about: str, *aliases: str) -> Measure:
    """A share of which more is better."""
    return Measure(name, True, 0.0, 1.0, "share", about, aliases)  # noqa: FBT003


CATALOGUE: tuple[Measure, ...] = (
    _less("absolute_error", "objective", "least value found above the optimum", "regret"),
    _share("f1", "harmonic mean of precision and recall", "f1_score"),
    _share("auc", "area under the ROC curve", "area_under_curve", "roc_auc"),
    _share("accuracy", "share classified correctly", "acc"),
    _less("log_loss", "objective", "mean negative log-likelihood", "nll", "cross_entropy"),
    _less("rmse", "objective", "root mean squared error", "root_mean_squared_error"),
    _less("mse", "objective", "mean squared error", "mean_squared_error"),
    _less("mae", "objective", "mean absolute error", "mean_absolute_error"),
    Measure(
        "binding_affinity",
        maximize=False,
        low=-math.inf,
        high=0.0,
        kind="energy",
        about="how strongly a protein binds its ligand, more strongly the lower",
    ),
    _share("gc_content", "share of guanine and cytosine among the bases"),
    _less(
        "execution_time",
        "time",
        "time that a run of what is optimised takes; a solver's runtime is no quality",
        "avg_execution_time",
    ),
    _less("compile_time", "time", "time to compile", "compilation_time"),
    _less("file_size", "size", "size of the compiled file", "size", "code_size"),
    _less("max_rss", "size", "largest resident set of a run", "maximum_resident_set_size"),
    _less("cycles", "count", "processor cycles of a run", "papi_tot_cyc"),
    _less("instructions", "count", "instructions of a run", "papi_tot_ins"),
    _less("branch_mispredictions", "count", "branches predicted wrongly", "papi_br_msp"),
    _less(
        "branch_predictions",
        "count",
        "branches predicted rightly; minimised as branches are",
        "papi_br_prc",
    ),
    _less("branches", "count", "conditional branches of a run", "papi_br_cn"),
    _less("memory_wait", "count", "cycles spent waiting for memory", "papi_mem_wcy"),
    Measure(
        "throughput",
        maximize=True,
        low=0.0,
        high=math.inf,
        kind="rate",
        about="transactions in a unit of time",
        aliases=("tps", "requests_per_second"),
    ),
    _less("latency", "time", "time of one transaction"),
    _less("cpu_usage", "share", "share of the processors; above 1 where one is 1"),
    _less("memory_usage", "size", "memory in use", "memory"),
)


def plain(name: str) -> str:
    """A name without case, blanks and punctuation: ``F1 Score`` is ``f1_score``."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub("[µμ]", "u", name.lower())).strip("_")


# Names of a solver's runtime, without what only says how it is measured or summed up.
_RUNTIME = re.compile(
    "(run|running|cpu|user|real|wall|wallclock|elapsed|solve|solver|solving)?time"
    "|time(cpu|user|real|wall|wallclock|elapsed)"
    "|timeto(solve|solution)|wallclock|elapsed|duration|seconds|secs|par"
)
_BESIDE = re.compile(
    "s|secs?|seconds?|[mun]s(ecs?)?|(milli|micro|nano)seconds|min|minutes|h|hours|in"
    "|mean|avg|average|median|total|sum|log|log10|score|algorithm"
)
_PENALISED = re.compile(r"par\d+(score)?|penali[sz]ed(average)?(run)?time\d*")


def is_runtime(name: str) -> bool:
    """Whether a name is that of a solver's runtime, or of PARk, which is made of it.

    In any case and punctuation, with a unit or what is said of many runs: ``CPU time [s]``,
    ``mean_runtime``, ``PAR10``. The time that what is optimised takes has names of its own:
    ``execution_time``, ``latency``.
    """
    words = plain(name).split("_")
    core = "".join(word for word in words if not _BESIDE.fullmatch(word))
    whole = "".join(words)
    return any(
        kind.fullmatch(each) is not None for kind in (_RUNTIME, _PENALISED) for each in (core, whole)
    )


_BY_NAME: Mapping[str, Measure] = {
    plain(name): measure for measure in CATALOGUE for name in (measure.name, *measure.aliases)
}


def known(name: str) -> Measure | None:
    """The measure of that name or alias; None if there is none."""
    return _BY_NAME.get(plain(name))


def similar(name: str) -> tuple[str, ...]:
    """Names of measures spelled much like one that is not known, the closest first."""
    close = difflib.get_close_matches(plain(name), _BY_NAME, n=3, cutoff=0.7)
    return tuple(dict.fromkeys(_BY_NAME[name].name for name in close))
