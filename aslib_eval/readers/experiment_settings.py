"""experiment.toml: what an experiment of optimisers does not say by itself.

::

    name = "OPT-FUNCTIONS-2026"   # of the scenario; default: the folder
    measure = "objective"         # what was evaluated; the default
    maximize = false              # whether more of it is better; the default
    [optimum]                  # of some problems, where it is known
    branin-2 = 0.397887
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aslib_eval.errors import Finding
from aslib_eval.readers.settings_file import Keys, is_text, read_settings_file

FILE = "experiment.toml"
_CODE = "experiment-settings"


@dataclass(frozen=True)
class Settings:
    """The settings of an experiment; None where the file says nothing."""

    name: str
    measure: str = "objective"
    maximize: bool | None = None
    optimum: Mapping[str, float] = field(default_factory=dict)


def parse_settings(
    content: bytes | None, *, file: str, folder: str
) -> tuple[Settings, list[Finding]]:
    """The settings, defaults where they say nothing, and everything that is wrong."""
    if content is None:
        return Settings(folder), []
    raw, wrong = read_settings_file(content, file=file, code=_CODE, keys=_KEYS)
    if wrong:
        return Settings(folder), wrong
    known = {str(k): float(v) for k, v in raw.pop("optimum", {}).items()}
    return Settings(**{"name": folder, **raw}, optimum=known), []


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(x) in (int, float) and math.isfinite(x) for x in value.values()
    )


_KEYS: Keys = {
    "name": (is_text, "a text"),
    "measure": (is_text, "a text"),
    "maximize": (lambda value: isinstance(value, bool), "true or false"),
    "optimum": (_are_numbers, "a table of a finite number for each problem"),
}
