"""Questions in German and French, said in the English that is read; what the model calls a thing stays as it is."""

from __future__ import annotations

from .lexicon import LANGUAGES, Language
from .rendering import ModelNames, Rendered, rendered
from .telling import as_typed, read_as, refused
from .turns import in_english

__all__ = [
    "LANGUAGES",
    "Language",
    "ModelNames",
    "Rendered",
    "as_typed",
    "in_english",
    "read_as",
    "refused",
    "rendered",
]
