"""What in logs of evaluations would mislead a ranking by score or by price.

Rules on runs hold for every scenario with prices or tokens, whatever it was imported from; rules on prompts
and answers where a log has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.errors import Finding
from aslib_eval.extensions.evaluations.logs import INPUT, OUTPUT, PRICE, Sample
from aslib_eval.formats.aslib.lint import LimitedFindings
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


_FEW = 5  # runs of which nothing is said
_UNEXPLAINED = 0.05  # of the mean price, by which the median run may differ from its tokens' price
_ALIKE = 0.5  # of all answers


def checked_at_import(lake: Path, scenarios: Sequence[str]) -> Iterator[Finding]:
    """The findings on runs of scenarios that were just imported from another format than ours."""
    import pyarrow.parquet as pq

    from aslib_eval.lake.versions import lease, manifest

    with lease(lake) as held:
        for scenario in scenarios:
            version, facts = held.version(scenario), manifest(lake, scenario) or {}
            codes = {each["code"] for each in facts.get("findings", ())}
            about = None if version is None else version.table("scenario")
            if version is None or about is None or "log-understood" in codes:
                continue
            measures = about.sort_by("measure_index")["measure"].to_pylist()
            if not {PRICE, INPUT, OUTPUT}.isdisjoint(measures):
                runs = pq.read_table(version.file("run"))
                yield from run_findings(runs, measures[0], file=scenario)


def run_findings(runs: pa.Table, primary: str, *, file: str) -> tuple[Finding, ...]:
    """Constant tokens, prices that are odd, and scores that are all the same."""
    import polars as pl

    found, place = LimitedFindings(file), (file, None)
    names = [primary, PRICE, INPUT, OUTPUT]
    frame = pl.DataFrame(pl.from_arrow(runs)).filter(pl.col("measure").cast(pl.String).is_in(names))
    key = ["algorithm", "instance_id", "repetition"]
    ok = pl.when(pl.col("runstatus").cast(pl.String) == "ok").then("value").alias("value")
    frame = frame.with_columns(pl.col("measure", *key[:2]).cast(pl.String), ok)
    wide = frame.pivot("measure", index=key, values="value", aggregate_function="first").sort(key)
    for name in (INPUT, OUTPUT):
        if name not in wide.columns:
            continue
        for (solver,), of in wide.drop_nulls(name).group_by("algorithm", maintain_order=True):
            same = of[name].n_unique() == 1 and of.height >= _FEW
            if same and of[name][0] != 1:
                what = f"all {of.height} runs of {solver} have {of[name][0]:g} {name}"
                hint = "A price made of them is its list price alone: choosing per instance saves nothing."
                found.say("log-tokens", place, what, hint)
    if PRICE in wide.columns:
        for (solver,), of in wide.group_by("algorithm", maintain_order=True):
            _prices(str(solver), of, found, place)
    scores = wide[primary].drop_nulls() if primary in wide.columns else pl.Series()
    if len(scores) >= _FEW and scores.n_unique() == 1:
        what = f"every score is {scores[0]:g}"
        found.say(
            "log-scores", place, what, "It ranks nobody: all ranks by it are ties. Was it scored at all?"
        )
    return found.findings


def _prices(solver: str, of: pl.DataFrame, found: LimitedFindings, place: tuple[str, None]) -> None:
    missing = of[PRICE].null_count()
    if missing:
        what = f"{plural(missing, 'run')} of {of.height} of {solver} have no price"
        hint = "Its mean price is not that of all instances, and may look too low."
        found.say("log-price", place, what, hint)
    prices = of[PRICE].drop_nulls()
    if free := int((prices <= 0).sum()):
        what = f"{plural(free, 'run')} of {len(prices)} of {solver} have a price of 0 or below"
        hint = "Where it is right it is the cheapest, and takes ties and budgets from all others."
        found.say("log-price", place, what, hint)
    tokens = [name for name in (INPUT, OUTPUT) if name in of.columns]
    known = of.drop_nulls([PRICE, *tokens]).filter(of.drop_nulls([PRICE, *tokens])[PRICE] > 0)
    if not tokens or known.height < _FEW:
        return
    price = known[PRICE].to_numpy()
    counts = np.column_stack([known.select(tokens).to_numpy(), np.ones(known.height)])
    fitted = counts @ np.linalg.lstsq(counts, price, rcond=None)[0]
    if np.median(np.abs(price - fitted)) > _UNEXPLAINED * price.mean():
        what = f"prices of {solver} are no sum of {' and '.join(tokens)}, each at one rate"
        hint = (
            "Were rates changed, tokens cached or not counted? A ranking by price is one of such changes."
        )
        found.say("log-price", place, what, hint)


def content_findings(rows: Iterable[tuple[str, str, Sample]], *, file: str) -> tuple[Finding, ...]:
    """Prompts that occur twice, and solvers that answer different prompts alike.

    rows: solver, instance and sample.
    """
    found, place = LimitedFindings(file), (file, None)
    asked: dict[tuple[str, str], set[str]] = {}
    answers: dict[str, dict[str, str]] = {}
    for solver, instance, sample in rows:
        if sample.prompt:
            asked.setdefault((solver, sample.prompt), set()).add(instance)
            if sample.answer:
                answers.setdefault(solver, {})[sample.prompt] = sample.answer
    again = {frozenset(instances) for instances in asked.values() if len(instances) > 1}
    if extra := sum(len(each) - 1 for each in again):
        example = " and ".join(sorted(min(again, key=sorted))[:2])
        what = f"{plural(extra, 'instance')} have a prompt that another one has, as {example}"
        found.say(
            "log-prompts",
            place,
            what,
            "They count more than once in each mean, and intervals are too narrow.",
        )
    for solver, of in answers.items():
        _, most = Counter(of.values()).most_common(1)[0]
        if len(of) >= _FEW and most > max(_ALIKE * len(of), 1):
            what = f"{solver} gives the same answer to {most} of {len(of)} different prompts"
            hint = "Its score is that of a constant answer: it ranks by luck. Is the answer an error?"
            found.say("log-answers", place, what, hint)
    return found.findings
