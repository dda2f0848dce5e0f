"""The linter on folders, archives and lakes; its findings as text, JSON and SARIF."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Unpack
from urllib.parse import quote

from aslib_eval import options
from aslib_eval._version import __version__
from aslib_eval.errors import AslibError, Finding, ScenarioError, place, sentence, unexpected
from aslib_eval.formats import Found, Packed
from aslib_eval.formats.aslib.lint import CODES, SEVERITIES, new_finding
from aslib_eval.formats.attributes import AttributeChoices
from aslib_eval.formats.features import instance_choices
from aslib_eval.formats.prices import read_scenario
from aslib_eval.formats.registry import locate_all, opened
from aslib_eval.formats.runs import table_choices
from aslib_eval.formats.sources import in_unicode
from aslib_eval.lake import transaction, versions
from aslib_eval.paths import Paths, as_paths
from aslib_eval.text import plural


@options.public
def check_paths(
    paths: Annotated[Paths, options.Option("What to check.", flags="", metavar="PATH...")],
    **table: Unpack[options.TableOptions],
) -> list[Finding]:
    """All findings on every scenario folder and archive at the paths, in order.

    With any argument that is of tables of runs (see ``import_runs``) only such are looked for. The notes
    say how they were understood, and what became of attributes and features.

    >>> {each.severity for each in ae.check_paths("scenarios/TOY-2026")}
    {'warning'}
    """
    choices = table_choices(**table)
    found = locate_all(as_paths(paths), choices=choices)
    return check_found(found, instance_choices(**table))


def check_found(found: Sequence[Found | Packed], more: AttributeChoices) -> list[Finding]:
    """All findings on what was found. more: what becomes attributes."""
    return [finding for each in found for finding in _check(each, more)]


def _check(found: Found | Packed, more: AttributeChoices) -> Iterator[Finding]:
    try:
        with opened(found) as scenarios:
            for scenario in scenarios:
                yield from _findings(scenario, more)
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        yield _unreadable(error, found.location.shown)


def _findings(found: Found, more: AttributeChoices) -> Sequence[Finding]:
    location = found.location
    try:
        parsed = read_scenario(found, in_unicode(found.format.load(location)))
        return more.added(parsed, location).findings
    except ScenarioError as error:
        return error.findings
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        return [_unreadable(error, location.shown)]


def _unreadable(error: Exception, file: str) -> Finding:
    known = error if isinstance(error, AslibError) else unexpected(error, file)
    return new_finding("unreadable", file=file, what=known.message, hint=known.hint or "")


# Findings as text, as JSON and as SARIF 2.1.0.

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def text(findings: Sequence[Finding]) -> str:
    """One line a finding, ``file:line: severity code: message. hint``, and a sum."""
    lines = [
        sentence(f"{place(f.file, f.line)}: {f.severity} {f.code}", f.message, f.hint) for f in findings
    ]
    kinds = [f.severity for f in findings]
    counts = [plural(kinds.count(k), k) for k in ("error", "warning", "note")]
    lines.append(", ".join(counts))
    return "\n".join(lines) + "\n"


def as_json(findings: Sequence[Finding]) -> str:
    """A list of objects: code, severity, file, line (may be null), message, hint."""
    listed = [asdict(finding) for finding in findings]
    return json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


def sarif(findings: Sequence[Finding], *, base: Path | None = None) -> str:
    """SARIF 2.1.0, as code hosts and editors read it.

    Files are URIs relative to ``base``, the current folder by default.

    Source: OASIS, Static Analysis Results Interchange Format 2.1.0, sections 3.13 (log), 3.19 (driver),
    3.27 (result), 3.29 (location).
    """
    root = Path.cwd() if base is None else base
    used = sorted({finding.code for finding in findings})
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code]},
            "defaultConfiguration": {"level": SEVERITIES[code]},
        }
        for code in used
    ]
    driver = {"name": "aslib-eval", "version": __version__, "rules": rules}
    results = [_result(f, used.index(f.code), root) for f in findings]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _result(finding: Finding, rule: int, root: Path) -> dict[str, Any]:
    uri = quote(Path(os.path.relpath(finding.file, root)).as_posix())
    location: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if finding.line is not None:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": sentence(None, finding.message, finding.hint)},
        "locations": [{"physicalLocation": location}],
    }


RENDERERS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
}


# What is wrong with the files of a lake.


@options.public
def check_lake(lake: str | PathLike[str]) -> list[Finding]:
    """Compare every file of a lake with its hash, and every link with its target.

    >>> ae.check_lake("lake")
    []
    """
    lake = Path(lake)
    if not (lake.is_dir() and versions.scenario_ids(lake)):
        hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
        raise AslibError("there is no lake with a scenario", str(lake), hint)
    return [
        new_finding(f"lake-{found.kind}", file=str(found.path), what=found.what, hint=found.hint)
        for found in transaction.examine(lake)
    ]
