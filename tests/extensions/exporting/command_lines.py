"""Command lines of ``export``: for every option, one without it and one with it."""

from __future__ import annotations

BASE = {"export": "raw_scenario --format csv -o out"}
OPTIONS = {
    "export": {
        "--format": "--format parquet",
        "--scheme": ("=--format aslib -o out", "--scheme nothing"),
        "-o": "-o other",
    },
}
NEEDS = {"export": ["-o", "{to}"]}
SHOWN_NAMES = {"export --format aslib -o {tmp}/out"}
