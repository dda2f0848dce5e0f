"""A record of a competition as Markdown, JSON, LaTeX, Typst or an HTML page; contradictory answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any

import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.extensions.competitions.record import CompetitionRecord, Published, sentences
from aslib_eval.extensions.competitions.rules import ANSWERS, sql_file
from aslib_eval.formats.sources import CHOICES
from aslib_eval.plugins import Registry, a_function
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, join, link, page, paragraph, tag
from aslib_eval.reports.sections import made_by_plug_in, sections_made
from aslib_eval.tables import render
from aslib_eval.tables.paper_table import Cell, PaperColumn, PaperTable
from aslib_eval.tables.to_text import to_json, to_markdown
from aslib_eval.text import brief, comparable, decimals, fixed, join_words, list_names, plural, short_names

_SHOWN = 3  # names of what is left out
_CALLED = {CHOICES: "the user's options for the tables"}


def left_out_by_boards(record: CompetitionRecord) -> pl.DataFrame:
    """What is left out, with a row for all boards that leave out the same."""
    key = ["scenario_id", "what", "why", "n", "names"]
    grouped = record.left_out.group_by(key, maintain_order=True).agg("rule")
    every = record.rules.height
    rows = [
        (
            *(scenario, "all" if len(rules) == every else ", ".join(rules)),
            *(n, what, why),
            ""
            if what == "answers" or why.startswith(("not known to be", "not in the"))
            else list_names(names, most=_SHOWN, quoted=False),
        )
        for scenario, what, why, n, names, rules in grouped.iter_rows()
    ]
    words = ("scenario", "boards", "n", "left out", "why", "which")
    return pl.DataFrame(rows, schema={**dict.fromkeys(words, pl.String), "n": pl.Int64}, orient="row")


def citation(record: CompetitionRecord) -> list[str]:
    """Lines with the hashes of instances, rules, files and program."""
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
            f"{_CALLED.get(file, f'file {file}')}: {plural(size, 'byte')}, SHA-256 {digest}"
            for file, size, digest in files.iter_rows()
        ),
        f"code {record.code}",
    ]


# Columns of a board → their titles; columns without values, or with 0 alone, are left out.
COLUMNS: Mapping[str, str] = {
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
_ANSWERS, _TIMES = ("solved_sat", "solved_unsat"), ("wall", "cpu")
# In print: short titles, the longest name in a board and among the winners, and from how many solvers on
# one place they are counted, not named.
_BOARD_TITLES = {**COLUMNS, "alone": "alone", "wall": "wall [s]", "cpu": "CPU [s]"}
_LONG, _SHORT, _MANY = 40, 20, 3
_PLACES = ("1st", "2nd", "3rd")
_WINNERS = ("scenario", "board", *_PLACES)
_DIGITS_OF_POINTS = 2


@dataclass(frozen=True, eq=False)
class Board:
    """A board of a scenario by a rule, for all its instances or a part.

    title: with the rule; name: for people. rows: some columns of COLUMNS, best first, solvers without a
    place last.
    """

    scenario: str
    rule: str
    title: str
    name: str
    rows: pl.DataFrame

    @property
    def is_main(self) -> bool:
        """Whether it ranks all instances of a main track."""
        return self.title == self.rule and "main" in self.scenario.split("-")


def boards(record: CompetitionRecord) -> Iterator[Board]:
    """Each board, without parts that hold all instances of their scenario."""
    frame = record.boards.sort("scenario_id", "part_of", maintain_order=True)
    keys = ["scenario_id", "rule", "part_of", "part"]
    whole: dict[tuple[str, str], pl.DataFrame] = {}
    for key, found in frame.group_by(keys, maintain_order=True):
        scenario, rule, part_of, part = map(str, key)
        totals = found.drop("part_of", "part").sort("solver")
        if part_of == "all":
            whole[scenario, rule] = totals
        elif (scenario, rule) in whole and totals.equals(whole[scenario, rule]):
            continue
        of_part = "" if part_of == "all" else f"{part_of} {part or '(none)'}"
        title = f"{rule}, {of_part}" if of_part else rule
        only = rule.removeprefix(record.name).removeprefix("-")
        only = f"{only.upper()} only" if only in {"sat", "unsat"} else only
        name = ", ".join(filter(None, (track_of(scenario), only, of_part))) or "Overall"
        yield Board(scenario, rule, title, name, _shown(found))


_YEAR = re.compile(r"^[A-Za-z]+-(20\d\d)(?:-(.+))?$")  # of the scenario of a known competition


def competition_of(record: CompetitionRecord) -> str:
    """The name and year of the competition, if the rule and the scenarios have them; else the rule."""
    named = re.match(r"([A-Z].*?)(?: since)?(?: \d{4}.*?)?[:,]", record.rules["about"][0] or "")
    years = {m and m[1] for m in map(_YEAR.match, record.instances["scenario_id"])}
    (year,) = years if len(years) == 1 else (None,)
    of_another = set(re.findall(r"20\d\d", record.name)) - {year}
    return f"{named[1]} {year}" if named and year and not of_another else record.name


def track_of(scenario: str) -> str:
    """The track of a scenario, such as Main track of SAT-2023-main; else the scenario's name."""
    found = _YEAR.match(scenario)
    if not found:
        return scenario
    first, *others = (found[2] or "").split("-", 1)
    return ", ".join([f"{first.capitalize()} track", *others]) if first else ""


def _shown(frame: pl.DataFrame) -> pl.DataFrame:
    frame = frame.sort("place", "points", "solver", nulls_last=True)
    told = [c for c in COLUMNS if c in _ALWAYS or (frame[c].fill_null(0) != 0).any()]
    if "points" in told and frame["points"].equals(frame["solved"].cast(pl.Float64)):
        told.remove("points")
    told = [c for c in told if c not in _ANSWERS or {*_ANSWERS} <= {*told}]
    if {*_TIMES} <= {*told} and frame["wall"].equals(frame["cpu"]):
        told.remove("cpu")
    return frame.select(told)


def winners(found: Iterable[Board]) -> pl.DataFrame:
    """The first three places of each board."""
    rows = [
        (board.scenario, board.title, *(", ".join(_on(board, place)) for place, _ in enumerate(_PLACES, 1)))
        for board in found
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(_WINNERS, pl.String), orient="row")


def lead_of(board: Board) -> str:
    """The lead of the first place: points, else solved, else time.

    Empty without a second place; ``tied`` if several are first.
    """
    first = board.rows.filter(place=1)
    others = board.rows.filter(board.rows["place"] > 1).sort("place")
    if first.height != 1 or not others.height:
        return "tied" if first.height > 1 else ""
    for column in (name for name in ("points", "solved") if name in board.rows.columns):
        ahead = abs((first[column][0] or 0) - (others[column][0] or 0))
        if comparable(ahead):
            return f"{brief(ahead)} {column}"
    return "time alone"


def places_of_points(board: Board) -> int:
    """Decimals of the points: none if all are whole, else at least two, to tell places apart."""
    points = board.rows["points"].drop_nulls()
    if (points == points.round()).all():
        return 0
    return max(decimals(points) or 0, _DIGITS_OF_POINTS)


def _on(board: Board, place: int) -> list[str]:
    return [*board.rows.filter(place=place)["solver"]]


def paper_tables(record: CompetitionRecord) -> Iterator[PaperTable]:
    """Tables for print: the winners, if there are several boards, and every board.

    The first table has the citation.
    """
    found = list(boards(record))
    whole = [board for board in found if board.title == board.rule]
    tables = [_winners_table(record, whole)] if whole[1:] else []
    tables += [_board_table(record, board) for board in found]
    for at, table in enumerate(tables):
        yield table if at else replace(table, provenance=tuple(citation(record)))


def _winners_table(record: CompetitionRecord, found: Sequence[Board]) -> PaperTable:
    """The winners, without the common beginning of the scenarios' names."""
    scenarios = list(dict.fromkeys(board.scenario for board in found))
    words = zip(*(scenario.split("-") for scenario in scenarios), strict=False)
    shared = "-".join(first for first, *_ in takewhile(lambda some: len({*some}) == 1, words))
    short = short_names({s for board in found for s in board.rows["solver"]}, _SHORT)
    rows = [
        (
            board.scenario.removeprefix(f"{shared}-"),
            board.title.removeprefix(f"{record.name}-"),
            *(
                ", ".join(short[name] for name in names) if len(names) < _MANY else f"{len(names)} tied"
                for place, _ in enumerate(_PLACES, 1)
                for names in [_on(board, place)]
            ),
        )
        for board in found
    ]
    told = [at for at in range(len(_WINNERS)) if any(row[at] for row in rows)]
    told = told if scenarios[1:] else told[1:]
    of = f"First places by {record.name}"
    return PaperTable(
        columns=tuple(PaperColumn(_WINNERS[at], _WINNERS[at]) for at in told),
        rows=tuple(tuple(Cell(row[at], row[at]) for at in told) for row in rows),
        name=_label(record.name, "winners"),
        caption=f"{of}: {shared}." if shared else f"{of}.",
    )


def _board_table(record: CompetitionRecord, board: Board) -> PaperTable:
    """A board with the winner in bold; all numbers of a column have the same decimals."""
    rule = record.rules.filter(rule=board.rule).row(0, named=True)
    places = {name: decimals(board.rows[name]) for name in board.rows.columns}
    if "points" in places:
        places["points"] = places_of_points(board)
    short = short_names(board.rows["solver"], _LONG)
    rows = tuple(
        tuple(
            Cell(
                short.get(value, fixed(value, places[name])) if value is not None else "",
                value,
                is_bold=name == "solver" and row["place"] == 1,
            )
            for name, value in row.items()
        )
        for row in board.rows.iter_rows(named=True)
    )
    about = rule["about"] or "a rule of its own"
    part = board.title.removeprefix(board.rule).removeprefix(", ")
    n = record.instances.filter(scenario_id=board.scenario)["n"].item()
    return PaperTable(
        columns=tuple(
            PaperColumn(name, _BOARD_TITLES[name], is_number=name != "solver")
            for name in board.rows.columns
        ),
        rows=rows,
        name=_label(board.scenario, board.title),
        caption=f"{board.scenario}{part and f', {part}'}. {about}.",
        notes=(f"Rule {rule['rule']}@{rule['hash']}; {plural(n, 'instance')}.",),
    )


def _label(*words: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(words)).strip("-").lower()


_SCENARIO = {"scenario_id": "scenario"}
# Column of a published value → title; columns of _SCOPE are shown if they differ.
_OF_VALUES = {
    "solver": "of",
    "other": "against",
    "column": "value",
    "scenario_id": "scenario",
    "part": "part",
    "restriction": "counts",
    "printed": "published",
    "ours": "of the runs",
    "line": "line",
}
_SCOPE = ("other", "scenario_id", "part", "restriction")
_SETS = (
    "the places that are possible with 95 % confidence, for all solvers together, on other instances of "
    "the same kind; the mark is the place"
)
_THEIRS: Registry[Callable[[CompetitionRecord], Section | None]] = Registry(
    "board_sections", {}, a_function, within=""
)
# Frames with scenario, board and remarks on its first place.
_OF_FIRST: Registry[Callable[[CompetitionRecord], pl.DataFrame]] = Registry(
    "board_sections", {}, a_function, within="winners"
)
# Frames with scenario, board, solver and its set of places, from low to high.
_OF_PLACES: Registry[Callable[[CompetitionRecord], pl.DataFrame]] = Registry(
    "board_sections", {}, a_function, within="places"
)
_FRAMES = (*("boards", "left_out", "instances", "solvers", "rules", "files", "warnings"),)
_NAMED = 3  # most winners, and numbers of first places, in the first sentence
_DIFFERENT = 100  # most values that differ on the page


def to_text(
    record: CompetitionRecord,
    *,
    table: Callable[[pl.DataFrame], str] = to_markdown,
    line: Callable[[str], str] = str,
) -> str:
    """Markdown: the winners, published values that differ, and all boards.

    table, line: write a frame, and an item of a list.
    """
    first = winners(boards(record))
    parts = [f"# {record.name}"]
    if said := sentences(record):
        parts.append("\n".join(line(f"- {text}") for text in said))
    if first.height > 1:
        parts.append(table(first).strip("\n"))
    for board in boards(record):
        rows = table(board.rows.rename({name: COLUMNS[name] for name in board.rows.columns})).strip("\n")
        parts.append(f"## {board.scenario}: {board.title}\n\n{rows}")
    if record.left_out.height:
        rows = table(left_out_by_boards(record)).strip("\n")
        parts.append(f"## Left out\n\n{rows}")
    made = "\n".join(line(f"- {text}") for text in citation(record))
    parts.append(f"## How it was made\n\n{made}")
    return "\n\n".join(parts) + "\n"


def to_machine(record: CompetitionRecord) -> str:
    """JSON: every row of the boards and of the values that differ, and the sentences."""

    def rows(frame: pl.DataFrame) -> Any:
        return json.loads(to_json(frame))

    found: dict[str, Any] = {
        "rule": record.name,
        "sentences": sentences(record),
        **{name: rows(getattr(record, name)) for name in _FRAMES},
        "code": record.code,
    }
    if (beside := record.published) is not None:
        explained = beside.explained
        found |= {
            "published": beside.n,
            "compared": beside.cells.height,
            "equal": int(beside.cells["equal"].sum()),
            "different": rows(beside.different),
            "unequal_pairs": beside.unequal_pairs,
            "changes": [dict(each) for each in explained.changes] if explained else [],
            "instance": beside.instance and beside.instance._asdict(),
            "moved": [] if beside.moved is None else rows(beside.moved),
        }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def to_print(record: CompetitionRecord, *, form: str) -> str:
    """Tables for a paper: the winners, then each board."""
    return "\n".join(render(table, format=form) for table in paper_tables(record))


def to_page(record: CompetitionRecord) -> str:
    """A standalone HTML page: the winners, then a section for each scenario."""
    every = list(boards(record))
    main = next((board for board in every if board.is_main), every[0])
    every.sort(key=lambda board: board.scenario != main.scenario)
    remarks = [] if record.published else [_listed(record.remarks)]
    pars = dict(record.rules.select("rule", pl.col("about").str.extract(r"(PAR\d+)")).rows())
    # PARk is a time.
    points = {rule: f"s of {par}" if par else "points" for rule, par in pars.items()}
    ahead = [lead_of(board).replace("points", points.get(board.rule, "points")) for board in every]
    sections = [_section("winners", "Winners", join([*_winners(record, every, ahead), *remarks]))]
    sets = next(iter(_frames_of(_OF_PLACES, record)[0]), None)
    parts: dict[str, list[Html]] = {}
    about = {"meanings": {**sql_file("rule_board").columns, "places": _SETS}}
    for at, board in enumerate(every):
        places = {"points": places_of_points(board)} if "points" in board.rows.columns else {}
        par = pars.get(board.rule)
        titles = {**COLUMNS, "places": "places, 95 %"}
        if par:
            titles["points"] = f"{par} seconds, less is better"
        rows = _with_sets(board, sets)
        found = table(f"board{at}", board.name, rows, titles=titles, **about, places=places)
        parts.setdefault("" if board is main else board.scenario, []).append(found)
    sections.append(_section("main", main.name, join(parts.pop(""))))
    if record.published is not None:
        sections.append(_published(record, record.published))
    for at, (scenario, some) in enumerate(parts.items()):
        others = [board for board in every if board.scenario == scenario and board is not main]
        finding = f"{plural(len(others), 'board')}: {_often([', '.join(_on(b, 1)) for b in others])}."
        title = f"{track_of(scenario) or 'Categories'}{', others' if scenario == main.scenario else ''}"
        sections.append(replace(_section(f"s{at}", title, join(some), finding=finding), group="who"))
    sections += sections_made(_THEIRS, record, "")
    if record.left_out.height:
        left = left_out_by_boards(record)
        left = left if record.instances.height > 1 else left.drop("scenario")
        body = table("left", "What does not count, and why", left)
        why = list_names(left["why"].unique(maintain_order=True), quoted=False)
        sections.append(_section("left-out", "Left out", body, finding=f"Reasons: {why}."))
    n = join_words([str(n) for n in record.instances["n"]])
    listed = _section("instances", "Instances", _instances(record))
    sections.append(replace(listed, finding=f"The names of {n} instances, with their hash."))
    rules, files = plural(record.rules.height, "rule"), record.files["file"].n_unique()
    said = f"{rules}, {plural(files, 'file')} and the program, with their hashes."
    sections.append(_section("made", "How it was made", join([*_made(record)]), finding=said))
    head = tag("p", _lead(record, main, ahead[every.index(main)]), attrs={"class": "story"})
    return page(title=competition_of(record), head=head, sections=sections)


def _with_sets(board: Board, sets: pl.DataFrame | None) -> pl.DataFrame:
    """The rows, with the set of possible places on other instances as a bar after the place."""
    if sets is None or board.title != board.rule:
        return board.rows
    mine = sets.filter(scenario=board.scenario, board=board.rule)
    of = {solver: (low, high) for solver, low, high in mine.select("solver", "low", "high").rows()}
    most = max((high for _, high in of.values()), default=1)
    if not of:
        return board.rows
    pairs = board.rows.select("solver", "place").rows()
    bars = [_bar(*of[solver], place, most) if solver in of else None for solver, place in pairs]
    at = board.rows.get_column_index("place") + 1
    return board.rows.clone().insert_column(at, pl.Series("places", bars, pl.Object))


def _bar(low: int, high: int, place: int | None, most: int) -> Html:
    """A bar from the first to the last possible place, with a mark at the solver's own."""
    begin, width, own = (
        f"{100 * of / most:.4g}%" for of in (low - 1, high - low + 1, (place or low) - 0.5)
    )
    span = tag("i", attrs={"style": f"margin-left:{begin};width:{width}"})
    mark = tag("b", attrs={"style": f"left:{own}"})
    drawn = tag("span", span, mark, attrs={"class": "span", "aria-hidden": "true"})
    return join([tag("span", f"{low} to {high}", attrs={"class": "said"}), drawn])


def table(
    name: str,
    caption: str,
    frame: pl.DataFrame,
    *,
    titles: Mapping[str, str] = {},
    meanings: Mapping[str, str] = {},
    places: Mapping[str, int] = {},
) -> Html:
    """A frame as a table of a page. titles, meanings, places (decimals): by column."""
    columns = [
        Header(
            *(column, titles.get(column, column), meanings.get(column, "")),
            words=kind == pl.String,
            places=places.get(column),
            bar="places" if kind == pl.Object else None,
        )
        for column, kind in frame.schema.items()
    ]
    return HtmlTable(name, caption, columns, frame.to_dicts()).html()


def _frames_of(
    registry: Registry[Callable[[CompetitionRecord], pl.DataFrame]], record: CompetitionRecord
) -> tuple[list[pl.DataFrame], list[Html]]:
    """The frames that extensions make of a record, and messages about failures."""
    plug_ins = registry.usable().items()
    made = [made_by_plug_in(registry.plug_in(n), make, record, pl.DataFrame) for n, make in plug_ins]
    frames = [one for one in made if isinstance(one, pl.DataFrame) and one.height]
    return frames, [one for one in made if isinstance(one, Html)]


def _winners(record: CompetitionRecord, every: Sequence[Board], ahead: Sequence[str]) -> Iterator[Html]:
    """The first places, their lead and links to the boards; the rule."""
    shown = winners(every).insert_column(3, pl.Series("ahead by", ahead, pl.String()))
    frames, failed = _frames_of(_OF_FIRST, record)
    for at, frame in enumerate(frames, 4):
        shown = shown.join(frame, on=["scenario", "board"], how="left", maintain_order="left")
        *order, last = shown.columns
        shown = shown.select(*order[:at], last, *order[at:])
    rows = [
        {**row, "board": board.name, "1st": link(row["1st"], to=f"#board{at}") if row["1st"] else None}
        for at, (board, row) in enumerate(zip(every, shown.drop("scenario").to_dicts(), strict=True))
    ]
    columns = [Header(name, name, words=True) for name in rows[0]]
    yield HtmlTable("first", "First places", columns, rows).html()
    rule, about = record.rules.select("rule", "about").row(0)
    by = f"the rule {rule}{f' ({about})' if about else ''}"
    more = ", or the rule of the board" if record.rules.height > 1 else ""
    words = f"Places follow {by}{more}. Click a winner to see its board."
    yield tag("p", words, attrs={"class": "population"})
    yield from failed


def _section(name: str, title: str, body: Html, *, finding: str = "") -> Section:
    return Section(name, title, "", body, follows="never", finding=finding)


def _lead(record: CompetitionRecord, main: Board, ahead: str) -> str:
    """The first place of the main board and its lead; the result of the comparison."""
    one, two = (join_words(_on(main, place)) for place in (1, 2))
    words = "" if main.name == "Overall" else f"{main.name}: "
    words += f"{one or 'no solver'} {'are' if len(_on(main, 1)) > 1 else 'is'} first"
    if two:
        words += f", ahead of {two} by {ahead}"
    also = f" {sentences(record)[0]}" if record.published is not None else ""
    return f"{words}.{also}"


def _often(winners: Sequence[str]) -> str:
    """The numbers of first places: a and b are first on 3 each, c on 1. Ties are a winner of their own."""
    counts = Counter(who.replace(", ", " = ") for who in winners if who)
    if not counts:
        return "no solver is first"
    said: list[str] = []
    for n in sorted(set(counts.values()), reverse=True)[:_NAMED]:
        who = [name for name in counts if counts[name] == n]
        some = [*who[:_NAMED], *([f"{len(who) - _NAMED} more"] * (len(who) > _NAMED))]
        verb = "" if said else " is first" if len(who) == 1 else " are first"
        said.append(f"{join_words(some)}{verb} on {n}{' each' if who[1:] else ''}")
    return ", ".join(said)


def _published(record: CompetitionRecord, beside: Published) -> Section:
    said = sentences(record, values=False)
    body = [_listed(said)]
    if n := beside.different.height:
        shown = beside.different.head(_DIFFERENT).select(*_OF_VALUES)
        told = [name for name in shown.columns if name not in _SCOPE or shown[name].n_unique() > 1]
        of = f": the first {_DIFFERENT} of {n}" if n > _DIFFERENT else ""
        body.append(table("different", f"Values that differ{of}", shown.select(told), titles=_OF_VALUES))
    more = plural(len(said) - 1, "remark")
    finding = said[0] if len(said) == 1 else f"{said[0].removesuffix('.')}, with {more} inside."
    return _section("published", "What was published", join(body), finding="" if n else finding)


def _listed(sentences: Sequence[str]) -> Html:
    return tag("ul", *map(partial(tag, "li"), sentences)) if sentences else join([])


def _instances(record: CompetitionRecord) -> Html:
    parts = [paragraph("The SHA-256 covers the names as listed here, each on a line.")]
    for scenario, n, digest, names in record.instances.iter_rows():
        line = f"{scenario}: {plural(n, 'instance')}, SHA-256 "
        hashed = tag("span", digest, attrs={"class": "hash"})
        listed = tag("pre", "".join(f"{name}\n" for name in names))
        parts.append(tag("details", tag("summary", line, hashed), listed))
    return join(parts)


def _made(record: CompetitionRecord) -> Iterator[Html]:
    yield table("rules", "Rules", record.rules, titles={"document": "source"})
    solvers = record.solvers
    if solvers["configuration"].null_count() < len(solvers):
        yield table("solvers", "Solvers", solvers, titles=_SCENARIO)
    yield table("files", "Files", record.files, titles=_SCENARIO)
    if record.warnings.height:
        yield table("warned", "Warnings about the files", record.warnings, titles=_SCENARIO)
    yield paragraph(f"Code {record.code}.")


FORMATS: Mapping[str, Callable[[CompetitionRecord], str]] = {
    "md": to_text,
    "json": to_machine,
    "html": to_page,
    "tex": partial(to_print, form="tex"),
    "typ": partial(to_print, form="typ"),
}


# Column of ``answers`` → its title.
_TITLES = {
    "instance_id": "instance",
    "repetition": "repetition",
    "solver": "solver",
    "claim": "says",
    "objective": "objective",
    "other": "other solver",
    "other_claim": "says too",
    "other_objective": "its objective",
    "why": "why",
}


def answers_section(results: ScenarioResults) -> Section | None:
    """Contradictory answers; None without answers or contradictions."""
    lake, scenario = results.lake, results.scenario_id
    if lake is None or "answer" not in lake.manifests[scenario]["relations"]:
        return None
    frame = lake.ask(ANSWERS).filter(scenario_id=scenario).drop("scenario_id")
    if not frame.height:
        return None
    size = f"{plural(frame.height, 'answer')} of {plural(frame['solver'].n_unique(), 'solver')}"
    told = paragraph(f"Answers that contradict another answer or the known one: {size}.")
    shown = frame.select(
        name
        for name in _TITLES
        if name != "repetition" or frame[name].n_unique() > 1
        if frame[name].null_count() < frame.height
    )
    body = join([told, table("answers", "Contradictory answers", shown, titles=_TITLES)])
    return Section("contradictions", "Answers", results.population, body)
