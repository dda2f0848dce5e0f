"""A damaged archive of searches is refused with its place, or what changed is said."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from aslib_eval.extensions.optimisers.coco import COCO
from aslib_eval.extensions.optimisers.iohprofiler import IOHPROFILER
from aslib_eval.formats import Format, Parsed
from aslib_eval.formats.sources import Location, Source

HERE = Path(__file__).parent
ARCHIVES: dict[str, tuple[Format, Path]] = {
    "iohprofiler": (IOHPROFILER, HERE / "iohprofiler" / "data" / "PBO.zip"),
    "old": (IOHPROFILER, HERE / "iohprofiler" / "data" / "OLD.zip"),
    "coco": (COCO, HERE / "coco" / "data" / "exdata.tgz"),
}
Files = dict[str, bytes]


@cache
def whole(kind: str) -> Files:
    """The files of an archive; of COCO those of one function alone, to be quick."""
    form, path = ARCHIVES[kind]
    with TemporaryDirectory() as folder:
        shutil.unpack_archive(path, folder)
        (location,) = form.find(Path(folder))[:1] or form.find(Path(folder, path.stem))
        files = {name: s.content for name, s in form.load(location).items()}
    return {n: c for n, c in files.items() if kind != "coco" or "f15" in n}


def read(kind: str, files: Files) -> Parsed:
    """What becomes of an archive with these files."""
    sources = {
        name: Source(content, hashlib.sha256(content).hexdigest()) for name, content in files.items()
    }
    return ARCHIVES[kind][0].read(Location(Path("X"), "X"), sources)


def any_file(rng: Random, files: Files) -> str:
    return rng.choice(sorted(files))


def gone(rng: Random, files: Files) -> None:
    """A file is missing."""
    del files[any_file(rng, files)]


def emptied(rng: Random, files: Files) -> None:
    files[any_file(rng, files)] = b""


def cut(rng: Random, files: Files) -> None:
    """A file ends anywhere."""
    name = any_file(rng, files)
    files[name] = files[name][: rng.randrange(len(files[name]))]


def cut_at_line(rng: Random, files: Files) -> None:
    name = any_file(rng, files)
    lines = files[name].splitlines(keepends=True)
    files[name] = b"".join(lines[: rng.randrange(len(lines))])


def line(change: Callable[[Random, list[bytes], int], None]) -> Callable[..., None]:
    """Change any line of any file."""

    def changed(rng: Random, files: Files) -> None:
        name = any_file(rng, files)
        lines = files[name].splitlines(keepends=True)
        change(rng, lines, rng.randrange(len(lines)))
        files[name] = b"".join(lines)

    return changed


def drop(_: Random, lines: list[bytes], at: int) -> None:
    del lines[at]


def double(_: Random, lines: list[bytes], at: int) -> None:
    lines.insert(at, lines[at])


def swap(rng: Random, lines: list[bytes], at: int) -> None:
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def digit(rng: Random, lines: list[bytes], at: int) -> None:
    """Another digit in place of one."""
    places = [k for k, byte in enumerate(lines[at]) if chr(byte).isdigit()]
    if places:
        k = rng.choice(places)
        new = str((int(chr(lines[at][k])) + rng.randrange(1, 10)) % 10).encode()
        lines[at] = lines[at][:k] + new + lines[at][k + 1 :]


def word(text: bytes) -> Callable[[Random, list[bytes], int], None]:
    """Another word in place of one."""

    def change(rng: Random, lines: list[bytes], at: int) -> None:
        words = lines[at].split(b" ")
        words[rng.randrange(len(words))] = text
        lines[at] = b" ".join(words).rstrip(b"\n") + b"\n"

    return change


def byte(rng: Random, lines: list[bytes], at: int) -> None:
    k = rng.randrange(len(lines[at]))
    new = rng.choice([b"\xff", b"\0", b"\n", b'"', b",", b"-", b" "])
    lines[at] = lines[at][:k] + new + lines[at][k:]


WORDS = (b"nan", b"inf", b"-1", b"1_0", b"1e999", b"", b"x", b"0x10", "٣".encode())
MUTATIONS: tuple[Callable[[Random, Files], None], ...] = (
    *(gone, emptied, cut, cut_at_line),
    *map(line, (drop, double, swap, digit, digit, digit, byte, byte)),
    *(line(word(text)) for text in WORDS),
)


def runs(found: Parsed) -> list[dict[str, object]]:
    keep = ("instance_id", "algorithm", "repetition", "measure", "value", "runstatus")
    return found.tables["run"].select(keep).to_pylist() if found.tables else []


@pytest.mark.parametrize("kind", list(ARCHIVES))
@pytest.mark.parametrize("seed", range(42))
def test_no_other_run_without_a_word(kind: str, seed: int) -> None:
    before = read(kind, whole(kind))
    assert [f for f in before.findings if f.severity == "error"] == []
    rng, files = Random(seed), dict(whole(kind))  # noqa: S311
    MUTATIONS[seed % len(MUTATIONS)](rng, files)
    after = read(kind, files)
    errors = [f for f in after.findings if f.severity == "error"]
    if errors:
        assert after.tables == {}
        assert all(f.file.startswith("X") and f.message for f in errors)
        placed = [f for f in errors if "." in f.file]
        assert all(f.line for f in placed if not f.message.startswith("and "))
    elif runs(after) != runs(before):
        assert {f.message for f in after.findings} - {f.message for f in before.findings}
