"""Alembic's environment and the steps between versions of the tables."""
