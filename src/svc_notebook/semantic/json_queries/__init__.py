"""Queries as JSON, put into the SQL that the model is asked in."""
