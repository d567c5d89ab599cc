"""Questions in German and French: said in the English that is read, and answered in the language they were asked in.

What the model calls a thing stays as it is.
"""

from __future__ import annotations

from .analyses import found_in, heading_in, periods_in, said_in, sentences_in
from .answering import Abroad, told_in
from .axes import axes_in
from .chips import reading_in
from .lexicon import LANGUAGES, Language
from .offers import offers_in
from .phrases import NoPhrase, Phrases, phrases_of
from .rendering import ModelNames, Rendered, rendered
from .telling import as_typed, quoted, read_as, refused, rules_in, rules_of, title_in, voice
from .turns import in_english

__all__ = [
    "LANGUAGES", "Abroad", "Language", "ModelNames", "NoPhrase", "Phrases", "Rendered", "as_typed", "axes_in",
    "found_in", "heading_in", "in_english", "offers_in", "periods_in", "phrases_of", "quoted", "read_as", "reading_in",
    "refused", "rendered", "rules_in", "rules_of", "said_in", "sentences_in", "title_in", "told_in", "voice",
]  # fmt: skip
