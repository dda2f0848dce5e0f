"""Archives are unpacked whole or not at all, and never outside their folder."""

import errno
import gzip
import io
import lzma
import random
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.formats.sources import _Metered, is_archive, unpack

GOOD = {"TOY/description.txt": b"scenario_id: TOY\n", "TOY/cv.arff": b"@DATA\n" * 99}


def packed(path: Path, files: dict[str, bytes]) -> Path:
    """Write an archive of the kind that the name of ``path`` says."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return path
    with tarfile.open(path, "w:xz" if path.suffix == ".xz" else "w:gz") as tar:
        for name, data in files.items():
            add(tar, name, data)
    return path


def add(tar: tarfile.TarFile, name: str, data: bytes = b"", **fields: object) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    tar.addfile(info, io.BytesIO(data))


def tarball(path: Path, build: Callable[[tarfile.TarFile], None]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        add(tar, "TOY/description.txt", b"scenario_id: TOY\n")
        build(tar)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    files = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


@pytest.mark.parametrize("suffix", [".tar.gz", ".tgz", ".tar.xz", ".zip"])
def test_unpacks_every_kind(tmp_path: Path, suffix: str) -> None:
    archive = packed(tmp_path / f"TOY{suffix}", GOOD)
    assert is_archive(archive)
    assert unpack(archive, tmp_path / "out") == tmp_path / "out" / "TOY"
    assert tree(tmp_path / "out") == GOOD


def test_files_at_the_top_make_the_folder_itself_the_scenario(tmp_path: Path) -> None:
    archive = packed(tmp_path / "TOY.zip", {"description.txt": b"", "cv.arff": b""})
    assert unpack(archive, tmp_path / "out") == tmp_path / "out"


EVIL = ["../evil", "TOY/../../evil", "/evil", "..\\evil", "C:\\evil", "TOY/a\\b"]


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".zip"])
@pytest.mark.parametrize("name", EVIL)
def test_a_name_outside_is_refused(tmp_path: Path, suffix: str, name: str) -> None:
    archive = packed(tmp_path / f"TOY{suffix}", {**GOOD, name: b"evil"})
    with pytest.raises(AslibError, match="refused, nothing was written"):
        unpack(archive, tmp_path / "into" / "out")
    assert tree(tmp_path).keys() == {archive.name}
    assert not (tmp_path / "into" / "out").exists()


LINKED = "is a link or a device"
NO_NAME = "is a file without a name"


@pytest.mark.parametrize(
    ("name", "fields", "fault"),
    [
        ("TOY/cv.arff", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, LINKED),
        ("TOY/cv.arff", {"type": tarfile.LNKTYPE, "linkname": "TOY/description.txt"}, LINKED),
        ("TOY/cv.arff", {"type": tarfile.CHRTYPE}, LINKED),
        ("TOY/cv.arff", {"type": tarfile.BLKTYPE}, LINKED),
        ("TOY/cv.arff", {"type": tarfile.FIFOTYPE}, LINKED),
        ("TOY/description.txt", {}, "occurs in it twice"),
        ("toy/./DESCRIPTION.txt", {}, "occurs in it twice"),
        ("", {}, f"'' {NO_NAME}"),
        (".", {}, f"'.' {NO_NAME}"),
        ("TOY/\udcff.arff", {}, r"'TOY/\\udcff\.arff' is a name that is not UTF-8 text"),
    ],
)
def test_a_member_that_is_not_to_be_trusted(
    tmp_path: Path, name: str, fields: dict[str, object], fault: str
) -> None:
    data = b"" if fields else b"x"
    archive = tarball(tmp_path / "TOY.tar.gz", lambda tar: add(tar, name, data, **fields))
    with pytest.raises(AslibError, match=f"refused, nothing was written: .*{fault}") as raised:
        unpack(archive, tmp_path / "out")
    str(raised.value).encode()
    assert tree(tmp_path).keys() == {"TOY.tar.gz"}


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("TOY/cv.arff")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "TOY.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(AslibError, match=LINKED):
        unpack(tmp_path / "TOY.zip", tmp_path / "out")


def test_owners_and_modes_of_an_archive_are_not_taken(tmp_path: Path) -> None:
    archive = tarball(
        tmp_path / "TOY.tar.gz", lambda tar: add(tar, "TOY/cv.arff", b"", mode=0o6777, uid=12345)
    )
    status = (unpack(archive, tmp_path / "out") / "cv.arff").stat()
    assert not status.st_mode & 0o7111
    assert status.st_uid != 12345


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".zip"])
def test_a_bomb_is_refused_before_it_is_written(tmp_path: Path, suffix: str) -> None:
    archive = packed(tmp_path / f"TOY{suffix}", {"TOY/zeros": bytes(3_000_000)})
    assert archive.stat().st_size < 10_000
    with pytest.raises(AslibError, match=r"more than .* 1000000 bytes once unpacked"):
        unpack(archive, tmp_path / "out", max_bytes=1_000_000)
    assert not (tmp_path / "out").exists()


def test_a_bomb_in_a_header_is_refused(tmp_path: Path) -> None:
    header = tarfile.TarInfo("TOY/x")
    header.type = tarfile.XHDTYPE
    header.size = 20 << 20
    with gzip.open(tmp_path / "TOY.tar.gz", "wb") as stream:
        stream.write(header.tobuf() + bytes(20 << 20))
    # Python 3.14 refuses the header before it reads so far.
    refused = "more data than a scenario can have|cannot be read as an archive"
    with pytest.raises(AslibError, match=refused):
        unpack(tmp_path / "TOY.tar.gz", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".zip"])
def test_a_cut_archive_is_refused_wherever_it_is_cut(tmp_path: Path, suffix: str) -> None:
    whole = packed(tmp_path / f"TOY{suffix}", GOOD).read_bytes()
    for length in range(0, len(whole) - 1, 7):
        (tmp_path / f"CUT{suffix}").write_bytes(whole[:length])
        with pytest.raises(AslibError, match=f"^CUT{suffix}: cannot be read"):
            unpack(tmp_path / f"CUT{suffix}", tmp_path / "out")
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".zip"])
def test_a_damaged_archive_never_gives_other_files(tmp_path: Path, suffix: str) -> None:
    whole = packed(tmp_path / f"TOY{suffix}", GOOD).read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x40
        (tmp_path / f"BAD{suffix}").write_bytes(damaged)
        out = tmp_path / f"out{place}"
        try:
            unpack(tmp_path / f"BAD{suffix}", out)
        except AslibError:
            assert not out.exists()
        else:
            assert sorted(tree(out).values()) == sorted(GOOD.values())


def test_a_damaged_header_is_not_taken_for_the_end(tmp_path: Path) -> None:
    with gzip.open(packed(tmp_path / "TOY.tar.gz", GOOD)) as stream:
        data = bytearray(stream.read())
    data[1024 + 10] ^= 0x40  # in the second member's header
    with gzip.open(tmp_path / "BAD.tar.gz", "wb") as stream:
        stream.write(data)
    with pytest.raises(AslibError, match="damaged after its last readable member"):
        unpack(tmp_path / "BAD.tar.gz", tmp_path / "out")


def test_a_name_in_a_zip_is_not_cut_at_a_nul(tmp_path: Path) -> None:
    archive = packed(tmp_path / "TOY.zip", {"?": b"x", **GOOD})
    archive.write_bytes(archive.read_bytes().replace(b"?", b"\0"))
    with pytest.raises(AslibError, match="has a character that no scenario file"):
        unpack(archive, tmp_path / "out")


def test_whatever_the_directory_of_a_zip_holds(tmp_path: Path) -> None:
    """Every byte of it made 0 and 255: the same files or an error, no other."""
    whole = packed(tmp_path / "TOY.zip", GOOD).read_bytes()
    archive = tmp_path / "BAD.zip"
    out = tmp_path / "out"
    for at in range(whole.index(b"PK\1\2"), len(whole)):
        for byte in (b"\0", b"\xff"):
            archive.write_bytes(whole[:at] + byte + whole[at + 1 :])
            try:
                unpack(archive, out)
            except AslibError as error:
                assert "BAD.zip: " in str(error)  # noqa: PT017
                assert not out.exists()
            else:
                assert sorted(tree(out).values()) == sorted(GOOD.values())
                shutil.rmtree(out)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".zip"])
def test_what_was_packed_too_well_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr("aslib_eval.formats.sources._HARMLESS", 1 << 20)
    zeros = packed(tmp_path / f"ZEROS{suffix}", {"TOY/cv.arff": bytes(2 << 20)})
    with pytest.raises(AslibError, match="1048576 bytes once unpacked"):
        unpack(zeros, tmp_path / "out")
    noise = random.Random(1).randbytes(2 << 20)  # noqa: S311
    honest = packed(tmp_path / f"TOY{suffix}", {"TOY/cv.arff": noise})
    assert tree(unpack(honest, tmp_path / "out")) == {"cv.arff": noise}


@pytest.mark.parametrize("packer", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_endless_padding_is_not_read_to_its_end(
    tmp_path: Path, packer: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    suffix = "gz" if packer is gzip.compress else "xz"
    archive = tmp_path / f"ZEROS.tar.{suffix}"
    monkeypatch.setattr("aslib_eval.formats.sources._MAX_PADDING", 1 << 20)
    archive.write_bytes(packer(bytes(8 << 20)))
    with pytest.raises(AslibError, match="more padding than an archive has"):
        unpack(archive, tmp_path / "out")


def test_a_refusal_leaves_an_empty_folder_that_was_there(tmp_path: Path) -> None:
    archive = tarball(tmp_path / "TOY.tar.gz", lambda tar: add(tar, "../x", b"x"))
    (tmp_path / "out").mkdir()
    with pytest.raises(AslibError, match="leads out of the folder"):
        unpack(archive, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_full_disk_is_not_the_archives_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = packed(tmp_path / "TOY.zip", GOOD)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(AslibError, match=r"cannot be unpacked .No space left on device"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_other_files_and_folders_in_use_are_refused(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(AslibError, match="does not have the name of an archive"):
        unpack(tmp_path / "kept", tmp_path / "out")
    with pytest.raises(AslibError, match="not empty"):
        unpack(packed(tmp_path / "TOY.zip", GOOD), tmp_path)
    assert (tmp_path / "kept").read_text() == "mine"
    with pytest.raises(AslibError, match=r"^gone.zip: cannot be read .*No such file"):
        unpack(tmp_path / "gone.zip", tmp_path / "out")


def test_a_stream_gives_nothing_past_its_limit() -> None:
    def metered() -> _Metered:
        return _Metered(gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(bytes(2000)))), 1000)

    for stream, past in ((metered(), lambda each: each.read(1)), (metered(), lambda each: each.seek(1001))):
        assert stream.seek(1000) == 1000
        assert stream.read(1) == b"\0"
        with pytest.raises(tarfile.ReadError, match="more data than a scenario can have"):
            past(stream)
