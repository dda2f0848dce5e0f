"""Snapshots are of the lake of the tests of damage."""

from __future__ import annotations

from tests.lake.test_damage import lake, made  # noqa: F401 - fixtures
