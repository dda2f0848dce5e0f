"""What all public functions have in common: checked words, shared meanings, names.

A parameter that is annotated with a ``Literal`` takes these words and no other, and a parameter that many
functions have is explained here once: ``completed`` adds it to what ``help`` shows, with the words in the
signature. The options of a function stay in its own signature: a ``TypedDict`` of them (PEP 692) would hold
no defaults, and ``help`` would show ``**options``. Messages name options as the command line does, and
where Python asks, the function's arguments.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial, wraps
from itertools import chain
from os import PathLike
from pathlib import Path
from textwrap import fill
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin

from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.options import (
    Option,
    Parameters,
    added_to,
    asked_of,
    option_of,
    parameters_of,
    require_together,
    spell,
    type_of,
    with_added,
)
from aslib_eval.text import did_you_mean, is_writable

if TYPE_CHECKING:
    import polars as pl

_WIDTH = 80  # of what help shows
_MOST = 10  # columns of a frame that is printed; polars prints 8, the first and the last
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


class HeldLake(PathLike[str]):
    """A lake that stays as it was when it was opened, and is asked as such."""

    @abstractmethod
    def asked(self) -> AbstractContextManager[object]:
        """Meanwhile all that reads the lake sees what this one holds."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """A function for users: it checks its words, and names arguments as who asks does.

    >>> from typing import Literal
    >>> def sweep(*, show: Literal["pairs", "leaders"] = "pairs") -> None: ...
    >>> public(sweep)(show="leadrs")
    Traceback (most recent call last):
    aslib_eval.errors.OptionError: sweep: show = 'leadrs' is none of pairs, leaders. \
Did you mean 'leaders'?
    """
    name = function.__name__

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        own = parameters_of(function)
        added = added_to(name, own) if kwargs.keys() - own.keys() else {}
        parameters = with_added(own, added)
        for each in sorted(kwargs.keys() - parameters.keys()):
            what = f"{name}() got an unexpected keyword argument {each!r}"
            raise TypeError(f"{what}. {did_you_mean(each, parameters)}".rstrip())
        worded = partial(in_python, parameters=parameters)
        if (note := kwargs.get("note")) and not TYPED.get():
            kwargs["note"] = lambda said: note(worded(said))  # type: ignore[operator]
        given = {**dict(zip(own, args, strict=False)), **kwargs}
        lake = given.get("lake")
        held = lake.asked() if isinstance(lake, HeldLake) else nullcontext()
        try:
            for each in (each for each in given if each in parameters):
                _require(name, parameters[each], given[each])
            require_together(parameters, given)
            with held:
                instead = asked_of(added, given)
                if instead is None:
                    for new in parameters.keys() - own.keys():
                        kwargs.pop(new, None)
                    found = function(*args, **kwargs)
                else:
                    found = instead.answer(**instead.used(given))
        except AslibError as error:
            _word(error, worded)
            raise
        if (polars := sys.modules.get("polars")) and type(found) is polars.DataFrame:
            return cast("R", printed_class()(cast("Any", found)))
        for outcome in found if isinstance(found, list) else ():
            _word(getattr(outcome, "error", None), worded)
        return found

    return checked


@cache
def printed_class() -> type[pl.DataFrame]:
    """Frames that print what tells their rows apart, where they are wide.

    Columns that are the same in every row are named below, those without a value are left out, and so are
    the last ones where more than ten are left. Who has set how many columns polars prints gets these.
    Pickled or copied they are plain frames.
    """
    import polars as pl

    class PrintedFrame(pl.DataFrame):
        def __str__(self) -> str:
            if self.width <= _MOST or "POLARS_FMT_MAX_COLS" in os.environ:
                return super().__str__()
            known = [n for n in self.columns if self[n].null_count() < self.height]
            same = [n for n in known if self.height > 1 and self[n].n_unique() == 1]
            kept = [name for name in known if name not in same]
            with pl.Config(tbl_cols=_MOST, tbl_hide_dataframe_shape=True):
                text = f"shape: {self.shape}\n{pl.DataFrame(self.select(kept[:_MOST]))}"
            if same:
                told = ", ".join(f"{name} {self[name][0]}" for name in same)
                text += f"\nin every row: {told}"
            more = ", ".join(kept[_MOST:])
            return f"{text}\nnot shown: {more}" if more else text

        def __repr__(self) -> str:
            return str(self)

        def __reduce_ex__(self, protocol: Any) -> Any:
            return pl.DataFrame(self).__reduce_ex__(protocol)

    return PrintedFrame


def completed(found: T) -> T:
    """A name of ``aslib_eval``; ``help`` on a public function shows all that it takes.

    That is also what was added to it. Parameters that its docstring does not explain are explained by their
    options.
    """
    if inspect.isfunction(found) and hasattr(found, "__wrapped__"):
        own = parameters_of(found)
        added = added_to(found.__name__, own)
        if added or not hasattr(found, "__signature__"):
            _explain(found, with_added(own, added))
    return found


def _explain(checked: Callable[..., Any], parameters: Parameters) -> None:
    """Let ``help`` show parameters with their words, and what they mean."""
    function = inspect.unwrap(checked)
    shown = [
        parameter.replace(annotation=type_of(parameter.annotation)) for parameter in parameters.values()
    ]
    signature = inspect.signature(function).replace(parameters=shown)
    checked.__signature__ = signature  # type: ignore[attr-defined]
    checked.__doc__ = _described(function, parameters)


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


def in_python(text: str, parameters: Parameters) -> str:
    """A text that names options of the command line, with those of a function.

    Commands in quotes stay, as do options that the function does not have.

    >>> def gap(*, fold_mean: bool = False, show: str = "pairs") -> None: ...
    >>> parameters = inspect.signature(gap).parameters
    >>> in_python("give --fold-mean, or --show NAME, not --seed 1", parameters)
    'give fold_mean=True, or show=NAME, not --seed 1'
    """
    named = {
        flag: parameter
        for name, parameter in parameters.items()
        for flag in (option_of(parameter.annotation) or Option()).spelled(name)
    }

    def said(found: re.Match[str]) -> str:
        if found["command"]:
            return found[0]
        if f"--{found['name']}" not in named:  # of another command or program
            return found[0]
        parameter, value = named[f"--{found['name']}"], found["value"]
        name = parameter.name
        if found["key"]:
            return f"{name}={{{found['key']!r}: {found['of']!r}}}"
        if value and (value.isupper() or value[0].isdigit()):
            return f"{name}={value}"
        if value in {*words_of(type_of(parameter.annotation)), "none", "all"} - {None}:
            return f"{name}={value!r}"
        switch = "=True" if isinstance(parameter.default, bool) else ""
        return f"{name}{switch} {value or ''}".rstrip()

    return _OPTION.sub(said, text)


def types_in(annotation: object) -> list[object]:
    """A type, and those that it is made of.

    >>> found = types_in(Sequence[float] | None)
    >>> Sequence in found, float in found, int in found
    (True, True, False)
    """
    inside = (types_in(each) for each in get_args(annotation))
    return [annotation, get_origin(annotation), *chain.from_iterable(inside)]


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


def _require(function: str, parameter: inspect.Parameter, given: object) -> None:
    """Check that a parameter which takes words is given some of them, and text text."""
    kind = type_of(parameter.annotation)
    allowed, types = list(words_of(kind)), types_in(kind)
    is_path = Path in types or PathLike in types
    several = isinstance(given, list | tuple | set | frozenset)
    for word in given if several else (given,):  # type: ignore[attr-defined]
        if allowed and word not in allowed:
            known = [str(each) for each in allowed if each is not None]
            raise unknown_word(function, parameter.name, word, known)
        if isinstance(word, str) and not is_path and not is_writable(word):
            what = f"{parameter.name} = {word!r} is not UTF-8 text"
            raise AslibError(what, function, "Write it as UTF-8.")


def unknown_word(function: str, parameter: str, word: object, known: Collection[str]) -> OptionError:
    """A parameter of a function takes some words, and was given another one."""
    what = f"{parameter} = {word!r} is none of {', '.join(known)}"
    return OptionError(what, function, did_you_mean(str(word), known) or None)


def _described(function: Callable[..., Any], parameters: Parameters) -> str:
    """The docstring, and before its example the parameters that it does not explain."""
    text = inspect.cleandoc(function.__doc__ or "")
    missing = [
        fill(f"{name}: {meaning}", initial_indent="    ", subsequent_indent="        ", width=_WIDTH)
        for name, parameter in parameters.items()
        if not re.search(rf"(?<!\w){name}(, \w+)*:", text) and (meaning := _meaning(name, parameter))
    ]
    if not missing:
        return text
    body, prompt, example = text.partition("\n>>> ")
    shared = "\n".join(["Arguments:", *missing])
    return f"{body.rstrip()}\n\n{shared}\n{prompt}{example}"


def _meaning(name: str, parameter: inspect.Parameter) -> str:
    """What a parameter means where the docstring does not say."""
    if name in _IN_PYTHON:
        return _IN_PYTHON[name]
    if (option := option_of(parameter.annotation)) is None:
        return ""
    default = f" By default: {option.shown}." if option.shown else ""
    return spell(option.about + default, "``{}``".format)
