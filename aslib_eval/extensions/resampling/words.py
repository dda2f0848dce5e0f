"""The words that options of ``resample`` take."""

from __future__ import annotations

from typing import Literal

SplitBy = Literal["plain", "family", "hardness", "features"]
SplitShow = Literal["gaps", "sbs", "pairs", "winners"]
