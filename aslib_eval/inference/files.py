"""Which files of a contest's folder belong to a task."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.inference.settings import FILE, parse_settings
from aslib_eval.readers.aslib import TEXTS, Source
from aslib_eval.readers.locations import Location
from aslib_eval.readers.uai_answers import TASKS

Sources = Mapping[str, Source]
# How answers to a task may end, and where to find what else it asks.
ENDINGS = {task: (task, "MPE") if task == "MAP" else (task,) for task in TASKS}
ASKED = {"MMAP": ("queries", ".query"), "MLC": ("tests", ".test")}


def is_contest(path: Path) -> bool:
    """Whether a folder holds a contest."""
    return path.is_dir() and (
        (path / FILE).is_file() or any((path / "networks").glob("*.uai"))
    )


def tasks_of(path: Path) -> tuple[str, ...]:
    """The tasks of a contest's folder: as it says, else those with answers."""
    file = path / FILE
    content = file.read_bytes() if file.is_file() else None
    settings, wrong = parse_settings(content, file=str(file), folder=path.name)
    if settings.tasks or wrong:
        return settings.tasks
    ends = {p.suffix.removeprefix(".") for p in (path / "answers").rglob("*.uai.*")}
    return tuple(task for task in TASKS if ends & set(ENDINGS[task]))


def load(location: Location) -> dict[str, Source]:
    """The files of one task, by their path within the folder.

    Raises AslibError if one cannot be read.
    """
    root, task = location.path, location.part
    ends = [f".uai.{end}" for end in ENDINGS.get(task, ())]
    globs = [*TEXTS, FILE, "networks/*.uai", "evidence/*.uai.evid"]
    if task in ASKED:
        globs.append("{}/*.uai{}".format(*ASKED[task]))
    globs += [f"{top}/**/*{end}" for top in ("answers", "roles") for end in ends]
    try:
        return _sources(root, globs)
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, error.filename, "Check the permissions.") from None


def settings_of(location: Location) -> dict[str, Source]:
    """The file of the settings alone, if there is one. Raises OSError."""
    return _sources(location.path, [FILE])


def _sources(root: Path, globs: Sequence[str]) -> dict[str, Source]:
    paths = sorted({p for glob in globs for p in root.glob(glob) if p.is_file()})
    contents = {p.relative_to(root).as_posix(): p.read_bytes() for p in paths}
    return {
        name: Source(content, hashlib.sha256(content).hexdigest())
        for name, content in contents.items()
    }
