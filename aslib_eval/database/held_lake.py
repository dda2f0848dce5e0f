"""``ae.open``: one version of a lake, for whoever asks many questions of it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path
from typing import Self

import duckdb

from aslib_eval.database.arrow_frames import frame_of
from aslib_eval.database.connect import ask, connect, leases, open_lake, store
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.paths import Paths, as_paths
from aslib_eval.progress import is_watched
from aslib_eval.signatures import HeldLake
from aslib_eval.text import list_names, plural

_SHOWN = 5  # scenarios that a terminal shows by name


class OpenLake(HeldLake):
    """A lake as it was when it was opened, to be passed wherever a lake is passed.

    Every question sees the same version of every scenario, also if somebody replaces
    them meanwhile, and what one question opened is there for the next. A thread has
    connections of its own: several may ask at the same time. It is only read: what
    would write the lake refuses it. At the end of a ``with``, or by ``close``, the
    versions are let go of, and no more questions are answered.
    """

    def __init__(self, lake: str | PathLike[str]) -> None:
        """Lease what is current in a folder. See ``open``."""
        self.path = Path(lake).absolute()
        self._held = leases(self.path, ())
        self._connections = threading.local()
        self._own: duckdb.DuckDBPyConnection | None = None
        self._let_go = weakref.finalize(self, self._held.release)

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        names = list_names(self.scenarios, most=_SHOWN, quoted=False)
        state = "" if self._let_go.alive else ", closed"
        held = plural(len(self.scenarios), "scenario")
        return f"<lake {self.path}{state}, {held}: {names}>"

    def _repr_html_(self) -> str:
        """The scenarios with their sizes and baselines, as a notebook shows them."""
        if not self._let_go.alive:
            return ""
        with self.asked():
            con = self.connection(protocols=("default",), scenarios=(), sql_dirs=())
            return str(frame_of(ask(con, "scenario_list"))._repr_html_())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the versions: the next writer may remove those that are replaced.

        Frames stay as they are; connections must not be used any more.
        """
        self._connections = threading.local()
        self._own = None
        self._let_go()

    @property
    def scenarios(self) -> list[str]:
        """The scenarios by id; those that were damaged are left out."""
        return [version.scenario_id for version in self._held.versions]

    @property
    def con(self) -> duckdb.DuckDBPyConnection:
        """A connection for SQL of your own, under the protocol ``default``.

        It is nobody else's: tables and frames that you register there change no answer.
        For other protocols, and with views of your own, pass the lake to ``connect``.
        """
        if self._own is None:
            self._own = connect(self)
        store(self._own)  # somebody may have removed what it reads
        return self._own

    def asked(self) -> AbstractContextManager[None]:
        """Meanwhile, in this thread, all that reads the lake sees what is held here."""
        if not self._let_go.alive:
            hint = "Open it again with ae.open."
            raise AslibError("this open lake was closed", str(self.path), hint)
        return versions.pinned(self._held)

    def connection(
        self,
        *,
        protocols: Sequence[str | Protocol],
        scenarios: Sequence[str],
        sql_dirs: Paths,
    ) -> duckdb.DuckDBPyConnection:
        """The connection of this thread for such questions, made for the first."""
        if isinstance(protocols, str):
            protocols = (protocols,)
        if isinstance(scenarios, str):
            scenarios = (scenarios,)
        active = tuple(p if isinstance(p, Protocol) else load(p) for p in protocols)
        # A folder of SQL may be changed between two questions.
        files = (f for path in as_paths(sql_dirs) for f in sorted(path.rglob("*.sql")))
        theirs = tuple((file, file.read_bytes()) for file in files if file.is_file())
        key = active, tuple(scenarios), tuple(as_paths(sql_dirs)), theirs
        made = vars(self._connections).setdefault("made", {})
        if key not in made:
            made[key] = open_lake(
                self,
                protocols=active,
                scenarios=scenarios,
                sql_dirs=sql_dirs,
                shown=is_watched(),
            )
        con: duckdb.DuckDBPyConnection = made[key]
        return con


def open(lake: str | PathLike[str] = "lake") -> OpenLake:  # noqa: A001 - as ae.open
    """Open a lake for many questions: pass what it returns wherever a lake is passed.

    lake: Folder of the lake, as text or path.

    Its scenarios are compared with their hashes once, now, and stay as they are now
    until it is closed. So twenty questions agree with each other, and all but the first
    skip what opening a lake takes. For one question it is no gain.

    Raises:
        AslibError: when there is no lake, or all its scenarios are damaged; a scenario
            that is damaged among others is left out, with a LeftOut warning.

    >>> with ae.open("lake") as lake:
    ...     best = ae.gap(lake, kinds=["selector"])["solver"][0]
    ...     n = ae.score(lake, solvers=[best])["n"].to_list()
    ...     runs = lake.con.sql("select count(*) from raw_run").fetchall()
    >>> best, n, runs
    ('careful', [12], [(96,)])
    """
    return OpenLake(lake)
