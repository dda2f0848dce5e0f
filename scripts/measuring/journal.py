"""The measurements so far: an append-only file of JSON lines that survives a kill."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .plan import Key, Outcome, Record


class Journal:
    """``DIR/journal.jsonl``; one process writes it at a time."""

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.path = folder / "journal.jsonl"
        self.sessions: list[dict[str, Any]] = []
        self.records: dict[Key, Record] = {}
        if write:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._file.close()
                raise SystemExit(f"{self.path} is being written already") from None
        whole = self._read() if self.path.exists() else 0
        if write:
            self._file.truncate(whole)  # the line that a kill cut short

    def _read(self) -> int:
        """Take in all whole lines; how many bytes they are."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        for line in content[:whole].splitlines():
            value = json.loads(line)
            if "session" in value:
                self.sessions.append(value["session"])
                continue
            key = tuple(value["key"])
            outcome = Outcome(**value["outcome"])
            self.records[key] = Record(key, outcome, value["found"], value["at"])
        return whole

    def begin(self, session: dict[str, Any]) -> None:
        """Note who measures from here on: machine, versions, load."""
        self.sessions.append(session)
        self._append({"session": session})

    def add(self, record: Record) -> None:
        """Keep a measurement; when this returns it is on the disk."""
        self.records[record.key] = record
        self._append(asdict(record))

    def _append(self, value: dict[str, Any]) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let another process write."""
        self._file.close()
