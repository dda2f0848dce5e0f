"""A command line that draws a chart."""

from __future__ import annotations

LIBRARIES = {(*("altair", "compare --chart a.svg"), *("chart: altair is not installed", "figures"))}
