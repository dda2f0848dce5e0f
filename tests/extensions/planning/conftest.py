"""Plans ask an opened lake, as analysis does."""

from __future__ import annotations

from tests.analysis.conftest import given  # noqa: F401 - a fixture
