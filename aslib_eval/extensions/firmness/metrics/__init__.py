"""How firm a place is: what it takes to lose it, in arrays."""
