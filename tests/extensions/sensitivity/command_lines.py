"""Command lines of ``sweep``."""

from __future__ import annotations

BASE = {
    "sweep delta": "",
    "sweep penalty": "",
    "sweep cutoff": "",
    "sweep tolerance": "",
    "sweep scaled": "--lake {objectives}",
    "sweep definitions": "",
    "sweep choices": "default llama --scenario TOY-2026",
}
OPTIONS = {
    "sweep delta": {
        "--kind": "--kind algorithm",
        "--pooled": ("--kind algorithm", "--pooled"),
        "--show": "--show intervals",
        "--at": "--at 1",
        "--modified": ("--kind algorithm --at 1 --scenario TOY-2026", "--modified"),
    },
    "sweep penalty": {
        "--kind": "--kind algorithm",
        "--pooled": ("--kind algorithm", "--pooled"),
        "--show": "--show intervals",
        "--at": "--at 2",
    },
    "sweep cutoff": {
        "--kind": ("--show intervals --scenario B-2026", "--kind selector"),
        "--pooled": ("--kind algorithm", "--pooled"),
        "--show": "--show intervals",
        "--at": "--at 50",
        "--penalty": ("--at 50", "--penalty 2"),
    },
    "sweep tolerance": {
        "--kind": ("--at 1", "--kind algorithm"),
        "--pooled": ("--at 0.1 --kind algorithm", "--pooled"),
        "--show": "--show intervals",
        "--at": "--at 50",
        "--penalty": ("--at 50", "--penalty 2"),
    },
    "sweep scaled": {
        "--kind": "--kind selector",
        "--of": ("--at 0.5", "--of beta"),
        "--show": "--show intervals",
        "--at": "--at 0.3",
    },
    "sweep definitions": {
        "--protocol": "--protocol asf",
        "--kind": "--kind algorithm",
        "--show": "--show scores",
    },
    "sweep choices": {
        "--scenario": ("=default llama", "--scenario nothing"),
        "--metric": "--metric gap",
        "--kind": "--kind algorithm",
    },
}
TRIED = {f"sweep {name}" for name in ("tolerance", "scaled")}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "sweep delta": ("--scenario RICH", "--scenario TOY --show leaders --modified"),
    "sweep penalty": ("--kind algorithm", "--show leaders --pooled"),
    "sweep cutoff": ("--scenario RICH --show intervals", "--scenario TOY --at 20"),
    "sweep tolerance": ("--scenario RICH", "--scenario TOY --show intervals"),
    "sweep definitions": ("--scenario RICH", "--scenario RICH --show scores"),
    "sweep choices": ("amadini2023 asf --scenario RICH",),
}
