"""Where scenarios lie: folders, archives, and contests in two parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".zip")
PARTS = ("train", "test")


@dataclass(frozen=True)
class Location:
    """Where a scenario's files lie, and the path to show to its user.

    ``part`` says which scenario of the folder it is where one folder holds several.
    """

    path: Path
    shown: str
    part: str = ""

    @property
    def folder(self) -> str:
        """Name of the scenario's folder."""
        return Path(self.shown).name

    def file(self, name: str) -> str:
        """The path of one of its files, as shown to the user."""
        return f"{self.shown}/{name}"


def find_scenarios(path: Path) -> list[Location]:
    """Scenario folders at ``path``: itself, or the folders and archives inside it.

    A contest's folder, which holds the folders train and test, is one scenario.

    Raises AslibError if there is nothing of the kind, or it cannot be looked into.
    """
    try:
        return _find(path)
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, str(path), "Check the permissions.") from None


def _find(path: Path) -> list[Location]:
    if _is_archive(path) or _is_scenario(path) or is_contest(path):
        return [Location(path, str(path))]
    if not path.is_dir():
        what = "is no folder or archive" if path.exists() else "does not exist"
        hint = f"Name a scenario folder, a folder of them, or a {'|'.join(ARCHIVES)}."
        raise AslibError(what, str(path), hint)
    inside = sorted(path.iterdir(), key=lambda p: p.name)
    found = [
        Location(p, str(p))
        for p in inside
        if _is_scenario(p) or _is_archive(p) or is_contest(p)
    ]
    if not found:
        what = "holds no description.txt, and no folder or archive in it does"
        raise AslibError(what, str(path), "Is it an ASlib scenario?")
    return found


def is_contest(path: Path) -> bool:
    """Whether a folder is a scenario in two parts, the folders train and test."""
    return not _is_scenario(path) and all(_is_scenario(path / p) for p in PARTS)


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.name.lower().endswith(ARCHIVES)


def _is_scenario(path: Path) -> bool:
    if not path.is_dir():
        return False
    return (path / "description.txt").exists() or any(path.glob("*.arff"))
