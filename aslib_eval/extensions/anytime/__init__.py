"""What is found over time: ``score --anytime``, and the curves of a page."""
