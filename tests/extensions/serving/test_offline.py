"""The page for SQL that needs no server, and the package that it is made of."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import tarfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.serving import sql_page as exports
from aslib_eval.extensions.serving.sql_page import (
    EXAMPLES,
    FROM_REPORT,
    NAME,
    Engine,
    LakeFile,
    WasmPackage,
    lake_file,
    offline,
    page_with_box,
    read_package,
)
from tests.browser import Browser
from tests.cli.test_calls import called
from tests.extensions.serving.box import READY, TABLE, shown

FILES = {
    "package.json": json.dumps({"name": exports.PACKAGE, "version": "7"}).encode(),
    "dist/duckdb-eh.wasm": b"wasm",
    "dist/duckdb-browser-eh.worker.js": b"worker",
}


def packed(to: Path, files: dict[str, bytes]) -> Path:
    """An archive as ``npm pack`` writes it."""
    with tarfile.open(to, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return to


def test_a_package_is_read_from_its_archive_or_folder(tmp_path: Path) -> None:
    for name, content in FILES.items():
        file = tmp_path / "folder" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for path in (packed(tmp_path / "a.tgz", FILES), tmp_path / "folder"):
        found = read_package(path)
        assert (found.version, found.wasm, found.worker) == ("7", b"wasm", b"worker")


@pytest.mark.parametrize("left_out", FILES)
def test_what_is_no_package_is_told_what_to_type(tmp_path: Path, left_out: str) -> None:
    rest = {name: content for name, content in FILES.items() if name != left_out}
    os.mkfifo(tmp_path / "pipe")
    others = (tmp_path, tmp_path / "nothing", tmp_path / "pipe")
    for path in (packed(tmp_path / "a.tgz", rest), *others):
        with pytest.raises(AslibError) as error:
            read_package(path)
        assert str(error.value) == (
            f"{path}: is no package @duckdb/duckdb-wasm. Get it by 'npm pack "
            "@duckdb/duckdb-wasm@1.32.0', and name the file that it writes."
        )


def test_another_package_is_named(tmp_path: Path) -> None:
    other = FILES | {"package.json": b'{"name": "left-pad", "version": "1"}'}
    with pytest.raises(AslibError, match="is the package left-pad, not @duckdb/"):
        read_package(packed(tmp_path / "a.tgz", other))
    with pytest.raises(AslibError, match="is no package @duckdb/duckdb-wasm"):
        ae.report(tmp_path, sql_page=tmp_path)  # before there has to be a lake


@pytest.fixture(scope="module")
def found(toy: Path) -> LakeFile:
    """The file of a lake, with so many rows as that has runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exports, "MOST_ROWS", 96)  # for it alone, not for the module
        return lake_file(open_lake(toy))


@pytest.mark.slow
def test_the_file_of_a_lake_has_its_relations(toy: Path, found: LakeFile, tmp_path: Path) -> None:
    file = tmp_path / "lake.duckdb"
    file.write_bytes(found.content)
    with duckdb.connect(file, read_only=True) as con:
        tables = {name for (name,) in con.sql("show tables").fetchall()}
        gaps = con.sql("from solver_gap order by all").fetchall()
    assert tables == set(found.held)
    assert "raw_run" in tables
    assert "instance_solver" in found.left_out
    assert gaps == ae.query("from solver_gap order by all", lake=toy).rows()


def test_the_same_lake_gives_the_same_bytes(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = {"rule", "solver"}
    monkeypatch.setattr(exports, "_FINER", {*exports._FINER, *slow})  # noqa: SLF001
    first = lake_file(open_lake(toy))
    assert lake_file(open_lake(toy)) == first
    assert {"raw_run", "fold_gap", "scenario_summary"} <= {*first.held}


@pytest.fixture(scope="session")
def package() -> Path:
    """DuckDB-Wasm, which continuous integration gets and whoever wants to try it."""
    given = os.environ.get("ASLIB_DUCKDB_WASM", "")
    if not Path(given).is_file():
        pytest.skip(f"needs $ASLIB_DUCKDB_WASM. {exports.HINT}")
    return Path(given)


@pytest.mark.slow
@pytest.mark.usefixtures("two_definitions")
def test_the_page_answers_as_query_does_and_requests_nothing(
    toy: Path, package: Path, browser: Browser, tmp_path: Path
) -> None:
    """It is a file, opened as such: no server, no network."""
    written = ae.report(toy, sql_page=package, output=tmp_path / "pages", jobs=1)
    assert [path.name for path in written[-2:]] == ["sql.html", "index.html"]
    for sql in EXAMPLES.values():
        address = f"{written[-2].as_uri()}#sql={quote(sql)}"
        page = browser.open(address, folded=True, ready=READY)
        expected = ae.query(sql, lake=toy)
        head, *rows = json.loads(page.js(TABLE))
        assert head == expected.columns
        assert rows == [[shown(value) for value in row] for row in expected.rows()]
        assert [url for url in page.requests if not url.startswith("blob:")] == []
    page.enter("#sql", "select slver from solver_score")
    page.click("#run")
    page.until(READY)
    assert page.js("document.querySelector('#answer').textContent").startswith(
        'query: Binder Error: Referenced column "slver" not found in FROM clause!'
    )
    assert [url for url in page.requests if not url.startswith("blob:")] == []


def test_the_page_is_made_of_the_lake_that_is_reported(
    toy: Path, found: LakeFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def pages(lake: object, *, to: Path, **how: object) -> list[Path]:
        asked.update(lake=lake, **how)
        return [to / "scenario" / "p.html", to / "index.html"]

    def held(lake: OpenLake) -> LakeFile:
        asked["held"] = lake.scenarios, [p.protocol for p in lake.protocols]
        return found

    monkeypatch.setattr(exports, "write_report", pages)
    monkeypatch.setattr(exports, "lake_file", held)
    chosen: Any = {"scenarios": ["TOY*"], "protocol": "asf", "sql_dirs": (), "jobs": 3}
    chosen |= {"force": True, "full": True, "link": "{instance}"}
    to = tmp_path / "out"
    to.mkdir()
    written = ae.report(toy, sql_page=packed(tmp_path / "p.tgz", FILES), output=to, **chosen)
    assert asked.pop("held") == (["TOY-2026"], ["asf"])
    rest = {"lake": toy, "progress": False, "executor": None, "memory": None, "beside": [FROM_REPORT]}
    assert asked == chosen | rest
    assert written == [to / "scenario" / "p.html", to / NAME, to / "index.html"]
    assert 'id="lake-file"' in (to / NAME).read_text()


def test_which_package_the_page_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "report --lake L --sql-page package.tgz"
    function = "aslib_eval.extensions.serving.sql_page:read_package"
    assert called(line, function, monkeypatch) == ((Path("package.tgz"),), {})


# --- the page with the box, as markup ---------------------------------------------------


SERVED = Engine("served", "About it.", "; connect-src 'self'", {"solver_gap", "par"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_with_box(SERVED, folder=tmp_path_factory.mktemp("report")).decode()


def test_what_stands_in_the_page(served: str) -> None:
    for markup in (
        "<p>About it.</p>",
        '<button type="button" data-sql="select scenario_id, solver, closed_gap, n_instances\nfrom ',
        '<textarea id="sql"',
        '<div id="answer" aria-live="polite"></div>',
        '<h2 id="relations-title">1 relation</h2>',
        '<details class="relation"><summary><code>solver_gap</code> <span>One row per protocol, scenario, ',
        '<table><tbody><tr><th scope="row">protocol</th>',
        '<button type="button" data-sql="from solver_gap\nlimit 100">its first rows</button>',
        '<a href="index.html" class="beside">Report</a>',
    ):
        assert markup in served
    assert served.count("data-sql=") == served.count("its first rows") + len(EXAMPLES)
    assert "script-src 'sha256-" in served.replace("&#x27;", "'")
    assert "; connect-src 'self'\"" in served.replace("&#x27;", "'")


def test_a_macro_stands_without_columns(tmp_path: Path) -> None:
    all_of_them = Engine("served", "", "")
    whole = page_with_box(all_of_them, folder=tmp_path).decode()
    assert '<p class="relation"><code>par(' in whole
    assert '<details class="relation"><summary><code>par(' not in whole


def test_a_page_without_a_server_holds_its_program_and_its_data() -> None:
    lake = LakeFile(b"rows", held=("solver_gap",), left_out=("stg_run", "run_par"))
    found = offline(WasmPackage("7", b"wasm", b"worker"), lake)
    assert found.about == (
        "One SELECT on a copy of the lake that this page holds, by DuckDB-Wasm 7: "
        "without a server or a network. Ctrl-Enter runs it. Too large for a page, so "
        "left to aslib-eval query: stg_run, run_par."
    )
    assert (found.script, found.policy, found.there) == (
        *("offline", " 'wasm-unsafe-eval'; worker-src blob:"),
        ("solver_gap",),
    )
    kept = {"duckdb-wasm": b"wasm", "duckdb-worker": b"worker", "lake-file": b"rows"}
    for part, (name, content) in zip(found.data, kept.items(), strict=True):
        head, _, rest = part.partition(">")
        assert head == f'<script type="text/plain" id="{name}"'
        packed = base64.b64decode(rest.removesuffix("</script>"))
        assert gzip.decompress(packed) == content
        assert packed[4:8] == bytes(4)  # no clock: the same page each time
