"""Competitions of solvers: their raw results, their rules and their rankings."""
