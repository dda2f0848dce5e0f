"""A TOML file of settings beside a scenario's files, and everything wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aslib_eval.errors import Finding

# Key → whether a value will do, and what it must be in words.
Keys = Mapping[str, tuple[Callable[[Any], bool], str]]


def read_settings_file(
    content: bytes, *, file: str, code: str, keys: Keys
) -> tuple[dict[str, Any], list[Finding]]:
    """The values by their keys, and findings of that code: not TOML, or wrong keys."""
    try:
        raw = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:  # also of a number without end
        return {}, [Finding(code, "error", file, None, f"is not TOML ({error})")]
    faults = [
        Finding(code, "error", file, line_of(content, key), what)
        for key, what in _faults(raw, keys)
    ]
    return raw, faults


def is_text(value: Any) -> bool:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def line_of(content: bytes, key: str) -> int | None:
    """The first line that begins with the key, as far as that can be determined."""
    for number, line in enumerate(content.decode().split("\n"), 1):
        start = line.partition("=")[0].partition("#")[0].replace('"', "")
        if start.strip().strip("[]").strip() == key:
            return number
    return None


def _faults(raw: Mapping[str, Any], keys: Keys) -> Iterator[tuple[str, str]]:
    for key, value in raw.items():
        if (right := keys.get(key)) is None:
            yield key, f"unknown key {key!r}; there are {', '.join(keys)}"
        elif not right[0](value):
            yield key, f"{key} must be {right[1]}"
