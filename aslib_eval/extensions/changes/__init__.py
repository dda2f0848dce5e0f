"""What changed between two solvers, or versions of one: the command ``diff``."""
