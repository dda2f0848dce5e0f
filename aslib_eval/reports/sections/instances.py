"""The instances: all runs, one in full, who is best on which, and in which family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.details import details, families_of
from aslib_eval.reports.html import Attributes, Html, Section, figure, join, paragraph, tag
from aslib_eval.statistics.tolerant_ranks import Floats, rounded
from aslib_eval.text import join_words, plural

_NAMED = 3  # winners that a sentence names


def instances(results: ScenarioResults) -> Section | None:
    """How many algorithms solve an instance, and a table of all runs."""
    matrix = results.complete
    if matrix is None or results.hopeless:
        return None
    n = len(matrix.instances)
    text = f"All runs on {plural(n, 'instance')}."
    if results.timed:
        solved = matrix.solved[:, _algorithms(results)] > 0
        unsolved = int((~solved.any(axis=1)).sum())
        text = f"{unsolved} of {n} instances are solved by no algorithm."
        text = text if unsolved else f"All {n} instances are solved by some algorithm."
    chart = figure("solved-by", "How many algorithms solve an instance")
    body = join([chart if results.timed else None, _late("all-runs")])
    title, over = f"Instances ({n})", results.population
    return Section("instances", title, over, body, follows="part", finding=text)


def _late(name: str) -> Html:
    """A place for what the page's JavaScript makes when it is seen."""
    return tag("div", attrs={"id": name})


def _algorithms(results: ScenarioResults) -> list[int]:
    return results.complete.columns("algorithm") if results.complete else []


def instance(results: ScenarioResults) -> Section | None:
    """Every solver on an instance that the reader chooses, and why it is so."""
    matrix = results.complete
    if matrix is None:
        return None
    select = tag("select", attrs={"id": "which"})
    cost = results.with_unit("time") if results.timed else results.measure
    heads = ("solver", cost, *(["outcome"] if results.timed else []), "kind")
    words: Attributes = {"scope": "col", "class": "words"}
    one: Attributes = {"scope": "col"}
    head = tag("tr", *(tag("th", h, attrs=one if h == cost else words) for h in heads))
    table = tag(
        "table",
        tag("caption", "Every solver on one instance"),
        tag("thead", head),
        tag("tbody"),
        attrs={"id": "one-instance"},
    )
    chooser = tag("p", tag("label", "Instance ", select), attrs={"class": "pair"})
    found = details(results)
    more = [name for key, name in _TOLD.items() if found.get(key)]
    finding = f"{join_words(['All runs', *more])} of an instance of your choice: "
    finding += "Find, dots and rows lead here."
    curves = figure("trajectory", "Trajectories", "The first run of each algorithm.")
    scroll = tag("div", table, attrs={"class": "scroll"})
    drawn = curves if found.get("curves") else None
    body = join([chooser, scroll, _late("more-of-one"), drawn])
    return Section("instance", "One instance", "", body, follows="never", finding=finding)


_TOLD = {"steps": "schedules", "lost": "losses", "curves": "trajectories",
         "features": "features"}  # fmt: skip


_NEAR = "A dot is an instance; near to each other are those with like features."


def where(results: ScenarioResults) -> Section | None:
    """A map of the instances by their features; None where one is best on all."""
    matrix = results.complete
    if matrix is None or results.hopeless or not details(results).get("map"):
        return None
    columns = _algorithms(results)
    names = [matrix.solvers[at][1] for at in columns]
    solved = (matrix.solved[:, columns] > 0).any(axis=1) | (not results.timed)
    counts = _best(names, results.penalised(matrix)[solved][:, columns])
    nobody = int((~solved).sum())
    if len(counts) + bool(nobody) < 2:  # noqa: PLR2004
        return None
    of = f" of {plural(len(matrix.instances), 'instance')}"
    words = join_words(_said(counts, of))
    words += f"; nobody solves {nobody}." if nobody else "."
    body = figure("winners", "The best algorithm of each instance", _NEAR)
    title, over = "Who is best where", results.population
    return Section("where", title, over, body, follows="all", finding=words)


def _best(names: Sequence[str], costs: Floats) -> dict[str, tuple[int, int]]:
    """On how many rows of costs each is best or tied, and best alone; most first.

    costs: (n, len(names)), equal to 12 digits. Who is best nowhere is left out.
    """
    costs = rounded(costs, digits=12)  # as `comparable`
    best = costs == costs.min(axis=1, keepdims=True)
    alone = best & (best.sum(axis=1, keepdims=True) == 1)
    counts = zip(best.sum(axis=0).tolist(), alone.sum(axis=0).tolist(), strict=True)
    found = {n: of for n, of in zip(names, counts, strict=True) if of[0]}
    return dict(sorted(found.items(), key=lambda each: (*(-n for n in each[1]), each)))


def _said(counts: Mapping[str, tuple[int, int]], of: str, by: str = "", at: str = "on") -> list[str]:
    """Who is best on how many, and on how many alone, where some are tied."""
    ties = any(tied > alone for tied, alone in counts.values())
    said: list[str] = []
    for name, (tied, alone) in [*counts.items()][:_NAMED]:
        how = "" if said else f" is best{' or tied' if ties else ''}{by}"
        told = f"{name}{how} {at} {tied}{'' if said else of}"
        said.append(f"{told} (best alone {at} {alone})" if ties else told)
    if len(counts) > _NAMED:
        others = plural(len(counts) - _NAMED, "other")
        said.append(f"{others} {at} {'fewer or as many' if ties else 'the rest'}")
    return said


def families(results: ScenarioResults) -> Section | None:
    """Every family by every solver; None without families of instances."""
    matrix, known = results.complete, families_of(results)
    several = [name for name, found in known.items() if len(found["names"]) > 1]
    if matrix is None or results.hopeless or not several:
        return None
    first, columns = several[0], _algorithms(results)
    of = np.array([-1 if at is None else at for at in known[first]["of"]])
    costs = results.penalised(matrix)[:, columns]
    places = np.unique(of)
    means = [rounded(costs[of == at].mean(axis=0), digits=12) for at in places]
    names = [matrix.solvers[at][1] for at in columns]
    differ = [own for own in means if own.min() < own.max()]
    said = ["all tie"]
    if differ:
        counts = _best(names, np.array(differ))
        said = _said(counts, "", " by mean cost", "in")
        if level := len(means) - len(differ):
            said.append(f"in {level} all tie")
    finding = f"Of {len(places)} families ({first}) {join_words(said)}."
    choose = [
        tag("label", f"{word} ", tag("select", attrs={"id": name}))
        for word, name in (("families by", "of"), ("shown", "how"))
    ]
    body = join([
        tag("p", *choose, attrs={"class": "pair"}),
        _late("by-family"),
        paragraph("The more colour, the better within its family."),
    ])  # fmt: skip
    title, over = f"Families ({len(places)})", results.population
    return Section("families", title, over, body, follows="all", finding=finding)
