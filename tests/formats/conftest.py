"""All that tests of formats read is held as a whole."""

from __future__ import annotations

from tests.whole_reads import whole_reads  # noqa: F401 - a fixture
