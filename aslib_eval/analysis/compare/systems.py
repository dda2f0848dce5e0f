"""A comparison in sentences, and its rows for each system and for Friedman's test of all of them.

What a mean says and what a test says are two things: a mean adds up what is won and lost, a test of ranks
looks at it one by one. A system is called better only if the mean, the test and the interval of the mean
say so; by a test of ranks alone it is typically better.

The comparisons of the report have the tests, corrections and defaults of ``aslib-eval compare``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import (
    LEAST_P,
    LEGEND,
    mean_intervals,
    pair_rows,
    rests_on_normality,
    seen_from_other,
    side_of_interval,
    too_few,
    turned,
)
from aslib_eval.analysis.compare.question import TESTS, Block, Question
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import column_means, column_medians
from aslib_eval.statistics.friedman import (
    Order,
    blocks_of,
    critical_difference,
    friedman,
    rank_systems,
    scott_knott_blocked,
)
from aslib_eval.statistics.means import BY_BOUND
from aslib_eval.text import join_words, plural, rounded_to_zero, significant

_KINDS = ("selector", "algorithm", "baseline")
_NAMED = 3  # systems; of more their number, as the table has their names
_OF_RANKS = ("nemenyi", "bonferroni-dunn")


def describe(block: Block, question: Question, pairs: Sequence[Row], omnibus: Row | None) -> str:
    """One paragraph: systems, measure, n, who differs by how much, and the test."""
    parts = [_population(block, question), *map(_remark, block.remarks)]
    if question.versus is not None:
        told = pairs
        parts.append(_against(block, question, pairs))
    else:
        told = [row for row in pairs if row["system"] == block.systems[0]]
        parts.append(_ranking(block, question, told))
        if len(pairs) > 1:
            parts.append(_differing(pairs, omnibus, question.alpha))
    parts += [
        _apart(question, told),
        _how_sure(block, question, pairs),
        _powerless(block, question, pairs, omnibus),
        _on_normality(block, question, pairs),
    ]
    if few := too_few(block, question, pairs[0]["interval_method"]):
        parts.append(_remark(few))
    return " ".join(part for part in parts if part)


def _population(block: Block, question: Question) -> str:
    protocol = block.protocol.partition("@")[0]
    where = f"{block.place} under {protocol}" if block.scenario_id else ""
    what = f"{_kinds(block)} by {_metric(block, question)}"
    text = f"{where or f'Under {protocol}'}: comparison of {what} on {_count(block.n, block.unit)}"
    nobody = block.n_nobody
    if nobody == block.n:
        text += "; no solver solves any of them, so all tie"
    elif nobody:
        counts = "counts as a tie" if nobody == 1 else "count as ties"
        text += f"; the {nobody} that no solver solves {counts}"
    return f"{text}."


def _metric(block: Block, question: Question) -> str:
    spelled = question.metric.replace("_", " ")
    spelled = spelled.upper() if spelled.startswith("par") else spelled
    better = "lower" if question.lower_is_better else "higher"
    if question.metric == "cost" and block.better is not None:
        return f"{block.measure} ({block.better} is better)"
    of = f"measure {block.measure}, " if block.measure else ""
    return f"{spelled} ({of}{better} is better)"


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


def _ranking(block: Block, question: Question, against: Sequence[Row]) -> str:
    best = block.systems[0]
    same = [row for row in against if row["by_mean"] is None]
    beaten = [row for row in against if row["winner"] == best]
    open_ = [row for row in against if row["by_test"] is None]
    alone = [row for row in against if row["by_test"] == best and not row["winner"]]
    lost = [row for row in against if row["by_test"] == row["other"]]
    if len(same) == len(block.systems) - 1:
        everywhere = all(row["ties"] == row["n"] for row in same)
        equal = f" on every {block.unit}" if everywhere else " on average"
        n = len(block.systems)
        text = [f"{'Both' if n == 2 else f'All {n}'} are equal{equal}."]  # noqa: PLR2004
        if everywhere:
            return text[0]
    elif same:
        sharing = join_words([best, *(row["other"] for row in same)])
        text = [f"{sharing} share the best mean."]
    else:
        text = [f"{best} has the best mean."]
    nearest = next(iter([*lost, *beaten, *alone, *open_]))
    if beaten:
        who = _names(beaten, block)
        text.append(f"{best} is better than {who} by mean, test and interval.")
    if alone:
        text.append(f"{best} is {_by_test(question, 'better', _names(alone, block))}.")
    if open_:
        none = f"{best} is not significantly different from {_names(open_, block)}"
        if clear := sum(side_of_interval(r) is not None for r in open_ if r != nearest):
            level = _percent(question)
            none += f", although the {level} interval of the mean difference excludes 0 for {clear} of them"
        text.append(f"{none}.")
    for mixed in (True, False):
        if found := [row for row in lost if (row["verdict"] == "mixed") == mixed]:
            verb, who = "is" if len(found) == 1 else "are", _names(found, block)
            said = f"{who} {verb} {_by_test(question, 'better', best)}"
            text.append(f"Mixed: {said}, but worse by the mean." if mixed else f"{said}.")
    text.append(_effect_in_words(nearest, question))
    return " ".join(text)


def _by_test(question: Question, word: str, other: str) -> str:
    """``better than other``, where the test shows it, but not the mean and its interval."""
    return (
        f"typically {word} than {other}"
        if question.one_by_one
        else f"{word} than {other} by the test alone"
    )


def _differing(pairs: Sequence[Row], omnibus: Row | None, alpha: float) -> str:
    differ = [row for row in pairs if row["by_test"] is not None]
    agreed = sum(row["winner"] is not None for row in differ)
    text = f"The test shows a difference for {len(differ) or 'none'} of {len(pairs)} pairs"
    if agreed < len(differ):
        text += f". Mean and interval confirm {agreed or 'none'} of these differences"
    if omnibus is not None and (omnibus["f_p"] <= alpha) != bool(differ):
        shown = "shows no difference" if differ else "shows a difference"
        p = p_words(omnibus["f_p"])
        text += f". Friedman's test of all solvers together {shown} (Iman-Davenport {p})"
    return f"{text}."


def _against(block: Block, question: Question, pairs: Sequence[Row]) -> str:
    one = str(question.versus)
    kind = block.kinds[block.systems.index(one)]
    rows = list(pairs)
    turned = kind == "baseline" and question.alternative != "better"
    if not turned:
        rows = [seen_from_other(row) for row in pairs]
    better = [row for row in rows if row["winner"] == row["system"]]
    worse = [row for row in rows if row["winner"] == row["other"]]
    open_ = [row for row in rows if row["by_test"] is None]
    split = [row for row in rows if row["by_test"] and not row["winner"]]
    text = []
    for found, word in ((better, "better"), (worse, "worse")):
        if found:
            text.append(f"{_who_is(found, one, f'{word} than {{}}', turned=turned)}.")
            text.append(_effect_in_words(found[0], question))
    text += _by_test_alone(split, question, one, turned=turned)
    if open_:
        said = _who_is(open_, one, "not significantly different from {}", turned=turned)
        if question.alternative == "better":
            said = f"The test does not show that {_who_is(open_, one, 'better than {}', turned=turned)}"
        text.append(f"{said}. {_effect_in_words(open_[0], question)}")
    return " ".join(text)


def _who_is(rows: Sequence[Row], one: str, said: str, *, turned: bool) -> str:
    """``A and B are better than SBS``, or ``SBS is better than A and B``; said: ``better than {}``."""
    if turned:
        return f"{_each(rows, one)} {'are' if len(rows) > 1 else 'is'} {said.format(one)}"
    return f"{one} is {said.format(_each(rows, one))}"


def _by_test_alone(rows: Sequence[Row], question: Question, one: str, *, turned: bool) -> Iterator[str]:
    """A sentence for each side and verdict where only the test shows a difference."""
    for side, word in (("system", "better"), ("other", "worse")):
        for mixed in (False, True):
            found = [
                row for row in rows if row["by_test"] == row[side] and (row["verdict"] == "mixed") == mixed
            ]
            if not found:
                continue
            said = _who_is(found, one, _by_test(question, word, "{}"), turned=turned)
            mean = "worse by the mean" if word == "better" else "better by the mean"
            text = f"Mixed: {said}, but {mean}" if mixed else said
            yield f"{text}. {_effect_in_words(found[0], question)}"


def _each(rows: Sequence[Row], one: str) -> str:
    """The names; of many the first, and how many others."""
    pairs = ((row["system"], row["other"]) for row in rows)
    first, *others = (str(b if a == one else a) for a, b in pairs)
    if len(rows) > _NAMED:
        others = [plural(len(others), "other")]
    return join_words([first, *others])


def _names(rows: Sequence[Row], block: Block) -> str:
    names = [str(row["other"]) for row in rows]
    if len(names) == len(block.systems) - 1 > 1:
        return f"the {len(names)} others"
    if len(names) > _NAMED:
        return f"{len(names)} of the {len(block.systems) - 1} others"
    return join_words(names)


def _effect_in_words(row: Row, question: Question) -> str:
    ahead = row["advantage"] >= 0
    bounds = sorted(b if ahead else -b for b in (row["lower"], row["upper"]))
    who, whom = row["system"], row["other"]
    by = f"{who} is {'ahead of' if ahead else 'behind'} {whom} by {amount(abs(row['advantage']), question)}"
    low, high = (amount(bound, question) for bound in bounds)
    interval = f"{_percent(question)} interval {low} to {high}{_contradiction(row)}"
    if not isfinite(bounds[1] - bounds[0]):
        interval = "no interval"
    return (
        f"On average, {by if row['advantage'] else f'{who} and {whom} are equal'}"
        f" ({interval}).{_by_bound(row, question)} {who} is better on"
        f" {plural(row['wins'], question.unit.removesuffix('s'))}, worse on {row['losses']}"
        f" and equal on {row['ties']} ({p_words(row['p_adjusted'])})."
    )


def amount(difference: float, question: Question) -> str:
    """A difference as a number, or in percent."""
    difference += 0.0  # no -0
    if question.differences == "percent":
        return f"{significant(100 * difference)} %"
    return f"{significant(difference)}"


def _contradiction(row: Row) -> str:
    side = side_of_interval(row)
    says = ", which contains 0" if side is None else ", which excludes 0"
    return "" if side == row["by_test"] else says


def _by_bound(row: Row, question: Question) -> str:
    """That the bound makes the interval wide, and the interval of the data alone."""
    if row["decided_by"] != "bound":
        return ""
    if row["both_lower"] is None:
        return f" The interval is {BY_BOUND}."
    sign = 1 if row["both"] >= 0 else -1
    low, high = sorted((sign * row["both_lower"], sign * row["both_upper"]))
    return (
        f" The interval is wide because it allows for unseen timeouts. On the {row['n_both']} instances"
        f" that both solve, {row['system']} is {'ahead' if sign > 0 else 'behind'} by"
        f" {amount(abs(row['both']), question)}"
        f" (interval {amount(low, question)} to {amount(high, question)})."
    )


def _apart(question: Question, told: Sequence[Row]) -> str:
    apart = [row for row in told if side_of_interval(row) != row["by_test"]]
    if not apart:
        return ""
    if question.one_by_one:
        return (
            "Mean and test can disagree: a few large differences can decide a mean, but not ranks or signs."
        )
    by_correction = [row for row in apart if row["p"] <= question.alpha]
    if any(row["by_test"] is None for row in by_correction) and not question.joint:
        return "The test is corrected for the number of pairs, but the intervals are not."
    if question.chosen_test == "t":
        return "The t test assumes a normal mean, but the interval does not."
    return ""


def _percent(question: Question) -> str:
    joint = "joint " if question.joint else ""
    return f"{joint}{100 * (1 - question.alpha):g} %"


def _how_sure(block: Block, question: Question, pairs: Sequence[Row]) -> str:
    name = TESTS[question.chosen_test]
    if question.chosen_test in _OF_RANKS:
        how = name
    else:
        how = f"{name}, {'one' if question.alternative == 'better' else 'two'}-sided"
        if len(pairs) > 1:
            word = "no" if question.correction == "none" else f"{question.correction.title()}'s"
            how += f", {word} correction for {len(pairs)} pairs"
    if block.test_to_train is not None:
        return f"Test: {how}; alpha = {question.alpha:g}."
    n = _count(block.n, block.unit)
    if block.n_families is not None:
        n = f"{plural(block.n_families, 'family', 'families')} with {n}; the families count as independent"
    return f"Test: {how}; alpha = {question.alpha:g}; n = {n}."


def _powerless(block: Block, question: Question, pairs: Sequence[Row], omnibus: Row | None) -> str:
    if question.chosen_test in _OF_RANKS and omnibus is not None:
        most = omnibus["k"] - 1
        if omnibus["cd"] <= most:
            return ""
        return (
            f"With n = {block.n}, this test cannot show a difference: mean ranks differ by"
            f" at most {most}, and the critical difference is {omnibus['cd']:.3g}."
        )
    differing = max(row["wins"] + row["losses"] for row in pairs)
    noun, all_ = plural(differing, block.unit), block.n
    if block.n_families is not None and block.n_families <= differing:
        differing = all_ = block.n_families
        noun = plural(differing, "family", "families")
    if question.chosen_test not in {"wilcoxon", "sign"} or not differing:
        return ""
    sides = 1 if question.alternative == "better" else 2
    least = min(1.0, sides * 0.5**differing)
    many = 1 if question.correction == "none" else len(pairs)
    corrected = min(1.0, many * least)
    if corrected <= question.alpha:
        return ""
    over = f" ({corrected:.3g} after correction for {many} pairs)" if many > 1 else ""
    which = f"With {noun}," if differing == all_ else f"Two solvers differ on at most {noun}, so"
    inside = " Use --inside instances to treat each instance as independent."
    inside = inside if block.n_families == differing else ""
    return f"{which} this test cannot show a difference: its p is at least {least:.3g}{over}.{inside}"


def _on_normality(block: Block, question: Question, pairs: Sequence[Row]) -> str:
    """Warning that a small p of few units rests on the assumption of the t test."""
    if not any(row["by_test"] and rests_on_normality(row, question) for row in pairs):
        return ""
    return (
        f"With {_count(block.n, block.unit)}, the t test is valid only if the differences are normal. "
        "So few values cannot confirm this. Therefore the program calls no solver better."
    )


def p_words(p: float) -> str:
    """A p-value in words, such as ``p < 0.001`` or ``p = 0.034``.

    Two digits; more where these would be 0.05, which p is not.
    """
    if p < 0.001:  # noqa: PLR2004
        return "p < 0.001"
    words = (f"{p:.{digits}g}" for digits in range(2, 17))
    return f"p = {next(w for w in words if (float(w) <= 0.05) == (p <= 0.05))}"  # noqa: PLR2004


Row = dict[str, Any]
SYSTEM_COLUMNS: Mapping[str, str] = {
    "system": "name",
    "kind": "algorithm, selector or baseline",
    "mean": "mean over the units [metric's unit]; the value, not the cost, of a maximised "
    "quality; the geometric mean of ratios with percent differences and versus",
    "lower": "lower end of its interval; null over folds, which share instances",
    "upper": "upper end",
    "interval_method": "Gaffke or bootstrap-t, as in pairs; null over folds",
    "decided_by": "bound or data, as in pairs; null over folds",
    "median": "median over the units",
    "solved": "share of units solved; null where nothing can time out",
    "mean_rank": "mean rank over the units, 1 = best; ties share ranks",
    "sk_group": "Scott-Knott group, blocked by unit, 1 = best; null over folds",
    "mark": "against versus, else the best mean (`o`): `+` better and `-` worse by mean, "
    "test and interval, `±` by the test alone, `=` no difference shown",
    "n": "units; independent where n_families is null",
    "n_families": "independent families of instances; null where each unit is independent",
    "n_failed": "units on which its run failed and got a value from the protocol; 0 for "
    "runtimes, which count as PARk",
    "n_left_out": "units left out because a system has no value there",
}
OMNIBUS_COLUMNS: Mapping[str, str] = {
    "n": "units; independent where n_families is null",
    "n_families": "families with independent sums of ranks; null where each unit is independent",
    "k": "systems",
    "n_nobody": "units that no system solves",
    "tie_factor": "1 without ties, 0 if all systems tie on every unit",
    "chi2": "Friedman's, corrected for ties",
    "p": "p of chi2 with k - 1 degrees of freedom",
    "f": "Iman and Davenport's, of the corrected chi2",
    "f_p": "p of F with k - 1 and (k - 1)(n - 1) degrees of freedom",
    "cd": "critical difference of mean ranks, by cd_method",
    "cd_method": "bonferroni-dunn with versus, else nemenyi",
}


def system_rows(block: Block, question: Question, pairs: Sequence[Row]) -> list[Row]:
    """One row of SYSTEM_COLUMNS for each system, the best mean first.

    pairs: rows of ``pair_rows`` of the same block, for the significance marks.
    """
    one = question.versus or block.systems[0]
    marks = {one: "o"}
    for row in pairs:
        if one in (row["system"], row["other"]):
            other = row["other"] if row["system"] == one else row["system"]
            clear = {None: "±", one: "-"}.get(row["winner"], "+")
            marks[other] = "=" if row["by_test"] is None else clear
    means, ends = mean_intervals(block.values, block, question, least=0, confidence=1 - question.alpha)
    ranks = rank_systems(block.values, lower_is_better=question.lower_is_better)
    order: Order = "ascending" if question.lower_is_better else "descending"
    groups = scott_knott_blocked(block.by_family.values, alpha=question.alpha, order=order).groups
    medians = column_medians(block.values)

    # A cost is the value negated where more is better.
    side = -1 if block.better == "higher" and question.metric == "cost" else 1

    def own(value: float) -> float:
        """A value in its own direction; as a share again where it is its logarithm."""
        sign = block.logs
        value = sign * np.exp(sign * value) if sign else value
        return float(side * value) + 0.0

    rows = [
        {
            "system": name,
            "kind": block.kinds[at],
            "mean": own(means[at]),
            **of_mean,
            ("lower", "upper")[::side][0]: own(of_mean["lower"]),
            ("lower", "upper")[::side][1]: own(of_mean["upper"]),
            "median": own(medians[at]),
            "solved": None if block.solved is None else float(block.solved[:, at].mean()),
            "mean_rank": float(ranks[:, at].mean()),
            "sk_group": int(groups[at]),
            "mark": marks[name],
            "n": block.n,
            "n_families": block.n_families,
            "n_failed": int(block.failed[:, at].sum()),
            "n_left_out": block.n_left_out,
        }
        for at, (name, of_mean) in enumerate(zip(block.systems, ends, strict=True))
    ]
    unknown: Row = {}
    if block.test_to_train is not None:
        unknown = dict.fromkeys(("lower", "upper", "interval_method", "decided_by", "sk_group"))
    return [row | unknown for row in rows]


def omnibus_row(block: Block, question: Question) -> Row | None:
    """One row of OMNIBUS_COLUMNS; None over folds, which are not independent."""
    if block.test_to_train is not None:
        return None
    ranks = rank_systems(block.values, lower_is_better=question.lower_is_better)
    found = friedman(ranks, block.families)
    method = "nemenyi" if question.versus is None else "bonferroni-dunn"
    k, n = len(block.systems), blocks_of(ranks, block.families)
    cd = critical_difference(k, n, alpha=question.alpha, method=method)  # type: ignore[arg-type]
    return {
        "n": block.n,
        "n_families": block.n_families,
        "k": k,
        "n_nobody": block.n_nobody,
        "tie_factor": found.tie_factor,
        "chi2": found.chi2,
        "p": max(found.p, LEAST_P),
        "f": found.f,
        "f_p": max(found.f_p, LEAST_P),
        "cd": cd,
        "cd_method": method,
    }


SBS = "SBS"
# The question of each frame. Selectors: all against all, as in ``compare``, and
# against SBS; of the many algorithms only against SBS.
QUESTIONS = {
    "selectors_tested": Question(kind="selector"),
    "selectors_sbs": Question(kind="selector", versus=SBS),
    "algorithms_sbs": Question(kind="algorithm", versus=SBS),
}
OVER_SCENARIOS = Question(metric="closed_gap", unit="scenarios", kind="selector")
_KEPT = ("system", "mark", "sk_group", "mean_rank", "n", "n_families")
_EFFECTS = ("advantage", "lower", "upper", "wins", "ties", "losses", "p_adjusted", "verdict")


@dataclass(frozen=True)
class Compared:
    """One comparison: a row for each system, its sentences, or why there is none."""

    question: Question
    rows: Sequence[dict[str, Any]]
    sentence: str

    def of(self, system: str) -> dict[str, Any]:
        """The row of a system, empty if it was not compared."""
        return next((r for r in self.rows if r["system"] == system), {})


def read(lake: OpenLake, kinds: Collection[str]) -> dict[str, pl.DataFrame]:
    """A frame for each of QUESTIONS: a row per scenario, measure and system.

    kinds: of solvers that the lake has; about others nothing is asked.
    Columns: of ``compare``'s systems mark, sk_group, mean_rank and n; of its pairs with ``versus`` the
    advantage over it, with interval, wins, ties, losses, adjusted p and the verdict;
    ``sentence`` the comparison in words. A scenario that cannot be tested (fewer
    than two systems or instances) has no row.
    """
    return {n: _frame(lake, q, asked=q.kind in kinds) for n, q in QUESTIONS.items()}


def over_scenarios(lake: OpenLake) -> Compared:
    """The selectors' closed gaps, a scenario as the unit; or why there is no test."""
    question = OVER_SCENARIOS
    try:
        (block,) = blocks(lake, question)
        rows = _rows(block, question)
    except AslibError as error:
        return Compared(question, (), f"No test over the scenarios: {error.message}.")
    return Compared(question, rows, rows[0]["sentence"])


def tested(frame: pl.DataFrame | None, question: Question) -> Compared | None:
    """The comparison of one scenario and measure, from its rows of ``read``."""
    if frame is None or not frame.height:
        return None
    rows = frame.to_dicts()
    return Compared(question, rows, rows[0]["sentence"])


def legend(found: Compared) -> str:
    """Legend of the marks: test, unit, n, correction and level."""
    question, n = found.question, found.rows[0]["n"]
    one = "SBS" if question.versus else f"{found.rows[0]['system']}, which has the best mean"
    unit = question.unit.removesuffix("s") + ("s" if n != 1 else "") + _families(found)
    metric = question.metric.replace("_", " ")
    sizes = " (it uses sizes of differences, not only signs)" if question.chosen_test == "wilcoxon" else ""
    other = ""
    if question.versus and question.kind == "selector":
        other = " For the interval of the closed gap, each sample has its own SBS."
    return (
        f"The verdicts compare with {one}. {LEGEND}.{other} Test: {TESTS[question.chosen_test]}{sizes} on "
        f"{metric}, {question.alternative}, {question.correction.title()}; "
        f"n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{n} {unit}, "
        f"alpha\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{question.alpha:g}."
    )


def _families(found: Compared) -> str:
    n = found.rows[0]["n_families"]
    return "" if n is None else f" of {plural(n, 'independent family', 'independent families')}"


def groups_legend(found: Compared) -> str:
    """Legend of the Scott-Knott groups."""
    n, question = found.rows[0]["n"], found.question
    unit = "family" if _families(found) else question.unit.removesuffix("s")
    return (
        f"Scott-Knott groups: group 1 has the best means. Within a group, the test shows no difference "
        f"(blocks: {unit}, n = {n}{_families(found)}, alpha = {question.alpha:g} at each split). "
        "This level is not guaranteed if only some means are equal."
    )


def _frame(lake: OpenLake, question: Question, *, asked: bool) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    try:
        found = blocks(lake, question) if asked else []
    except AslibError:  # no two systems in any scenario
        found = []
    for block in found:
        key = {"scenario_id": block.scenario_id, "measure": block.measure}
        try:
            rows += [key | row for row in _rows(block, question)]
        except AslibError:  # too few instances
            continue
    texts = dict.fromkeys(("scenario_id", "measure", "system", "mark", "verdict"), pl.String)
    counts = dict.fromkeys(("sk_group", "n", "n_families", "wins", "ties", "losses"), pl.Int64)
    names = ("scenario_id", "measure", *_KEPT, *_EFFECTS, "sentence")
    other = {"sentence": pl.String}
    schema = {n: (texts | counts | other).get(n, pl.Float64) for n in names}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rows(block: Block, question: Question) -> list[dict[str, Any]]:
    """Raise AslibError if there are too few units for the test."""
    pairs = _round_to_zero(block, pair_rows(block, question))
    sentence = describe(block, question, pairs, omnibus_row(block, question))
    unknown = dict.fromkeys(_EFFECTS)
    against = dict(_effect(row, question, block.systems[0]) for row in pairs)
    return [
        {name: row[name] for name in _KEPT} | against.get(row["system"], unknown) | {"sentence": sentence}
        for row in system_rows(block, question, pairs)
    ]


def _effect(row: dict[str, Any], question: Question, best: str) -> tuple[str, dict[str, Any]]:
    """A system, and its effect against ``versus``; of all pairs those of the best.

    Of these the advantage is what the best is ahead, with its interval; the verdict is of the system.
    """
    if question.versus:
        return row["system"], {name: row[name] for name in _EFFECTS}
    names = row["system"], row["other"]
    found = dict.fromkeys(_EFFECTS)
    if best not in names:
        return "", found
    ends: list[float | None] = [row[name] for name in ("advantage", "lower", "upper")]
    found["verdict"] = turned(row["verdict"])
    if best == row["other"]:
        mean, low, high = (None if end is None else 0.0 - end for end in ends)
        ends, found["verdict"] = [mean, high, low], row["verdict"]
    found |= dict(zip(("advantage", "lower", "upper"), ends, strict=True))
    return next(n for n in names if n != best), found


def _round_to_zero(block: Block, pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    size = float(column_means(abs(block.values).reshape(-1, 1)).item())
    return [
        row
        | {
            name: rounded_to_zero(row[name], size=size)
            for name in (*_EFFECTS[:3], "both", "both_lower", "both_upper")
            if row[name] is not None
        }
        for row in pairs
    ]
