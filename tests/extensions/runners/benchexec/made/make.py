"""Run BenchExec on a few numbers, and keep its results without a word of the machine.

    python make.py FOLDER

BenchExec must be installed beside the Python that runs this. FOLDER gets the results files and the table;
the tasks and the benchmark definition are written to a folder
that is removed.
"""

from __future__ import annotations

import bz2
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PRIME = {
    "small": [2, 91, 97, 341, 561, 0],
    "large": [1_000_003, 99_999_989, 99_999_999, 900_000_000_013],
    "huge": [9_007_199_254_740_881, 9_007_199_254_740_993, 1_000_000_016_000_000_063],
}
SQUAREFREE = [30, 49, 1_000_003]
PRIMES = {2, 97, 1_000_003, 99_999_989, 900_000_000_013, 9_007_199_254_740_881}
METHODS = ("trial", "fermat", "sieve")
DEFINITION = """<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 3.0//EN"
  "https://www.sosy-lab.org/benchexec/benchmark-3.0.dtd">
<benchmark tool="solvers.primality" timelimit="2s" hardtimelimit="3s" memlimit="300 MB">
{rundefinitions}
  <tasks name="prime">
    <include>tasks/*/*.yml</include>
    <propertyfile>prime.prp</propertyfile>
  </tasks>
  <tasks name="squarefree">
    <include>tasks/*/*.yml</include>
    <propertyfile>squarefree.prp</propertyfile>
  </tasks>
</benchmark>
"""


def write_tasks(folder: Path) -> None:
    """A number and its definition for every task."""
    for kind, numbers in PRIME.items():
        (folder / "tasks" / kind).mkdir(parents=True)
        for number in numbers:
            name = folder / "tasks" / kind / f"n{number}"
            name.with_suffix(".txt").write_text(f"{number}\n")
            verdict = str(number in PRIMES).lower()
            asked = [("prime", verdict)]
            name.with_suffix(".yml").write_text(task(name.name, asked))
    for number in SQUAREFREE:
        (folder / "tasks" / "squares").mkdir(exist_ok=True)
        name = folder / "tasks" / "squares" / f"n{number}"
        name.with_suffix(".txt").write_text(f"{number}\n")
        free = str(number != 49).lower()
        prime = str(number in PRIMES).lower()
        asked = [("prime", prime), ("squarefree", free)]
        name.with_suffix(".yml").write_text(task(name.name, asked))
    for each in ("prime", "squarefree"):
        (folder / f"{each}.prp").write_text(f"the number is {each}\n")


def task(name: str, asked: list[tuple[str, str]]) -> str:
    """A task definition; the number 0 has no expected verdict."""
    lines = ["format_version: '2.0'", f"input_files: '{name}.txt'", "properties:"]
    for question, verdict in asked:
        lines.append(f"  - property_file: ../../{question}.prp")
        if name != "n0":
            lines.append(f"    expected_verdict: {verdict}")
        if question == "squarefree":
            lines.append("    subproperty: square")
    return "\n".join(lines) + "\n"


def scrubbed(text: str) -> str:
    """A results file without host, processor, kernel, environment and paths."""
    text = re.sub(r"<systeminfo.*?</systeminfo>\s*", "", text, flags=re.DOTALL)
    hidden = ("cpuCores", "host", "memoryNodes", "cpuCores-details", "start", "end")
    for title in hidden:
        text = re.sub(rf'\s*<column title="{title}"[^>]*/>', "", text)
    text = text.replace(str(HERE), ".")
    return re.sub(r'toolmodule="[^"]*"', 'toolmodule="primality"', text)


def run(*command: str, folder: Path) -> None:
    """A program of BenchExec, in a folder where the tool-info module is found."""
    program = str(Path(sys.executable).parent / command[0])
    search = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run([program, *command[1:]], cwd=folder, env=search, check=True)


def main(into: Path) -> None:
    """Make everything anew."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_tasks(folder)
        (folder / "solvers").mkdir()
        shutil.copy(HERE / "primality.py", folder / "solvers")
        definitions = "".join(
            f'  <rundefinition name="{name}"><option>{name}</option></rundefinition>\n' for name in METHODS
        )
        text = DEFINITION.format(rundefinitions=definitions)
        (folder / "numbers.xml").write_text(text)
        run(
            *("benchexec", "--no-container", "numbers.xml", "--no-compress-results"),
            *("-o", "results/"),
            folder=folder,
        )
        for path in sorted((folder / "results").glob("*.results.*.xml")):
            path.write_text(scrubbed(path.read_text()))
        files = [next(folder.glob(f"results/*.results.{m}.xml")) for m in METHODS]
        whole = [str(path.relative_to(folder)) for path in files]
        run("table-generator", "-n", "numbers", "-o", ".", *whole, folder=folder)
        run(*("table-generator", "-n", "numbers", "-o", ".", "-f", "statistics-tex"), *whole, folder=folder)
        for path in [*files, *folder.glob("results/*.results.fermat.squarefree.xml")]:
            shutil.copy(path, into / path.name)
        shutil.copy(folder / "numbers.table.csv", into)
        counted = (folder / "numbers.table.statistics.tex").read_text().split("\n")
        kept = [line for line in counted if "{Count}" in line or "{Sum}" in line]
        (into / "numbers.table.statistics.tex").write_text("\n".join(kept) + "\n")
        packed = into / Path(whole[-1]).name
        packed.with_suffix(".xml.bz2").write_bytes(bz2.compress(packed.read_bytes()))
        packed.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
