"""What a contest of inference solvers is read from."""
