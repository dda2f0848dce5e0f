"""The places that are possible for a new solver, over the time of its runs."""

from __future__ import annotations

from aslib_eval.extensions.planning.analysis.places import PlaceRun
from aslib_eval.figures.chart import Chart, Line, Linear, Mark, Rule
from aslib_eval.text import number, plural


def places_over_time(found: PlaceRun) -> Chart:
    """Best and worst possible place and the likeliest, after each run.

    Of a recorded solver its place on all instances is marked, and the time is that of all its runs.
    """
    steps, places = found.runs(), len(found.field.names) + 1
    begun = {"best": 1, "worst": places}
    lines: list[Mark] = [
        Line(
            [
                *([[0, begun[name], f"{name} {begun[name]}"]] if name in begun else []),
                *([step["spent"], step[name], _tip(step)] for step in steps),
            ],
            name=f"{name} possible" if name in begun else "likeliest",
            color=color,
            step=True,
        )
        for name, color in (("best", "c1"), ("worst", "c2"), ("place", "ink"))
    ]
    if found.truth is not None:
        lines.append(Rule(y=found.truth, label=f"on all: {found.truth}"))
    last = steps[-1]
    return Chart(
        f"The place of {found.solver}",
        found.sentence(),
        Linear("time of its runs", 0, found.full or last["spent"]),
        Linear("place", 1, places, whole=True),
        lines,
        f"{last['scenario_id']}; {plural(len(steps), 'run')} of"
        f" {len(found.field.group.instances)}; alpha {number(found.rule.alpha)}",
    )


def _tip(step: dict[str, object]) -> str:
    return f"{step['best']} to {step['worst']}, likeliest {step['place']}"
