"""The mean of a second measure beside the scores of solvers, and who is best at which price."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.text import list_names, plural, significant, with_unit

OF = ("protocol", "scenario_id", "measure")
KEY = (*OF, "kind", "solver")
_NAMED = 4  # solvers of a front that a sentence names, besides the last


def has_second(lake: OpenLake) -> bool:
    """Whether a scenario has a second measure: without one nothing of it is built."""
    return bool(lake.rows("select 1 from second_measure limit 1"))


def second_columns(
    lake: OpenLake, frame: pl.DataFrame, *, baselines: bool = False
) -> tuple[pl.DataFrame, list[str]]:
    """A frame of solvers with the mean of the second measure, and who is best at which price.

    The column has the name of the measure; ``second_NAME`` where the frame has that name already. The same
    frame, and no sentence, where no scenario has a second measure. baselines: see ``second_means``.
    """
    if not has_second(lake):
        return frame, []
    found = second_means(lake, baselines=baselines)
    if not found.height:
        return frame, []
    wide = found.pivot("second", index=KEY, values="mean")
    names = {name: f"second_{name}" if name in frame.columns else name for name in wide.columns[len(KEY) :]}
    left = [pl.col("protocol").cast(pl.String).str.split("@").list.first()]
    left += [pl.col(key).cast(pl.String) for key in KEY[1:]]
    joined = frame.join(
        wide.rename(names), left_on=left, right_on=KEY, how="left", maintain_order="left"
    ).select(*frame.columns, *names.values())
    said = [
        f"{names[second]}: {with_unit('the mean over the instances', unit)},"
        f" {'higher' if maximize else 'lower'} is better."
        for second, unit, maximize in found.select("second", "unit", "second_maximize")
        .unique(maintain_order=True)
        .rows()
    ]
    return joined, said + best_at_prices(found)


def second_means(lake: OpenLake, *, baselines: bool = False) -> pl.DataFrame:
    """Rows of the question of this name, with ``mean``: the price in its own direction.

    baselines: also of random selections and of the best of each family. No rows without a second measure.
    """
    texts = pl.col(*KEY, "second", "unit", "reason").cast(pl.String)
    found = lake.ask("second_means").with_columns(texts)
    if baselines and found.height:
        of = found.select(*OF, "second", "unit", "maximize", "second_maximize").unique()
        more = lake.ask("second_baselines").with_columns(pl.col(*OF, "solver", "reason").cast(pl.String))
        more = more.join(of, on=OF).with_columns(kind=pl.lit("baseline"))
        found = pl.concat([found, more], how="diagonal_relaxed")
    own = pl.when("second_maximize").then(0 - pl.col("price")).otherwise("price")
    return found.with_columns(mean=own)


def best_at_prices(found: pl.DataFrame) -> list[str]:
    """Who is best at which price: a sentence for each protocol, scenario and measure.

    found: of ``second_means``. Also whose price is not known, and why. Nothing of a second measure that is
    maximised, as it is no price.
    """
    said = []
    several = found["protocol"].n_unique() > 1
    solvers = found.filter(pl.col("kind") != "baseline")
    for (protocol, scenario, measure), part in solvers.group_by(OF, maintain_order=True):
        where = f"{scenario}, {measure}" + (f", {protocol}" if several else "")
        if best := who_is_best(part):
            said.append(f"{where}: {best}")
        for (reason,), unknown in part.drop_nulls("reason").group_by("reason", maintain_order=True):
            names = list_names(unknown["solver"].to_list(), most=3, quoted=False)
            said.append(f"{where}: no {part['second'][0]} of {names}: {reason}.")
    return said


def who_is_best(means: pl.DataFrame) -> str:
    """Who is best at which price; nothing where no price is known, or the second measure is none."""
    solvers = means.filter(pl.col("kind") != "baseline")
    front = solvers.filter(pl.col("on_front") & ~pl.col("second_maximize")).sort("price", "solver")
    return _in_order(front, all_known=not solvers["price"].has_nulls()) if front.height else ""


def _in_order(front: pl.DataFrame, *, all_known: bool) -> str:
    """One sentence. front: rows by their price, of which those at one price tie."""
    at = front.group_by("price", maintain_order=True).agg(pl.col("solver").str.join(" = ")).rows()
    last, unit, price = at[-1][1], front["unit"][0], front["second"][0]
    those = "all" if all_known else f"those with a known {price}"
    if len(at) == 1:
        return f"{last} is best and the cheapest of {those}."
    of = "" if price == "price" else f"of {price} "
    what = "{} " + f"{unit} {of}an instance" if unit else f"a mean {price} of " + "{}"
    words = [
        f"{name} below {significant(price, 3)}" for (_, name), (price, _) in pairwise(at[: _NAMED + 1])
    ]
    words[0] = f"{at[0][1]} is best below {what.format(significant(at[1][0], 3))}"
    if len(at) > _NAMED + 1:
        words.append(f"then {plural(len(at) - _NAMED - 1, 'more solver')}")
    return f"{', '.join(words)}, {last} above{'' if all_known else f', of {those}'}."
