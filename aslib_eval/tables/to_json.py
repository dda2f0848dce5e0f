"""JSON: a list of objects with full precision."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def to_json(frame: pl.DataFrame) -> str:
    """A list of objects with full precision; NaN and infinity are null."""
    rows = [{k: _plain(v) for k, v in row.items()} for row in frame.to_dicts()]
    return json.dumps(rows, indent=1, ensure_ascii=False, default=str) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
