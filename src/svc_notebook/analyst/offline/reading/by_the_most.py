"""*Which destination is served by the most airlines*, *the most common maker of planes that fly to Oslo*: what has the
most of some, where the model knows both.
"""

from __future__ import annotations

from ..schema.member_kinds import is_column
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import stem

__all__ = ["by_the_most"]

_SERVED = said_so(
    r"^(?P<which>\W*(?:which|what)(?: \d+)? (?P<what>[a-z]+(?: [a-z]+)?)) (?:is|are|was|were) "
    r"(?:\w+ed|flown|driven|taken|chosen|known|seen|sold|bought|taught|run|read|worn|won|held|used) "
    r"by (?:the )?(?P<most>most|fewest) (?P<some>[a-z]+s)(?P<rest>\b.*)$"
)
_COMMON = said_so(
    r"^\W*(?:(?:what(?:['’]s| is| was)|which(?: is| was)?) )?(?:the )?(?P<most>most|least) (?:common|frequent|popular) "
    r"(?P<what>[a-z]+(?: [a-z]+)?) (?:of|among|for) (?:the |all )?(?P<some>[a-z]+s)(?P<rest>(?: .+)?)$"
)
_MOVING = said_so(
    r"^(?P<head>\W*(?:which|what) [a-z]+(?: [a-z]+)? ha[sd] the (?:most|fewest) (?P<some>[a-z]+s)) "
    r"(?:that|which) (?:can )?(?:fly|flew|flies|go|goes|went|run|runs|ran|drive|drove|sail|sailed|travel|travelled) "
    r"(?P<rest>(?:to|from|in|at|on|between|via|through) .+)$"
)


def by_the_most(question: str, metadata: Metadata) -> str:
    """A question for what most of some do something with, as one for what has most of them.

    Of anything else the words that are left would ask something of the turn before.
    """
    common = _COMMON.match(question)
    if common is not None and is_column(common["some"], metadata) and is_column(common["what"], metadata):
        most = "most" if common["most"].lower() == "most" else "fewest"
        question = f"which {common['what']} has the {most} {common['some']}{common['rest']}"
    moving = _MOVING.match(question)
    if moving is not None and is_column(moving["some"], metadata):
        return f"{moving['head']} {moving['rest']}"
    said, called = _SERVED.match(question), metadata.kind_names.called
    if said is None or not all(tuple(map(stem, said[noun].lower().split())) in called for noun in ("what", "some")):
        return question
    return f"{said['which']} has the {said['most']} {said['some']}{said['rest']}"
