"""People's own nouns for the rows of what a model is about: *wrecks* over crashes, by where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from ....records import dataclass
from ..lexicon import compounds, general_happenings, happenings, load_lexicon
from ..schema.lexicon import is_unnamed
from ..schema.metadata import Metadata
from ..words.text import Token, singular, stem
from ..words.thesaurus import FILLER_WORDS

__all__ = ["OwnNoun", "own_nouns", "with_own_nouns"]

_LITTLE = frozenset("the a an all our my these those total".split())
_FILTERING = frozenset("of in by for from with without to at on about into and or than after before since".split())
_COUNTED = frozenset("number count percentage percent % share proportion fraction part most average total".split())
_SINGLE = frozenset({"per", "each", "every", "typical", "average", "single"})
_EITHER = frozenset({"stay"})  # rows, and how long they last
_LONG = frozenset("long longer longest length lengths short shorter shortest last lasted duration durations".split())
_LASTING = frozenset({"average", "typical"})  # an average stay is so long
_FEW = 2  # tables: one of what happened, and what it looks up


@dataclass(frozen=True)
class OwnNoun:
    """A noun at a place that stands for the rows of a relation."""

    at: int
    said: str
    relation: str


def own_nouns(tokens: Sequence[Token], metadata: Metadata) -> tuple[OwnNoun, ...]:
    """The places of the one noun that stands for rows and that nothing is called by; none where two would.

    Only nouns for what happens, and what is like it: of all others that nobody knows most are things that the rows
    have, and no order is a visit.
    """
    nouns = _nouns_of(metadata)
    said = [at for at, token in enumerate(tokens) if token.kind == "word" and singular(token.lower) in nouns]
    places = [at for at in said if _is_unknown(tokens, at, metadata) and _are_rows(tokens, at, metadata)]
    found = {singular(tokens[at].lower) for at in places}
    # Of two things that nobody knows one is what the other has.
    if len(found) != 1:
        return ()
    again = [at for at in said if singular(tokens[at].lower) in found]
    return tuple(OwnNoun(at, tokens[at].lower, nouns[singular(tokens[at].lower)]) for at in again)


def _nouns_of(metadata: Metadata) -> Mapping[str, str]:
    """The nouns that rows of what happened may be called by, and the table: of many tables, those of one kind alone."""
    if _is_one_of_many(metadata):
        return _of_one_kind(tuple(name for name in metadata.catalog.relations if metadata.times([name])), metadata)
    fact = metadata.main_facts()
    known = fact is not None and metadata.times([fact])
    return dict.fromkeys(_like(singular(metadata.words_of(fact)[-1])), fact) if fact is not None and known else {}


def _of_one_kind(relations: Sequence[str], metadata: Metadata) -> Mapping[str, str]:
    called = {name: singular(metadata.words_of(name)[-1]) for name in relations if len(metadata.words_of(name)) == 1}
    kinds = [(line, [name for name, noun in called.items() if noun in line]) for line in happenings()]
    found = [(noun, name) for line, names in kinds for noun in line for name in names]
    one = {noun for noun, _ in found if len({name for other, name in found if other == noun}) == 1}
    return {noun: name for noun, name in found if noun in one}


def with_own_nouns(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with what their table is called in the place of people's own noun for its rows."""
    tokens = _shortened(tokens, metadata)
    found = {noun.at: noun for noun in own_nouns(tokens, metadata)}
    whole: list[Token] = []
    for at, token in enumerate(tokens):
        whole.extend(_named(token, found[at].relation, metadata) if at in found else (token,))
    return whole


def _shortened(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """``power cuts`` as cuts, where the model knows of no power."""
    pairs = [(token.lower, singular(then.lower)) for token, then in pairwise(tokens)]
    gone = {at for at, pair in enumerate(pairs) if pair in compounds() and is_unnamed(tokens[at], metadata)}
    return [token for at, token in enumerate(tokens) if at not in gone]


def _named(token: Token, relation: str, metadata: Metadata) -> list[Token]:
    *before, last = metadata.words_of(relation)
    one = singular(token.lower) == token.lower
    words = (*before, singular(last) if one else last)
    return [replace(token, text=word, lower=word, stem=stem(word)) for word in words]


@cache
def _like(noun: str) -> frozenset[str]:
    """What rows may be called that their table calls so; any of all, where that says nothing of what they are."""
    lines = [line for line in happenings() if noun in line] or list(happenings())
    return general_happenings().union(*lines)


def _is_one_of_many(metadata: Metadata) -> bool:
    """Whether there are so many tables that other rows may be meant."""
    return sum(relation.kind == "cube" for relation in metadata.catalog.relations.values()) > _FEW


def _is_unknown(tokens: Sequence[Token], at: int, metadata: Metadata) -> bool:
    """Whether a noun for what happens names nothing of the model."""
    token = tokens[at]
    told = token.lower in load_lexicon().words and not (
        singular(token.lower) in _EITHER and _LONG.isdisjoint(one.lower for one in tokens)
    )
    return not told and is_unnamed(token, metadata) and not metadata.values.find(tokens, at)


def _are_rows(tokens: Sequence[Token], at: int, metadata: Metadata) -> bool:
    """Whether a noun stands where rows are counted, ranked, listed or told apart, and does not filter."""
    words = [token.lower for token in tokens]
    if singular(words[at]) == words[at]:
        return at > 0 and words[at - 1] in _SINGLE - (_LASTING if words[at] == "stay" else frozenset())
    start = _head(tokens, at, metadata)
    counted = start > 1 and words[start - 1] == "of" and words[start - 2] in _COUNTED
    return counted or not start or words[start - 1] not in _FILTERING


def _head(tokens: Sequence[Token], at: int, metadata: Metadata) -> int:
    """Where the words begin that stand right before a noun and say which of its rows."""
    start = at
    while start and (tokens[start - 1].lower in _LITTLE or _tells(tokens, start - 1, metadata)):
        start -= 1
    return start


def _tells(tokens: Sequence[Token], at: int, metadata: Metadata) -> bool:
    token = tokens[at]
    if token.kind != "word" or token.lower in FILLER_WORDS or token.lower in load_lexicon().words:
        return False
    return bool(metadata.values.find(tokens, at)) or token.stem in metadata.vocabulary
