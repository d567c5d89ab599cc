"""Conversational, governed analytics in the notebook."""
