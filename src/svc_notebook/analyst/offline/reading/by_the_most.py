"""*Which destination is served by the most airlines*: the one that has most of them, where the model knows both."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import stem

__all__ = ["by_the_most"]

_SERVED = said_so(
    r"^(?P<which>\W*(?:which|what)(?: \d+)? (?P<what>[a-z]+(?: [a-z]+)?)) (?:is|are|was|were) "
    r"(?:\w+ed|flown|driven|taken|chosen|known|seen|sold|bought|taught|run|read|worn|won|held|used) "
    r"by (?:the )?(?P<most>most|fewest) (?P<some>[a-z]+s)(?P<rest>\b.*)$"
)


def by_the_most(question: str, metadata: Metadata) -> str:
    """A question for what most of some do something with, as one for what has most of them.

    Of anything else the words that are left would ask something of the turn before.
    """
    said, called = _SERVED.match(question), metadata.kind_names.called
    if said is None or not all(tuple(map(stem, said[noun].lower().split())) in called for noun in ("what", "some")):
        return question
    return f"{said['which']} has the {said['most']} {said['some']}{said['rest']}"
