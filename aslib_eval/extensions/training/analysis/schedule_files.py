"""Stored selections as schedules of the OASC: JSON, instance → list of steps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from aslib_eval.atomic_files import replace_files
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError

Schedule = list[str | list[str | float]]


def write_schedules(
    lake: Path,
    to: Path,
    *,
    scenarios: Sequence[str] = (),
    selectors: Sequence[str] = (),
    cv_scheme: str = "aslib",
) -> list[Path]:
    """Write ``to/<scenario folder>/<selector>.json`` for every stored selection.

    All selectors that answered on the scheme, if none is named; files of that name
    are replaced. A step is a feature step's name, or [algorithm, budget], where the
    cutoff stands for no budget of its own, and the name alone where there is no
    cutoff. Where all instances were timed, the times of training and choosing are
    there, too. Gives the files. Importing them gives selections of the same scores.
    """
    opened = open_lake(lake, scenarios=scenarios)
    asked = {"scheme": cv_scheme, "selectors": list(selectors) or None}
    folders = dict(opened.rows("select scenario_id, folder from raw_scenario"))
    files: dict[str, dict[str, Schedule]] = {}
    said: dict[str, dict[str, float]] = {}
    timed = _times(opened, cv_scheme)
    repetition_of: dict[str, int] = {}
    for row in opened.rows("schedules", asked):
        scenario, selector, repetition, *step, _ = row
        file = f"{_plain(folders[scenario])}/{_plain(selector)}.json"
        if repetition_of.setdefault(file, repetition) != repetition:
            what = f"{selector} answered several repetitions of {cv_scheme}"
            hint = "A schedule file holds one: train on a scheme of one repetition."
            raise AslibError(what, scenario, hint)
        _add(files.setdefault(file, {}), *step)
        n_timed, said[file] = timed.get((scenario, selector), (0, {}))
        if n_timed < len(files[file]):
            said[file] = {}
    if not files:
        what = f"holds no selection made on {cv_scheme!r}"
        raise AslibError(what, str(lake), "Try 'aslib-eval train'.")
    texts = {
        name: schedules_text(found, said[name]).encode()
        for name, found in files.items()
    }
    hint = "Choose another folder; nothing was changed."
    return replace_files(to, texts, hint=hint)


def _plain(name: str) -> str:
    """A name that is a file name as it stands."""
    if not name or name.startswith(".") or {"/", "\\", "\0"} & set(name):
        raise AslibError(f"{name!r} is no name for a file", None, "Rename it.")
    return name


def _add(
    schedules: dict[str, Schedule],
    instance: str,
    action: str,
    name: str,
    budget: float | None,
) -> None:
    steps = schedules.setdefault(instance, [])
    if action == "algorithm" and budget is not None:
        steps.append([name, budget])
    elif action != "none":
        steps.append(name)


def _times(
    lake: OpenLake, cv_scheme: str
) -> dict[tuple[str, str], tuple[int, dict[str, float]]]:
    """Scenario and selector → on how many instances it was timed, and its times [s]."""
    found = lake.ask("select * from selector_times")
    return {
        (row["scenario_id"], row["selector"]): (
            row["n_chosen"],
            {
                n: row[n]
                for n in ("training_time", "choosing_time")
                if row[n] is not None
            },
        )
        for row in found.filter(cv_scheme=cv_scheme).iter_rows(named=True)
    }


def schedules_text(
    schedules: Mapping[str, Schedule], times: Mapping[str, float] = MappingProxyType({})
) -> str:
    """The JSON text, a line for each instance, and for each time before them."""
    members = (*times.items(), *schedules.items())
    lines = (f"{_json(name)}: {_json(said)}" for name, said in members)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
