"""Recipes: analyses that take more than one query, each bounded, cancellable, and saying what it ran."""

from .asked import Analysis, analysis_of
from .pieces import Found, Shown
from .running import answered

__all__ = ["Analysis", "Found", "Shown", "analysis_of", "answered"]
