"""Describe a comparison in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aslib_eval.analysis.compare.pairs import too_few
from aslib_eval.analysis.compare.question import TESTS, Block, Question
from aslib_eval.text import join_words, plural

Row = dict[str, Any]
_KINDS = ("selector", "algorithm", "baseline")
_NAMED = 5  # names listed before "and others"


def describe(
    block: Block, question: Question, pairs: Sequence[Row], omnibus: Row | None
) -> str:
    """One paragraph: systems, n, who differs by how much, and the test."""
    parts = [_population(block, question), *map(_remark, block.remarks)]
    if omnibus is not None:
        parts.append(_differs(omnibus, question.alpha))
    if question.versus is not None:
        parts.append(_against(question, pairs))
    else:
        parts.append(_ranking(block, question, pairs))
    parts.append(_how_sure(block, question, pairs))
    if few := too_few(block, question, pairs[0]["interval_method"]):
        parts.append(_remark(few))
    return " ".join(part for part in parts if part)


def _population(block: Block, question: Question) -> str:
    what = f"{_kinds(block)} by {_metric(question)}"
    better = "lower" if question.lower_is_better else "higher"
    where = f"{block.scenario_id}: " if block.scenario_id else ""
    text = f"{where}{what} ({better} is better) on {_count(block.n, block.unit)}"
    nobody = block.n_nobody
    if nobody:
        text += f", of which {nobody} that none of them solves count as ties"
    return f"{text}."


def _metric(question: Question) -> str:
    spelled = question.metric.replace("_", " ")
    return spelled.upper() if spelled.startswith("par") else spelled


def _kinds(block: Block) -> str:
    """Number of systems of each kind, such as ``6 selectors and 1 baseline``."""
    often = Counter(block.kinds)
    order = sorted(often, key=lambda kind: (-often[kind], _KINDS.index(kind)))
    return join_words([_count(often[kind], kind) for kind in order])


def _count(n: int, unit: str) -> str:
    """``3 folds of aslib``: the first word of a unit is its noun."""
    head, _, rest = unit.partition(" ")
    return f"{plural(n, head)} {rest}".rstrip()


def _remark(remark: str) -> str:
    first = remark if remark.startswith("n = ") else remark[0].upper() + remark[1:]
    return f"{first}."


def _differs(omnibus: Row, alpha: float) -> str:
    shown = "They differ" if omnibus["f_p"] <= alpha else "No difference is shown"
    return (
        f"{shown} (Friedman, corrected for ties: chi2 = {omnibus['chi2']:.4g},"
        f" Iman-Davenport {p_words(omnibus['f_p'])})."
    )


def _ranking(block: Block, question: Question, pairs: Sequence[Row]) -> str:
    best = block.systems[0]
    against = [row for row in pairs if row["system"] == best]
    beaten = [row for row in against if row["winner"] == best]
    open_ = [row for row in against if row["winner"] is None]
    lost = [row for row in against if row["winner"] == row["other"]]
    text = [f"{best} has the best mean."]
    if beaten:
        closest = beaten[0]
        over = f"Over {closest['other']}" + (", the closest" if beaten[1:] else "")
        text = [
            f"{best} has the best mean and is better than {_names(beaten, block)}.",
            f"{over}: {_effect(closest, question)}.",
        ]
    if open_:
        text.append(f"No difference from {_names(open_, block)} is shown.")
    if lost:
        verb = "is" if len(lost) == 1 else "are"
        text.append(f"Yet by the test {_names(lost, block)} {verb} better.")
    if len(pairs) > 1:
        text.append(_differing(pairs, best))
    return " ".join(text)


def _differing(pairs: Sequence[Row], best: str) -> str:
    """Number of pairs that differ; named if few and without the best system."""
    differ = [row for row in pairs if row["winner"] is not None]
    rest = [row for row in differ if row["system"] != best]
    verb = "differs" if len(differ) == 1 else "differ"
    text = f"Of {len(pairs)} pairs {len(differ) or 'none'} {verb}"
    if not 0 < len(rest) <= _NAMED:
        return f"{text}."
    sides = [(row["system"], row["other"]) for row in rest]
    won = [row["winner"] for row in rest]
    over = [
        f"{w} over {b if w == a else a}" for w, (a, b) in zip(won, sides, strict=True)
    ]
    which = ":" if len(rest) == len(differ) else ", among them"
    return f"{text}{which} {join_words(over)}."


def _against(question: Question, pairs: Sequence[Row]) -> str:
    one = question.versus
    better = [row for row in pairs if row["winner"] == one]
    worse = [row for row in pairs if row["winner"] == row["other"]]
    open_ = [row for row in pairs if row["winner"] is None]
    text = []
    if better:
        text.append(f"{one} is better than {_each(better, question)}.")
    if worse:
        text.append(f"{one} is worse than {_each(worse, question)}.")
    if open_:
        text.append(
            f"No difference is shown between {one} and {_each(open_, question)}."
        )
    return " ".join(text)


def _each(rows: Sequence[Row], question: Question) -> str:
    named = [f"{row['other']} [{_effect(row, question)}]" for row in rows[:_NAMED]]
    if len(rows) > _NAMED:
        named.append(plural(len(rows) - _NAMED, "other"))
    return join_words(named)


def _names(rows: Sequence[Row], block: Block) -> str:
    names = [str(row["other"]) for row in rows]
    if len(names) == len(block.systems) - 1 > 1:
        return f"all {len(names)} others"
    if len(names) > _NAMED:
        names = [*names[:_NAMED], plural(len(names) - _NAMED, "other")]
    return join_words(names)


def _effect(row: Row, question: Question) -> str:
    """Effect of one pair, from the view of its first system."""
    ahead = row["advantage"] >= 0
    way = "ahead" if ahead else "behind"
    if row["winner"] == row["other" if ahead else "system"]:
        way = f"though {way}"
    bounds = sorted(b if ahead else -b for b in (row["lower"], row["upper"]))
    return (
        f"{way} by {abs(row['advantage']):.4g} on average"
        f" ({_percent(question)} interval {bounds[0]:.4g} to {bounds[1]:.4g}),"
        f" better on {row['wins']}, worse on {row['losses']}, equal on {row['ties']},"
        f" {p_words(row['p_adjusted'])}"
    )


def _percent(question: Question) -> str:
    joint = "joint " if question.joint else ""
    return f"{joint}{100 * (1 - question.alpha):g} %"


def _how_sure(block: Block, question: Question, pairs: Sequence[Row]) -> str:
    name = TESTS[question.chosen_test]
    if question.chosen_test in {"nemenyi", "bonferroni-dunn"}:
        how = name
    else:
        how = f"{name}, {'one' if question.alternative == 'better' else 'two'}-sided"
        if len(pairs) > 1:
            word = {"holm": "Holm", "bonferroni": "Bonferroni", "none": "no correction"}
            how += f", {word[question.correction]} over {len(pairs)} pairs"
    if block.test_to_train is not None:
        return f"Test: {how}; alpha = {question.alpha:g}."
    return (
        f"Test: {how}; alpha = {question.alpha:g};"
        f" n = {block.n}, the independent unit is the {block.unit}."
    )


def p_words(p: float) -> str:
    """A p-value in words, such as ``p < 0.001`` or ``p = 0.034``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"  # noqa: PLR2004
