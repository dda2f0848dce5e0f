"""Scores of changed sets of solvers, and portfolios, of a lake."""
