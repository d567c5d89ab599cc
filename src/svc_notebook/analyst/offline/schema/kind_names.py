"""What the kinds of a model are called that rows can be parted by: the rows of a relation, the texts of a column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..words.text import Token, singular, stem

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["Kind", "KindNames"]

Stems = tuple[str, ...]


class Kind(NamedTuple):
    """The rows of a relation, or the values of one of its columns of text (``path``)."""

    relation: str
    path: str | None = None


class KindNames:
    """Kinds by the stems of the words for them; made once, since a question asks at every word of it.

    Attributes
    ----------
    called
        The kinds that have a name.
    rows
        The relations whose rows a noun is for.
    told
        Words, and their stems, of flags and of numbers that may be of some rows only: one that says so is no mere verb.
    """

    def __init__(self, metadata: Metadata) -> None:
        called, rows = defaultdict[Stems, dict[Kind, None]](dict), defaultdict[str, dict[str, None]](dict)
        for relation in metadata.catalog.relations.values():
            words = metadata.words_of(relation.name)
            for said in (words, words[-1:], *(tuple(name.split()) for name in relation.synonyms)):
                called[tuple(map(stem, said))][Kind(relation.name)] = None
            for noun in (*words[-1:], *relation.synonyms):
                rows[stem(noun)][relation.name] = None
        self.told: set[str] = set()
        for path, member in metadata.members.items():
            if member.kind == "dimension" and member.type == "string":
                for said in (metadata.parts(path), *(tuple(name.split()) for name in member.synonyms)):
                    called[tuple(map(stem, said))][Kind(member.relation, path)] = None
            elif member.type == "boolean" or member.kind == "segment" or member.agg_type in ("count", "number"):
                for part in metadata.parts(path):
                    # Stems cut letters that other forms keep (flies, flown): only what the name begins with is taken.
                    self.told.update(said for said in (part, stem(part)) if part.startswith(said))  # flown, never fly
        own = {said for said, kinds in called.items() if any(kind.path is None for kind in kinds)}
        for phrase in metadata.phrases:  # nouns that the table is not called by: *pets* of patients with a species
            if phrase.member is None and phrase.stems not in own and len(phrase.stems) == 1:
                called[phrase.stems][Kind(phrase.relation)] = None
                rows[phrase.stems[0]][phrase.relation] = None
        self.called = {said: tuple(kinds) for said, kinds in called.items() if said}
        self.rows = {noun: tuple(names) for noun, names in rows.items()}
        self.longest = max(map(len, self.called), default=0)

    def are_rows(self, noun: str) -> bool:
        """Whether a noun, one or several, is for the rows of any relation."""
        return bool(self.rows.get(stem(singular(noun.lower())), ()))

    def end(self, tokens: Sequence[Token], at: int) -> int | None:
        """The place behind the longest name of a kind that begins at a place."""
        # The longest first: "cause of death" is no cause.
        for size in range(min(self.longest, len(tokens) - at), 0, -1):
            if tuple(token.stem for token in tokens[at : at + size]) in self.called:
                return at + size
        return None
