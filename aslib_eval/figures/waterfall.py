"""What each selector loses against VBS, by cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Boxes, Chart, Linear, Rule
from aslib_eval.text import number, plural, rounded_to_zero

CAUSES = {
    "wrong choice": "loss1",
    "schedule": "loss2",
    "feature cost": "loss3",
    "cut off": "loss4",
    "no answer": "loss5",
    "run outside": "loss6",
}
_LAST = 7  # position of the selector itself in solver_loss


FAR = -1.5  # closed gap below which a selector squashes the bars of the others


def waterfalls(results: ScenarioResults) -> list[Chart]:
    """``waterfall`` of the selectors, and one with its own axis of those below FAR."""
    score = results.frames["score"]
    below = score.filter(score["closed_gap"] < FAR)["solver"].to_list()
    near, far = waterfall(results, without=below), waterfall(results, alone=below)
    return [near, far] if near and far else [c for c in (near, far) if c]


def waterfall(
    results: ScenarioResults, *, without: Sequence[str] = (), alone: Sequence[str] | None = None
) -> Chart | None:
    """From VBS (1) down to each selector's closed gap, a piece for each cause.

    None where no selector has a closed gap whose losses are known. without, alone: those that are left out,
    or drawn.
    """
    score, loss = results.frames["score"], results.frames["loss"]
    steps = loss.filter(loss["gap_share"].is_not_null()).to_dicts()
    known = {step["solver"] for step in steps}
    order = score.filter(score["kind"] == "selector")["solver"].to_list()
    known -= set(without)
    known &= known if alone is None else set(alone)
    names = [name for name in order if name in known]
    if not names:
        return None
    steps = [step for step in steps if step["solver"] in known]
    pieces = _pieces(names, steps)
    low = min([0.0, *(box[0] for found in pieces.values() for box in found)])
    rules = [Rule(0, "SBS")]
    most = score["attainable_gap"].drop_nulls()
    if most.len() and alone is None:  # with a far axis it lies on SBS
        rules.append(Rule(float(most[0]), "VBS + feature costs"))
    won = [s for s in steps if s["step"] in CAUSES and (s["loss"] or 0) < 0]
    about = "From VBS (1) down to the closed gap, a piece a cause, in the order of the "
    about += "legend; a thicker piece is won back. " if won else "legend. "
    about += "In another order an instance's loss may fall to another cause."
    return Chart(
        "What each selector loses against VBS, by cause",
        about,
        Linear("closed gap", low - 0.02, 1.0),
        Band(names),
        [*(Boxes(b, name=c, color=CAUSES[c]) for c, b in pieces.items() if b), *rules],
        results.population,
        row_height=34,
    )


def _pieces(names: list[str], steps: list[dict[str, Any]]) -> dict[str, list[list[Any]]]:
    """Cause → the boxes of what each selector loses by it."""
    found: dict[str, list[list[Any]]] = {cause: [] for cause in CAUSES}
    reached = dict.fromkeys(names, 1.0)
    for step in steps:
        name, cause = step["solver"], step["step"]
        if cause not in found or not 0 < step["position"] < _LAST or not step["loss"]:
            continue
        start, row = reached[name], names.index(name)
        reached[name] = rounded_to_zero(start - step["gap_share"])
        half = 0.32 if step["loss"] > 0 else 0.42
        ends = sorted((start, reached[name]))
        found[cause].append([*ends, row - half, row + half, _says(name, step)])
    return found


def _says(name: str, step: dict[str, Any]) -> str:
    return (
        f"{name}, {step['step']}: {number(step['gap_share'])} of the gap, mean cost "
        f"{number(step['loss'])}, on {plural(step['n_affected'], 'instance')}, "
        f"main cause of {step['n_main']}"
    )
