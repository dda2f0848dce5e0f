"""What a ranking depends on: sweeps of a parameter, and all definitions."""
