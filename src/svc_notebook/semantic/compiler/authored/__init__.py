"""What the model's author wrote as SQL: fragments found, qualified, and held to the rules of queries."""
