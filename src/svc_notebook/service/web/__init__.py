"""HTTP itself: the outer door, bodies, responses, pages, the rules about single values."""
