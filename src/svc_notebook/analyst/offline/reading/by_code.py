"""The one row of a code: *look up report CR25-00534*, *result and inspector for 25-44818*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..plans.plan import Condition, Plan
from ..schema.lexicon import find_spans
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..words.text import Token, singular
from ..words.thesaurus import FILLER_WORDS
from .theirs import named

__all__ = ["row_of_code"]

_FRAME = frozenset("look up pull bring details detail record entry row number no nr code ref reference id".split())
_NO_FRAME = frozenset("how when where who whose why many much not than before after since between or".split())
_JOINTS = frozenset({",", "and", "&"})
_ENDS = frozenset({"?", ".", "!", ":"})
_SURE = 0.95


def row_of_code(tokens: Sequence[Token], metadata: Metadata) -> Plan | None:
    """The plan that shows of the row whose code is said what is named beside it, or all there is; else None."""
    codes = [(at, match) for at in range(len(tokens)) if (match := _code(tokens, at, metadata)) is not None]
    if len(codes) != 1:
        return None
    at, code = codes[0]
    owner = code.member.split(".", 1)[0]
    asked = list(_asked([*tokens[:at], *tokens[code.end :]], owner, metadata))
    known = [_column(words, owner, metadata) for words in asked]
    if None in known:
        return None
    columns = tuple(dict.fromkeys(path for path in known if path is not None)) or _all(owner, metadata)
    scope = metadata.scope(dict.fromkeys([owner, *(path.split(".", 1)[0] for path in columns)]), (owner,))
    if scope is None:
        return None
    rule = Condition(code.member, "in", (code.value,))
    return Plan(scope=scope, shape="rows", columns=columns, conditions=(rule,), confidence=_SURE)


def _code(tokens: Sequence[Token], at: int, metadata: Metadata) -> ValueMatch | None:
    """The value at a place that tells one row from all others."""
    if not any(letter.isdigit() for letter in tokens[at].text):
        return None
    found = metadata.values.find(tokens, at) if tokens[at].kind == "word" else []
    whole = [m for m in found if "".join(t.lower for t in tokens[at : m.end]) == str(m.value).lower()]
    keys = [match for match in whole if metadata.profile(match.member).unique]
    return keys[0] if len(keys) == 1 else None


def _asked(rest: Sequence[Token], owner: str, metadata: Metadata) -> Iterator[tuple[Token, ...]]:
    """The stretches of words beside a code that name what is asked for."""
    rows = {singular(word) for word in metadata.words_of(owner)}
    keys = {part for path in metadata.keys_of(owner) for part in metadata.parts(path)}
    columns = {part for member in metadata.relation(owner).members.values() for part in metadata.parts(member.path)}
    stretch: list[Token] = []
    for token in rest:
        called = {token.lower, singular(token.lower)} & columns
        frame = token.lower in FILLER_WORDS | _FRAME and not called and token.lower not in _NO_FRAME
        if token.lower in _JOINTS | _ENDS or frame or singular(token.lower) in rows or token.lower in keys:
            if stretch:
                yield tuple(stretch)
            stretch = []
        else:
            stretch.append(token)
    if stretch:
        yield tuple(stretch)


def _column(words: Sequence[Token], owner: str, metadata: Metadata) -> str | None:
    """The one column that words name, of the row itself rather than of what it points at."""
    paths = named(" ".join(token.text for token in words), metadata)
    near = metadata.edges.get(owner, ())
    if paths:  # of two that it points at none is nearer
        own = [path for path in paths if path.split(".", 1)[0] == owner]
        beside = [path for path in paths if path.split(".", 1)[0] in near]
        return own[0] if own else beside[0] if len(beside) == 1 else None
    spans = [span for span in find_spans(words, metadata) if (span.start, span.end) == (0, len(words))]
    partly = {c.member for span in spans for c in span.candidates if c.relation == owner and c.member is not None}
    shown = [path for path in partly if path in metadata.members and not metadata.is_measure(path)]
    return shown[0] if len(shown) == 1 else None


def _all(owner: str, metadata: Metadata) -> tuple[str, ...]:
    members = metadata.relation(owner).members.values()
    return tuple(m.path for m in members if m.kind == "dimension" and not m.masked and m.path in metadata.members)
