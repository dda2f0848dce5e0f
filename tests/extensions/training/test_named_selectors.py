"""Selectors by name: ours, those of other packages, and whatever has a home."""

from __future__ import annotations

import doctest
import importlib
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import plugins
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import _name_of, evaluate, training
from aslib_eval.extensions.training import models as learners
from aslib_eval.extensions.training.audits import AuditRule, audit
from aslib_eval.extensions.training.models import SELECTORS, OwnSelector, learner_of
from aslib_eval.extensions.training.training import train
from aslib_eval.lake import versions
from aslib_eval.selections.store import recorded_selections
from tests.cli.test_calls import called
from tests.commands.test_commands_in_python import EXAMPLES
from tests.conftest import ROOT, Once, arff, write_scenario
from tests.test_plugins import install

OURS = ["rf", "rfreg", "zilla", "sunny", "isac", "asap"]
NEAREST = """
import random
import numpy as np

def nearest(features, costs, test):
    away = np.abs(test[:, None, :] - features).sum(axis=2)
    return costs.argmin(axis=1)[away.argmin(axis=1)]

def drawn(features, costs, test):
    return (np.random.randint(2, size=len(test)) + random.choice([0, 2])).tolist()

def fails(features, costs, test):
    raise LookupError("no such\\n  thing")

class Sbs:
    def fit(self, features, costs):
        self.mean = costs.mean()
        return self
    def predict(self, test):
        return [self.mean] * len(test)
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that Python finds the module ``mine`` in, and no plug-in yet."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mine.py").write_text(NEAREST)
    monkeypatch.syspath_prepend(tmp_path / "lib")
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    learners._source.cache_clear()  # noqa: SLF001
    importlib.invalidate_caches()
    return tmp_path / "lib"


def add(folder: Path, distribution: str, **selectors: str) -> None:
    """Install a package that adds selectors."""
    install(folder, distribution, {"aslib_eval.selectors": selectors})
    plugins._installed.cache_clear()  # noqa: SLF001


@pytest.fixture
def lake(once: Once, tmp_path: Path) -> Path:
    def fill(folder: Path) -> None:
        ae.import_scenarios(ROOT / "scenarios/TOY-2026", into=folder / "lake")

    whole = once("lake-to-train", fill) / "lake"
    return Path(shutil.copytree(whole, tmp_path / "lake", symlinks=True))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who needed the extra."""
    found: list[str] = []
    monkeypatch.setattr(learners, "require_extra", lambda extra, *, where: found.append(where + extra))
    return found


def stored(lake: Path, selector: str) -> list[Any]:
    sql = "from raw_selection where selector = ? order by all"
    columns = "select cv_repetition, fold, instance_id, position, action, name, budget "
    return ae.connect(lake, stored=False).execute(columns + sql, [selector]).fetchall()


def facts(lake: Path, selector: str) -> dict[str, Any]:
    with versions.leased(lake, "TOY-2026") as version:
        assert version is not None
        return dict(recorded_selections(version)[selector, "aslib"]["trained"])


def test_ours_are_in_the_registry_as_others_are(asked: list[str]) -> None:
    assert list(SELECTORS) == OURS
    assert [n for n in OURS if SELECTORS[n].needs_cutoff] == ["sunny", "asap"]
    assert [SELECTORS.origin(n) for n in OURS] == [{}] * 6
    assert all(SELECTORS.comes_along(n) for n in OURS)
    assert learner_of("sunny") == SELECTORS["sunny"]
    assert asked == ["evaluateselectors"]


def test_that_of_a_package_is_known_by_its_name(target: Path, lake: Path, asked: list[str]) -> None:
    homes = {"near": "mine:nearest", "sbs": "mine:Sbs"}
    add(target, "my-selectors", **homes)
    assert list(SELECTORS) == [*OURS, "near", "sbs"]
    (outcome,) = ae.train(["near", "sbs"], lake, prefix="my-", jobs=1)
    assert (outcome.error, outcome.selectors) == (None, ("my-near", "my-sbs"))
    found = evaluate("near", "TOY-2026", lake)
    assert found.selector == "near"
    assert stored(lake, "near") == stored(lake, "my-near")
    assert len(stored(lake, "near")) >= 12
    assert facts(lake, "my-near")["with"]["my-selectors"] == "1.0"
    assert facts(lake, "my-near")["seed"] == 1
    # A class is made for it, which predicts the mean of each algorithm: SBS.
    assert {row[5] for row in stored(lake, "my-sbs") if row[4] == "algorithm"} == {"drift"}
    assert asked == []  # the extra is of ours


def test_one_is_named_by_its_home(target: Path, lake: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["train", "mine:nearest", "--lake", str(lake), "--jobs", "1"])
    assert ended.value.code == 0
    assert "trained TOY-2026: mine:nearest; 3 splits of aslib" in capsys.readouterr().out
    known = SELECTORS.origin("mine:nearest")
    assert list(known) == ["mine"]
    assert facts(lake, "mine:nearest")["with"]["mine"] == known["mine"]
    # Another source is another selector, whose splits are not continued.
    (target / "mine.py").write_text(NEAREST + "\n# changed\n")
    learners._source.cache_clear()  # noqa: SLF001
    (outcome,) = train(lake, ["mine:nearest"], jobs=1)
    assert [name.split(" ")[0] for name in outcome.replaced] == ["mine:nearest"]


@pytest.mark.usefixtures("target")
def test_one_that_draws_without_a_seed_draws_the_same_each_time(lake: Path) -> None:
    with open_lake(lake, protocols=[training.for_training("default")]) as here:
        problem = training.read_problem(here, "TOY-2026")
        split = training.read_splits(here, problem, "aslib")[0]
    found = []
    for at, seed in enumerate((1, 1, 2)):
        np.random.seed(at)  # noqa: NPY002
        random.seed(at)
        before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        found.append(training.predict_split(problem, split, selector="mine:drawn", seed=seed))
        after = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        assert after == before
    assert found[0] == found[1]
    assert found[1] != found[2]


@pytest.mark.usefixtures("target")
def test_one_that_fails_is_said_of_the_scenario(lake: Path) -> None:
    said = (
        "TOY-2026: the selector mine:fails failed (LookupError: no such thing) (fold 1)"
        ". 'help(ae.evaluate)' says what a selector is given and returns."
    )
    (outcome,) = train(lake, ["mine:fails"], jobs=1)
    assert (str(outcome.error), outcome.selectors) == (said, ())
    with pytest.raises(AslibError) as refused:
        evaluate("mine:fails", "TOY-2026", lake)
    assert str(refused.value) == said
    assert isinstance(refused.value.__cause__, LookupError)
    done = CliRunner().invoke(main, ["audit", "mine:fails", "--jobs", "1", "--lake", str(lake)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere:f", "ModuleNotFoundError: No module named 'nowhere'"),
        ("mine:f", "AttributeError: module 'mine' has no attribute 'f'"),
        ("mine:NEAREST", "AttributeError: module 'mine' has no attribute 'NEAREST'"),
        ("mine:__name__", "AslibError: evaluate: no selector mine. Available: rf, "),
        ("ends:f", "SystemExit: 3"),
    ],
)
def test_a_home_without_a_selector(target: Path, lake: Path, name: str, why: str) -> None:
    (target / "ends.py").write_text("raise SystemExit(3)")
    said = f"the selector {name}: cannot be loaded ({why}"
    for call in (
        lambda: train(lake, [name], jobs=1),
        lambda: evaluate(name, "TOY-2026", lake),
        lambda: ae.audit(name, lake, jobs=1),
    ):
        with pytest.raises(AslibError) as refused:
            call()
        assert str(refused.value).startswith(said)
    assert "PYTHONPATH names the folder" in str(refused.value)


def test_what_is_no_home_is_no_name(lake: Path) -> None:
    for name in ("mine", "a b:c", "mine:", ":f", "a:b:c"):
        assert name not in SELECTORS
        with pytest.raises(KeyError):
            SELECTORS[name]
        with pytest.raises(AslibError, match="no selector"):
            evaluate(name, "TOY-2026", lake)


def test_one_that_is_broken_ends_what_names_it_alone(
    target: Path, lake: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(target, "bad", bad="mine:nothing")
    with pytest.raises(AslibError, match=r"plug-in selector bad of bad 1\.0: cannot be"):
        train(lake, ["bad"], jobs=1)
    chosen: list[Any] = []
    monkeypatch.setattr(
        "aslib_eval.extensions.training.training.train", lambda _, names, **__: chosen.append(names) or []
    )
    with pytest.warns(ae.errors.BrokenPlugIn, match="selector bad of bad"):
        ae.train(["all"], lake, jobs=1)
    assert chosen == [tuple(OURS)]
    assert asked == []


def test_one_that_divides_a_cutoff_is_refused_on_a_quality(tmp_path: Path) -> None:
    runs = [(f"i{n}", 1, a, n + v, "ok") for n in (1, 2) for v, a in enumerate("ab")]
    made = write_scenario(
        tmp_path / "Q",
        runs=runs,
        folds={"i1": 1, "i2": 2},
        cutoff="'?'",
        measures=[("loss", "solution_quality", "false")],
        description=(
            "features_deterministic: [f]\nfeatures_stochastic: []\n"
            "default_steps: [s]\nfeature_steps:\n  s: {provides: [f]}"
        ),
    )
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "f": "NUMERIC"}
    values = [("i1", 1, 1), ("i2", 1, 2)]
    (made / "feature_values.arff").write_text(arff(columns, values))
    lake = tmp_path / "lake"
    (outcome,) = ae.import_scenarios([made], into=lake)
    assert outcome.error is None, outcome.error

    def first(lesson: Any) -> Any:
        raise AssertionError(lesson)

    mine = OwnSelector(first, needs_cutoff=True)
    assert _name_of(mine) == "first"
    with pytest.raises(AslibError, match=r"Q: has no cutoff on runtimes, and first div"):
        evaluate(mine, "Q", lake)
    said: list[str] = []
    with pytest.raises(AslibError, match="no scenario can be audited"):
        audit(lake, AuditRule("first", learner=mine), note=said.append)
    assert said[0].startswith("left out: Q: has no cutoff on runtimes, and first divid")


# --- what train and audit hand over -----------------------------------------------------


FUNCTION = "aslib_eval.extensions.training.training:train"


def test_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = (
        "train sunny rf --lake L --scenario A --scheme s --seed 5 --prefix x- "
        "--replace --times --protocol asf --target gap --jobs 3"
    )
    found, given = called(line, FUNCTION, monkeypatch)
    assert found == (Path("L"), ("sunny", "rf"))
    assert given == {
        "scenarios": ("A",), "scheme": "s", "seed": 5, "protocol": "asf",
        "target": "gap", "jobs": 3, "executor": None, "progress": False,
        "prefix": "x-", "replace": True, "times": True,
    }  # fmt: skip


def test_all_selectors_and_nothing_else_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    found, given = called("train rf all", FUNCTION, monkeypatch)
    assert found == (Path("lake"), tuple(SELECTORS))
    assert given == {
        "scenarios": (), "scheme": "aslib", "seed": 1, "protocol": "default",
        "target": "cost", "jobs": None, "executor": None, "progress": False,
        "prefix": "", "replace": False, "times": False,
    }  # fmt: skip


def test_the_address_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "train rf --cluster tcp://head:8786"
    args, _ = called(line, "aslib_eval.executors:cluster_of", monkeypatch)
    assert args == ("tcp://head:8786",)


def test_schedules_of_what_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    refused = AslibError("no features", "B")
    outcomes = [training.Trained("A*", "s"), training.Trained("B", "s", error=refused)]
    monkeypatch.setattr(training, "train", lambda *_, **__: outcomes)
    line = f"train rf sunny --lake L --scheme s --prefix x- --to {tmp_path}/out"
    function = "aslib_eval.extensions.training.training:write_schedules"
    args, named = called(line, function, monkeypatch)
    assert args == (Path("L"), tmp_path / "out")
    assert named == {"scenarios": ["A[*]"], "selectors": ("x-rf", "x-sunny"),
                     "cv_scheme": "s"}  # fmt: skip


@pytest.mark.parametrize("command", ["audit", "train"])
def test_a_selector_that_is_not_there(command: str) -> None:
    done = CliRunner().invoke(main, [command, "suny"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Did you mean 'sunny'?" in done.stderr


def test_what_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aslib_eval.errors.require_extra", lambda *_, **__: None)
    function = "aslib_eval.extensions.training.audits:audit"
    line = (
        "audit sunny --lake L --scenario A --scheme s --seed 5 --protocol asf "
        "--draws 9 --level 0.9 --jobs 1"
    )
    found, given = called(f"{line} --groups g.csv", function, monkeypatch)
    rule = AuditRule("sunny", "s", 5, Path("g.csv"), None, 9, 0.9)
    assert found == (Path("L"), rule)
    asked = [given[name] for name in ("scenarios", "protocol", "executor", "ahead")]
    assert asked == [("A",), "asf", None, 2]
    found, _ = called(f"{line} --attribute a", function, monkeypatch)
    assert found[1] == AuditRule("sunny", "s", 5, None, "a", 9, 0.9)
    refused = CliRunner().invoke(main, ["audit", "sunny", "--level", "2"])
    assert refused.stderr.startswith("audit: the confidence level 2.0 is not between 0 and 1")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["audit", "train"])
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("asf", reason="needs the extra `selectors`")
    monkeypatch.chdir(tmp_path)
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into="lake")
    result = doctest.DocTestRunner(verbose=False).run(EXAMPLES[name])
    assert (result.failed, result.attempted) == (0, 2)
