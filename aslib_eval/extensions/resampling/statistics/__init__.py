"""Folds that are drawn, as functions of arrays."""
