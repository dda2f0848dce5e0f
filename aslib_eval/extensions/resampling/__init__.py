"""Random splits and bootstraps of scenarios: the command ``resample``."""
