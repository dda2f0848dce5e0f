"""Stored selections → OASC schedules: JSON, instance → list of steps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aslib_eval.db import connect
from aslib_eval.errors import AslibError
from aslib_eval.replacing import replace_files

Schedule = list[str | list[str | float]]

_ROWS = """
    select s.scenario_id, s.selector, s.cv_repetition, s.instance_id, s.action,
        s.name, coalesce(s.budget, k.cutoff)
    from raw_selection as s
    left join (
        select scenario_id, max(cutoff) as cutoff from raw_scenario
        where measure_type = 'runtime' and cutoff > 0 group by scenario_id
    ) as k using (scenario_id)
    where s.cv_scheme = $scheme
        and ($selectors is null or list_contains($selectors, s.selector))
    order by s.scenario_id, s.selector, s.cv_repetition, s.instance_id, s.position
"""


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
    cutoff. Gives the files. Importing them gives selections of the same scores.
    Raises AslibError if there is nothing to write, if a selector answered several
    repetitions, which the format cannot tell apart, if a name makes no file name, or
    if the folder cannot be written; nothing is written then.
    """
    con = connect(lake, scenarios=scenarios)
    asked = {"scheme": cv_scheme, "selectors": list(selectors) or None}
    folders = dict(con.sql("select scenario_id, folder from raw_scenario").fetchall())
    files: dict[str, dict[str, Schedule]] = {}
    repetition_of: dict[str, int] = {}
    for scenario, selector, repetition, *row in con.execute(_ROWS, asked).fetchall():
        file = f"{_plain(folders[scenario])}/{_plain(selector)}.json"
        if repetition_of.setdefault(file, repetition) != repetition:
            what = f"{selector} answered several repetitions of {cv_scheme}"
            hint = "A schedule file holds one: train on a scheme of one repetition."
            raise AslibError(what, scenario, hint)
        _add(files.setdefault(file, {}), *row)
    if not files:
        what = f"holds no selection made on {cv_scheme!r}"
        raise AslibError(what, str(lake), "Try 'aslib-eval train'.")
    texts = {name: schedules_text(found).encode() for name, found in files.items()}
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


def schedules_text(schedules: dict[str, Schedule]) -> str:
    """The JSON text, a line for each instance."""
    lines = (f"{_json(name)}: {_json(steps)}" for name, steps in schedules.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
