"""paper build and check: what is written, what would change, and why."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import load as load_protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.manifests.papers import read_manifest
from aslib_eval.figures.catalogue import FIGURES, LIVE_CHARTS
from aslib_eval.selections import import_selections
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("opened_once")

MANIFEST = """\
lake = "lake"
output = "out"
protocols = ["mine.toml"]
sql = ["sql"]

[[table]]
name = "algorithms"
file = "algorithms.tex"

[[table]]
name = "closed_gap"
file = "deep/gap.csv"
protocols = ["amadini2023"]

[[table]]
name = "own"
file = "own.md"
bare = true

[[macros]]
name = "closed_gap"
file = "numbers.tex"

[[figure]]
name = "runtimes"
file = "runtimes.svg"
solvers = ["careful", "hasty"]

[[figure]]
name = "delta"
file = "delta.pdf"
"""
OWN = """\
-- One row per protocol.
-- key: protocol
-- caption: How many.
-- protocol: name of the protocol
-- n: instances
select protocol, max(n_instances) as n from solver_score group by protocol
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper that was built, to be copied."""
    home = tmp_path_factory.mktemp("paper")
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=home / "lake")
    answers = ROOT / "scenarios" / "selections" / "TOY-2026"
    for name in ("careful", "hasty", "loyal"):
        import_selections(answers / f"{name}.json", lake=home / "lake")
    (home / "sql" / "table").mkdir(parents=True)
    (home / "sql" / "table" / "own.sql").write_text(OWN)
    (home / "mine.toml").write_text("penalty = 2\n")
    (home / "aslib-eval.toml").write_text(MANIFEST)
    done = run("build", home)
    assert done.exit_code == 0, done.output
    return home


@pytest.fixture
def paper(built: Path, tmp_path: Path) -> Path:
    return copy(built, tmp_path)


def copy(home: Path, folder: Path) -> Path:
    return Path(shutil.copytree(home, folder / "paper", symlinks=True))


def run(command: str, home: Path) -> Result:
    words = ["paper", command, str(home / "aslib-eval.toml")]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def files(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted((home / "out").rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_what_is_built(paper: Path) -> None:
    made = files(paper)
    assert set(made) == {
        *("out/algorithms.tex", "out/deep/gap.csv", "out/own.md", "out/numbers.tex"),
        *("out/runtimes.svg", "out/delta.pdf"),
    }
    for name in ("out/algorithms.tex", "out/numbers.tex", "out/runtimes.svg"):
        assert b"protocol mine@" in made[name], name
        assert b": TOY-2026" in made[name], name
    assert b"% protocol mine@" in made["out/delta.pdf"][-600:]
    assert made["out/own.md"] == b"| n |\n| --: |\n| 12 |\n"
    lock = json.loads((paper / "aslib-eval.lock.json").read_text())
    assert set(lock) == {name.removeprefix("out/") for name in made}
    assert lock["own.md"]["numbers"] == {"n": "12"}
    assert list(lock["deep/gap.csv"]["made_of"]["protocols"]) == ["amadini2023"]


@pytest.mark.slow
def test_the_same_lake_gives_the_same_bytes(paper: Path) -> None:
    before = files(paper)
    assert run("build", paper).exit_code == 0
    assert files(paper) == before
    done = run("check", paper)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "0 changes\n")


def changes(paper: Path) -> list[str]:
    before = files(paper)
    done = run("check", paper)
    assert done.exit_code == 1
    assert files(paper) == before, "nothing is written"
    return done.stdout.splitlines()


@pytest.mark.slow
def test_other_data_are_named(paper: Path) -> None:
    folder = paper / "TOY-2026"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    runs = folder / "algorithm_runs.arff"
    text = runs.read_text()
    line = next(x for x in text.splitlines() if ",anvil," in x and x.endswith(",ok"))
    instance, repetition, name, _, status = line.split(",")
    runs.write_text(text.replace(line, f"{instance},{repetition},{name},61.5,{status}"))
    (outcome,) = ae.import_scenarios([folder], into=paper / "lake")
    assert outcome.status == "imported"
    found = changes(paper)
    (par10,) = [x for x in found if x.startswith("algorithms.tex: TOY-2026 / anvil / PAR10: ")]
    assert " → " in par10
    assert "(data: TOY-2026 is " in par10
    assert all("(data: TOY-2026 is " in line for line in found)
    assert not any(line.startswith("own.md") for line in found), "12 are still 12"


@pytest.mark.slow
def test_other_code_is_named(paper: Path) -> None:
    own = paper / "sql" / "table" / "own.sql"
    own.write_text(OWN.replace("max(n_instances)", "max(n_instances) + 1"))
    (line,) = changes(paper)
    assert line.startswith("own.md: n: 12 → 13 (code: ")


@pytest.mark.slow
def test_a_file_that_was_changed_by_hand(paper: Path) -> None:
    out = paper / "out"
    (out / "own.md").write_text("| n |\n| --: |\n| 13 |\n")
    (out / "delta.pdf").unlink()
    assert changes(paper) == [
        "own.md: differs from the built file (changed by hand)",
        "delta.pdf: is gone (removed by hand)",
    ]


@pytest.mark.slow
def test_a_manifest_that_was_changed(paper: Path) -> None:
    text = MANIFEST.replace('file = "own.md"', 'file = "mine.md"')
    text = text.replace('["careful", "hasty"]', '["careful", "loyal"]')
    (paper / "aslib-eval.toml").write_text(text)
    same = "(manifest: data, protocol and code are the same)"
    assert changes(paper) == [
        "mine.md: was never built (manifest)",
        f"runtimes.svg: the line of hasty {same}",
        f"runtimes.svg: the line of loyal {same}",
        "own.md: is no longer in the manifest (manifest)",
    ]


def test_nothing_to_check_before_it_is_built(paper: Path) -> None:
    (paper / "aslib-eval.lock.json").unlink()
    done = run("check", paper)
    assert done.exit_code == 1
    assert "nothing was built. Run 'aslib-eval paper build' first." in done.stderr


def test_one_that_cannot_be_made_keeps_no_other_from_being_written(paper: Path) -> None:
    before = files(paper)
    text = (
        'lake = "lake"\noutput = "out"\n'
        '[[figure]]\nname = "cactus"\nfile = "runtimes.svg"\nsolvers = ["nobody"]\n'
        '[[figure]]\nname = "cactus"\nfile = "new.svg"\nsolvers = ["h*"]\n'
    )
    (paper / "aslib-eval.toml").write_text(text)
    done = run("build", paper)
    assert done.exit_code == 1
    assert [Path(line).name for line in done.stdout.splitlines()] == [*("new.svg", "aslib-eval.lock.json")]
    assert done.stderr.startswith(
        "runtimes.svg: solvers: nothing was solved by nobody. Write solvers = [...] of "
    )
    after = files(paper)
    assert b">hasty<" in after.pop("out/new.svg")
    assert after == before
    lock = json.loads((paper / "aslib-eval.lock.json").read_text())
    assert set(lock) == {"runtimes.svg", "new.svg"}
    assert set(lock["runtimes.svg"]["numbers"]) == {"careful", "hasty"}
    (line,) = changes(paper)
    assert line.startswith("runtimes.svg: cannot be made (solvers: nothing was solved")


def test_a_figure_that_stumbles_stops_no_other(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ValueError("oh")

    monkeypatch.setattr("aslib_eval.figures.gaps.delta", stumble)
    done = draw(paper, "[]", "delta", "cactus")
    assert done.exit_code == 1
    assert "delta.svg: delta: stumbled over something unexpected (ValueError" in (done.stderr)
    assert (paper / "cactus.svg").exists()
    assert not (paper / "delta.svg").exists()


def test_an_interruption_ends_all(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise RuntimeError("Query interrupted")  # what DuckDB makes of Ctrl-C

    monkeypatch.setattr("aslib_eval.figures.gaps.delta", interrupt)
    assert "Aborted!" in draw(paper, "[]", "cactus", "delta").output
    assert not (paper / "cactus.svg").exists()


def test_the_one_scenario_of_a_lake_needs_no_name(paper: Path) -> None:
    done = draw(paper, "[]", "bump")
    assert done.exit_code == 0, done.output
    assert (paper / "bump.svg").exists()


def test_solvers_are_named_by_globs(paper: Path) -> None:
    results = ae.figure("cactus", paper / "lake", solvers=["h*", "SBS", "?asty"])
    assert {mark.name for mark in results.marks} == {"hasty", "SBS"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no [[table]], [[figure]] or [[macros]]"),
        ("[[table]", "is not TOML"),
        ("[table]\nname = 'x'", ":1: table must be written as [[table]]"),
        ("[[table]]\nname = 'x'\nfile = 'x.md'", "name 'x' is unknown; there are algorithms, "),
        ("[[table]]\nname = 'ranks'\nfile = '../x.md'", "must lie in the output folder"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.svg'", "must end with one of .tex, "),
        ("[[macros]]\nname = 'ranks'\nfile = 'x.md'", "must end with one of .tex"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.md'\nsolvers = []", "key 'solvers'"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.md'\nbare = 1", "bare must be true"),
        ("[[table]]\nname = 1\nfile = 'x.md'", "name must be a text"),
        (
            "[[table]]\nname = 'ranks'\nfile = 'x.md'\n\nscenarios = 'SAT*'",
            ':5: table 1: scenarios must be a list of texts. Write scenarios = ["SAT',
        ),
        (
            "# all\nscenarios = 'SAT*'\n[[table]]\nname = 'ranks'\nfile = 'x.md'",
            ':2: scenarios must be a list of texts. Write scenarios = ["SAT*"].',
        ),
        (2 * "[[table]]\nname = 'ranks'\nfile = 'x.md'\n", "x.md is written twice"),
        ("lak = 'x'\n[[table]]\nname = 'ranks'\nfile = 'x.md'", "unknown key 'lak'"),
    ],
)
def test_a_manifest_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "aslib-eval.toml"
    path.write_text(text)
    with pytest.raises(AslibError) as caught:
        read_manifest(path)
    assert str(caught.value).startswith(f"{path}:")
    assert message in str(caught.value)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(
        "a = 1\n[[table]]\nname = 'ranks'\nfile = 'x.md'\n"
        "[[table]]\nname = 'x'\nfile = '../y'\n[[figure]]\n"
    )
    with pytest.raises(AslibError) as caught:
        read_manifest(path)
    lines = str(caught.value).splitlines()
    starts = (
        "m.toml:1: unknown key 'a'; keys are lake, ",
        "m.toml:6: table 2: name 'x' is unknown; there are ",
        "m.toml:7: table 2: file '../y' must lie in the output folder",
        "m.toml:8: figure 1: file is missing",
        "m.toml:8: figure 1: name '' is unknown; there are ",
    )
    assert len(lines) == len(starts)
    for line, start in zip(lines, starts, strict=True):
        assert line.startswith(f"{tmp_path}/{start}")


# Charts of the report's page


CHARTS = """\
lake = "lake"
output = "out"

[[figure]]
name = "waterfall"
file = "loss.svg"
scenarios = ["TOY-2026"]

[[figure]]
name = "waterfall"
file = "loss.pdf"
scenarios = ["TOY-2026"]
width = 120

[[figure]]
name = "suite-ranks"
file = "places.svg"
"""


@pytest.fixture(scope="module")
def drawn(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper with charts of the page that was built, to be copied."""
    home = copy(built, tmp_path_factory.mktemp("drawn"))
    shutil.rmtree(home / "out")
    (home / "aslib-eval.toml").write_text(CHARTS)
    done = run("build", home)
    assert done.exit_code == 0, done.output
    return home


@pytest.fixture
def charts(drawn: Path, tmp_path: Path) -> Path:
    return copy(drawn, tmp_path)


@pytest.mark.slow
def test_charts_of_the_page_are_built(charts: Path) -> None:
    made = files(charts)
    assert set(made) == {"out/loss.svg", "out/loss.pdf", "out/places.svg"}
    assert b"<svg " in made["out/loss.svg"]
    for text in (b"wrong choice", b">VBS + feature costs<", b">careful<", b"closed gap"):
        assert text in made["out/loss.svg"], text
    assert b"Borda, mean rank" in made["out/places.svg"]
    (width,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ", made["out/loss.pdf"])
    assert float(width) / 72 * 25.4 == pytest.approx(120, abs=0.3)
    assert b"% protocol default@" in made["out/loss.pdf"][-600:]
    lock = json.loads((charts / "aslib-eval.lock.json").read_text())
    assert {"SBS", "VBS + feature costs", "wrong choice"} <= set(lock["loss.svg"]["numbers"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'bump'\nscenarios = ['A', 'B']", "'bump' shows one scenario: write"),
        ("name = 'ecdf'", "'ecdf': only the page can draw it, by its"),
        ("name = 'rooms'\nsolvers = ['rf']", "solvers is for 'cactus', 'run"),
        ("name = 'rooms'\nwidth = 8.5", "width must be a number of millimetres from 40"),
        ("name = 'rooms'\nwidth = nan", "width must be a number of millimetres"),
        ("name = 'pie'", "is unknown; there are against-sbs, anytime, anytime-selectors, "),
    ],
)
def test_a_chart_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "aslib-eval.toml"
    path.write_text(f"[[figure]]\nfile = 'x.svg'\n{text}\n")
    with pytest.raises(AslibError) as caught:
        read_manifest(path)
    assert message in str(caught.value)


def draw(home: Path, scenarios: str, *names: str) -> Result:
    """Build a paper of these charts alone."""
    text = "".join(f'[[figure]]\nname = "{n}"\nfile = "{n}.svg"\n' for n in names)
    (home / "aslib-eval.toml").write_text(f'lake = "lake"\nscenarios = {scenarios}\n{text}')
    return run("build", home)


@pytest.mark.slow
def test_of_a_scenario_that_nobody_solves_nothing_is_drawn(paper: Path) -> None:
    folder = paper / "NONE-2026"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    (folder / "ground_truth.arff").unlink()
    about, runs = folder / "description.txt", folder / "algorithm_runs.arff"
    about.write_text(about.read_text().replace("TOY-2026", "NONE-2026"))
    runs.write_text(re.sub(r"(?m),[^,\n]*,[a-z_]+$", ",100,timeout", runs.read_text()))
    status = folder / "feature_runstatus.arff"
    head, data = status.read_text().split("@DATA")
    status.write_text(f"{head}@DATA{data.replace('presolved', 'ok')}")
    (outcome,) = ae.import_scenarios([folder], into=paper / "lake")
    assert outcome.status == "imported"
    names = ("bump", "delta", "sweep-cutoff", "heatmap", "rooms", "ranks")
    done = draw(paper, '["NONE-2026"]', *names)
    assert done.stderr.splitlines() == [
        f"{name}.svg: {name}: no solver solves any instance: there is nothing to draw."
        " Choose other scenarios."
        for name in names
    ]
    assert draw(paper, '["NONE-2026"]', "step-costs").exit_code == 0
    words = ["table", "algorithms", "--lake", str(paper / "lake"), "--bare"]
    shown = CliRunner().invoke(main, [*words, "--scenario", "NONE-2026"]).output
    assert "| NONE-2026 | anvil | 12 | 0.000 |" in shown
    assert "**" not in shown


SET = """\
lake = "lake"
output = "out"
scenarios = ["TOY-2026"]
""" + "".join(
    f'[[{kind}]]\nname = "{name}"\nfile = "{name}.{suffix}"\n'
    for kind, suffix, names in (
        ("table", "tex", ("closed_gap", "par10", "selectors")),
        ("figure", "pdf", ("cactus", "delta", "waterfall", "bump")),
    )
    for name in names
)
ARTICLE = r"""
\documentclass{article}\usepackage{booktabs}\usepackage{graphicx}\begin{document}
\input{closed_gap}\input{par10}\input{selectors}
\includegraphics{cactus}

\includegraphics{delta}

\includegraphics{waterfall}

\includegraphics{bump}
\end{document}
"""


@pytest.mark.slow
def test_a_paper_is_set_without_an_overfull_box(paper: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    (paper / "aslib-eval.toml").write_text(SET)
    assert run("build", paper).exit_code == 0
    (paper / "out" / "all.tex").write_text(ARTICLE)
    done = subprocess.run(
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "all.tex"],
        cwd=paper / "out",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"Overfull" not in done.stdout


def test_the_help_tells_every_name() -> None:
    shown = CliRunner().invoke(main, ["paper", "build", "--help"]).output
    for name in (*FIGURES, *LIVE_CHARTS):
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", shown), name


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "[" * 100_000,
        '{"own.md": 1}',
        '{"own.md": {"made_of": {}}}',
        (
            '{"own.md": {"made_of": {"code": "", "scenarios": [], "protocols": {}},'
            ' "sha256": "", "look": "", "numbers": {}}}'
        ),
        (
            '{"own.md": {"made_of": {"code": "", "scenarios": {}, "protocols": {}},'
            ' "sha256": "", "look": "", "numbers": {"a": 1}}}'
        ),
    ],
)
def test_a_record_that_is_none(paper: Path, text: str) -> None:
    (paper / "aslib-eval.lock.json").write_text(text)
    done = run("check", paper)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "aslib-eval.lock.json: is not a record of a paper. Remove it" in done.stderr


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 10_000])
def test_settings_that_no_reader_can_take(tmp_path: Path, text: str) -> None:
    for name in ("aslib-eval.toml", "protocol.toml"):
        (tmp_path / name).write_text(text)
    done = run("build", tmp_path)
    assert (done.exit_code, "aslib-eval.toml: is not TOML" in done.stderr) == (1, True)
    with pytest.raises(AslibError, match=r"protocol.toml: is not TOML"):
        load_protocol(str(tmp_path / "protocol.toml"))


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """It may never end."""
    for name in ("aslib-eval.toml", "protocol.toml"):
        os.mkfifo(tmp_path / name)
    done = run("build", tmp_path)
    refused = "aslib-eval.toml: cannot be read (it is a pipe" in done.stderr
    assert (done.exit_code, refused) == (1, True)
    with pytest.raises(AslibError, match=r"protocol.toml: cannot be read \(it"):
        load_protocol(str(tmp_path / "protocol.toml"))


def test_a_manifest_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    with pytest.raises(AslibError) as refused:
        read_manifest(missing)
    assert str(refused.value) == (
        f"{missing}: cannot be read (No such file or directory)."
        " Name the manifest, or change to its folder."
    )


SMALL = '[[table]]\nname = "algorithms"\nfile = "{file}"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('output = "../x"\n' + SMALL, "1: output '{home}/../x' leads out"),
        ('output = "/tmp"\n' + SMALL, "1: output '/tmp' leads out"),
        ('output = "link/x"\n' + SMALL, "1: output '{home}/link/x' leads through"),
        ("\n" + SMALL.format(file="link/a.md"), "4: file 'link/a.md' leads through"),
    ],
)
def test_a_manifest_writes_below_its_own_folder(tmp_path: Path, text: str, message: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path)
    manifest = home / "aslib-eval.toml"
    manifest.write_text(text.replace("{file}", "a.md"))
    done = run("build", home)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{manifest}:{message}".replace("{home}", str(home)))
    assert "give -o DIR" in done.stderr
    assert sorted(p.name for p in tmp_path.rglob("*")) == sorted(["home", "link", "aslib-eval.toml"])


def test_the_command_line_chooses_another_folder(paper: Path, tmp_path: Path) -> None:
    (paper / "aslib-eval.toml").write_text('output = "../x"\n' + SMALL.format(file="a.md"))
    words = (str(paper / "aslib-eval.toml"), "-o", str(tmp_path / "mine"))
    done = CliRunner().invoke(main, ["paper", "build", *words])
    assert (done.exit_code, done.stderr) == (0, "")
    assert (tmp_path / "mine" / "a.md").read_text().startswith("<!-- data ")
    done = CliRunner().invoke(main, ["paper", "check", *words])
    assert (done.exit_code, done.stderr) == (0, "0 changes\n")
    (tmp_path / "mine" / "a.md").write_text("other")
    assert CliRunner().invoke(main, ["paper", "check", *words]).exit_code == 1


def escape(home: Path, sql: str) -> Result:
    """Build a paper of its own table alone, with another text."""
    (home / "sql" / "table" / "own.sql").write_text(OWN.partition("select")[0] + sql)
    text = 'lake = "lake"\nsql = ["sql"]\n[[table]]\nname = "own"\nfile = "own.md"\n'
    (home / "aslib-eval.toml").write_text(text)
    return run("build", home)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select 'a', 1; copy (select 1) to '{out}'", "is not one SELECT alone"),
        ("copy (select 1) to '{out}'", "is not one SELECT alone"),
        ("export database '{out}'", "is not one SELECT alone"),
        (
            "with x as (copy protocol to '{out}')\nselect 'a' as protocol, 1 as n",
            "COPY is not allowed in a SELECT",
        ),
        ("select content as protocol, 1 as n from read_text('/etc/passwd')", "Permis"),
        ("select file as protocol, 1 as n from glob('{lake}/*')", "glob() is not"),
        ("select 'a' as protocol,\n  nothing as n", "own.sql:7: Binder Error"),
        ("select 'a' as protocol,\n\n cast('a' as int) as n", "own.sql:8: Conversion"),
    ],
)
def test_sql_of_a_manifest_reads_the_lake_alone(paper: Path, sql: str, message: str) -> None:
    places = {"out": str(paper / "lake" / "escaped"), "lake": str(paper / "lake")}
    done = escape(paper, sql.format(**places))
    assert done.exit_code == 1
    assert "own.sql" in done.stderr
    assert message in done.stderr
    assert not (paper / "lake" / "escaped").exists()
