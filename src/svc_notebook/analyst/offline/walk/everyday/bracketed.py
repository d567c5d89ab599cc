"""Brackets that say what was meant: *hardest exam (lowest average marks)*, *who overspent (actual above budget)*."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.lexicon import find_spans
from ...words.cues import STEERING
from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import Token
from ...words.thesaurus import FILLER
from .wording import Wording

__all__ = ["all_in_brackets", "said_in_brackets"]

_EXTREMES = frozenset(
    "highest lowest most fewest least largest smallest longest shortest biggest earliest latest greatest best "
    "worst".split()
)
_PARTS = SHARE_WORDS | {"rate", "ratio"}
_SHORTEST = 5
_NOUNS = frozenset({"which", "what"})


def said_in_brackets(w: Wording, at: int) -> Found | None:
    """``hardest exam (lowest average marks)``: the exam with that, where nobody knows the word before it."""
    if at or "(" not in w.words or w.words.count("(") != 1:
        return None
    opening = w.words.index("(")
    closing = next((place for place in range(opening, len(w.words)) if w.at(place) == ")"), len(w.words))
    inner, outer = w.tokens[opening + 1 : closing], w.tokens[:opening]
    unknown = [place for place in range(opening) if _is_unknown(w, place)]
    if not inner or not unknown or inner[0].lower not in _EXTREMES or _asks_more(w, closing):
        return None
    if _PARTS & {token.lower for token in inner}:  # of what, is not said
        return None
    if any(_is_unknown(w, place) for place in range(opening + 1, closing)):
        return None
    kept = _without(w, outer, unknown)
    return ([*kept, *w.said(opening, "with", "the"), *inner], len(w.words)) if kept else None


def all_in_brackets(w: Wording, at: int) -> Found | None:
    """``flights to Chicago (both airports)``: a name that several have stands for all of them as it is."""
    if w.at(at) != "(" or w.at(at + 1) not in _ALL or ")" not in w.words[at:]:
        return None
    closing = w.words.index(")", at)
    start = at + 2
    while w.at(start) in _OF_ALL or w.is_number(start):
        start += 1
    named = start < closing and (w.kind_end(start) or start + 1) == closing or start == closing
    values = any({m.end for m in w.meta.values.find(w.tokens, begin)} & {at} for begin in range(max(0, at - _MOST), at))
    return ([], closing + 1) if named and values else None


_ALL = frozenset({"both", "all", "either", "any"})
_OF_ALL = frozenset({"of", "the", "its", "their", "them"})
_MOST = 4  # words of a value before brackets


def _asks_more(w: Wording, closing: int) -> bool:
    return any(token.kind != "punctuation" for token in w.tokens[closing + 1 :])


def _without(w: Wording, outer: Sequence[Token], unknown: list[int]) -> list[Token]:
    """``which site has the`` of *which site has the worst fine dust pollution*; ``exam`` of *hardest exam*."""
    kept = [token for place, token in enumerate(outer) if place not in unknown]
    while kept and (kept[-1].lower in _TAIL or kept[-1].kind == "punctuation"):
        kept.pop()
    return kept if any(_is_named(w, place) for place in range(len(outer)) if place not in unknown) else []


_TAIL = frozenset(
    {"the", "a", "an", "has", "have", "had", "is", "are", "was", "with", "of", "did", "does", "best", "worst"}
)


def _is_named(w: Wording, place: int) -> bool:
    token = w.tokens[place]
    return token.kind == "word" and token.stem in w.meta.vocabulary


def _is_unknown(w: Wording, place: int) -> bool:
    """Whether a word is none of the model's, of the language of questions, nor the beginning of a value."""
    token = w.tokens[place]
    if token.kind != "word" or token.stem in FILLER or token.lower in _TAIL | _EXTREMES | _NOUNS:
        return token.lower in ("best", "worst")
    if token.lower.endswith("est") and len(token.lower) > _SHORTEST and token.stem not in w.meta.vocabulary:
        return True  # what is said in brackets tells which: "warmest (highest average temperature)"
    known = token.stem in w.meta.vocabulary or token.lower in STEERING
    return not known and not w.meta.values.find(w.tokens, place) and not find_spans([token], w.meta)
