"""The files of downloadable scenarios and their SHA-256, as pooch writes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.readers.archive import SUFFIXES, is_archive

REGISTRY = Path(__file__).with_name("aslib_data.txt")
UNKNOWN = "-"
_HEX = frozenset("0123456789abcdef")
_SHA256_DIGITS = 64


@dataclass(frozen=True)
class Source:
    """One file to download, ``NAME/file`` or ``NAME.tar.gz``; None: hash unknown."""

    path: str
    sha256: str | None

    @property
    def archive(self) -> bool:
        """Whether it is a whole scenario in one archive."""
        return "/" not in self.path and is_archive(Path(self.path))

    @property
    def scenario(self) -> str:
        """The name of the scenario that it belongs to."""
        if not self.archive:
            return self.path.partition("/")[0]
        suffix = next(end for end in SUFFIXES if self.path.lower().endswith(end))
        return self.path[: -len(suffix)]


def read_registry(path: Path = REGISTRY) -> dict[str, tuple[Source, ...]]:
    """Scenario name → its files, from lines ``path sha256``; ``-`` is no known hash.

    Raises:
        AslibError: a line that is no such pair, a path that leads elsewhere, or a
            scenario listed both as files and as an archive.

    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AslibError(f"cannot be read ({error})", str(path)) from error
    scenarios: dict[str, tuple[Source, ...]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            source = _parse(line, f"{path}:{number}")
            others = scenarios.get(source.scenario, ())
            if others and (source.archive or others[0].archive):
                what = f"{source.scenario} is listed as an archive and once more"
                raise AslibError(what, f"{path}:{number}", "Keep one")
            scenarios[source.scenario] = (*others, source)
    return scenarios


def _parse(line: str, where: str) -> Source:
    path, _, sha256 = line.strip().rpartition(" ")
    source = Source(path.strip(), sha256.lower().removeprefix("sha256:"))
    parts = source.path.split("/")
    safe = all(part.strip(".") and "\\" not in part for part in parts)
    if not safe or parts[0].startswith(".") or not ("/" in path or source.archive):
        hint = "Write NAME/file or NAME.tar.gz, a blank, and its SHA-256"
        raise AslibError(f"{source.path!r} is no file of a scenario", where, hint)
    digits = source.sha256 or ""
    if digits == UNKNOWN:
        return Source(source.path, None)
    if len(digits) != _SHA256_DIGITS or not _HEX.issuperset(digits):
        hint = f"Give {_SHA256_DIGITS} hexadecimal digits, or {UNKNOWN} if unknown"
        raise AslibError(f"{digits!r} is no SHA-256", where, hint)
    return source
