"""A small sample of each format, and the command that reads it."""

from __future__ import annotations

import io
import json
import re
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from attacking.child import command

ROOT = Path(__file__).parent.parent.parent
TOY = ROOT / "scenarios" / "TOY-2026"
SELECTIONS = ROOT / "scenarios" / "selections" / "TOY-2026"


@dataclass(frozen=True)
class Sample:
    """An input: ``make`` writes its files into a folder, ``use`` reads them.

    ``victims``: the files that may be damaged, below the folder. The lake lies beside them and holds
    TOY-2026.
    """

    make: Callable[[Path], None]
    use: Callable[[Path, Path], None]
    victims: Sequence[str] = ("**/*",)

    def files(self, folder: Path) -> list[Path]:
        """What may be damaged, in a fixed order."""
        found = {p for glob in self.victims for p in folder.glob(glob) if p.is_file()}
        return sorted(found)


def _import(what: str) -> Callable[[Path, Path], None]:
    def use(folder: Path, lake: Path) -> None:
        command("import", folder / what, "--lake", lake)

    return use


# --- scenarios ----------------------------------------------------------------------


def _toy(folder: Path) -> None:
    shutil.copytree(TOY, folder / "TOY-2026")


def _contest(folder: Path) -> None:
    for part in ("train", "test"):
        shutil.copytree(TOY, folder / "CONTEST" / part)
    test = folder / "CONTEST" / "test"
    (test / "cv.arff").unlink()
    for file in test.glob("*.arff"):  # other instances than those of the training
        lines = [
            re.sub(r"^([a-z]+_\d)", r"other_\1", line)
            for line in file.read_text().splitlines(keepends=True)
        ]
        file.write_text("".join(lines))


def _archive(suffix: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        path = folder / f"TOY-2026{suffix}"
        files = sorted(TOY.iterdir())
        if suffix == ".zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for file in files:
                    archive.write(file, f"TOY-2026/{file.name}")
            return
        mode = {".tar.gz": "w:gz", ".tar.xz": "w:xz"}[suffix]
        with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
            for file in files:
                info = tarfile.TarInfo(f"TOY-2026/{file.name}")
                content = file.read_bytes()
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))

    return make


def _text(files: Mapping[str, str]) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    return make


def _table(header: str, rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows), ""])


_HASHES = ["0" * 31 + digit for digit in "123"]
_SATCOMP = {
    "sat2023/results_main_detailed.csv": _table(
        "hash,one,two,aresult",
        (
            (_HASHES[0], 1.5, 10000, "sat"),
            (_HASHES[1], 4999, 7, "unsat"),
            (_HASHES[2], 10000, 10000, "unknown"),
        ),
    ),
    "sat2023/bench_meta.csv": _table("hash,author,family", ((each, "me", "crypto") for each in _HASHES)),
}
_BENCHMARK = {"incremental": False, "logic": "QF_BV", "family": ["f"], "name": "a.smt2"}
_SMTCOMP = {
    "smt2025/results-sq-2025.json": json.dumps(
        {
            "results": [
                {
                    "track": "SingleQuery",
                    "solver": solver,
                    "file": _BENCHMARK,
                    "result": result,
                    "cpu_time": 2.5,
                    "wallclock_time": 1.5,
                }
                for solver, result in (("one", "sat"), ("two", "Timeout"))
            ]
        },
        indent=1,
    ),
    "smt2025/benchmarks-2025.json": json.dumps(
        {"non_incremental": [{"file": _BENCHMARK, "status": "sat", "asserts": 9}]}
    ),
}
_MINIZINC = {
    "2019.results.json": json.dumps(
        {
            "results": {
                "solvers": ["one-fd", "two-free"],
                "fd_solvers": [True, False],
                "free_solvers": [True, True],
                "problems": ["vrp", "tsp"],
                "kind": ["MIN", "SAT"],
                "instances": [[0, 1], [2]],
                "benchmarks": ["a", "b", "c"],
                "results": [["SC", "S", "UNK"], ["S", "SC", "SC"]],
                "times": [[500, 1_200_000, 1_200_000], [700, 30_250, 8000]],
                "objectives": [[40, 7, " "], [41, 6, 0]],
            },
            "locations": {},
        },
        indent=1,
    )
}
_MAXSAT = {
    "2022/complete-weighted.table-all.html": "<table border='1'>\n"
    "<tr><th>Benchmark</th><th>One</th><th>Two</th></tr>\n"
    "<tr><td>a.wcnf</td><td>136.86 (35)</td><td>3600.0 (-)</td></tr>\n"
    "<tr><td>b.wcnf</td><td>0.04 (0)</td><td>12.5 (0)</td></tr></table>\n"
}
_PAIR = "MARKOV\n2\n2 2\n2\n1 0\n2 0 1\n2\n6 4\n4\n1 9\n4 1\n"
_UAI = {
    "C/contest.toml": 'name = "C"\nlimits = [20, 1200]\nweights = [1, 3]\n',
    "C/networks/free.uai": _PAIR,
    "C/networks/seen.uai": _PAIR,
    "C/evidence/seen.uai.evid": "1 1 0\n",
    "C/queries/free.uai.query": "1 1\n",
    "C/answers/a/free.uai.PR": "PR\n1.892\n",
    "C/answers/b/free.uai.PR": "PR\n1.903\n",
    "C/answers/b/seen.uai.MAR": "MAR\n2 2 0.2 0.8 2 1 0\n",
    "C/answers/a/free.uai.MAP": "MAP\n2 0 1\n",
}


def _data(**variables: Sequence[object]) -> dict[str, object]:
    held = {
        name: {
            "dims": ["iter", "suggestion"][: 1 + isinstance(values[0], list)],
            "attrs": {},
            "data": values,
        }
        for name, values in variables.items()
    }
    return {"coords": {}, "attrs": {}, "dims": {}, "data_vars": held}


def _bayesmark(folder: Path) -> None:
    for number, opt in enumerate(("RandomSearch", "Tree", "Tree", "RandomSearch")):
        args = {"--opt": opt, "opt_rev": "1", "rev": "8c420e9", "--metric": "acc"}
        args |= {"--classifier": "kNN", "--data": "iris"}
        values = [[3.0 - number, 2.5], [2.0, 1.5 + number], [1.0, 4.0]]
        parts = {
            "eval": _data(_visible_to_opt=values),
            "time": _data(suggest=[1, 1, 1], observe=[0, 1, 0], eval=values),
        }
        for part, data in parts.items():
            path = folder / "STUDY" / part / f"{number:032x}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"meta": {"args": args}, "data": data}))


_RESULTS = _table(
    "task,method,seed,metric,value",
    [
        (task, method, seed, metric, value / seed)
        for task in ("iris", "wine")
        for method, value in (("A", 0.5), ("B", 0.25))
        for seed in (1, 2)
        for metric in ("f1", "latency")
    ],
)
_EVALUATIONS = _table(
    "problem,method,trial,iteration,value",
    [
        (problem, method, trial, step, step * trial % 7)
        for problem in ("p", "q")
        for method in ("RandomSearch_1", "Tree")
        for trial in (1, 2)
        for step in (1, 2, 3)
    ],
)


# --- what is said of them, and asked ------------------------------------------------


def _schedule(folder: Path) -> None:
    (folder / "TOY-2026").mkdir()
    shutil.copy(SELECTIONS / "asap.json", folder / "TOY-2026" / "mine.json")


def _choices(folder: Path) -> None:
    said = json.loads((SELECTIONS / "rf.json").read_text())
    rows = []
    for instance, steps in said.items():
        pairs = [step for step in steps if isinstance(step, list)]
        rows.append((instance, pairs[0][0]))
    (folder / "TOY-2026").mkdir()
    text = _table("instance,algorithm", rows)
    (folder / "TOY-2026" / "mine.csv").write_text(text)


def _outcomes(folder: Path) -> None:
    said = json.loads((SELECTIONS / "rf.json").read_text())
    rows = [(name, 3 + at, "ok") for at, name in enumerate(said)]
    (folder / "TOY-2026").mkdir()
    text = _table("instance,time,status", rows)
    (folder / "TOY-2026" / "mine.csv").write_text(text)


def _say(folder: Path, lake: Path) -> None:
    command("import-selection", folder, "--lake", lake)


_PROTOCOL = """protocol = "mine"
measures = "all"
penalty = 2.5
at_cutoff = "solved"
presolving = false
sbs_scope = "all"
gap_floor = -1.0
borda_delta = 1
source = "nobody 2026"
"""


def _show(folder: Path, lake: Path) -> None:
    del lake
    command("protocols", "show", folder / "mine.toml")


_MANIFEST = """scenarios = ["TOY*"]
protocols = ["asf", "default"]
output = "paper"

[[table]]
name = "scenarios"
file = "gap.tex"
bare = true

[[macros]]
name = "scenarios"
protocols = ["llama"]
file = "deep/numbers.tex"
"""


def _build(folder: Path, lake: Path) -> None:
    command("paper", "build", folder / "aslib-eval.toml", "--lake", lake)


def _recorded(folder: Path) -> None:
    """A manifest that was built from a lake of its own."""
    from attacking.child import call

    (folder / "aslib-eval.toml").write_text(_MANIFEST)
    for words in (
        ("import", TOY, "--lake", folder / "lake"),
        ("paper", "build", folder / "aslib-eval.toml"),
    ):
        ended = call(lambda words=words: command(*words))
        if ended.code:
            raise RuntimeError(ended.errors)


def _check(folder: Path, lake: Path) -> None:
    del lake
    command("paper", "check", folder / "aslib-eval.toml")


def run_plan(log: Path) -> None:
    """Two programs that print what they are given; their runs go into the log."""
    words = ["-a", "A=echo {instance} {seed}", "-a", "B=echo {seed}", "--se", "0.01"]
    words += ["--budget", "8", "--start", "2", "--log", str(log), "--format", "csv"]
    command("plan", "runs", *words, "i1", "i2")


def _logged(folder: Path) -> None:
    from attacking.child import call

    ended = call(lambda: run_plan(folder / "runs.csv"))
    if ended.code:
        raise RuntimeError(ended.errors)


def _go_on(folder: Path, lake: Path) -> None:  # noqa: ARG001
    run_plan(folder / "runs.csv")


SAMPLES: Mapping[str, Sample] = {
    "aslib": Sample(_toy, _import("TOY-2026")),
    "aslib-contest": Sample(_contest, _import("CONTEST")),
    "tar.gz": Sample(_archive(".tar.gz"), _import("TOY-2026.tar.gz")),
    "tar.xz": Sample(_archive(".tar.xz"), _import("TOY-2026.tar.xz")),
    "zip": Sample(_archive(".zip"), _import("TOY-2026.zip")),
    "bayesmark": Sample(_bayesmark, _import("STUDY")),
    "evaluations": Sample(_text({"E/evaluations.csv": _EVALUATIONS}), _import("E")),
    "results": Sample(_text({"R/results.csv": _RESULTS}), _import("R")),
    "uai": Sample(_text(_UAI), _import("C")),
    "satcomp": Sample(_text(_SATCOMP), _import("sat2023")),
    "smtcomp": Sample(_text(_SMTCOMP), _import("smt2025")),
    "minizinc": Sample(_text(_MINIZINC), _import("2019.results.json")),
    "maxsat": Sample(_text(_MAXSAT), _import("2022")),
    "schedule": Sample(_schedule, _say),
    "choices": Sample(_choices, _say),
    "outcomes": Sample(_outcomes, _say),
    "protocol": Sample(_text({"mine.toml": _PROTOCOL}), _show),
    "manifest": Sample(_text({"aslib-eval.toml": _MANIFEST}), _build),
    "paper-record": Sample(_recorded, _check, ("*.lock.json",)),
    "plan-log": Sample(_logged, _go_on),
}
