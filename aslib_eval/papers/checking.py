"""What would change in the files of a paper that is built again, and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aslib_eval.atomic_files import mend
from aslib_eval.errors import AslibError
from aslib_eval.manifest import Manifest
from aslib_eval.papers.building import INTERRUPTED, Built, make
from aslib_eval.provenance import Provenance
from aslib_eval.tables.values import ABSENT

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """What would change in a file, from what to what, and why."""

    file: str
    what: str
    before: str
    after: str
    why: str

    def __str__(self) -> str:
        turned = f": {self.before} → {self.after}" if self.before or self.after else ""
        return f"{self.file}: {self.what}{turned} ({self.why})"


def check(manifest: Manifest) -> list[Change]:
    """Everything that would change; nothing is written.

    What a build had begun to replace that was interrupted is completed first, see
    ``replacing.mend``.
    Raises AslibError if nothing was built yet, or something cannot be made now.
    """
    lock = _read(manifest)
    found: list[Change] = []
    for built in make(manifest):
        record = lock.pop(built.item.file, None)
        file = built.item.file
        if record is None:
            found.append(Change(file, "was never built", "", "", "manifest"))
            continue
        found += _by_hand(manifest, file, record)
        found += _changes(built, record)
    gone = "is no longer in the manifest"
    return found + [Change(file, gone, "", "", "manifest") for file in sorted(lock)]


def _read(manifest: Manifest) -> dict[str, Any]:
    mend(manifest.record.parent)
    try:
        found = json.loads(manifest.record.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = "Run 'aslib-eval paper build' first."
        raise AslibError("nothing was built", str(manifest.record), hint) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, str(manifest.record), "Make it readable.") from None
    except (ValueError, RecursionError):
        found = None
    if found == INTERRUPTED:
        hint = "Run 'aslib-eval paper build' again."
        raise AslibError(f"{found}: its files are incomplete", str(manifest.path), hint)
    if not isinstance(found, dict) or not all(map(_is_record, found.values())):
        hint = "Remove it and run 'aslib-eval paper build'."
        raise AslibError("is no record of a paper", str(manifest.record), hint)
    return found


def _is_record(value: Any) -> bool:
    """Whether a build may have written this about a file."""
    if not isinstance(value, dict) or not isinstance(value.get("made_of"), dict):
        return False
    made_of = value["made_of"]
    texts = (value.get("sha256"), value.get("look"), made_of.get("code"))
    maps = (value.get("numbers"), made_of.get("scenarios"), made_of.get("protocols"))
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(each, dict) and all(isinstance(text, str) for text in each.values())
        for each in maps
    )


def _by_hand(manifest: Manifest, file: str, record: Record) -> list[Change]:
    """A file that is not as it was built."""
    path = manifest.output / file
    if not path.is_file():
        return [Change(file, "is gone", "", "", "removed by hand")]
    if hashlib.sha256(path.read_bytes()).hexdigest() != record["sha256"]:
        return [Change(file, "is not as it was built", "", "", "changed by hand")]
    return []


def _changes(built: Built, record: Record) -> Iterator[Change]:
    """Numbers that would be others; or the look, if all numbers stay."""
    file, why = built.item.file, reason(built.made_of, record["made_of"])
    old, new = record["numbers"], built.numbers
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    for name in changed:
        if built.item.kind == "figure":
            yield Change(file, f"the line of {name}", "", "", why)
        else:
            before, after = (side.get(name, ABSENT) for side in (old, new))
            yield Change(file, name, before, after, why)
    if not changed and record["look"] != built.look:
        yield Change(file, "looks different, with the same numbers", "", "", why)


def reason(now: Provenance, then: Record) -> str:
    """Which of data, protocol and code are not what they were."""
    parts = []
    scenarios = _differing(then["scenarios"], now.scenarios)
    if scenarios:
        parts.append(f"data: {', '.join(scenarios)}")
    protocols = _differing(then["protocols"], now.protocols)
    if protocols:
        parts.append(f"protocol: {', '.join(protocols)}")
    if then["code"] != now.code:
        parts.append(f"code: {then['code']} is now {now.code}")
    return "; ".join(parts) or "manifest: data, protocol and code are the same"


def _differing(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Names with another hash, new ones and gone ones."""
    words = []
    for name in sorted({*then, *now}):
        if name not in now:
            words.append(f"{name} is gone")
        elif name not in then:
            words.append(f"{name} is new")
        elif then[name] != now[name]:
            words.append(f"{name} is {now[name]}, was {then[name]}")
    return words
