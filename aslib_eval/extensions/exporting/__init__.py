"""A lake for other tools, and scenarios as folders of the format: ``export``."""
