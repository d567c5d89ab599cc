"""Forms as SQL over the data model: trees, never pasted text."""
