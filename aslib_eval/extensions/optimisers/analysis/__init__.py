"""What joins experiments with their scores."""
