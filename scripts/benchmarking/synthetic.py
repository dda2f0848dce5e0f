"""Scenarios of made-up runs, the same from the same seed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

ALGORITHMS = 20
INSTANCES = 500
_CUTOFF = 5000
_FOLDS = 10
_RUNS = """@RELATION runs
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE algorithm STRING
@ATTRIBUTE runtime NUMERIC
@ATTRIBUTE runstatus {ok, timeout, memout, not_applicable, crash, other}
@DATA
"""
_FOLD = """@RELATION cv
@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE fold NUMERIC
@DATA
"""


def write_scenarios(into: Path, *, scenarios: int, instances: int, seed: int) -> None:
    """Write folders S0001, S0002, ... of ``instances`` times 20 runs each.

    An instance is hard and an algorithm slow by a normal number each, and their runtime is lognormal about
    the sum; about one run in seven ends at the cutoff.
    """
    for number in range(1, scenarios + 1):
        name = f"S{number:04}"
        folder = into / name
        folder.mkdir(parents=True)
        names = [f"a{n:02}" for n in range(ALGORITHMS)]
        description = [
            f"scenario_id: {name}",
            *("performance_measures:", "- runtime", "maximize:", "- false"),
            *("performance_type:", "- runtime", f"algorithm_cutoff_time: {_CUTOFF}"),
            *("metainfo_algorithms:", *(f"  {algorithm}: {{}}" for algorithm in names)),
        ]
        (folder / "description.txt").write_text("\n".join(description) + "\n")
        with (folder / "algorithm_runs.arff").open("w") as file:
            file.write(_RUNS)
            random = Random(f"{seed} {number}")  # noqa: S311 - the same every time
            file.writelines(_lines(instances, names, random))
        folds = (f"i{n},1,{n % _FOLDS + 1}\n" for n in range(instances))
        (folder / "cv.arff").write_text(_FOLD + "".join(folds))


def _lines(instances: int, names: list[str], random: Random) -> Iterator[str]:
    slow = [random.gauss(0, 0.5) for _ in names]
    for instance in range(instances):
        hard = random.gauss(6, 2)
        for name, slower in zip(names, slow, strict=True):
            time = math.exp(hard + slower + random.gauss(0, 1))
            if time < _CUTOFF:
                yield f"i{instance},1,{name},{time:.3f},ok\n"
            else:
                yield f"i{instance},1,{name},{_CUTOFF},timeout\n"
