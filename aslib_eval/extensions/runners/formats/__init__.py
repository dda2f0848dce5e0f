"""What these programs write, as tables of runs."""
