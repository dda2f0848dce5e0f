"""Results of SMT-COMP as its web site has them: a scenario for each track and division.

``results-*.json`` or ``.json.gz``::

    {"results": [{"track": "Parallel", "solver": "Yices2", "result": "sat",
                  "cpu_time": 3.5, "wallclock_time": 1.2, "nb_answers": 1,
                  "file": {"logic": "QF_BV", "family": ["2019-x"], "name": "a.smt2",
                           "incremental": false}}, …]}

``benchmarks-YEAR.json`` beside it tells what is known of the benchmarks. Until 2023 there are jobs of
StarExec, whose benchmarks lie in a folder such as ``Competition - Single Query Track``, and in 2021 and
2022 tables of the cloud and parallel tracks. ``results_file`` and ``run_tables`` read them,
``division_runs`` makes the scenarios.
"""

from __future__ import annotations

import re
from pathlib import Path

from aslib_eval.extensions.competitions.formats.raw_file import RawFormat, beginning
from aslib_eval.extensions.competitions.formats.smt.division_runs import read_division
from aslib_eval.extensions.competitions.formats.smt.results_file import (
    benchmarks_beside,
    parts_of,
    scenario_id,
)
from aslib_eval.extensions.competitions.formats.smt.run_tables import files_beside, is_run_table
from aslib_eval.formats.sources import FilesRead, Location

_ENDINGS = (".json", ".json.gz")
_BEGINS = re.compile(rb'\s*\{\s*"results"\s*:\s*\[\s*\{')
_WORDS = (b'"track"', b'"solver"', b'"file"', b'"logic"', b'"result"')
_SPACE = b"Competition - "  # of StarExec
# Of tables of cloud tracks and of the archive.
_CSV = (b"benchmark,solver,wallclock", b"benchmark,millisecond", b"benchmark_id,division")
_START = 1 << 16  # bytes in which such a file is recognised


def _find(path: Path, files: FilesRead) -> list[Location]:
    """A scenario for each track and division of a file, or of those of a folder."""
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.is_file())
        return [each for file in inside for each in _find(file, files)]
    if not _is_results(path, files):
        return []
    return [Location(path, str(path), part) for part in parts_of(path, files) or ("",)]


def _is_results(path: Path, files: FilesRead) -> bool:
    """Whether a file begins as results do; a damaged one is theirs, too."""
    if path.suffix.lower() == ".csv" and path.is_file():
        return _is_job(files.head(path).content)
    if not path.name.lower().endswith(_ENDINGS) or not path.is_file():
        return False
    start = beginning(path, files, _START)
    return bool(_BEGINS.match(start)) and all(word in start for word in _WORDS)


def _is_job(start: bytes) -> bool:
    """Whether a table begins as a job of SMT-COMP does, or its cloud tracks do."""
    if _SPACE not in start and not start.lstrip(b"\xef\xbb\xbf").startswith(_CSV):
        return False
    return is_run_table(start.decode("utf-8-sig", errors="replace"))


def _beside(path: Path) -> dict[str, Path]:
    beside = [benchmarks_beside(path), *files_beside(path)]
    return {each.name: each for each in beside if each is not None}


SMTCOMP = RawFormat(
    "smtcomp",
    _find,
    "results of SMT-COMP",
    'Such a file is .json or .json.gz and begins with {"results": [.',
    scenario_id,
    lambda raw, choices: read_division(raw, cutoff=choices.cutoff),
    _beside,
    choices=frozenset({"cutoff", "has_unit"}),
).decided()
