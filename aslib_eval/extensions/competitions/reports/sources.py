"""What a record was made of, and what it leaves out, for its readers."""

from __future__ import annotations

import polars as pl

from aslib_eval.extensions.competitions.analysis.record import CompetitionRecord
from aslib_eval.formats.sources import CHOICES
from aslib_eval.text import list_names, plural

_SHOWN = 3  # names of what is left out


def left_out_by_boards(record: CompetitionRecord) -> pl.DataFrame:
    """What is left out, a row for all the boards that leave out the same."""
    key = ["scenario_id", "what", "why", "n", "names"]
    grouped = record.left_out.group_by(key, maintain_order=True).agg("rule")
    every = record.rules.height
    rows = [
        (
            *(scenario, "all" if len(rules) == every else ", ".join(rules)),
            *(n, what, why),
            "" if _is_plain(what, why) else list_names(names, most=_SHOWN, quoted=False),
        )
        for scenario, what, why, n, names, rules in grouped.iter_rows()
    ]
    words = ("scenario", "boards", "n", "left out", "why", "which")
    schema = {**dict.fromkeys(words, pl.String), "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def citation(record: CompetitionRecord) -> list[str]:
    """The instances, rules, files and program by their hashes, a line each."""
    files = record.files.drop("scenario_id").unique(maintain_order=True)  # of several scenarios once
    return [
        *(
            f"{scenario}: {plural(n, 'instance')}, SHA-256 of the sorted names {digest}"
            for scenario, n, digest, _ in record.instances.iter_rows()
        ),
        *(
            f"rule {rule}@{digest}" + (f": {document}" if document else "")
            for rule, digest, _, document in record.rules.iter_rows()
        ),
        *(
            f"{_named(file)}: {plural(size, 'byte')}, SHA-256 {digest}"
            for file, size, digest in files.iter_rows()
        ),
        f"code {record.code}",
    ]


def _is_plain(what: str, why: str) -> bool:
    """Whether nobody asks which: what a board is not about, and late answers."""
    return what == "answers" or why.startswith(("not known to be", "not in the"))


def _named(file: str) -> str:
    return "what the user said of the tables" if file == CHOICES else f"file {file}"
