"""Rows that a model counts under a name of their own, and the condition that says the same: *delayed flights*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....records import dataclass
from ....semantic.catalog import Member, Relation
from ..words.text import name_parts, singular, stem

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["COUNT_WORDS", "CountedRows", "counted_rows", "counts_values_of", "names_of", "nouns_of", "without"]

COUNT_WORDS = frozenset("count number total".split())
_LITTLE = frozenset("of the a an".split())


@dataclass(frozen=True, slots=True)
class CountedRows:
    """Rows that are counted, ``called`` *late flights*: the ``noun`` *flights* that are ``so``: *delayed*."""

    called: str
    noun: str
    so: str


def counted_rows(metadata: Metadata) -> Iterator[CountedRows]:
    """The rows that counts of a model are of, where a segment, a flag or a value says of each row whether it is one."""
    for relation in metadata.catalog.relations.values():
        nouns = nouns_of(metadata, relation.name)
        for member in relation.members.values():
            if member.kind != "measure" or member.agg_type != "count" or member.masked:
                continue
            so = _condition(metadata, relation, without(name_parts(member.name), COUNT_WORDS))
            for words in names_of(member) if so else ():
                if len(words) > 1 and stem(singular(words[-1])) in nouns and not COUNT_WORDS & set(words):
                    yield CountedRows(" ".join(words), words[-1], so)


def _condition(metadata: Metadata, relation: Relation, root: tuple[str, ...]) -> str:
    """What says that a row is so, in words; nothing, where nothing does."""
    own = [m for m in relation.members.values() if m.kind == "segment" or m.type == "boolean"]
    if any(name_parts(m.name) == root for m in own):
        return " ".join(root)
    values = metadata.values.whole.get(tuple(map(stem, root)), ())
    return " ".join(root) if any(path.split(".", 1)[0] == relation.name for path, *_ in values) else ""


def counts_values_of(metadata: Metadata, measure: str, member: str) -> bool:
    """Whether a measure of the model counts the different values of a member, by what both are called."""
    known, called = metadata.members[measure], metadata.kind_names.called
    if known.agg_type != "count_distinct" or known.relation != metadata.members[member].relation:
        return False
    words = {stem(word) for names in names_of(known) for word in names}
    return any(kind.path == member for word in words for kind in called.get((word,), ()))


def names_of(member: Member) -> list[tuple[str, ...]]:
    """The words of what a member is called, by its title and otherwise."""
    return [words for text in (member.title, *member.synonyms) if (words := name_parts(text))]


def nouns_of(metadata: Metadata, relation: str) -> set[str]:
    """Stems of the words for the rows of a relation."""
    return {stem(singular(word)) for word in metadata.words_of(relation)}


def without(words: tuple[str, ...], left: frozenset[str]) -> tuple[str, ...]:
    """Words without some of them, and without little ones."""
    return tuple(word for word in words if word not in left | _LITTLE)
