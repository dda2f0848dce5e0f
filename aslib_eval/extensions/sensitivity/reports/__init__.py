"""Sections of the report: sensitivity, and definitions."""
