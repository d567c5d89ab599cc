"""What a turn says over the answer before it: ``trade, not retail`` where retail is what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..forms import Form, Range, Truncated
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural
from ..words.leads import LEAD
from ..words.text import singular
from .conditions import conditions_of
from .expressing import paths_of
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


_KIND = r"(?P<{}>[a-z]+(?:\s+[a-z]+)?)"
_OF_FEW = re.compile(
    LEAD + rf"(?:(?:which|what)\s+{_KIND.format('bare')}"
    rf"|(?:which|what)\s+{_KIND.format('whose')}\s+(?:are|were)\s+(?:they|these|those)(?:\s+(?:from|in|at|with|of))?"
    rf"|(?:the\s+)?{_KIND.format('of')}\s+(?:of|for)\s+(?:each|every one|them)"
    r"(?:\s+(?:one|of (?:them|those|these)))?)\W*$",
    re.IGNORECASE,
)  # "which countries?", "what towns are they in", "the country of each" of the few that were shown
_NO_KIND = re.compile(
    r"\b(?:ones?|of|are|is|was|were|do|does|did|about|for|in|by|from|they|those|these|that|it|them|else|first|last|next)\b",
    re.IGNORECASE,
)


def heard_over(text: str, forms: Sequence[Earlier], metadata: Metadata) -> Heard:
    """What a turn says; ``one line per shop`` tells apart what was shown over time, and is of anything else a group."""
    heard = hear(_of_shown(text, forms, metadata) or _put_first(text, forms, metadata))
    if "series" not in heard.acts:
        return heard
    over_time = forms and any(isinstance(clause.expression, Truncated) for clause in forms[0].form.groups)
    acts = (act for act in heard.acts if act != "series")
    return replace(heard, acts=(*acts, "split") if over_time else tuple(acts))


def _of_shown(text: str, forms: Sequence[Earlier], metadata: Metadata) -> str:
    """What is asked of a few that were shown so that they stay, ``which towns?`` as ``add their town``; or nothing."""
    said = _OF_FEW.match(text) if forms else None
    kind = next((part for part in said.groups() if part), "") if said is not None else ""
    if said is None or _NO_KIND.search(kind):
        return ""
    form, word = forms[0].form, singular(kind.lower().split()[-1])
    if form.limit is not None and form.limit.count > 1 and form.groups and form.measures:
        return f"add their {kind}" if _describes(word, form, metadata) else ""
    few = bool(form.columns) and (form.limit is not None and form.limit.count > 1 or bool(form.where))
    return (
        f"which {kind} are they"
        if few and said["bare"] and is_plural(kind) and word not in _named(form, metadata)
        else ""
    )


def _describes(word: str, form: Form, metadata: Metadata) -> bool:
    """Whether a word is the last of what a column of texts is called, and of nothing that is shown already."""
    texts = (m for name in metadata.catalog.relations for m in metadata.relation(name).members.values())
    named = any(singular(m.name.split("_")[-1]) == word for m in texts if m.kind == "dimension" and m.type == "string")
    return named and word not in _named(form, metadata)


def _named(form: Form, metadata: Metadata) -> set[str]:
    """The nouns for what a form shows."""
    shown = [path.split(".", 1) for path in paths_of((form.groups, form.columns))]
    return {singular(words[-1]) for kin, name in shown for words in (metadata.words_of(kin), name.split("_"))}


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
