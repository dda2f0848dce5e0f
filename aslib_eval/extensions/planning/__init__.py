"""How many instances and how many runs an experiment needs: the commands ``plan``."""
