"""Algorithms of the runs against those that other files describe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from aslib_eval.checks.columns import words
from aslib_eval.checks.remarks import count, names, remark
from aslib_eval.errors import Finding
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.aslib_relations import make_names

_LISTS = ("algorithms_deterministic", "algorithms_stochastic")
_FEATURES = ("values", "costs", "runstatus")


def check_algorithms(scenario: Scenario) -> Iterator[Finding]:
    """Match every list of algorithms with the runs: exactly, else by make.names."""
    runs = scenario.tables.get("algorithm_runs")
    if runs is None or not runs.table.num_rows:
        return
    known = words(runs, "algorithm").to_pylist()
    for file, where, line, listed in _lists(scenario):
        yield from _match(file, where, line, listed=listed, known=known)


def _lists(scenario: Scenario) -> Iterator[tuple[str, str, int | None, list[str]]]:
    """File, place in words, line and algorithms of every list there is."""
    description = scenario.description
    if description is not None:
        file = scenario.file("description.txt")
        info = [entry.name for entry in description.algorithms]
        line = description.lines.get("metainfo_algorithms")
        yield file, "metainfo_algorithms", line, info
        both = [name for each in _LISTS for name in description.names[each]]
        lines = (description.lines.get(each) for each in _LISTS)
        line = next(filter(None, lines), None)
        yield file, " and ".join(_LISTS), line, both
    for kind in _FEATURES:
        table = scenario.tables.get(f"algorithm_feature_{kind}")
        if table is not None:
            listed = words(table, "algorithm").to_pylist()
            yield table.file, "the file", table.line_of("algorithm"), listed


def _match(
    file: str, where: str, line: int | None, *, listed: list[str], known: list[str]
) -> Iterator[Finding]:
    if not listed:
        return
    exact = set(known)
    others = [name for name in dict.fromkeys(listed) if name not in exact]
    renamed = _renamed(others, known)
    lost = [name for name in others if name not in renamed]
    if renamed:
        pairs = [f"{name} is {to}" for name, to in renamed.items()]
        what = f"{len(renamed)} of {count(len(listed), 'algorithm')} in {where} "
        what += f"matched to the runs only by R's make.names: {names(pairs)}"
        hint = "They are taken as the same; better use the names of the runs."
        yield remark("algorithm-renamed", file=file, line=line, what=what, hint=hint)
    if lost:
        what = f"{count(len(lost), 'algorithm')} in {where} without any run: "
        code = "algorithm-without-runs"
        yield remark(code, file=file, line=line, what=what + names(lost))
    rest = exact - set(listed) - set(renamed.values())
    if rest:
        what = f"{count(len(rest), 'algorithm')} of the runs not in {where}: "
        code = "algorithm-undescribed"
        yield remark(code, file=file, line=line, what=what + names(sorted(rest)))


def _renamed(others: list[str], known: list[str]) -> dict[str, str]:
    """Names → the only name of the runs with the same form after make.names."""
    forms = defaultdict(list)
    for name in known if others else ():
        forms[make_names(name)].append(name)
    return {n: to[0] for n in others if len(to := forms[make_names(n)]) == 1}
