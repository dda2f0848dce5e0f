"""What other packages add: formats, figures, sections, commands, options, ….

A package declares an entry point in a group such as ``aslib_eval.formats``; the name of
the entry point is the name of what it adds. Each registry of ours is a ``Registry``,
which looks for entry points when it is first asked for more than its own names, and
loads one when that is asked for. They come in the order of their names.

A plug-in that cannot be used is left out of whatever goes over all, with a
``BrokenPlugIn`` warning that names its distribution, once in a process; asked for by
name, it raises. A name that is taken, by us or by a distribution before it in the
alphabet, is refused in the same way.

Source: Python Packaging User Guide, Entry points specification.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from aslib_eval.errors import AslibError, BrokenPlugIn

T = TypeVar("T")
PREFIX = "aslib_eval."
KINDS = ("formats", "figures", "sections", "commands", "options", "tests", "metrics")
# Where a distribution says what it is: as wheels are installed, and as editable ones.
_FOLDERS = (".dist-info", ".egg-info")


@dataclass(frozen=True, order=True)
class PlugIn:
    """An entry point: ``home`` is ``module:attribute`` in a distribution."""

    kind: str
    name: str
    distribution: str
    version: str
    home: str

    def __str__(self) -> str:
        return f"{self.kind[:-1]} {self.name} of {self.distribution} {self.version}"

    def load(self) -> Any:
        """What it leads to."""
        module, _, attribute = self.home.partition(":")
        try:
            found = import_module(module)
            for part in attribute.split("."):
                found = getattr(found, part)
        # One that exits, or says that it was interrupted, ends nothing but itself.
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            why = f"cannot be loaded ({type(error).__name__}: {error})"
            raise self.error(why) from error
        return found

    def error(self, what: str) -> AslibError:
        """Something is wrong with it."""
        hint = f"Update {self.distribution}, or uninstall it."
        return AslibError(what, f"the plug-in {self}", hint)


class Registry(Mapping[str, T], Generic[T]):
    """Ours by name, and after them those of plug-ins, each loaded when asked for.

    kind: one of KINDS. ours: by name. made: turns what an entry point leads to, and its
    name, into what the registry holds; raises AslibError with what is wrong with it.
    last: how many of ours come after those of plug-ins.
    """

    def __init__(
        self,
        kind: str,
        ours: Mapping[str, T],
        made: Callable[[str, Any], T],
        *,
        last: int = 0,
    ) -> None:
        self._kind, self._ours, self._made, self._last = kind, ours, made, last

    def __getitem__(self, name: str) -> T:
        if name in self._ours:
            return self._ours[name]
        plug_in = self._theirs()[name]
        loaded = plug_in.load()
        try:
            return self._made(name, loaded)
        except AslibError as error:
            raise plug_in.error(error.message) from None
        except Exception as error:
            why = f"cannot be used ({type(error).__name__}: {error})"
            raise plug_in.error(why) from error

    def __iter__(self) -> Iterator[str]:
        names = list(self._ours)
        end = len(names) - self._last
        return iter((*names[:end], *self._theirs(), *names[end:]))

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
        for plug_in in plug_ins():
            if plug_in.kind != self._kind:
                continue
            if plug_in.name in self._ours or plug_in.name in found:
                other = found.get(plug_in.name)
                owner = "aslib-eval" if other is None else other.distribution
                leave_out(plug_in.error(f"has a name that is taken, by {owner}"))
            else:
                found[plug_in.name] = plug_in
        return found


_TOLD: set[str] = set()


def leave_out(error: AslibError) -> None:
    """Warn of a plug-in, once in a process."""
    if (text := str(error)) not in _TOLD:
        _TOLD.add(text)
        warnings.warn(text, BrokenPlugIn, stacklevel=4)


def plug_ins() -> tuple[PlugIn, ...]:
    """All that is installed, by kind and name."""
    return _installed(tuple(sys.path))


@cache
def _installed(folders: tuple[str, ...]) -> tuple[PlugIn, ...]:
    """The entry points of distributions in some folders; the first of a name counts.

    The files are read by hand: ``importlib.metadata`` takes longer to load than all
    else that ``aslib-eval --help`` needs. What lies in a zip archive is not found.
    """
    found: list[PlugIn] = []
    seen: set[str] = set()
    for folder in dict.fromkeys(folder or "." for folder in folders):
        for place in sorted(_told_by(folder)):
            file = Path(place, "entry_points.txt")
            text = ""
            with suppress(OSError):
                if file.is_file():  # a pipe would be waited for
                    text = file.read_text(encoding="utf-8", errors="replace")
            name = Path(place).name.split("-")[0].lower()
            if name not in seen and f"[{PREFIX}" in text:
                try:
                    found += _declared(Path(place), text)
                except AslibError as error:
                    leave_out(error)
            seen.add(name)
    return tuple(sorted(found))


def _told_by(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.name.endswith(_FOLDERS)]
    except OSError:
        return []


def _declared(place: Path, text: str) -> list[PlugIn]:
    """The entry points of a distribution in our groups."""
    from configparser import ConfigParser, Error

    declared = ConfigParser(delimiters=("=",), strict=False, interpolation=None)
    declared.optionxform = str  # type: ignore[assignment,method-assign]
    distribution, version = _called(place)
    found = []
    try:
        declared.read_string(text)
    except Error as error:
        why = " ".join(str(error).split())
        raise _damaged(place, distribution, why) from None
    for kind in KINDS:
        group = f"{PREFIX}{kind}"
        for name, home in declared.items(group) if group in declared else ():
            plain = re.sub(r"[\s\[].*", "", home)  # without extras
            if not re.fullmatch(r"[\w.]+:[\w.]+", plain) or not name.isprintable():
                raise _damaged(place, distribution, f"{name} = {home}")
            found.append(PlugIn(kind, name, distribution, version, plain))
    return found


def _called(place: Path) -> tuple[str, str]:
    """Name and version of a distribution: what it says, else its folder's name."""
    from importlib.metadata import PathDistribution

    name, _, version = place.name.removesuffix(place.suffix).partition("-")
    try:
        said = PathDistribution(place)
        return said.metadata["Name"] or name, said.version or version
    except Exception:  # noqa: BLE001 - whatever a damaged file does to a parser
        return name, version


def _damaged(place: Path, distribution: str, why: str) -> AslibError:
    hint = f"Install {distribution} again, or uninstall it."
    what = f"says in a way that cannot be read what it adds ({why})"
    where = f"the plug-in {distribution}: {place / 'entry_points.txt'}"
    return AslibError(what, where, hint)


def sources() -> Iterator[tuple[PlugIn, Path]]:
    """The files whose content decides what plug-ins do, for hashes of the code.

    They are the Python and SQL files of the top package of each; found, not imported.
    """
    for plug_in in plug_ins():
        top = plug_in.home.partition(":")[0].partition(".")[0]
        spec = None
        with suppress(ImportError, ValueError):  # it cannot be loaded either
            spec = find_spec(top)
        origin = spec.origin if spec is not None else None
        if origin is None:
            continue
        if spec is not None and spec.submodule_search_locations:
            for root, _, names in sorted(os.walk(Path(origin).parent)):
                for name in sorted(names):
                    if name.endswith((".py", ".sql")):
                        yield plug_in, Path(root, name)
        else:
            yield plug_in, Path(origin)
