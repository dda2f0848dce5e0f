"""Command lines of ``plan``: for every option, one without it and one with it."""

from __future__ import annotations

from pathlib import Path

PROGRAM = "--scenario TOY-2026 --log log.csv -a 'N=echo {{seed}}'"
BASE = {
    "plan instances": "--d 0.5",
    "plan scenario": "",
    "plan solver": "--scenario TOY-2026",
    "plan place": "--scenario TOY-2026 --replay bolt",
    "plan replay": "--se 0.5 --lake {repeated} --scenario R --start 3",
    "plan runs": "-a 'A=echo {{seed}}' -a 'B=echo 1{{seed}}' -a 'C=echo 2{{seed}}' "
    "--se 0.05 --budget 15 --start 3 --log log.csv i1",
    "plan experiment": "-a 'A=echo {{seed}}' -a 'B=echo 1{{seed}}' "
    "-a 'C=echo 2{{seed}}' --n 3 --se 0.3 --budget 9 --start 2 --log log.csv "
    "i1 i2 j3 j4",
}
OPTIONS = {
    "plan instances": {
        "--n": ("=--n 10", "--n 20"),
        "--d": "--d 0.7",
        "--power": "--power 0.9",
        "--comparisons": "--comparisons 3",
        "--algorithms": "--algorithms 3",
        "--all-pairs": ("--algorithms 5", "--against-one"),
        "--alpha": "--alpha 0.1",
        "--correction": ("--algorithms 5", "--correction bonferroni"),
        "--test": "--test sign",
        "--alternative": "--alternative one-sided",
        "--target": ("--algorithms 5", "--target worst"),
        "--rank": ("--algorithms 5 --target rank", "--rank 2"),
        "--levels": ("--algorithms 3", "--levels"),
        "--chart": "--chart x.svg",
        "--over": ("--chart x.svg", "--over n"),
        # Of a given n it is simulated once.
        "--pilot": ("=--d 0.5 --n 20", "--test wilcoxon --pilot {made}/pilot.csv"),
        "--seed": ("--pilot {made}/pilot.csv", "--seed 2"),
    },
    "plan scenario": {
        "--metric": "--metric par2",
        "--by": "--by ground_truth",
        "--unit": "--unit scenarios",
        "--versus": "--versus rf",
        "--kind": "--kind algorithm",
        "--alpha": "--alpha 0.2",
        "--correction": "--correction bonferroni",
        "--test": "--test wilcoxon",
        "--alternative": "--alternative one-sided",
        "--target": "--target worst",
        "--rank": ("--kind algorithm --target rank", "--rank 2"),
        "--power": "--power 0.9",
        "--d": "--d 0.4",
        "--difference": "--difference 3",
        "--differences": "--differences percent",
    },
    "plan solver": {
        "--scenario": ("=", "--scenario nothing"),
        "--by": "--by wins --show pairs",
        "--alpha": ("--show pairs", "--alpha 0.9"),
        "--incumbent": "--incumbent bolt",
        "--challenger": "--challenger bolt",
        "--most": "--most 2",
        "--seed": ("--show pairs", "--seed 5"),
        "--show": "--show order --incumbent bolt",
    },
    "plan place": {
        "--scenario": ("=--replay bolt", "--scenario nothing"),
        "--replay": "--replay crane",
        "--algorithm": (f"={PROGRAM}", "-a 'M=echo {{seed}}'"),
        "--solved": (f"={PROGRAM}", "--solved nothing"),
        "--log": (f"={PROGRAM}", "--log other.csv"),
        "--by": "--by solved",
        "--alpha": ("--budget 400", "--alpha 0.9"),
        "--within": "--within 1",
        "--budget": "--budget 200",
        "--order": ("--show runs", "--order random"),
        "--seed": ("--show runs", "--seed 5"),
        "--show": "--show entrants",
        "--chart": "--chart x.svg",
    },
    "plan replay": {
        "--lake": ("=--se 0.5", "--lake nowhere"),
        "--scenario": ("=--se 0.5 --lake {repeated} --start 3", "--scenario nothing"),
        "--se": "--se 2",
        "--difference": "--difference simple",
        "--pairs": "--pairs first",
        "--formula": "--formula bootstrap",
        "--start": "--start 4",
        "--balanced": ("--se 0.4", "--balanced"),
        "--seed": ("--formula bootstrap --se 1.5", "--seed 2"),
        "--budget": "--budget 9",
        "--chart": "--chart x.svg",
        "--draw": ("--chart x.svg", "--draw runs"),
    },
    "plan runs": {
        "--difference": "--difference simple",
        "--pairs": "--pairs first",
        "--formula": "--formula bootstrap",
        "--seed": "--seed 50",
        "--value": "--value '([0-9])'",
        "--budget": "--budget 12",
        "--se": "--se 0.9",
        "--start": "--start 4",
        "--balanced": ("-a 'D=echo 1{{seed}}{{seed}}'", "--balanced"),
        "--log": "--log other.csv",
        "--chart": "--chart x.svg",
        "--draw": ("--chart x.svg", "--draw runs"),
        "--algorithm": "-a 'D=echo 9{{seed}}'",
    },
    "plan experiment": {
        "--n": "--n 2",
        "--d": "--d 0.7",
        "--power": "--power 0.9",
        "--by": "--by family",
        "--groups": ("--by family", "--groups {made}/families.csv"),
        "--alpha": "--alpha 0.1",
        "--correction": "--correction bonferroni",
        "--test": "--test sign",
        "--alternative": ("--pairs first", "--alternative one-sided"),
        "--target": "--target worst",
        "--rank": ("--target rank", "--rank 2"),
        "--maximise": "--maximise",
        "--means": "--means m.csv",
        "--difference": "--difference simple",
        "--pairs": "--pairs first",
        "--formula": ("--difference simple --se 0.05 --budget 20", "--formula bootstrap"),
        "--seed": "--seed 50",
        "--value": "--value '([0-9])'",
        "--budget": ("--se 0.01", "--budget 12"),
        "--se": "--se 0.01",
        "--start": "--start 3",
        "--balanced": ("--se 0.01 --budget 11", "--balanced"),
        "--log": "--log other.csv",
        "--chart": "--chart x.svg",
        "--draw": ("--chart x.svg", "--draw runs"),
        "--algorithm": "-a 'D=echo 9{{seed}}' --budget 12",
    },
}
ASKED = {"plan place": "--scenario TOY-2026 --replay bolt --columns worst"}
HANDED_OVER = {
    "plan runs --timeout",
    "plan runs --jobs",
    "plan experiment --timeout",
    "plan experiment --jobs",
}
MODES = {"plan instances": ("--algorithms 3", "--levels")}
COUNTS = {
    ("plan instances", "--correction"),  # of a single comparison
    ("plan instances", "--target"),
    ("plan replay", "--seed"),  # of the bootstrap's standard errors
}
FAILING = {("plan replay", "--lake")}
TRIED = {"plan replay"}
UNREAD = {"plan place", "plan runs", "plan experiment"}  # they run other programs
NEEDS = {
    "plan instances": ("--d", "0.5"),
    "plan runs": (*("-a", "A=true", "-a", "B=true", "x"), *("--budget", "9")),
}
SHOWN_NAMES = LARGE_VALUES = {"plan scenario"}


def make(home: Path) -> None:
    """The file that the lines name."""
    (home / "pilot.csv").write_text("x\n3\n5\n-1\n4\n2\n9\n")


# What it is asked of a rich lake, as a whole.
WHOLE = {
    "plan scenario": ("--scenario RICH", "--kind algorithm --test wilcoxon"),
    "plan solver": (
        "--scenario RICH",
        "--scenario RICH --show pairs --by wins",
        "--scenario RICH --show order --incumbent a3",
    ),
    "plan place": (
        "--scenario RICH --replay a4",
        "--scenario RICH --replay a4 --show runs --order random --budget 500",
    ),
}
