"""paper build and check: what is written, what would change, and why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.manifest import read_manifest
from aslib_eval.selections import import_selections

from .conftest import ROOT

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
    home = tmp_path / "paper"
    shutil.copytree(built, home, symlinks=True)
    return home


def run(command: str, home: Path) -> Result:
    words = ["paper", command, str(home / "aslib-eval.toml")]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def files(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted((home / "out").rglob("*"))
        if path.is_file()
    }


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
    (par10,) = [
        x for x in found if x.startswith("algorithms.tex: TOY-2026 / anvil / par10: ")
    ]
    assert " → " in par10
    assert "(data: TOY-2026 is " in par10
    assert all("(data: TOY-2026 is " in line for line in found)
    assert not any(line.startswith("own.md") for line in found), "12 are still 12"


def test_another_protocol_is_named(paper: Path) -> None:
    (paper / "mine.toml").write_text('penalty = 2\nrepetitions = "first"\n')
    found = changes(paper)
    assert all("(protocol: mine is " in line for line in found)
    assert {line.split(":")[0] for line in found} >= {"algorithms.tex", "numbers.tex"}


def test_other_code_is_named(paper: Path) -> None:
    own = paper / "sql" / "table" / "own.sql"
    own.write_text(OWN.replace("max(n_instances)", "max(n_instances) + 1"))
    (line,) = changes(paper)
    assert line.startswith("own.md: n: 12 → 13 (code: ")


def test_a_file_that_was_changed_by_hand(paper: Path) -> None:
    out = paper / "out"
    (out / "own.md").write_text("| n |\n| --: |\n| 13 |\n")
    (out / "delta.pdf").unlink()
    assert changes(paper) == [
        "own.md: is not as it was built (changed by hand)",
        "delta.pdf: is gone (removed by hand)",
    ]


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


def test_only_the_looks_change(paper: Path) -> None:
    own = paper / "sql" / "table" / "own.sql"
    own.write_text(OWN.replace("-- caption", "-- headings: n size\n-- caption"))
    # The label of a number is its heading.
    assert [line.split(" (")[0] for line in changes(paper)] == [
        "own.md: n: 12 → \N{EN DASH}",
        "own.md: size: \N{EN DASH} → 12",
    ]


def test_nothing_to_check_before_it_is_built(paper: Path) -> None:
    (paper / "aslib-eval.lock.json").unlink()
    done = run("check", paper)
    assert done.exit_code == 1
    assert "nothing was built. Run 'aslib-eval paper build' first." in done.stderr


def test_nothing_is_written_if_one_cannot_be_made(paper: Path) -> None:
    before = files(paper)
    text = MANIFEST.replace('"hasty"]', '"nobody"]').replace("gap.csv", "gap.md")
    (paper / "aslib-eval.toml").write_text(text)
    done = run("build", paper)
    assert done.exit_code == 1
    assert "nothing was solved by nobody" in done.stderr
    assert files(paper) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no [[table]], [[figure]] or [[macros]]"),
        ("[[table]", "is not TOML"),
        ("[table]\nname = 'x'", "write [[table]], not [table]"),
        ("[[table]]\nname = 'x'\nfile = 'x.md'", "name 'x' is none of algorithms, "),
        ("[[figure]]\nname = 'pie'\nfile = 'x.svg'", "name 'pie' is none of delta, "),
        (
            "[[table]]\nname = 'ranks'\nfile = '../x.md'",
            "must lie in the output folder",
        ),
        ("[[table]]\nname = 'ranks'\nfile = '/x.md'", "must lie in the output folder"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.svg'", "must end with one of .tex, "),
        ("[[macros]]\nname = 'ranks'\nfile = 'x.md'", "must end with one of .tex"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.md'\nsolvers = []", "key 'solvers'"),
        ("[[table]]\nname = 'ranks'\nfile = 'x.md'\nbare = 1", "bare must be true"),
        ("[[table]]\nname = 1\nfile = 'x.md'", "name must be a text"),
        ("scenarios = 1\n[[table]]\nname = 'ranks'\nfile = 'x.md'", "list of texts"),
        (2 * "[[table]]\nname = 'ranks'\nfile = 'x.md'\n", "x.md is written twice"),
        ("lak = 'x'\n[[table]]\nname = 'ranks'\nfile = 'x.md'", "unknown key 'lak'"),
    ],
)
def test_a_manifest_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "aslib-eval.toml"
    path.write_text(text)
    with pytest.raises(AslibError) as caught:
        read_manifest(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text("a = 1\n[[table]]\nname = 'x'\nfile = '../y'\n[[figure]]\n")
    with pytest.raises(AslibError) as caught:
        read_manifest(path)
    for part in (
        "key 'a'",
        "table 1: name 'x'",
        "'../y' must lie",
        "figure 1: name ''",
    ):
        assert part in str(caught.value)


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="cannot be read"):
        read_manifest(tmp_path / "m.toml")
