"""Rates among the numbers of a model, and what each of them is of: an on-time share of what is on time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....records import dataclass
from ....semantic.catalog import Member
from ..words.shares_said import SHARE_WORDS
from ..words.text import name_parts, singular, stem
from .counted import COUNT_WORDS, names_of, nouns_of, without

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["RATE_WORDS", "Rate", "rate_of", "rated", "rates_in"]

RATE_WORDS = SHARE_WORDS | {"rate", "ratio"}


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate that a model tells.

    Attributes
    ----------
    said
        A name of it that is no other number's.
    of
        What it is a rate of, as it may be said, the longest way first.
    qualities
        Those of them that say how something is: *punctual* of *punctual flights*.
    """

    said: str
    of: tuple[str, ...]
    qualities: tuple[str, ...]


def rates_in(metadata: Metadata) -> Iterator[Rate]:
    """The rates of a model, each once whatever relations show it, in the order of the catalog."""
    seen: set[str] = set()
    for relation in metadata.catalog.relations.values():
        members = [m for m in relation.members.values() if not m.masked]
        nouns = nouns_of(metadata, relation.name)
        for member in members:
            if member.kind == "measure" and member.format == "percent" and member.title not in seen:
                seen.add(member.title)
                yield _rate(member, members, nouns)


def rate_of(path: str, metadata: Metadata) -> str:
    """The rate that a model has of what a flag says or a number counts: ``cancelled_share`` of ``cancelled``."""
    named = rated(path, metadata)
    own = metadata.relation(path.split(".", 1)[0]).members.values() if named else ()
    shares = [m.path for m in own if m.kind == "measure" and str(m.format or "").startswith("percent")]
    rates = [share for share in shares if rated(share, metadata) == named]
    return rates[0] if len(rates) == 1 else ""


def rated(path: str, metadata: Metadata) -> set[str]:
    """The words for what a rate is of, or a number counts: ``cancelled`` of ``cancelled_share``."""
    return set(metadata.parts(path)) - RATE_WORDS - {"count", "number", "total"} if path in metadata.members else set()


def _rate(member: Member, members: list[Member], nouns: set[str]) -> Rate:
    root = without(name_parts(member.name), RATE_WORDS)
    alike = [m for m in members if m.kind != "dimension" and _is_of(m, root)]
    alone = {words for m in alike if m.kind == "segment" for words in names_of(m)}
    counted = {without(words, COUNT_WORDS) for m in alike if m.kind == "measure" for words in names_of(m)}
    rated = {without(words, RATE_WORDS) for words in names_of(member) if RATE_WORDS & set(words)}
    bare = {words: tuple(w for w in words if stem(singular(w)) not in nouns) for words in counted | rated}
    ways = {" ".join(words) for words in (*alone, *counted, *rated, *bare.values()) if words}
    qualities = {" ".join(bare[words]) for words in counted if bare[words] not in (words, *alone)}
    return Rate(_said(member), tuple(sorted(ways, key=lambda way: (-len(way), way))), tuple(sorted(qualities - {""})))


def _is_of(member: Member, root: tuple[str, ...]) -> bool:
    """Whether rows that a rate is of are told, by how many or alone."""
    counted = member.kind == "segment" or member.agg_type == "count"
    return counted and without(name_parts(member.name), COUNT_WORDS) == root


def _said(member: Member) -> str:
    names = [" ".join(words) for words in names_of(member)]
    return next((name for name in names if name.split()[-1] in RATE_WORDS), member.title.lower())
