"""Rows that say that something was done, by the verb; and through which of them other rows hang together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..words.families import root
from ..words.text import Token, is_participle, singular, stem

if TYPE_CHECKING:
    from .relations import Relations

__all__ = ["ACTS", "acts_of", "scope_of_deeds"]

_HUNG_TOGETHER = 3  # relations, one of them nobody's wish

ACTS: dict[str, frozenset[str]] = {
    verb: frozenset(nouns.split())
    for verbs, nouns in (
        ("score scored", "goal point"),
        ("give gave given donate donated contribute contributed", "gift donation contribution"),
        ("borrow borrowed lend lent loan loaned", "loan lending checkout"), ("rent rented hire hired", "rental hire"),
        ("buy bought purchase purchased", "purchase order sale invoice"), ("order ordered", "order invoice"),
        ("book booked reserve reserved", "booking reservation"), ("visit visited", "visit"),
        ("stay stayed", "stay booking reservation"),
        ("attend attended", "attendance booking visit"), ("pay paid", "payment"), ("play played", "match game"),
        ("teach taught", "lesson class"), ("work worked", "shift"), ("ship shipped", "shipment"),
        ("call called", "call"), ("rate rated review reviewed", "review rating"),
        ("drive drove driven ride rode", "trip ride"),
        ("fly flew", "flight"),
        ("vote voted", "vote"), ("bid", "bid"), ("complain complained", "complaint"), ("claim claimed", "claim"),
        ("sell sold", "sale"), ("repair repaired", "repair"), ("train trained", "training session"),
    )
    for verb in verbs.split()
}  # fmt: skip
"""Rows that say that something was done, by the verb."""


def acts_of(verb: str, metadata: Relations) -> list[str]:
    """Relations of rows that say that what a verb means was done: *goals* of who scored."""
    done = ACTS.get(singular(verb)) or ACTS.get(stem(verb)) or ACTS.get(root(verb)) or frozenset[str]()
    participle = is_participle(verb)
    if not done and not participle:  # most words: what follows looks at all relations
        return []
    found = []
    for name in metadata.catalog.relations:
        words, others = metadata.words_of(name), set(map(singular, metadata.relation(name).synonyms))
        if words and (words[-1] in done or done & others or participle and root(words[-1]) == root(verb)):
            found.append(name)
    return found


def scope_of_deeds(
    tokens: Iterable[Token], scope: Sequence[str], named: Sequence[str], metadata: Relations
) -> tuple[str, ...] | None:
    """``what Ada bought`` through her orders, though products and customers meet in fewer tables by their reviews.

    ``named`` are the relations that a query cannot do without. Where one of them hangs the others together, it says
    itself how.
    """
    if len(scope) < _HUNG_TOGETHER or scope[0] in named:
        return None
    done = {r: None for token in tokens if token.kind == "word" for r in acts_of(token.lower, metadata)}
    if not done or not done.keys().isdisjoint(scope):
        return None
    wider = [way for r in done if (way := metadata.scope([*named, r])) and not metadata.is_bridged(way)]
    return wider[0] if len(wider) == 1 else None
