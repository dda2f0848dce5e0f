"""Exact sweeps: a score as a step function of a parameter of its definition."""
