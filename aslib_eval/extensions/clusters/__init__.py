"""Work on other machines: the workers of a Dask cluster, for ``--cluster``."""
