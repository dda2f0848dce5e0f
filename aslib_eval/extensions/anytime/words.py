"""The words that ``score --anytime`` takes."""

from __future__ import annotations

from typing import Literal

AnytimeShow = Literal["summary", "moments", "instances"]
