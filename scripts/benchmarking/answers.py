"""Cold and warm questions over a folder of scenarios, against the yardsticks."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .kept import Kept, Made
from .processes import Programs, Taken

PROTOCOLS = (
    *("default", "amadini2023", "oasc2017", "icon2015", "tornede2020"),
    *("aslibscenario", "asf", "autofolio", "llama"),
)
A, L = "A: asf reads the folders", "L: python imports duckdb and polars"
IMPORT, SELECTIONS = "import", "import of the selections"
COLD, ANSWER = "cold `gap`", "from folders to answers: import and cold `gap`"
SUITE, NINE = "cold, everything", "cold, everything, nine protocols"
CONNECT = "`connect` to a lake of one scenario"
ONE, TWO = "`build --jobs 1`", "`build --jobs 2`"
FIRST, AGAIN = "first `report`", "`report` again, nothing changed"
_EVERYTHING = ("query", "from suite_solver", "--timeout", 36000)
_WARM: dict[str, Sequence[object]] = {
    "warm `gap`": ("gap",),
    "warm `score`": ("score",),
    "warm `list`": ("list",),
    "warm `compare`": ("compare",),
    'warm `query "from solver_score"`': ("query", "from solver_score"),
}
_SOLVED = re.compile(r",([0-9.]+)(,ok *)$", re.MULTILINE)
# Its clock and its CPU time say how long connect() took, without the imports.
_CONNECT = """import json, sys, time, duckdb, polars, pyarrow
import aslib_eval as ae
start, used = time.perf_counter(), time.process_time()
ae.connect(sys.argv[1])
wall, cpu = time.perf_counter() - start, time.process_time() - used
print(json.dumps({"wall": wall, "cpu": cpu, "peak": 0}))"""


@dataclass(frozen=True)
class Target:
    """What a task may take at most, ``told`` in words.

    ``seconds`` makes it of what the others took in the same round. ``memory`` [MB]. ``cpu``: the target is
    for the CPU time, and not for the clock.
    """

    told: str
    seconds: Callable[[Mapping[str, float]], float] | None = None
    memory: float | None = None
    cpu: bool = False


def replaced(name: str) -> str:
    """The task of a question after that scenario has been replaced."""
    return f"`gap` after replacing {name}"


def of_one(name: str) -> str:
    """The task of a warm question over one scenario."""
    return f"warm `gap --scenario {name}`"


def targets(one: str, largest: str) -> dict[str, Target]:
    """The target of each task that has one."""
    tenth = Target("L + A/10, 300 MB", lambda s: s[L] + s[A] / 10, memory=300)
    eighth = Target("L + A/8", lambda s: s[L] + s[A] / 8)
    return {
        IMPORT: Target("L + A/3", lambda s: s[L] + s[A] / 3),
        ANSWER: Target("2 L + 0.9 A", lambda s: 2 * s[L] + 0.9 * s[A]),
        SUITE: Target("L + 1.2 A", lambda s: s[L] + 1.2 * s[A]),
        NINE: Target("8 times everything cold", lambda s: 8 * s[SUITE]),
        **dict.fromkeys(_WARM, tenth),
        of_one(one): Target("2.5 L", lambda s: 2.5 * s[L]),
        replaced(one): eighth,
        replaced(largest): eighth,
        CONNECT: Target("0.15 s of CPU", lambda _: 0.15, cpu=True),
        TWO: Target("1/1.7 of one job", lambda s: s[ONE] / 1.7),
        FIRST: Target("700 MB", memory=700),
        AGAIN: Target("1/10 of the first", lambda s: s[FIRST] / 10),
    }


@dataclass(frozen=True)
class Bench:
    """The scenarios, a folder to work in, and lakes that were made there.

    ``selections`` is a folder of <scenario>/<selector>.json.
    """

    folder: Path
    folders: Sequence[Path]
    selections: Path | None
    work: Path
    programs: Programs
    ready: dict[str, Path] = field(default_factory=dict)

    def ask(self, lake: Path, *words: object) -> Taken:
        """A question to a lake."""
        return self.programs.aslib_eval(*words, "--lake", lake)

    def fill(self, lake: Path, source: Path) -> Made:
        """Import scenarios; where they are all of them, the selections as well."""
        made = {IMPORT: self.ask(lake, "import", source)}
        if self.selections is not None and source == self.folder:
            made[SELECTIONS] = self.ask(lake, "import-selection", self.selections)
        return made

    def lake(self, name: str, source: Path) -> Path:
        """A lake of those scenarios, filled when it is asked for first."""
        if name not in self.ready:
            self.ready[name] = self.work / f"lake-{name}"
            self.fill(self.ready[name], source)
        return self.ready[name]

    def warm(self) -> Path:
        """The lake that every warm question has been put to."""
        lake = self.lake("warm", self.folder)
        if "asked" not in self.ready:
            self.ready["asked"] = lake
            for words in _WARM.values():
                self.ask(lake, *words)
        return lake


def bench_of(folder: Path, *, selections: Path | None, work: Path, programs: Programs) -> Bench:
    """The scenarios in a folder and the selections that are for them."""
    below = sorted(path.parent for path in folder.glob("*/description.txt"))
    folders = below or [folder]
    known = None
    if selections is not None:
        known = work / "selections"
        for each in folders:
            for file in sorted((selections / each.name).glob("*.json")):
                (known / each.name).mkdir(parents=True, exist_ok=True)
                shutil.copy(file, known / each.name)
    return Bench(folder, folders, known, work, programs)


def size_of(folder: Path) -> int:
    """How large the runs of a scenario are [byte]; 0 without runs."""
    runs = folder / "algorithm_runs.arff"
    return runs.stat().st_size if runs.exists() else 0


def answers(bench: Bench, *, scenario: str, rounds: int, kept: Kept) -> None:
    """Measure all questions; ``scenario`` is the one that is asked for alone."""
    by_name = {folder.name: folder for folder in bench.folders}
    one = by_name.get(scenario, bench.folders[0])
    largest = max(bench.folders, key=size_of)
    tasks: dict[str, Callable[[], Made]] = {
        "A": lambda: {A: yardstick(bench, kept)},
        "L": lambda: {L: bench.programs.python("-c", "import duckdb, polars")},
        "cold": partial(_cold, bench),
        **{
            name: partial(_warm, bench, name, words)
            for name, words in (*_WARM.items(), (of_one(one.name), ("gap", "--scenario", one.name)))
        },
        **{replaced(folder.name): partial(_replaced, bench, folder) for folder in {one, largest}},
        CONNECT: lambda: {CONNECT: _connected(bench, one)},
    }
    take_turns("answers", tasks, rounds=rounds, kept=kept)
    known = {
        "scenarios": len(bench.folders),
        "bytes": sum(p.stat().st_size for f in bench.folders for p in f.glob("*.arff")),
        "selections": len([*(bench.selections or bench.work / "-").glob("*/*.json")]),
        "one": one.name,
        "largest": largest.name,
    }
    kept.know("answers", {**kept.facts.get("answers", {}), **known})


def take_turns(part: str, tasks: Mapping[str, Callable[[], Made]], *, rounds: int, kept: Kept) -> None:
    """Measure all tasks of a part in every round, each round beginning with another."""
    names = list(tasks)
    for turn in range(rounds):
        at = turn % len(names)
        for name in names[at:] + names[:at]:
            kept.measure(part, name, turn, tasks[name])


def yardstick(bench: Bench, kept: Kept) -> Taken:
    """What asf takes to read the folders; what it does not read is kept as a fact."""
    found = bench.programs.found("-m", "benchmarking.yardstick", *bench.folders)
    facts = kept.facts.get("answers", {})
    kept.know("answers", {**facts, "refused": found["refused"]})
    return Taken(found["wall"], found["cpu"], 0)


def _cold(bench: Bench) -> Made:
    """From nothing: an import, then what no result is there for."""
    lake = bench.work / "fresh"
    shutil.rmtree(lake, ignore_errors=True)
    shutil.rmtree(bench.programs.home, ignore_errors=True)
    made = dict(bench.fill(lake, bench.folder))
    asked: Iterable[tuple[str, Sequence[object]]] = (
        (COLD, ("gap",)),
        (SUITE, _EVERYTHING),
        (NINE, (*_EVERYTHING, *(w for p in PROTOCOLS for w in ("--protocol", p)))),
    )
    for name, words in asked:
        bench.programs.forget(lake)
        made[name] = bench.ask(lake, *words)
    both = made[IMPORT], made[COLD]
    peak = max(taken.peak for taken in both)
    made[ANSWER] = Taken(sum(t.wall for t in both), sum(t.cpu for t in both), peak)
    return made


def _warm(bench: Bench, name: str, words: Sequence[object]) -> Made:
    return {name: bench.ask(bench.warm(), *words)}


def _replaced(bench: Bench, folder: Path) -> Made:
    """A question after a scenario was replaced by itself with one run twice as fast."""
    other = bench.work / "one-run-faster" / folder.name
    if not other.exists():
        shutil.copytree(folder, other)
        runs = other / "algorithm_runs.arff"
        text = runs.read_text()
        runs.write_text(_SOLVED.sub(lambda m: f",{float(m[1]) / 2}{m[2]}", text, 1))
    lake = bench.lake("replaced", bench.folder)
    bench.ask(lake, "import", folder)
    bench.ask(lake, "gap")
    bench.ask(lake, "import", other)
    return {replaced(folder.name): bench.ask(lake, "gap")}


def _connected(bench: Bench, folder: Path) -> Taken:
    lake = bench.lake("one", folder)
    bench.programs.found("-c", _CONNECT, lake)
    return Taken(**bench.programs.found("-c", _CONNECT, lake))


def workers(bench: Bench, *, rounds: int, kept: Kept) -> None:
    """Measure what a second worker is worth: building all results with one and two."""

    def build(name: str, jobs: int) -> Made:
        lake = bench.lake("built", bench.folder)
        bench.programs.forget(lake)
        return {name: bench.ask(lake, "build", "--jobs", jobs)}

    tasks = {ONE: partial(build, ONE, 1), TWO: partial(build, TWO, 2)}
    take_turns("workers", tasks, rounds=rounds, kept=kept)


def report(bench: Bench, *, rounds: int, kept: Kept) -> None:
    """Measure the report, and what it takes once more."""

    def both() -> Made:
        lake = bench.lake("reported", bench.folder)
        bench.programs.forget(lake)
        to = bench.work / "report"
        shutil.rmtree(to, ignore_errors=True)
        return {name: bench.ask(lake, "report", "-o", to) for name in (FIRST, AGAIN)}

    take_turns("report", {"report": both}, rounds=rounds, kept=kept)
