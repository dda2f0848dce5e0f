"""What asf takes merely to read scenario folders, imports excluded, as JSON.

python -m benchmarking.yardstick FOLDER...

A folder that asf cannot read counts with the time until it gave up.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time


def refused_by_asf(folders: Iterable[Path]) -> dict[str, str]:
    """Read all; gives why it does not read some, by name."""
    from asf.scenario.aslib_reader import read_aslib_scenario

    refused = {}
    for folder in folders:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                read_aslib_scenario(str(folder))
        except Exception as error:  # noqa: BLE001 - whatever another tool raises
            reason = str(error).replace(f"{folder}/", "")
            refused[folder.name] = f"{type(error).__name__}: {reason}"
    return refused


def main(folders: list[Path]) -> None:
    """Print seconds by the clock and of CPU, and what was not read."""
    import asf.scenario.aslib_reader  # noqa: F401 - not on the clock

    warnings.simplefilter("ignore")
    start, used = perf_counter(), process_time()
    refused = refused_by_asf(folders)
    wall, cpu = perf_counter() - start, process_time() - used
    print(json.dumps({"wall": wall, "cpu": cpu, "refused": refused}))


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]])
