"""Schedules executed on trajectories, and gaps over time."""
