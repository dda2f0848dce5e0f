"""Published papers made again from a lake, beside what they print."""
