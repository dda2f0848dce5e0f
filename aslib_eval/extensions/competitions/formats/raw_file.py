"""Files of raw results: formats of import of them, and one of them while it is read."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.extensions.competitions.formats.competition_runs import (
    CompetitionRun,
    CompetitionRuns,
    relations,
)
from aslib_eval.extensions.competitions.formats.implausible import claim_findings, implausible
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.formats.format import Finder, Format, Parsed
from aslib_eval.formats.sources import (
    HEAD,
    FileHead,
    FilesRead,
    Location,
    Source,
    Sources,
    said_as_source,
    shown,
)
from aslib_eval.formats.table_choices import TableChoices


@dataclass(frozen=True)
class RawFormat:
    """A format of raw results, each scenario of which is in one file.

    find: the scenarios at a path. what: of which its error says that there is none, with a hint. identify:
    the id of a scenario, which begins with the name that its user gives it, if any. read: what the file
    holds. beside: files that tell more, by the names that they have as sources; of an archive also those
    that lie beside it. choices, is_header, same_id: of ``Format``.
    """

    name: str
    find: Callable[[Path, FilesRead], list[Location]]
    what: str
    hint: str
    identify: Callable[[Location, str], str]
    read: Callable[[RawFile, TableChoices], Parsed]
    beside: Callable[[Path], Mapping[str, Path]] = lambda _: {}
    choices: frozenset[str] = frozenset()
    is_header: Callable[[Sequence[str]], bool] | None = None
    same_id: str = Format.same_id

    def decided(self, choices: TableChoices | None = None) -> Format:
        """The format of import, with what its user decides."""
        said = choices or TableChoices()

        def identify(location: Location, _: Sources | None = None) -> str:
            return self.identify(location, said.scenario_id)

        def claim(location: Location) -> str | None:
            with suppress(AslibError, OSError):
                return identify(location)
            return None

        def load(location: Location) -> dict[str, Source]:
            path = location.path
            files = {path.name: path, **self.beside(path)}
            if location.archive is not None:  # what lies beside that is beside its files
                files = {**self.beside(location.archive.with_name(path.name)), **files}
            with os_errors(hint="Check the permissions."):
                found = {name: location.files.source(p) for name, p in files.items()}
            return found | said_as_source(said.text())

        return Format(
            self.name,
            Finder(self.find),
            self._absent,
            claim,
            load,
            identify,
            lambda location, sources: self.read(RawFile(location, sources), said),
            choices=self.choices | {"scenario_id"},
            with_choices=self.decided,
            is_header=self.is_header,
            same_id=self.same_id,
        )

    def _absent(self, path: Path) -> AslibError:
        verb = "holds" if path.is_dir() else "is"
        return AslibError(f"{verb} no {self.what}", str(path), self.hint)


class RawFile:
    """A file of raw results while it is read, and what is to be said of it.

    name: as its user calls it.
    """

    def __init__(self, location: Location, sources: Sources) -> None:
        self.location, self.sources = location, sources
        self.name = shown(location, location.path.name)
        self.content = sources[location.path.name].content
        self._report = LimitedFindings(self.name)
        self._others: list[Finding] = []

    def say(self, code: str, what: str, hint: str = "", *, line: int | None = None, file: str = "") -> None:
        """Say something of a line of it, or of another file beside it."""
        self._report.say(code, (file or self.name, line), what, hint)

    def add(self, findings: Iterable[Finding]) -> None:
        """Add what others found."""
        self._others += findings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that is to be said."""
        return (*self._others, *self._report.findings)

    @property
    def is_broken(self) -> bool:
        """Whether something is an error."""
        return any(found.severity == "error" for found in self.findings)

    def say_end(self, *, line: int | None = None) -> None:
        """Warn of a last line that does not end."""
        if not self.content.endswith((b"\n", b"\r")):
            what = "the last line has no end: was the file cut?"
            self.say("runs-unended", what, "Fetch it again if it was.", line=line)

    def say_statuses(self, runs: Iterable[CompetitionRun], *, line: int | None = None) -> None:
        """Say how many runs ended in which way."""
        counts = Counter(run.status for run in runs)
        said = ", ".join(f"{word} {n}" for word, n in sorted(counts.items()))
        self.say("runs-understood", said, line=line)

    def parsed(
        self,
        found: CompetitionRuns | None = None,
        *,
        maximized: frozenset[str] | None = None,
        more: Mapping[str, pa.Table] | None = None,
    ) -> Parsed:
        """What was said, and the relations of runs, unless something is an error.

        maximized: the instances of which more is better, where claims are compared here. more: further
        relations.
        """
        if found is None or self.is_broken:
            return Parsed(self.findings)
        said = [*implausible(found, file=self.name)]
        if maximized is not None:
            said += claim_findings(found.runs, file=self.name, maximized=maximized)
        tables = relations(found, location=self.location, sources=self.sources)
        return Parsed((*self.findings, *said), {**tables, **(more or {})})


# Tables that are gzipped, or have semicolons.

_GZIP = b"\x1f\x8b"


def refuse_hidden(path: Path, files: FilesRead, is_table: Callable[[FileHead], bool], *, of: str) -> None:
    """Refuse a table that would be one of a competition, if it were plain CSV.

    As a table of anybody's runs it would have other numbers. is_table: whether what a plain file begins
    with is such a table. of: what it is a table of.

    Raises:
        AslibError: it is one; the hint says what makes it plain.
    """
    name = path.name.lower()
    if not path.is_file() or not name.endswith((".csv", ".csv.gz")):
        return
    content = beginning(path, files)
    if name.endswith(".gz"):
        what, hint = "packed by gzip", f"Unpack it first: gzip -d {path.name}"
        content = content if files.head(path).content.startswith(_GZIP) else b""
    else:
        what, hint = "separated by semicolons", "Write commas in the place of them."
        content = content.replace(b";", b",") if b";" in content.partition(b"\n")[0] else b""
    if content and is_table(FileHead(content, is_whole=False)):
        raise AslibError(f"is a table of {of} that is {what}", str(path), hint)


def beginning(path: Path, files: FilesRead, size: int = HEAD) -> bytes:
    """What a file begins with; of a gzipped one, as far as it can be unpacked."""
    content = files.head(path).content[:size]
    if not content.startswith(_GZIP):
        return content
    try:
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(content, size)
    except zlib.error:
        return b""
