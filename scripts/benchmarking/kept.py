"""Measurements, kept in a file as they are made, so that a stopped run goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .processes import Taken

Made = Mapping[str, Taken]


@dataclass(frozen=True)
class Kept:
    """By part, then by task and round: what each process took, by its name.

    ``facts`` are what tables say beside it, by part. ``file``: None keeps nothing.
    """

    file: Path | None = None
    measured: dict[str, dict[str, dict[str, Taken]]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def has(self, part: str, task: str, turn: int) -> bool:
        """Whether a task of a part has been measured in that round."""
        return f"{task} {turn}" in self.measured.get(part, {})

    def measure(self, part: str, task: str, turn: int, work: Callable[[], Made]) -> None:
        """Do the work, unless it was done before, and keep what it took."""
        if not self.has(part, task, turn):
            print(f"{part}, round {turn + 1}: {task}", file=sys.stderr)
            made = dict(work())
            self.measured.setdefault(part, {})[f"{task} {turn}"] = made
            self.save()

    def know(self, part: str, facts: Any) -> None:
        """Keep what is said beside a part's measurements."""
        self.facts[part] = facts
        self.save()

    def rounds(self, part: str) -> list[dict[str, Taken]]:
        """By round: what everything took. A round that is not complete is left out."""
        turns: dict[int, dict[str, Taken]] = {}
        for task, made in self.measured.get(part, {}).items():
            turns.setdefault(int(task.rpartition(" ")[2]), {}).update(made)
        names = set().union(*turns.values())
        return [made for _, made in sorted(turns.items()) if made.keys() == names]

    def save(self) -> None:
        """Write the file, whole."""
        if self.file is not None:
            measured = {
                part: {
                    task: {name: asdict(taken) for name, taken in made.items()}
                    for task, made in tasks.items()
                }
                for part, tasks in self.measured.items()
            }
            text = json.dumps({"facts": self.facts, "measured": measured}, indent=1)
            fresh = self.file.with_name(f"{self.file.name}.new")
            fresh.write_text(f"{text}\n")
            fresh.replace(self.file)


def kept_in(file: Path | None) -> Kept:
    """What a file holds from before; nothing if there is none."""
    if file is None or not file.exists():
        return Kept(file)
    found = json.loads(file.read_text())
    measured = {
        part: {task: {name: Taken(**taken) for name, taken in made.items()} for task, made in tasks.items()}
        for part, tasks in found["measured"].items()
    }
    return Kept(file, measured, found["facts"])
