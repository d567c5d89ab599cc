"""A turn understood: read as a question of its own, as an edit of an earlier form, a choice, or talk about the data."""

from ..understood import Understood
from .asked import data_year
from .forming import form_of
from .steps import understand

__all__ = ["Understood", "data_year", "form_of", "understand"]
