"""Files of selections, and the scenario of the lake to which each belongs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.lake import versions
from aslib_eval.text import did_you_mean

SUFFIXES = (".json", ".csv")
# Files that lie beside selections and hold scores.
NOT_SELECTIONS = {"expected_per_instance.csv"}


@dataclass(frozen=True)
class Target:
    """A file and its scenario; ``error`` is why it is not read."""

    path: Path
    scenario_id: str | None
    error: AslibError | None = None
    status: Literal["failed", "skipped"] = "failed"

    @property
    def shown(self) -> str:
        """The path to show to the user."""
        return str(self.path)


def find_targets(path: Path, *, lake: Path, scenario: str | None) -> list[Target]:
    """The files at ``path``: itself, or those in a folder and its sub-folders."""
    with os_errors(hint="Check the permissions."):
        return _find(path, lake, scenario)


def _find(path: Path, lake: Path, scenario: str | None) -> list[Target]:
    names = scenario_names(lake)
    wanted = None if scenario is None else scenario_called(scenario, lake)
    if path.is_file():
        found = wanted or _named(path, names)
        if found is None:
            hint = "Say it with --scenario NAME."
            raise AslibError("does not tell its scenario", str(path), hint)
        return [Target(path, found)]
    if not path.is_dir():
        what = "is no file or folder" if path.exists() else "does not exist"
        raise AslibError(what, str(path), "Name a file or a folder.")
    folders = sorted(p for p in path.iterdir() if p.is_dir() and _files(p))
    targets = [
        *_inside(path, wanted or names.get(path.resolve().name), names),
        *(target for folder in folders for target in _below(folder, names)),
    ]
    if wanted is not None:
        targets = [t for t in targets if t.scenario_id == wanted]
    if not any(target.error is None for target in targets):
        first = next((t.error for t in targets if t.status == "failed"), None)
        hint = "Files are <scenario>/<selector>.json or .csv."
        raise first or AslibError("holds no selections", str(path), hint)
    return targets


def scenario_names(lake: Path) -> dict[str, str]:
    """What scenarios of the lake are called, ids and then folders → their ids."""
    ids = versions.scenario_ids(lake)
    names = {name: name for name in ids}
    with versions.lease(lake) as held:
        for scenario_id in ids:
            with suppress(AslibError):  # a damaged one is still known by its id
                version = held.version(scenario_id)
                if version is not None:
                    names.setdefault(version.manifest()["folder"], scenario_id)
    return names


def scenario_called(scenario: str, lake: Path) -> str:
    """The id of the scenario of that id or folder name."""
    names = scenario_names(lake)
    if scenario in names:
        return names[scenario]
    hint = did_you_mean(scenario, names) or "Import it first with 'aslib-eval import PATH'."
    raise AslibError(f"holds no scenario {scenario!r}", str(lake), hint)


def _named(path: Path, names: dict[str, str]) -> str | None:
    """The scenario of a lone file: that of its folder, or one it is named like."""
    folder = names.get(path.resolve().parent.name)
    return folder or (names.get(path.stem) if _names_selectors(path) else None)


def _names_selectors(path: Path) -> bool:
    return "selector" in {name.strip().lower() for name in header_of(path)}


def _files(folder: Path) -> list[Path]:
    """Also pipes and links to nothing, which are refused when they are read."""
    files = (p for p in folder.iterdir() if not p.is_dir())
    return sorted(p for p in files if p.suffix.lower() in SUFFIXES)


def _below(folder: Path, names: dict[str, str]) -> list[Target]:
    """The files of a sub-folder, which must be named like a scenario."""
    scenario_id = names.get(folder.name)
    if scenario_id is not None:
        return _inside(folder, scenario_id, names)
    hint = did_you_mean(folder.name, names) or "Import it first, or rename the folder."
    error = AslibError("is not named like a scenario of the lake", str(folder), hint)
    return [Target(folder, None, error)]


def _inside(folder: Path, scenario_id: str | None, names: dict[str, str]) -> list[Target]:
    targets = []
    for file in _files(folder):
        mine = scenario_id
        if mine is None and _names_selectors(file):
            mine = names.get(file.stem)
        why = None
        if file.name in NOT_SELECTIONS:
            why = "holds scores, not selections"
        elif mine is None:
            why = "does not tell its scenario"
        error = None if why is None else AslibError(f"left out: it {why}", str(file))
        targets.append(Target(file, mine, error, "skipped"))
    return targets
