"""Contests of probabilistic inference: each task of a folder is a scenario.

Contests of probabilistic inference: a folder of networks and answers, scored.

::

    contest.toml                       optional, see ``contest``
    networks/NAME.uai                  one instance each
    evidence/NAME.uai.evid             observed variables; none if it is absent
    queries/NAME.uai.query             variables of a marginal MAP (MMAP)
    tests/NAME.uai.test                test points (MLC): an instance NAME#1, … each
    answers/SOLVER/NAME.uai.TASK       a solver's answer, for every limit
    answers/SOLVER/LIMIT/NAME.uai.TASK the same for one of several limits
    roles/best/NAME.uai.TASK           the truth, or the best answer known before
    roles/trivial/NAME.uai.TASK        the answer of a trivial solver

TASK is PR, MAR, MAP (or MPE), MMAP or MLC. All files but contest.toml are in the formats of the
competitions. Each task becomes a scenario of its own, NAME-TASK: its algorithms are the solvers that
answered at least once, its instances all networks that can be asked the task, its primary measure the score
of the competition, from 0 to 100.

What no solver gives is computed: the truth of PR and MAR and the optimum of MLC by variable elimination,
the trivial answers as ``scoring`` defines. A network that
needs a larger table than contest.toml allows is left out, with a warning, unless roles/best gives its
truth.

``contest`` reads the files; it is loaded where there is a contest.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.format import Format, Parsed, absent
from aslib_eval.formats.sources import Location, Source, Sources


def _find(path: Path) -> list[Location]:
    """The tasks of a contest; one without a name where there is no answer."""
    is_contest = path.is_dir() and (
        (path / "contest.toml").is_file() or any((path / "networks").glob("*.uai"))
    )
    if not is_contest:
        return []
    from aslib_eval.extensions.inference.formats.uai.contest import tasks_of

    return [Location(path, str(path), task) for task in tasks_of(path) or ("",)]


def _claim(location: Location) -> str | None:
    """Scenario id, or None if contest.toml is invalid, which ``identify`` reports."""
    from aslib_eval.extensions.inference.formats.uai.contest import settings_of

    with suppress(AslibError, OSError):
        return _identify(location, settings_of(location))
    return None


def _load(location: Location) -> dict[str, Source]:
    from aslib_eval.extensions.inference.formats.uai.contest import load

    return load(location)


def _identify(location: Location, sources: Sources) -> str:
    from aslib_eval.extensions.inference.formats.uai.contest import read_settings

    settings, wrong = read_settings(location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    if not location.part:
        hint = "Add answers/SOLVER/NAME.uai.TASK."
        raise AslibError("nobody has answered", location.file("answers"), hint)
    return f"{settings.name}-{location.part}"


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.inference.formats.uai.contest import read_contest
    from aslib_eval.extensions.inference.formats.uai.relations import relations
    from aslib_eval.extensions.inference.formats.uai.scoring import score_contest

    _identify(location, sources)
    contest = read_contest(location, sources)
    findings = list(contest.findings)
    if any(f.severity == "error" for f in findings):
        return Parsed(tuple(findings))
    scored, more = score_contest(contest)
    findings += more
    if any(f.severity == "error" for f in more):
        return Parsed(tuple(findings))
    tables = relations(contest, scored, location=location, sources=sources)
    return Parsed(tuple(findings), tables)


UAI = Format(
    "uai",
    _find,
    absent("holds no contest.toml and no networks/*.uai", "Is it a contest of inference solvers?"),
    _claim,
    _load,
    _identify,
    _read,
    marks=("contest.toml", "networks"),
)
