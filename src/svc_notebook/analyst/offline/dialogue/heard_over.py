"""What a turn says over the answer before it: ``trade, not retail`` where retail is what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..forms import Range, Truncated
from ..schema.metadata import Metadata
from .conditions import conditions_of
from .hearing import Heard, hear
from .returning import says
from .thread import Earlier

__all__ = ["heard_over"]

_NOT_THAT = re.compile(
    r"^\W*(?P<new>\S.*?)(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bdo)(?<!\bdoes)(?<!\bdid)(?<!\bor)(?<!\bbut)"
    r"(?<!\bwhy)(?<!\bif)(?<!\bhas)(?<!\bhave)(?<!\bwho)(?<!\bthat)[\s,;–-]+(?:and\s+)?not\s+(?:(?:the|by|per|for|in|from)\s+)*"
    r"(?P<gone>(?!(?:just|only|all|any|average|mean|median|total|sum|maximum|minimum|counts?)\b)\S+(?:\s+\S+){0,3}?)\W*$",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"^(?:the\s+)?(?:this|last|next|current|previous|past)\s+(?:year|quarter|month|week|day)s?\W*$", re.IGNORECASE
)


def heard_over(text: str, forms: Sequence[Earlier], metadata: Metadata) -> Heard:
    """What a turn says; ``one line per shop`` tells apart what was shown over time, and is of anything else a group."""
    heard = hear(_put_first(text, forms, metadata))
    if "series" not in heard.acts:
        return heard
    over_time = forms and any(isinstance(clause.expression, Truncated) for clause in forms[0].form.groups)
    acts = (act for act in heard.acts if act != "series")
    return replace(heard, acts=(*acts, "split") if over_time else tuple(acts))


def _put_first(text: str, forms: Sequence[Earlier], metadata: Metadata) -> str:
    """The turn with what it denies at its front, where that is what was shown and something takes its place."""
    said = _NOT_THAT.match(text) if forms else None
    if said is None:
        return text
    form = forms[0].form
    period = _PERIOD.match(said["gone"]) and any(isinstance(one, Range) for one in conditions_of(form))
    if period or says(form, said["gone"], metadata.catalog):
        return f"not {said['gone']}, {said['new']}"
    return text
