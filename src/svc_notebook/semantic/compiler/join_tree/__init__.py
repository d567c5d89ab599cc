"""Cubes joined below one root: nodes, steps, entries, and what one compilation carries."""
