"""Superlatives of comparatives: *longer* → *the longest*, *more often* → *most often*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["COMPARATIVE", "superlative"]

_WORDS = {
    "more": "the most", "fewer": "the fewest", "less": "the least", "better": "the best", "worse": "the worst",
    "earlier": "first", "sooner": "first", "later": "last", "farther": "the farthest", "further": "the farthest",
    "larger": "the largest", "bigger": "the biggest", "greater": "the largest",
}  # fmt: skip
_REGULAR = (
    "long short high low small heavi light old young new fast slow cheap dear costli pricey pric deep shallow warm "
    "cold hot strong weak tall wide narrow close near late great larg wet dri busi quick steep thick thin rich poor "
    "clean dirti loud quiet hard soft safe full empti windi rainy sunni bright dark easi steadi"
).split()
_DOUBLED = {"hotter": "hottest", "wetter": "wettest", "bigger": "biggest", "thinner": "thinnest"}
_ADVERBS = r"often|frequently|commonly|regularly|times"
COMPARATIVE = rf"(?:(?:more|less) (?:{_ADVERBS})|{'|'.join(_WORDS)}|{'|'.join(_DOUBLED)}|(?:{'|'.join(_REGULAR)})e?r)"
_OFTEN = said_so(rf"^(more|less) (?:{_ADVERBS})$")


def superlative(comparative: str) -> str:
    """What something is that is so more than all the others."""
    said = " ".join(comparative.lower().split())
    if _OFTEN.match(said):
        return "most often" if said.startswith("more") else "least often"
    if said in _WORDS:
        return _WORDS[said]
    return f"the {_DOUBLED.get(said, said.removesuffix('r') + 'st')}"
