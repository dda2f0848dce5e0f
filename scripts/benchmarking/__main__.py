"""``scripts/benchmark``: measure, print tables, and write them into the documents."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from . import answers, competitions, growth, routing, tables
from .kept import Kept, kept_in
from .processes import Programs

PARTS = ("imports", "answers", "workers", "growth", "report", "competitions", "routing", "whole")


def options(words: list[str]) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(prog="scripts/benchmark")
    parser.add_argument("folder", type=Path, help="folder of ASlib scenarios, or one")
    parser.add_argument("--selections", type=Path, metavar="DIR", help="<scenario>/<selector>.json")
    parser.add_argument(
        "--parts", default="imports,answers,workers,growth", help="and report, competitions, routing, whole"
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--growth-rounds", type=int, default=3, metavar="N")
    parser.add_argument("--runs", default="100000,1000000,10000000", metavar="N,...")
    parser.add_argument("--one-runs", default="10000,100000,1000000", metavar="N,...")
    parser.add_argument("--scenario", default="MIP-2016", help="asked for alone")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep measurements; go on from them")
    parser.add_argument("--docs", type=Path, metavar="DIR", help="write tables there")
    parser.add_argument("--work", type=Path, metavar="DIR", help="for lakes; else /tmp")
    asked = parser.parse_args(words)
    asked.parts = asked.parts.split(",")
    found = ("description.txt", "*/description.txt")
    if not any(file for glob in found for file in asked.folder.glob(glob)):
        parser.error(f"no scenario in {asked.folder}: name a folder that holds some")
    if unknown := set(asked.parts) - {*PARTS, ""}:
        parser.error(f"no part {', '.join(sorted(unknown))}: {', '.join(PARTS)}")
    return asked


def measure(asked: argparse.Namespace, work: Path, kept: Kept) -> None:
    """All parts that are asked for; growth last, as it limits open files for good."""
    programs = Programs(work / "home")
    bench = answers.bench_of(
        asked.folder.resolve(), selections=asked.selections, work=work, programs=programs
    )
    names = [folder.name for folder in bench.folders]
    if kept.facts.setdefault("scenarios", names) != names:
        raise SystemExit(f"{asked.keep} is of other scenarios: name another --keep.")
    if "imports" in asked.parts and "imports" not in kept.facts:
        words = ("-m", "benchmarking.imports", asked.rounds, *bench.folders)
        kept.know("imports", programs.found(*words))
    if "answers" in asked.parts:
        answers.answers(bench, scenario=asked.scenario, rounds=asked.rounds, kept=kept)
    if "workers" in asked.parts:
        answers.workers(bench, rounds=asked.rounds, kept=kept)
    if "report" in asked.parts:
        answers.report(bench, rounds=asked.growth_rounds, kept=kept)
    made_up(asked, work, programs, kept)
    if growth.WHOLE in asked.parts:
        growth.limit_files()
        of = bench.folder, names[0], work / "lake-whole", programs
        kept.measure(growth.WHOLE, growth.IMPORT, 0, partial(growth.asked, *of))
    if "growth" in asked.parts:
        growth.limit_files()
        for part, sizes in ((growth.MANY, asked.runs), (growth.SINGLE, asked.one_runs)):
            growth.grow(
                part,
                [int(size) for size in sizes.split(",")],
                rounds=asked.growth_rounds,
                work=work,
                programs=programs,
                kept=kept,
            )


def made_up(asked: argparse.Namespace, work: Path, programs: Programs, kept: Kept) -> None:
    """The parts of files that are made for them alone."""
    if competitions.PART in asked.parts:
        competitions.competitions(rounds=asked.rounds, work=work, programs=programs, kept=kept)
    if routing.PART in asked.parts:
        routing.routing(rounds=asked.growth_rounds, work=work, programs=programs, kept=kept)


def main(words: list[str]) -> None:
    """Measure what is not kept yet, then print; progress goes to stderr."""
    asked = options(words)
    kept = kept_in(asked.keep)
    python = platform.python_version()
    kept.know("machine", f"{platform.machine()}, {os.cpu_count()} cores, Python {python}")
    with TemporaryDirectory(prefix="aslib-benchmark-", dir=asked.work) as work:
        measure(asked, Path(work), kept)
    print("\n\n".join(f"## {part}\n\n{text}" for part, text in tables.texts(kept).items()))
    if asked.docs:
        tables.publish(kept, asked.docs)


if __name__ == "__main__":
    main(sys.argv[1:])
