"""``score --rule``: a lake ranked as a competition does."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.competitions.rules import rules_of
from tests.conftest import ROOT
from tests.extensions.inference.test_board import FILES

TOY = ROOT / "scenarios" / "TOY-2026"
COLUMNS = ("place", "solver", "n", "solved", "points")
# Of two runs on each of twelve instances; the limit is 100 s.
PAR2 = [
    (1, "drift", 24, 20, 800 / 24 + 800 / 24),
    (2, "crane", 24, 16, 400 / 24 + 1600 / 24),
    (3, "bolt", 24, 14, 320 / 24 + 2000 / 24),
    (4, "anvil", 24, 12, 120 / 24 + 2400 / 24),
    (None, "VBS", 24, 22, 400 / 24 + 400 / 24),
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy") / "lake"
    ae.import_scenarios([TOY], into=folder)
    return folder


def test_a_board_is_in_the_order_of_places(lake: Path) -> None:
    found = ae.score(lake, rule="sat2023").select(COLUMNS).rows()
    assert [row[:4] for row in found] == [row[:4] for row in PAR2]
    assert [row[4] for row in found] == pytest.approx([row[4] for row in PAR2])


def test_a_glob_is_several_rules(lake: Path) -> None:
    found = ae.score(lake, rule="sat2023-*", solvers=["drift"])
    assert found.select("rule", "n").rows() == [("sat2023-sat", 10), ("sat2023-unsat", 12)]


def test_a_rule_of_a_file_may_be_like_a_known_one(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('like = "sat2023"\npenalty = 10\n[half]\nlike = "mine"\npenalty = 0.5')
    found = ae.score(lake, rule=file, solvers=["anvil"]).select("rule", "points")
    assert found.rows() == [
        ("half", pytest.approx((120 + 12 * 50) / 24)),
        ("mine", pytest.approx((120 + 12 * 1000) / 24)),
    ]


def test_a_folder_of_sql_has_rules_too(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "rule").mkdir()
    (tmp_path / "rule" / "mine.toml").write_text('like = "sat2023"\npenalty = 10')
    found = ae.score(lake, sql_dirs=[tmp_path], rule="mine", solvers=["anvil"])
    assert found["points"].to_list() == pytest.approx([(120 + 12 * 1000) / 24])
    sql = "select mean(points) as points from rule_points where rule = 'mine' and solver = 'anvil'"
    assert ae.query(sql, lake=lake, sql_dirs=[tmp_path])["points"][0] == pytest.approx(found["points"][0])


def test_an_unknown_rule_is_refused_with_those_there_are(lake: Path, tmp_path: Path) -> None:
    with pytest.raises(AslibError, match=r"no rule 'xyz'.* Available: chc, chc2018,"):
        ae.score(lake, rule="xyz")
    with pytest.raises(AslibError, match=r"no rule 'sat1999'\. Did you mean 'sat2019'"):
        ae.score(lake, rule="sat1999")
    (tmp_path / "a.toml").write_text("penalty = 'two'\nclock = 'sun'")
    with pytest.raises(ScenarioError) as caught:
        ae.score(lake, rule=tmp_path / "a.toml")
    assert str(caught.value).count("a.toml:") == 2
    with pytest.raises(AslibError, match=r"b.toml: cannot be read"):
        ae.score(lake, rule=tmp_path / "b.toml")


def test_the_rule_of_inference_contests_gives_their_scores(tmp_path: Path) -> None:
    for name, text in FILES.items():
        file = tmp_path / "C" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    ae.import_scenarios([tmp_path / "C"], into=tmp_path / "lake")
    found = ae.score(tmp_path / "lake", rule="uai", solvers=["a", "b"])
    assert found.select("place", "solver", "points").rows() == [
        (1, "a", pytest.approx(87.5)),
        (2, "b", pytest.approx(50)),
    ]


def test_a_rule_of_a_file_does_not_cite_the_one_that_it_is_like(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[a]\nlike = "sat2023"\n[b]\nlike = "a"\nabout = "ours"')
    with open_lake(lake) as there:
        found = {row.name: row.values for row in rules_of(there, file)}
    assert [found[name].get("about") for name in "ab"] == [None, "ours"]
    assert not any("document" in values for values in found.values())
    assert found["a"]["penalty"] == 2
