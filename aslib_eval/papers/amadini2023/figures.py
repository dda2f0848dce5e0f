"""Figures 1 to 4 of Amadini et al. 2023 from a lake."""

from __future__ import annotations

from aslib_eval.analysis.lake_results import delta_frame, solved_times
from aslib_eval.analysis.sweeps import Sensitivity, sensitivities
from aslib_eval.database.connect import connect
from aslib_eval.figures.delta import delta_curves
from aslib_eval.figures.runtimes import runtime_distribution
from aslib_eval.papers.amadini2023.lake import PROTOCOL, PaperLake
from aslib_eval.papers.amadini2023.printed import LARGEST_DELTA
from aslib_eval.papers.reproduction import Figure


def sweeps(seen: PaperLake) -> tuple[Sensitivity, Sensitivity]:
    """Borda over delta of all scenarios' instances as one: original and modified."""
    ids = [*seen.scenarios.values()]
    con = seen.con
    if seen.others:
        con = connect(seen.folder, protocols=[PROTOCOL], scenarios=ids)
    plain, modified = (
        sensitivities(
            con, parameter="delta", kind="selector", pooled=True, modified=modified
        )[0]
        for modified in (False, True)
    )
    return plain, modified


def crossings(sweep: Sensitivity, one: str, other: str) -> list[float]:
    """Every delta up to that of the figure at which two selectors change places."""
    both = {one, other}
    return [
        float(r.at)
        for r in sweep.sweep.reversals
        if {sweep.solvers[r.before], sweep.solvers[r.after]} == both
        and r.at <= LARGEST_DELTA
    ]


def all_figures(
    seen: PaperLake, found: tuple[Sensitivity, Sensitivity]
) -> tuple[Figure, ...]:
    """The four figures, each with its caption."""
    asap, rf, reg = (seen.systems.get(name) for name in ("ASAP", "RF", "RF-reg"))
    plain, modified = found
    made = [
        _deltas("figure1", "Figure 1: Borda count over δ", plain, (str(asap), str(rf))),
        _runtimes("figure2", "Figure 2: ASAP and RF", seen, (str(asap), str(rf))),
        _deltas(
            "figure3", "Figure 3: modified Borda over δ", modified, (str(asap), str(rf))
        ),
    ]
    if reg is not None:
        made.append(
            _runtimes("figure4", "Figure 4: ASAP and RF-reg", seen, (str(asap), reg))
        )
    return tuple(made)


def _deltas(name: str, title: str, sweep: Sensitivity, pair: tuple[str, str]) -> Figure:
    at = crossings(sweep, *pair)
    n = sweep.group.runs.n_instances
    where = f"{pair[0]} and {pair[1]} change places at δ = {at[0]:g}" if at else ""
    caption = f"{title}, {n} instances" + (f"; {where}." if where else ".")
    chart = delta_curves(
        delta_frame(sweep, largest=LARGEST_DELTA),
        crossing=at[0] if at else None,
        title=title,
    )
    return Figure(name, caption, chart)


def _runtimes(name: str, title: str, seen: PaperLake, pair: tuple[str, str]) -> Figure:
    runs = solved_times(seen.con, pair, scenarios=[*seen.scenarios.values()])
    counts = {solver: (runs["solver"] == solver).sum() for solver in pair}
    words = ", ".join(f"{solver} solves {n}" for solver, n in counts.items())
    chart = runtime_distribution(runs, title=title)
    return Figure(name, f"{title}: runtimes of solved instances; {words}.", chart)
