"""Optimisers: their experiments, what they found by when, and repeated runs."""
