"""Rollups: their tables, the statements that fill them, and plans that read them instead."""
