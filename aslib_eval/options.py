"""Options: what an argument of a public function means, how a command spells it, and how it is checked.

An option is declared once, in the annotation of a parameter: ``joint: Annotated[bool, Option("All at
once.")] = False``. ``arguments_of`` reads the parameters of a function, with those that plug-ins add. The
command line makes its options of these (``cli/declared.py``), ``public`` checks by them what a function is
given, and ``completed`` shows them in ``help``. Messages name options as the command line does, and where
Python asks, the function's arguments.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, fields, replace
from functools import cache, partial, wraps
from os import PathLike
from pathlib import Path
from textwrap import fill
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.plugins import Registry, leave_out, loaded
from aslib_eval.text import did_you_mean, is_writable, join_words

if TYPE_CHECKING:
    import polars as pl

# Of solvers.
SolverKind = Literal["selector", "baseline", "algorithm"]
ComparedKind = Literal["algorithm", "selector", "baseline", "all"]
SweptKind = Literal["algorithm", "selector"]
Sbs = Literal["train", "test", "all"]
Drawn = Literal["instance", "family"]  # what is sampled at random

# Of ``compare``.
Unit = Literal["instances", "folds", "scenarios"]
Inside = Literal["families", "instances"]  # what varies in a scenario
Alternative = Literal["two-sided", "better"]
Correction = Literal["holm", "bonferroni", "none"]
Differences = Literal["simple", "percent"]
CompareDraw = Literal["ranks", "intervals", "means"]

# Of files.
MissingRuns = Literal["timeout", "crash", "drop"]
RepeatedRuns = Literal["first", "last", "number"]
FilePer = Literal["solver", "scenario"]
PaperFormat = Literal["tex", "md", "csv", "html", "typ"]


SEEDS = 2**63 - 1  # the largest seed that numpy accepts
WIDTHS = (40, 400)  # mm of a chart in print, the least and the most


@dataclass(frozen=True)
class Option:
    """What an argument means, and how it is spelled on the command line.

    about: what it means, for Python and the command line; ``{name}`` is another argument, which each spells
    in its way. flags: how the command spells it, in place of ``--fold-mean`` for fold_mean; "" for a word
    that stands without a flag. metavar: what its value is. shown: the default, where it is computed or
    depends on what else is asked. least, most: bounds of a number. bare: the value of the option if nothing
    stands behind it. writes: what is written there, which must be possible before the work begins.
    registry: the mapping whose keys are its words, as ``module:NAME``, and words beside them. as_text: the
    value is a word as it is typed: several numbers with commas, or what may be no path. was: its flag in
    the release before, which still works. heading: the part of the help that lists it; "" for the first.

    goes_with: another argument without which it says nothing, as ``chart``, or with one of some words, as
    ``show=pairs|wins``; several with blanks. goes_without: arguments that cannot be given beside it;
    because: why, as in "is of costs".
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
    was: str = ""
    heading: str = ""


@dataclass(frozen=True)
class Argument:
    """A parameter of a public function: its type, its default, and its option.

    option: None for what Python alone takes. answer: the function of a plug-in that answers instead when
    its option is given; takes: the arguments that it has.
    """

    name: str
    type: Any
    default: Any
    option: Option | None
    answer: Callable[..., Any] | None = None
    takes: frozenset[str] = frozenset()

    @property
    def is_several(self) -> bool:
        """Whether the command line takes it several times."""
        return Sequence in types_in(self.type) and not (self.option and self.option.as_text)

    @property
    def flags(self) -> tuple[str, ...]:
        """How the command line spells it; none for a word without a flag."""
        flags = self.option.flags if self.option else None
        return (f"--{self.name.replace('_', '-')}",) if flags is None else tuple(flags.split())

    def typed(self, value: object = None) -> str:
        """Its flag, of a switch the one for a value; a word without a flag as the usage has it."""
        word = (self.option and self.option.metavar) or self.name.upper()
        on, _, off = (self.flags or (word,))[-1].partition("/")
        return off if off and value is False else on

    def named(self, value: object = None, words: Sequence[str] = ()) -> str:
        """As who asks spells it, the command line or Python: a switch as it is given, or with words."""
        if TYPED.get():
            return f"{self.typed(value)} {' or '.join(words)}".strip()
        if isinstance(value, bool) or isinstance(self.default, bool):
            return f"{self.name}={value is not False}"
        return f"{self.name}={' or '.join(map(repr, words))}" if words else self.name

    def is_given(self, value: object) -> bool:
        """Whether a value says something: what is empty, or the default, does not."""
        if isinstance(value, list | tuple):
            return tuple(value) not in {(), self.default}
        return value is not None and value != self.default


def arguments_of(function: Callable[..., Any], *, added: bool = True) -> dict[str, Argument]:
    """The arguments of a public function by name; ``added``: also those of plug-ins, which are loaded."""
    function = inspect.unwrap(function)
    own = _own_arguments(function)
    return {**own, **(_added_to(function.__name__, own) if added else {})}


@cache
def _own_arguments(function: Callable[..., Any]) -> Mapping[str, Argument]:
    """The arguments in a signature. What a second Option says of one counts before the first.

    So a function changes what many functions share, as in ``Annotated[By, Option(goes_with="unit")]``. What
    a group such as ``**table: Unpack[TableOptions]`` holds is empty by default.
    """
    given: dict[str, tuple[Any, Any]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        kind = parameter.annotation
        if isinstance(kind, str):
            with suppress(NameError, TypeError):  # types that are not loaded stay names
                kind = eval(kind, function.__globals__)  # noqa: S307 - our own code
        if get_origin(kind) is Unpack:
            hints = get_type_hints(get_args(kind)[0], include_extras=True)
            given |= {each: (of, _empty(of)) for each, of in hints.items()}
        else:
            given[name] = kind, parameter.default
    found = {}
    for name, (kind, default) in given.items():
        option = None
        for said in getattr(kind, "__metadata__", ()):
            if isinstance(said, Option):
                new = {f.name: x for f in fields(said) if (x := getattr(said, f.name)) != f.default}
                option = replace(option or Option(), **new)
        found[name] = Argument(name, get_args(kind)[0] if option else kind, default, option)
    return found


def _empty(kind: Any) -> Any:
    """What a type has if nothing is said: None if it can, else no words, an empty text or False."""
    types = [*types_in(kind)]
    return None if NoneType in types else () if Sequence in types else get_args(kind)[0]()


def _function(name: str, found: object) -> Callable[..., Any]:
    """What a plug-in leads to that adds an option."""
    option = name.rpartition(".")[2]
    if not inspect.isfunction(found):
        raise AslibError(f"is a {type(found).__name__}, not a function")
    argument = _own_arguments(found).get(option)
    if argument is None or argument.option is None:
        raise AslibError(f"has no parameter {option} with an Option")
    return found


# By the name of a function of ours and an option, as ``score.rule``: what answers when it is given.
_ADDED: Registry[Callable[..., Any]] = Registry("options", {}, _function)


def _added_to(command: str, own: Mapping[str, Argument]) -> dict[str, Argument]:
    """The arguments that plug-ins add to a function with arguments of its own.

    An option that is added goes with no other that its function does not take; what it brings along goes
    with it.
    """
    found: dict[str, Argument] = {}
    for entry, function in _ADDED.usable(f"{command}.").items():
        option, theirs = entry.rpartition(".")[2], _own_arguments(function)
        new = {name: each for name, each in theirs.items() if each.option and name not in own}
        if again := (new.keys() & found.keys()) or ({option} - new.keys()):
            if plug_in := _ADDED.plug_in(entry):
                leave_out(plug_in.error(f"adds {min(again)}, which {command} has already"))
            continue
        parameters = inspect.signature(function).parameters
        takes_all = any(
            parameters[n].kind is inspect.Parameter.VAR_KEYWORD for n in theirs if n in parameters
        )
        takes = frozenset({**theirs, **(own if takes_all else {})})
        for name, each in new.items():
            said = each.option or Option()
            needs = replace(said, goes_with="" if name == option else said.goes_with or option)
            found[name] = replace(each, option=needs)
        found[option] = replace(found[option], answer=function, takes=takes)
    taken = [name for name, each in {**own, **found}.items() if each.option]
    for name, each in found.items():
        if each.answer and each.option:
            refused = (*each.option.goes_without, *(n for n in taken if n not in each.takes))
            found[name] = replace(each, option=replace(each.option, goes_without=refused))
    return found


def require_together(arguments: Mapping[str, Argument], values: Mapping[str, object]) -> None:
    """Check that what is given goes together, as its options declare.

    values: by name; those that are as their defaults are not given.

    Raises:
        OptionError: naming options as who asks does, the command line or Python.
    """
    given = {
        name: (option, arguments[name].named(value))
        for name, value in values.items()
        if name in arguments and (option := arguments[name].option) and arguments[name].is_given(value)
    }
    for option, said in given.values():
        if refused := [given[other][1] for other in option.goes_without if other in given]:
            why = f" {option.because}: it" if option.because else ""
            raise OptionError(f"{said}{why} cannot be combined with {', '.join(refused)}")
    for need in dict.fromkeys(need for option, _ in given.values() for need in option.goes_with.split()):
        name, _, words = need.partition("=")
        allowed = words.split("|") if words else []
        is_there = values.get(name, arguments[name].default) in allowed if words else name in given
        if not is_there:
            lacking = [said for option, said in given.values() if need in option.goes_with.split()]
            verb = "need" if lacking[1:] else "needs"
            wanted = arguments[name].named(words=allowed)
            raise OptionError(f"{join_words(lacking)} {verb} {wanted}")


def spell(text: str, spelling: Callable[[str], str]) -> str:
    """A text with each ``{name}`` of an argument as ``spelling`` has it.

    >>> spell("Of {fold_mean}, as in a={{seed}}.", "``{}``".format)
    'Of ``fold_mean``, as in a={seed}.'
    """
    found = re.sub(r"(?<!\{)\{([a-z_]+)\}", lambda name: spelling(name[1]), text)
    return found.replace("{{", "{").replace("}}", "}")


def types_in(annotation: object) -> Iterator[object]:
    """A type, and those that it is made of.

    >>> found = [*types_in(Sequence[float] | None)]
    >>> Sequence in found, float in found, int in found
    (True, True, False)
    """
    yield annotation
    yield get_origin(annotation)
    for each in get_args(annotation):
        yield from types_in(each)


def words_of(annotation: object) -> list[object]:
    """The words of a Literal, or of a sequence of them; None beside them, if allowed.

    >>> words_of(Literal["a", "b"] | None)
    ['a', 'b', None]
    """
    types = [*types_in(annotation)]
    words = [word for each in types if get_origin(each) is Literal for word in get_args(each)]
    return [*words, None] if words and type(None) in types else words


# Functions for users: checked words, messages in the words of Python, and what help shows.

_WIDTH = 80  # of what help shows
_COLUMNS = 8  # which polars prints of a frame
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

# What Python takes beside what the command line does, and parameters of functions that are no commands.
_IN_PYTHON: Mapping[str, str] = {
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
    "note": "Called with each sentence that the command prints to stderr.",
}


def public(function: Callable[P, R]) -> Callable[P, R]:
    """A function for users: it checks its words, and names arguments as who asks does.

    Where an option of a plug-in is given, what the plug-in adds for it answers instead.

    >>> from typing import Literal
    >>> def sweep(*, show: Literal["pairs", "leaders"] = "pairs") -> None: ...
    >>> public(sweep)(show="leadrs")
    Traceback (most recent call last):
    aslib_eval.errors.OptionError: sweep: show = 'leadrs' is none of pairs, leaders. \
Did you mean 'leaders'?
    """

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        arguments, named = _arguments_for(function, kwargs)
        worded = str if TYPED.get() else partial(in_python, arguments=arguments)
        if note := named.get("note"):
            named["note"] = lambda *said: [note(worded(text)) for text in said]
        given = {**dict(zip(arguments, args, strict=False)), **named}
        # Of an open lake, all that is asked meanwhile sees what it holds.
        held = getattr(given.get("lake"), "asked", nullcontext)
        try:
            for name, value in given.items():
                _require(function.__name__, arguments[name], value)
            require_together(arguments, given)
            with held():
                found: Any = _answer(function, arguments, given, args)
        except AslibError as error:
            error.worded = worded
            raise
        # Another thread may be importing polars just now: it has no frames yet.
        if not TYPED.get() and type(found) is getattr(sys.modules.get("polars"), "DataFrame", None):
            return cast("R", _printed_class()(found))
        for outcome in found if isinstance(found, list) else ():
            if failed := getattr(outcome, "error", None):
                failed.worded = worded
        return cast("R", found)

    return checked


@cache
def _printed_class() -> type[Any]:
    """Frames that print as on a terminal where they have more columns than polars prints.

    Who has set how many columns polars prints gets these. Pickled or copied they are plain frames.
    """
    import polars as pl

    class PrintedFrame(pl.DataFrame):
        def __str__(self) -> str:
            if self.width <= _COLUMNS or "POLARS_FMT_MAX_COLS" in os.environ:
                return super().__str__()
            return printed(pl.DataFrame(self))

        def __repr__(self) -> str:
            return str(self)

        def __reduce_ex__(self, protocol: Any) -> Any:
            return pl.DataFrame(self).__reduce_ex__(protocol)

    return PrintedFrame


def printed(frame: pl.DataFrame, sentences: Sequence[str] = ()) -> str:
    """A frame as ``print`` shows it, and below it what is said of it."""
    return str(loaded("aslib_eval.tables.to_terminal:to_print")(frame, sentences))


def _arguments_for(
    function: Callable[..., Any], given: Mapping[str, Any]
) -> tuple[Mapping[str, Argument], dict[str, Any]]:
    """The arguments of a function, and what is given by their names.

    Those of plug-ins are among them where some are given that the function has not itself.
    """
    arguments = arguments_of(function, added=False)
    named = _by_names(arguments, given)
    if not named.keys() <= arguments.keys():
        arguments = arguments_of(function)
        named = _by_names(arguments, given)
    for name in sorted(named.keys() - arguments.keys()):
        what = f"{function.__name__}() got an unexpected keyword argument {name!r}"
        raise TypeError(f"{what}. {did_you_mean(name, arguments)}".rstrip())
    return arguments, named


def _by_names(arguments: Mapping[str, Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given by the names of the arguments.

    An argument may also be named as its option is, as ``scenario``, or was in the release before. One text
    is enough where several are taken.
    """
    words = {flag: each for each in arguments.values() for flag in each.flags}
    old = {each.option.was: each for each in arguments.values() if each.option}
    found: dict[str, Any] = {}
    for name, value in given.items():
        flag = f"--{name.replace('_', '-')}"
        argument = arguments.get(name) or words.get(flag) or old.get(flag)
        known = argument.name if argument else name
        if known in found or (known != name and known in given):
            raise TypeError(f"{name} and {known} are the same argument: give one")
        if argument and argument is old.get(flag):
            warnings.warn(
                f"{name} is now called {known}. The next release drops the old name.",
                FutureWarning,
                stacklevel=4,
            )
        several = argument and isinstance(value, str) and argument.is_several
        found[known] = (value,) if several else value
    return found


def _answer(
    function: Callable[..., Any],
    arguments: Mapping[str, Argument],
    given: Mapping[str, Any],
    in_place: Sequence[object],
) -> Any:
    """What the function says, or in its place the plug-in of which an option is given."""
    for name, value in given.items():
        one = arguments[name]
        if one.answer and one.is_given(value):
            return one.answer(**{n: x for n, x in given.items() if n in one.takes})
    own = list(arguments_of(function, added=False))[len(in_place) :]
    return function(*in_place, **{name: given[name] for name in own if name in given})


def _require(function: str, argument: Argument, given: object) -> None:
    """Check that an argument which takes words is given some of them, and text text."""
    words, types = words_of(argument.type), [*types_in(argument.type)]
    is_path = Path in types or PathLike in types
    for word in given if isinstance(given, list | tuple | set | frozenset) else (given,):
        if words and word not in words:
            raise unknown_word(function, argument.name, word, [str(w) for w in words if w is not None])
        if isinstance(word, str) and not is_path and not is_writable(word):
            what = f"{argument.name} = {word!r} is not UTF-8 text"
            raise AslibError(what, function, "Write it as UTF-8.")


def unknown_word(function: str, parameter: str, word: object, known: Collection[str]) -> OptionError:
    """A parameter of a function takes some words, and was given another one."""
    what = f"{parameter} = {word!r} is none of {', '.join(known)}"
    return OptionError(what, function, did_you_mean(str(word), known) or None)


# An option, and what it is given where that can be told from the words after it.
_OPTION = re.compile(
    r"(?P<command>'aslib-eval [^']*')"
    r"|(?<![\w-])(?P<flag>--[a-z][a-z-]*)"
    r"(?: (?P<key>\w+)=(?P<of>\w+)| (?P<value>[A-Z][A-Z]+\b|\d+(?:\.\d+)?|\w[\w-]*))?"
)


def in_python(text: str, arguments: Mapping[str, Argument]) -> str:
    """A text that names options of the command line, with the arguments of a function.

    Commands in quotes stay, as do options that the function does not have.

    >>> def gap(*, fold_mean: bool = False, show: str = "pairs") -> None: ...
    >>> in_python("give --fold-mean, or --show NAME, not --seed 1", arguments_of(gap))
    'give fold_mean=True, or show=NAME, not --seed 1'
    """
    named = {flag: argument for argument in arguments.values() for flag in argument.flags}

    def said(found: re.Match[str]) -> str:
        argument, value = named.get(found["flag"]), found["value"]
        if argument is None:  # a command in quotes, or an option of another command or program
            return found[0]
        name = argument.name
        if found["key"]:
            return f"{name}={{{found['key']!r}: {found['of']!r}}}"
        if value and (value.isupper() or value[0].isdigit()):
            return f"{name}={value}"
        if value in {*words_of(argument.type), "none", "all"} - {None}:
            return f"{name}={value!r}"
        switch = "=True" if isinstance(argument.default, bool) else ""
        return f"{name}{switch} {value or ''}".rstrip()

    return _OPTION.sub(said, text)


def completed(found: T) -> T:
    """A name of ``aslib_eval``; ``help`` on a public function shows all that it takes.

    That is also what was added to it. Parameters that its docstring does not explain are explained by their
    options.
    """
    if not (inspect.isfunction(found) and hasattr(found, "__wrapped__")):
        return found
    arguments, function = arguments_of(found), inspect.unwrap(found)
    if hasattr(found, "__signature__") and found.__signature__.parameters.keys() == arguments.keys():
        return found
    signature = inspect.signature(function)
    new = inspect.Parameter("_", inspect.Parameter.KEYWORD_ONLY)
    shown = [
        signature.parameters.get(name, new).replace(name=name, default=each.default, annotation=each.type)
        for name, each in arguments.items()
    ]
    found.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    found.__doc__ = _described(function, arguments)
    return found


def _described(function: Callable[..., Any], arguments: Mapping[str, Argument]) -> str:
    """The docstring, and before its example the arguments that it does not explain."""
    text = inspect.cleandoc(function.__doc__ or "")
    missing = []
    for name, option in ((name, each.option) for name, each in arguments.items()):
        meaning = _IN_PYTHON.get(name, "")
        if option and not meaning:
            default = f" By default: {option.shown}." if option.shown else ""
            meaning = spell(option.about + default, "``{}``".format)
        if meaning and not re.search(rf"(?<!\w){name}(, \w+)*:", text):
            said = f"{name}: {meaning}"
            missing.append(fill(said, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8))
    if not missing:
        return text
    body, prompt, example = text.partition("\n>>> ")
    shared = "\n".join(["Arguments:", *missing])
    return f"{body.rstrip()}\n\n{shared}\n{prompt}{example}"


# Parameters that many functions have.
Note = Callable[..., None]  # called with the sentences that a command says beside its result
Lake = Annotated[
    str | PathLike[str],
    Option("The lake: the folder that holds the imported scenarios.", shown="$ASLIB_LAKE, else ./lake"),
]
Scenarios = Annotated[
    Sequence[str],
    Option(
        "Include only scenarios whose id or folder name matches this pattern.",
        flags="--scenario",
        metavar="GLOB",
    ),
]
SqlDirs = Annotated[
    Sequence[str | Path] | str | Path,
    Option(
        "Also load your own SQL views from this folder (docs/queries.md).", flags="--sql", metavar="DIR"
    ),
]
Measure = Annotated[
    str | None,
    Option(
        "Evaluate this measure of the runs (such as runtime), or all.",
        metavar="NAME|all",
        shown="the protocol's measure, usually the scenario's first one",
    ),
]
Penalty = Annotated[float | None, Option("Use this k in PARk: an unsolved run costs k times the cutoff.")]
Delta = Annotated[
    float | None,
    Option("Treat two runtimes as tied if they differ by at most this number (in Borda and 'orders')."),
]
By = Annotated[
    str | None,
    Option(
        "Group instances with the same value of this attribute into families, and give results per family.",
        metavar="ATTRIBUTE",
    ),
]
Kinds = Annotated[
    Sequence[SolverKind],
    Option(
        "Include only solvers of this kind. The baselines are VBS, SBS and VWS (virtual worst solver).",
        flags="--kind",
    ),
]
Solvers = Annotated[
    Sequence[str],
    Option("Include only solvers whose name matches this pattern.", flags="--solver", metavar="GLOB"),
]
Prefix = Annotated[str, Option("Put this text before the name of every selector.")]
Metric = Annotated[
    str,
    Option("Compare the solvers by this metric. The protocol defines the metric 'cost', usually as PAR10."),
]
UnitOf = Annotated[Unit, Option("Compare one value per instance, per fold or per scenario.")]
InsideOf = Annotated[
    Inside, Option("Treat families of instances (if known) or single instances as independent samples.")
]
Versus = Annotated[str | None, Option("Compare all other solvers with this one.", metavar="NAME")]
DifferencesOf = Annotated[
    Differences,
    Option(
        "simple: differences in the unit of the metric. percent: differences relative to the value of "
        "{versus} (without {versus}: relative to the mean of all solvers)."
    ),
]
Compared = Annotated[
    ComparedKind | None,
    Option(
        "Compare solvers of this kind. The solver named by {versus} may be of another kind.",
        shown="selectors if there are any, else algorithms",
    ),
]
Ranked = Annotated[
    SweptKind | None,
    Option("Rank solvers of this kind.", shown="selectors if there are any, else algorithms"),
]
FamilyAttribute = Annotated[
    str | None,
    Option(
        "Group the instances into families by this attribute.",
        metavar="ATTRIBUTE",
        shown="the attribute 'family', else families guessed from the names",
    ),
]
Groups = Annotated[
    str | Path | None,
    Option(
        "Read the families of instances from this CSV file with the columns instance_id and family.",
        metavar="CSV",
    ),
]
Resampled = Annotated[
    Drawn | None,
    Option(
        "Resample single instances, or whole families of instances.",
        shown="family if families are known, else instance",
    ),
]
_SEED = Option("Seed of all random choices: the same seed gives the same result.", least=0, most=SEEDS)
Seed = Annotated[int, _SEED]
SeedOrNone = Annotated[int | None, _SEED, Option(shown="1")]
ChartFile = Annotated[
    str | Path | None,
    Option("Also draw a chart to this file (.svg, .png or .html).", metavar="FILE", writes="chart"),
]
Alpha = Annotated[float, Option("Significance level for all comparisons together.")]
CorrectionOf = Annotated[Correction, Option("Correct for multiple comparisons by this method.")]
Jobs = Annotated[
    int | None,
    Option("Run this many jobs in parallel.", metavar="N", shown="one per core", least=1, most=1024),
]
Cluster = Annotated[
    str | None,
    Option(
        "Run on the Dask cluster with this scheduler address (needs the optional dependencies 'cluster').",
        metavar="ADDRESS",
    ),
]

# What is decided about a table of runs, when it is imported and when it is checked. Help lists what few
# need below these headings.
TABLES, INSTANCES, RARE = "More about tables of runs", "More about instances", "More"
ScenarioId = Annotated[
    str, Option("Give the imported scenario this name.", metavar="NAME", shown="the name of the file")
]
Column = Annotated[
    Mapping[str, str | Sequence[str]] | Sequence[str],
    Option(
        "Say what a column holds: time=cpu_s reads times from column 'cpu_s'; ignore=note skips 'note'.",
        metavar="ROLE=NAME",
    ),
]
Cutoff = Annotated[
    float | str | None,
    Option(
        "Time limit of each run, such as 30min. A number without a unit has the unit of the times.",
        metavar="TIME",
        shown="the column 'cutoff', or the limit in BenchExec results",
        as_text=True,
    ),
]
Measures = Annotated[
    Sequence[str],
    Option(
        "Import this column as a further measure of the runs.",
        metavar="NAME",
        was="--measure",
        heading=TABLES,
    ),
]


# Groups, for what takes all of them: ``**table: Unpack[TableOptions]``.


class ProtocolOptions(TypedDict, total=False):
    """What protocols choose otherwise."""

    measure: Measure
    fold_mean: Annotated[
        bool, Option("Show the mean closed gap of the folds, instead of one gap over all instances.")
    ]
    sbs: Annotated[
        Sbs | None,
        Option(
            "With {fold_mean}: choose the SBS of each fold on its training instances, its test "
            "instances, or all instances."
        ),
    ]
    penalty: Penalty
    delta: Delta


class TableOptions(TypedDict, total=False):
    """How a table of runs is read; whatever is not chosen is recognised and reported."""

    scenario_id: ScenarioId
    column: Column
    cutoff: Cutoff
    times_in: Annotated[
        str,
        Option(
            "Unit of the times if their column states none. With this option, the command converts all "
            "times to seconds. A {cutoff} without a unit is then in seconds.",
            metavar="ns|us|ms|s|min|h",
            shown="times are not converted",
            was="--unit",
        ),
    ]
    status: Annotated[
        Mapping[str, str] | Sequence[str],
        Option(
            "Read WORD in the status column as STATUS: ok, timeout, memout, crash or other.",
            metavar="WORD=STATUS",
        ),
    ]
    missing: Annotated[
        MissingRuns | None,
        Option(
            "If a solver has no run on an instance that others ran on: count a timeout, count a crash, or "
            "drop the instance.",
            shown="an error",
            heading=TABLES,
        ),
    ]
    duplicates: Annotated[
        RepeatedRuns | None,
        Option(
            "If several rows hold the same run: keep the first, keep the last, or number them as "
            "repetitions.",
            shown="an error",
            heading=TABLES,
        ),
    ]
    records: Annotated[
        str,
        Option(
            "In a JSON file with several lists, read the list of runs at this path, such as data.runs.",
            metavar="PATH",
            shown="the only list",
            heading=TABLES,
        ),
    ]
    one_file_per: Annotated[
        FilePer | None,
        Option(
            "solver: each table in the folder PATH holds the runs of one solver. A column or the file's "
            "name gives the solver. scenario: each table holds one scenario.",
            shown="scenario",
            heading=TABLES,
        ),
    ]
    measure_column: Measures
    maximize: Annotated[
        Sequence[str], Option("Higher values of this measure are better.", metavar="NAME", heading=TABLES)
    ]
    minimize: Annotated[
        Sequence[str], Option("Lower values of this measure are better.", metavar="NAME", heading=TABLES)
    ]
    cells: Annotated[
        str,
        Option(
            "In a table with one column per solver, the cells hold this measure, such as time or accuracy.",
            metavar="MEASURE",
            shown="time, or an error if the cells might not be times",
            heading=TABLES,
        ),
    ]
    claims: Annotated[
        Mapping[str, str] | Sequence[str],
        Option(
            "Read WORD in the answer column as CLAIM: sat, unsat, optimal, solution, solved or unknown.",
            metavar="WORD=CLAIM",
            heading=TABLES,
        ),
    ]
    family: Annotated[
        str | Path | None,
        Option(
            "Group the instances into families. With path:1, the family is the first folder in the "
            "instance's name; with path:-1, the last folder; with path:1:_, the part before the first "
            "underscore. FILE is a CSV file with the columns instance and family.",
            metavar="path:N|FILE",
            as_text=True,
            heading=INSTANCES,
        ),
    ]
    attributes: Annotated[
        str | Path | None,
        Option(
            "Read attributes of the instances from this CSV file: one column of instances, one column "
            "per attribute.",
            metavar="FILE",
            heading=INSTANCES,
        ),
    ]
    features: Annotated[
        str | Path | None,
        Option(
            "Read instance features from this table: one column of instances, one column per feature.",
            metavar="FILE",
            heading=INSTANCES,
        ),
    ]
