"""Options: what an argument of a public function means, and how a command spells it.

A parameter of a public function is declared once, by its annotation: its type, and an
``Option`` that says the rest. Help in Python, the command's option and its help are all
made of that (``aslib_eval/signatures.py``, ``aslib_eval/cli/declared.py``). Parameters
that many functions have are the names at the end, such as ``Scenarios``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, get_args

from aslib_eval.words import (
    ComparedKind,
    Correction,
    Differences,
    Sbs,
    SolverKind,
    Unit,
)

SEEDS = 2**63 - 1  # the largest seed that numpy accepts


@dataclass(frozen=True)
class Option:
    """What an argument means, and how it is spelled on the command line.

    about: what it means, for Python and the command line; ``{name}`` is another
    argument, which each spells in its way. flags: how the command spells it, in place
    of ``--fold-mean`` for fold_mean; "" for a word that stands without a flag. metavar:
    what its value is. shown: the default, where it is computed or depends on what else
    is asked. least, most: bounds of a number. bare: the value of the option if nothing
    stands behind it. writes: what is written there, which must be possible before the
    work begins. registry: the mapping whose keys are its words, as ``module:NAME``, and
    words beside them. joined: several values stand in one word, with commas.
    """

    about: str
    flags: str | None = None
    metavar: str | None = None
    shown: str | None = None
    least: float | None = None
    most: float | None = None
    bare: str | None = None
    writes: Literal["file", "chart", "folder"] | None = None
    registry: tuple[str, ...] = ()
    joined: bool = False

    def spelled(self, name: str) -> tuple[str, ...]:
        """The flags of the parameter of that name; none for a word without a flag."""
        if self.flags is None:
            return (f"--{name.replace('_', '-')}",)
        return tuple(self.flags.split())


def option_of(annotation: object) -> Option | None:
    """The option in an annotation; None without one."""
    if not hasattr(annotation, "__metadata__"):
        return None
    return next((x for x in get_args(annotation)[1:] if isinstance(x, Option)), None)


def type_of(annotation: object) -> object:
    """An annotation without its option."""
    return get_args(annotation)[0] if option_of(annotation) else annotation


def spell(text: str, spelling: Callable[[str], str]) -> str:
    """A text with each ``{name}`` of an argument as ``spelling`` has it.

    >>> spell("Of {fold_mean}, as in a={{seed}}.", "``{}``".format)
    'Of ``fold_mean``, as in a={seed}.'
    """
    found = re.sub(r"(?<!\{)\{([a-z_]+)\}", lambda name: spelling(name[1]), text)
    return found.replace("{{", "{").replace("}}", "}")


# Parameters that many functions have.
Note = Callable[[str], None]  # called with what a command says beside its result
Lake = Annotated[
    str | PathLike[str],
    Option("Folder of the lake.", shown="$ASLIB_LAKE, else ./lake"),
]
Scenarios = Annotated[
    Sequence[str],
    Option(
        "Only scenarios whose id or folder matches.", flags="--scenario", metavar="GLOB"
    ),
]
SqlDirs = Annotated[
    Sequence[str | Path] | str | Path,
    Option("More views, in a folder laid out like sql/.", flags="--sql", metavar="DIR"),
]
Measure = Annotated[
    str | None,
    Option(
        "The measure of the scenarios that counts, such as their second.",
        metavar="NAME|all",
        shown="that of the protocol; primary",
    ),
]
FoldMean = Annotated[bool, Option("Gaps are means over folds, not pooled.")]
SbsOf = Annotated[
    Sbs | None,
    Option("Of {fold_mean}: the SBS of the training part, the test part or all."),
]
Penalty = Annotated[float | None, Option("k of the PARk that is the cost.")]
Delta = Annotated[
    float | None, Option("Of Borda: times that differ by this are equal.")
]
By = Annotated[
    str | None,
    Option(
        "For each family of instances: of those with one value of an attribute.",
        metavar="ATTRIBUTE",
    ),
]
Kinds = Annotated[
    Sequence[SolverKind], Option("Only solvers of this kind.", flags="--kind")
]
Solvers = Annotated[
    Sequence[str],
    Option("Only solvers whose name matches.", flags="--solver", metavar="GLOB"),
]
Prefix = Annotated[str, Option("Put before the name of every selector.")]
Metric = Annotated[str, Option("What to compare.")]
UnitOf = Annotated[Unit, Option("What one independent value belongs to.")]
Versus = Annotated[
    str | None, Option("Hold all others against this one.", metavar="NAME")
]
DifferencesOf = Annotated[
    Differences,
    Option("In the metric's unit, or as shares of {versus}, else of the mean."),
]
Compared = Annotated[
    ComparedKind | None,
    Option(
        "Who is compared; {versus} may be of another kind.",
        shown="selector where there are any, else algorithm",
    ),
]
Baseline = Annotated[
    str | None,
    Option(
        "What optimisers are measured by: methods, or a frozen file (.json).",
        metavar="GLOB|SBS|FILE",
        shown="RandomSearch_*; by time SBS",
    ),
]
Alpha = Annotated[float, Option("Family-wise level.")]
CorrectionOf = Annotated[Correction, Option("For several comparisons.")]
Jobs = Annotated[
    int | None,
    Option(
        "How many parts of the work are done at the same time.",
        metavar="N",
        shown="one a core",
        least=1,
        most=1024,
    ),
]
Cluster = Annotated[
    str | None,
    Option(
        "Work on the Dask cluster whose scheduler is there (extra cluster).",
        metavar="ADDRESS",
    ),
]
