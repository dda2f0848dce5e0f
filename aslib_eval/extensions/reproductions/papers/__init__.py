"""The papers, and what all of them have: tables, figures and claims."""
