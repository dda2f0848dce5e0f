"""Manifests of papers, their tables and figures: ``paper build``, ``paper check``."""
