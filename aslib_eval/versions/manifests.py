"""The manifest of a version: sealed with a hash of its own, and refused if damaged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from aslib_eval import lake
from aslib_eval.errors import AslibError

Manifest = dict[str, Any]
SEAL = "manifest_sha256"
_HINT = "Import the scenario again; 'aslib-eval check --lake' lists what is damaged."
_UNSEALED = 1  # manifests of this format had no seal


def seal(manifest: Manifest) -> bytes:
    """The text of a manifest, with the hash over all the rest of it."""
    whole = {key: value for key, value in manifest.items() if key != SEAL}
    whole[SEAL] = _hash(whole)
    return _text(whole)


def unseal(content: bytes, scenario_id: str, file: Path) -> Manifest:
    """The manifest that a file holds.

    Raises AslibError if the file was cut or changed, is of another scenario, or was
    written by a later version of aslib-eval.
    """
    try:
        found: Manifest = json.loads(content.decode())
        given = found.get(SEAL)
        if isinstance(given, str):
            whole = _hash({k: v for k, v in found.items() if k != SEAL}) == given
        else:
            whole = found["format"] == _UNSEALED
        whole = whole and found["scenario_id"] == scenario_id
        whole = whole and all(
            _is_relation(*each) for each in found["relations"].items()
        )
        later = whole and found.get("format", 0) > lake.FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = later = False
    if later:
        what = f"the manifest of {scenario_id} is of a later version of aslib-eval"
        raise AslibError(what, str(file), "Update aslib-eval.")
    if not whole:
        what = f"the manifest of {scenario_id} is damaged"
        raise AslibError(what, str(file), _HINT)
    return found


def _is_relation(name: Any, facts: Any) -> bool:
    return (
        name.isidentifier()
        and isinstance(facts["rows"], int)
        and isinstance(facts["bytes"], int)
        and isinstance(facts["sha256"], str)
    )


def _hash(manifest: Manifest) -> str:
    return hashlib.sha256(_text(manifest)).hexdigest()


def _text(manifest: Manifest) -> bytes:
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"
