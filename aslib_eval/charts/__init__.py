"""Frames → charts: one function a chart, each gives a specification to save or show."""
