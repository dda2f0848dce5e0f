"""What stands above the diagram of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.analysis.compare.question import TESTS
from aslib_eval.charts.theme import one_block, shortened, visible

if TYPE_CHECKING:
    from aslib_eval.analysis.compare import Comparison


def comparison_title(found: Comparison) -> str:
    """Scenario, metric and n; below, the test of the difference and the protocol.

    Raises AslibError if there are several comparisons. ``found`` has an omnibus test.
    """
    one_block(found.omnibus)
    row = found.omnibus.row(0, named=True)
    scenario, n = row["scenario_id"], row["n"]
    where = f"{shortened(visible(scenario))}: " if scenario else ""
    units = row["unit"] + ("" if n == 1 else "s")
    test, alpha = TESTS[row["cd_method"]], found.question.alpha
    return (
        f"{where}{row['metric']}, n = {n} {units}\n"
        f"mean ranks, {test} at alpha {alpha:g}, protocol {visible(row['protocol'])}"
    )
