"""Orders of solvers from what they have on each instance."""
