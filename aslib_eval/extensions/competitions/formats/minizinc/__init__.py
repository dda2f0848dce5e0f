"""MiniZinc Challenges: ``results.json`` as their site publishes it."""
