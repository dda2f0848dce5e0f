"""Arguments, options and scenario.toml as choices about a table of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.attributes import FAMILY, is_rule
from aslib_eval.formats.runs.time_units import UNITS, from_seconds, time_limit, to_seconds, unit_called
from aslib_eval.formats.sources import Keys, Sources, is_text, read_settings_file
from aslib_eval.formats.table_choices import TableChoices
from aslib_eval.text import is_writable
from aslib_eval.words import MissingRuns, RepeatedRuns

SETTINGS = "scenario.toml"
STATUSES = ("ok", "timeout", "memout", "crash", "wrong", "other")
ROLES = (
    "scenario",
    "instance",
    "solver",
    "time",
    "status",
    "answer",
    "expected",
    "repetition",
    "objective",
    "best",
    "cutoff",
    "family",
    "attribute",
    "ignore",
)
_MANY = ("attribute", "ignore")  # roles that more than one column may have


def table_choices(  # noqa: PLR0913 - one for each choice
    *,
    scenario_id: str = "",
    cutoff: float | str | None = None,
    column: Sequence[str] | Mapping[str, str | Sequence[str]] = (),
    maximize: Iterable[str] = (),
    measure: Iterable[str] = (),
    status: Mapping[str, str] | Sequence[str] | None = None,
    family: str = "",
    missing: str | None = None,
    duplicates: str | None = None,
    split: str | Path | None = None,
    unit: str = "",
    time_unit: str = "",
) -> TableChoices:
    """The choices, checked; ``column`` holds ROLE=NAME, or maps roles to names.

    ``status`` holds WORD=STATUS, or maps words to statuses. ``split`` counts where
    the families are the scenarios: ``column`` holds scenario=family. cutoff: a number, or a text such as
    "30min". unit: see ``TableChoices``. time_unit: of the times, as somebody states it; a cutoff with a
    unit is converted to it.
    """
    pairs = role_columns(column)
    given = (scenario_id, *(text for pair in pairs for text in pair), *maximize)
    if half := [text for text in (*given, *measure) if not is_writable(text)]:
        raise AslibError(f"{half[0]!r} holds half a character", None, "Write it anew.")
    if unit and UNITS.get(time_unit, time_unit) not in ("", "s"):
        what = f"the times become seconds by unit {unit}, and are no {time_unit}"
        raise AslibError(what, None, "Say one of unit and time_unit.")
    limit, has_unit = _limit(cutoff, time_unit)
    words = _meanings(status or {})
    for said, words_of, what in (
        (missing, MissingRuns, "missing runs cannot be {}"),
        (duplicates, RepeatedRuns, "of duplicates nobody can take the {}"),
    ):
        if said is not None and said not in get_args(words_of):
            hint = f"There are {', '.join(get_args(words_of))}."
            raise AslibError(what.format(repr(said)), None, hint)
    return TableChoices(
        scenario_id,
        limit,
        pairs,
        tuple(maximize),
        tuple(measure),
        tuple(words.items()),
        family,
        missing or "",
        duplicates or "",
        str(split) if split is not None and ("scenario", FAMILY) in pairs else "",
        unit_called(unit) if unit else "",
        has_unit,
    )


def _meanings(status: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Word in lower case → the status that it means."""
    if not isinstance(status, Mapping):
        told = (text.rpartition("=") for text in status)
        status = {word: kind for word, _, kind in told}
    words = {word.strip().lower(): kind.strip() for word, kind in status.items()}
    for word, kind in words.items():
        if kind not in STATUSES:
            hint = f"There are {', '.join(STATUSES)}."
            raise AslibError(f"status {word!r} cannot mean {kind!r}", None, hint)
    return words


def _limit(cutoff: float | str | None, time_unit: str) -> tuple[float | None, bool]:
    """The cutoff, and whether it is in seconds because it was given with a unit."""
    if cutoff is None:
        return None, False
    limit, unit = time_limit(cutoff)
    if not unit:
        return limit, False
    limit = to_seconds(limit, unit)
    if time_unit:
        return from_seconds(limit, unit_called(time_unit)), False
    return limit, True


def role_columns(
    column: Sequence[str] | Mapping[str, str | Sequence[str]], roles: Sequence[str] = ROLES
) -> tuple[tuple[str, str], ...]:
    """Pairs of a role and the column that has it, as ``column`` of ``table_choices``.

    roles: those that there are.
    """
    if isinstance(column, Mapping):
        names = {r: [n] if isinstance(n, str) else n for r, n in column.items()}
        pairs = [(role, name) for role, each in names.items() for name in each]
    else:
        given = [text.partition("=") for text in column]
        pairs = [(role.strip().lower(), name.strip()) for role, _, name in given]
    for role, name in pairs:
        if role not in roles or not name:
            hint = f"Say ROLE=NAME; roles are {', '.join(roles)}."
            raise AslibError(f"column {role}={name} names no role", None, hint)
        if role not in _MANY and sum(role == each for each, _ in pairs) > 1:
            raise AslibError(f"two columns are given for {role}", None, "Give one.")
    return tuple(pairs)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(is_text(each) for each in value)


def _is_columns(value: Any) -> bool:
    return isinstance(value, dict) and all(
        role in ROLES and (is_text(name) or (role in _MANY and _is_names(name)))
        for role, name in value.items()
    )


def _is_limit(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    with suppress(AslibError):
        return bool(time_limit(value))
    return False


_KEYS: Keys = {
    "scenario_id": (is_text, "a name"),
    "cutoff": (_is_limit, 'a number above 0, or such as "30min"'),
    "unit": (lambda x: is_text(x) and x.lower() in UNITS, "ns, us, ms, s, min or h"),
    "time_unit": (is_text, "a unit, such as s"),
    "maximize": (_is_names, "a list of measures"),
    "measure": (_is_names, "a list of columns"),
    "column": (_is_columns, f"a table of {', '.join(ROLES)}; {' and '.join(_MANY)} are lists"),
    "family": (is_rule, "a rule such as path:1"),
    "missing": (lambda v: v in get_args(MissingRuns), f"one of {', '.join(get_args(MissingRuns))}"),
    "duplicates": (lambda v: v in get_args(RepeatedRuns), f"one of {', '.join(get_args(RepeatedRuns))}"),
    "status": (
        lambda v: isinstance(v, dict) and all(kind in STATUSES for kind in v.values()),
        f"a table of words and what they mean: {', '.join(STATUSES)}",
    ),
}


def merged(given: TableChoices, sources: Sources, *, file: str) -> tuple[TableChoices, str, list[Finding]]:
    """The choices, else those of scenario.toml; its unit of time; what is wrong there.

    file: the path of scenario.toml, as it is shown.
    """
    if SETTINGS not in sources:
        return given, "", []
    content = sources[SETTINGS].content
    raw, wrong = read_settings_file(content, file=file, code="runs-table", keys=_KEYS)
    if wrong:
        return given, "", wrong
    unit = str(raw.pop("time_unit", ""))
    unit = "" if given.unit or "unit" in raw else unit
    there = table_choices(**raw, time_unit=unit)
    roles = {role for role, _ in given.column}
    return (
        replace(
            given,
            scenario_id=given.scenario_id or there.scenario_id,
            cutoff=there.cutoff if given.cutoff is None else given.cutoff,
            has_unit=(there if given.cutoff is None else given).has_unit,
            unit=given.unit or there.unit,
            column=(*given.column, *(pair for pair in there.column if pair[0] not in roles)),
            maximize=tuple(dict.fromkeys((*given.maximize, *there.maximize))),
            measure=tuple(dict.fromkeys((*given.measure, *there.measure))),
            status=tuple({**dict(there.status), **dict(given.status)}.items()),
            family=there.family,
            missing=given.missing or there.missing,
            duplicates=given.duplicates or there.duplicates,
        ),
        unit,
        [],
    )
