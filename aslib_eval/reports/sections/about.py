"""What a scenario is and where it came from; the linter's findings."""

from __future__ import annotations

from collections import Counter
from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.database.protocol import MEANING
from aslib_eval.reports.html import (
    Card,
    Header,
    Html,
    HtmlTable,
    Section,
    cards,
    details,
    join,
    paragraph,
    tag,
)
from aslib_eval.text import plural

_FILES = (
    Header("file", "file"),
    Header("bytes", "size", "bytes"),
    Header("sha256", "SHA-256", "of the file's content", words=True),
)
_CHOICES = (
    Header("choice", "choice"),
    Header("value", "value", words=True),
    Header("meaning", "meaning", words=True),
)
_FINDINGS = (
    Header("place", "where"),
    Header("severity", "severity", words=True),
    Header("code", "code", words=True),
    Header("message", "what", words=True),
    Header("hint", "what to do", words=True),
)

_COUNTED = "instances that count under the protocol"
_RAN = "algorithms with runs"
_VALUED = "instance features with values, and the steps that compute them"
_SPLIT = "folds of the scenario's own split"
_SOLVED = "share of all runs of algorithms that are solved"
_PROTOCOL = "the protocol of every number here, and the hash of its choices"
_HASH = "SHA-256 over all files"
_HASHED = "first 12 digits of the hash over the source files"


def about(results: ScenarioResults) -> Section:
    """Files and hashes, every choice of the protocol, and the scenario's own words."""
    sources = results.frames["source"]
    files = HtmlTable("files", "Source files", _FILES, sources.to_dicts())
    texts = [
        details(row["file"], tag("pre", row["text"]))
        for row in sources.to_dicts()
        if row["text"]
    ]
    body = join(
        [_facts(results), _origin(results), files.html(), *texts, _protocol(results)]
    )
    title = "Origin and protocol"
    return Section("origin", title, "", body, follows="never", folded=True)


def _facts(results: ScenarioResults) -> Html:
    summary, choices, baseline = results.summary, results.choices, results.baseline
    steps = _steps(summary["n_steps"])
    solved = Card("runs solved", summary["solved"], "share", _SOLVED)
    return cards(
        [
            Card("instances", summary["n_instances"], about=_COUNTED),
            Card("algorithms", summary["n_algorithms"], _repetitions(summary), _RAN),
            Card("features", summary["n_features"], steps, _VALUED),
            Card("folds", summary["n_folds"], about=_SPLIT),
            solved if baseline else Card("runs", "none"),
            Card("protocol", choices["protocol"], choices["hash"], _PROTOCOL),
            Card("sources", summary["source_sha256"][:8], _HASH, _HASHED),
        ],
        population=results.population,
    )


def _steps(n: int) -> str:
    return plural(n, "step")


def _repetitions(summary: dict[str, Any]) -> str:
    n = summary["n_repetitions"] or 1
    return f"{n} repetitions" if n > 1 else ""


def _origin(results: ScenarioResults) -> Html:
    missing = results.summary["missing"] or []
    absent = f" Absent: {', '.join(missing)}." if missing else ""
    return paragraph(
        f"Read from {results.summary['folder']} by importer "
        f"{results.manifest.get('importer', 'unknown')}.{absent}"
    )


def _protocol(results: ScenarioResults) -> Html:
    rows = [
        {"choice": name, "value": str(results.choices[name]), "meaning": meaning}
        for name, meaning in MEANING.items()
    ]
    words = f"Every choice of protocol {results.choices['protocol']}"
    return details(words, HtmlTable("protocol", words, _CHOICES, rows).html())


def findings(results: ScenarioResults) -> Section:
    """Every finding of the linter when the scenario was imported."""
    found = results.findings
    if found is None:
        body = paragraph(
            "The lake holds no findings: the scenario was imported before findings "
            "were kept. Import it again into a new lake, or run 'aslib-eval check'."
        )
    elif not found:
        body = paragraph("The linter has nothing to remark.")
    else:
        rows = [{**f, "place": _place(f)} for f in found]
        body = HtmlTable(
            "findings-table", "Findings of the linter", _FINDINGS, rows
        ).html()
    over, n = "as of the import", len(found or ())
    title = f"Findings ({n})" if n else "Findings"
    return Section("findings", title, over, body, follows="never", folded=True)


def badge(results: ScenarioResults) -> Html:
    """How many errors, warnings and notes; leads to their list."""
    found = results.findings
    if found is None:
        texts = [("findings not recorded", "note-badge")]
    elif not found:
        texts = [("no findings", "fine")]
    else:
        kinds = Counter(f["severity"] for f in found)
        styles = {"error": "error", "warning": "warning", "note": "note-badge"}
        texts = [(plural(kinds[k], k), styles[k]) for k in styles if kinds[k]]
    badges = (
        tag("a", text, attrs={"class": f"badge {style}", "href": "#findings"})
        for text, style in texts
    )
    return tag("div", *badges, attrs={"class": "badges"})


def _place(finding: dict[str, Any]) -> str:
    line = finding["line"]
    return finding["file"] if line is None else f"{finding['file']}:{line}"
