"""Models of who is better, with what is uncertain of them."""
