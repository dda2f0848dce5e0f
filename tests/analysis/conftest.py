"""Analysis asks an opened lake: here of one scenario that is made for a test."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lab import Given, GivenLake, InMemory


@pytest.fixture
def given(given: Given) -> GivenLake:
    """As ``given`` of all tests, but the lake instead of its connection."""

    def make(*data: Any, **parts: Any) -> InMemory:
        return InMemory(given(*data, **parts))

    return make
