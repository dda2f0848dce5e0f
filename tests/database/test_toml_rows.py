"""Relations whose rows are TOML files: what becomes a row, and what is refused."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from aslib_eval.database.protocol import TomlRow, complete, read_rows, require_columns, rows_select
from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.database.views import lineage
from aslib_eval.errors import AslibError, ScenarioError
from tests.conftest import rows

DEFAULTS = """select null::varchar as fruit, 'red'::enum('red', 'green') as colour,
    1::double as weight, false as sweet, ['jam']::enum('jam', 'pie')[] as uses"""
HEADER = """-- One row per fruit.
-- rows: toml
-- key: fruit
-- fruit: its name
-- colour: red or green
-- weight: of one
-- sweet: whether it is
-- uses: what is made of it
"""


def shelf(folder: Path, **files: str) -> Path:
    """A folder of SQL with the relation ``fruit``, and TOML files of its rows."""
    (folder / "fruit").mkdir(parents=True)
    (folder / "fruit" / "fruit.sql").write_text(HEADER + DEFAULTS)
    for name, text in files.items():
        (folder / "fruit" / f"{name}.toml").write_text(text)
    return folder


def fruits(folder: Path) -> list[tuple[object, ...]]:
    (file,) = (file for file in find_sql(folder) if file.name == "fruit")
    with duckdb.connect() as con:
        return rows(con, f"from ({file.sql}) order by fruit")


def refused(text: str) -> list[str]:
    found = read_rows(Path("mine.toml"), text)
    with pytest.raises(ScenarioError) as caught:
        checked(found)
    return str(caught.value).splitlines()


def checked(found: list[TomlRow]) -> list[TomlRow]:
    require_columns(found, DEFAULTS, key="fruit")
    return complete(found)


def test_a_row_is_a_file_or_a_table_with_defaults_for_the_rest(tmp_path: Path) -> None:
    folder = shelf(tmp_path, apple='colour = "green"\n[plum]\nweight = 2.5\nsweet = true\nuses = ["pie"]')
    assert fruits(folder) == [("apple", "green", 1, False, ["jam"]), ("plum", "red", 2.5, True, ["pie"])]


def test_a_row_may_be_like_another_of_any_file(tmp_path: Path) -> None:
    folder = shelf(
        tmp_path,
        a='[pear]\nlike = "quince"\nsweet = true',
        b='[quince]\nlike = "apple"\nweight = 3\n[apple]\ncolour = "green"\nweight = 2',
    )
    assert fruits(folder) == [
        ("apple", "green", 2, False, ["jam"]),
        ("pear", "green", 3, True, ["jam"]),
        ("quince", "green", 3, False, ["jam"]),
    ]


def test_a_quote_in_a_text_is_a_quote() -> None:
    found = read_rows(Path("a.toml"), '["it.s"]\ncolour = "red"\n')
    assert [row.name for row in found] == ["it.s"]
    select = rows_select("select '' as fruit, '' as colour", found, key="fruit")
    assert duckdb.sql(select).fetchall() == [("it.s", "red")]
    found = read_rows(Path("a.toml"), 'colour = "it\'s"')
    select = rows_select("select '' as fruit, '' as colour", found, key="fruit")
    assert duckdb.sql(select).fetchall() == [("a", "it's")]


def test_a_relation_without_files_has_no_rows(tmp_path: Path) -> None:
    assert fruits(shelf(tmp_path)) == []


def test_two_folders_share_a_relation(tmp_path: Path) -> None:
    first = shelf(tmp_path / "a", apple="weight = 2")
    (tmp_path / "b" / "fruit").mkdir(parents=True)
    (tmp_path / "b" / "fruit" / "fig.toml").write_text('like = "apple"')
    files = {file.name: file for file in find_sql([first, tmp_path / "b"])}
    assert [row.name for row in files["fruit"].rows] == ["apple", "fig"]


def test_all_that_does_not_fit_is_said_with_its_line() -> None:
    text = """colour = "blue"
[plum]
wieght = 2
weight = "two"
sweet = 1
uses = ["jam", "gin"]
"""
    assert refused(text) == [
        "mine.toml:1: colour is 'blue', not one of red, green",
        "mine.toml:3: there is no column 'wieght'. Did you mean 'weight'?",
        "mine.toml:4: weight is 'two', not a number",
        "mine.toml:5: sweet is 1, not true or false",
        "mine.toml:6: uses is 'gin', not one of jam, pie",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("weight = true", "mine.toml:1: weight is true, not a number"),
        ('uses = "jam"', "mine.toml:1: uses is 'jam', not a list"),
        ("fruit = 1", "mine.toml:1: there is no column 'fruit'. Available:"),
        ("[a]\nlike = 1", "mine.toml:2: 'like' names the row 1, which does not exist."),
        ('[a]\nlike = "b"', "mine.toml:2: 'like' names the row 'b', which does not exist. There"),
        ('[a]\nlike = "a"', "mine.toml:2: 'like' goes in a circle: a."),
        ('["a b"]\nweight = 1', "mine.toml:1: 'a b' is no name of a row."),
    ],
)
def test_a_mistake_is_said_where_it_stands(text: str, said: str) -> None:
    (line,) = refused(text)
    assert line.startswith(said)


def test_a_name_that_is_taken_is_refused() -> None:
    first = read_rows(Path("a.toml"), "weight = 1")
    with pytest.raises(ScenarioError, match=r"b.toml:1: the name 'a' is taken by a.to"):
        complete(read_rows(Path("b.toml"), "[a]"), beside=first)
    with pytest.raises(AslibError, match=r"a.toml: \[a\] is there twice"):
        read_rows(Path("a.toml"), "weight = 1\n[a]\nweight = 2")


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(AslibError, match=r"a.toml: is not TOML: .*line 1"):
        read_rows(Path("a.toml"), "weight 1")


def test_rows_of_an_unknown_relation_are_refused(tmp_path: Path) -> None:
    (tmp_path / "nut").mkdir()
    (tmp_path / "nut" / "hazel.toml").write_text("weight = 1")
    with pytest.raises(AslibError, match="no relation called 'nut' has its rows in T"):
        find_sql(tmp_path)


def test_a_users_rows_change_the_names_of_what_is_kept(tmp_path: Path) -> None:
    before = lineage(shelf(tmp_path, apple="weight = 1"))
    (tmp_path / "fruit" / "apple.toml").write_text("weight = 2")
    after = lineage(tmp_path)
    assert before.views["fruit"].sql != after.views["fruit"].sql
    assert "fruit" in after.theirs
