"""``python -m attacking``: the attacks, one after the other, and their table."""

from __future__ import annotations

import argparse
import errno
import hashlib
import itertools
import pkgutil
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import attacking
from attacking.child import Ended, call, command
from attacking.mutations import damage
from attacking.samples import SAMPLES, TOY, Sample
from attacking.shim import CALLS, Shim
from attacking.writers import WRITERS, Writer, names, state_of

ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES)


class Campaign:
    """Counts attempts and failures, and knows when the time is over."""

    def __init__(self, given: argparse.Namespace, home: Path) -> None:
        self.given = given
        self.home = home
        self.attempts: Counter[tuple[str, str]] = Counter()
        self.failures: Counter[tuple[str, str]] = Counter()
        self._end = time.monotonic() + given.seconds

    def numbers(self, share: float) -> Iterator[int]:
        """The attempts of one victim: as many as asked for, or till its time is up."""
        if self.given.attempt is not None:
            yield self.given.attempt
            return
        until = time.monotonic() + share
        for at in itertools.count():
            full = self.given.attempts is not None and at >= self.given.attempts
            if full or time.monotonic() > min(until, self._end):
                return
            yield at

    def rng(self, attack: str, name: str, attempt: int) -> random.Random:
        """The same for the same seed and attempt, whatever came before."""
        return random.Random(f"{self.given.seed} {attack} {name} {attempt}")  # noqa: S311

    def folder(self, base: Path | None = None) -> Path:
        """The folder of an attempt, always at the same place."""
        path = self.home / "attempt"
        _remove(path)
        if base is None:
            path.mkdir()
        else:
            shutil.copytree(base, path, symlinks=True)
        return path

    def count(self, attack: str, name: str, attempt: int, fault: str | None) -> None:
        """One attempt, and what was wrong with it."""
        self.attempts[attack, name] += 1
        if fault is None:
            return
        self.failures[attack, name] += 1
        again = f"{attack} --only {name} --seed {self.given.seed} --attempt {attempt}"
        print(f"{again}: {fault}", flush=True)

    def table(self) -> str:
        """Attempts and failures of each victim, as Markdown."""
        rows = [(*key, self.attempts[key], self.failures[key]) for key in sorted(self.attempts)]
        rows.append(("all", "", self.attempts.total(), self.failures.total()))
        lines = ["| attack | on | attempts | failures |", "| --- | --- | ---: | ---: |"]
        lines += ["| {} | {} | {:,} | {:,} |".format(*row) for row in rows]
        return "\n".join(lines)


def _remove(path: Path) -> None:
    for _ in range(5):  # a child that was killed may still be dying
        with suppress(OSError):
            shutil.rmtree(path)
        if not path.exists():
            return
        time.sleep(0.05)


# --- inputs -------------------------------------------------------------------------


def inputs(campaign: Campaign, name: str, share: float) -> None:
    """Damage one file of a sample, and read it."""
    sample = SAMPLES[name]
    base = campaign.home / f"sample-{name}"
    if not base.exists():
        (base / "in").mkdir(parents=True)
        sample.make(base / "in")
        ended = call(lambda: command("import", TOY, "--lake", base / "lake"))
        _require(ended, f"the lake of {name}")
    whole = campaign.folder(base)
    _require(call(lambda: sample.use(whole / "in", whole / "lake")), f"sample {name}")
    for attempt in campaign.numbers(share):
        rng = campaign.rng("inputs", name, attempt)
        fault = _damaged(sample, campaign.folder(base), rng)
        campaign.count("inputs", name, attempt, fault)


def _damaged(sample: Sample, folder: Path, rng: random.Random) -> str | None:
    into, lake = folder / "in", folder / "lake"
    victim = rng.choice(sample.files(into))
    how = damage(victim, rng)
    before = _content(lake)
    ended = call(lambda: sample.use(into, lake))
    fault = ended.fault or _unnamed(ended, victim, into)
    part = ended.output.startswith("imported ")  # other scenarios of the same folder
    if fault is None and ended.code and not part and _content(lake) != before:
        fault = "refused, and the lake has changed"
    wrote = (into / "paper").exists() and not (into / "lake").exists()
    if fault is None and ended.code == 1 and wrote:
        fault = "refused, and files were written"
    if fault is None and not ended.code:
        seen = call(lambda: _open(lake))
        fault = seen.fault or (f"then: {seen.errors}" if seen.code else None)
    if fault is None:
        return None
    return f"{how} of {victim.relative_to(into)}: {fault}"


def _open(lake: Path) -> None:
    """Every column of the runs of a lake."""
    import aslib_eval as ae

    with ae.connect(lake) as con:
        con.table("raw_run").fetchall()


def _unnamed(ended: Ended, victim: Path, into: Path) -> str | None:
    """An error must say which file, or at least which folder, it is about."""
    top = into / victim.relative_to(into).parts[0]
    names = {victim.name, top.name, into.name}
    answered = bool(ended.output.strip())  # as `paper check` answers that all changed
    if ended.code == 1 and not answered and not names & _words(ended.errors):
        return f"names no file: {ended.errors.strip().splitlines()[0]}"
    return None


def _words(text: str) -> set[str]:
    for mark in (":", "/", "'", '"', ",", "(", ")"):
        text = text.replace(mark, " ")
    return set(text.split())


def _content(folder: Path) -> dict[str, str]:
    """Files and links of a folder, but for those that are locks or of no one."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


# --- kills and faults ---------------------------------------------------------------


class _Victim:
    """A writer with its old and its new state, made once."""

    def __init__(self, campaign: Campaign, name: str) -> None:
        self.writer: Writer = WRITERS[name]
        self.base = campaign.home / f"writer-{name}"
        folder = campaign.folder()
        self.writer.prepare(folder)
        _remove(self.base)
        shutil.copytree(folder, self.base, symlinks=True)
        self.old = state_of(self.writer, folder)
        ended = call(lambda: self.writer.act(folder))
        _require(ended, name)
        self.seconds = ended.seconds
        self.new = state_of(self.writer, folder)
        self.names = names(folder)
        if self.old == self.new or isinstance(self.new, str):
            raise SystemExit(f"{name} changes nothing: {self.new}")

    def fault(self, folder: Path, *, ended: Ended | None = None) -> str | None:
        """What is wrong after an attempt; then the writer runs again."""
        fault = self._unlike(folder, done=ended is not None and ended.code == 0)
        again = call(lambda: self.writer.act(folder))
        if again.fault or again.code:
            return _joined(fault, f"cannot run again: {again.errors.strip()}")
        if (found := state_of(self.writer, folder)) != self.new:
            return _joined(fault, f"run again it is not the new one: {found}")
        if left := sorted(names(folder) - self.names):
            return _joined(fault, f"left over: {', '.join(left[:4])}")
        return fault

    def _unlike(self, folder: Path, *, done: bool) -> str | None:
        found = state_of(self.writer, folder)
        if found == self.new or (found == self.old and not done):
            return None
        if done:
            return "ended well, and the new one is not there"
        if isinstance(found, str):
            return f"torn: {found}"
        old, new = _mapping(self.old), _mapping(self.new)
        for part in sorted({*found, *old, *new}):
            if found.get(part) not in {old.get(part), new.get(part)}:
                return f"torn: {part}"
        return f"mixed: {sum(found.get(p) == new.get(p) for p in new)} of {len(new)} new"


def _mapping(state: object) -> dict[str, str]:
    return state if isinstance(state, dict) else {}


def _joined(*faults: str | None) -> str:
    return "; ".join(fault for fault in faults if fault)


def kills(campaign: Campaign, name: str, share: float) -> None:
    """Kill a writer at random moments."""
    victim = _Victim(campaign, name)
    for attempt in campaign.numbers(share):
        rng = campaign.rng("kills", name, attempt)
        folder = campaign.folder(victim.base)
        after = rng.uniform(0, 1.05) * victim.seconds
        call(lambda folder=folder: victim.writer.act(folder), kill_after=after)
        fault = victim.fault(folder)
        if fault is not None:
            fault = f"killed after {after:.3f} s: {fault}"
        campaign.count("kills", name, attempt, fault)


def faults(campaign: Campaign, name: str, share: float) -> None:
    """Let every call of a writer fail, one at a time, each with every error in turn."""
    victim = _Victim(campaign, name)
    folder = campaign.folder(victim.base)
    plan = _calls(victim, folder)
    random.Random(f"{campaign.given.seed} {name}").shuffle(plan)  # noqa: S311
    for attempt in campaign.numbers(share):
        if attempt >= len(plan):
            return
        what, at, error = plan[attempt]
        folder = campaign.folder(victim.base)
        shim = Shim(folder, call=what, at=at, error=error)
        ended = call(lambda s=shim, f=folder: (s.install(), victim.writer.act(f)))
        fault = _joined(ended.fault, victim.fault(folder, ended=ended)) or None
        if fault is not None:
            fault = f"{what} number {at} gave {errno.errorcode[error]}: {fault}"
        campaign.count("faults", name, attempt, fault)


def _calls(victim: _Victim, folder: Path) -> list[tuple[str, int, int]]:
    """(call, number, error) of all that can fail, counted in an undisturbed run."""
    shim = Shim(folder)

    def counted() -> None:
        shim.install()
        with suppress(SystemExit):
            victim.writer.act(folder)
        counts = " ".join(f"{what}={shim.counts[what]}" for what in CALLS)
        sys.stdout.write(f"\ncalls {counts}\n")

    ended = call(counted)
    _require(ended, "counting calls")
    last = ended.output.strip().splitlines()[-1].split()[1:]
    found = [(word.partition("=")[0], int(word.partition("=")[2])) for word in last]
    return [(what, at, error) for what, n in found for at in range(1, n + 1) for error in ERRORS]


def _require(ended: Ended, what: str) -> None:
    if ended.code:
        raise SystemExit(f"{what} does not work undisturbed: {ended.errors}")


# --- the command --------------------------------------------------------------------

Attack = Callable[[Campaign, str, float], None]
ATTACKS: dict[str, tuple[Attack, tuple[str, ...]]] = {
    "inputs": (inputs, tuple(SAMPLES)),
    "kills": (kills, tuple(WRITERS)),
    "faults": (faults, tuple(WRITERS)),
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/attack",
        description=attacking.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("attack", choices=(*ATTACKS, "all"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="of all, about")
    parser.add_argument("--attempts", type=int, help="of each victim, at most")
    parser.add_argument("--attempt", type=int, help="only this one, to see it again")
    parser.add_argument(
        *("--only",),
        action="append",
        choices=sorted({*SAMPLES, *WRITERS}),
        metavar="NAME",
        help="only this victim; repeatable",
    )
    return parser.parse_args()


def _load() -> None:
    """Import all modules now, so that a child imports none; use none of them."""
    import aslib_eval

    for module in pkgutil.walk_packages(aslib_eval.__path__, "aslib_eval."):
        if not module.name.startswith("aslib_eval.extensions.training.training."):
            import_module(module.name)
    for name in ("duckdb", "polars", "pyarrow.parquet", "yaml", "numpy", "rich.table"):
        import_module(name)


def main() -> None:
    """Attack, print failures as they come and the table at the end."""
    given = _arguments()
    _load()
    home = Path(tempfile.mkdtemp(prefix="aslib-attack-"))
    campaign = Campaign(given, home)
    chosen = [
        (attack, name)
        for attack in (ATTACKS if given.attack == "all" else (given.attack,))
        for name in ATTACKS[attack][1]
        if not given.only or name in given.only
    ]
    try:
        for attack, name in chosen:
            ATTACKS[attack][0](campaign, name, given.seconds / len(chosen))
    finally:
        _remove(home)
    print(campaign.table())
    raise SystemExit(bool(campaign.failures))


if __name__ == "__main__":
    main()
