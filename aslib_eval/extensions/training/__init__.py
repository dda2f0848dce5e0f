"""Selectors trained on every split of a scenario: the command ``train``."""
