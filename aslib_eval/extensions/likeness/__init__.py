"""Which scenarios are like one another, and which algorithms: ``like``."""
