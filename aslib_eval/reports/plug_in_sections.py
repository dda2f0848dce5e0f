"""Sections that plug-ins add to pages, and what stands there where one fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from aslib_eval.plugins import PlugIn, Registry
from aslib_eval.reports.html import Html, Section, paragraph

T = TypeVar("T")


def sections_made(registry: Registry[Callable[[T], Section | None]], results: T, of: str) -> list[Section]:
    """The sections of a registry. of: the population that one that fails is of."""
    found = []
    for name, make in registry.usable().items():
        plug_in = registry.plug_in(name)
        section = make(results) if plug_in is None else made_by_plug_in(plug_in, make, results, Section)
        if isinstance(section, Html):
            section = Section(f"plug-in-{name}", name, of, section)
        if section is not None:
            found.append(section)
    return found


def made_by_plug_in(plug_in: PlugIn | None, make: Callable[[T], object], results: T, *kinds: type) -> Any:
    """What a plug-in makes, or in its place a sentence that says how it failed."""
    try:
        found = make(results)
        if found is None or isinstance(found, kinds):
            return found
        names = " or ".join(kind.__name__ for kind in kinds)
        why = f"it returned a {type(found).__name__}, and no {names}"
    except Exception as error:  # noqa: BLE001 - it is anybody's code
        why = f"{type(error).__name__}: {error}"
    return paragraph(f"The plug-in {plug_in} failed ({why}).")
