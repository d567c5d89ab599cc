"""Where words for rows part into all of them and what some are: *flights to Oslo* and *were cancelled*."""

from __future__ import annotations

from collections.abc import Iterator

from ..schema.metadata import Metadata
from ..schema.money import MONEY_NOUNS
from ..schema.nouns import plural
from ..words.text import Token, is_participle, tokenize

__all__ = ["both_ways", "rows_apart", "some_said"]

_WHO = frozenset({"that", "which", "who"})
_BEING = frozenset(
    "is are was were has have had gets get got will does do did still then also ever actually really isn't aren't "
    "wasn't weren't being".split()
)
_JOINING = frozenset("and or but not nor than by as".split())
_LINKS = frozenset(
    "at in on from to of for with by per each every all the a an and or but not this that last next between before "
    "after since until during over under than within through via into out about around s our its their".split()
)
_EMPTY = frozenset("is are was were be been being gets get got getting will to would still then also ever actually "
                   "really that which who do does did".split())  # fmt: skip
_ABOUT = frozenset("in at on from to for with by during when while whenever where if among under".split())
_SHORTEST = 4  # letters of a verb with its ending
_ADDED_UP = frozenset({*MONEY_NOUNS, "sales"})
_BOUNDS = frozenset("over under above below more less fewer at between exactly".split())
_GROUPING = frozenset("by per each every".split())
_WITH = frozenset("with having whose".split())
_SURE = 0.85  # how well a value fits that is meant
_FEW = 4  # words that may stand before rows as well as behind them


def rows_apart(body: str, metadata: Metadata) -> Iterator[tuple[str, str]]:
    """Ways to part what is said of rows, the likeliest first; each has the rows in the plural.

    A verb of the sentence parts better than a clause behind *that*, and that better than any other word.
    """
    tokens = tokenize(body)
    noun = next((at for at, t in enumerate(tokens) if metadata.kind_names.are_rows(t.lower)), None)
    if noun is None or tokens[noun].lower in _ADDED_UP:  # a share of the sales is one of what they came to
        return
    body, tokens = _in_plural(body, tokens, noun)
    words = [token.lower for token in tokens]
    clear = [*_verbs(tokens, noun, metadata), *_clauses(words, noun)]
    for at in dict.fromkeys(clear or _others(tokens, noun)):
        yield body[: tokens[at - 1].end], body[tokens[at].start :]
    if noun:  # "cancelled flights to Oslo"
        yield body[tokens[noun].start :], body[: tokens[noun - 1].end]
    elif not clear and len(words) > 1 and _GROUPING.isdisjoint(words):  # "flights to Oslo", and no "flights by month"
        yield body[: tokens[noun].end], body[tokens[noun + 1].start :]


def some_said(rows: str, so: str) -> Iterator[str]:
    """The words for those of some rows that are so."""
    words = so.split()
    first = next((at for at, w in enumerate(words) if w.lower() not in _EMPTY), 0)
    bare = " ".join((_of_several(words[first]), *words[first + 1 :]))
    joined = f" {rows} ".lower()
    link = "and" if any(f" {who} " in joined for who in _WHO) else "that"
    verb = words[0].lower()
    if verb in _WHO:
        yield f"{rows} {so}"
    elif verb in _BEING and verb not in ("will", "to", "still", "then", "also", "ever", "being", "actually", "really"):
        yield f"{rows} {link} {so}"
    else:
        yield f"{rows} {link} {bare}"
    if is_participle(bare.split()[0].lower() if bare else "") or verb in _BEING:
        yield f"{rows} {link} were {bare}"
    if link == "and":
        return
    yield f"{rows} {bare}"
    if len(bare.split()) <= _FEW:
        yield f"{bare} {rows}"


def _of_several(verb: str) -> str:
    """``arrives`` of one row as ``arrive`` of all."""
    if len(verb) < _SHORTEST or not verb.endswith("s") or verb.endswith(("ss", "us", "is")):
        return verb
    if verb.endswith(("oes", "shes", "ches", "xes", "sses")):
        return verb[:-2]
    return f"{verb[:-3]}y" if verb.endswith("ies") else verb[:-1]


def both_ways(so: str) -> Iterator[tuple[str, str]]:
    """What some are, and the words behind it that may say which rows it is looked for in: *late*, *when it rained*."""
    words = so.split()
    for at in range(1, len(words)):
        if words[at].lower() in _ABOUT:
            yield " ".join(words[:at]), " ".join(words[at:])


def _in_plural(body: str, tokens: list[Token], noun: int) -> tuple[str, list[Token]]:
    word = tokens[noun].text
    several = word if word.lower().endswith("s") else plural(word)
    body = f"{body[: tokens[noun].start]}{several}{body[tokens[noun].end :]}"
    return body, tokenize(body)


def _verbs(tokens: list[Token], noun: int, metadata: Metadata) -> Iterator[int]:
    words = [token.lower for token in tokens]
    for at in range(noun + 1, len(words)):
        verb = words[at] == "to" and _is_infinitive(tokens, at, metadata) or words[at] in _BEING
        if verb and words[at - 1] not in _WHO | _JOINING | _BEING:
            yield at


def _is_infinitive(tokens: list[Token], at: int, metadata: Metadata) -> bool:
    """Whether *to* stands before a verb: *to fail*, and not *to Oslo*."""
    behind = tokens[at + 1 : at + 2]
    if not behind or behind[0].kind != "word" or behind[0].lower in _LINKS:
        return False
    word = behind[0].lower  # "to Chicago" is to what is called Chicago Midway
    found = metadata.values.find(tokens, at + 1)
    return not any(match.quality >= _SURE or word in str(match.value).lower().split() for match in found)


def _clauses(words: list[str], noun: int) -> Iterator[int]:
    yield from (
        at for at in reversed(range(noun + 1, len(words))) if words[at] in _WHO and words[at - 1] not in _JOINING
    )


def _others(tokens: list[Token], noun: int) -> Iterator[int]:
    words = [token.lower for token in tokens]
    for at in range(noun + 1, len(tokens)):
        bounds = words[at] in _BOUNDS
        held = [place for place in range(noun + 1, at) if words[place] in _WITH] if bounds else []
        if held:  # "visits with a wait over 30 minutes"
            yield held[-1]
        links = at > noun + 1 and words[at - 1] in _LINKS
        if not links and (tokens[at].kind == "word" and words[at] not in _LINKS or words[at] in ("over", "under")):
            yield at
