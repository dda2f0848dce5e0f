"""Where a number comes from, printed or ours: the command ``explain``."""
