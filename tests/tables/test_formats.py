"""Paper tables: the same three rows in every format, where no name is code."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError
from aslib_eval.tables import render
from aslib_eval.tables.paper_table import Cell, PaperColumn, PaperTable, paper_table
from aslib_eval.tables.to_text import command, macros, tex_text
from tests.tables.conftest import HOSTILE, NOTE, THREE, own


def test_what_a_table_reads_is_built_before_its_plan_is_asked_for(
    lake: OpenLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The plan of icon2015 over views that are not built takes DuckDB 40 s.
    called, prepare = [], OpenLake.prepare

    def prepared(*given: Any, **named: Any) -> None:
        called.append("prepare")
        prepare(*given, **named)

    monkeypatch.setattr(OpenLake, "prepare", prepared)
    monkeypatch.setattr(
        "aslib_eval.tables.paper_table.require_reading", lambda *_, **__: called.append("require_reading")
    )
    paper_table(lake, find_tables()["closed_gap"])
    assert called == ["prepare", "require_reading"]


# --- golden -------------------------------------------------------------------------


NEEDS = "% needs \\usepackage{booktabs}\n"
OF = "Values that depend on the other solvers: closed gap."


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
        f"\n\\par\\smallskip\n{{\\footnotesize\\raggedright {NOTE} {OF}\\par}}\n"
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


NASTY = (*HOSTILE, *("a](http://x)![", "--><b>", "*/x", "\\input{x}", "é ß δ → 漢 🎲", "x\ny"))


def table_of(names: tuple[str, ...]) -> PaperTable:
    rows = tuple((Cell(name, name), Cell("1", 1)) for name in names)
    columns = (PaperColumn("solver", names[0], "g"), PaperColumn("n", "n", "g", is_number=True))
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
    assert [row[0] for row in rows[1:]] == ["'--><b>" if name == "--><b>" else name for name in NASTY]


def test_csv_is_no_formula() -> None:
    rows = tuple((Cell(t, t), Cell("-1.5", -1.5)) for t in ("=HYPERLINK(1)", "=", "-a"))
    columns = (PaperColumn("+solver", "solver"), PaperColumn("n", "n", is_number=True))
    text = render(PaperTable(columns, rows), format="csv")
    assert text == "'+solver,n\n'=HYPERLINK(1),-1.5\n=,-1.5\n'-a,-1.5\n"


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
        ("120\u202f000\xa0s", "120\\,000~s"),
        ("10⁻⁶", "10$^-$$^6$"),
        ("“a”", "``a''"),
        ("δ ≤ τ", "$\\delta$ $\\leq$ $\\tau$"),
    ],
)
def test_latex_of_letters(text: str, shown: str) -> None:
    assert tex_text(text) == shown


def wide(columns: int, *, name: str = "solver", group: str = "") -> PaperTable:
    """A column of one word, and others with a number and its rank."""
    numbers = [PaperColumn(f"s{i}", f"s{i}", group, is_number=True) for i in range(columns)]
    cells = tuple(Cell("0.520", 0.52, is_bold=i == 0, rank=1) for i in range(columns))
    return PaperTable((PaperColumn("solver", "solver"), *numbers), ((Cell(name, name), *cells),))


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
def test_latex_is_small_where_it_would_be_wide(columns: int, name: str, size: str) -> None:
    table = wide(columns, name=name)
    start = f"{NEEDS}\\begin{{table}}\n\\centering\n{size}\\begin{{tabular}}{{l"
    assert render(table, format="tex").startswith(start)
    assert render(table, format="tex", bare=True).startswith("\\begin{tabular}")


def test_names_of_blocks_stand_above_them_where_the_table_would_be_too_wide() -> None:
    columns = PaperColumn("scenario_id", "scenario"), PaperColumn("n", "n", is_number=True)
    names = (Cell("CSP-Minizinc-Time-2016", "CSP"), Cell("100", 100))

    def blocks(table: PaperTable, **more: int) -> PaperTable:
        rows = tuple(names + row for row in table.rows * 2)
        return PaperTable((*columns, *table.columns), rows, n_names=2, **more)

    text = render(blocks(wide(9)), format="tex", bare=True)
    assert "\\toprule\nsolver & s0 & " in text
    assert "\\midrule\n\\multicolumn{10}{l}{CSP-Minizinc-Time-2016, n = 100} \\\\\nsolver & " in text
    assert text.count("CSP") == 1
    # Then letters are as large as the other columns let them be.
    size = f"\\centering\n\\footnotesize{SPACED}{{3pt}}\n"
    assert f"{size}\\begin{{tabular}}{{lrrrrrrr}}" in render(blocks(wide(7)), format="tex")
    # Heads of groups and rows below all blocks are of all columns.
    for kept in (blocks(wide(9, group="gap")), blocks(wide(9), n_summaries=1)):
        assert "\\begin{tabular}{lrlrrr" in render(kept, format="tex", bare=True)


def test_marks_keep_the_digits_of_a_column_in_line() -> None:
    cells = [Cell("9.5", 9.5, mark="="), Cell("10.25", 10.25)]
    columns = (PaperColumn("par10", "par10", is_number=True),)
    text = render(PaperTable(columns, tuple((c,) for c in cells)), format="tex")
    assert "9.5$^{=}$ \\\\\n10.25\\phantom{$^{=}$} \\\\\n" in text


@pytest.mark.parametrize(("mark", "tex"), [("+", "+"), ("±", r"\pm"), ("a1", r"\mathrm{a1}")])
def test_a_mark_stands_in_the_mathematics_of_its_cell(mark: str, tex: str) -> None:
    columns = (PaperColumn("par10", "par10", is_number=True),)
    cells = ((Cell("9.5", 9.5, mark=mark),),)
    text = render(PaperTable(columns, cells), format="tex")
    assert f"9.5$^{{{tex}}}$ \\\\\n" in text


def test_latex_fits_an_article(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    names = ("x", "SAT-2026")
    tables = [wide(n, name=name) for n in range(1, 9) for name in names]
    text = "".join(render(table, format="tex") for table in tables)
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{text}\\end{{document}}\n"
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
        [*call, "-halt-on-error", "all.tex"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "all.pdf").stat().st_size > 0
    log = (tmp_path / "all.log").read_text(errors="replace")
    assert "Missing character" not in log


# --- macros -------------------------------------------------------------------------


def test_macros(lake: OpenLake, tmp_path: Path) -> None:
    text = THREE.replace("a|b\\{}~^#$''`--[1]", "par10")
    table = paper_table(lake, own(tmp_path, "my_gaps", text))
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


def test_a_macro_is_named_by_the_key_and_not_by_the_verdict() -> None:
    columns = [PaperColumn("solver", "solver"), PaperColumn("gap", "gap", is_number=True, is_key=False)]
    verdict = PaperColumn("verdict", "verdict", is_key=False)
    row = (Cell("rf"), Cell("0.5", 0.5), Cell("better"))
    found = macros(PaperTable((*columns, verdict), (row,), name="selection"))
    assert found == "\\newcommand{\\selectionRfGap}{0.5} % selection / rf / gap\n"


def test_two_numbers_never_share_a_macro() -> None:
    with pytest.raises(AslibError, match=r"two numbers would be called \\tABGN"):
        macros(table_of(("a-b", "a_b")))
    assert command(["mein Wähler", "é-ß"]) == "meinWahlerE"
    assert command(["x0123456789"]) == "xZeroOneTwoThreeFourFiveSixSevenEightNine"
