"""One name for an algorithm that its files spell in two ways."""

from __future__ import annotations

import re

import pyarrow.compute as pc

from aslib_eval.readers.aslib import IDS, Scenario


def make_names(name: str) -> str:
    """R's make.names, which renamed algorithms in some files of some scenarios."""
    name = re.sub(r"[^A-Za-z0-9._]", ".", name)
    return name if re.match(r"[A-Za-z]|\.(?![0-9])", name) else f"X{name}"


def algorithm_names(scenario: Scenario) -> dict[str, str]:
    """Names used in description and algorithm features → names used in the runs.

    Exact names stay; others are matched by ``make_names`` where that is unique.
    """
    runs = distinct(scenario, "algorithm_runs", "algorithm")
    known = set(runs)
    forms: dict[str, list[str]] = {}
    for name in runs:
        forms.setdefault(make_names(name), []).append(name)
    others = (
        {a.name for a in scenario.description.algorithms}
        if (scenario.description)
        else set()
    )
    for file in IDS:
        if file.startswith("algorithm_feature_"):
            others.update(distinct(scenario, file, "algorithm"))
    matches = {name: forms.get(make_names(name), []) for name in others - known}
    return {name: to[0] for name, to in matches.items() if len(to) == 1}


def distinct(scenario: Scenario, file: str, column: str) -> list[str]:
    """Values of a text column in order of appearance; none if the file is absent."""
    if file not in scenario.tables:
        return []
    values: list[str] = pc.unique(scenario.tables[file].table[column]).to_pylist()
    return values
