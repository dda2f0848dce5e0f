"""Whose runs are compared: solvers of a lake, or one solver in lakes or scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.options import Lake
from aslib_eval.text import list_names, one_of

Open = Callable[..., "OpenLake"]  # of a path
_KINDS = ("algorithm", "selector", "baseline")


@dataclass(frozen=True)
class Side:
    """The runs of one solver; name: as it was asked for, and tables call it."""

    name: str
    solver: str
    kind: str
    lake: OpenLake

    def runs(self, attribute: str | None) -> pl.DataFrame:
        """Its rows of ``runs_of_solver``, under the names of its protocols.

        Where a scenario has repetitions, and the protocol takes the mean of their costs, each has a row, so
        that those can be paired which both sides have.
        """
        lake = self.lake
        if lake.rows("select max(repetition) > 1 from raw_run") == [(True,)]:
            separate = [
                replace(p, repetitions="separate") if p.repetitions == "mean_par" else p
                for p in lake.protocols
            ]
            lake = lake.under(protocols=separate)
        found = lake.ask(
            "runs_of_solver", {"solver": self.solver, "kind": self.kind, "attribute": attribute}
        )
        if not found.height:
            raise AslibError("has no runs that count here", self.name)
        return found.with_columns(pl.col("kind").cast(pl.String), solver=pl.lit(self.name))


def sides_of(words: Sequence[str], solver: str | None, home: Lake, opened: Open) -> list[Side]:
    """What the words of ``diff`` name.

    Without ``solver`` a word is a solver of the lake ``home``, or PLACE:SOLVER; with it a PLACE: a folder
    that is a lake, or a scenario of ``home``.

    Raises:
        AslibError: for fewer than two words, one that is there twice, or one that names nothing, with what
            to type instead.
    """
    words = [str(word).rstrip("/") or "/" for word in words]
    found = [_side(word, solver, home, opened) for word in words]
    if len(found) < 2:  # noqa: PLR2004
        told = f"{words[0]} OTHER" if words else "OLD NEW"
        hint = f"Type aslib-eval diff {told}{f' --solver {solver}' if solver else ''}."
        raise AslibError("it takes two or more to compare", "diff", hint)
    if len(set(words)) < len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise AslibError("is there twice", twice, "Name two that may differ.")
    return found


def _side(word: str, solver: str | None, home: Lake, opened: Open) -> Side:
    if solver is not None:
        return _of(word, _place(word, home, opened), solver)
    if not _is_lake(home) and ":" not in word:
        if _is_lake(Path(word)):
            raise _whose(word, _solvers(opened(Path(word))))
        _require_no_file(word)
        opened(home)  # which says why it is none
    known = _solvers(opened(home)) if _is_lake(home) else {}
    if word in known:
        return _of(word, opened(home), word)
    place, colon, name = word.rpartition(":")
    if colon:
        return _of(word, _place(place, home, opened), name)
    if some := [name for name in known if fnmatchcase(name, word)]:
        what = "is a pattern, and diff takes names"
        raise AslibError(what, word, f"It matches {list_names(some, quoted=False)}.")
    if _is_lake(Path(word)) or word in opened(home).scenarios:
        raise _whose(word, _solvers(_place(word, home, opened)))
    _require_no_file(word)
    raise AslibError(f"no solver of {home} is called so", word, one_of(word, known))


def _whose(place: str, known: Mapping[str, str]) -> AslibError:
    names = [name for name, kind in known.items() if kind != "baseline"]
    hint = f"Say whose runs with --solver NAME; it has {list_names(names, quoted=False)}."
    return AslibError("is no solver, but where there are several", place, hint)


def _of(word: str, lake: OpenLake, solver: str) -> Side:
    known = _solvers(lake)
    if solver not in known:
        where = word if word != solver else None
        raise AslibError(f"has no solver {solver!r}", where, one_of(solver, known))
    return Side(word, solver, known[solver], lake)


def _place(word: str, home: Lake, opened: Open) -> OpenLake:
    """A lake by its folder, or one scenario of the lake ``home``."""
    if _is_lake(Path(word)):
        return opened(Path(word))
    lake = opened(home) if _is_lake(home) else None
    if lake is not None and word in lake.scenarios:
        return lake.under(scenarios=[word])
    _require_no_file(word)
    scenarios = lake.scenarios if lake is not None else []
    what = f"is no lake, and no scenario of {home}"
    raise AslibError(what, word, one_of(word, scenarios) if scenarios else None)


def _require_no_file(word: str) -> None:
    place = Path(word).parent
    if _is_lake(place):
        raise AslibError("is no lake", word, f"Type {place}:{Path(word).name}.")
    if Path(word).exists():
        what = "is no lake, but may be imported into one"
        hint = f"aslib-eval import {word} --lake {Path(word).stem}-lake"
        raise AslibError(what, word, f"Type {hint}, and compare that.")


def _is_lake(path: Lake) -> bool:
    return (Path(path) / ".versions").is_dir()


def _solvers(lake: OpenLake) -> dict[str, str]:
    """Kind by name; of several the first of algorithm, selector and baseline."""
    pairs = [(name, kind) for kind, name in lake.rows("named_solvers")]
    pairs.sort(key=lambda pair: _KINDS.index(pair[1]), reverse=True)
    return dict(pairs)
