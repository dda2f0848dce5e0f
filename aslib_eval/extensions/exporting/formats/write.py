"""Tables → a scenario folder that any reader of the ASlib format takes.

Nothing is written on trust: the files are made in memory, read back, checked as an import would check them,
and compared with the tables. Only then a hidden folder
beside the target is filled and renamed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from aslib_eval.atomic_files import replacing
from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.extensions.exporting.formats.write_files import arff_files, description_text, unsayable
from aslib_eval.extensions.exporting.formats.write_tables import Tables, complete, conform, losses
from aslib_eval.formats.aslib.lint import check
from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import IDS, read_scenario
from aslib_eval.formats.sources import TEXTS, Location, Source
from aslib_eval.signatures import public

_FORMAT = {*TEXTS, *(f"{name}.arff" for name in IDS)}


@public
def write_scenario(
    tables: Tables,
    to: str | Path,
    *,
    scenario_id: str | None = None,
    readme: str | None = None,
    citation: str | None = None,
    replace: bool = False,
) -> tuple[Finding, ...]:
    """Write the tables of one scenario as the folder ``to``; gives the findings on it.

    ``tables`` maps names of ``lake.RELATIONS`` to pyarrow tables or polars frames, as ``relations`` makes
    them or as they lie in a lake. ``scenario`` and the keys
    and values of the others are needed, all else may be left out: ``feature`` says which features are
    deterministic, ``feature_step`` which steps provide them. Importing the folder gives the same rows in
    the same order, and null for cells
    that had no row. The id is ``scenario_id``, else that of the tables, else the folder's name; ``readme``
    and ``citation`` are those given, else those in ``source``.

    The folder appears whole or not at all. ``replace`` puts it in the place of an existing scenario if that
    holds nothing but files of the format.

    Raises:
        ScenarioError: with all findings if the tables are not a scenario or cannot be said in the format.
        AslibError: when the folder cannot be written.

    >>> con = ae.connect("lake")
    >>> names = ("scenario", "algorithm", "run", "fold")
    >>> tables = {n: con.sql(f"from raw_{n}").to_arrow_table() for n in names}
    >>> _ = ae.write_scenario(tables, "written", scenario_id="MINE")
    >>> ae.read_scenario("written").description.scenario_id
    'MINE'
    """
    target = Path(os.path.realpath(to))
    _require_free(target, replace=replace)
    given, problems = conform(tables)
    if problems := problems or unsayable(given):
        raise ScenarioError(str(target), problems)
    name = _named(given, scenario_id) or target.name
    files = _texts(given, {"readme.txt": readme, "citation.bib": citation})
    frames = complete(given)
    files["description.txt"] = description_text(frames, name)
    files |= arff_files(frames, name)
    encoded = {file: text.encode() for file, text in files.items()}
    findings = _proved(encoded, given, name=name, shown=str(target))
    _publish(encoded, target, replace=replace)
    return findings


def _named(given: Mapping[str, pl.DataFrame], scenario_id: str | None) -> str | None:
    """The id that is given or that all tables hold."""
    found = {
        name
        for frame in given.values()
        if "scenario_id" in frame.columns
        for name in frame["scenario_id"].unique()
    }
    if len(found) > 1:
        what = f"the tables hold several scenarios: {', '.join(map(str, found))}"
        raise AslibError(what, None, "Give the rows of one scenario.")
    return scenario_id if scenario_id is not None else next(iter(found), None)


def _texts(given: Mapping[str, pl.DataFrame], texts: Mapping[str, str | None]) -> dict[str, str]:
    """readme.txt and citation.bib: as given, else as in the table ``source``."""
    found: dict[str, str | None] = {}
    if "source" in given and "text" in given["source"].columns:
        found = dict(given["source"].select("file", "text").iter_rows())
    chosen = {f: found.get(f) if text is None else text for f, text in texts.items()}
    return {file: text for file, text in chosen.items() if text is not None}


def _proved(
    files: Mapping[str, bytes], given: dict[str, pl.DataFrame], *, name: str, shown: str
) -> tuple[Finding, ...]:
    """The findings on the files; ScenarioError if they differ from what was given."""
    sources = {file: Source.of(content) for file, content in files.items()}
    scenario = read_scenario(Location(Path(shown), shown), sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings) or scenario.description is None:
        raise ScenarioError(shown, findings)
    if scenario.description.scenario_id != name:
        what = f"the scenario_id {name!r} cannot be said in the format"
        raise AslibError(what, shown, "Leave out the blanks at its ends.")
    if lost := list(losses(given, relations(scenario))):
        raise ScenarioError(shown, lost)
    return findings


def _require_free(target: Path, *, replace: bool) -> None:
    """Refuse a target that holds anything the writer has no right to remove."""
    if not target.exists():
        return
    if not target.is_dir():
        raise AslibError("is not a folder", str(target), "Name a new folder.")
    inside = sorted(path.name for path in target.iterdir())
    if inside and not replace:
        hint = "Name a new folder, or say replace=True."
        raise AslibError("is not empty", str(target), hint)
    if others := [name for name in inside if name not in _FORMAT]:
        what = f"holds {', '.join(others[:5])}, which would be lost"
        hint = "Move what is no file of the format elsewhere."
        raise AslibError(what, str(target), hint)


def _publish(files: Mapping[str, bytes], target: Path, *, replace: bool) -> None:
    """Fill a hidden folder beside the target and rename it."""
    hint = "Choose another folder, or make this one writable; nothing was changed."
    with replacing(target.parent, shown=target, hint=hint, whole=True) as draft:
        for name, content in files.items():
            draft.write(f"{target.name}/{name}", content)
        _require_free(target, replace=replace)
