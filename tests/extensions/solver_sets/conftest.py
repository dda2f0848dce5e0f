"""Sets of solvers are asked of an opened lake."""

from __future__ import annotations

from tests.analysis.conftest import given  # noqa: F401 - a fixture
