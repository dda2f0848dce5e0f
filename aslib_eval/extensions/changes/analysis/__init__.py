"""Which runs are compared (``sides``), and what changed in them (``changes``)."""
