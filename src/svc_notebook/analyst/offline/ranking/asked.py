"""What a question calls for: cues that hold no word of any data, and the names, values and numbers it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....records import dataclass
from ..linking.lattice import Lattice
from ..linking.mentions import Mention

__all__ = ["SAID", "Asked", "asked_of"]

SAID = 0.9  # the least quality of a value that counts as said
_SHORT, _LONG = 4, 14  # words of a question
_TYPED = frozenset({"aggregate", "group", "superlative", "often", "ask", "order", "count", "logic"})
_BARE = frozenset({"ask", "logic", "direction"})  # operators that say little without their argument


@dataclass(frozen=True, slots=True)
class Asked:
    """Cues of a question; ``heads`` is the noun that a question word or a verb of showing stands before."""

    cues: tuple[str, ...]
    heads: tuple[Mention, ...]
    names: tuple[Mention, ...]
    values: tuple[Mention, ...]


def asked_of(lattice: Lattice) -> Asked:
    """What a question calls for."""
    mentions = [m for starting in lattice.starting for m in starting]
    names = _longest([m for m in mentions if m.kind == "name" and any(n.full for n in m.names)])
    values = _longest([m for m in mentions if m.kind == "value" and m.values[0].quality >= SAID])
    heads = _heads(mentions, names)
    found = {cue for m in mentions for cue in _cues(m)}
    found |= {f"names:{min(len(names), 3)}", f"values:{min(len(values), 3)}"}
    words = sum(token.kind == "word" for token in lattice.tokens)
    # How long a question is changes what words of it may be left over.
    if not _SHORT < words < _LONG:
        found.add("short" if words <= _SHORT else "long")
    if heads:
        found.add("head:member" if heads[0].names[0].member else "head:relation")
    return Asked(tuple(sorted(found)), heads, names, values)


def _cues(m: Mention) -> Iterator[str]:
    if m.kind == "operator":
        if m.operator in _TYPED:
            yield f"{m.operator}:{m.argument}"
        if m.operator not in _BARE:
            yield m.operator
        if m.operator in ("superlative", "often") and m.hints:
            yield "adjective"
        if m.operator == "count" and m.start <= 1:
            yield "count:first"
        if m.operator == "ask" and m.start <= 1:
            yield f"ask:first:{m.argument}"
    elif m.kind in ("period", "grain"):
        yield m.kind
    elif m.kind == "number":
        yield "number:unit" if m.unit else "number"
    elif m.kind == "value" and m.values[0].quality >= SAID:
        yield "value"


def _longest(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Those that lie in no other, from left to right."""
    found: list[Mention] = []
    # The longest that begins first wins, as a person would read it.
    for m in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not found or m.start >= found[-1].end:
            found.append(m)
    return tuple(found)


def _heads(mentions: Sequence[Mention], names: Sequence[Mention]) -> tuple[Mention, ...]:
    asks = [m for m in mentions if m.kind == "operator" and m.operator == "ask"]
    for ask in sorted(asks, key=lambda m: (m.start, -m.end))[:2]:
        # Three words between: "which of the big airlines".
        near = tuple(m for m in names if 0 <= m.start - ask.end <= 3)
        if near:
            return near[:1]
    return ()
