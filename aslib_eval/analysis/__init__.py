"""Analyses that read views into arrays, compute metrics and return polars frames."""
