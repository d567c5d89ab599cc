"""What a query gave: kept, streamed, and what it depends on."""
