"""A small lake with everything that a page can show, and one with hostile names."""

from __future__ import annotations

import random
from pathlib import Path

import aslib_eval as ae
from aslib_eval.selections import import_selections
from tests.conftest import Row, arff, write_scenario

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "../../etc/passwd",
    "=HYPERLINK(1)",
    "&quot;><svg/onload=window.hacked=1>",
)
HOSTILE_SCENARIO = "..<img src=x onerror=window.hacked=1>\"'"
FEATURES = """\
features_deterministic: [size, depth]
default_steps: [cheap]
feature_steps:
  cheap: {provides: [size]}
  dear: {provides: [depth], requires: [cheap]}
"""


def toy(home: Path) -> Path:
    """Scenario TOY: 3 algorithms, 24 instances (2 unsolvable), features, selectors."""
    names = [f"i{at:02}" for at in range(24)]
    runs: list[Row] = []
    for at, name in enumerate(names):
        for algorithm, step in (("fast", 7), ("slow", 3), ("even", 5)):
            time = (at * step) % 23 * 5.5 if at < 22 else 100
            fails = time > 95 or at >= 22
            runs.append((name, 1, algorithm, time, "timeout" if fails else "ok"))
    folds = {name: at % 4 + 1 for at, name in enumerate(names)}
    folder = write_scenario(home / "TOY", runs=runs, folds=folds, description=FEATURES)
    values = [(n, 1, at, None if at % 5 == 0 else 2 * at) for at, n in enumerate(names)]
    write(folder, "feature_values", {"size": "NUMERIC", "depth": "NUMERIC"}, values)
    costs = [(n, 1, 0.5, at / 4) for at, n in enumerate(names)]
    write(folder, "feature_costs", {"cheap": "NUMERIC", "dear": "NUMERIC"}, costs)
    ran = [(n, 1, "presolved" if at == 3 else "ok", "ok") for at, n in enumerate(names)]
    kind = "{ok, presolved}"
    write(folder, "feature_runstatus", {"cheap": kind, "dear": kind}, ran)
    answers = home / "answers.csv"
    chosen = {"oracle": ("fast", "slow"), "coin": ("even", "fast")}
    rows = [
        f"{name},{choice[at % 2]},{selector}"
        for selector, choice in chosen.items()
        for at, name in enumerate(names)
    ]
    answers.write_text("\n".join(["instance_id,algorithm,selector", *rows, ""]))
    lake = home / "lake"
    (outcome,) = ae.import_scenarios([folder], into=lake)
    assert outcome.error is None, outcome.error
    (said, *_) = import_selections(answers, lake=lake, scenario="TOY")
    assert said.error is None, said.error
    return lake


def write(folder: Path, name: str, columns: dict[str, str], rows: list[Row]) -> None:
    """One ARFF file of the scenario."""
    keys = {"instance_id": "STRING", "repetition": "NUMERIC"}
    (folder / f"{name}.arff").write_text(arff(keys | columns, rows))


def hostile(home: Path) -> Path:
    """A scenario, instances and algorithms whose names are attacks."""
    runs: list[Row] = [
        (instance, 1, algorithm, 1 + i + j, "ok")
        for i, instance in enumerate(HOSTILE)
        for j, algorithm in enumerate(HOSTILE)
    ]
    folder = write_scenario(home / "plain", runs=runs)
    text = (folder / "description.txt").read_text()
    quoted = HOSTILE_SCENARIO.replace("'", "''")
    text = text.replace("scenario_id: plain", f"scenario_id: '{quoted}'")
    (folder / "description.txt").write_text(text)
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    return home / "lake"


def large(home: Path) -> Path:
    """Scenario LARGE: 67 algorithms with long names on 1000 instances."""
    draw = random.Random(5)  # noqa: S311
    names = [f"portfolio-member_{at:02}-configuration-{at * 7919 % 997}" for at in range(67)]
    runs: list[Row] = []
    for at in range(500):
        base = draw.lognormvariate(2, 3)
        for name in names:
            time = base * draw.lognormvariate(0, 1)
            solved = time < 5000
            kept = round(time, 3) if solved else 5000
            runs.append((f"instance-{at}", 1, name, kept, "ok" if solved else "timeout"))
    folder = write_scenario(home / "LARGE", runs=runs, cutoff="5000")
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    return home / "lake"


def hopeless(home: Path) -> Path:
    """Scenario NONE: three algorithms and two selectors, and every run a timeout."""
    names = [f"i{at}" for at in range(6)]
    runs: list[Row] = [(name, 1, algorithm, 100, "timeout") for name in names for algorithm in "abc"]
    folds = {name: at % 2 + 1 for at, name in enumerate(names)}
    folder = write_scenario(home / "NONE", runs=runs, folds=folds)
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    answers = [f"{name},{chosen},always-{chosen}" for name in names for chosen in "ab"]
    file = home / "answers.csv"
    file.write_text("\n".join(["instance_id,algorithm,selector", *answers, ""]))
    (said, *_) = import_selections(file, lake=home / "lake", scenario="NONE")
    assert said.error is None, said.error
    return home / "lake"


def rich(home: Path) -> Path:
    """A lake of TOY, of RICH, which has some of everything, and of QUALITY.

    RICH: 9 algorithms with ties and every status, 30 instances, 4 selectors, more features. QUALITY: 3
    algorithms by a quality to be maximised, 2 selectors.
    """
    lake = toy(home)
    names = [f"j{at:02}" for at in range(30)]
    algorithms = [f"a{at}" for at in range(9)]
    bad = ("timeout", "memout", "crash", "not_applicable", "other")
    runs: list[Row] = []
    for i, name in enumerate(names):
        for a, algorithm in enumerate(algorithms):
            time = (i * (2 * a + 3) + a * a * 5) % 31 * 3.25 + a / 8
            if algorithm == "a8":  # nowhere better than a7, often as good
                time = runs[-1][3] + (i % 3)
            solved = time < 60 + 4 * a and i < 28
            status = "ok" if solved else bad[(i + a) % 5]
            runs.append((name, 1, algorithm, time if solved else 100, status))
    folds = {name: at % 3 + 1 for at, name in enumerate(names)}
    folder = write_scenario(home / "RICH", runs=runs, folds=folds, description=FEATURES)
    values = [(n, 1, i % 7, 4 if i % 2 else None) for i, n in enumerate(names)]
    write(folder, "feature_values", {"size": "NUMERIC", "depth": "NUMERIC"}, values)
    costs = [(n, 1, 0.25, None if i == 5 else i / 3) for i, n in enumerate(names)]
    write(folder, "feature_costs", {"cheap": "NUMERIC", "dear": "NUMERIC"}, costs)
    ends = ("ok", "presolved", "timeout")
    ran = [(n, 1, "ok", ends[i % 7] if i % 7 < 3 else "ok") for i, n in enumerate(names)]
    kind = "{ok, presolved, timeout}"
    write(folder, "feature_runstatus", {"cheap": kind, "dear": kind}, ran)
    times = [[run[3] for run in runs[9 * i : 9 * i + 9]] for i in range(30)]
    choice = {
        "oracle": [f"a{row.index(min(row))}" for row in times],
        "coin": [f"a{i % 2 * 4}" for i in range(30)],
        "steady": ["a0"] * 30,
        "worst": [f"a{row.index(max(row))}" for row in times],
    }
    _answer(home, lake, "RICH", choice, names)
    gains = [
        (f"q{i}", 1, name, (i * step + 2) % 9 + at / 4, "ok")
        for i in range(12)
        for at, (name, step) in enumerate((("up", 2), ("down", 7), ("even", 5)))
    ]
    measures = [("gain", "solution_quality", "true")]
    folds = {f"q{i}": i % 2 + 1 for i in range(12)}
    write_scenario(home / "QUALITY", runs=gains, folds=folds, measures=measures)
    asked = {"oracle": ["up", "down", "even"] * 4, "coin": ["even", "even", "up", "down"] * 3}
    _answer(home, lake, "QUALITY", asked, [f"q{i}" for i in range(12)])
    return lake


def _answer(home: Path, lake: Path, scenario: str, chosen: dict[str, list[str]], names: list[str]) -> None:
    """Import a scenario of ``home`` and what selectors choose on it."""
    (outcome,) = ae.import_scenarios([home / scenario], into=lake)
    assert outcome.error is None, outcome.error
    lines = ["instance_id,algorithm,selector"]
    for selector, answers in chosen.items():
        lines += [f"{n},{a},{selector}" for n, a in zip(names, answers, strict=True)]
    file = home / f"{scenario}.csv"
    file.write_text("\n".join([*lines, ""]))
    for said in import_selections(file, lake=lake, scenario=scenario):
        assert said.error is None, said.error


def many(home: Path) -> Path:
    """Scenario MANY: more of everything than a page shows or colours.

    410 instances, 26 algorithms, 45 features of which 42 lack values.
    """
    names = [f"m{at:03}" for at in range(410)]
    runs: list[Row] = []
    for i, name in enumerate(names):
        for a in range(26):
            time = (i * (a + 7) + 13 * a) % 101 + a / 32
            solved = time < 90
            status = "ok" if solved else "timeout"
            runs.append((name, 1, f"a{a:02}", time if solved else 100, status))
    features = [f"f{at:02}" for at in range(45)]
    description = f"features_deterministic: [{', '.join(features)}]"
    folder = write_scenario(home / "MANY", runs=runs, description=description)
    lacking = [[None if i < 3 * f - 6 else i % (f + 1) for f in range(45)] for i in
               range(410)]  # fmt: skip
    values = [(n, 1, *row) for n, row in zip(names, lacking, strict=True)]
    write(folder, "feature_values", dict.fromkeys(features, "NUMERIC"), values)
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    return home / "lake"
