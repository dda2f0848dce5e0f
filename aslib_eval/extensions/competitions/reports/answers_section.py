"""The section of a scenario's page on answers that cannot all be right."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.competitions.analysis.answers import ANSWERS
from aslib_eval.reports.html import Section, join, paragraph
from aslib_eval.text import plural

# Column of ``answers`` → its title; objectives, where there are any, and repetitions.
_TITLES = {
    "instance_id": "instance",
    "repetition": "repetition",
    "solver": "solver",
    "claim": "says",
    "objective": "objective",
    "other": "beside",
    "other_claim": "who says",
    "other_objective": "its objective",
    "why": "why",
}


def answers_section(results: ScenarioResults) -> Section | None:
    """Answers that cannot all be right; None where solvers said nothing, or agree."""
    lake, scenario = results.lake, results.scenario_id
    if lake is None or "answer" not in lake.manifests[scenario]["relations"]:
        return None
    # Most scenarios have no answers: their pages load nothing of competitions.
    from aslib_eval.extensions.competitions.reports.record_formats import table

    frame = lake.ask(ANSWERS).filter(scenario_id=scenario).drop("scenario_id")
    if not frame.height:
        return None
    said = f"{plural(frame.height, 'answer')} of {plural(frame['solver'].n_unique(), 'solver')} cannot be"
    told = paragraph(f"{said} right beside another one, or beside what is known.")
    shown = frame.select(
        name
        for name in _TITLES
        if name != "repetition" or frame[name].n_unique() > 1
        if frame[name].null_count() < frame.height
    )
    body = join([told, table("answers", "Answers that contradict", shown, titles=_TITLES)])
    return Section("contradictions", "Answers", results.population, body)
