"""What the numbers of a model's rows are called, whole and in part, whatever unit their names end in."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ..words.numbers import CURRENCIES, exact_unit
from ..words.text import singular, stem
from ..words.thesaurus import stand_ins
from .profiles import as_number

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["NumberNames", "counts"]

Stems = tuple[str, ...]
_SIZES = frozenset({"amount", "value"})  # words that only say that it is a number


class NumberNames:
    """Columns of numbers by the stems of the words for them; made once, since a question asks at every word of it.

    Attributes
    ----------
    paths
        The numbers of the model's rows: no measures, keys or names without a word.
    whole, plain
        The name of each, and the same without the unit that it is kept in.
    called, partly
        Those that have a name, and those whose name begins or ends so.
    """

    def __init__(self, metadata: Metadata) -> None:
        known = [path for path, m in metadata.members.items() if m.kind == "dimension" and metadata.is_number(path)]
        self.paths = [path for path in known if metadata.parts(path) and not metadata.is_key(path)]
        self.whole: dict[str, Stems] = {path: tuple(map(stem, metadata.parts(path))) for path in self.paths}
        self.plain: dict[str, Stems] = {path: tuple(map(stem, self.words(metadata, path))) for path in self.paths}
        called, partly = defaultdict[Stems, dict[str, None]](dict), defaultdict[Stems, dict[str, None]](dict)
        for path in self.paths:
            for name in (self.whole[path], self.plain[path]):
                called[name][path] = None
                for size in range(1, len(name) + 1):
                    # From either end: people leave out what is before or behind (delivery minutes, minutes of
                    # delivery).
                    partly[name[:size]][path] = partly[name[-size:]][path] = None
        self.called = {name: tuple(paths) for name, paths in called.items()}
        self.partly = {name: tuple(paths) for name, paths in partly.items()}

    @staticmethod
    def words(metadata: Metadata, path: str) -> Stems:
        """What a number is called without its unit; ``min`` is one where it is told in minutes, and no least of all."""
        parts = list(metadata.parts(path))
        if len(parts) > 1 and parts[-1] == "minimum" and metadata.member(path).meta.get("unit") == "minutes":
            parts.pop()
        unit = re.sub(r"[^a-z]", "", str(metadata.member(path).meta.get("unit", "")).lower())  # kmh of km/h, c of °C
        # The unit is said by the question in words of its own.
        while len(parts) > 1 and (parts[-1] in CURRENCIES | _SIZES | {unit} or exact_unit(parts[-1]) is not None):
            parts.pop()
        return tuple(parts)


def counts(metadata: Metadata, path: str, noun: str) -> bool:
    """Whether a number of rows says how many there are of what the stem of a noun is for: none of it, of some rows."""
    parts, low = metadata.parts(path), as_number(metadata.profile(path).low)
    told = len(parts) == 1 and parts[0] not in ("", singular(parts[0])) and low == 0
    name = metadata.number_names.whole[path][0]
    return told and (name == noun or name in stand_ins(noun))
