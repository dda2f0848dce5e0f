"""Tests of the package, laid out as it is.

Their tables are tiny: threads that wait for each other cost more than they save. What is imported first
decides how many there are, so it is said here.
"""

import os

for name in ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
