"""Corpora kept outside the project, run by path when they are there."""
