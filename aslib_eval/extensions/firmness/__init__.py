"""How firm the places of a ranking are: ``certify``."""
