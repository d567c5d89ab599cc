"""Sentences and clauses that ask for nothing: *I hate waiting. Which day …*, *Before I start, how many …*"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .... import patterns as re
from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from ..words.numbers import number_word
from ..words.text import Token, stem, tokenize
from ..words.thesaurus import FILLER
from .said import Word, is_mark, lowered, written
from .table import Frames

__all__ = ["Holds", "KnownIn", "holds", "known_in", "restates", "without_asides", "without_talk"]

Holds = Callable[[str, bool], bool]
"""Whether a clause says anything of what is asked for, where it asks and where it does not."""
KnownIn = Callable[[str], frozenset[str]]
"""The words of a text that a model knows, or that say when or how many."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Za-z])")
_SIGH = re.compile(r"^(?:(?:h+m+|u+h*m*|oh+|ah+|ok|okay|well|alright)\b\s*[,.!…]+\s*)+(?=\w+\s+\w)", re.IGNORECASE)
_AVERSE = frozenset({"hate", "dislike", "detest"})
_ENDING = frozenset(",;:–—")
_SPEAKER = frozenset(
    "i i'd i'm i've i'll we we're we'd thanks thank sorry hello hi hey great awesome perfect cool that's that nice "
    "lovely amazing wow excellent wonderful fantastic brilliant interesting ok okay good".split()
)
_FEELING = frozenset(
    "like want need hate love would prefer just really so much very you your for that is great good nice helpful "
    "interesting perfect awesome amazing useful lot exactly know to am sorry about my mistake bad wrong".split()
)
_TIMES = frozenset(
    "year years month months week weeks day days quarter quarters hour hours weekend weekends today yesterday tomorrow "
    "spring summer autumn winter morning afternoon evening night january february march april june july august "
    "september october november december monday tuesday wednesday thursday friday saturday sunday".split()
)
_WANTING = frozenset("want wanted need needed looking after interested care only show see find".split())
_TO_DO = re.compile(
    r"^(?:\W|so\s|and\s)*(?:i|we)\s+(?:just\s+)?(?:want(?:ed)?|need(?:ed)?|have|had)\s+to\s+[a-z]+", re.IGNORECASE
)
_EXCEPTING = frozenset("not never no none without except excluding but unless nobody nothing".split())
_SHOWING = frozenset({"see", "show", "plot", "draw", "display", "compare"})
_RETURNED = re.compile(
    r"^(?:please\s+)?(?:return|report)\s+(?=(?:the|all|only|each|a|an|both|their|its)\b)", re.IGNORECASE
)


def without_asides(question: str, metadata: Metadata) -> str:
    """A question without the sentences in which who asks speaks of nothing that the model knows.

    A sentence of its own that begins with *return the …* says what to show, and nothing of returns.
    """
    asked = _SIGH.sub("", question.strip())
    sentences = _SENTENCE.split(asked)
    if len(sentences) == 1:
        return asked if asked != question.strip() else question
    kept = [sentence for sentence in sentences if not _is_aside(sentence, metadata)]
    shown = [_RETURNED.sub("show ", sentence) if place else sentence for place, sentence in enumerate(kept)]
    return " ".join(shown) if kept else asked


def _is_aside(sentence: str, metadata: Metadata) -> bool:
    tokens = tokenize(sentence)
    words = [token.lower for token in tokens]
    if not words or words[0] not in _SPEAKER or any(token.kind in ("number", "quoted", "date") for token in tokens):
        return False
    averse = bool(words[1:2]) and words[1] in _AVERSE  # what nobody wants is asked of by nobody
    if _SHOWING & set(words):
        return False  # "I want to see the spread"
    return not _speaks(tokens, metadata, averse=averse)


def holds(text: str, asks: bool, metadata: Metadata) -> bool:
    """Whether a clause holds anything of what a model knows: a name, a value, a number, a time or an operator.

    Where it asks, or says what is wanted, words that the model does not know are asked for too.
    """
    tokens = tokenize(text)
    if any(token.kind in ("number", "quoted", "date") for token in tokens):
        return True
    words = {token.lower for token in tokens}
    if asks or words & _WANTING and not _TO_DO.search(text):
        rows = {stem(part) for name in metadata.catalog.relations for part in name.split("_")}  # "the last order"
        return any(
            token.kind == "word" and (token.stem in rows or token.stem not in FILLER) and token.lower not in _FEELING
            for token in tokens
        )
    return bool(words & _EXCEPTING) or _speaks(tokens, metadata, averse=False)


def known_in(text: str, metadata: Metadata) -> frozenset[str]:
    """The stems of a text's words that a model or the language of questions knows, of numbers and of times."""
    tokens = tokenize(text)
    return frozenset(token.stem for place, token in enumerate(tokens) if _is_known(tokens, place, metadata))


def _is_known(tokens: Sequence[Token], place: int, metadata: Metadata) -> bool:
    token = tokens[place]
    if token.kind != "word":
        return token.kind != "punctuation"
    if token.lower in _EXCEPTING or token.lower in _TIMES or number_word(token.lower) is not None:
        return True
    if token.stem in FILLER or token.lower in _FEELING:
        return False
    return token.stem in metadata.vocabulary or bool(metadata.values.find(tokens, place))


def _speaks(tokens: Sequence[Token], metadata: Metadata, *, averse: bool) -> bool:
    known = load_lexicon().words
    for place, token in enumerate(tokens[1:], 1):
        if token.kind != "word" or token.lower in _FEELING or stem(token.lower) in FILLER:
            continue
        if token.lower in _TIMES or number_word(token.lower) is not None:
            return True
        spoken = not averse and (token.stem in metadata.vocabulary or token.lower in known)
        if spoken or metadata.values.find(tokens, place):
            return True
    return False


def without_talk(words: Sequence[Word], frames: Frames, says: Holds, known: KnownIn) -> list[Word]:
    """The words without clauses that say nothing of what is asked for: *Before I rely on this, …*, *how bad is it, I
    mean …*, *…, what's the number*.
    """
    clauses = _without_said_again(_clauses(words), frames, known)
    asking = [_asks(clause, frames) for clause in clauses]
    kept = [
        clause for place, clause in enumerate(clauses)
        if not (_is_talk(place, clauses, asking, frames) and not says(written(clause), asking[place]))
    ]  # fmt: skip
    return [word for clause in kept for word in clause] if kept else list(words)


def _without_said_again(clauses: list[list[Word]], frames: Frames, known: KnownIn) -> list[list[Word]]:
    """The clauses without a question that is asked again in other words, which hold all that the model knows of it:
    *how up to date is this, I mean when was the last order placed*.
    """
    asking = [_asks(clause, frames) for clause in clauses]
    for place, clause in enumerate(clauses):
        if not place or not any(asking[place:]) or frames.again.at(lowered(clause), 0) is None:
            continue
        before = next((at for at, asks in enumerate(asking[:place]) if asks), place)
        again = known(" ".join(map(written, clauses[place:])))
        if before < place and known(" ".join(map(written, clauses[before:place]))) <= again:
            return [*clauses[:before], *clauses[place:]]
    return clauses


def restates(words: Sequence[Word], frames: Frames) -> bool:
    """Whether a clause says again what one before it asks: *how far do they go, so what's the last one*."""
    clauses = _clauses(words)
    again = (clause for clause in clauses[1:] if frames.restating.at(lowered(clause), 0) and _asks(clause, frames))
    return any(_asks(clause, frames) for clause in clauses[:1]) and any(again)


def _clauses(words: Sequence[Word]) -> list[list[Word]]:
    """The words cut behind each mark that ends a clause."""
    clauses: list[list[Word]] = [[]]
    for word in words:
        clauses[-1].append(word)
        if word.text in _ENDING:
            clauses.append([])
    return [clause for clause in clauses if clause]


def _asks(clause: Sequence[Word], frames: Frames) -> bool:
    """Whether a clause asks: *so how many*, *do we know*."""
    lower = lowered(clause)
    opening = frames.restating.at(lower, 0)
    start = opening[0] if opening is not None else 0
    if frames.asks(clause[start:]) or frames.asked.at(lower, start) is not None:
        return True
    return start < len(lower) and lower[start] in frames.words["asking"]


def _is_talk(place: int, clauses: Sequence[Sequence[Word]], asking: Sequence[bool], frames: Frames) -> bool:
    """Whether a clause would be talk if it said nothing."""
    lower = [word.lower for word in clauses[place] if not is_mark(word)]
    if not lower or len(lower) == 1 and place:
        return False
    if asking[place]:
        restated = any(frames.restating.at(lowered(later), 0) for later in clauses[place + 1 :])
        again = any(asking[:place]) and not frames.words["pointing"].isdisjoint(lower)
        return restated or again
    purpose = any(asking[:place]) and frames.purpose.at(lower, 0) is not None
    opening = any(asking[place + 1 :]) and lower[0] in frames.words["telling"]
    return purpose or opening and not frames.words["persons"].isdisjoint(lower)
