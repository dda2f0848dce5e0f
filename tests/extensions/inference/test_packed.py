"""Archives of contests: what is imported and checked from them."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.linter import check_paths
from tests.extensions.inference.test_contest import log, make
from tests.formats.test_packed import packed, require_findings_of_the_folder, require_imported


def a_contest(top: Path) -> None:
    marginals = "MAR\n1\n2 2 0.5 0.5 2 0.5 0.5\n"
    answers = {"answers/a/free.uai.PR": log(78), "answers/a/free.uai.MAR": marginals}
    make(top / "U", answers)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gztar", "zip"])
def test_all_tasks_of_a_contest_go_in(tmp_path: Path, kind: str) -> None:
    require_imported(tmp_path, a_contest, {"U-MAR": "U", "U-PR": "U"}, kind)


def test_an_archive_has_the_findings_of_its_folder(tmp_path: Path) -> None:
    require_findings_of_the_folder(tmp_path, a_contest)


def test_findings_in_an_archive_name_the_file_in_it(tmp_path: Path) -> None:
    archive = packed(tmp_path, lambda top: make(top / "U", {"contest.toml": "a = 1\n"}))
    (outcome,) = ae.import_scenarios([archive], into=tmp_path / "lake")
    said = f"{archive}/U/contest.toml:1: unknown key 'a'"
    assert str(outcome.error).startswith(said)
    assert outcome.path == str(archive)
    assert str(check_paths([archive])[0]).startswith(said)


def test_an_archive_within_a_contest_is_none_of_its_own(tmp_path: Path) -> None:
    make(tmp_path / "U", {"answers/a/free.uai.PR": log(78)})
    (tmp_path / "U" / "sources.zip").touch()
    outcomes = ae.import_scenarios([tmp_path / "U"], into=tmp_path / "lake")
    assert [(o.scenario_id, o.error) for o in outcomes] == [("U-PR", None)]
