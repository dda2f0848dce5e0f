"""The optimisers: each loads a model outside the clock, then solves and tells.

``SOLVERS[name](model, path)`` gives a function ``solve(tell)``, which calls ``tell(objective, x, None)``
the moment its optimiser reports an improving solution, from inside the optimiser's own callback, and gives
True if the optimiser ends by claiming that its last one is optimal. Where the optimiser says itself when it
found a solution, that is the third argument [s of CPU]; x is None if it does not tell it.
But for CBC no optimiser has a limit of its own: the operating system ends it. The
path must be that of the model's MPS file, and next to it room for another file.

All run on one thread with the fixed seed 2026 and otherwise as they come, but that
gaps are 0: optimal means optimal.
"""

from __future__ import annotations

import ctypes
import os
import pty
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .model import Model

SEED = 2026
CUTOFF = 10  # seconds of CPU
Tell = Callable[[float, Sequence[float] | None, float | None], None]
Solve = Callable[[Tell], bool]


def highs(_: Model, path: Path) -> Solve:
    """HiGHS by highspy."""
    from highspy import Highs, HighsModelStatus

    solver = Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("parallel", "off"),
        ("random_seed", SEED),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.99),
    ):
        solver.setOptionValue(option, value)
    solver.readModel(str(path))

    def solve(tell: Tell) -> bool:
        def improved(event: Any) -> None:
            found = event.data_out
            tell(found.objective_function_value, found.mip_solution, None)

        solver.cbMipImprovingSolution += improved
        solver.run()
        return bool(solver.getModelStatus() == HighsModelStatus.kOptimal)

    return solve


def scip(model: Model, path: Path) -> Solve:
    """SCIP by PySCIPOpt."""
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr
    from pyscipopt import Model as Scip

    solver = Scip()
    solver.hideOutput()
    solver.readProblem(str(path))
    for option, value in (
        ("randomization/randomseedshift", SEED),
        ("limits/gap", 0.0),
        ("parallel/maxnthreads", 1),
        ("lp/threads", 1),
        ("misc/catchctrlc", False),
    ):
        solver.setParam(option, value)
    named = {variable.name: variable for variable in solver.getVars()}
    columns = [named[f"x{j}"] for j in range(len(model.cost))]

    class Improved(Eventhdlr):  # type: ignore[misc]
        tell: Tell

        def eventinit(self) -> None:
            self.model.catchEvent(SCIP_EVENTTYPE.BESTSOLFOUND, self)

        def eventexit(self) -> None:
            self.model.dropEvent(SCIP_EVENTTYPE.BESTSOLFOUND, self)

        def eventexec(self, _: Any) -> None:
            found = self.model.getBestSol()
            value = self.model.getSolObjVal(found)
            x = [self.model.getSolVal(found, column) for column in columns]
            self.tell(value, x, None)

    def solve(tell: Tell) -> bool:
        handler = Improved()
        handler.tell = tell
        solver.includeEventhdlr(handler, "improved", "tells improving solutions")
        solver.optimize()
        return bool(solver.getStatus() == "optimal")

    return solve


def cpsat(model: Model, _: Path) -> Solve:
    """CP-SAT of OR-Tools, on the same linear model."""
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    x = [program.new_int_var(0, upper, f"x{j}") for j, upper in enumerate(model.upper)]
    weighted = cp_model.LinearExpr.weighted_sum
    for row in model.rows:
        terms = [x[j] for j in row.coefficients], [*row.coefficients.values()]
        left = weighted(*terms)
        if row.sense == "E":
            program.add(left == row.side)
        else:
            program.add(left <= row.side if row.sense == "L" else left >= row.side)
    program.minimize(weighted(x, model.cost))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.relative_gap_limit = 0

    class Improved(cp_model.CpSolverSolutionCallback):
        def __init__(self, tell: Tell) -> None:
            super().__init__()
            self._tell = tell

        def on_solution_callback(self) -> None:
            self._tell(self.objective_value, [self.value(v) for v in x], None)

    def solve(tell: Tell) -> bool:
        return bool(solver.solve(program, Improved(tell)) == cp_model.OPTIMAL)

    return solve


def cbc(model: Model, path: Path) -> Solve:
    """CBC 2.10.3, the program that PuLP ships, by its log.

    Its interfaces have no callback that can be relied on. The log gives each solution that becomes the
    incumbent and the CPU seconds until then, to two digits; the last solution is written to a file. The
    program stops by itself at its limit of CPU
    time, so that the file is there.
    """
    from pulp import PULP_CBC_CMD

    written = path.with_suffix(".sol")
    options = f"-timeMode cpu -sec {CUTOFF} -randomSeed {SEED} -randomCbcSeed {SEED}"
    gaps = "-ratioGap 0 -allowableGap 0.99 -threads 0"
    words = [str(path), *options.split(), *gaps.split(), "-solve", "-solution"]

    def solve(tell: Tell) -> bool:
        program = [PULP_CBC_CMD().path, *words, str(written)]
        for line in _lines_of(program):
            if found := CBC_INCUMBENT.match(line):
                tell(float(found[1]), None, float(found[2]))
        if not written.exists():
            return False
        head, *rows = written.read_text(encoding="utf-8").splitlines()
        values = {row.split()[-3]: float(row.split()[-2]) for row in rows}
        x = [values.get(f"x{j}", 0.0) for j in range(len(model.cost))]
        if values:
            tell(float(head.split()[-1]), x, None)
        return head.startswith("Optimal")

    return solve


def _lines_of(program: Sequence[str]) -> Iterator[str]:
    """What a program prints, line by line: on a terminal it does not hold it back."""
    ours, its = pty.openpty()
    with subprocess.Popen(program, stdout=its, stdin=its) as running:
        os.close(its)
        with (
            os.fdopen(ours, encoding="utf-8", errors="replace") as printed,
            suppress(
                OSError  # how a terminal ends
            ),
        ):
            yield from printed
        running.wait()


def glpk(model: Model, path: Path) -> Solve:
    """GLPK by swiglpk: presolved LP, then branch and cut with all its cuts.

    swiglpk cannot make callbacks: the one slot of the parameters is set in place (the layout of
    ``glp_iocp`` in GLPK 5.0), its functions are called in the same library.
    """
    import swiglpk as api

    library = ctypes.CDLL(_glpk_library())
    library.glp_mip_col_val.restype = library.glp_mip_obj_val.restype = ctypes.c_double
    library.glp_ios_get_prob.restype = ctypes.c_void_p
    api.glp_term_out(api.GLP_OFF)
    problem = api.glp_create_prob()
    api.glp_read_mps(problem, api.GLP_MPS_FILE, None, str(path))
    columns = range(1, len(model.cost) + 1)

    def solve(tell: Tell) -> bool:
        best: float | None = None

        def event(tree: int, _: int) -> None:
            # Heuristics make no event of their own: look at each of any kind.
            nonlocal best
            held = ctypes.c_void_p(library.glp_ios_get_prob(ctypes.c_void_p(tree)))
            if library.glp_mip_status(held) == api.GLP_FEAS:
                value = library.glp_mip_obj_val(held)
                if best is None or value < best:
                    best = value
                    x = [library.glp_mip_col_val(held, j) for j in columns]
                    tell(value, x, None)

        simplex = api.glp_smcp()
        api.glp_init_smcp(simplex)
        simplex.presolve = api.GLP_ON
        if api.glp_simplex(problem, simplex) or (api.glp_get_status(problem) != api.GLP_OPT):
            return False
        options = api.glp_iocp()
        api.glp_init_iocp(options)
        options.gmi_cuts = options.mir_cuts = api.GLP_ON
        options.cov_cuts = options.clq_cuts = api.GLP_ON
        options.fp_heur = options.sr_heur = api.GLP_ON
        callback = _EVENT(event)
        slot = ctypes.c_void_p.from_address(int(options.this) + _SLOT)
        slot.value = ctypes.cast(callback, ctypes.c_void_p).value
        failed = api.glp_intopt(problem, options)
        return not failed and api.glp_mip_status(problem) == api.GLP_OPT

    return solve


CBC_INCUMBENT = re.compile(r"Cbc00(?:04|12|16)I Integer solution of (\S+) found .*\((\S+) seconds\)")
_EVENT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_SLOT = 48  # of cb_func


def _glpk_library() -> str:
    """The library that swiglpk has loaded, by the memory map of this process."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return next(line.split()[-1] for line in maps if "/libglpk" in line)


SOLVERS: Mapping[str, Callable[[Model, Path], Solve]] = {
    "highs": highs,
    "scip": scip,
    "cpsat": cpsat,
    "cbc": cbc,
    "glpk": glpk,
}
