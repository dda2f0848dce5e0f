"""Power, standard errors and sequential tests: numpy, no files, no SQL."""
