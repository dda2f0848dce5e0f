"""The page with the box: a SELECT, its answer, examples, and the relations at hand."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from aslib_eval.database.catalogue import columns, relations
from aslib_eval.extensions.serving.exports import LakeFile, WasmPackage
from aslib_eval.reports.html import Html, Own, Place, Section, join, page, paragraph, tag, with_places
from aslib_eval.reports.made_of import Record
from aslib_eval.reports.write import PAGES
from aslib_eval.text import list_names, plural

NAME = "sql.html"
# What the pages of the report, and this one, link to.
FROM_REPORT, TO_REPORT = Place("SQL", NAME), Place("Report", "index.html")
_ASSETS = Path(__file__).parent / "assets"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _examples() -> dict[str, str]:
    """What each SELECT of the file asks, and its text: all run on any lake."""
    parts = (part.partition("\n") for part in _asset("examples.sql").split("\n\n"))
    return {title.removeprefix("-- "): sql.strip() for title, _, sql in parts}


EXAMPLES = _examples()


@dataclass(frozen=True)
class Engine:
    """What answers the box: the script that asks it, and what the page says of it.

    about: a sentence on it. there: the relations that it has; None for all, with the macros. data: what the
    page holds for it. policy: what the page allows it.
    """

    script: Literal["served", "offline"]
    about: str
    policy: str
    there: Collection[str] | None = None
    data: Sequence[Html] = ()


def offline(package: WasmPackage, lake: LakeFile) -> Engine:
    """DuckDB-Wasm with a copy of the lake, both in the page: it requests nothing.

    A page that is a file may not request the files beside it, so it holds them.
    """
    about = (
        "One SELECT on a copy of the lake that this page holds, by DuckDB-Wasm "
        f"{package.version}: without a server or a network. Ctrl-Enter runs it."
    )
    if lake.left_out:
        names = list_names(lake.left_out, quoted=False)
        about += f" Too large for a page, so left to aslib-eval query: {names}."
    parts = {"duckdb-wasm": package.wasm, "duckdb-worker": package.worker, "lake-file": lake.content}
    data = [
        tag(
            "script",
            Html(base64.b64encode(gzip.compress(content, mtime=0)).decode()),
            attrs={"type": "text/plain", "id": name},
        )
        for name, content in parts.items()
    ]
    policy = " 'wasm-unsafe-eval'; worker-src blob:"
    return Engine("offline", about, policy, lake.held, data)


def sql_page(engine: Engine, *, folder: Path, sql_dirs: Sequence[Path] = ()) -> bytes:
    """The page as it lies in the folder of a report, to whose pages it links."""
    body = [
        paragraph(engine.about),
        tag("div", *map(_example, EXAMPLES.items()), attrs={"class": "examples"}),
        _box(),
        tag("div", attrs={"id": "answer", "aria-live": "polite"}),
        *engine.data,
    ]
    sections = [Section("ask", "SQL", "", join(body), follows="never"), _relations(sql_dirs, engine.there)]
    scripts = (_asset(f"{name}.js") for name in (engine.script, "box"))
    own = Own("".join(scripts), _asset("box.css"), engine.policy)
    whole = page(title="SQL", sections=sections, own=own).encode()
    return with_places(whole, _places(folder), None, [TO_REPORT])


def _places(folder: Path) -> list[Place]:
    """The pages of the report in a folder."""
    return [
        Place(each.title(name), f"{PAGES}/{quote(each.file)}")
        for name, made in sorted(Record.read(folder).scenarios.items())
        for each in made.pages
    ]


def _example(example: tuple[str, str]) -> Html:
    title, sql = example
    attrs = {"type": "button", "data-sql": sql}
    return tag("button", title, attrs=attrs)


def _box() -> Html:
    text = tag(
        "textarea",
        attrs={
            "id": "sql",
            "rows": 6,
            "spellcheck": "false",
            "autocomplete": "off",
            "autocapitalize": "off",
            "aria-label": "A SELECT",
            "placeholder": "select solver, par10 from solver_score order by par10",
        },
    )
    run = {"type": "button", "id": "run", "title": "Ctrl-Enter"}
    says = {"id": "asked", "class": "population", "role": "status"}
    buttons = tag("button", "Run", attrs=run), tag("span", attrs=says)
    return join([text, tag("div", *buttons, attrs={"class": "run"})])


def _relations(sql_dirs: Sequence[Path], there: Collection[str] | None) -> Section:
    known = relations(sql_dirs).rows(named=True)
    shown = [row for row in known if there is None or (row["kind"] != "macro" and row["relation"] in there)]
    parts: list[Html] = []
    for subject in dict.fromkeys(row["subject"] for row in shown):
        parts.append(tag("h3", subject))
        parts += (_relation(row, sql_dirs) for row in shown if row["subject"] == subject)
    search = {
        "type": "search",
        "id": "sift",
        "placeholder": "filter: words of names, columns and meanings",
        "aria-label": "Filter the relations",
    }
    body = join([tag("input", attrs=search), *parts])
    title = plural(len(shown), "relation")
    return Section("relations", title, "", body, follows="never")


def _relation(row: dict[str, str], sql_dirs: Sequence[Path]) -> Html:
    name = row["relation"]
    head = join([tag("code", name), " ", tag("span", row["about"])])
    if row["kind"] == "macro":
        return tag("p", head, attrs={"class": "relation"})
    rows = (
        tag("tr", tag("th", column, attrs={"scope": "row"}), tag("td", meaning))
        for column, meaning in columns(name, sql_dirs).rows()
    )
    sql = f"from {name}\nlimit 100"
    ask = tag("button", "its first rows", attrs={"type": "button", "data-sql": sql})
    body = tag("summary", head), tag("table", tag("tbody", *rows)), ask
    return tag("details", *body, attrs={"class": "relation"})
