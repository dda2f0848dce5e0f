"""Sweeps are asked of an opened lake, as in analysis."""

from __future__ import annotations

from tests.analysis.conftest import given  # noqa: F401 - a fixture
