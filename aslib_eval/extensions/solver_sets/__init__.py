"""Other sets of solvers, and the best portfolios: ``sweep solvers``, ``portfolio``."""
