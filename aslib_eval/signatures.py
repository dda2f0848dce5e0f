"""What all public functions have in common: checked words, shared meanings, names.

A parameter that is annotated with a ``Literal`` takes these words and no other, and a parameter that many
functions have is explained here once: ``completed`` adds it to what ``help`` shows, with the words in the
signature. The options of a function stay in its own signature: a ``TypedDict`` of them (PEP 692) would hold
no defaults, and ``help`` would show ``**options``. Messages name options as the command line does, and
where Python asks, the function's arguments.
"""

from __future__ import annotations

import inspect
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import Any, ParamSpec, TypeVar, cast

from aslib_eval.errors import TYPED, AslibError, OptionError
from aslib_eval.options import Argument, arguments_of, require_together, spell, types_in, words_of
from aslib_eval.text import did_you_mean, is_writable, printed_class

_WIDTH = 80  # of what help shows
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
        arguments = _arguments_for(function, kwargs)
        worded = partial(in_python, arguments=arguments)
        if (note := kwargs.get("note")) and not TYPED.get():
            kwargs["note"] = lambda said: note(worded(said))  # type: ignore[operator]
        given = {**dict(zip(arguments, args, strict=False)), **kwargs}
        try:
            for name, value in given.items():
                _require(function.__name__, arguments[name], value)
            require_together(arguments, given)
            found: Any = _answer(function, arguments, given, args)
        except AslibError as error:
            _word(error, worded)
            raise
        # Another thread may be importing polars just now: it has no frames yet.
        if not TYPED.get() and type(found) is getattr(sys.modules.get("polars"), "DataFrame", None):
            return cast("R", printed_class()(found))
        for outcome in found if isinstance(found, list) else ():
            _word(getattr(outcome, "error", None), worded)
        return cast("R", found)

    return checked


def _arguments_for(function: Callable[..., Any], given: Mapping[str, object]) -> Mapping[str, Argument]:
    """The arguments of a function; with those of plug-ins where some are given that it has not itself."""
    arguments = arguments_of(function, added=False)
    if given.keys() <= arguments.keys():
        return arguments
    arguments = arguments_of(function)
    for name in sorted(given.keys() - arguments.keys()):
        what = f"{function.__name__}() got an unexpected keyword argument {name!r}"
        raise TypeError(f"{what}. {did_you_mean(name, arguments)}".rstrip())
    return arguments


def _answer(
    function: Callable[..., Any],
    arguments: Mapping[str, Argument],
    given: Mapping[str, Any],
    in_place: Sequence[object],
) -> Any:
    """What the function says, or in its place the plug-in of which an option is given."""
    lake = given.get("lake")
    with lake.asked() if isinstance(lake, HeldLake) else nullcontext():
        for name, value in given.items():
            if (answer := arguments[name].answer) and arguments[name].is_given(value):
                return answer(given)
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


def _word(error: object, worded: Callable[[str], str]) -> None:
    """Let an error name its options as Python does, if Python asks."""
    if isinstance(error, AslibError) and not TYPED.get():
        error.worded = worded


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
    missing = [
        fill(f"{name}: {meaning}", initial_indent="    ", subsequent_indent="        ", width=_WIDTH)
        for name, argument in arguments.items()
        if not re.search(rf"(?<!\w){name}(, \w+)*:", text) and (meaning := _meaning(argument))
    ]
    if not missing:
        return text
    body, prompt, example = text.partition("\n>>> ")
    shared = "\n".join(["Arguments:", *missing])
    return f"{body.rstrip()}\n\n{shared}\n{prompt}{example}"


def _meaning(argument: Argument) -> str:
    """What an argument means where the docstring does not say."""
    if argument.name in _IN_PYTHON or argument.option is None:
        return _IN_PYTHON.get(argument.name, "")
    default = f" By default: {argument.option.shown}." if argument.option.shown else ""
    return spell(argument.option.about + default, "``{}``".format)
