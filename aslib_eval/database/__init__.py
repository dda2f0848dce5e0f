"""What the lake is asked with: the metrics that the views declare."""
