"""Contests of inference in graphical models: their files, scores and boards."""
