"""The version, which files of a lake, logs and tables name."""

__version__ = "0.1.0"
