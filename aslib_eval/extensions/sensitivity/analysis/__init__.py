"""Sweeps and definitions of a lake."""
