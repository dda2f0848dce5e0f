"""Other ways to rank solvers, and how far they agree: ``orders``."""
