"""The page with the box, as markup: what stands in it, and what holds its scripts."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import pytest

from aslib_eval.extensions.serving.sql_page import Engine, LakeFile, WasmPackage, offline, page_with_box

SERVED = Engine("served", "About it.", "; connect-src 'self'", {"solver_gap", "par"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_with_box(SERVED, folder=tmp_path_factory.mktemp("report")).decode()


@pytest.mark.parametrize(
    "markup",
    [
        "<p>About it.</p>",
        (
            '<div class="examples"><button type="button" data-sql="select scenario_id, '
            "solver, closed_gap, n_instances\nfrom solver_gap\n"
        ),
        (
            '<textarea id="sql" rows="6" spellcheck="false" autocomplete="off" '
            'autocapitalize="off" aria-label="A SELECT" placeholder="select solver, '
            'par10 from solver_score order by par10"></textarea>'
        ),
        (
            '<div class="run"><button type="button" id="run" title="Ctrl-Enter">Run'
            '</button><span id="asked" class="population" role="status"></span></div>'
        ),
        '<div id="answer" aria-live="polite"></div>',
        '<section id="relations" tabindex="-1" aria-labelledby="relations-title"',
        '<section id="ask" tabindex="-1" aria-labelledby="ask-title" data-follows="nev',
        '<h2 id="relations-title">1 relation</h2>',
        (
            '<input type="search" id="sift" placeholder="filter: words of names, '
            'columns and meanings" aria-label="Filter the relations"><h3>solver</h3>'
        ),
        (
            '<details class="relation"><summary><code>solver_gap</code> <span>One row '
            "per protocol, scenario, measure and solver.</span></summary><table><tbody>"
            '<tr><th scope="row">protocol</th>'
        ),
        (
            '<button type="button" data-sql="from solver_gap\nlimit 100">its first rows'
            "</button></details></section></main>"
        ),
        '<a href="index.html" class="beside">Report</a>',
    ],
)
def test_what_stands_in_the_page(served: str, markup: str) -> None:
    assert markup in served


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
