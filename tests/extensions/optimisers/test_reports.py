"""What a scenario's page says of runs to a target."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.reports.write import write_report
from tests import pages


@pytest.mark.slow
def test_repeated_runs_have_expected_running_times(tmp_path: Path) -> None:
    values = {("a", 1): (9, 5), ("a", 2): (9, 9), ("b", 1): (7, 7), ("b", 2): (8, 8)}
    folder = pages.write_scenario(
        tmp_path / "ERT",
        runs=[("i", r, a, last, "ok") for (a, r), (_, last) in values.items()],
        measures=[("objective", "solution_quality", "false")],
    )
    points = [
        ("i", r, a, at, x)
        for (a, r), both in values.items()
        for at, x in enumerate(both, start=1)
    ]
    columns = {"algorithm": "STRING", "elapsed": "NUMERIC", "objective": "NUMERIC"}
    pages.write(folder, "trajectories", columns, points)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "lake", to=tmp_path / "r")
    page = (tmp_path / "r" / "scenario" / "ERT.html").read_text()
    table = page.split('id="targets"')[1].split("</table>")[0]
    # One of two runs of a comes to 5, at its second point: 2 + 2 over 1.
    cells = re.findall(r'<td data-tip="([^"]*)" data-v="([^"]*)"', table)
    # So few runs leave all but the ends open; where none comes to it there is no end.
    tips, values = zip(*cells, strict=True)
    assert values == ("4.0", "")
    assert re.fullmatch(r"reached by 1 of 2 runs, 95 % .* 0.\d+ to 1\d\d.*", tips[0])
    assert re.fullmatch(r"reached by 0 of 2 runs, 95 % .* 0.\d+ to no end", tips[1])
