"""The machine and the versions, as the readme of a scenario states them."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any


def describe(packages: Sequence[str]) -> dict[str, Any]:
    """Processor, memory, system, Python and packages, and the load just now."""
    fields = dict(_lines("/proc/cpuinfo"))
    memory = dict(_lines("/proc/meminfo")).get("MemTotal", "unknown")
    return {
        "at": time.time(),
        "processor": fields.get("model name", platform.processor() or "unknown"),
        "cache": fields.get("cache size", "unknown"),
        "cores": os.cpu_count(),
        "pinned_to": sorted(os.sched_getaffinity(0)),
        "memory": memory,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in packages},
        "load": os.getloadavg()[0],
    }


def _lines(path: str) -> list[tuple[str, str]]:
    """``key : value`` lines of a file in /proc."""
    pairs = (line.partition(":") for line in Path(path).read_text().splitlines())
    return [(key.strip(), value.strip()) for key, _, value in pairs if value]
