"""What we do is nobody who does it: *which month did we drive most* is of no drivers and when they were hired."""

from __future__ import annotations

from ..plans.plan import Plan
from ..schema.lexicon import Candidate
from ..walk.draft import Draft
from ..words.text import singular

__all__ = ["takes_verb_for_people"]

_DID = frozenset({"did", "do", "does", "have", "had", "has"})
_THEY = frozenset({"we", "they", "you", "i", "people"})
_SUBJECT = ("did", "we")


def takes_verb_for_people(plan: Plan, draft: Draft) -> bool:
    """Whether people are counted who are named by nothing but a verb of what somebody did."""
    meta, words = draft.metadata, [token.lower for token in draft.tokens]
    counted = {m.entity for m in map(meta.plain, plan.measures) if m.aggregate == "count"}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if item.start < len(_SUBJECT) or words[item.start - 2] not in _DID or words[item.start - 1] not in _THEY:
            continue
        if isinstance(said, Candidate) and said.relation in counted and meta.is_of_people(said.relation):
            own = {form for word in meta.words_of(said.relation) for form in (word, singular(word))}
            return own.isdisjoint(words[item.start : item.end])
    return False
