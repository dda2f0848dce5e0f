"""Orders of the solvers of a lake."""
