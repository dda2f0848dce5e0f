"""Tests of two measures at once, and of the baselines of selectors."""
