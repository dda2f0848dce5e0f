"""All charts that these tests draw are held as a whole."""

from __future__ import annotations

from tests.whole_charts import whole_charts  # noqa: F401 - a fixture
