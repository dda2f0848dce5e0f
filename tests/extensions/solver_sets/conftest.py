"""Sets of solvers are asked of an opened lake; all charts are held as a whole."""

from __future__ import annotations

from tests.analysis.conftest import given  # noqa: F401 - a fixture
from tests.whole_charts import whole_charts  # noqa: F401 - a fixture
