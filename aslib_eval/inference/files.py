"""Which files of a contest's folder belong to a task."""

from __future__ import annotations

from pathlib import Path

from aslib_eval.inference.settings import FILE, parse_settings
from aslib_eval.readers.locations import Location
from aslib_eval.readers.sources import TEXTS, Source, load_files
from aslib_eval.readers.uai_answers import TASKS

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
    task = location.part
    ends = [f".uai.{end}" for end in ENDINGS.get(task, ())]
    globs = [*TEXTS, FILE, "networks/*.uai", "evidence/*.uai.evid"]
    if task in ASKED:
        globs.append("{}/*.uai{}".format(*ASKED[task]))
    globs += [f"{top}/**/*{end}" for top in ("answers", "roles") for end in ends]
    return load_files(location, globs)


def settings_of(location: Location) -> dict[str, Source]:
    """The file of the settings alone, if there is one. Raises AslibError."""
    return load_files(location, [FILE])
