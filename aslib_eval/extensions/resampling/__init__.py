"""Random splits and bootstraps of scenarios: the command ``resample``."""

from __future__ import annotations

from typing import Literal

SplitBy = Literal["plain", "family", "hardness", "features"]
SplitShow = Literal["gaps", "sbs", "pairs", "winners"]
