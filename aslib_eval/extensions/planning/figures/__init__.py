"""Charts of plans."""
