"""What was measured, as Markdown tables and a figure, and in the documents."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from . import answers, competitions, growth, routing
from .answers import Target
from .kept import Kept
from .processes import Taken

Rounds = Sequence[Mapping[str, Taken]]
_FIGURE = "growth.svg"
ALONE = ("workers", "report", competitions.PART, routing.PART, growth.WHOLE)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def number(value: float) -> str:
    """Three digits that mean something, without an exponent."""
    if not value:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"


def imports(kept: Kept) -> str:
    """The import against others in one process."""
    found = kept.facts["imports"]
    seconds = found["seconds"]
    rows = [[name, number(median(taken))] for name, taken in seconds.items()]
    ratios = []
    for over, under, target in found["ratios"]:
        pairs = zip(seconds[over], seconds[under], strict=True)
        ratio = median(a / b for a, b in pairs)
        words, _, limit = target.rpartition(" ")
        holds = ratio >= float(limit) if words == "at least" else ratio <= float(limit)
        ratios.append([f"{over} / {under}", number(ratio), target, said(holds)])
    before, after = found["memory"]
    about = (
        f"{counted(found['scenarios'], 'scenario')}, of which asf reads "
        f"{found['readable']}; {counted(found['rounds'], 'round')}."
    )
    memory = (
        f"Peak memory of an import: {after:.0f} MB, of which {before:.0f} MB are the "
        "interpreter and its libraries."
    )
    taken = table(("in one process", "median [s]"), rows)
    compared = table(("ratio", "median", "target", "holds"), ratios)
    return f"{about}\n\n{taken}\n\n{compared}\n\n{memory}"


def questions(kept: Kept) -> str:
    """Cold and warm questions against the yardsticks."""
    facts = kept.facts["answers"]
    taken = kept.rounds("answers")
    targets = answers.targets(facts["one"], facts["largest"])
    first = (answers.A, answers.L, answers.IMPORT, answers.SELECTIONS, answers.COLD)
    names = dict.fromkeys([*first, *targets, *taken[0]])
    shown = [name for name in names if name in taken[0]]
    about = (
        f"{counted(facts['scenarios'], 'scenario')}, {facts['bytes'] / 1e6:.1f} MB of "
        f"ARFF, {counted(facts['selections'], 'file')} of selections; "
        f"{counted(len(taken), 'round')}."
    )
    lines = [about, judged(shown, taken, targets)]
    lines += [
        f"asf cannot read {name} ({reason}). The time of A includes this attempt."
        for name, reason in sorted(facts["refused"].items())
    ]
    return "\n\n".join(lines)


def judged(names: Iterable[str], taken: Rounds, targets: Mapping[str, Target]) -> str:
    """A row a task: what it took, its target, and whether that holds."""
    head = ("task", "median [s]", "CPU [s]", "peak [MB]", "target", "of it", "holds")
    rows = []
    for name in names:
        wall = number(median(made[name].wall for made in taken))
        cpu = number(median(made[name].cpu for made in taken))
        peak = median(made[name].peak for made in taken)
        shares = shares_of(targets[name], name, taken) if name in targets else []
        target = targets[name].told if name in targets else ""
        of_it = ", ".join(f"{share:.2f}" for share in shares)
        holds = said(all(share <= 1 for share in shares)) if shares else ""
        rows.append([name, wall, cpu, f"{peak:.0f}" if peak else "", target, of_it, holds])
    return table(head, rows)


def shares_of(target: Target, name: str, taken: Rounds) -> list[float]:
    """The median shares of a target that a task takes, of its time and its memory."""
    shares = []
    if target.seconds is not None:
        shares.append(
            median(
                (made[name].cpu if target.cpu else made[name].wall)
                / target.seconds({x: each.cpu if target.cpu else each.wall for x, each in made.items()})
                for made in taken
            )
        )
    if target.memory is not None:
        shares.append(median(made[name].peak for made in taken) / target.memory)
    return shares


def of_part(part: str, kept: Kept) -> str:
    """A part whose targets are of its own tasks."""
    taken = kept.rounds(part)
    known = answers.targets("", "") | competitions.TARGETS | routing.TARGETS
    targets = {} if part == growth.WHOLE else known
    lines = [f"{counted(len(taken), 'round')}.", judged(taken[0], taken, targets)]
    if part == "workers":
        gain = median(m[answers.ONE].wall / m[answers.TWO].wall for m in taken)
        lines.append(f"Two jobs are {gain:.2f} times as fast as one.")
    return "\n\n".join(lines)


def grown(kept: Kept) -> str:
    """How the cost grows: both parts, exponents, and the figure."""
    parts = []
    for part in (growth.MANY, growth.SINGLE):
        taken = kept.rounds(part)
        if taken:
            parts += [_sizes(part, taken), _exponents(part, taken)]
    about = "Seconds by number of runs, on logarithmic axes: one line for each question"
    return "\n\n".join([*parts, f"![{about}](pictures/{_FIGURE})"])


def medians(taken: Rounds) -> dict[str, dict[int, tuple[float, float]]]:
    """Question → number of runs → median seconds and memory [MB]."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for name in taken[0]:
        question, _, runs = name.rpartition(", ")
        wall = median(made[name].wall for made in taken)
        peak = median(made[name].peak for made in taken)
        found.setdefault(question, {})[int(runs)] = wall, peak
    return {name: dict(sorted(points.items())) for name, points in found.items()}


def _sizes(part: str, taken: Rounds) -> str:
    found = medians(taken)
    head = ["runs", "scenarios", *found]
    rows = []
    for runs in found[growth.IMPORT]:
        many = runs // (growth.INSTANCES * growth.ALGORITHMS)
        both = [points[runs] for points in found.values()]
        cells = [f"{number(seconds)} s, {peak:.0f} MB" for seconds, peak in both]
        scenarios = f"{max(1, many):,}" if part == growth.MANY else "1"
        rows.append([f"{runs:,}", scenarios, *cells])
    powers = [f"{exponent(points):.2f}" for points in found.values()]
    rows.append(["fitted exponent of the time", "", *powers])
    size = f"{growth.INSTANCES} instances and {growth.ALGORITHMS} algorithms each"
    where = f"Scenarios of {size}" if part == growth.MANY else "One scenario"
    return f"{where}; {counted(len(taken), 'round')}.\n\n{table(head, rows)}"


def _exponents(part: str, taken: Rounds) -> str:
    """The targets of growth, and whether they hold."""
    found = medians(taken)
    worst = max(exponent(found[name]) for name in growth.QUESTIONS)
    peak = max(peak for points in found.values() for _, peak in points.values())
    held: list[tuple[str, float, float]] = [
        ("largest exponent of a time", worst, 1.1),
        ("peak memory [MB]", peak, 2000),
    ]
    if part == growth.MANY:
        seconds = [wall for wall, _ in found[growth.ONE].values()]
        told = f"{growth.ONE}: the largest lake against the smallest"
        held.append((told, seconds[-1] / seconds[0], 2))
    rows = [
        [told, number(measured), f"at most {most:,}", said(measured <= most)]
        for told, measured, most in held
    ]
    return table(("growth", "measured", "target", "holds"), rows)


def exponent(points: Mapping[int, tuple[float, float]]) -> float:
    """The slope of log seconds over log runs, by least squares; 0 for one point."""
    x = [math.log(runs) for runs in points]
    y = [math.log(seconds) for seconds, _ in points.values()]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    both = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return both / spread if spread else 0.0


def counted(count: int, what: str) -> str:
    """A number of things."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def said(holds: bool) -> str:  # noqa: FBT001 - what is said
    """Whether a target holds, in a word."""
    return "yes" if holds else "**no**"


def texts(kept: Kept) -> dict[str, str]:
    """Part → its tables, for every part that was measured."""
    made = {"machine": f"{kept.facts['machine']}."}
    if "imports" in kept.facts:
        made["imports"] = imports(kept)
    if kept.rounds("answers"):
        made["answers"] = questions(kept)
    made |= {p: of_part(p, kept) for p in ALONE if kept.rounds(p)}
    if kept.rounds(growth.MANY) or kept.rounds(growth.SINGLE):
        made["growth"] = grown(kept)
    return made


def publish(kept: Kept, docs: Path) -> None:
    """Write the tables between their marks, and the figure."""
    made = texts(kept)
    page = docs / "benchmarks.md"

    def fill(place: re.Match[str]) -> str:
        text = made.get(place[2])
        return place[0] if text is None else f"{place[1]}{text}\n{place[3]}"

    places = r"(<!-- begin (\w+) -->\n).*?(<!-- end \2 -->)"
    page.write_text(re.sub(places, fill, page.read_text(), flags=re.DOTALL))
    if "growth" in made:
        (docs / "pictures").mkdir(exist_ok=True)
        draw(kept, docs / "pictures" / _FIGURE)


def draw(kept: Kept, to: Path) -> None:
    """How the cost grows: seconds by runs, a line a question."""
    from aslib_eval.figures.chart import Chart, Dots, Line, Logarithmic, Mark, look

    marks: list[Mark] = []
    places: list[tuple[float, float]] = []
    for part, dash in ((growth.MANY, None), (growth.SINGLE, "6 3")):
        taken = kept.rounds(part)
        for at, (name, by_runs) in enumerate(medians(taken).items() if taken else ()):
            points = [(runs, seconds) for runs, (seconds, _) in by_runs.items()]
            if part == growth.SINGLE and name == growth.ONE:
                continue  # the same as all of them
            plain = name.replace("`", "")
            told = plain if part == growth.MANY else f"{plain}, in one scenario"
            marks.append(Line(points, name=told, color=look(at).color, dash=dash))
            marks.append(Dots(points, color=look(at).color))
            places += points
    runs, seconds = zip(*places, strict=True)
    Chart(
        title="How the cost of an answer grows",
        about="Median seconds of whole processes; dashed: all runs in one scenario",
        x=Logarithmic("runs", min(runs), max(runs)),
        y=Logarithmic("seconds", min(seconds), max(seconds)),
        marks=marks,
        height=360,
    ).save(to)
