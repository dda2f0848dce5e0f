"""What earlier lakes lack: null or empty there, and read where it is stored."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.formats.sources import table
from aslib_eval.lake import transaction
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import Version
from tests.conftest import needs, rows, write_scenario

RUN = {"instance_id": "i1", "repetition": 1, "algorithm": "a"}


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A scenario S with one run, of algorithm a."""
    folder = write_scenario(tmp_path / "S", runs=[("i1", 1, "a", 1.0, "ok")])
    ae.import_scenarios(folder, into=tmp_path / "lake")
    return tmp_path / "lake"


def amend(lake: Path, **tables: pa.Table) -> None:
    def change(_: Version) -> tuple[dict[str, pa.Table], dict[str, str]]:
        return tables, {}

    transaction.amend(lake, "S", change)


def test_an_earlier_lake_has_no_roles_and_no_answers(lake: Path) -> None:
    amend(lake, algorithm=table("algorithm", [{"algorithm": "a"}]).drop_columns(["role"]))
    con = ae.connect(lake)
    assert rows(con, "select algorithm, role from raw_algorithm") == [("a", None)]
    assert rows(con, "from raw_answer") == []
    names = [name for name, *_ in con.sql("from raw_answer").description]
    assert names == ["scenario_id", *RELATIONS["answer"].schema.names]


def test_roles_and_answers_are_stored(lake: Path) -> None:
    said = {"said": "OPTIMUM FOUND", "claim": "optimal", "objective": 7.0}
    amend(
        lake,
        algorithm=table("algorithm", [{"algorithm": "a", "role": "competing"}]),
        answer=table("answer", [RUN | said | {"n_answers": 3, "judged": "right"}]),
    )
    con = ae.connect(lake)
    assert rows(con, "select role from raw_algorithm") == [("competing",)]
    assert rows(con, "from raw_answer") == [
        ("S", "i1", 1, "a", "OPTIMUM FOUND", "optimal", 7.0, 3, "right")
    ]


@needs("exporting")
def test_a_folder_of_the_format_has_no_place_for_them(lake: Path, tmp_path: Path) -> None:
    amend(
        lake,
        algorithm=table("algorithm", [{"algorithm": "a", "role": "virtual"}]),
        answer=table("answer", [RUN | {"said": "SAT", "claim": "sat"}]),
    )
    ae.write_from_lake(lake, "S", tmp_path / "written")
    ae.import_scenarios(tmp_path / "written", into=tmp_path / "again")
    con = ae.connect(tmp_path / "again")
    assert rows(con, "select algorithm, role from raw_algorithm") == [("a", None)]
    assert rows(con, "select value from raw_run") == [(1.0,)]
