"""What all public functions have in common: checked words, shared meanings, names.

A parameter that is annotated with a ``Literal`` takes these words and no other, and a
parameter that many functions have is explained here once: ``public`` adds it to what
``help`` shows, with the words in the signature. The options of a function stay in its
own signature: a ``TypedDict`` of them (PEP 692) would hold no defaults, and ``help``
would show ``**options``. Messages name options as the command line does, and where
Python asks, the function's arguments.
"""

from __future__ import annotations

import inspect
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from os import PathLike
from textwrap import fill
from types import UnionType
from typing import (
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.text import did_you_mean

_WIDTH = 80  # of what help shows
P = ParamSpec("P")
R = TypeVar("R")

# Parameter → what it means wherever a docstring does not say otherwise.
MEANINGS: Mapping[str, str] = {
    "lake": "Folder of the lake, as text or path, or what ``ae.open`` returned.",
    "scenarios": "Globs on ids and names of folders; none for all scenarios.",
    "protocols": (
        "Presets by name, .toml files, or ``ae.Protocol``; there are rows for each. "
        "``ae.protocols_list()`` lists the presets."
    ),
    "protocol": "A preset by name, a .toml file, or an ``ae.Protocol``.",
    "sql_dirs": (
        "A folder of SQL views of your own, laid out like sql/, or several; their SQL "
        "is confined to reading the lake."
    ),
    "measure": (
        "The measure that counts, by name, or 'all'; None for what the protocol says, "
        "which is the scenario's primary one."
    ),
    "fold_mean": "Gaps are means over the folds of the cross-validation, not pooled.",
    "sbs": (
        "Goes with ``fold_mean``: the single best solver of the training part of each "
        "fold, of its test part, or of all instances; None as the protocol says."
    ),
    "penalty": (
        "k of the PARk that is the cost, at least 1: an unsolved run costs k times the "
        "cutoff. None as the protocol says, by default 10."
    ),
    "delta": (
        "Of Borda: times that differ by at most this are equal [scenario time unit]. "
        "None as the protocol says, by default 0."
    ),
    "metric": "Of the relation ``metric``; an unknown one is told the nearest.",
    "unit": "What one independent value belongs to.",
    "versus": "Hold all others against this solver; None for all pairs.",
    "kind": "Which solvers; None for selectors where there are any, else algorithms.",
    "differences": (
        "In the metric's unit (simple), or as shares of ``versus``, else of the mean "
        "of all (percent)."
    ),
    "pooled": "All scenarios' instances as one.",
    "at": "Scores at these values only; goes with show='values'.",
    "n": "Number of instances.",
    "d": "Least difference that matters, in standard deviations of the differences.",
    "power": "Share of experiments that shall find it, between 0 and 1.",
    "test": "Which test will be made.",
    "alternative": "Whether a difference of either side counts, or of one.",
    "target": (
        "Which of the comparisons' powers is meant: their mean, their median, the "
        "worst, or that of a ``rank``."
    ),
    "rank": "Of target='rank': the strictest test that must reach the power.",
    "se": "Standard error to reach, in the unit of ``difference``.",
    "difference": "In the unit of the value (simple), or a share of a mean (percent).",
    "pairs": "All pairs, or the first algorithm against each other one.",
    "formula": (
        "Of the standard error; the paper's is off for percent differences of all "
        "pairs."
    ),
    "start": "First runs of each algorithm on an instance, before any choice.",
    "balanced": "Run all equally often, and not those that need it most.",
    "budget": "Most runs on an instance, of all algorithms together.",
    "algorithms": "``NAME=COMMAND`` each, with {instance} and {seed} in the command.",
    "log": "CSV that every run is added to, and read from when it goes on.",
    "value": (
        "Regular expression of the value in a program's output, or 'time' for "
        "wall-clock seconds; None for its last number."
    ),
    "timeout": "Most seconds of one run.",
    "groups": "CSV of instance_id and family; None where the names tell.",
    "kinds": "Only solvers of these kinds; none for all.",
    "solvers": "Only solvers whose name matches one of these globs; none for all.",
    "alpha": "Family-wise level of the tests, between 0 and 1.",
    "correction": "For several comparisons: Holm's, Bonferroni's, or none.",
    "seed": "Whatever is random follows from it: the same seed, the same result.",
    "jobs": "So many parts of the work at the same time; None for one a core.",
    "cluster": "Address of a Dask scheduler to work on instead (extra ``cluster``).",
    "chart": "Draw it to this .svg, .pdf, .png or .html, too (extra ``figures``).",
    "note": "Called with each sentence that the command prints to stderr.",
}


class HeldLake(PathLike[str]):
    """A lake that stays as it was when it was opened, and is asked as such."""

    @abstractmethod
    def asked(self) -> AbstractContextManager[object]:
        """Meanwhile all that reads the lake sees what this one holds."""


def public(
    function: Callable[P, R], *, meanings: Mapping[str, str] = MEANINGS
) -> Callable[P, R]:
    """A function for users: it checks its words, and its docstring is complete.

    meanings: of parameters that the docstring does not explain.

    >>> from typing import Literal
    >>> def sweep(*, show: Literal["pairs", "leaders"] = "pairs") -> None: ...
    >>> public(sweep)(show="leadrs")
    Traceback (most recent call last):
    aslib_eval.errors.OptionError: sweep: show = 'leadrs' is none of pairs, leaders. \
Did you mean 'leaders'?
    """
    signature = _signature(function)
    words = {
        name: tuple(allowed)
        for name, parameter in signature.parameters.items()
        if (allowed := list(words_of(parameter.annotation)))
    }

    worded = partial(in_python, parameters=signature.parameters)
    order = list(signature.parameters)
    at = order.index("lake") if "lake" in order else len(order)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in words.keys() & kwargs.keys():
            _require(function.__name__, name, kwargs[name], words[name])
        if (note := kwargs.get("note")) and not TYPED.get():
            kwargs["note"] = lambda said: note(worded(said))  # type: ignore[operator]
        lake = args[at] if at < len(args) else kwargs.get("lake")
        held = lake.asked() if isinstance(lake, HeldLake) else nullcontext()
        try:
            with held:
                found = function(*args, **kwargs)
        except AslibError as error:
            _word(error, worded)
            raise
        for outcome in found if isinstance(found, list) else ():
            _word(getattr(outcome, "error", None), worded)
        return found

    checked.__signature__ = signature  # type: ignore[attr-defined]
    checked.__doc__ = _described(function, signature, meanings)
    return checked


def _word(error: object, worded: Callable[[str], str]) -> None:
    """Let an error name its options as Python does, if Python asks."""
    if isinstance(error, AslibError) and not TYPED.get():
        error.worded = worded


# An option, and what it is given where that can be told from the words after it.
_OPTION = re.compile(
    r"(?P<command>'aslib-eval [^']*')"
    r"|(?<![\w-])--(?P<name>[a-z][a-z-]*)"
    r"(?: (?P<key>\w+)=(?P<of>\w+)| (?P<value>[A-Z][A-Z]+\b|\d+(?:\.\d+)?|\w[\w-]*))?"
)
_CALLED = {"sql": "sql_dirs", "lake": "into"}  # where Python has another name


def in_python(text: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    """A text that names options of the command line, with those of a function.

    Commands in quotes stay, as do options of other commands but for their dashes.

    >>> def gap(*, fold_mean: bool = False, scenarios: Sequence[str] = ()) -> None: ...
    >>> parameters = inspect.signature(gap).parameters
    >>> in_python("give --fold-mean, or --scenario NAME (--seed 1)", parameters)
    'give fold_mean=True, or scenarios=NAME (seed=1)'
    """

    def said(found: re.Match[str]) -> str:
        if found["command"]:
            return found[0]
        plain = found["name"].replace("-", "_")
        names = (plain, f"{plain}s", _CALLED.get(plain), f"{plain}_")
        name = next((each for each in names if each in parameters), plain)
        parameter = parameters.get(name or plain)
        if found["key"]:
            return f"{name}={{{found['key']!r}: {found['of']!r}}}"
        value = found["value"]
        words = [*words_of(parameter.annotation)] if parameter else []
        if value and (value.isupper() or value[0].isdigit()):
            return f"{name}={value}"
        if value and value in {*words, "none", "all"}:
            return f"{name}={value!r}"
        flag = parameter is not None and isinstance(parameter.default, bool)
        return f"{name}{'=True' if flag else ''}" + (f" {value}" if value else "")

    return _OPTION.sub(said, text)


def words_of(annotation: object) -> Iterator[object]:
    """The words of a Literal, or of a sequence of them; None beside them, if allowed.

    >>> list(words_of(Literal["a", "b"] | None))
    ['a', 'b', None]
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        yield from arguments
    elif origin in {Union, UnionType, Sequence}:
        found = [word for each in arguments for word in words_of(each)]
        yield from found
        if found and type(None) in arguments:
            yield None


def _require(
    function: str, name: str, given: object, allowed: Sequence[object]
) -> None:
    several = isinstance(given, list | tuple | set | frozenset)
    for word in given if several else (given,):  # type: ignore[attr-defined]
        if word not in allowed:
            known = [str(each) for each in allowed if each is not None]
            what = f"{name} = {word!r} is none of {', '.join(known)}"
            raise OptionError(what, function, did_you_mean(str(word), known) or None)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The signature with the words of a Literal instead of the name of the type.

    Types that are not loaded yet, such as those of polars, stay names.
    """
    found = inspect.signature(function)

    def evaluated(annotation: object) -> object:
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, function.__globals__)  # noqa: S307 - our own code
        except (NameError, TypeError):
            return annotation

    return found.replace(
        parameters=[
            parameter.replace(annotation=evaluated(parameter.annotation))
            for parameter in found.parameters.values()
        ]
    )


def _described(
    function: Callable[..., Any],
    signature: inspect.Signature,
    meanings: Mapping[str, str],
) -> str:
    """The docstring, and before its example the parameters that it does not explain."""
    text = inspect.cleandoc(function.__doc__ or "")
    missing = [
        fill(
            f"{name}: {meanings[name]}",
            initial_indent="    ",
            subsequent_indent="        ",
            width=_WIDTH,
        )
        for name in signature.parameters
        if name in meanings and not re.search(rf"(?<!\w){name}(, \w+)*:", text)
    ]
    if not missing:
        return text
    body, prompt, example = text.partition("\n>>> ")
    shared = "\n".join(["As everywhere:", *missing])
    return f"{body.rstrip()}\n\n{shared}\n{prompt}{example}"
