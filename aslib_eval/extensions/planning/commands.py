"""How many instances and runs an experiment needs: the commands ``plan``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval import options
from aslib_eval.commands import Declared, DeclaredGroup, Protocols, opened, silent, tell_left_out
from aslib_eval.errors import AslibError, OptionError, ScenarioError
from aslib_eval.extensions import planning
from aslib_eval.options import Note, Option, public
from aslib_eval.paths import as_path
from aslib_eval.text import shown

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.planning.places import PlaceRun
    from aslib_eval.extensions.planning.power import SolvedPlan
    from aslib_eval.extensions.planning.runs import Program


# Options of the planned tests.
_Size = Annotated[int | None, Option("Number of instances.")]
_Effect = Annotated[
    float | None,
    Option(
        "Effect size: the smallest difference to detect, in standard deviations of the differences.",
        most=1e6,
    ),
]
_POWER = Option("Power: the probability that the test detects a difference as large as {d}.")
_Power = Annotated[float | None, _POWER, Option(shown="0.8, unless both {n} and {d} are given")]
_Test = Annotated[planning.Test, Option("Planned significance test.")]
_Sides = Annotated[
    planning.Direction,
    Option(
        "Plan a two-sided or a one-sided test. A one-sided test is possible if all comparisons are with "
        "the same solver."
    ),
]
_Target = Annotated[
    planning.Target,
    Option(
        "With several comparisons, choose the value that must reach {power}. mean, median: the mean or "
        "median of all powers. worst: the lowest power. rank: the power of one comparison (see {rank})."
    ),
]
_Rank = Annotated[
    int | None,
    Option(
        "Choose the comparison for {target} rank. 1: the comparison with the strictest significance level.",
        shown="1",
        goes_with="target=rank",
    ),
]
# Options of the accuracy of differences on an instance.
_Error = Annotated[
    float,
    Option(
        "On each instance, continue until every difference between two algorithms has at most this "
        "standard error. With {difference} percent, 0.05 is 5 %."
    ),
]
_Difference = Annotated[
    options.Differences,
    Option(
        "simple: differences in the unit of the values. percent: differences divided by the mean of all "
        "algorithms or, with {pairs} first, by the mean of the first algorithm."
    ),
]
_Pairs = Annotated[
    planning.Pairs, Option("Compare all pairs of algorithms, or the first algorithm with every other one.")
]
_Formula = Annotated[
    planning.Formula,
    Option(
        "Compute the standard error by the delta method, by bootstrap, or as in the paper (Campelo and "
        "Wanner 2020). The paper's formula is wrong for {difference} percent with {pairs} all."
    ),
]
_Start = Annotated[int, Option("Begin with this many runs of each algorithm on an instance.")]
_Balanced = Annotated[
    bool,
    Option(
        "Run all algorithms equally often. Without this option, the algorithm that adds most to the "
        "largest standard error runs next."
    ),
]
_Draw = Annotated[
    planning.RunsDraw | None,
    Option(
        "Kind of {chart}. errors: standard error of each pair. runs: number of runs of each algorithm.",
        shown="errors",
        goes_with="chart",
    ),
]
# Options of programs that are run.
_Algorithms = Annotated[
    Sequence[str],
    Option(
        "Run an algorithm with this command line, which contains {{instance}} and {{seed}}.",
        flags="-a --algorithm",
        metavar="NAME=COMMAND",
    ),
]
_Budget = Annotated[int, Option("Maximum number of runs on an instance, over all algorithms.")]
_LOG = Option(
    "Record every run in this CSV file, and continue after the runs in it.", metavar="FILE", writes="file"
)
_Log = Annotated[str | Path, _LOG]
_Value = Annotated[
    str | None,
    Option(
        "Regular expression that finds the value of a run in its output. time: use the wall-clock time.",
        metavar="REGEX|time",
        shown="the last number in the output",
    ),
]
_Timeout = Annotated[float, Option("Stop a run after this many seconds.")]
_RunJobs = Annotated[int, Option("Run this many instances in parallel.", metavar="N", least=1, most=1024)]


@public
def plan_instances(  # noqa: PLR0913 - one for each option
    *,
    n: _Size = None,
    d: _Effect = None,
    power: _Power = None,
    comparisons: Annotated[int | None, Option("Number of comparisons (tests).", shown="1")] = None,
    algorithms: Annotated[
        int | None,
        Option(
            "Number of algorithms to compare, instead of {comparisons}.",
            goes_without=("comparisons",),
            because="determines the number of tests",
        ),
    ] = None,
    all_pairs: Annotated[
        bool | None,
        Option(
            "With {algorithms}: compare all pairs of algorithms, or one algorithm with all others.",
            flags="--all-pairs/--against-one",
            shown="all pairs",
            goes_with="algorithms",
        ),
    ] = None,
    alpha: options.Alpha = 0.05,
    correction: options.CorrectionOf = "holm",
    test: _Test = "t",
    alternative: _Sides = "two-sided",
    target: _Target = "mean",
    rank: _Rank = None,
    pilot: Annotated[
        str | Path | None,
        Option(
            "Simulate the power from pilot data. The CSV file has one row per instance, with the values of "
            "two algorithms or their difference. Without {n} and {d}, the file also gives the effect size.",
            metavar="CSV",
        ),
    ] = None,
    seed: Annotated[options.SeedOrNone, Option(goes_with="pilot")] = None,
    levels: Annotated[
        bool, Option("Show the significance level and the power of every comparison.")
    ] = False,
    chart: options.ChartFile = None,
    over: Annotated[
        planning.PowerOver | None,
        Option(
            "Kind of {chart}. d: power for each effect size. n: power for each number of instances. "
            "comparisons: instances needed by number of comparisons. profile: power of each comparison.",
            shown="d",
            goes_with="chart",
        ),
    ] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Compute the number of instances, the effect size or the power of a test from the other two.

    Source: Campelo and Wanner 2020, section 4.

    Raises:
        OptionError: for options that do not go together.
        AslibError: when no plan can meet this, or the pilot cannot be read.

    >>> ae.plan_instances(d=0.5, algorithms=4).select("n", "d", "comparisons").rows()
    [(46, 0.5, 6)]
    """
    from aslib_eval.extensions.planning.power import Plan, read_pilot, shape_of, solve

    if algorithms is not None:
        others = algorithms - 1
        comparisons = others if all_pairs is False else algorithms * others // 2
    differences = None if pilot is None else read_pilot(Path(pilot))
    if differences is not None and n is None and d is None:
        _, d = shape_of(differences)
    if power is None and (n is None or d is None):
        power = 0.8
    plan = Plan(
        comparisons=1 if comparisons is None else comparisons, rank=rank or 1,
        test=test, alternative=alternative, target=target, alpha=alpha,
        correction=correction, pilot=differences, seed=1 if seed is None else seed,
    )  # fmt: skip
    solved = solve(plan, n=n, d=d, power=power)
    note(solved.sentence())
    if chart is not None:
        _draw(solved, Path(chart), over or "d", power)
    return solved.levels() if levels else solved.summary()


def _draw(solved: SolvedPlan, to: Path, over: str, power: float | None) -> None:
    from aslib_eval.extensions.planning import power as plans

    if over in {"d", "n"}:
        plans.power_curve(solved, over=over).save(to)
        return
    wanted = solved.power if power is None else power
    sizes, profiles = plans.over_comparisons(solved, power=wanted)
    by_count = over == "comparisons"
    chart = plans.sizes_over_comparisons(sizes) if by_count else plans.power_profile(profiles, power=wanted)
    chart.save(to)


@public
def plan_scenario(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    metric: options.Metric = "cost",
    unit: options.UnitOf = "instances",
    versus: options.Versus = None,
    kind: options.Compared = None,
    differences: options.DifferencesOf = "simple",
    alpha: options.Alpha = 0.05,
    correction: options.CorrectionOf = "holm",
    test: _Test = "t",
    alternative: _Sides = "two-sided",
    target: _Target = "mean",
    rank: _Rank = None,
    power: Annotated[float, _POWER] = 0.8,
    d: Annotated[_Effect, Option(shown="0.2")] = None,
    difference: Annotated[
        float | None, Option("Smallest difference to detect, in the unit of the metric, instead of {d}.")
    ] = None,
    by: options.By = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how small a difference a scenario can reveal, and how many instances reveal a given difference.

    Source: Campelo and Wanner 2020, section 4, with sigma from the data.

    Raises:
        OptionError: for a rank without its target.
        AslibError: as ``connect`` and ``compare``.

    >>> ae.plan_scenario("lake", d=0.5).columns[:3]
    ['protocol', 'scenario_id', 'measure']
    """
    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.extensions.planning.power import Plan
    from aslib_eval.extensions.planning.power import plan_scenario as run

    rank = rank or 1
    plan = Plan(
        comparisons=rank,  # at least; each scenario has its own number
        target=target, rank=rank, test=test, alternative=alternative, alpha=alpha,
        correction=correction,
    )  # fmt: skip
    lake = opened(lake, scenarios, protocols, sql_dirs)
    tell_left_out(lake, by, note)
    question = Question(
        metric=metric, unit=unit, versus=versus, kind=kind, differences=differences,
        alpha=alpha, correction=correction, by=by,
    )  # fmt: skip
    frame, sentences = run(lake, question, plan=plan, power=power, d=d, difference=difference)
    note(*sentences)
    return frame


@public
def plan_solver(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    by: Annotated[
        planning.BetterBy,
        Option("The better solver has the lower mean cost (mean), or is faster on more instances (wins)."),
    ] = "mean",
    alpha: Annotated[
        float, Option("Maximum probability of calling the worse solver the better one.")
    ] = 0.05,
    incumbent: Annotated[
        str | None, Option("Use only this algorithm as the incumbent.", metavar="NAME")
    ] = None,
    challenger: Annotated[
        str | None, Option("Use only this algorithm as the new solver.", metavar="NAME")
    ] = None,
    most: Annotated[
        int,
        Option("Use at most this many pairs of solvers per scenario. If there are more, choose at random."),
    ] = 200,
    seed: options.Seed = 1,
    show: Annotated[
        planning.SolverPlanShow,
        Option(
            "summary: how much time you save, and how many decisions are wrong. pairs: one row per pair of "
            "solvers. order: the order in which to run a new solver on the instances."
        ),
    ] = "summary",
    note: Note = silent,
) -> pl.DataFrame:
    """Show how few instances are enough to decide whether a new solver is better than an incumbent.

    Source: after Matricon et al. 2021.

    Raises:
        OptionError: for the order without an incumbent.
        AslibError: as ``connect``, and when there are no two algorithms.

    >>> ae.plan_solver("lake", scenarios=["TOY-2026"], most=1).columns[:3]
    ['protocol', 'scenario_id', 'measure']
    """
    from aslib_eval.extensions.planning import experiment as challengers

    lake = opened(lake, scenarios, protocols, sql_dirs)
    if show == "order":
        if not incumbent:
            raise OptionError("--show order needs --incumbent")
        return challengers.instance_order(lake, incumbent=incumbent, by=by, seed=seed)
    pairs = challengers.plan_solver(
        lake, by=by, seed=seed, alpha=alpha, incumbent=incumbent, challenger=challenger,
        most=most,
    )  # fmt: skip
    note(*challengers.replay_notes(pairs))
    return challengers.replay_summary(pairs) if show == "summary" else pairs


@public
def plan_place(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    replay: Annotated[
        str | None,
        Option(
            "Treat this algorithm of the lake as the new solver, and replay its recorded runs.",
            metavar="SOLVER",
            goes_without=("algorithm",),
            because="replays recorded runs",
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        Option(
            "Run the new solver with this command line, which contains {{instance}} and {{seed}}.",
            flags="-a --algorithm",
            metavar="NAME=COMMAND",
        ),
    ] = None,
    solved: Annotated[
        str | None,
        Option(
            "Count a run as solved if a line of its output matches this regular expression.",
            metavar="REGEX",
            shown="a run with exit code 0 is solved",
            goes_with="algorithm",
        ),
    ] = None,
    log: Annotated[str | Path | None, _LOG, Option(goes_with="algorithm")] = None,
    by: Annotated[
        planning.PlaceBy, Option("Rank by mean PARk, number of solved instances, or Borda points.")
    ] = "mean",
    alpha: Annotated[
        float, Option("Maximum probability that any printed range of ranks misses the true rank.")
    ] = 0.05,
    within: Annotated[int, Option("Stop as soon as the rank is known to within N ranks.", least=0)] = 0,
    budget: Annotated[
        float | None,
        Option(
            "Stop when the runs of the new solver have taken this many seconds in total.",
            shown="no limit",
            least=0,
        ),
    ] = None,
    order: Annotated[
        planning.PlaceOrder,
        Option("Choose the next instance by the expected information per second, or at random."),
    ] = "information",
    seed: options.Seed = 1,
    show: Annotated[
        planning.PlaceShow,
        Option(
            "summary: the possible ranks of the new solver. runs: the possible ranks after each run. "
            "entrants: whether the new solver is better or worse than each solver of the scenario."
        ),
    ] = "summary",
    chart: options.ChartFile = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Find the rank of a new solver among the solvers of a scenario, with only a few runs.

    ``algorithm`` runs on the scenario's instances up to its cutoff. best to worst are the places that are
    possible, valid whenever it is stopped; place is the likeliest.

    Source: Waudby-Smith and Ramdas 2024, section 5; for the question Fuchs et al. 2023.

    Raises:
        OptionError: with neither a recorded solver nor a program and its log. AslibError: as ``connect``,
        and as ``plan_runs``.

    >>> found = ae.plan_place("lake", scenarios=["TOY-2026"], replay="bolt")
    >>> found.select("best", "worst", "truth").row(0)
    (3, 3, 3)
    """
    from aslib_eval.extensions.planning.places import PlaceRule, drive_place, frame_of, replay_places

    rule = PlaceRule(by=by, alpha=alpha, order=order, within=within, budget=budget, seed=seed)
    if replay is None and (algorithm is None or log is None):
        raise OptionError("give --replay, or --algorithm together with --log")
    if algorithm is not None and log is not None:
        pattern = "time" if solved is None else f"(?m:{solved})"
        program = _programs([algorithm], pattern, 1.0)[0]
        place = drive_place(
            opened(lake, scenarios, protocols, sql_dirs), program, rule, log=Path(log),
            answers=solved is not None, done=lambda row: note(_run_text(row)),
            warn=note,
        )  # fmt: skip
        found = [place]
    else:
        found = replay_places(opened(lake, scenarios, protocols, sql_dirs), str(replay), rule)
    for place in found:
        note(place.sentence())
    _draw_place(found, as_path(chart))
    rows = {
        "summary": [place.summary() for place in found],
        "runs": [row for place in found for row in place.runs()],
        "entrants": [row for place in found for row in place.against()],
    }
    return frame_of(rows[show])


def _draw_place(found: Sequence[PlaceRun], to: Path | None) -> None:
    from aslib_eval.extensions.planning.places import places_over_time

    if to is None:
        return
    if len(found) > 1:
        raise AslibError(
            f"a chart shows one search, not {len(found)}", hint="Choose one --scenario and one --protocol."
        )
    places_over_time(found[0]).save(to)


@public
def plan_replay(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    se: _Error,
    difference: _Difference = "percent",
    pairs: _Pairs = "all",
    formula: _Formula = "delta",
    start: _Start = 10,
    balanced: _Balanced = False,
    seed: options.Seed = 1,
    budget: Annotated[
        int,
        Option(
            "Replay at most this many runs on an instance, over all algorithms.", shown="all recorded runs"
        ),
    ] = 10**9,
    chart: options.ChartFile = None,
    draw: _Draw = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Replay recorded repetitions, and show how many of them are enough for a given standard error.

    Source: Campelo and Wanner 2020, Algorithm 1.

    >>> ae.plan_replay("lake", se=0.5, start=2).columns[:3]
    ['protocol', 'scenario_id', 'measure']
    """
    import numpy as np

    from aslib_eval.extensions.planning.sampling import Accuracy, replay

    lake = opened(lake, scenarios, protocols, sql_dirs)
    wanted = Accuracy(
        se=se, budget=budget, difference=difference, pairs=pairs, formula=formula,
        start=start, balanced=balanced,
    )  # fmt: skip
    frame, by_pair, sentences = replay(lake, accuracy=wanted, rng=np.random.default_rng(seed))
    note(*sentences)
    _draw_runs(by_pair, as_path(chart), draw, se)
    return frame


def _draw_runs(pairs: pl.DataFrame, to: Path | None, draw: str | None, se: float) -> None:
    from aslib_eval.extensions.planning.sampling import runs_of_each, standard_errors

    if to is None:
        return
    (runs_of_each(pairs) if draw == "runs" else standard_errors(pairs, se=se)).save(to)


@public
def plan_runs(  # noqa: PLR0913 - one for each option
    inputs: Annotated[Sequence[str], Option("Instances.", flags="", metavar="INSTANCE...")],
    *,
    algorithms: _Algorithms,
    se: _Error,
    budget: _Budget,
    log: _Log,
    difference: _Difference = "percent",
    pairs: _Pairs = "all",
    formula: _Formula = "delta",
    start: _Start = 10,
    balanced: _Balanced = False,
    seed: options.Seed = 1,
    value: _Value = None,
    timeout: _Timeout = 3600.0,
    jobs: _RunJobs = 1,
    chart: options.ChartFile = None,
    draw: _Draw = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Run programs on instances until the differences between the programs are known precisely enough.

    Source: Campelo and Wanner 2020, Algorithm 1.

    Raises:
        OptionError: for an algorithm without a name.
        AslibError: when a program fails, or the log cannot be written.

    >>> programs = ["A=echo 4{seed}", "B=echo 5{seed}"]
    >>> found = ae.plan_runs(
    ...     ["i1"], algorithms=programs, se=0.1, budget=30, log=Path("runs.csv")
    ... )
    >>> found.columns[:3]
    ['instance', 'system', 'other']
    """
    import numpy as np

    from aslib_eval.extensions.planning.runs import drive
    from aslib_eval.extensions.planning.sampling import Accuracy

    programs = _programs(algorithms, value, timeout)
    wanted = Accuracy(
        se=se, budget=budget, difference=difference, pairs=pairs, formula=formula,
        start=start, balanced=balanced,
    )  # fmt: skip
    by_pair = drive(
        programs, inputs, accuracy=wanted, log=Path(log), seed=seed, rng=np.random.default_rng(seed),
        jobs=jobs, done=lambda row: note(_run_text(row)), warn=note,
    )  # fmt: skip
    _draw_runs(by_pair, as_path(chart), draw, se)
    return by_pair


def _run_text(row: dict[str, Any]) -> str:
    return f"{row['instance']} {row['algorithm']} {row['run']}: {shown(row['value'])}"


def _programs(algorithms: Sequence[str], value: str | None, timeout: float) -> list[Program]:
    from aslib_eval.extensions.planning.runs import NUMBER, Program

    pattern = None if value == "time" else value or NUMBER
    programs = []
    for text in algorithms:
        name, equals, command = text.partition("=")
        if not equals:
            raise OptionError(f"-a {text} is not NAME=COMMAND")
        programs.append(Program(name, command, pattern, timeout))
    return programs


@public
def plan_experiment(  # noqa: PLR0913 - one for each option
    pool: Annotated[Sequence[str], Option("Instances of the pool.", flags="", metavar="INSTANCE...")],
    *,
    algorithms: _Algorithms,
    se: _Error,
    budget: _Budget,
    log: _Log,
    n: Annotated[
        int | None,
        Option("Choose this many instances at random.", shown="as many as the planned test needs"),
    ] = None,
    d: _Effect = None,
    power: _Power = None,
    by: Annotated[
        planning.DrawBy,
        Option(
            "plain: choose among all instances. family: choose from each family in proportion to its size."
        ),
    ] = "plain",
    groups: Annotated[
        options.Groups, Option(shown="families from the instances' names", goes_with="by=family")
    ] = None,
    alpha: options.Alpha = 0.05,
    correction: options.CorrectionOf = "holm",
    test: _Test = "t",
    alternative: _Sides = "two-sided",
    target: _Target = "mean",
    rank: _Rank = None,
    difference: _Difference = "percent",
    pairs: _Pairs = "all",
    formula: _Formula = "delta",
    start: _Start = 10,
    balanced: _Balanced = False,
    seed: options.Seed = 1,
    value: _Value = None,
    timeout: _Timeout = 3600.0,
    jobs: _RunJobs = 1,
    maximise: Annotated[bool, Option("Treat higher values as better.")] = False,
    means: Annotated[
        str | Path | None,
        Option(
            "Also write the mean values to this CSV file for 'aslib-eval import'.",
            metavar="FILE",
            writes="file",
        ),
    ] = None,
    chart: options.ChartFile = None,
    draw: _Draw = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Run a whole experiment: choose instances at random, run programs on them, and test the differences.

    Stopped and started again it goes on where it was: the seed decides what is drawn. pool: instances to
    draw from; the rest as of ``plan_instances`` and ``plan_runs``.

    Source: Campelo and Wanner 2020, section 5.

    Raises:
        OptionError: for options that do not go together.
        AslibError: as those two.

    >>> found = ae.plan_experiment(
    ...     ["i1", "i2", "i3", "i4"], algorithms=["A=echo 4{seed}", "B=echo 5{seed}"],
    ...     n=3, se=0.1, budget=60, log=Path("experiment.csv"),
    ... )
    >>> found.height
    1
    """
    import numpy as np

    from aslib_eval.atomic_files import replace_file
    from aslib_eval.extensions.planning.experiment import draw as drawn_of
    from aslib_eval.extensions.planning.experiment import experiment as run
    from aslib_eval.extensions.planning.power import Plan, solve
    from aslib_eval.extensions.planning.sampling import Accuracy, pairs_of

    programs = _programs(algorithms, value, timeout)
    wanted = Accuracy(
        se=se, budget=budget, difference=difference, pairs=pairs, formula=formula,
        start=start, balanced=balanced,
    )  # fmt: skip
    if power is None and (n is None or d is None):
        power = 0.8
    planned = Plan(
        comparisons=len(pairs_of(len(programs), wanted.pairs)), rank=rank or 1,
        test=test, alternative=alternative, target=target, alpha=alpha,
        correction=correction,
    )  # fmt: skip
    plan = solve(planned, n=n, d=d, power=power)
    families = _families(pool, as_path(groups)) if by == "family" else None
    result = run(
        programs, drawn_of(pool, n=plan.n, seed=seed, families=families), plan=plan, accuracy=wanted,
        log=Path(log), seed=seed, maximise=maximise, rng=np.random.default_rng(seed), jobs=jobs,
        done=lambda row: note(_run_text(row)), warn=note,
    )  # fmt: skip
    note(*result.sentences)
    if means is not None:
        replace_file(Path(means), result.as_table(maximise=maximise))
    _draw_runs(result.pairs, as_path(chart), draw, se)
    return result.steps


def _families(pool: Sequence[str], groups: Path | None) -> list[str]:
    from aslib_eval.formats.attributes import families, read_families

    if groups is None:
        return families(pool)
    given = read_families(groups)
    lacking = [name for name in pool if name not in given.of]
    if lacking:
        raise ScenarioError(str(groups), [given.finding(name, f"{name} has no family") for name in lacking])
    return [given.of[name] for name in pool]


_HERE = "aslib_eval.extensions.planning.commands"
_RUNS = "-a A='echo 4{seed}' -a B='echo 5{seed}'"
PLAN = DeclaredGroup(
    "Plan how many instances and runs an experiment needs.",
    {
        "instances": Declared(f"{_HERE}:plan_instances", "plan instances --algorithms 22 --d 0.5"),
        "scenario": Declared(f"{_HERE}:plan_scenario", "plan scenario --scenario 'MIP*' --d 0.2"),
        "solver": Declared(f"{_HERE}:plan_solver", "plan solver --scenario 'SAT*' --by wins --alpha 0.1"),
        "place": Declared(
            f"{_HERE}:plan_place",
            "plan place --scenario SAT-PYSAT-2026 --replay kissat404 --within 1",
            runs_programs=True,
        ),
        "runs": Declared(
            f"{_HERE}:plan_runs",
            f"plan runs {_RUNS} --se 0.1 --budget 60 --log runs.csv inst1 inst2",
            runs_programs=True,
        ),
        "replay": Declared(f"{_HERE}:plan_replay", "plan replay --scenario 'OPT*' --se 0.1 --start 3"),
        "experiment": Declared(
            f"{_HERE}:plan_experiment",
            f"plan experiment {_RUNS} --n 3 --se 0.1 --budget 60 --log e.csv i1 i2 i3 i4",
            "If you stop the experiment, start it again to continue.",
            runs_programs=True,
        ),
    },
)
