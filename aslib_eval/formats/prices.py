"""What runs use beside their quality (price, time, tokens), and what of it would mislead a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from aslib_eval.errors import Finding
from aslib_eval.formats import Found, Parsed
from aslib_eval.formats.aslib.lint import LimitedFindings
from aslib_eval.formats.sources import Sources
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

PRICE, LATENCY, INPUT, OUTPUT = "price", "latency", "input_tokens", "output_tokens"
# What a run uses, with its unit; less of each is better.
USED: Mapping[str, str] = {PRICE: "USD", LATENCY: "s", INPUT: "token", OUTPUT: "token"}
_FEW = 5  # runs of which nothing is said
_UNEXPLAINED = 0.05  # of the mean price, by which the median run may differ from its tokens' price


def read_scenario(found: Found, sources: Sources) -> Parsed:
    """A scenario as read, with warnings on logs and on runs that have prices or tokens."""
    parsed = found.format.read(found.location, sources)
    about = parsed.tables.get("scenario")
    if parsed.facts is not None or about is None or "run" not in parsed.tables:
        return parsed
    measures = [row["measure"] for row in about.select(["measure"]).to_pylist()]
    is_log = any(each.code == "log-understood" for each in parsed.findings)
    if not is_log and {PRICE, INPUT, OUTPUT}.isdisjoint(measures):
        return parsed
    told = run_findings(parsed.tables["run"], measures[0], file=found.location.shown)
    return replace(parsed, findings=(*parsed.findings, *told))


def run_findings(runs: pa.Table, primary: str, *, file: str) -> tuple[Finding, ...]:
    """Constant tokens, missing numbers, odd prices and equal scores. primary: the measure to rank by."""
    import polars as pl

    frame = pl.DataFrame(pl.from_arrow(runs)).filter(pl.col("measure").is_in([primary, *USED]))
    value = pl.col("value").filter(pl.col("runstatus") == "ok").drop_nulls()
    facts = frame.group_by("measure", "algorithm").agg(
        pl.len().alias("n"),
        value.len().alias("known"),
        value.min().alias("least"),
        value.max().alias("largest"),
        (value <= 0).sum().alias("free"),
    )
    facts = facts.with_columns(pl.col("measure", "algorithm").cast(pl.String)).sort("algorithm")
    found = LimitedFindings(file)
    for code, what, hint in (*_odd_numbers(facts), *_odd_prices(frame), *_equal_scores(facts, primary)):
        found.say(code, (file, None), what, hint)
    return found.findings


_Told = Iterator[tuple[str, str, str]]  # code, what is wrong, its effect on a ranking


def _odd_numbers(facts: pl.DataFrame) -> _Told:
    """facts: of each measure and solver the runs, those that are known, the least value, the largest."""
    for name in USED:
        called = name.replace("_", " ")
        for _, solver, n, known, least, largest, free in facts.filter(measure=name).rows():
            if name in (INPUT, OUTPUT) and known >= _FEW and least == largest != 1:
                hint = "Its price is the same on each instance, so choosing per instance saves nothing."
                hint = hint if largest else "The log probably did not count them."
                yield "log-tokens", f"all {known} runs of {solver} have {least:g} {called}", hint
            if known < n:
                what = f"{solver} has no {called} in {n - known} of {plural(n, 'run')}"
                hint = "The mean of its other runs may be too low." if known else "Its mean is not known."
                yield "log-price", what, hint
            if name == PRICE and free:
                what = f"{solver} has a price of 0 or below in {free} of {plural(known, 'run')}"
                hint = "If the price is right, the solver is the cheapest, wins ties and fits every budget."
                yield "log-price", what, hint


def _odd_prices(frame: pl.DataFrame) -> _Told:
    """Solvers whose prices do not follow from their tokens, each at a fixed rate, and a fee."""
    import numpy as np
    import polars as pl

    used = frame.filter(pl.col("measure").is_in([PRICE, INPUT, OUTPUT]) & (pl.col("runstatus") == "ok"))
    used = used.with_columns(pl.col("measure", "algorithm").cast(pl.String))
    tokens = [name for name in (INPUT, OUTPUT) if (used["measure"] == name).any()]
    if not tokens or not (used["measure"] == PRICE).any():
        return
    key = ["algorithm", "instance_id", "repetition"]
    wide = used.pivot("measure", index=key, values="value", aggregate_function="first").drop_nulls()
    priced = wide.filter(pl.col(PRICE) > 0).sort("algorithm")
    for (solver,), of in priced.group_by("algorithm", maintain_order=True):
        if of.height < _FEW:
            continue
        price = of[PRICE].to_numpy()
        counts = np.column_stack([of.select(tokens).to_numpy(), np.ones(of.height)])
        fitted = counts @ np.linalg.lstsq(counts, price, rcond=None)[0]
        if np.median(np.abs(price - fitted)) > _UNEXPLAINED * price.mean():
            what = f"prices of {solver} do not follow from {' and '.join(tokens)}, each at a fixed rate"
            hint = "Check whether rates changed, or whether tokens were cached or not counted."
            yield "log-price", what, f"{hint} Otherwise a ranking by price reflects such changes."


def _equal_scores(facts: pl.DataFrame, primary: str) -> _Told:
    import polars as pl

    ends = pl.sum("known"), pl.min("least"), pl.max("largest")
    known, least, largest = facts.filter(measure=primary).select(*ends).row(0)
    if known >= _FEW and least == largest:
        hint = "All solvers tie, so check that the scenario was scored."
        yield "log-scores", f"every score is {least:g}", hint
