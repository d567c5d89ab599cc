"""What the languages of other engines have in common: how a compiled query is walked, with the kinds of its values.

A query is walked from its FROM to its columns with the kind of every value known, as DuckDB would type it; each
operation is one entry of a table, :data:`.operators.OPERATORS` or one of the engine's own. What is in none of them is
refused by its name.
"""
