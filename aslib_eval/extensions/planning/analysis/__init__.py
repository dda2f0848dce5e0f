"""What plans ask of a lake and of programs."""
