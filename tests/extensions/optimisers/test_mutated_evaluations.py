"""Tables of evaluations that are damaged at random: no error but of ours."""

from __future__ import annotations

from itertools import chain

import pytest

from aslib_eval.extensions.optimisers.bayesmark import read_evaluations
from aslib_eval.extensions.optimisers.bayesmark_studies import arranged, value_faults
from tests.formats.aslib.test_mutated_input import mutations, readable

pytestmark = pytest.mark.slow

EVALUATIONS = """\
problem,method,trial,iteration,suggestion,value,elapsed
p,A,1,1,1,3,0.1
p,A,1,2,1,2,0.2
p,B,1,1,1,3,0.1
p,B,1,2,1,inf,0.2
"""


def test_a_table_of_evaluations() -> None:
    for _, content in mutations(EVALUATIONS, "evaluations"):
        text = content.decode("utf-8-sig", errors="replace")
        found, findings = read_evaluations(text, file="f", measure="m")
        readable(findings)
        if found is not None:
            readable([*chain(value_faults(found, maximize={"m": False}), arranged(found)[1])])
