"""Sets of solvers, and the best of each size, as functions of arrays."""
