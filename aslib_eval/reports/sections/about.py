"""What a scenario is and where it came from; the linter's findings."""

from __future__ import annotations

from collections import Counter
from typing import Any

from aslib_eval.analysis.results import ScenarioResults
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
    link,
    paragraph,
    tag,
)
from aslib_eval.text import join_words, plural

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
    texts = [details(row["file"], tag("pre", row["text"])) for row in sources.to_dicts() if row["text"]]
    body = join([_facts(results), files.html(), *texts, _protocol(results)])
    title = "Origin and protocol"
    return Section("origin", title, "", body, follows="never", finding=_origin(results))


def _facts(results: ScenarioResults) -> Html:
    summary, choices, baseline = results.summary, results.choices, results.baseline
    steps = plural(summary["n_steps"], "step")
    n, folds = summary["n_features"], summary["n_folds"]
    solved = Card("runs solved", summary["solved"], "share", _SOLVED)
    shown = (
        Card("instances", summary["n_instances"], about=_COUNTED),
        Card("algorithms", summary["n_algorithms"], _repetitions(summary), _RAN),
        Card("features", n, steps, _VALUED) if n else None,
        Card("folds", folds, about=_SPLIT) if folds else None,
        solved if baseline else Card("runs", "none"),
        Card("protocol", choices["protocol"], choices["hash"], _PROTOCOL),
        Card("sources", summary["source_sha256"][:8], _HASH, _HASHED),
    )
    found = [card for card in shown if card is not None]
    return cards(found, population=results.population)


def _repetitions(summary: dict[str, Any]) -> str:
    n = summary["n_repetitions"] or 1
    return f"{n} repetitions" if n > 1 else ""


def _origin(results: ScenarioResults) -> str:
    missing = results.summary["missing"] or []
    absent = f" Absent: {', '.join(missing)}." if missing else ""
    return (
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


def findings(results: ScenarioResults) -> Section | None:
    """Every finding of the linter when the scenario was imported; None without any."""
    found = results.findings
    if found is None:
        said = "The lake holds no findings: the scenario was imported before these "
        said += "were kept."
        hint = "Import it again into a new lake, or run 'aslib-eval check'."
        body = paragraph(hint)
    elif not found:
        return None
    else:
        said = f"The linter has {join_words(_counted(found))}."
        rows = [{**f, "place": _place(f)} for f in found]
        caption = "Findings of the linter"
        body = HtmlTable("findings-table", caption, _FINDINGS, rows).html()
    over = "as of the import"
    return Section("findings", "Findings", over, body, follows="never", finding=said)


def _counted(found: list[dict[str, Any]]) -> list[str]:
    kinds = Counter(f["severity"] for f in found)
    return [plural(kinds[k], k) for k in ("error", "warning", "note") if kinds[k]]


def badge(results: ScenarioResults) -> Html | None:
    """How many errors and warnings the linter has; leads to their list."""
    every = results.findings or ()
    rows = [at for at, f in enumerate(every) if f["severity"] != "note"]
    if not rows:
        return None
    counted = join_words(_counted([every[at] for at in rows]))
    text = f"The linter has {counted} on this scenario."
    return tag("p", link(text, to="#findings", rows=rows), attrs=_GRAVE)


_GRAVE = {"class": "grave"}


def _place(finding: dict[str, Any]) -> str:
    line = finding["line"]
    return finding["file"] if line is None else f"{finding['file']}:{line}"
