"""What extensions and other packages add: formats, views, figures, commands and more.

A package declares an entry point in a group such as ``aslib_eval.formats``; the name of the entry point is
the name of what it adds. Each registry of ours is a ``Registry``, which looks for entry points when it is
first asked for more than its own names, and loads one when that is asked for. They come in the order of
their names, or where ours keep a place for them.

The extensions that come along, the folders of ``aslib_eval/extensions``, say in the same words what they
add, in a file ``entry_points.txt``. They are read as if each were installed before all other packages.

A plug-in that cannot be used is left out of whatever goes over all, with a ``BrokenPlugIn`` warning that
names its distribution, once in a process; asked for by name, it raises. A name that is taken, by us or by a
distribution before it in the alphabet, is refused in the same way.

Source: Python Packaging User Guide, Entry points specification.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from aslib_eval._version import __version__
from aslib_eval.errors import AslibError, BrokenPlugIn

T = TypeVar("T")
PREFIX = "aslib_eval."
KINDS = (
    *("formats", "views", "relations", "figures", "charts"),
    *("sections", "index_sections", "board_sections"),
    *("commands", "functions", "options", "tests", "comparisons", "metrics", "columns", "checks"),
    *("clusters", "selectors"),
)
EXTENSIONS = Path(__file__).parent / "extensions"
_OURS = "aslib-eval"  # the distribution of the extensions that come along


@dataclass(frozen=True, order=True)
class PlugIn:
    """An entry point of a distribution: ``home`` is ``module:attribute``, or a module.

    It is of an extension that comes along, or of another package.
    """

    kind: str
    name: str
    distribution: str
    version: str
    home: str

    def __str__(self) -> str:
        kind = self.kind.removesuffix("s").replace("_", " ")
        return f"{kind} {self.name} of {self.distribution} {self.version}"

    @property
    def comes_along(self) -> bool:
        """Whether it is of an extension that comes with the package."""
        return self.distribution == _OURS

    def load(self) -> Any:
        """What it leads to."""
        try:
            return loaded(self.home)
        # One that exits, or says that it was interrupted, ends nothing but itself.
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            raise self.error(f"cannot be loaded ({type(error).__name__}: {error})") from error

    def error(self, what: str) -> AslibError:
        """Something is wrong with it."""
        return AslibError(what, f"the plug-in {self}", f"Update {self.distribution}, or uninstall it.")


def loaded(home: str) -> Any:
    """What lies at ``module:attribute``, such as ``aslib_eval.commands.scoring:gap``, or a module."""
    module, _, attribute = home.partition(":")
    found = import_module(module)
    for part in filter(None, attribute.split(".")):
        found = getattr(found, part)
    return found


class Reserved:
    """Where something stands among ours that an extension may add."""


RESERVED: Final = Reserved()


def of_kind(kind: type[T]) -> Callable[[str, object], T]:
    """The ``made`` of a registry that holds what is added as it is, of a kind."""

    def made(_name: str, found: object) -> T:
        if not isinstance(found, kind):
            raise AslibError(f"is a {type(found).__name__}, not a {kind.__name__}")
        return found

    return made


def a_function(_name: str, found: object) -> Callable[..., Any]:
    """The ``made`` of a registry of functions."""
    if not callable(found):
        raise AslibError(f"is a {type(found).__name__}, not a function")
    return found


class Registry(Mapping[str, T], Generic[T]):
    """Ours by name, and those of plug-ins, each loaded when asked for.

    kind: one of KINDS. ours: by name; RESERVED keeps a place for what may be added under a name, all else
    that is added comes after ours. made: turns what an entry point leads to, and its name, into what the
    registry holds; raises AslibError with what is wrong with it. last: how many of ours come after those of
    plug-ins. within: of names such as ``plan.runs`` those that begin so, by what is behind it: "plan"; of
    "" those without a dot; of None all, whatever is in them.
    """

    def __init__(
        self,
        kind: str,
        ours: Mapping[str, T | Reserved],
        made: Callable[[str, Any], T],
        *,
        last: int = 0,
        within: str | None = None,
    ) -> None:
        self._kind, self._made, self._last = kind, made, last
        self._ours = {n: x for n, x in ours.items() if not isinstance(x, Reserved)}
        self._order, self._within = tuple(ours), within

    def __getitem__(self, name: str) -> T:
        if name in self._ours:
            return self._ours[name]
        plug_in = self._theirs()[name]
        found = plug_in.load()
        try:
            return self._made(name, found)
        except AslibError as error:
            raise plug_in.error(error.message) from None
        except Exception as error:
            raise plug_in.error(f"cannot be used ({type(error).__name__}: {error})") from error

    def __iter__(self) -> Iterator[str]:
        theirs = self._theirs()
        names = [n for n in self._order if n in self._ours or n in theirs]
        more = (name for name in theirs if name not in self._order)
        end = len(names) - self._last
        return iter((*names[:end], *more, *names[end:]))

    def __len__(self) -> int:
        return len(self._ours) + len(self._theirs())

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._theirs()

    def usable(self, prefix: str = "") -> dict[str, T]:
        """All by name, without those that cannot be used, of which a warning tells.

        prefix: only those whose names begin so.
        """
        found = {}
        for name in (name for name in self if name.startswith(prefix)):
            try:
                found[name] = self[name]
            except AslibError as error:
                leave_out(error)
        return found

    def plug_in(self, name: str) -> PlugIn | None:
        """Where a name comes from; None if it is ours."""
        return None if name in self._ours else self._theirs()[name]

    def _theirs(self) -> dict[str, PlugIn]:
        found: dict[str, PlugIn] = {}
        for plug_in in plug_ins(self._kind):
            group, _, name = plug_in.name.rpartition(".")
            if self._within is None:
                name = plug_in.name
            elif group != self._within:
                continue
            if name in self._ours or name in found:
                owner = found[name].distribution if name in found else _OURS
                leave_out(plug_in.error(f"has a name that is taken, by {owner}"))
            else:
                found[name] = plug_in
        return found


_TOLD: set[str] = set()


def leave_out(error: AslibError) -> None:
    """Warn of a plug-in, once in a process."""
    if (text := str(error)) not in _TOLD:
        _TOLD.add(text)
        warnings.warn(text, BrokenPlugIn, stacklevel=4)


def plug_ins(*kinds: str) -> tuple[PlugIn, ...]:
    """All that extensions and other packages add, by kind and name.

    kinds: of these alone, if any are named.
    """
    found = _installed(tuple(sys.path))
    return tuple(each for kind in kinds or sorted(KINDS) for each in found.get(kind, ()))


def of_others(*kinds: str) -> tuple[PlugIn, ...]:
    """As ``plug_ins``, of other packages alone."""
    return tuple(each for each in plug_ins(*kinds) if not each.comes_along)


@cache
def _installed(folders: tuple[str, ...]) -> Mapping[str, list[PlugIn]]:
    """The entry points of extensions, and of distributions in some folders, by kind.

    Of one name the first distribution counts; extensions come before all others.
    """
    ours = (Distribution.at(file.parent) for file in sorted(EXTENSIONS.glob("*/entry_points.txt")))
    every = [plug_in for place in ours for plug_in in _entries(place, comes_along=True)]
    theirs: dict[str, list[PlugIn]] = {}
    for entries in filter(None, map(_entries, distributions(path=[*folders]))):
        theirs.setdefault(entries[0].distribution, entries)
    found: dict[str, list[PlugIn]] = {kind: [] for kind in KINDS}
    for plug_in in sorted(chain(every, *theirs.values()), key=lambda x: (x.name, not x.comes_along, x)):
        found[plug_in.kind].append(plug_in)
    return found


def _entries(place: Distribution, *, comes_along: bool = False) -> list[PlugIn]:
    """The entry points in our groups of an extension or a distribution; it warns where they are damaged."""
    try:
        if f"[{PREFIX}" not in (place.read_text("entry_points.txt") or ""):
            return []
        name, version = (_OURS, __version__) if comes_along else (place.name, place.version)
        name = name or f"a package in {place.locate_file('')}"  # without METADATA
        return [
            PlugIn(kind, point.name, name, version, f"{point.module}:{point.attr or ''}".rstrip(":"))
            for kind in KINDS
            for point in place.entry_points.select(group=f"{PREFIX}{kind}")
        ]
    except Exception as error:  # noqa: BLE001 - whatever a damaged file does to a parser
        what = f"the entry points of a package cannot be read ({type(error).__name__}: {error})"
        where = str(place.locate_file(""))
        leave_out(AslibError(what, where, "Install the packages there again, or uninstall them."))
        return []


def sources(*plug_ins: PlugIn) -> Iterator[tuple[PlugIn, Path]]:
    """The files whose content decides what other packages do, for hashes of the code.

    They are the Python, SQL and TOML files of the top package of each; found, not imported. plug_ins: of
    these alone, if any are given.
    """
    for plug_in in plug_ins or of_others():
        top = plug_in.home.partition(":")[0].partition(".")[0]
        spec = None
        with suppress(ImportError, ValueError):  # it cannot be loaded either
            spec = find_spec(top)
        if spec is None or spec.origin is None:
            continue
        if not spec.submodule_search_locations:
            yield plug_in, Path(spec.origin)
            continue
        for root, _, names in sorted(os.walk(Path(spec.origin).parent)):
            for name in sorted(names):
                if name.endswith((".py", ".sql", ".toml")):
                    yield plug_in, Path(root, name)
