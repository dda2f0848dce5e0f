"""Which scenarios are like one another: the command ``like``."""
