"""Whether a model fits its data: tables and columns that are not there, types, keys that repeat, joins said wrongly."""

from .check import check_data, misfits

__all__ = ["check_data", "misfits"]
