"""Paper tables: the same three rows in every format, and what a header can ask for."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import load
from aslib_eval.database.sqlfiles import SqlFile, find_tables, reads
from aslib_eval.errors import AslibError
from aslib_eval.tables import to_markdown, to_terminal
from aslib_eval.tables.formats import PAPER, render
from aslib_eval.tables.paper_table import paper_table, scored
from aslib_eval.tables.table import Cell, PaperColumn, PaperTable
from aslib_eval.tables.to_latex import command, escape, macros
from aslib_eval.tables.to_terminal import table_to_terminal
from aslib_eval.text import NONE, shown
from tests import pages
from tests.conftest import write_scenario
from tests.database.test_sql_contract import TWO, keeps_its_promises_as_table
from tests.lab import as_tables

HOSTILE = ('<script>"1"</script>', "50% & _x_ ../../etc", "a|b\\{}~^#$'`--[1]")
THREE = """\
-- One row per solver.
-- key: solver
-- caption: Gaps & "more" <b>
-- headings: solver name; closed_gap closed gap
-- digits: closed_gap 2
-- bold: closed_gap max
-- rank: closed_gap
-- foot: mean
-- solver: name
-- closed_gap: 1 = VBS
-- n: instances
select * from (values
    ('<script>"1"</script>', 0.505, 3),
    ('50% & _x_ ../../etc', -0.25, 4),
    ('a|b\\{}~^#$''`--[1]', null, 5)
) as t (solver, closed_gap, n)
"""


def own(folder: Path, name: str, text: str) -> SqlFile:
    (folder / "table").mkdir(exist_ok=True, parents=True)
    (folder / "table" / f"{name}.sql").write_text(text)
    return find_tables([folder])[name]


@pytest.fixture(scope="module")
def con(toy: Path) -> duckdb.DuckDBPyConnection:
    con = ae.connect(toy)
    ae.store(con)
    return con


@pytest.fixture
def three(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> PaperTable:
    return paper_table(con, own(tmp_path, "three", THREE))


def test_what_a_table_reads_is_built_before_its_plan_is_asked_for(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The plan of icon2015 over views that are not built takes DuckDB 40 s.
    called = []
    module = "aslib_eval.tables.paper_table"
    for name in ("prepare", "require_reading"):
        step = partial(lambda said, *_, **__: called.append(said), name)
        monkeypatch.setattr(f"{module}.{name}", step)
    paper_table(con, find_tables()["closed_gap"])
    assert called == ["prepare", "require_reading"]


# --- golden -------------------------------------------------------------------------

HOW = (
    "PAR10, over all instances at once, SBS of all instances, default feature steps"
    " charged, instances that nobody solves counted"
)
NOTE = f"Protocol default@09b8597f48a4 ({HOW})."
NEEDS = "% needs \\usepackage{booktabs}\n"
OF = "Relative to the solvers present: closed gap."


def test_markdown(three: PaperTable) -> None:
    assert render(three, format="md") == (
        '**Gaps & "more" \\<b>**\n\n'
        "| name | closed gap | n |\n"
        "| --- | --: | --: |\n"
        '| \\<script>"1"\\</script> | **0.51 (1)** | 3 |\n'
        "| 50% & \\_x\\_ ../../etc | -0.25 (2) | 4 |\n"
        "| a\\|b\\\\{}~^#$'\\`--[1] | \N{EN DASH} | 5 |\n"
        "| mean (n = 2) | 0.13 |  |\n"
        f"\n{NOTE}\n\n{OF}\n"
    )


def test_csv(three: PaperTable) -> None:
    assert render(three, format="csv") == (
        "solver,solver n,closed_gap,n\n"
        '"<script>""1""</script>",,0.505,3\n'
        "50% & _x_ ../../etc,,-0.25,4\n"
        "a|b\\{}~^#$'`--[1],,,5\n"
        "mean,2,0.1275,\n"
    )


def test_latex(three: PaperTable) -> None:
    assert render(three, format="tex") == (
        f"{NEEDS}"
        "\\begin{table}\n\\centering\n"
        "\\caption{Gaps \\& {\\ttfamily\\char34}more{\\ttfamily\\char34} "
        "\\textless{}b\\textgreater{}}\n"
        "\\label{tab:three}\n\\medskip\n"
        "\\begin{tabular}{lrr}\n\\toprule\n"
        "name & closed gap & n \\\\\n\\midrule\n"
        "\\textless{}script\\textgreater{}{\\ttfamily\\char34}1{\\ttfamily\\char34}"
        "\\textless{}/script\\textgreater{} & \\textbf{0.51 (1)} & 3 \\\\\n"
        "50\\% \\& \\_x\\_ ../../etc & $-$0.25 (2) & 4 \\\\\n"
        "a\\textbar{}b\\textbackslash{}\\{\\}\\textasciitilde{}\\textasciicircum{}\\#\\$"
        "\\textquotesingle{}\\textasciigrave{}-{}-[1] & -- & 5 \\\\\n"
        "\\midrule\n"
        "mean (n = 2) & 0.13 &  \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
        f"\n\\par\\smallskip\n{{\\footnotesize {NOTE} {OF}\\par}}\n"
        "\\end{table}\n"
    )


def test_html(three: PaperTable) -> None:
    text = render(three, format="html")
    assert render(three, format="html", bare=True) in text
    assert render(three, format="html", bare=True) == (
        "<table>\n<caption>Gaps &amp; &quot;more&quot; &lt;b&gt;</caption>\n"
        '<thead>\n<tr><th scope="col">name</th>'
        '<th scope="col" class="number">closed gap</th>'
        '<th scope="col" class="number">n</th></tr>\n</thead>\n'
        "<tbody>\n"
        "<tr><td>&lt;script&gt;&quot;1&quot;&lt;/script&gt;</td>"
        '<td class="number"><b>0.51 (1)</b></td><td class="number">3</td></tr>\n'
        "<tr><td>50% &amp; _x_ ../../etc</td>"
        '<td class="number">\N{MINUS SIGN}0.25 (2)</td><td class="number">4</td></tr>\n'
        "<tr><td>a|b\\{}~^#$&#x27;`--[1]</td>"
        '<td class="number">\N{EN DASH}</td><td class="number">5</td></tr>\n'
        "</tbody>\n<tfoot>\n"
        '<tr><td>mean (n = 2)</td><td class="number">0.13</td>'
        '<td class="number"></td></tr>\n'
        "</tfoot>\n</table>\n"
    )


def test_typst(three: PaperTable) -> None:
    assert render(three, format="typ") == (
        "#figure(\n  table(\n"
        "    columns: 3,\n"
        "    align: (left, right, right, ),\n"
        "    stroke: none,\n"
        "    table.hline(),\n"
        '    table.header("name", "closed gap", "n"),\n'
        "    table.hline(stroke: 0.5pt),\n"
        '    "<script>\\"1\\"</script>", strong("0.51 (1)"), "3",\n'
        '    "50% & _x_ ../../etc", "\N{MINUS SIGN}0.25 (2)", "4",\n'
        '    "a|b\\\\{}~^#$\'`--[1]", "\N{EN DASH}", "5",\n'
        "    table.hline(stroke: 0.5pt),\n"
        '    "mean (n = 2)", "0.13", "",\n'
        "    table.hline(),\n"
        "  ),\n"
        '  caption: "Gaps & \\"more\\" <b>",\n'
        ") <tab:three>\n\n"
        f'#text(size: 0.85em, "{NOTE}")\n\n#text(size: 0.85em, "{OF}")\n'
    )


# --- inert --------------------------------------------------------------------------

NASTY = (
    *HOSTILE,
    *("a](http://x)![", "--><b>", "*/x", "\\input{x}", "é ß δ → 漢 🎲", "x\ny"),
)


def table_of(names: tuple[str, ...]) -> PaperTable:
    rows = tuple((Cell(name, name), Cell("1", 1)) for name in names)
    columns = (
        PaperColumn("solver", names[0], "g"),
        PaperColumn("n", "n", "g", is_number=True),
    )
    return PaperTable(columns, rows, "t", names[0], notes=names, provenance=names)


def test_html_holds_no_element_of_a_name() -> None:
    found: list[str] = []
    comments: list[str] = []
    words: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
            found.append(tag)

        def handle_comment(self, data: str) -> None:
            comments.append(data)

        def handle_data(self, data: str) -> None:
            words.append(data)

    Reader().feed(render(table_of(NASTY), format="html"))
    assert set(found) <= {
        *("html", "meta", "title", "style", "table", "caption", "thead", "tbody"),
        *("tr", "th", "td", "p"),
    }
    assert len(comments) == len(NASTY)
    assert {HOSTILE[0], "--><b>"} <= set(words)


def test_markdown_has_no_link_and_no_element() -> None:
    lines = render(table_of(NASTY), format="md").splitlines()
    shown = "\n".join(line for line in lines if not line.startswith("<!--"))
    assert re.search(r"(?<!\\)<|(?<!\\)\]\(", shown) is None
    comments = [line for line in lines if line.startswith("<!--")]
    assert [line.count("-->") for line in comments] == [1] * len(NASTY)
    assert all(line.endswith(" -->") for line in comments)
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line[:1] == "|"}
    assert bars == {3}


def test_csv_gives_names_back() -> None:
    text = render(table_of(NASTY), format="csv")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [row[0] for row in rows[1:]] == [
        "'--><b>" if name == "--><b>" else name for name in NASTY
    ]


def test_csv_is_no_formula() -> None:
    rows = tuple((Cell(t, t), Cell("-1.5", -1.5)) for t in ("=HYPERLINK(1)", "=", "-a"))
    columns = (PaperColumn("+solver", "solver"), PaperColumn("n", "n", is_number=True))
    text = render(PaperTable(columns, rows), format="csv")
    assert text == "'+solver,n\n'=HYPERLINK(1),-1.5\n=,-1.5\n'-a,-1.5\n"


def test_the_command_gives_no_formula(tmp_path: Path) -> None:
    lake = pages.hostile(tmp_path)
    for words in (("score",), ("table", "algorithms")):
        text = run(*words, "--lake", lake, "--format", "csv")
        names = {cell for row in csv.reader(io.StringIO(text)) for cell in row}
        assert set(pages.HOSTILE) - names == {"=HYPERLINK(1)"}
        assert "'=HYPERLINK(1)" in names


def test_comments_are_of_one_line() -> None:
    for suffix, mark, n in (("tex", "% ", 2), ("typ", "// ", 1)):
        lines = render(table_of(("x\ny\r#\u2028z",)), format=suffix).splitlines()
        assert [line[: len(mark)] for line in lines].count(mark) == n
        assert "z" not in {line[:1] for line in lines}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("é", "é"),
        ("漢", "U+6F22"),
        ("\u0301", "U+0301"),
        ("δ ≤ τ", "$\\delta$ $\\leq$ $\\tau$"),
    ],
)
def test_latex_of_letters(text: str, shown: str) -> None:
    assert escape(text) == shown


def wide(columns: int, *, name: str = "solver", group: str = "") -> PaperTable:
    """A column of one word, and others with a number and its rank."""
    numbers = [
        PaperColumn(f"s{i}", f"s{i}", group, is_number=True) for i in range(columns)
    ]
    cells = tuple(Cell("0.520", 0.52, is_bold=i == 0, rank=1) for i in range(columns))
    return PaperTable(
        (PaperColumn("solver", "solver"), *numbers), ((Cell(name, name), *cells),)
    )


SPACED = "\\setlength{\\tabcolsep}"
SIZES = [
    (5, "x", ""),
    (6, "x", "\\small\n"),
    (7, "x", f"\\footnotesize{SPACED}{{3pt}}\n"),
    (8, "x", f"\\scriptsize{SPACED}{{3pt}}\n"),
    (8, "SAT-2026", f"\\scriptsize{SPACED}{{2pt}}\n"),
    (99, "x", f"\\scriptsize{SPACED}{{2pt}}\n"),  # will not fit
]


@pytest.mark.parametrize(("columns", "name", "size"), SIZES)
def test_latex_is_small_where_it_would_be_wide(
    columns: int, name: str, size: str
) -> None:
    table = wide(columns, name=name)
    start = f"{NEEDS}\\begin{{table}}\n\\centering\n{size}\\begin{{tabular}}{{l"
    assert render(table, format="tex").startswith(start)
    assert render(table, format="tex", bare=True).startswith("\\begin{tabular}")


def test_words_widen_a_latex_table() -> None:
    for table in (wide(2, name="o" * 50), wide(2, group="o" * 66)):
        assert f"\\footnotesize{SPACED}" in render(table, format="tex")
    none = PaperTable((PaperColumn("solver", "solver"),), ())
    assert "size" not in render(none, format="tex")


def test_marks_keep_the_digits_of_a_column_in_line() -> None:
    cells = [Cell("9.5", 9.5, mark="="), Cell("10.25", 10.25)]
    columns = (PaperColumn("par10", "par10", is_number=True),)
    text = render(PaperTable(columns, tuple((c,) for c in cells)), format="tex")
    assert "9.5$^{=}$ \\\\\n10.25\\phantom{$^{=}$} \\\\\n" in text


def test_latex_fits_an_article(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    names = ("x", "SAT-2026")
    tables = [wide(n, name=name) for n in range(1, 9) for name in names]
    text = "".join(render(table, format="tex") for table in tables)
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
        f"{text}\\end{{document}}\n"
    )
    call = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"Overfull" not in done.stdout


def test_latex_compiles(three: PaperTable, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    (tmp_path / "three.tex").write_text(render(three, format="tex"), encoding="utf-8")
    nasty = render(table_of(NASTY), format="tex")
    (tmp_path / "nasty.tex").write_text(nasty, encoding="utf-8")
    (tmp_path / "numbers.tex").write_text(macros(three), encoding="utf-8")
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\input{numbers}\n"
        "\\begin{document}\\input{three}\\input{nasty}\n"
        "mean \\threeMeanClosedGap.\\end{document}\n"
    )
    call = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode"]
    done = subprocess.run(
        [*call, "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "all.pdf").stat().st_size > 0
    log = (tmp_path / "all.log").read_text(errors="replace")
    assert "Missing character" not in log


# --- macros -------------------------------------------------------------------------


def test_macros(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = THREE.replace("a|b\\{}~^#$''`--[1]", "par10")
    table = paper_table(con, own(tmp_path, "my_gaps", text))
    odd = HOSTILE[1]
    assert macros(table).splitlines()[2:] == [
        f"\\newcommand{{\\myGaps{name}}}{{{number}}} % my_gaps / {label}"
        for name, number, label in (
            ("FiveZeroXEtcClosedGap", "\\ensuremath{-}0.25", f"{odd} / closed_gap"),
            ("FiveZeroXEtcN", "4", f"{odd} / n"),
            ("ParOneZeroN", "5", "par10 / n"),
            ("MeanClosedGap", "0.13", "mean / closed_gap"),
        )
    ]


def test_two_numbers_never_share_a_macro() -> None:
    with pytest.raises(AslibError, match=r"two numbers would be called \\tABGN"):
        macros(table_of(("a-b", "a_b")))
    assert command(["a", "é"]) == "a"


# --- what a header asks for ---------------------------------------------------------

ACROSS = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- across: solver gap n
-- digits: gap 1
-- bold: gap max
-- headings: gap closed gap
-- scenario: scenario
-- solver: name
-- gap: 1 = VBS
-- n: instances
select * from (values
    ('S', 'a', 0.2, 1), ('S', 'b', 0.4, 2), ('T', 'b', 0.1, 3), ('T', 'c', 0.14, 4)
) as t (scenario, solver, gap, n)
"""


def test_values_across(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    table = paper_table(con, own(tmp_path, "across", ACROSS))
    text = render(table, format="tex", bare=True)
    assert text.splitlines()[2:8] == [
        " & \\multicolumn{3}{c}{closed gap} & \\multicolumn{3}{c}{n} \\\\",
        "\\cmidrule(lr){2-4} \\cmidrule(lr){5-7}",
        "scenario & a & b & c & a & b & c \\\\",
        "\\midrule",
        "S & 0.2 & \\textbf{0.4} & -- & 1 & 2 & -- \\\\",
        # 0.1 and 0.14 look the same: both are bold.
        "T & -- & \\textbf{0.1} & \\textbf{0.1} & -- & 3 & 4 \\\\",
    ]
    html = render(table, format="html", bare=True)
    assert '<th class="group" colspan="3" scope="colgroup">closed gap</th>' in html
    assert 'table.cell(colspan: 3, align: center, "n")' in render(table, format="typ")
    head = render(table, format="csv").splitlines()[0]
    assert head == "scenario,closed gap a,closed gap b,closed gap c,n a,n b,n c"


def test_the_best_within_a_scenario_and_baselines_aside(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- bold: cost min
-- rank: cost
-- within: scenario
-- scenario: scenario
-- kind: kind
-- solver: name
-- cost: mean cost
select * from (values
    ('S', 'baseline', 'VBS', 1.0), ('S', 'algorithm', 'a', 2.0),
    ('S', 'algorithm', 'b', 2.0), ('S', 'algorithm', 'c', 3.0),
    ('T', 'algorithm', 'a', 9.0)
) as t (scenario, kind, solver, cost)
"""
    table = paper_table(con, own(tmp_path, "best", text))
    cells = [(row[2].text, row[3].is_bold, row[3].rank) for row in table.rows]
    assert cells == [
        ("VBS", False, None),
        ("a", True, 1),
        ("b", True, 1),
        ("c", False, 3),
        ("a", False, None),  # alone nobody is the best
    ]


# Two selectors on two scenarios, and one on the easier scenario alone.
MEANS = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- across: solver gap
-- digits: gap 1
-- bold: gap max
-- rank: gap
-- foot: mean
-- scenario: scenario
-- solver: name
-- gap: 1 = VBS
select * from (values
    ('S', 'a', 0.2), ('S', 'b', 0.4), ('T', 'a', 0.6), ('T', 'b', 0.6), ('T', 'c', 0.9)
) as t (scenario, solver, gap)
"""
ASIDE = (
    "(n = k): over k scenarios only, where others are over more: "
    "neither ranked nor set in bold."
)
MEAN_ROWS = {
    "md": "| mean (n = 2) | 0.4 (2) | **0.5 (1)** | 0.9 (n = 1) |",
    "tex": "mean (n = 2) & 0.4 (2) & \\textbf{0.5 (1)} & 0.9 (n = 1) \\\\",
    "csv": "mean,2,0.4,0.5,0.9,1",
    "html": '<tr><td>mean (n = 2)</td><td class="number">0.4 (2)</td>'
    '<td class="number"><b>0.5 (1)</b></td><td class="number">0.9 (n = 1)</td></tr>',
    "typ": '"mean (n = 2)", "0.4 (2)", strong("0.5 (1)"), "0.9 (n = 1)",',
}


@pytest.mark.parametrize("format_", PAPER)
def test_a_mean_of_fewer_scenarios_does_not_compete(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, format_: str
) -> None:
    table = paper_table(con, own(tmp_path, "means", MEANS))
    text = render(table, format=format_)
    assert MEAN_ROWS[format_] in [line.strip() for line in text.split("\n")]
    assert table.notes[1:] == (ASIDE,)
    assert (ASIDE in text) == (format_ != "csv")


def test_means_of_as_many_but_other_scenarios_do_not_compete(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = MEANS.replace("('S', 'a', 0.2), ", "").replace("('T', 'b', 0.6), ", "")
    mean = paper_table(con, own(tmp_path, "means", text)).rows[-1]
    cells = [(c.full, c.is_bold) for c in mean]
    assert cells == [
        ("mean (n = 2)", False),
        ("0.4 (n = 1)", False),
        ("0.6 (n = 1)", False),
        ("0.9 (n = 1)", False),
    ]


def test_each_protocol_has_its_own_mean(toy: Path, tmp_path: Path) -> None:
    con = ae.connect(toy, protocols=["default", "asf"])
    head = MEANS.partition("select")[0].replace("key: ", "key: protocol, ")
    head = head.replace("-- scenario:", "-- protocol: its name\n-- scenario:")
    query = """\
select * from (values
    ('asf', 'S', 'a', 0.1), ('asf', 'S', 'b', 0.2),
    ('default', 'S', 'a', 0.3), ('default', 'S', 'b', 0.1)
) as t (protocol, scenario, solver, gap)
"""
    table = paper_table(con, own(tmp_path, "means", head + query))
    assert [[c.full for c in row] for row in table.summary_rows] == [
        ["asf", "mean (n = 1)", "0.1 (2)", "0.2 (1)"],
        ["default", "mean (n = 1)", "0.3 (1)", "0.1 (2)"],
    ]


OVER = """\
-- One row per solver.
-- key: solver
-- bold: gap max, speedup max
-- rank: gap
-- over: gap n all_gaps, speedup n_speedup all_speedups
-- hide: all_gaps, n_speedup, all_speedups
-- solver: name
-- n: scenarios with a gap
-- gap: mean closed gap
-- speedup: mean speedup
-- all_gaps: scenarios
-- n_speedup: scenarios with a speedup
-- all_speedups: scenarios
select * from (values
    ('a', 2, 0.25, 0.5, 2, 3, 3), ('b', 2, 0.5, 0.25, 2, 3, 3),
    ('c', 1, 0.75, 0.75, 2, 2, 3)
) as t (solver, n, gap, speedup, all_gaps, n_speedup, all_speedups)
"""


def test_a_query_says_of_how_many_its_means_are(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    table = paper_table(con, own(tmp_path, "over", OVER))
    assert render(table, format="md", bare=True).splitlines()[2:] == [
        "| a | 2 | 0.25 (2) | **0.500** |",
        "| b | 2 | **0.5 (1)** | 0.250 |",
        "| c | 1 | 0.75 (n = 1) | 0.750 (n = 2) |",
    ]
    assert render(table, format="csv").splitlines()[::3] == [
        "solver,n,gap,gap n,speedup,speedup n",
        "c,1,0.75,1,0.75,2",
    ]
    assert table.notes[2:] == ("Means of n = 2 (gap), n = 3 (speedup).", ASIDE)


def test_where_all_are_equal_nobody_is_the_best(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = MEANS.replace("0.2", "0.4").replace("('T', 'c', 0.9)", "('T', 'c', 0.6)")
    table = paper_table(con, own(tmp_path, "equal", text))
    assert not any(cell.is_bold for row in table.rows for cell in row)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("digits: gap 2", "'digits' names 'gap', which is no column"),
        ("digits: n two", "'two' is no number of decimals"),
        ("bold: n most", "'most' is none of max, min"),
        ("rank: n", "'rank' needs 'n' in 'bold'"),
        ("across: solver", "'across' names no column to spread"),
        ("foot: sum", "'sum' is none of mean, median"),
        ("mark: n cost days", "'days' is none of instances, scenarios"),
        ("hide: x", "'hide' names 'x', which is no column"),
        ("over: n x n", "'over' names 'x', which is no column"),
        ("over: n n", "'over' wants a column and two columns of counts"),
    ],
)
def test_a_header_that_cannot_be_followed(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, line: str, message: str
) -> None:
    text = (
        "-- One row per solver.\n-- key: solver\n-- {}\n-- solver: name\n-- n: size\n"
    )
    file = own(tmp_path, "bad", text.format(line) + "select 'a' as solver, 1 as n")
    with pytest.raises(AslibError, match=re.escape(message)) as caught:
        paper_table(con, file)
    assert str(caught.value).startswith(f"{file.path}: ")


def test_all_that_is_wrong_is_said_at_once(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = THREE.replace("digits: closed_gap", "digits: x")
    text = text.replace("foot: mean", "foot: y")
    with pytest.raises(AslibError, match=r"names 'x'.*; 'y' is none of"):
        paper_table(con, own(tmp_path, "bad", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            THREE.replace("-- n: instances\n", ""),
            "documents solver, closed_gap",
        ),
        (THREE.replace("select *", "select x"), "x"),
    ],
)
def test_a_query_that_does_not_fit(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(AslibError, match=message):
        paper_table(con, own(tmp_path, "bad", text))


# --- ours, and a user's own ---------------------------------------------------------


@pytest.fixture(scope="module")
def computed(toy: Path) -> duckdb.DuckDBPyConnection:
    """Every view under two protocols, computed once."""
    return as_tables(ae.connect(toy, protocols=TWO))


# Those of scores beyond SQL are tested with the scores.
OURS = [f for f in find_tables().values() if not scored("lake").keys() & reads(f.sql)]


@pytest.mark.parametrize("file", OURS, ids=lambda f: f.name)
def test_our_tables_keep_their_promises(
    computed: duckdb.DuckDBPyConnection, file: SqlFile
) -> None:
    keeps_its_promises_as_table(computed, file)
    assert file.layout["caption"].endswith(".")
    table = paper_table(computed, file)
    assert table.rows
    for suffix in PAPER:
        assert render(table, format=suffix).endswith("\n")


def test_marks_stand_beside_the_best(con: duckdb.DuckDBPyConnection) -> None:
    table = paper_table(con, find_tables()["par10"])
    (row,) = table.rows
    selectors = row[4:]
    assert [c.is_bold for c in selectors].count(True) == 1
    assert {c.mark for c in selectors if c.is_bold} == {""}
    assert {c.mark for c in selectors if not c.is_bold} <= {"-", "=", "+"}
    assert "Absolute: PAR10." in table.notes
    assert "Wilcoxon signed-rank over instances" in table.notes[2]


@pytest.mark.slow
def test_a_table_names_its_protocols_and_what_tells_rows_apart(toy: Path) -> None:
    columns = {}
    for names in (["default"], ["llama", "asf"]):
        con = ae.connect(toy, protocols=names)
        table = paper_table(con, find_tables()["scenarios"])
        active = [load(name) for name in sorted(names)]
        asked = ", ".join(f"{each.tag} ({each.words})" for each in active)
        assert table.notes == (f"Protocol {asked}; 1 scenario.",)
        assert (table.provenance, table.n_summaries) == ((), 0)
        columns[len(names)] = [column.name for column in table.columns[:2]]
    assert columns == {
        1: ["scenario_id", "n_instances"],
        2: ["protocol", "scenario_id"],
    }


def test_no_marks_where_nothing_can_be_tested(con: duckdb.DuckDBPyConnection) -> None:
    table = paper_table(con, find_tables()["selectors"])  # of one scenario alone
    assert any(note.startswith("No marks of significance: ") for note in table.notes)


def run(*words: str | Path) -> str:
    arguments = [str(word) for word in words]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.slow
def test_the_command_lists_and_writes(toy: Path, tmp_path: Path) -> None:
    own(tmp_path / "mine", "three", THREE)
    listed = run("table", "--sql", tmp_path / "mine")
    assert "| closed_gap | Closed gap of every selector" in listed
    assert "| three | " in listed
    words = ("table", "three", "--lake", toy, "--sql", tmp_path / "mine")
    numbers = tmp_path / "numbers.tex"
    for suffix in PAPER:
        out = tmp_path / f"t.{suffix}"
        assert run(*words, "-o", out, "--macros", numbers) == ""
        text = out.read_text()
        assert ("protocol default@09b8597f48a4" in text) == (suffix != "csv")
        assert run(*words, "--format", suffix) == text
    assert "\\newcommand{\\threeMeanClosedGap}{0.13}" in numbers.read_text()
    assert run(*words, "--bare").startswith("| name |")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("../secret",), 1, "../secret: there is no such table. There are algorithms"),
        (("closed_gap", "-o", "x.pdf"), 2, "cannot tell the format of x.pdf"),
    ],
)
def test_what_the_command_cannot_do(
    toy: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    done = CliRunner().invoke(main, ["table", *words, "--lake", str(toy)])
    assert done.exit_code == code
    assert message in done.output


def test_two_folders_may_not_share_a_table(tmp_path: Path) -> None:
    own(tmp_path, "three", THREE)
    (tmp_path / "table" / "closed_gap.sql").write_text(THREE)
    with pytest.raises(AslibError, match="the name 'closed_gap' is taken"):
        find_tables([tmp_path])


# --- terminal -----------------------------------------------------------------------

SCORES = pl.DataFrame(
    {
        "protocol": ["p"] * 4,
        "scenario_id": ["S"] * 4,
        "kind": ["algorithm", "algorithm", "baseline", "selector"],
        "solver": ["a", "b", "VBS", "s"],
        "gap": [0.25, 0.75, 1.0, 0.5],
        "closed_gap": [0.25, 0.75, 1.0, 0.5],
        "par10": [7.5, 2.5, 1.5, 3.5],
    }
)


def test_the_best_is_bold_but_no_baseline_and_nobody_alone() -> None:
    text = to_terminal(SCORES, width=80)
    bold = re.findall(r"\x1b\[1m *([0-9.]+)\x1b\[0m", text)
    assert bold == ["0.75", "2.5"]


def test_the_most_important_columns_stay() -> None:
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(SCORES, width=30))
    lines = text.splitlines()
    above = [line.rstrip() for line in lines[:2]]
    assert above == ["protocol p · scenario_id S ·", "gap = closed_gap"]
    assert lines[2] == "kind       solver  closed_gap"
    assert "not shown: par10 " in text
    assert all(len(line) <= 30 for line in lines)


def test_columns_that_were_chosen_all_stay() -> None:
    frame = SCORES.select("protocol", "gap", "closed_gap")
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=80, chosen=True))
    assert text.splitlines()[0].split() == ["protocol", "gap", "closed_gap"]
    assert text.splitlines()[1].split() == ["p", "0.25", "0.25"]


def test_a_narrow_terminal_keeps_the_kind_and_both_ends_or_none() -> None:
    long = "a-solver-of-a-long-name"
    frame = pl.DataFrame(
        {
            "kind": ["algorithm", "baseline"],
            "solver": [long, "SBS"],
            "cost": [1.5, 2.5],
            "cost_low": [0.5, 1.5],
            "cost_high": [123456.5, 234567.5],
            "rank": [1, 2],
        }
    )
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=50))
    assert text.splitlines() == [
        "kind       solver                   cost  rank",
        f"algorithm  {long}   1.5     1",
        "baseline   SBS                       2.5     2",
        "not shown: cost_low, cost_high (widen the ",
        "terminal, --columns NAME,NAME or --format csv)",
    ]
    wide = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=70))
    assert wide.split("\n")[0].split() == [*frame.columns]


def test_a_paper_table_on_a_terminal(three: PaperTable) -> None:
    text = table_to_terminal(three, width=60)
    assert re.search(r"\x1b\[1m *0\.51 \(1\)", text)
    plain = " ".join(re.sub(r"\x1b\[\d*m", "", text).split())
    assert NOTE in plain


def test_groups_stand_above_their_columns_on_a_terminal(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    table = paper_table(con, own(tmp_path, "across", ACROSS))
    text = re.sub(r"\x1b\[\d+m", "", table_to_terminal(table, width=46))
    lines = [line.split() for line in text.splitlines()]
    assert lines[:3] == [
        ["closed", "closed", "closed"],
        ["gap", "gap", "gap", "n", "n", "n"],
        ["scenario", "a", "b", "c", "a", "b", "c"],
    ]


def test_a_paper_table_leaves_out_no_column_on_a_narrow_terminal(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    table = paper_table(con, own(tmp_path, "across", ACROSS))
    text = re.sub(r"\x1b\[\d+m", "", table_to_terminal(table, width=26))
    lines = [line.split() for line in text.splitlines()]
    assert lines[2:5] == [
        ["scenario", "a", "b"],
        ["S", "0.2", "0.4"],
        ["T", NONE, "0.1"],
    ]
    assert lines[8:11] == [
        ["scenario", "c", "a", "b", "c"],
        ["S", NONE, "1", "2", NONE],
        ["T", "0.1", NONE, "3", "4"],
    ]
    assert all(len(line) <= 26 for line in text.splitlines())


def test_a_name_stands_beside_the_first_line_of_its_text() -> None:
    frame = pl.DataFrame({"name": ["a", "b"], "about": ["long words " * 4, "x"]})
    lines = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=40)).splitlines()
    assert lines[1].split()[:3] == ["a", "long", "words"]
    assert [line.split() for line in lines if line.startswith("b")] == [["b", "x"]]


def test_a_name_that_is_too_long_keeps_both_ends_and_a_list_is_one() -> None:
    names = ["x" * 30 + "_one", "x" * 30 + "_two"]
    frame = pl.DataFrame({"solver": names, "runs": [[3, 4], [5, 6]]})
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=40))
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["x" * 12 + "…" + "x" * 9 + "_one", "3", "4"],
        ["x" * 12 + "…" + "x" * 9 + "_two", "5", "6"],
    ]


def test_a_scenario_stands_once_above_its_rows() -> None:
    frame = pl.DataFrame(
        {
            "protocol": ["p"] * 6,
            "protocol_hash": ["1f"] * 6,
            "scenario_id": ["S"] * 3 + ["T"] * 3,
            "solver": ["a", "b", "c"] * 2,
            "n": [5] * 3 + [7] * 3,
            "par10": [1.0, 2.0, 3.0, 4.0, 6.0, 5.0],
            "cost": [1.0, 2.0, 3.0, 4.0, 6.0, 5.0],
        }
    )
    text = re.sub(r"\x1b\[\d+m", "", to_terminal(frame, width=80))
    assert [line.rstrip() for line in text.splitlines()] == [
        "protocol p@1f · cost = par10",
        "solver  par10",
        "",
        "S · n 5",
        "a           1",
        "b           2",
        "c           3",
        "",
        "T · n 7",
        "a           4",
        "b           6",
        "c           5",
    ]


def test_numbers_of_a_frame_in_markdown_are_those_of_other_texts() -> None:
    limits = [1e6, 999999.5, 1e6 - 1e-9, 0.0, 1e-7, 5e-324, 123456.7, 1.5]
    values = [*limits, *(-x for x in limits), float("nan"), float("inf"), None]
    lines = to_markdown(pl.DataFrame({"a": values})).splitlines()[2:]
    assert lines == [f"| {shown(value)} |" for value in values]


def test_a_table_of_qualities_shows_their_values_and_no_empty_column(
    tmp_path: Path,
) -> None:
    measures = (("f1", "solution_quality", "true"),)
    runs = [("i1", 1, "a", 80, "ok"), ("i1", 1, "b", 87.5, "ok")]
    home = write_scenario(tmp_path / "Q", runs=runs, measures=measures)
    ae.import_scenarios([home], into=tmp_path / "lake")
    table = paper_table(ae.connect(tmp_path / "lake"), find_tables()["algorithms"])
    heads = ["scenario", "algorithm", "n", "solved", "mean value", "unique", "MZNC"]
    assert [column.heading for column in table.columns] == heads
    assert [row[4].text for row in table.rows] == ["87.500", "80.000"]
