"""What the features of a scenario cost, and which values are missing."""
