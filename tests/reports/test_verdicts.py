"""One word for a difference: command, notebook, sentences, page, figure, glossary."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.compare.pairs import LEGEND
from aslib_eval.cli import main
from aslib_eval.figures.gaps import difference_intervals
from tests.conftest import write_scenario

ROOT = Path(__file__).resolve().parents[2]
SBS = [20.0 + i for i in range(20)]
TIMES = {
    "sbs": SBS,
    "lost": [None] * 15 + SBS[15:],  # behind on average, wherever they differ
    "slow": [t + 1 for t in SBS],  # on each instance, by so little that the bound decides
    "fast": [t - 1 for t in SBS[:-1]] + [None],  # typically, but for one timeout
    "like": [t + (1.5, -1)[i % 2] for i, t in enumerate(SBS)],
}
WORDS = {"lost": "worse", "slow": "typically worse", "fast": "mixed", "like": "no difference"}


def test_every_surface_has_the_same_word(tmp_path: Path) -> None:
    rows = [
        (f"i{i}", 1, name, 100 if t is None else t, "timeout" if t is None else "ok")
        for name, times in TIMES.items()
        for i, t in enumerate(times)
    ]
    folder = write_scenario(tmp_path / "S", runs=rows, cutoff="100")
    lake = tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    found = ae.compare(lake, versus="SBS")
    assert dict(found.pairs.select("system", "verdict").rows()) == WORDS
    words = ["compare", "--versus", "SBS", "--lake", str(lake), "--format", "json"]
    told = json.loads(CliRunner().invoke(main, words).stdout)
    assert {row["system"]: row["verdict"] for row in told} == WORDS
    notebook = re.sub("<[^>]*>", "|", found._repr_html_() or "")
    assert all(re.search(rf"\b{word}\b", notebook) for word in WORDS.values())
    (said, *_) = found.sentences
    for start in (
        "lost is worse than SBS. On average,",
        "slow is typically worse than SBS. On average,",
        "Mixed: fast is typically better than SBS, but worse by the mean. On average,",
        "like is not significantly different from SBS. On average,",
    ):
        assert start in said
    solid = [line.dash is None for line in difference_intervals(found.pairs).marks[1::2]]
    assert solid == [word == "worse" for word in found.pairs["verdict"]]
    ae.report(lake, output=tmp_path / "report")
    page = (tmp_path / "report/scenario/S.html").read_text()
    table = page.split('id="leaders"')[1].split("</table>")[0]
    for name, word in WORDS.items():
        row = table.split(f'title="{name}"')[1].split("</tr>")[0]
        assert f">{word}<" in row
    assert LEGEND in page
    glossary = (ROOT / "docs/glossary.md").read_text()
    assert all(f"**{word}**" in glossary for word in WORDS.values())
