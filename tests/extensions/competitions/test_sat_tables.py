"""Tables of SAT Competitions: what tells track, year and limit; literal ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.competitions.sat import (
    instances_beside,
    instances_lacking,
    is_track,
    limit_of,
    repeated_in,
    scenario_id,
    track_of,
    year_in,
)
from aslib_eval.formats.sources import FileHead, FilesRead

A, B, C = ("a" * 32, "b" * 32, "c" * 32)


@pytest.mark.parametrize(
    ("name", "track"),
    [
        ("results_main_detailed.csv", "main"),
        ("detailed_cloud.csv", "cloud"),
        ("R_Parallel18.csv", "parallel"),
        ("results.csv", "main"),
        ("results_nolimit_detailed.csv", "nolimits"),
        ("main-seq.csv", "main-sequential"),
        ("main-clo-unsat.csv", "main-cloud-unsat"),
        ("anni-seq-sat.csv", "anniversary-sequential-sat"),
        ("anni-par.csv", "anniversary-parallel"),
        ("anni-clo.csv", "anniversary-cloud"),
        ("main-par.csv", "main-parallel"),
        ("odd.csv", "odd"),
    ],
)
def test_the_track_of_a_name(name: str, track: str) -> None:
    assert track_of(name) == track


@pytest.mark.parametrize(
    ("shown", "name", "found"),
    [
        ("2021/sat20/main.csv", "", "SAT-2021-main"),
        ("x/SAT-20/cloud.csv", "", "SAT-2020-cloud"),
        ("x/satcomp_19.csv", "", "SAT-2019-satcomp_19"),
        ("x/sat201.csv", "", "SAT-sat201"),
        ("x/main.csv", "", "SAT-main"),
        ("2021/main-sat.csv", "Mine", "Mine-main-sat"),
    ],
)
def test_a_scenario_is_called_by_year_and_track(shown: str, name: str, found: str) -> None:
    assert scenario_id(shown, name) == found
    assert year_in("a/sat18/b/sc22") == "2022"


@pytest.mark.parametrize(
    ("track", "year", "n", "lacking"),
    [
        ("main", "2018", 399, 1),
        ("parallel", "2024", 400, 0),
        ("cloud", "2020", 401, 0),
        ("main-parallel", "2022", 300, 100),
        ("main-sat", "2022", 300, 0),
        ("main", "2017", 300, 0),
        ("main", "2025", 300, 0),
        ("main", "", 300, 0),
        ("crypto", "2021", 300, 0),
    ],
)
def test_how_many_instances_a_table_lacks(track: str, year: str, n: int, lacking: int) -> None:
    assert instances_lacking(track, year, n) == lacking


@pytest.mark.parametrize(
    ("times", "limit"),
    [
        ([10, 200, 200], 100),
        ([101, 200, 200], 100),
        ([101.1, 200, 200], None),
        ([10, 200], None),
        ([10, 199, 199], None),
        ([10, 172_800, 172_800], 86_400),
        ([10, 172_802, 172_802], None),
        ([], None),
        ([200, 200], 100),
    ],
)
def test_twice_the_limit_is_the_time_of_who_did_not_answer(times: list[float], limit: float | None) -> None:
    assert limit_of(times) == limit


def table(*rows: str, head: str = "hash,s1,s2") -> FileHead:
    return FileHead("".join(f"{row}\n" for row in (head, *rows)).encode(), is_whole=True)


@pytest.mark.parametrize(
    ("found", "name", "expected"),
    [
        (table(f"{A},200,10", f"{B},200,20"), "x.csv", True),
        (table(f"{A},200,150", f"{B},200,20"), "x.csv", False),
        (table(f"{A},timeout,10", f"{B},20,timeout"), "main.csv", True),
        (table(f"{A},timeout,10", f"{B},20,timeout"), "other.csv", False),
        (table(f"{A},odd,10", f"{B},20,timeout"), "main.csv", False),
        (table(f"{A},1", f"{B},2", head="hash,verified-result"), "x.csv", False),
        (table(f"{A},sat,1", f"{B},sat,2", head="hash,verified-result,s"), "x.csv", True),
        (table("x,200,10", "y,200,20"), "x.csv", False),
        (table(f"{A},200,10", f"{B},200,20", "x,1,1"), "x.csv", True),
        (table(f"{A},200,10", f"{B},200,20", "x,1,1", "y,1,1"), "x.csv", False),
        (table(f"{A},200,10"), "x.csv", False),
        (table(), "x.csv", False),
        (table("x,200,10", "y,200,20", head="name,s1,s2"), "x.csv", False),
    ],
)
def test_a_table_is_one_of_a_track(found: FileHead, name: str, expected: bool) -> None:  # noqa: FBT001
    assert is_track(found, name) == expected


def test_tables_beside_a_track(tmp_path: Path) -> None:
    text = f"hash,s1,s2\n{A},200,10\n{B},200,20\n"
    for name in ("main.csv", "cloud.csv", "nolimit.csv", "main-sat.csv", "r_main.csv"):
        (tmp_path / name).write_text(text)
    files, main = FilesRead(), tmp_path / "main.csv"
    assert {*instances_beside(main, files)} == {"cloud.csv", "r_main.csv"}
    assert instances_beside(tmp_path / "main-sat.csv", files) == {}
    assert repeated_in(tmp_path / "main-sat.csv", files) == main
    assert repeated_in(main, files) == tmp_path / "r_main.csv"
    assert repeated_in(tmp_path / "cloud.csv", files) is None
