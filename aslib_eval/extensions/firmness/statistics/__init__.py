"""Which places are open, by what instances there could be."""
