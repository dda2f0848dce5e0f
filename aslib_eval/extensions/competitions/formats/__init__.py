"""Raw results of competitions as scenarios, and what their organisers published."""
