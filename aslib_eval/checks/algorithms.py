"""Algorithms of the runs against those that other files describe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from aslib_eval.checks.columns import words
from aslib_eval.checks.page import Page
from aslib_eval.checks.remarks import count, names, remark
from aslib_eval.errors import Finding
from aslib_eval.readers.algorithm_names import make_names
from aslib_eval.readers.aslib import Scenario

_LISTS = ("algorithms_deterministic", "algorithms_stochastic")
_FEATURES = ("values", "costs", "runstatus")


@dataclass(frozen=True)
class _Listed:
    """A list of algorithms and where it stands, in words and as a line."""

    file: str
    where: str
    line: int | None
    names: list[str]

    def remark(self, code: str, what: str, hint: str = "") -> Finding:
        """A finding on the list."""
        return remark(code, file=self.file, line=self.line, what=what, hint=hint)


def check_algorithms(scenario: Scenario) -> Iterator[Finding]:
    """Match every list of algorithms with the runs: exactly, else by make.names."""
    runs = scenario.tables.get("algorithm_runs")
    if runs is None or not runs.table.num_rows:
        return
    known = words(runs, "algorithm").to_pylist()
    for listed in _lists(scenario):
        if listed.names:
            yield from _match(listed, known)


def _lists(scenario: Scenario) -> Iterator[_Listed]:
    """Every list of algorithms there is."""
    if scenario.description is not None:
        page = Page(scenario, scenario.description)
        info = [entry.name for entry in page.said.algorithms]
        key = "metainfo_algorithms"
        yield _Listed(page.file, key, page.line(key), info)
        both = [name for key in _LISTS for name in page.said.names[key]]
        line = next(filter(None, map(page.line, _LISTS)), None)
        yield _Listed(page.file, " and ".join(_LISTS), line, both)
    for kind in _FEATURES:
        table = scenario.tables.get(f"algorithm_feature_{kind}")
        if table is not None:
            listed = words(table, "algorithm").to_pylist()
            line = table.line_of("algorithm")
            yield _Listed(table.file, "the file", line, listed)


def _match(listed: _Listed, known: list[str]) -> Iterator[Finding]:
    exact = set(known)
    others = [name for name in dict.fromkeys(listed.names) if name not in exact]
    renamed = _renamed(others, known)
    lost = [name for name in others if name not in renamed]
    rest = exact - set(listed.names) - set(renamed.values())
    where = listed.where
    if renamed:
        pairs = [f"{name} is {to}" for name, to in renamed.items()]
        what = f"{len(renamed)} of {count(len(listed.names), 'algorithm')} in {where} "
        what += f"matched to the runs only by R's make.names: {names(pairs)}"
        hint = "They are taken as the same; better use the names of the runs."
        yield listed.remark("algorithm-renamed", what, hint)
    if lost:
        what = f"{count(len(lost), 'algorithm')} in {where} without any run: "
        yield listed.remark("algorithm-without-runs", what + names(lost))
    if rest:
        what = f"{count(len(rest), 'algorithm')} of the runs not in {where}: "
        yield listed.remark("algorithm-undescribed", what + names(sorted(rest)))


def _renamed(others: list[str], known: list[str]) -> dict[str, str]:
    """Names → the only name of the runs with the same form after make.names."""
    forms = defaultdict(list)
    for name in known if others else ():
        forms[make_names(name)].append(name)
    return {n: to[0] for n in others if len(to := forms[make_names(n)]) == 1}
