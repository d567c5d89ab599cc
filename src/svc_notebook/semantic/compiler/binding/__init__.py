"""Expressions of a query, bound: operators, functions, windows, the kinds of their values."""
