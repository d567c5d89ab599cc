"""Field names of a chart, repaired against the columns of the result.

A spec may say ``Orders.Count``, ``orders.count`` or ``count`` for the column ``count``; a column may be called
``orders.count`` or ``a b[0]``. Vega-Lite reads dots and brackets as paths and draws an empty chart without a word, so
names are matched first and escaped last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["FieldNames", "escape_field", "unescape_field"]

_UNSAFE_KEYS = frozenset({"__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"})


def escape_field(name: str) -> str:
    r"""``a.b[0]`` as Vega-Lite wants it: ``a\.b\[0\]``."""
    return re.sub(r"([.\[\]\\'\"])", r"\\\1", name)


def unescape_field(name: str) -> str:
    """The plain name behind an escaped one (or one in path notation)."""
    return re.sub(r"\\(.)", r"\1", name)


def _folded(name: str) -> str:
    return re.sub(r"[\s_\-]+", "_", name.strip().lower())


class FieldNames:
    """The names a chart may use: the columns, and whatever its own transforms add.

    Parameters
    ----------
    columns : iterable of str
        Column names of the result.
    """

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        self.keys = {name: f"{name}_" if name in _UNSAFE_KEYS else name for name in self.columns}
        self.made: set[str] = set()
        self.repaired: dict[str, str] = {}
        self._folded: dict[str, list[str]] = {}
        for name in self.columns:
            for form in {_folded(name), _folded(name.rsplit(".", 1)[-1])}:
                self._folded.setdefault(form, []).append(name)

    def add(self, name: str) -> None:
        """A transform makes this field."""
        self.made.add(name)

    def plain(self, wanted: str) -> str:
        """The data's own key for a field name in any of its spellings; unknown names come back as they are."""
        name = unescape_field(wanted)
        for form in (wanted, name):
            if form in self.keys:
                return self.keys[form]
            if form in self.made:
                return form
        for form in (_folded(name), _folded(name.rsplit(".", 1)[-1])):
            found = self._folded.get(form, [])
            if len(found) == 1:
                self.repaired[name] = found[0]
                return self.keys[found[0]]
        return name

    def escaped(self, wanted: str) -> str:
        """The same, escaped for use in an encoding or a transform."""
        return escape_field(self.plain(wanted))

    def knows(self, wanted: str) -> bool:
        """Whether the field is a column or made by a transform."""
        plain = self.plain(wanted)
        return plain in self.made or plain in self.keys.values()
