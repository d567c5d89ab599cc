"""A first data model over tables nobody has described yet: types, keys, joins, measures, titles."""
