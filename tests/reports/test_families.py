"""The chooser of families: there where instances have attributes, and what it shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.reports.write import write_report
from tests import pages
from tests.browser import Browser
from tests.reports.conftest import Outline
from tests.reports.test_browser import cell, live

OF = [("a", "b", "")[at % 3] for at in range(24)]


@pytest.fixture(scope="module")
def attributed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("families")
    lake = pages.toy(home)
    lines = ["instance,group,own", *(f"i{n:02},{of},{n}" for n, of in enumerate(OF))]
    (home / "a.csv").write_text("\n".join([*lines, ""]))
    (done,) = ae.import_scenarios(home / "TOY", into=lake, attributes=home / "a.csv")
    assert done.status == "imported"
    return lake


@pytest.fixture(scope="module")
def with_families(
    attributed: Path,
    tmp_path_factory: pytest.TempPathFactory,
    two_definitions: None,  # noqa: ARG001 - quick
) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(attributed, to=folder)
    return folder / "scenario" / "TOY.html"


def test_only_pages_with_families_have_the_chooser(with_families: Path, report: Path) -> None:
    plain = (report / "scenario" / "TOY.html").read_text()
    other = with_families.read_text()
    for text, there in ((plain, False), (other, True)):
        page = Outline(text)
        assert (("id", "family") in [*page_ids(page)]) is there
        assert ("families" in [s["id"] for s in page.all("section")]) is there
        assert bool(json.loads(page.data["data"])["families"]) is there
    told = json.loads(Outline(other).data["data"])["families"]
    place = {"a": 0, "b": 1, "": None}
    # An attribute that is different everywhere is no family.
    assert told == {"group": {"names": ["a", "b"], "of": [place[of] for of in OF]}}


def page_ids(page: Outline) -> list[tuple[str, str | None]]:
    return [("id", attrs["id"]) for _, attrs in page.tags if "id" in attrs]


@pytest.mark.slow
def test_a_chosen_family_has_the_numbers_of_by(
    browser: Browser, with_families: Path, attributed: Path
) -> None:
    page = browser.open(f"{with_families.as_uri()}#by=group&family=b")
    gaps = ae.gap(attributed, by="group")
    scores = ae.score(attributed, by="group")
    for family, place in (("b", "1"), ("(not known)", "2")):
        page.js(
            f"(() => {{ const s = document.getElementById('family'); s.value = {place};"
            " s.dispatchEvent(new Event('change')); })()"
        )
        mine = scores.filter(family=family).select("kind", "solver", "par10", "solved")
        of = {(kind, solver): rest for kind, solver, *rest in mine.rows()}
        for (kind, solver), (par10, solved) in of.items():
            if kind != "baseline":
                assert cell(page, solver, "par") == pytest.approx(par10, rel=1e-12)
                assert cell(page, solver, "solved") == pytest.approx(solved, rel=1e-12)
        for solver, gap in (
            gaps.filter(family=family, kind="selector").select("solver", "closed_gap").rows()
        ):
            assert cell(page, solver, "gap") == pytest.approx(gap, rel=1e-9)
        for name in ("sbs", "vbs", "vws"):
            par10 = of["baseline", name.upper()][0]
            assert live(page, f"{name}-par") == pytest.approx(par10, rel=1e-12)
        state = page.js("document.getElementById('state').textContent")
        assert state.endswith(f"changed: group = {family}, 8 of 24 instances")
        says = page.js("document.getElementById('part-says').textContent")
        assert says.startswith("SBS is the scenario's; best here: ")
    assert "family=%28not+known%29" in page.js("location.hash")
    page.click("#reset")
    assert page.js("document.getElementById('state').hidden")
    assert page.js("location.hash").count("family") == 0
    assert page.js("document.getElementById('part-says').textContent") == ""
    assert page.complaints == []
