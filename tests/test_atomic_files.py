"""Files for users: old or new, all or none, whatever fails and whoever is killed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval import atomic_files
from aslib_eval.atomic_files import mend, replace_file, replace_files
from aslib_eval.paths import Folder
from tests.conftest import ROOT

OLD = {"a.txt": b"old a", "in/b.txt": b"old b"}
NEW = {"a.txt": b"new a", "in/b.txt": b"new b", "in/c.txt": b"new c"}


def content(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def shown(folder: Path) -> dict[str, bytes]:
    """All files but those that a writer hid: the next run removes them."""
    return {name: text for name, text in content(folder).items() if name[0] != "."}


class Shim:
    """Counts the calls that change files; the n-th fails, or ends the process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, at: int = -1) -> None:
        self.at, self.calls = at, list[str]()
        for name in ("fsync", "rename", "replace", "link", "mkdir", "unlink"):
            monkeypatch.setattr(os, name, self._failing(name, getattr(os, name)))
        for name in ("rename", "replace", "mkdir", "unlink", "write_bytes", "chmod"):
            monkeypatch.setattr(Path, name, self._failing(name, getattr(Path, name)))

    def _failing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def failing(*args: Any, **named: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) - 1 == self.at:
                raise OSError(errno.ENOSPC, "No space left on device")
            return call(*args, **named)

        return failing


def faults(write: Callable[[], object]) -> Iterator[tuple[int, bool]]:
    """Run with the first, second … call failing, until none does: (n, it failed)."""
    for at in range(200):
        with pytest.MonkeyPatch.context() as patch:
            shim = Shim(patch, at=at)
            said = ""
            try:
                write()
            except ae.AslibError as error:
                said = str(error)
        if len(shim.calls) <= at:
            return
        assert not said or "No space left on device" in said
        yield at, bool(said)


@pytest.mark.parametrize("old", [OLD, {}], ids=["over old files", "in a new folder"])
def test_a_set_is_old_or_new_whatever_call_fails(old: dict[str, bytes], tmp_path: Path) -> None:
    to = tmp_path / "out"
    outcomes = []
    if old:
        replace_files(to, old)
    for at, failed in faults(lambda: replace_files(to, NEW)):
        assert shown(to) == (old if failed else NEW), at
        outcomes.append(failed)
        for name in NEW:
            (to / name).unlink(missing_ok=True)
        if old:
            replace_files(to, old)
    assert sum(outcomes) > 10
    replace_files(to, NEW)
    assert content(to) == NEW


def test_a_file_is_old_or_new_whatever_call_fails(tmp_path: Path) -> None:
    to = tmp_path / "a.txt"
    to.write_bytes(b"old")
    tried = 0
    for at, failed in faults(lambda: replace_file(to, b"new")):
        assert shown(tmp_path) == {"a.txt": b"old" if failed else b"new"}, at
        to.write_bytes(b"old")
        tried += failed
    assert tried > 3


def test_data_is_synced_before_the_record_and_that_before_a_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_files(tmp_path, OLD)
    seen: list[str] = []
    sync, rename = atomic_files.sync, Folder.rename

    def noted(path: Path) -> str:
        parts = path.relative_to(tmp_path).parts
        hidden = bool(parts) and parts[0].startswith(atomic_files.PREFIX)
        return "/".join(parts[1:] if hidden else parts) or ("." if hidden else "to")

    def syncing(path: Path) -> None:
        seen.append(f"sync {noted(path)}")
        sync(path)

    def renaming(folder: Folder, name: str, to: Folder, new: str) -> None:
        before = "record" if name.startswith("record") else noted(folder.path / name)
        seen.append(f"{before} -> {noted(to.path / new)}")
        rename(folder, name, to, new)

    monkeypatch.setattr(atomic_files, "sync", syncing)
    monkeypatch.setattr(Folder, "sync", lambda self: syncing(self.path))
    monkeypatch.setattr(Folder, "rename", renaming)
    replace_files(tmp_path, OLD)
    at = seen.index("record -> forth.json")
    assert sorted(seen[:at]) == ["sync new", "sync new/a.txt", "sync new/in", "sync new/in/b.txt"]
    assert seen[at + 1 :] == [
        "sync .",
        "new/a.txt -> a.txt",
        "new/in/b.txt -> in/b.txt",
        "sync to",
        "sync in",
    ]


KILLED = """
    import os, sys
    from pathlib import Path
    from aslib_eval import atomic_files
    n = int(sys.argv[2])
    count = 0
    def killing(call):
        def counted(*args, **named):
            global count
            count += 1
            if count == n:
                os.kill(os.getpid(), 9)
            return call(*args, **named)
        return counted
    for name in ("fsync", "link", "mkdir", "rename", "replace", "unlink", "rmdir"):
        setattr(os, name, killing(getattr(os, name)))
    for name in ("rename", "replace", "write_bytes", "chmod"):
        setattr(Path, name, killing(getattr(Path, name)))
    files = {"a.txt": b"new a", "in/b.txt": b"new b", "in/c.txt": b"new c"}
    atomic_files.replace_files(Path(sys.argv[1]), files)
"""


def killed(folder: Path, n: int) -> bool:
    """Whether a writer that is killed at its n-th call was."""
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(folder), str(n)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, check=False, env=environment, capture_output=True)
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode != 0


@pytest.mark.slow
def test_the_next_run_mends_what_a_kill_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    mixed = said = 0
    n = 1
    while True:
        to = tmp_path / str(n)
        replace_files(to, OLD)
        if not killed(to, n):
            break
        left = shown(to)
        mixed += left not in (OLD, NEW)
        caplog.clear()
        mend(to)
        assert content(to) in (OLD, NEW), n
        assert not list(to.glob(".*")), n
        assert left in (OLD, NEW) or content(to) == NEW, n
        said += "a run was interrupted while it replaced files here (3)" in caplog.text
        assert left in (OLD, NEW) or caplog.records, n
        n += 1
    assert n > 15
    assert mixed >= 2
    assert said >= mixed


def test_a_writer_at_work_keeps_its_folder(tmp_path: Path) -> None:
    with atomic_files.replacing(tmp_path) as draft:
        draft.write("a.txt", b"one")
        replace_file(tmp_path / "b.txt", b"two")
    assert content(tmp_path) == {"a.txt": b"one", "b.txt": b"two"}


def test_nothing_is_changed_by_a_body_that_raises(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), atomic_files.replacing(tmp_path / "new" / "folder") as draft:
        draft.write("a.txt", b"one")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("record", ['["../../x"]', '{"../x": true}', "{", "3", "[" * 100_000])
def test_a_record_that_leads_elsewhere_is_refused(record: str, tmp_path: Path) -> None:
    to = tmp_path / "out"
    hidden = to / ".aslib-eval-made"
    (hidden / "new").mkdir(parents=True)
    (to / "x").write_text("new")
    (hidden / "forth.json").write_text(record)
    with pytest.raises(ae.AslibError, match=r"forth.json: is no record of a run"):
        replace_file(to / "y", b"")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["forth.json", "x"]


def test_a_link_is_refused_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    """A folder that is named by a link is written to; a link in it is not followed."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "in").symlink_to(tmp_path)
    (tmp_path / "real" / "link.txt").symlink_to("a.txt")
    replace_file(tmp_path / "link" / "a.txt", b"new")
    assert (tmp_path / "real" / "a.txt").read_bytes() == b"new"
    for name in ("link.txt", "in/b.txt"):
        with pytest.raises(ae.AslibError, match="symbolic link"):
            replace_files(tmp_path / "real", {"c.txt": b"", name: b""})
    with pytest.raises(ae.AslibError, match=r"link.txt: .*\(is a symbolic link\)"):
        replace_file(tmp_path / "real" / "link.txt", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]
    assert content(tmp_path / "real") == {"a.txt": b"new", "link.txt": b"new"}
    read, write = os.pipe()
    with os.fdopen(read, "rb") as out:
        replace_file(Path(f"/dev/fd/{write}"), b"shown")
        os.close(write)
        assert out.read() == b"shown"


def test_the_rights_of_a_file_stay(tmp_path: Path) -> None:
    to = tmp_path / "a.txt"
    replace_file(to, b"old")
    assert to.stat().st_mode & 0o777 == 0o666 & ~_umask()
    to.chmod(0o640)
    replace_file(to, b"new")
    assert to.stat().st_mode & 0o777 == 0o640


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    (tmp_path / "a.txt" / "mine").touch()
    with pytest.raises(ae.AslibError, match=r"a.txt: .*is a folder"):
        replace_file(tmp_path / "a.txt", b"")
    with pytest.raises(ae.AslibError, match=r"a.txt: Is a directory"):
        replace_files(tmp_path, {"a.txt": b"", "b": b""})
    with pytest.raises(ae.AslibError, match="cannot be written"):
        replace_files(tmp_path / "a.txt" / "mine", {"b": b""})
    with pytest.raises(ae.AslibError, match=r"x: leads out of the folder"):
        replace_files(tmp_path / "out", {"../x": b""})
    assert content(tmp_path) == {"a.txt/mine": b""}


def left(folder: Path, kind: str, record: dict[str, bool] | None, **files: str) -> Path:
    """What a writer left that was killed; files: ``new_a`` is ``a`` in ``new``."""
    scratch = folder / ".aslib-eval-left"
    for place in ("new", "old"):
        (scratch / place).mkdir(parents=True, exist_ok=True)
    (scratch / "mark").touch()
    found = (scratch / "mark").stat()
    (scratch / "made").write_text(f"{found.st_ino} {found.st_ctime_ns}\n")
    for name, text in files.items():
        inside, _, name_ = name.partition("_")
        file = scratch / inside / name_
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    if record is not None:
        (scratch / f"{kind}.json").write_text(json.dumps(record))
    return scratch


def texts(folder: Path) -> dict[str, str]:
    return {name: text.decode() for name, text in content(folder).items()}


def test_what_was_half_replaced_is_placed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, text in {"a": "new a", "b": "old b", "other": "as it was"}.items():
        (tmp_path / name).write_text(text)
    record = {"a": True, "b": True, "c": False}
    # a is in its place already; b was kept, and not yet replaced.
    more = {"old_a": "old a", "old_b": "old b", "new_b": "new b", "new_c": "new c"}
    left(tmp_path, "forth", record, **more)
    mend(tmp_path)
    assert texts(tmp_path) == {"a": "new a", "b": "new b", "c": "new c", "other": "as it was"}
    (said,) = (record.getMessage() for record in caplog.records)
    assert said == (
        f"{tmp_path}: a run was interrupted while it replaced files here (3). They are the new now."
    )
    mend(tmp_path)
    assert len(caplog.records) == 1


def test_a_record_that_was_copied_is_not_believed(tmp_path: Path) -> None:
    """As one that came with a folder of somebody else: it replaces nothing."""
    (tmp_path / "made").mkdir()
    left(tmp_path / "made", "forth", {"a": True}, new_a="new a", old_a="old a")
    shutil.copytree(tmp_path / "made", tmp_path / "copy")
    (tmp_path / "copy" / "a").write_text("mine")
    with pytest.raises(ae.AslibError, match=r"forth.json: is no record of a run"):
        mend(tmp_path / "copy")
    assert texts(tmp_path / "copy")["a"] == "mine"


def test_what_was_half_undone_is_undone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, text in {"a": "new a", "b": "old b", "c": "new c"}.items():
        (tmp_path / name).write_text(text)
    # b is back already; d was never placed.
    record = {"a": True, "b": True, "c": False, "d": False}
    left(tmp_path, "back", record, old_a="old a", new_b="new b", new_d="new d")
    mend(tmp_path)
    assert texts(tmp_path) == {"a": "old a", "b": "old b"}
    (said,) = (record.getMessage() for record in caplog.records)
    assert said == (
        f"{tmp_path}: a run was interrupted while it replaced files here (4). They are the old now."
    )


def test_folders_are_placed_and_undone_as_wholes(tmp_path: Path) -> None:
    for kind, then in (("forth", "new"), ("back", "old")):
        folder = tmp_path / kind
        (folder / "set").mkdir(parents=True)
        (folder / "set" / "x").write_text("old" if kind == "forth" else "new")
        scratch = left(folder, kind, {"set": True})
        other = scratch / ("new" if kind == "forth" else "old") / "set"
        other.mkdir()
        (other / "x").write_text(then)
        mend(folder)
        assert texts(folder) == {"set/x": then}


def test_what_nobody_began_to_replace_is_removed_unless_a_process_has_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old a")
    scratch = left(tmp_path, "", None, new_a="new a")
    descriptor = os.open(scratch, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    mend(tmp_path)
    assert scratch.exists()
    os.close(descriptor)
    mend(tmp_path)
    assert texts(tmp_path) == {"a": "old a"}
    (tmp_path / ".aslib-eval-link").symlink_to(tmp_path / "a")  # opened as no folder
    mend(tmp_path)
    assert (tmp_path / ".aslib-eval-link").is_symlink()
