"""A record of a competition as Markdown, JSON, or a page; and a section on answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aslib_eval.extensions.competitions.analysis.answers import ANSWERS
from aslib_eval.extensions.competitions.analysis.record_sentences import sentences
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    join,
    page,
    paragraph,
    tag,
)
from aslib_eval.tables.to_json import to_json
from aslib_eval.tables.to_markdown import to_markdown
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.scenario_results import ScenarioResults
    from aslib_eval.extensions.competitions.analysis.record import CompetitionRecord

# Columns of a board → their titles; one without a value, or 0 alone, is left out.
_COLUMNS: Mapping[str, str] = {
    "solver": "solver",
    "place": "place",
    "points": "points",
    "errors": "errors",
    "solved": "solved",
    "solved_sat": "sat",
    "solved_unsat": "unsat",
    "alone": "solved alone",
    "wall": "wall time [s]",
    "cpu": "CPU time [s]",
}
_ALWAYS = ("place", "solver", "solved")


def boards(record: CompetitionRecord) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Scenario, title and rows of each board: by a rule, of all or of a part."""
    frame = record.boards.sort("scenario_id", "part_of", maintain_order=True)
    keys = ["scenario_id", "rule", "part_of", "part"]
    for key, rows in frame.group_by(keys, maintain_order=True):
        scenario, rule, part_of, part = map(str, key)
        title = rule if part_of == "all" else f"{rule}, {part_of} {part or '(none)'}"
        yield scenario, title, _shown(rows)


def _shown(frame: pl.DataFrame) -> pl.DataFrame:
    """A board's columns that say something, best first, who has no place last."""
    import polars as pl

    frame = frame.sort("place", "points", "solver", nulls_last=True)
    told = [c for c in _COLUMNS if c in _ALWAYS or (frame[c].fill_null(0) != 0).any()]
    if "points" in told and frame["points"].equals(frame["solved"].cast(pl.Float64)):
        told.remove("points")
    if {"wall", "cpu"} <= {*told} and frame["wall"].equals(frame["cpu"]):
        told.remove("cpu")
    return frame.select(told)


def winners(record: CompetitionRecord) -> pl.DataFrame:
    """A row a board: who has the first three places."""
    import polars as pl

    rows = [
        (
            scenario,
            title,
            *(
                ", ".join(rows.filter(rows["place"] == place)["solver"].to_list())
                for place in (1, 2, 3)
            ),
        )
        for scenario, title, rows in boards(record)
    ]
    columns = ["scenario", "board", "1st", "2nd", "3rd"]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def removed(record: CompetitionRecord) -> list[str]:
    """Instances that do not count, in a sentence; nothing where all do."""
    found = record.removed.filter(record.removed["removed"] == "disagreement")
    names = found["instance_id"].unique(maintain_order=True).to_list()
    if not names:
        return []
    what = f"{plural(len(names), 'instance')} removed, as sound solvers disagree"
    return [f"{what}: {', '.join(names)}."]


def citation(record: CompetitionRecord) -> list[str]:
    """How many instances each scenario has, and the hash of their names."""
    return [
        f"{scenario}: {plural(n, 'instance')}, SHA-256 of the sorted names {digest}."
        for scenario, n, digest in record.instances.iter_rows()
    ]


def to_text(record: CompetitionRecord) -> str:
    """Markdown: who won, what differs from what was published, and all boards."""
    first = winners(record)
    parts = [f"# {record.name}"]
    if said := sentences(record):
        parts.append("\n".join(f"- {text}" for text in said))
    if first.height > 1:
        parts.append(to_markdown(first).strip())
    for scenario, title, frame in boards(record):
        table = to_markdown(frame.rename(_titles(frame)))
        parts.append(f"## {scenario}: {title}\n\n{table}".strip())
    parts.append(
        "\n".join(f"- {line}" for line in (*removed(record), *citation(record)))
    )
    return "\n\n".join(parts) + "\n"


def _titles(frame: pl.DataFrame) -> dict[str, str]:
    return {name: _COLUMNS[name] for name in frame.columns}


def to_machine(record: CompetitionRecord) -> str:
    """JSON: every row of the boards and of what differs, and what is said of them."""

    def rows(frame: pl.DataFrame) -> Any:
        return json.loads(to_json(frame))

    found: dict[str, Any] = {
        "rule": record.name,
        "sentences": sentences(record),
        "boards": rows(record.boards),
        "removed": rows(record.removed),
        "instances": rows(record.instances),
    }
    if (beside := record.published) is not None:
        explained = beside.explained
        found |= {
            "published": beside.cells.height,
            "equal": int(beside.cells["equal"].sum()),
            "different": rows(beside.different),
            "unequal_pairs": beside.unequal_pairs,
            "changes": [dict(each) for each in explained.changes] if explained else [],
            "moved": [] if beside.moved is None else rows(beside.moved),
        }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def to_page(record: CompetitionRecord) -> str:
    """One HTML page that needs nothing else: who won, then a section a scenario."""
    first = winners(record)
    sections = [_section("winners", "Winners", _table("first", "First places", first))]
    if said := sentences(record):
        told = tag("ul", *(tag("li", text) for text in said))
        sections.append(_section("published", "What was published", told))
    tables: dict[str, list[Html]] = {}
    for at, (scenario, title, frame) in enumerate(boards(record)):
        table = _table(f"board{at}", title, frame.rename(_titles(frame)))
        tables.setdefault(scenario, []).append(table)
    sections += [
        _section(f"s{at}", scenario, join(found), folded=len(tables) > 1)
        for at, (scenario, found) in enumerate(tables.items())
    ]
    over = join([paragraph(line) for line in (*removed(record), *citation(record))])
    sections.append(_section("instances", "Instances", over))
    head = join([tag("h1", record.name), tag("p", _lead(record, first))])
    return page(title=record.name, head=head, sections=sections)


def _section(name: str, title: str, body: Html, *, folded: bool = False) -> Section:
    return Section(name, title, "", body, follows="never", folded=folded)


def _table(name: str, caption: str, frame: pl.DataFrame) -> Html:
    import polars as pl

    text = {name for name, kind in frame.schema.items() if kind == pl.String}
    columns = [Header(name, name, words=name in text) for name in frame.columns]
    return HtmlTable(name, caption, columns, frame.to_dicts()).html()


def _lead(record: CompetitionRecord, first: pl.DataFrame) -> str:
    """What a reader asks first, in a sentence."""
    if said := sentences(record):
        return said[0]
    row = first.row(0, named=True)
    return f"{row['1st'] or 'Nobody'} is first by {row['board']} of {row['scenario']}."


# The page of a scenario.


def answers_section(results: ScenarioResults) -> Section | None:
    """Answers that cannot all be right; None where solvers said nothing, or agree."""
    lake, scenario = results.lake, results.scenario_id
    if lake is None or "answer" not in lake.manifests[scenario]["relations"]:
        return None
    frame = lake.ask(ANSWERS).filter(scenario_id=scenario).drop("scenario_id")
    if not frame.height:
        return None
    solvers = frame["solver"].n_unique()
    said = f"{plural(frame.height, 'answer')} of {plural(solvers, 'solver')} cannot be"
    told = paragraph(f"{said} right beside another one, or beside what is known.")
    body = join([told, _table("answers", "Answers that contradict", frame)])
    return Section("contradictions", "Answers", results.population, body)
