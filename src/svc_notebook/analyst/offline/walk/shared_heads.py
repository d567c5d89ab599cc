"""``start and end district``: what two names end in, said once, stands behind both."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.lexicon import find_spans
from ..schema.metadata import Metadata
from ..words.text import Token, stem

__all__ = ["with_heads"]


def with_heads(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with the head of two names behind the first of them, too."""
    whole: list[Token] = []
    for place, token in enumerate(tokens):
        whole.append(token)
        link, second, head = (tokens[at] if at < len(tokens) else None for at in range(place + 1, place + 4))
        if link is None or second is None or head is None or link.lower not in ("and", "or"):
            continue
        known = all(one.stem in metadata.vocabulary for one in (token, second, head))
        if known and all(_is_name([one, head], metadata) for one in (token, second)):
            whole.append(head)
    return whole


def _is_name(pair: Sequence[Token], metadata: Metadata) -> bool:
    """Whether two words are the whole name of a member, and none of its rows, or of how it is put together."""
    said = [token.stem for token in pair]
    return any(
        one.full and one.member is not None and metadata.member(one.member).kind == "dimension"
        and [stem(part) for part in metadata.parts(one.member)] == said
        for span in find_spans(pair, metadata) if span.size == len(pair) for one in span.candidates
    )  # fmt: skip
