"""Public scenarios of ASlib from the network: the command ``fetch``."""
