"""What is done already: one file a split, so that a killed run continues."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.versions import partition

Actions = list[tuple[str, str, float | None]]  # action, name, budget
Answered = dict[str, Actions]  # instance → its schedule
_FOLDER = ".training"


@dataclass(frozen=True)
class Journal:
    """The splits of one selector on one scenario that are done.

    ``key`` stands for everything that the answers depend on: a journal of other
    data, another seed or another version is not looked at.
    """

    lake: Path
    scenario_id: str
    selector: str
    key: str

    def read(self, cv_repetition: int, fold: int) -> Answered | None:
        """The answers of a split; None if it is not done, or the file is damaged.

        Raises AslibError if there is a file that cannot be read.
        """
        file = self._file(cv_repetition, fold)
        try:
            digest, _, text = file.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise AslibError(what, str(file), "Remove it; it is made again.") from None
        if digest != _digest(text):
            return None
        found: dict[str, list[list[str]]] = json.loads(text)
        return {
            instance: [
                (action, name, _budget(budget)) for action, name, budget in steps
            ]
            for instance, steps in found.items()
        }

    def write(self, cv_repetition: int, fold: int, answered: Answered) -> None:
        """Note a split: the hash of its answers, and they; whole or not at all.

        Raises AslibError if the lake cannot be written.
        """
        file = self._file(cv_repetition, fold)
        text = json.dumps(answered).encode()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent)
            with os.fdopen(handle, "wb") as open_file:
                open_file.write(_digest(text) + b"\n" + text)
                open_file.flush()
                os.fsync(handle)
            Path(name).replace(file)
        except OSError as error:
            what = f"cannot be written ({error.strerror or error})"
            hint = "What is done so far is kept; run it again."
            raise AslibError(what, str(self.lake), hint) from None

    def forget(self) -> None:
        """Remove what was noted: it is in the lake now."""
        shutil.rmtree(self._home(), ignore_errors=True)
        with suppress(OSError):  # until another journal is still there
            for parent in list(self._home().parents)[:3]:
                parent.rmdir()

    def _file(self, cv_repetition: int, fold: int) -> Path:
        return self._home() / f"{cv_repetition}-{fold}.json"

    def _home(self) -> Path:
        scenario = self.lake / _FOLDER / partition(self.scenario_id)
        return scenario / self.selector / self.key


def require_writable(lake: Path) -> None:
    """Raise AslibError if the lake takes no journal or no new version of a scenario."""
    folder = lake / _FOLDER
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        for path in (lake, lake / ".versions"):
            if path.is_dir() and not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        hint = "Make the lake writable or name another --lake; nothing was trained."
        raise AslibError(what, str(lake), hint) from None
    finally:
        with suppress(OSError):  # there is a journal in it
            folder.rmdir()


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def _budget(value: object) -> float | None:
    return None if value is None else float(str(value))
