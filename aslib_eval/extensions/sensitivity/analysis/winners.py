"""What the definitions of a scenario say, in sentences: who wins, what is missing."""

from __future__ import annotations

from aslib_eval.analysis.rankings import Definition, Definitions, short
from aslib_eval.text import brief, number

BORDA = "Borda is counted under the report's own protocol alone, as it takes every pair"
_BEST = 8


def pairwise(found: Definitions, definition: Definition) -> bool:
    """True if a definition is left out because it would take every pair: see BORDA."""
    protocol, metric = definition
    other = found.kind == "algorithm" and protocol != found.protocols[0]
    return other and found.metrics[metric].relation == "solver_borda"


def missing(found: Definitions) -> str:
    """Why some metrics rank no system under some protocols, as part of a sentence."""
    grid = [(p, m) for p in found.protocols for m in found.used]
    lacking = [d for d in grid if d not in found.whole]
    pairs = [d for d in lacking if pairwise(found, d)]
    parts = []
    if pairs:
        parts.append(BORDA)
    if n := len(lacking) - len(pairs):
        metrics = dict.fromkeys(found.label(d[1]) for d in lacking if d not in pairs)
        lacks = f"{n} {'is' if n == 1 else 'are'} without a score of everyone"
        parts.append(f"{lacks} ({'; '.join(metrics)})")
    return "; ".join(parts)


def sentence(found: Definitions) -> str:
    """Sentence on the winners, the least agreement and the largest change of a gap."""
    parts = [winners(found), _least_agreement(found), _largest_change(found)]
    return " ".join(filter(None, parts))


def winners(found: Definitions) -> str:
    """Sentence on who is first, and under how many definitions."""
    whole, own = len(found.whole), found.winner(found.whole[0])
    if found.level:
        who = f"All {len(found.systems)} {found.kind}s"
        return f"{who} tie under all {whole} definitions."
    tied = f" (tied under {found.shared} of them)" if found.shared else ""
    (name, often), *others = found.winners
    if not others:
        return f"{name} is first under all {whole} definitions{tied}."
    most = f"{often} of {whole}{tied if name == own else ''}"
    parts = [f"The winner depends on the definition: {name} is first under {most}"]
    parts += [f"{w} under {n}{tied if w == own else ''}" for w, n in others[:2]]
    if rest := sum(n for _, n in others[2:]):
        parts.append(f"others under {rest}")
    return f"{'; '.join(parts)}."


def _least_agreement(found: Definitions) -> str:
    if not found.taus:
        return ""
    tau, definition = found.taus[0]
    reference = found.whole[0]
    if tau > 1 - 1e-9:
        return "All rankings agree."
    return (
        f"Least like {found.named(reference)} ranks {found.named(definition)} "
        f"(Kendall's tau-b {number(round(tau, 2))})."
    )


def _largest_change(found: Definitions) -> str:
    """The closed gap that depends most on the protocol, of the best few systems."""
    spans = []
    for system in found.systems[:_BEST]:
        gaps = sorted((gap, p) for p, gap in found.gaps(system).items())
        if len(gaps) > 1:
            spans.append((gaps[-1][0] - gaps[0][0], system, gaps[0], gaps[-1]))
    if not spans:
        return ""
    most, system, low, high = max(spans, key=lambda s: (s[0], s[1]))
    if most < 1e-9:  # noqa: PLR2004
        return "No closed gap depends on the protocol."
    among = f" of the best {_BEST}" if len(found.systems) > _BEST else ""
    return (
        f"The closed gap of {system} moves most{among}, from {brief(low[0])} "
        f"({short(low[1])}) to {brief(high[0])} ({short(high[1])})."
    )
