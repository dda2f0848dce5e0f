"""contest.toml: what a contest's folder does not say by itself.

::

    name = "UAI-2022"            # of its scenarios: UAI-2022-PR, …; default: the folder
    limits = [20, 1200, 3600]    # for how long solvers ran; default: one, unnamed
    unit = "s"                   # of the limits
    weights = [1, 4, 5]          # of the limits in the final score; default: all equal
    best = "optimum"             # MAP, MMAP: also look for it here; default "known"
    largest = 4194304            # entries of the largest table that may be computed,
                                 # 8 bytes each, up to 2^30; this is the default
    tasks = ["PR", "MAR"]        # default: all that have answers
    [networks]                   # default: all that can be asked the task
    PR = ["Grids_*", "DBN_1*"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from aslib_eval.errors import Finding
from aslib_eval.metrics.elimination import LARGEST
from aslib_eval.readers.settings_file import (
    Keys,
    is_text,
    line_of,
    read_settings_file,
)
from aslib_eval.readers.uai_answers import TASKS

FILE = "contest.toml"
_CODE = "uai-contest"
_BEST = ("known", "optimum")
_MOST = 2**30


@dataclass(frozen=True)
class Settings:
    """The settings of a contest; ``limits`` is empty where there is only one."""

    name: str
    limits: tuple[float, ...] = ()
    unit: str = "s"
    weights: tuple[float, ...] = (1.0,)
    best: str = "known"
    largest: int = LARGEST
    tasks: tuple[str, ...] = ()
    networks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """The limits as folders and measures have them; one without a name if none."""
        return tuple(f"{limit:.15g}" for limit in self.limits) or ("",)

    def asks(self, network: str, *, task: str) -> bool:
        """Whether a network belongs to a task."""
        globs = self.networks.get(task, ("*",))
        return any(fnmatchcase(network, glob) for glob in globs)


def parse_settings(
    content: bytes | None, *, file: str, folder: str
) -> tuple[Settings, list[Finding]]:
    """The settings, defaults where they say nothing; everything that is wrong."""
    if content is None:
        return Settings(folder), []
    raw, wrong = read_settings_file(content, file=file, code=_CODE, keys=_KEYS)
    wrong = wrong or _weight_faults(raw, content, file)
    return (Settings(folder) if wrong else _settings(raw, folder)), wrong


def _settings(raw: Mapping[str, Any], folder: str) -> Settings:
    limits = tuple(map(float, raw.get("limits", ())))
    return Settings(
        name=raw.get("name", folder),
        limits=limits,
        unit=raw.get("unit", "s"),
        weights=tuple(map(float, raw.get("weights", [1.0] * max(len(limits), 1)))),
        best=raw.get("best", "known"),
        largest=raw.get("largest", LARGEST),
        tasks=tuple(raw.get("tasks", ())),
        networks={k: tuple(v) for k, v in raw.get("networks", {}).items()},
    )


def _weight_faults(raw: Mapping[str, Any], content: bytes, file: str) -> list[Finding]:
    limits = raw.get("limits", [0])
    if "weights" not in raw or len(raw["weights"]) == max(len(limits), 1):
        return []
    line, what = line_of(content, "weights"), "weights must be as many as the limits"
    return [Finding(_CODE, "error", file, line, what)]


def _are_numbers(value: Any) -> bool:
    kinds = (int, float)
    return isinstance(value, list) and all(type(x) in kinds and x > 0 for x in value)


def _are_limits(value: Any) -> bool:
    return _are_numbers(value) and value == sorted(set(value))


def _is_size(value: Any) -> bool:
    return type(value) is int and 1 <= value <= _MOST


def _are_tasks(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and set(map(str, value)) <= set(TASKS)
    )


def _are_globs(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    lists = [v if isinstance(v, list) else [None] for v in value.values()]
    return set(value) <= set(TASKS) and all(is_text(x) for part in lists for x in part)


_KEYS: Keys = {
    "name": (is_text, "a text"),
    "limits": (_are_limits, "a list of ascending numbers above 0"),
    "unit": (is_text, "a text"),
    "weights": (_are_numbers, "a list of numbers above 0"),
    "best": (lambda value: value in _BEST, f"one of {', '.join(_BEST)}"),
    "largest": (_is_size, "a whole number from 1 to 2^30"),
    "tasks": (_are_tasks, f"a list of {', '.join(TASKS)}"),
    "networks": (_are_globs, "a table of a list of names or globs for each task"),
}
