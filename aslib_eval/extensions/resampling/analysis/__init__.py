"""Random cross-validations that are stored in the lake, and what they change."""
