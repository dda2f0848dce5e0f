"""What a column is by its name alone: each known name, in a table of one run."""

from __future__ import annotations

import pytest

from aslib_eval.formats import TableChoices
from aslib_eval.formats.runs.layout import layout_of
from aslib_eval.formats.runs.raw_table import read_raw

NAMES = {
    "scenario": "scenario scenario_id",
    "instance": "instance instance_id instance_name inst benchmark benchmark_name"
    " problem problem_name task task_name formula file filename file_name input cnf"
    " wcnf opb hash instance_hash benchmark_hash benchmark_id problem_id",
    "solver": "solver solver_name algorithm algorithm_name algo configuration config"
    " method tool system optimizer",
    "expected": "expected expected_result expected_answer expected_status expected_verdict ground_truth",
    "repetition": "repetition rep repeat seed trial run",
    "best": "best_known best bks best_objective reference",
    "cutoff": "cutoff cutoff_time timeout time_limit timelimit limit",
    "family": "family instance_family",
}
ATTRIBUTES = (
    "track subtrack category class domain division logic group suite theme"
    " benchmark_set instance_set subset"
)
# A run in the columns that it takes; the one in question stands before them.
TAKEN = {"instance": "i", "solver": "ant", "time": "3.5"}


def layout(*names: str, **taken: str) -> dict[str, str]:
    """The columns of a table of one run: role → name."""
    header = [*names, *taken]
    cells = [*("1" for _ in names), *taken.values()]
    text = f"{','.join(header)}\n{','.join(cells)}\n"
    raw = read_raw(text.encode(), kind=".csv", packed=False, file="t.csv")
    found = layout_of(raw, TableChoices())
    assert found.findings == ()
    (block,) = found.blocks
    roles = {role: header[at] for role, at in found.at.items()}
    roles |= {f"attribute {name}": header[at] for name, at in found.attribute.items()}
    roles |= {measure: header[at] for measure, at in block.values.items()}
    for word, at in (("status", block.status), ("answer", block.answer)):
        roles |= {} if at is None else {word: header[at]}
    return roles


KNOWN = [(role, name) for role, names in NAMES.items() for name in names.split()]
KNOWN += [("attribute " + name, name) for name in ATTRIBUTES.split()]
KNOWN += [("status", name) for name in ("runstatus", "run_status", "exit_status")]
KNOWN += [("runtime", name) for name in ("cpu", "wall", "real", "t", "cpu_s", "wall_ms")]
KNOWN += [(name, name) for name in ("objective", "objective_value", "obj", "cost", "quality")]


@pytest.mark.parametrize(("role", "name"), KNOWN)
def test_a_name_says_the_role(role: str, name: str) -> None:
    rest = {other: cell for other, cell in TAKEN.items() if other != role.replace("runtime", "time")}
    assert layout(name, **rest)[role] == name


@pytest.mark.parametrize("name", ["answer", "outcome", "verdict", "solved", "is_solved", "success"])
def test_a_name_says_that_it_is_the_answer(name: str) -> None:
    assert layout(name, status="ok", **TAKEN)["answer"] == name


@pytest.mark.parametrize("name", ["objective", "best", "cutoff"])
def test_a_column_of_numbers_may_lack_some_of_them(name: str) -> None:
    text = f"instance,solver,time,{name}\ni,ant,1,2\ni,bee,1,-\n"
    found = layout_of(read_raw(text.encode(), kind=".csv", packed=False, file="t.csv"), TableChoices())
    assert 3 in (found.at.get(name), found.blocks[0].values.get(name))


@pytest.mark.parametrize("name", ["log_time", "log10_time", "time_score", "par2_time"])
def test_a_name_of_what_is_computed_is_no_time(name: str) -> None:
    assert layout(name, **TAKEN)["runtime"] == "time"
