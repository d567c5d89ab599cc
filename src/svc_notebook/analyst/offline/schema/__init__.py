"""What an asker's model holds and what may be called how: relations, members, values, phrases."""
