"""Views → arrays → metrics → polars frames: what joins SQL and numpy."""
