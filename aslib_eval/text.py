"""Numbers, names and counts as text for a reader.

0.1 + 0.2 - 0.3 is 5.55e-17, and a gap made of it would be printed so. Scores are exact to 12 digits, as the
macro ``comparable`` compares them: ``rounded_to_zero`` and ``round_frames`` set smaller differences to 0
before the report shows them, and ``assets/portfolio.js`` does the same with the values that it computes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from difflib import get_close_matches
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import polars as pl


_FEWEST = 4  # zeros behind the point, from which on an exponent is clearer
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def number(value: Any) -> str:
    """Format a number for reading: five digits, whole from 100000 on, a dash for none.

    The script of the report's page prints the same (``shown`` in ``assets/text.js``).
    """
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if value != value:  # noqa: PLR0124 - NaN
        return NONE
    if value in {float("inf"), float("-inf")}:
        return "∞" if value > 0 else f"{MINUS}∞"
    return _digits(float(value) + 0.0).replace("-", MINUS)  # -0 is 0


def _digits(value: float) -> str:
    size = abs(value)
    if size >= 1e5:  # noqa: PLR2004
        return f"{value:,.0f}".replace(",", "\u202f")
    if 0 < size < 1e-4:  # noqa: PLR2004
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    found = f"{value:.5g}"
    return f"{float(found):g}" if "e" in found else found


def decimals(values: Iterable[Any]) -> int | None:
    """How many decimals numbers take below each other: three digits of the middle one.

    0 where all are whole; None where decimals are no way to write them.
    The script of the report's page does the same (``decimals`` in ``assets/text.js``).
    """
    sizes = sorted(abs(v) for v in values if is_number(v) and math.isfinite(v) and v)
    if sizes and sizes[-1] >= 1e15:  # noqa: PLR2004 - its digits are not all known
        return None
    if all(float(size).is_integer() for size in sizes):
        return 0
    middle = Decimal(repr(float(sizes[len(sizes) // 2]))).adjusted()
    return None if middle < -_FEWEST else max(0, 2 - middle)


def telling(values: Iterable[Any], places: int | None, best: Literal["min", "max"]) -> int | None:
    """So many decimals, or up to two more, if only these tell the best from the next.

    The page's script does the same (``telling`` in ``assets/text.js``).
    """
    known = {comparable(v) for v in values if is_number(v) and math.isfinite(v)}
    first = sorted(known, reverse=best == "max")[:2]
    if places is None or len(first) < 2:  # noqa: PLR2004
        return places
    more = (places, places + 1, places + 2)
    return next((n for n in more if aligned(first[0], n) != aligned(first[1], n)), places)


def aligned(value: Any, places: int | None) -> str:
    """Format a number with so many decimals, of halves the larger; else as ``number``.

    The page's script writes the same (``aligned`` in ``assets/text.js``).
    """
    if places is None or not is_number(value) or not math.isfinite(value):
        return number(value)
    found = Decimal(float(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(found):,f}" if abs(value) >= 1e5 else f"{abs(found):f}"  # noqa: PLR2004
    return (MINUS if found < 0 else "") + text.replace(",", "\u202f")


def brief(value: Any) -> str:
    """Format a number that stands alone: three digits, and all before the point."""
    return aligned(value, decimals([value])) if is_number(value) else number(value)


def percent(share: float | None) -> str:
    """Format a share in whole percent, with a decimal where it is nearly 0 or nearly 1.

    The page's script writes the same (``percent`` in ``assets/text.js``).
    """
    return NONE if share is None else f"{_percent(share)}\N{NO-BREAK SPACE}%"


def points(difference: float) -> str:
    """Format a difference of two shares, as ``percent``."""
    return f"{_percent(difference)} percentage point{'' if _percent(difference) == '1' else 's'}"


def _percent(share: float) -> str:
    value = 100 * share
    return aligned(value, int(0 < abs(value) < 1 or 99 < abs(value) < 100))  # noqa: PLR2004


def shorten(name: str, most: int = 42) -> str:
    """Cut a name to ``most`` letters: the middle goes, as names differ at both ends."""
    if len(name) <= most:
        return name
    tail = most // 2
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


def short_names(names: Iterable[str], most: int = 30) -> dict[str, str]:
    """Every name in at most ``most`` letters, no two of them alike.

    As ``shorten``; those that it would make alike keep their beginning and the part from where they differ.
    """
    every = list(dict.fromkeys(names))
    found = {name: shorten(name, most) for name in every}
    for alike in _groups(every, found):
        found |= _apart(alike, most)
    for alike in _groups(every, found):  # a number tells what no part of a name does
        for at, name in enumerate(alike):
            tail = f"~{at + 1}"
            found[name] = found[name][: most - len(tail)] + tail
    return found


def _groups(names: Sequence[str], short: Mapping[str, str]) -> list[list[str]]:
    """The names that are shortened alike, as far as there are several."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(short[name], []).append(name)
    return [group for group in found.values() if len(group) > 1]


def _apart(names: Sequence[str], most: int) -> dict[str, str]:
    """Their beginning, and what comes from the first letter that tells two apart."""
    letters = zip(min(names), max(names), strict=False)
    cut = sum(1 for _ in takewhile(lambda two: two[0] == two[1], letters))
    head = most // 4
    begin = max(head, cut - 2)
    room = most - head - 1
    found = {}
    for name in names:
        rest = name[begin:]
        rest = rest if len(rest) <= room else f"{rest[: room - 1]}…"
        found[name] = f"{name[:head]}…{rest}"
    for alike in _groups(names, found):
        if len(alike) < len(names):
            found |= _apart(alike, most)
    return found


def is_writable(text: str) -> bool:
    """Whether a text can be written: half a character, a surrogate, cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Put a space for each character that cannot be drawn, such as a line break.

    Such characters may not stand in an SVG, or turn the rest of the line around.
    """
    return "".join(c if c.isprintable() else " " for c in text)


_WRITTEN_OUT = 1e21  # the digits of a number below it


def shown(value: Any, digits: int = 6) -> str:
    """Format a value with that many digits; null is empty, a list joined by blanks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        text = f"{value:.{digits}g}"  # which may be rounded up to a power of ten
        return f"{value:.0f}" if "e+" in text and abs(value) < _WRITTEN_OUT else text
    if isinstance(value, list):
        return " ".join(map(shown, value))
    return str(value)


def significant(value: float, digits: int = 4) -> str:
    """Format a number in a sentence: so many digits, and all before the point.

    From 100000 on its thousands stand apart, as in ``number``.
    """
    text = shown(float(value), digits)
    if not text.lstrip("-").isdigit():
        return text
    whole = int(text)
    return f"{whole:,}".replace(",", "\u202f") if abs(whole) >= 1e5 else text  # noqa: PLR2004


def fixed(value: Any, decimals: int | None) -> str:
    """Format a value with that many decimals; null is a dash. None: as ``shown``."""
    if value is None:
        return NONE
    if decimals is None or not is_number(value):
        return shown(value)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


@dataclass(frozen=True)
class Printed:
    """A number as it is printed: ``value`` is any within ``half`` of ``text``'s."""

    text: str
    value: float
    half: float

    def rounds(self, value: float | None) -> bool:
        """Whether a value is printed so; halves are, whichever way they are rounded."""
        most = self.half * (1 + 1e-9) + 1e-12 * abs(self.value)
        return value is not None and abs(value - self.value) <= most

    def cuts(self, value: float | None) -> bool:
        """Whether a value is printed so if its further digits are cut off."""
        if value is None:
            return False
        beyond = (abs(value) - abs(self.value)) / (2 * self.half)
        return value * self.value >= 0 and 0 <= round(beyond, 9) < 1


def printed(text: str) -> Printed:
    """Read a printed number: ``0.417``, ``1.2e3`` or ``41.7%``."""
    share = text.strip().endswith("%")
    try:
        found = Decimal(text.strip().removesuffix("%").strip())
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite():
        hint = "Write it as it is printed, such as 0.417 or 41.7%."
        raise AslibError(f"{text!r} is no number", "the printed value", hint)
    exponent = int(found.as_tuple().exponent) - (2 if share else 0)
    value = found / 100 if share else found
    return Printed(text.strip(), float(value), float(Decimal(5).scaleb(exponent - 1)))


def is_number(value: Any) -> bool:
    """Whether it is a number (a truth value is none)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def comparable(value: float) -> float:
    """Round to 12 digits, beyond which the order of a sum decides: equal values tie."""
    return float(f"{value:.12g}")


def with_unit(what: str, unit: str | None) -> str:
    """``time [s]``, as an axis is labelled; what is known where no unit is stated."""
    return f"{what} [{unit or 'unit not stated'}]"


def plural(n: int, one: str, many: str = "") -> str:
    """``1 run`` or ``3 runs``; many: what is not ``one`` with an s."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def list_names(
    names: Iterable[object], total: int | None = None, most: int = 10, *, quoted: bool = True
) -> str:
    """``'a', 'b' and 3 more``; total: if ``names`` are only the first of them."""
    words = [repr(name) if quoted else str(name) for name in names]
    first = ", ".join(words[:most])
    rest = (len(words) if total is None else total) - min(len(words), most)
    return f"{first} and {rest} more" if rest else first


def join_words(words: Sequence[str]) -> str:
    """``a``, ``a and b`` or ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def did_you_mean(word: str, words: Iterable[str], *, cutoff: float = 0.6) -> str:
    """``Did you mean 'a' or 'b'?``; empty where no word is like it, in either case."""
    folded: dict[str, list[str]] = {}
    for known in words:
        folded.setdefault(known.casefold(), []).append(known)
    sought = word.casefold()
    alike = get_close_matches(sought, folded, n=3, cutoff=cutoff)
    close = [sought] if sought in folded else alike
    found = [repr(known) for some in close for known in folded[some]]
    return f"Did you mean {' or '.join(found)}?" if found else ""


def nearest(sought: Iterable[str], known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """``did_you_mean`` for several words, each its own; of one word as there."""
    words, among = list(dict.fromkeys(sought)), list(known)
    found = [(word, did_you_mean(word, among, cutoff=cutoff)) for word in words]
    if len(words) == 1:
        return found[0][1]
    hints = [f"{w}: d{hint[1:]}" for w, hint in found if hint]
    return f"For {' For '.join(hints)}" if hints else ""


def one_of(word: str, words: Iterable[str]) -> str:
    """The hint for a name that there is not: those like it, or else all of them."""
    known = list(words)
    names = list_names(known, most=40, quoted=False)
    return did_you_mean(word, known) or (f"Available: {names}." if known else "There is none.")


KNOWN = 1e-12  # share of the terms of a difference
_GAPS = {"score": "gap", "fold": "gap", "loss": "points"}  # how their names end
_LONG = ("rank", "definition")  # columns metric and score


def rounded_to_zero(value: float, *, size: float = 1.0) -> float:
    """The value; 0 (never -0) where it is within the rounding of numbers of a size."""
    return 0.0 if abs(value) <= KNOWN * abs(size) else value


def gap_size(baseline: pl.DataFrame) -> float:
    """Size of the terms of a closed gap: SBS / (SBS - VBS), at least 1."""
    if not baseline.height:
        return 1.0
    sbs, vbs = baseline.select("sbs_cost", "vbs_cost").row(0)
    if sbs is None or vbs is None or sbs == vbs:
        return 1.0
    return max(1.0, float(max(abs(sbs), abs(vbs)) / abs(sbs - vbs)))


def round_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Frames of one scenario and measure, gaps and losses within rounding set to 0."""
    import polars as pl

    size = gap_size(frames["baseline"])
    found = dict(frames)
    if "loss" in found:
        level = pl.col("level").abs()
        found["loss"] = found["loss"].with_columns(_column("loss", level))
    for name, end in ((n, end) for n, end in _GAPS.items() if n in found):
        columns = [c for c in found[name].columns if c.endswith(end)]
        found[name] = found[name].with_columns(_column(c, size) for c in columns)
    for name in _LONG:
        if name in found:
            found[name] = round_scores(found[name], size=size)
    return found


def round_scores(
    frame: pl.DataFrame, *, size: float = 1.0, columns: tuple[str, ...] = ("score",)
) -> pl.DataFrame:
    """Rows of (metric, scores…), with gaps within rounding set to 0."""
    import polars as pl

    is_gap = pl.col("metric").cast(pl.String).str.ends_with("gap")
    return frame.with_columns(
        pl.when(is_gap).then(_column(c, size)).otherwise(pl.col(c)).alias(c) for c in columns
    )


def _column(name: str, size: float | pl.Expr) -> pl.Expr:
    import polars as pl

    # A null size (an undefined level) leaves the value as it is.
    small = pl.col(name).abs() <= size * KNOWN
    return pl.when(small).then(pl.lit(0.0)).otherwise(pl.col(name)).alias(name)
