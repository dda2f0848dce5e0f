"""Language models and their routers: tables and logs of prompts, and what routers choose for them."""
