"""Published numbers of ASlib scenarios, the protocol that gives each, and their checks.

The numbers are rows of ``published.csv``, their papers sections of ``published.toml``.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl

from aslib_eval.analysis.results import LakeResults
from aslib_eval.atomic_files import replace_files
from aslib_eval.commands import opened, silent
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import COLUMNS as PROTOCOL_COLUMNS
from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.errors import AslibError, OutOfTimeError
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import TITLED, Band, Boxes, Chart, Linear, as_bytes
from aslib_eval.options import Lake, Note, Option, Scenarios, public
from aslib_eval.paths import read_text
from aslib_eval.tables import PAPER, render
from aslib_eval.tables.paper_table import Cell, PaperColumn, PaperTable
from aslib_eval.tables.to_text import comment, escape
from aslib_eval.text import Printed, comparable, fixed, is_number, one_of, plural, printed


@public
def published(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    papers: Annotated[
        Sequence[str],
        Option("Include only papers whose key matches this pattern.", flags="--paper", metavar="GLOB"),
    ] = (),
    explain: Annotated[bool, Option("Compare each number with the one computed from the lake.")] = False,
    seconds: Annotated[
        float,
        Option(
            "If no listed protocol reproduces a number, search this many seconds for one that does. 0: "
            "do not search.",
            metavar="S",
            least=0,
            goes_with="explain",
        ),
    ] = 60.0,
    numbers: Annotated[
        str | PathLike[str] | None,
        Option("Read the numbers from your own CSV file (docs/papers.md describes it).", metavar="FILE"),
    ] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """List the numbers that papers print for ASlib scenarios, and the protocols that give them.

    A row for each number: its place, its ``decimals``, and the ``protocol`` that is claimed to give it
    (``none``: no protocol, for the reason in ``remark``; null: its answers are not public, or it was never
    tried).

    explain: only numbers whose scenario and solver are in the lake, with our ``value``, the ``verdict`` and
    the protocol ``found``. The verdict on a claim is ``as claimed`` or ``not as claimed``; without a claim
    ``explained`` by a protocol, ``unexplained`` or ``out of time``; for the claim ``none`` it is ``no
    protocol`` or ``a protocol gives it``.

    >>> ae.published(papers=["oasc2017"], scenarios=["Mira"]).height
    8
    """
    from aslib_eval.commands import function_added
    from aslib_eval.progress import tracked

    every = read_numbers(Path(numbers) if numbers is not None else FILE)
    chosen = [number for number in every if _matches(number.paper, papers)]
    if not chosen:
        hint = one_of(papers[0] if papers else "", dict.fromkeys(number.paper for number in every))
        raise AslibError("no paper matches", ", ".join(papers), hint)
    if not explain:
        chosen = [number for number in chosen if _matches(number.scenario, scenarios)]
        if not chosen:
            raise AslibError("no listed paper has numbers of this scenario", ", ".join(scenarios))
        for paper in dict.fromkeys(number.paper for number in chosen):
            if about := known_papers().get(paper):
                note(f"{paper}: {about['title']}. Numbers from: {about['read']}.")
        return _listed(chosen)
    held = opened(lake, scenarios)
    found, said = of_papers(numbers_at_hand(held, chosen), own=numbers is not None)
    if not found:
        hint = "Import the scenarios, and the predictions of their selectors."
        raise AslibError("has no scenario and solver of these numbers", str(lake), " ".join([*said, hint]))
    shown = sys.stderr.isatty()
    search = None
    if seconds:
        combine = function_added("explain")
        if combine is None:
            hint = "Install the extension explanations again, or use --seconds 0."
            raise AslibError("choices of protocols cannot be combined", hint=hint)
        search = partial(combine, lake=lake, seconds=seconds)
    checked = list(tracked(check(found, search), "published numbers", len(found), shown=shown))
    note(*_sentences(checked, len(chosen)), *said)
    return _compared(checked)


def _matches(name: str, globs: Sequence[str]) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs)


def _listed(numbers: Iterable[PublishedNumber]) -> pl.DataFrame:
    rows = [
        (*_printed(number), number.decimals, number.protocol or None, number.remark or None)
        for number in numbers
    ]
    schema = {**_PRINTED, "decimals": pl.Int64(), "protocol": pl.String(), "remark": pl.String()}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _compared(checked: Iterable[CheckedNumber]) -> pl.DataFrame:
    rows = [
        (*_printed(number), number.protocol or None, one.at_hand.value, one.verdict, one.found or None)
        for one in checked
        for number in [one.at_hand.number]
    ]
    texts = dict.fromkeys(("protocol", "value", "verdict", "found"), pl.String())
    schema = {**_PRINTED, **texts, "value": pl.Float64()}
    return pl.DataFrame(rows, schema=schema, orient="row")


_PRINTED = dict.fromkeys(("paper", "place", "scenario", "solver", "metric", "number"), pl.String())


def _printed(number: PublishedNumber) -> list[str]:
    return [getattr(number, name) for name in _PRINTED]


def _sentences(checked: Sequence[CheckedNumber], n_chosen: int) -> Iterable[str]:
    counts = Counter(one.verdict for one in checked)
    words = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    yield f"The lake has data for {len(checked)} of {n_chosen} published numbers. Their verdicts: {words}."
    by_protocol = Counter(one.found for one in checked if one.verdict == "as claimed")
    if by_protocol:
        words = ", ".join(f"{claim} ({n})" for claim, n in by_protocol.most_common())
        yield f"Protocols of the numbers with the verdict 'as claimed': {words}."


FILE = Path(__file__).with_suffix(".csv")
COLUMNS = (
    *("paper", "place", "scenario", "solver", "metric", "number"),
    *("in_lake", "protocol", "remark"),
)
NO_PROTOCOL = "none"


@dataclass(frozen=True)
class PublishedNumber:
    """A printed number, and the claim about it.

    place: table or file of the paper. metric: of aslib-eval, with a minus if the paper prints the other
    sign; or the paper's own name. in_lake: the solver's name in the public runs or answers; "" without any.
    protocol: the preset that gives the number, with changed choices, as in ``llama, sbs_criterion = par1``;
    ``none`` if no protocol does, for the reason in ``remark``; "" if it was never tried.
    """

    line: int
    paper: str
    place: str
    scenario: str
    solver: str
    metric: str
    number: str
    in_lake: str
    protocol: str
    remark: str

    @property
    def printed(self) -> Printed:
        """Its value and its last digit."""
        return printed(self.number)

    @property
    def decimals(self) -> int:
        """The number of printed decimals."""
        return len(self.number.partition(".")[2])

    @property
    def column(self) -> str:
        """The metric without its sign."""
        return self.metric.removeprefix("-")

    def ours(self, value: float | None) -> float | None:
        """A value of ``column`` with the sign of the paper."""
        return -value if value is not None and self.metric.startswith("-") else value


@cache
def known_papers() -> Mapping[str, Mapping[str, str]]:
    """Paper → its ``title`` and where its numbers were ``read``."""
    return tomllib.loads(FILE.with_suffix(".toml").read_text(encoding="utf-8"))


@cache
def published_numbers() -> tuple[PublishedNumber, ...]:
    """The rows of ``published.csv``."""
    return read_numbers(FILE)


def read_numbers(file: Path) -> tuple[PublishedNumber, ...]:
    """The rows of a file; a user's file needs no sections of papers."""
    reader = csv.DictReader(io.StringIO(read_text(file)), strict=True)
    found, faults = [], []
    try:
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise AslibError("has other columns", str(file), f"Its first line must be {','.join(COLUMNS)}")
        for row in reader:
            if None in row or None in row.values():
                faults.append(f"{reader.line_num}: does not have {len(COLUMNS)} cells")
                continue
            number = PublishedNumber(reader.line_num, **row)
            faults += [f"{number.line}: {what}" for what in _faults(number, file)]
            found.append(number)
    except csv.Error as error:
        faults.append(f"{reader.line_num}: is not CSV ({error})")
    first: dict[tuple[str, ...], int] = {}
    for number in found:
        key = (*(getattr(number, name) for name in COLUMNS[:5]),)
        if first.setdefault(key, number.line) != number.line:
            faults.append(f"{number.line}: repeats line {first[key]}")
    if faults:
        raise AslibError("; ".join(f"{file.name}:{fault}" for fault in faults))
    return tuple(found)


def _faults(number: PublishedNumber, file: Path) -> Iterator[str]:
    for name in COLUMNS[:6]:
        if not getattr(number, name).strip():
            yield f"{name} is empty"
    if file == FILE and number.paper not in known_papers():
        yield f"published.toml has no section [{number.paper}]. Name the source there."
    if number.number and not re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?%?", number.number):
        yield f"{number.number!r} is not a number. Write it as it is printed."
    try:
        claimed(number.protocol)
    except AslibError as error:
        yield str(error)
    if number.protocol and not number.in_lake:
        yield "a claim needs in_lake, the name of the solver"
    if (number.protocol == NO_PROTOCOL) != bool(number.remark):
        yield "the protocol 'none' needs a remark with the reason, and only it has one"


def claimed(text: str) -> Protocol | None:
    """The protocol of a claim such as ``llama, sbs_criterion = par1``; None without one."""
    if text in {"", NO_PROTOCOL}:
        return None
    preset, *changes = (part.strip() for part in text.split(","))
    if preset not in PRESETS:
        raise AslibError(f"there is no protocol {preset!r}", hint=one_of(preset, PRESETS))
    choices: dict[str, Any] = {}
    for change in changes:
        name, _, word = (part.strip() for part in change.partition("="))
        if name not in PROTOCOL_COLUMNS or not word:
            raise AslibError(f"{change!r} is not a choice", hint="Write CHOICE = VALUE.")
        choices[name] = _value(word)
    words = "".join(f"+{name}-{value}" for name, value in choices.items())
    return replace(PRESETS[preset], **choices, protocol=preset + words)


def _value(word: str) -> str | float | bool:
    if word in {"true", "false"}:
        return word == "true"
    try:
        return float(word)
    except ValueError:
        return word


def of_table(paper: str, place: str) -> Sequence[PublishedNumber]:
    """The numbers of a table of a paper."""
    return [n for n in published_numbers() if (n.paper, n.place) == (paper, place)]


# The last two are of claims that do not hold.
Verdict = Literal[
    "as claimed", "no protocol", "explained", "unexplained", "out of time",
    "not as claimed", "a protocol gives it",
]  # fmt: skip
BROKEN: frozenset[Verdict] = frozenset({"not as claimed", "a protocol gives it"})


@dataclass(frozen=True)
class NumberAtHand:
    """A published number with its scenario and solver in a lake.

    value: by the claimed protocol, else by ``default``, with the printed sign; None if there is none.
    """

    number: PublishedNumber
    scenario_id: str
    kind: str
    solver: str
    value: float | None = None

    @property
    def fits(self) -> bool:
        """Whether the value rounds to the number."""
        return self.number.printed.rounds(self.value)


@dataclass(frozen=True)
class CheckedNumber:
    """A number at hand and its verdict. found: a protocol that gives it."""

    at_hand: NumberAtHand
    verdict: Verdict
    found: str = ""


def numbers_at_hand(lake: OpenLake, numbers: Iterable[PublishedNumber]) -> list[NumberAtHand]:
    """The numbers whose scenario and solver a lake has, with values.

    Names of scenarios (id or folder) and solvers match in any case; a selector precedes an algorithm of the
    same name.
    """
    solvers: dict[tuple[str, str], tuple[str, str, str]] = {}
    for scenario_id, folder, kind, solver in lake.rows("solvers_of_scenarios"):
        for scenario in (folder, scenario_id):
            key = scenario.lower(), solver.lower()
            if key not in solvers or kind == "selector":
                solvers[key] = scenario_id, kind, solver
    by_claim: dict[str, list[NumberAtHand]] = {}
    for number in numbers:
        there = solvers.get((number.scenario.lower(), number.in_lake.lower()))
        if there is not None:
            by_claim.setdefault(number.protocol, []).append(NumberAtHand(number, *there))
    found = [one for claim, wanted in by_claim.items() for one in _with_values(lake, claim, wanted)]
    return sorted(found, key=lambda one: one.number.line)


def of_papers(found: Iterable[NumberAtHand], *, own: bool) -> tuple[list[NumberAtHand], list[str]]:
    """The numbers of solvers that may be those of the papers, and remarks on selectors.

    The name of a selector in a lake may be arbitrary. It is left out if the paper's numbers have claims and
    none fits. own: a user's file of numbers; all are kept.
    """
    groups: dict[tuple[str, str], list[NumberAtHand]] = {}
    kept, said = [], []
    for one in found:
        if one.kind == "selector" and not own:
            groups.setdefault((one.number.paper, one.solver), []).append(one)
        else:
            kept.append(one)
    for (paper, solver), numbers in groups.items():
        claims = [one for one in numbers if one.number.protocol not in {"", NO_PROTOCOL}]
        if not claims:
            said.append(f"{solver} is matched with the solver of {paper} by its name alone.")
        elif not any(one.fits for one in claims):
            said.append(f"{solver} is left out: the lake gives none of its numbers in {paper}.")
            continue
        kept += numbers
    return sorted(kept, key=lambda one: one.number.line), said


def _with_values(lake: OpenLake, claim: str, wanted: Sequence[NumberAtHand]) -> Iterator[NumberAtHand]:
    protocol = claimed(claim) or PRESETS["default"]
    under = lake.under(protocols=[protocol], scenarios=sorted({one.scenario_id for one in wanted}))
    values: dict[tuple[str, str, str, str], float | None] = {}
    for metric in sorted({one.number.column for one in wanted} & set(lake.metrics)):
        relation = lake.metrics[metric].relation
        sql = f"select scenario_id, kind, solver, {metric} from {relation}"  # noqa: S608
        for *key, value in under.rows(sql):
            values[metric, *key] = value
    for one in wanted:
        number = one.number
        value = values.get((number.column, one.scenario_id, one.kind, one.solver))
        yield replace(one, value=number.ours(value))


def check(
    found: Iterable[NumberAtHand], search: Callable[..., pl.DataFrame] | None = None
) -> Iterator[CheckedNumber]:
    """Check the claim of each number, and search for a protocol where it does not hold.

    search: ``explain`` of a lake, which combines choices of protocols; None = do not search.
    """
    for one in found:
        claim = one.number.protocol
        if one.fits and claim not in {"", NO_PROTOCOL}:
            yield CheckedNumber(one, "as claimed", claim)
            continue
        giving: str | None = "default" if one.fits else ""
        if not giving and search is not None:
            giving = _search(one, search)
        yield CheckedNumber(one, _verdict(claim, giving), giving or "")


def _verdict(claim: str, giving: str | None) -> Verdict:
    """The verdict after a search. giving: the protocol; None = the search ran out of time."""
    if claim == NO_PROTOCOL:
        return "a protocol gives it" if giving else "no protocol"
    if claim:
        return "not as claimed"
    if giving is None:
        return "out of time"
    return "explained" if giving else "unexplained"


def _search(one: NumberAtHand, search: Callable[..., pl.DataFrame]) -> str | None:
    """A protocol that gives a number, "" if none does, None if the time was too short."""
    number = one.number
    text = number.number
    if number.metric != number.column:
        text = text.removeprefix("-") if text.startswith("-") else f"-{text}"
    try:
        rows = search(f"{number.column}={text}", scenario=one.scenario_id, solver=one.solver, kind=one.kind)
    except OutOfTimeError:
        return None
    for row in rows.iter_rows(named=True):
        if number.printed.rounds(number.ours(row["value"])):
            return row["presets"].partition(",")[0] or row["changes"] or "default"
    return ""


PUBLISHED = FigureEntry(
    "how many numbers of each paper the lake reproduces",
    "lake",
    "aslib_eval.extensions.reproductions.published:published_chart",
    "scenarios, or answers of selectors, with published numbers",
    runs=False,
)
_OTHER = "none"


def published_chart(results: LakeResults, _solvers: Sequence[str] = ()) -> Chart:
    """A bar for each paper with the numbers at hand, a segment for each protocol whose claims hold."""
    numbers = published_numbers()
    found = numbers_at_hand(results.lake, numbers)
    if not found:
        raise AslibError("has no scenario and solver with published numbers", str(results.lake))
    counts: dict[str, Counter[str]] = {n.paper: Counter() for n in numbers}
    for one in check(found):
        preset = one.found.partition(",")[0] if one.verdict == "as claimed" else _OTHER
        counts[one.at_hand.number.paper][preset] += 1
    printed = Counter(number.paper for number in numbers)
    presets = sorted({preset for row in counts.values() for preset in row} - {_OTHER})
    pieces: dict[str, list[list[Any]]] = {preset: [] for preset in (*presets, _OTHER)}
    for place, (paper, row) in enumerate(counts.items()):
        start = 0
        for preset, boxes in pieces.items():
            if n := row[preset]:
                tip = f"{paper}: {plural(n, 'number')} by {preset}"
                boxes.append([start, start + n, place - 0.32, place + 0.32, tip])
                start += n
    held = sum(row.total() - row[_OTHER] for row in counts.values())
    marks = [
        Boxes(boxes, name=preset, color="faint" if preset == _OTHER else color)
        for (preset, boxes), color in zip(pieces.items(), cycle(("c1", "c2", "c3", "c4", "c5")))
        if boxes
    ]
    return Chart(
        "Published numbers that are reproduced, by protocol",
        f"{held} of {len(found)} published numbers of this lake are reproduced to their last digit; "
        f"it lacks the answers or scenarios of {plural(printed.total() - len(found), 'other number')}.",
        Linear("numbers", 0, max(row.total() for row in counts.values()), whole=True),
        Band([f"{paper} ({row.total()} of {printed[paper]})"
              for paper, row in counts.items()]),
        marks,
        row_height=34,
    )  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A claim of a paper and the result of the lake; ``holds`` is None if that is undecided."""

    text: str
    printed: str
    here: str
    holds: bool | None


@dataclass(frozen=True)
class Figure:
    """A chart with its caption."""

    name: str
    caption: str
    chart: Chart


@dataclass(frozen=True)
class Paper:
    """Tables, figures and claims; remarks on why numbers differ from the printed ones."""

    name: str
    title: str
    tables: tuple[PaperTable, ...]
    figures: tuple[Figure, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[str, ...]
    provenance: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """A column of a table of numbers: group, heading, and decimals."""

    group: str
    heading: str
    decimals: int = 0


def number_table(
    heads: Sequence[Head],
    rows: Sequence[Sequence[Any]],
    *,
    name: str,
    caption: str,
    bold: Sequence[tuple[int, int]] = (),
    notes: Sequence[str] = (),
    provenance: Sequence[str] = (),
    n_summaries: int = 0,
) -> PaperTable:
    """A table of given rows, each as long as ``heads``; null is a dash.

    bold: (row, column) of bold cells. n_summaries: number of last rows with totals.
    """
    numbers = [any(is_number(row[at]) for row in rows) for at in range(len(heads))]
    columns = tuple(
        PaperColumn(head.heading, head.heading, head.group, is_number=number)
        for head, number in zip(heads, numbers, strict=True)
    )
    strong = set(bold)
    cells = tuple(
        tuple(
            Cell(fixed(value, head.decimals), value, (r, c) in strong)
            for c, (head, value) in enumerate(zip(heads, row, strict=True))
        )
        for r, row in enumerate(rows)
    )
    return PaperTable(columns, cells, name, caption, tuple(notes), tuple(provenance), n_summaries)


def best_in_columns(rows: Sequence[Sequence[Any]], columns: Sequence[int]) -> list[tuple[int, int]]:
    """(row, column) of the largest number of each column, unless all its numbers are equal."""
    best_cells = []
    for c in columns:
        values = {r: comparable(row[c]) for r, row in enumerate(rows) if is_number(row[c])}
        if len(set(values.values())) > 1:
            best = max(values.values())
            best_cells += [(r, c) for r, value in values.items() if value == best]
    return best_cells


def claims_table(claims: Sequence[Claim], provenance: Sequence[str] = ()) -> PaperTable:
    """The claims as a table of text."""
    words = {True: "yes", False: "no", None: "cannot say"}
    rows = [(c.text, words[c.holds], c.printed, c.here) for c in claims]
    heads = [Head("", h) for h in ("claim", "holds", "printed", "here")]
    return number_table(
        heads,
        rows,
        name="claims",
        caption="Claims of the paper, and the results of the lake.",
        provenance=provenance,
    )


FIGURES = ("svg", "pdf")


def write_paper(paper: Paper, to: Path) -> list[Path]:
    """Write every table in every format, every figure as SVG and PDF, and README.md: all files or none."""
    files = {"README.md": to_markdown(paper).encode()}
    for table in paper.tables:
        for suffix in PAPER:
            files[f"{table.name}.{suffix}"] = render(table, format=suffix).encode()
    for figure in paper.figures:
        for suffix in FIGURES:
            files[f"{figure.name}.{suffix}"] = as_bytes(
                figure.chart.spec(),
                suffix=f".{suffix}",
                width=TITLED,
                titled=True,
                comment=paper.provenance,
            )
    return replace_files(to, files)


def to_markdown(paper: Paper) -> str:
    """The paper as one text, with links to the charts."""
    words = "".join(f"<!-- {comment(line)} -->\n" for line in paper.provenance)
    parts = [f"{words}\n# {escape(paper.title)}\n"]
    for table in (*paper.tables, claims_table(paper.claims)):
        bare = render(table, format="md", bare=True)
        notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
        parts.append(f"## {escape(table.caption)}\n\n{bare}{notes}")
    parts += [f"## {escape(figure.caption)}\n\n![]({figure.name}.svg)\n" for figure in paper.figures]
    remarks = "".join(f"- {escape(remark)}\n" for remark in paper.remarks)
    parts.append(f"## Remarks\n\n{remarks}")
    return "\n".join(parts)
