"""``report --sql-page``: a page with a box for SQL, which holds DuckDB-Wasm and the lake as a DuckDB file.

DuckDB-Wasm reads Parquet by an extension that it loads from another host, and which its npm package has
not. So the relations are in a DuckDB file, which it reads by itself.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
import tarfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal
from urllib.parse import quote

import duckdb

from aslib_eval.atomic_files import replace_files
from aslib_eval.commands import AnyProtocol, opened
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.query import columns, relations
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.database.views import reason
from aslib_eval.errors import AslibError
from aslib_eval.options import Cluster, Jobs, Lake, Option, Scenarios, SqlDirs
from aslib_eval.paths import as_paths, open_plain, read_plain
from aslib_eval.reports.html import Html, Own, Place, Section, join, page, paragraph, tag, with_places
from aslib_eval.reports.write import PAGES, Record, write_report
from aslib_eval.text import list_names, plural

PACKAGE = "@duckdb/duckdb-wasm"
TRIED = "1.32.0"
HINT = f"Get it by 'npm pack {PACKAGE}@{TRIED}', and name the file that it writes."
MOST_ROWS = 200_000  # of a relation; what has more would make the page slow to open
# In the package: WebAssembly with its exceptions, and the worker that runs it.
_WASM = "dist/duckdb-eh.wasm"
_WORKER = "dist/duckdb-browser-eh.worker.js"
_ABOUT = "package.json"
_LARGEST = 2**27  # bytes of a file of the package
# Subjects of what the others are made of, a row a run, and of random splits.
_FINER = ("staging", "split")
# A format that DuckDB 1.0 and later read; small blocks, as most relations are small.
_FORMAT = "storage_version 'v1.0.0', block_size 16384"
# So it writes the same bytes each time; other compressions of text leave memory in it.
_SAME = ("threads = 1", "force_compression = 'dictionary'")


@dataclass(frozen=True)
class WasmPackage:
    """What a page needs of the package: version, WebAssembly and worker."""

    version: str
    wasm: bytes
    worker: bytes


def read_package(path: Path) -> WasmPackage:
    """Read the npm package of DuckDB-Wasm: a folder, or the file of ``npm pack``."""
    try:
        if path.is_dir():
            found = {name: read_plain(path / name) for name in (_ABOUT, _WASM, _WORKER)}
        else:
            found = _of_archive(path)
        about = json.loads(found[_ABOUT])
        name, wasm, worker = about["name"], found[_WASM], found[_WORKER]
        version = str(about["version"])
    except (OSError, tarfile.TarError, EOFError, ValueError, KeyError, TypeError):
        raise AslibError(f"is no package {PACKAGE}", str(path), HINT) from None
    if name != PACKAGE:
        raise AslibError(f"is the package {name}, not {PACKAGE}", str(path), HINT)
    return WasmPackage(version, wasm, worker)


def _of_archive(path: Path) -> dict[str, bytes]:
    """The files by name; nothing is unpacked."""
    found = {}
    with open_plain(path) as file, tarfile.open(fileobj=file, mode="r:gz") as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            held = archive.extractfile(member) if member.isfile() else None
            if name in {_ABOUT, _WASM, _WORKER} and held and member.size <= _LARGEST:
                found[name] = held.read()
    return found


@dataclass(frozen=True)
class LakeFile:
    """A lake as a DuckDB file: its bytes, its relations, those of too many rows."""

    content: bytes
    held: Sequence[str]
    left_out: Sequence[str]


def lake_file(lake: OpenLake) -> LakeFile:
    """Every relation of a lake as a table of a DuckDB file, but for the largest."""
    known = relations(lake.sql_dirs).rows(named=True)
    names = [row["relation"] for row in known if row["kind"] != "macro" and row["subject"] not in _FINER]
    made = lake.connect()
    lake.prepare(lake.lineage.names, on=made)
    for setting in _SAME:
        made.con.execute(f"set {setting}")
    held: list[str] = []
    left_out: list[str] = []
    with TemporaryDirectory(prefix="aslib-eval-") as folder:
        file = Path(folder) / "lake.duckdb"
        try:
            made.con.execute(f"attach {quoted(str(file))} as box ({_FORMAT})")
            for name in names:
                rows = f"from {name} limit {MOST_ROWS + 1}"
                made.con.execute(f"create temp table seen as {rows}")
                ((n,),) = made.con.execute("from seen select count(*)").fetchall()
                if n <= MOST_ROWS:
                    made.con.execute(f"create table box.{name} as from seen order by all")
                (held if n <= MOST_ROWS else left_out).append(name)
                made.con.execute("drop table seen")
            made.con.execute("detach box")
        except duckdb.Error as error:
            raise AslibError(reason(error), "the DuckDB file of the page") from None
        return LakeFile(file.read_bytes(), held, left_out)


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


def page_with_box(engine: Engine, *, folder: Path, sql_dirs: Sequence[Path] = ()) -> bytes:
    """The page as it lies in the folder of a report, to whose pages it links."""
    body = [
        paragraph(engine.about),
        tag(
            "div",
            *(
                tag("button", title, attrs={"type": "button", "data-sql": sql})
                for title, sql in EXAMPLES.items()
            ),
            attrs={"class": "examples"},
        ),
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
    return Section("relations", plural(len(shown), "relation"), "", body, follows="never")


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


def report_with_sql_page(
    lake: Lake = "lake",
    *,
    sql_page: Annotated[
        str | Path | None,
        Option(
            "Add a page that runs SQL queries in the browser, without a server. PACKAGE is the file that "
            "'npm pack @duckdb/duckdb-wasm' writes, or its unpacked folder.",
            metavar="PACKAGE",
        ),
    ] = None,
    scenarios: Scenarios = (),
    protocol: AnyProtocol = "default",
    sql_dirs: SqlDirs = (),
    output: str | Path = "report",
    jobs: Jobs = None,
    cluster: Cluster = None,
    **choices: Any,
) -> list[Path]:
    """The pages of ``report``, and one that holds DuckDB-Wasm and the lake."""
    from aslib_eval.executors import workers

    package = read_package(Path(sql_page or ""))  # what is none is said first
    folder, folders = Path(output), tuple(as_paths(sql_dirs))
    with workers(jobs=jobs, cluster=cluster) as they:
        *pages, index = write_report(
            lake,
            to=folder,
            protocol=protocol,
            scenarios=scenarios,
            sql_dirs=folders,
            progress=sys.stderr.isatty(),
            jobs=they.jobs,
            executor=they.executor,
            memory=they.memory,
            **choices,
            beside=[FROM_REPORT],
        )
    held = lake_file(opened(lake, scenarios, [protocol], sql_dirs))
    own = page_with_box(offline(package, held), folder=folder, sql_dirs=folders)
    return [*pages, *replace_files(folder, {NAME: own}), index]
