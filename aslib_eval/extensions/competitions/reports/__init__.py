"""A competition's record as text, JSON, a page or tables for print, and its answers."""
