"""The page with a box for SQL, and what answers it."""
