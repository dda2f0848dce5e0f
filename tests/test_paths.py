"""A path may be a text wherever one is taken, and a lone one a list of one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import load
from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_cells import read_names
from aslib_eval.extensions.planning.power import read_pilot
from aslib_eval.linter import check_paths
from aslib_eval.paths import LARGEST_TEXT, as_toml, read_text
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, needs, rows

TOY = ROOT / "scenarios" / "TOY-2026"
VIEW = """\
-- One row per scenario.
-- key: scenario_id
-- scenario_id: scenario
select distinct scenario_id from raw_scenario
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    home = str(tmp_path_factory.mktemp("paths") / "lake")
    (outcome,) = ae.import_scenarios([str(TOY)], into=home)
    assert outcome.status == "imported"
    return home


def test_scenarios_are_imported_and_checked(lake: str) -> None:
    (outcome,) = ae.import_scenarios(str(TOY), into=lake)
    assert outcome.status == "unchanged"
    (outcome,) = ae.import_scenarios(TOY, into=Path(lake))
    assert outcome.status == "unchanged"
    assert check_paths(str(TOY)) == check_paths([str(TOY)]) == check_paths([TOY])
    found = ae.read_scenario(str(TOY))
    assert found.tables.keys() == ae.read_scenario(TOY).tables.keys()
    assert ae.check(found) == check_paths([TOY])


@pytest.mark.slow
def test_the_lake_and_views_of_ones_own(lake: str, tmp_path: Path) -> None:
    (tmp_path / "sql" / "90_mine").mkdir(parents=True)
    (tmp_path / "sql" / "90_mine" / "mine.sql").write_text(VIEW)
    folder = str(tmp_path / "sql")
    for given in (folder, [folder], Path(folder), [Path(folder)]):
        con = ae.connect(lake, sql_dirs=given)
        assert rows(con, "from mine") == [("TOY-2026",)]
    assert ae.query("from mine", lake=lake, sql_dirs=folder).rows() == [("TOY-2026",)]


@needs("exporting")
def test_scenarios_are_written(lake: str, tmp_path: Path) -> None:
    ae.write_from_lake(lake, "TOY-2026", str(tmp_path / "TOY-2026"))
    assert (tmp_path / "TOY-2026" / "description.txt").is_file()


def test_selections_are_imported(lake: str, tmp_path: Path) -> None:
    copy = tmp_path / "selections"
    shutil.copytree(ROOT / "scenarios" / "selections" / "TOY-2026", copy / "TOY-2026")
    assert all(o.error is None for o in import_selections(str(copy), lake=lake))


def test_a_text_is_utf_8_or_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(file) == "a\nb\nc\n"
    for content in (b"a\nM\xfcller\n", b"a\nb\0"):
        file.write_bytes(content)
        with pytest.raises(AslibError, match=r"a\.toml:2: is (not UTF-8|no) text"):
            read_text(file)


def test_a_text_is_a_plain_file_of_a_size(tmp_path: Path) -> None:
    """A pipe is not waited for, a device not read without end, also through a link."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGEST_TEXT + 1)
    for name in ("pipe", "zero", "folder", "large", "none"):
        with pytest.raises(AslibError, match=rf"{name}: cannot be read \("):
            read_text(tmp_path / name)


# What is read as text, and who reads it.
READERS: dict[str, Callable[[Path], object]] = {
    "protocol.toml": lambda file: load(str(file)),
    "numbers.csv": lambda file: ae.published(numbers=file),
    "registry.txt": lambda file: ae.fetch("a", to=file.parent, registry=file),
    "aslib-eval.toml": ae.paper_build,
    "mine/solver/mine.sql": lambda file: find_sql([file.parents[1]]),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_names_the_line_that_is_no_text(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"# a\n# M\xfcller\n")
    with pytest.raises(AslibError, match=rf"{file.name}:2: is not UTF-8 text"):
        READERS[name](file)


@pytest.mark.parametrize("read", [read_names, read_pilot, load, read_text])
def test_what_an_option_names_is_a_plain_file(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "device.toml").symlink_to("/dev/zero")
    for path in tmp_path.iterdir():
        with pytest.raises(AslibError, match=r"cannot be read \(it is a pipe"):
            read(path if read is not load else str(path))  # type: ignore[arg-type]


@pytest.mark.parametrize("command", ["score", "check"])
def test_a_rule_is_a_plain_file(command: str, tmp_path: Path, lake: str) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    of = [str(TOY)] if command == "check" else ["--lake", lake]
    line = [command, *of, "--rule", str(tmp_path / "pipe.toml")]
    said = CliRunner().invoke(main, line)
    assert said.exit_code == 1
    assert said.stderr.startswith(f"{tmp_path}/pipe.toml: cannot be read (it is a pipe")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 100_000, "maximum recursion depth exceeded"),
        ("a = " + "{a=" * 100_000, "maximum recursion depth exceeded"),
        ("a" + ".a" * 100_000 + " = 1", "a key has more than 100 parts"),
        ("[" + "a . " * 100_000 + "a]", "a key has more than 100 parts"),
        ('"a"' + ".'a'" * 100_000 + " = 1", "a key has more than 100 parts"),
        ("a = 1" + "0" * 5_000, "Exceeds the limit (4300 digits)"),
    ],
)
def test_what_is_too_deep_is_no_toml(text: str, said: str) -> None:
    with pytest.raises(AslibError) as error:
        as_toml(text, file="x.toml")
    assert str(error.value).startswith(f"x.toml: is not TOML: {said}")


def test_long_texts_are_read() -> None:
    long = "v1.2.3, i.e. a long one ... " + "a" * 2_000_000
    assert as_toml(f'a.b.c = "{long}"', file="x") == {"a": {"b": {"c": long}}}
