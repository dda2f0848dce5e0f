"""What is computed of competitions: boards, and what rules do to them."""
