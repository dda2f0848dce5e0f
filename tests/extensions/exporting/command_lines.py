"""Command lines of ``export`` (for every option, without it and with it) and more."""

from __future__ import annotations

BASE = {"export": "raw_scenario --format csv -o out"}
OPTIONS = {
    "export": {
        "--format": "--format parquet",
        "--scheme": ("=--format aslib -o out", "--scheme nothing"),
        "--output": "-o other",
    }
}
NEEDS = {"export": ["-o", "{to}"]}
SHOWN_NAMES = {"export --format aslib -o {tmp}/out"}
HANDED_OVER = {"lake snapshot"}
ASKED = {"lake snapshot": "--lake {copy} snapshot"}
