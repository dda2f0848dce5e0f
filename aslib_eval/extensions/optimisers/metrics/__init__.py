"""Scores of optimisers, and how long they run, as functions of arrays."""
