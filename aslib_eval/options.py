"""Options: what an argument of a public function means, and how a command spells it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.plugins import Registry, leave_out
from aslib_eval.text import join_words

# Of solvers.
SolverKind = Literal["selector", "baseline", "algorithm"]
ComparedKind = Literal["algorithm", "selector", "baseline", "all"]
SweptKind = Literal["algorithm", "selector"]
Sbs = Literal["train", "test", "all"]

# Of ``compare``.
Unit = Literal["instances", "folds", "scenarios"]
Inside = Literal["families", "instances"]  # what varies in a scenario
Alternative = Literal["two-sided", "better"]
Correction = Literal["holm", "bonferroni", "none"]
Differences = Literal["simple", "percent"]
CompareDraw = Literal["ranks", "intervals", "means"]

# Of files.
MissingRuns = Literal["timeout", "crash", "drop"]
RepeatedRuns = Literal["first", "last"]
PaperFormat = Literal["tex", "md", "csv", "html", "typ"]


SEEDS = 2**63 - 1  # the largest seed that numpy accepts


@dataclass(frozen=True)
class Option:
    """What an argument means, and how it is spelled on the command line.

    about: what it means, for Python and the command line; ``{name}`` is another argument, which each spells
    in its way. flags: how the command spells it, in place of ``--fold-mean`` for fold_mean; "" for a word
    that stands without a flag. metavar: what its value is. shown: the default, where it is computed or
    depends on what else is asked. least, most: bounds of a number. bare: the value of the option if nothing
    stands behind it. writes: what is written there, which must be possible before the work begins.
    registry: the mapping whose keys are its words, as ``module:NAME``, and words beside them. as_text: the
    value is a word as it
    is typed: several numbers with commas, or what may be no path.

    goes_with: another argument without which it says nothing, as ``chart``, or with one of some words, as
    ``show=pairs|wins``; several with blanks. goes_without: arguments that cannot be given beside it;
    because: why, as in "is of costs". quick: of a switch, which is None on a terminal where nothing is
    said: where it costs little.
    """

    about: str = ""
    flags: str | None = None
    metavar: str | None = None
    shown: str | None = None
    least: float | None = None
    most: float | None = None
    bare: str | None = None
    writes: Literal["file", "chart", "folder"] | None = None
    registry: tuple[str, ...] = ()
    as_text: bool = False
    goes_with: str = ""
    goes_without: tuple[str, ...] = ()
    because: str = ""
    quick: bool = False

    def spelled(self, name: str) -> tuple[str, ...]:
        """The flags of the parameter of that name; none for a word without a flag."""
        if self.flags is None:
            return (f"--{name.replace('_', '-')}",)
        return tuple(self.flags.split())


def option_of(annotation: object) -> Option | None:
    """The option in an annotation; None without one.

    What a second one says counts before the first: so a function changes what many functions share, as in
    ``Annotated[By, Option(goes_with="show=pairs")]``.
    """
    if not hasattr(annotation, "__metadata__"):
        return None
    found = [each for each in get_args(annotation)[1:] if isinstance(each, Option)]
    if not found:
        return None
    said = {
        field.name: getattr(each, field.name)
        for each in found[1:]
        for field in fields(each)
        if getattr(each, field.name) != field.default
    }
    return replace(found[0], **said)


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


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name, with the options in their annotations.

    Types that are not loaded, such as those of polars, stay names.
    """
    return _parameters_of(inspect.unwrap(function))


@cache
def _parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    def evaluated(annotation: object) -> object:
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, function.__globals__)  # noqa: S307 - our own code
        except (NameError, TypeError):
            return annotation

    return {
        name: parameter.replace(annotation=evaluated(parameter.annotation))
        for name, parameter in inspect.signature(function).parameters.items()
    }


def require_together(parameters: Mapping[str, inspect.Parameter], values: Mapping[str, object]) -> None:
    """Check that what is given goes together, as its options declare.

    values: by name; those that are as their defaults are not given.

    Raises:
        OptionError: naming options as who asks does, the command line or Python.
    """
    given = {
        name: option
        for name, value in values.items()
        if name in parameters and (option := option_of(parameters[name].annotation))
        if is_given(value, parameters[name].default)
    }
    said = {name: _named(parameters[name], values[name]) for name in given}
    for name, option in given.items():
        if refused := [said[other] for other in option.goes_without if other in given]:
            why = f" {option.because}: it" if option.because else ""
            others = ", ".join(refused)
            raise OptionError(f"{said[name]}{why} goes with no {others}")
    needs = dict.fromkeys(x for each in given.values() for x in each.goes_with.split())
    for need in needs:
        needed, _, words = need.partition("=")
        allowed = words.split("|") if words else []
        if values.get(needed, parameters[needed].default) in allowed:
            continue
        if not allowed and needed in given:
            continue
        names = [said[name] for name in given if need in given[name].goes_with.split()]
        wanted = _named(parameters[needed], words=allowed)
        verb = "go" if names[1:] else "goes"
        raise OptionError(f"{join_words(names)} {verb} with {wanted}")


def is_given(value: object, default: object) -> bool:
    """Whether a value says something: what is empty, or the default, does not."""
    if isinstance(value, list | tuple):
        return tuple(value) not in {(), default}
    return value is not None and value != default


def _named(parameter: inspect.Parameter, value: object = None, *, words: Sequence[str] = ()) -> str:
    """An argument as who asks spells it: a switch as it is given, or with words."""
    name, option = parameter.name, option_of(parameter.annotation) or Option("")
    if TYPED.get():
        flags = option.spelled(name) or (option.metavar or name.upper(),)
        on, _, off = flags[-1].partition("/")
        return f"{off if off and value is False else on} {' or '.join(words)}".strip()
    if isinstance(value, bool) or isinstance(parameter.default, bool):
        words = [str(value is not False)]
    else:
        words = [repr(word) for word in words]
    return f"{name}={' or '.join(words)}" if words else name


# Parameters that many functions have.
Note = Callable[[str], None]  # called with what a command says beside its result
Lake = Annotated[str | PathLike[str], Option("Folder of the lake.", shown="$ASLIB_LAKE, else ./lake")]
Scenarios = Annotated[
    Sequence[str], Option("Only scenarios whose id or folder matches.", flags="--scenario", metavar="GLOB")
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
SbsOf = Annotated[Sbs | None, Option("Of {fold_mean}: the SBS of the training part, the test part or all.")]
Penalty = Annotated[float | None, Option("k of the PARk that is the cost.")]
Delta = Annotated[float | None, Option("Of Borda: times that differ by this are equal.")]
By = Annotated[
    str | None,
    Option("For each family of instances: of those with one value of an attribute.", metavar="ATTRIBUTE"),
]
Kinds = Annotated[Sequence[SolverKind], Option("Only solvers of this kind.", flags="--kind")]
Solvers = Annotated[
    Sequence[str], Option("Only solvers whose name matches.", flags="--solver", metavar="GLOB")
]
Prefix = Annotated[str, Option("Put before the name of every selector.")]
Metric = Annotated[str, Option("What to compare.")]
UnitOf = Annotated[Unit, Option("What one independent value belongs to.")]
InsideOf = Annotated[
    Inside, Option("What is independent: families of instances, if known, or each instance.")
]
Versus = Annotated[str | None, Option("Hold all others against this one.", metavar="NAME")]
DifferencesOf = Annotated[
    Differences, Inside, Option("In the metric's unit, or as shares of {versus}, else of the mean.")
]
Compared = Annotated[
    ComparedKind | None,
    Option(
        "Who is compared; {versus} may be of another kind.",
        shown="selector where there are any, else algorithm",
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
    Option("Work on the Dask cluster whose scheduler is there (extra cluster).", metavar="ADDRESS"),
]

# What is decided about a table of runs, when it is imported and when it is checked.
ScenarioId = Annotated[
    str, Option("Name of the scenario that runs become.", metavar="NAME", shown="that of the file")
]
Column = Annotated[
    Mapping[str, str | Sequence[str]] | Sequence[str],
    Option("Column of a table of runs, as in time=cpu_s or ignore=note.", metavar="ROLE=NAME"),
]
Cutoff = Annotated[
    float | str | None,
    Option(
        "Time limit of runs, in the unit of the times or with its own, such as 30min.",
        metavar="TIME",
        shown="as their column cutoff or BenchExec says",
        as_text=True,
    ),
]
TimesUnit = Annotated[
    str,
    Option(
        "Unit of times whose columns do not say it: all become seconds, and {cutoff} is in seconds.",
        metavar="ns|us|ms|s|min|h",
        shown="the times stay as they are",
    ),
]
Statuses = Annotated[
    Mapping[str, str] | Sequence[str],
    Option(
        "A word of a table of runs, and what it means: ok, timeout, memout, crash or other.",
        metavar="WORD=STATUS",
    ),
]
Missing = Annotated[
    MissingRuns | None,
    Option(
        "Runs that others have on an instance: take them for timeouts or crashes, or "
        "drop what not all have.",
        shown="an error",
    ),
]
Duplicates = Annotated[
    RepeatedRuns | None,
    Option("A run that a table has twice: take its first or its last row.", shown="an error"),
]
Measures = Annotated[
    Sequence[str],
    Option("A further column of a table of runs that is a measure.", flags="--measure", metavar="NAME"),
]
Maximize = Annotated[
    Sequence[str], Option("A measure of a table of runs of which more is better.", metavar="NAME")
]
# Where attributes of instances come from.
Family = Annotated[
    str | Path | None,
    Option(
        "Family of the instances: path:1 is the first folder of their names, path:-1 "
        "the last, path:1:_ the first word before a _; or a CSV file.",
        metavar="path:N|FILE",
        as_text=True,
    ),
]
Attributes = Annotated[
    str | Path | None,
    Option("CSV file of attributes: first the instance, then a column for each.", metavar="FILE"),
]


Parameters = Mapping[str, inspect.Parameter]
_REST = inspect.Parameter.VAR_KEYWORD


@dataclass(frozen=True)
class AddedOption:
    """An option, and the function that answers the command when it is given."""

    name: str
    answer: Callable[..., Any]
    parameters: Parameters

    def beside(self, own: Parameters) -> AddedOption:
        """The same, with the command's own parameters for ``**choices``."""
        kinds = {name: each.kind for name, each in self.parameters.items()}
        rest = [name for name, kind in kinds.items() if kind is _REST]
        if not rest:
            return self
        named = {n: p for n, p in self.parameters.items() if n not in rest}
        return replace(self, parameters={**own, **named})

    def used(self, given: Mapping[str, object]) -> dict[str, Any]:
        """What is given of that which the function makes use of."""
        return {name: given[name] for name in given if name in self.parameters}


def _made(name: str, found: object) -> AddedOption:
    option = name.rpartition(".")[2]
    if not inspect.isfunction(found):
        raise AslibError(f"is a {type(found).__name__}, and no function")
    parameters = parameters_of(found)
    if option not in _options(parameters):
        raise AslibError(f"has no parameter {option} with an Option")
    return AddedOption(option, found, parameters)


_REGISTRY: Registry[AddedOption] = Registry("options", {}, _made)


def added_to(function: str, own: Parameters) -> dict[str, AddedOption]:
    """What is added to the function of that name with these parameters, by option."""
    found: dict[str, AddedOption] = {}
    taken = {*own}
    for name, added in _REGISTRY.usable(f"{function}.").items():
        new = _options(added.parameters).keys() - own.keys()
        if again := new & taken or {added.name} - new:
            plug_in = _REGISTRY.plug_in(name)
            fault = f"adds {min(again)}, which {function} has already"
            leave_out(plug_in.error(fault) if plug_in else AslibError(fault, name))
            continue
        taken |= new
        found[added.name] = added.beside(own)
    return found


def declared(function: Callable[..., Any]) -> Parameters:
    """The parameters of a public function, with those that are added to it."""
    own = parameters_of(function)
    return with_added(own, added_to(function.__name__, own))


def with_added(own: Parameters, added: Mapping[str, AddedOption]) -> Parameters:
    """All parameters of a command, with what goes together."""
    found = dict(own)
    for each in added.values():
        for name, option in _options(each.parameters).items():
            if name not in own:
                need = "" if name == each.name else option.goes_with or each.name
                changed = replace(option, goes_with=need)
                found[name] = _keyword(each.parameters[name], changed)
    for each in added.values():
        refused = tuple(name for name in _options(found) if name not in each.parameters)
        option = _options(found)[each.name]
        changed = replace(option, goes_without=(*option.goes_without, *refused))
        found[each.name] = _keyword(found[each.name], changed)
    return found


def asked_of(added: Mapping[str, AddedOption], given: Mapping[str, object]) -> AddedOption | None:
    """Who answers in the place of the command's function; None for nobody."""
    for name, each in added.items():
        if is_given(given.get(name), each.parameters[name].default):
            return each
    return None


def _options(parameters: Parameters) -> dict[str, Option]:
    return {
        name: option
        for name, parameter in parameters.items()
        if (option := option_of(parameter.annotation))
    }


def _keyword(parameter: inspect.Parameter, option: Option) -> inspect.Parameter:
    kind: Any = type_of(parameter.annotation)
    return parameter.replace(annotation=Annotated[kind, option], kind=parameter.KEYWORD_ONLY)
