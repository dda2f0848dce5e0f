"""Snapshots are of the lake of the tests of damage."""

from __future__ import annotations

from tests.lake.test_damage import lake  # noqa: F401 - a fixture
