"""What a question points at that was named before it: *we get many complaints. How many of them are open*."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.shares_said import SHARE_OR_PART
from ..words.text import singular, tokenize
from .talk import known_in

__all__ = ["with_what_was_named"]

_BEFORE = r"^(?P<before>[^?]+?)\s*[.,;:–—] (?:(?:so|and|but|now) )?(?P<frame>(?:[^.,;:?]*? )??)"
_OF_THEM = said_so(
    rf"{_BEFORE}(?P<ask>how many|which(?: ones)?|what {SHARE_OR_PART}|how (?:big|large) a "
    rf"{SHARE_OR_PART}) of (?:them|those|these|all those)\b(?P<rest>.*)$"
)
_WERE_THERE = said_so(
    rf"{_BEFORE}(?P<ask>how many)(?P<rest> (?:are|were|have|did|do) (?:there|we|they)\b(?! (?:of|sell|sold|make|made))"
    r"(?: had| have| been| get| got)?(?! \w+ed\b).*)$"
)
_MOST = said_so(
    rf"{_BEFORE}(?P<ask>(?:who|which [a-z]+(?: [a-z]+)?) (?:has|have|had|did|does|gets|got) the (?:most|least|fewest))"
    r"(?P<rest>\W*)$"
)
_EACH = said_so(rf"{_BEFORE}(?P<ask>.*?)\b(?:each|every one) of them\b(?P<rest>.*)$")
_ANY = said_so(r"\b(?:not|no|never|without|except|other than|n['’]t)\b")


def with_what_was_named(text: str, metadata: Metadata) -> str:
    """A question with what it points at in its place, where the words before it hold nothing else of a model."""
    for pattern, put in ((_OF_THEM, _of), (_WERE_THERE, _of), (_MOST, _most), (_EACH, _each)):
        said = pattern.match(text)
        if said is None:
            continue
        named = _named(said["before"], metadata, many=pattern is not _MOST)
        held = known_in(said["before"], metadata)
        if named and not _ANY.search(said["before"]) and held <= known_in(named, metadata):
            return f"{said['frame']}{put(said['ask'], named)}{said['rest']}"
    return text


def _of(ask: str, named: str) -> str:
    of = " of" if ask.lower().split()[-1] not in ("many", "which", "ones") else ""
    return f"{ask.removesuffix(' ones')}{of} {named}"


def _most(ask: str, named: str) -> str:
    return f"{ask} {named}"


def _each(ask: str, named: str) -> str:
    *rest, noun = named.split()
    return " ".join([ask.rstrip(), "each", *rest, singular(noun)])


def _named(before: str, metadata: Metadata, *, many: bool) -> str:
    """The last words side by side that a model knows, in the plural where there are to be ``many``."""
    tokens = tokenize(before)
    held = [token.stem in metadata.vocabulary or bool(metadata.values.find([token], 0)) for token in tokens]
    for end in range(len(tokens), 0, -1):
        last = tokens[end - 1].lower
        if tokens[end - 1].kind != "word" or not held[end - 1] or many and singular(last) == last:
            continue
        start = end - 1
        while start and tokens[start - 1].kind == "word" and held[start - 1]:
            start -= 1
        return " ".join(token.text for token in tokens[start:end])
    return ""
