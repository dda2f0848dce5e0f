"""Scores as functions of arrays: no files, no SQL.

Everywhere rows are instances and columns are solvers, times are in the scenario's own unit, and a score is
a mean over instances unless its docstring says otherwise.
"""
