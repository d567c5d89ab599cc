"""A form that is about to be asked: its SQL, its words, its title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....semantic.catalog import Catalog
from ..forms import Form, in_words, to_sql
from .picture import picture

__all__ = ["Formed"]

_LONGEST_TITLE = 120


@dataclass(frozen=True)
class Formed:
    """A form as an asker's catalog names what it asks.

    Raises (``sql``)
    ----------------
    CannotWrite
        If SQL over the model cannot say the form.
    """

    form: Form
    catalog: Catalog

    @property
    def sql(self) -> str:
        return to_sql(self.form)

    @property
    def words(self) -> str:
        """The whole form, ready to begin a sentence."""
        return _begun(in_words(self.form, self.catalog))

    @property
    def title(self) -> str:
        """What it shows, without how that is sorted and cut."""
        return _begun(in_words(self.form.with_(order=(), limit=None), self.catalog))[:_LONGEST_TITLE]

    def picture(self, mark: str | None = None) -> dict[str, Any] | None:
        """A chart of its result; ``mark`` is the one that is wished for, ``table`` for none."""
        return picture(self.form, self.catalog, mark, self.title)


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]
