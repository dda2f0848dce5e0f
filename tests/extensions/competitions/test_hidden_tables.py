"""Tables of competitions that are gzipped or have semicolons are refused clearly."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from tests.extensions.competitions.raw_files import messages
from tests.extensions.competitions.test_maxsat import DATA
from tests.extensions.competitions.test_sat import MAIN
from tests.extensions.competitions.test_sat_jobs import OF_2018

EXACT = DATA["2022-complete-weighted.csv"].format(a=32 * "a", b=32 * "b")


@pytest.mark.parametrize(
    ("name", "text", "of"),
    [
        ("sat2023/main.csv", MAIN, "a SAT Competition"),
        ("sat2018/main.csv", OF_2018, "a SAT Competition"),
        ("2022-complete-weighted.csv", EXACT, "a MaxSAT Evaluation"),
    ],
)
def test_what_to_type_is_said(tmp_path: Path, name: str, text: str, of: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(text.encode()))
    message = f"of {of} in a gzip file. Unpack it first: gzip -d {packed.name}"
    with pytest.raises(AslibError, match=message):
        ae.import_scenarios(packed, into=tmp_path / "lake")
    path.write_text(text.replace(",", ";"))
    with pytest.raises(AslibError, match=f"of {of} with semicolons"):
        ae.import_scenarios(path, into=tmp_path / "lake")
    path.write_text(text)
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake")
    assert done.error is None


def test_other_tables_with_semicolons_are_anybodys(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("instance;solver;time\na;x;1\nb;x;2\n")
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake", cutoff=9)
    assert done.error is None
    path = tmp_path / "runs.csv.gz"
    path.write_bytes(b"no gzip")
    with pytest.raises(AslibError, match="cannot be unpacked"):
        messages(path)
