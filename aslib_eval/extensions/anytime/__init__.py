"""What is found over time: ``score --anytime``, and the curves of a page."""

from __future__ import annotations

from typing import Literal

AnytimeShow = Literal["summary", "moments", "instances"]
