"""Sentences beside a question that ask for nothing: *I hate waiting. Which day …*, *… ? I'd like evidence.*"""

from __future__ import annotations

from .... import patterns as re
from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from ..words.text import stem, tokenize
from ..words.thesaurus import FILLER

__all__ = ["without_asides"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Za-z])")
_SIGH = re.compile(r"^(?:(?:h+m+|u+h*m*|oh+|ah+|ok|okay|well|alright)\b\s*[,.!…]+\s*)+(?=\w+\s+\w)", re.IGNORECASE)
_AVERSE = frozenset({"hate", "dislike", "detest"})
_SPEAKER = frozenset(
    "i i'd i'm i've i'll we we're we'd thanks thank sorry hello hi hey great awesome perfect cool that's that nice "
    "lovely amazing wow excellent wonderful fantastic brilliant interesting ok okay good".split()
)
_FEELING = frozenset(
    "like want need hate love would prefer just really so much very you your for that is great good nice helpful "
    "interesting perfect awesome amazing useful lot exactly know to am sorry about my mistake bad wrong".split()
)
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
    averse = words[1:2] and words[1] in _AVERSE  # what nobody wants is asked of by nobody
    if _SHOWING & set(words):
        return False  # "I want to see the spread"
    known = load_lexicon().words
    for place, token in enumerate(tokens[1:], 1):
        if token.kind != "word" or token.lower in _FEELING or stem(token.lower) in FILLER:
            continue
        spoken = not averse and (token.stem in metadata.vocabulary or token.lower in known)
        if spoken or metadata.values.find(tokens, place):
            return False
    return True
