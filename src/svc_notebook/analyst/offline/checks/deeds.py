"""What was done, and when: a deed that was said is a condition, and a period is of the time that the deed names."""

from __future__ import annotations

from collections.abc import Iterator

from .... import patterns as re
from ..plans.plan import Plan
from ..plans.walking import conditions_of, measures_of
from ..schema.deeds import PARTICIPLES
from ..schema.lexicon import Candidate
from ..schema.member_kinds import is_of_days
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..words.families import root
from ..words.text import is_participle, stem

__all__ = ["is_of_another_time"]

_HOURS = frozenset({"hour", "hour_of_day", "day_part", "part_of_day"})
_BEFORE = frozenset({"before", "after"})
_DOING = frozenset({"have", "has", "had", "was", "were", "are", "is", "been", "we", "they", "you", "i", "did", "got"})
_DID = re.compile(r"\bdid (?:we|they|i|you|he|she) do\b|\b(?:has|have|was|were|got) (?:\w+ ){0,3}done\b")
_STATES = frozenset("done completed finished cancelled canceled paid returned won lost failed passed attended".split())
_DONE = ("done", "completed", "finished", "attended", "held")


def is_of_another_time(plan: Plan, draft: Draft) -> bool:
    """Whether a plan leaves out what was done, or tests another time than when it was."""
    return (
        _deed_lost(plan, draft)
        or _other_deeds_time(plan, draft)
        or _others_time(plan, draft)
        or _hours_of_days(plan, draft)
        or _span_before_lost(draft)
        or _done_lost(plan, draft)
        or _state_lost(plan, draft)
    )


def _deed_lost(plan: Plan, draft: Draft) -> bool:
    """``how many animals have we sold``: those with a time of sale, where not all have one, and not all of them."""
    if plan.shape == "exists" or plan.parts or plan.nested is not None or plan.claim or plan.exists:
        return False
    meta, used = draft.metadata, _used(plan, draft.metadata)
    for place, word in _deeds(draft):
        before = [token.lower for token in draft.tokens[max(0, place - 2) : place]]
        times = _times_of(word, plan.scope[0], meta)
        said = bool(_DOING & set(before)) and "not" not in before
        # Where every row has the time, the deed restricts nothing.
        if said and times and all(meta.profile(path).missing for path in times) and not used & set(times):
            return not any(_root_in(path, word, meta) for path in used) and not _is_value(plan, word)
    return False


def _other_deeds_time(plan: Plan, draft: Draft) -> bool:
    """``orders shipped in 2024``: by when they were shipped, where that is known, and not by when they were ordered."""
    meta = draft.metadata
    for place, word in _deeds(draft):
        behind = [item for item in draft.items if item.kind == "period" and place < item.start <= place + 3]
        # Behind "and" stands another deed, whose period it is.
        if not behind or draft.tokens[place + 1 : place + 2] and draft.tokens[place + 1].lower == "and":
            continue
        times = set(_times_of(word, plan.scope[0], meta))
        tested = {c.member for c in conditions_of(plan) if c.operator.endswith("period") or c.part}
        if times and tested and not tested & times:
            return True
    return False


def _others_time(plan: Plan, draft: Draft) -> bool:
    """``branches opened before 2000``: when the branches were, and not the accounts, where both have such a time."""
    meta = draft.metadata
    named = [c for c in draft.resolution.choice.values() if isinstance(c, Candidate)]
    subject = next((c.relation for c in named if c.member is None and c.full), None)
    # A column of the same relation named in full is what the period is of.
    if subject is None or subject in {c.relation for c in named if c.member is not None and c.full}:
        return False
    tested = {c.member for c in conditions_of(plan) if c.operator.endswith("period")}
    for place, word in _deeds(draft):
        others = {path for path in tested if path.split(".", 1)[0] != subject and _root_in(path, word, meta)}
        own = [path for path in meta.members if path.startswith(f"{subject}.") and _root_in(path, word, meta)]
        beside = place and draft.tokens[place - 1].lower in (*_DOING, *meta.words_of(subject))
        if others and beside and any(meta.is_time(path) or meta.is_year(path) for path in own):
            return True
    return False


def _hours_of_days(plan: Plan, draft: Draft) -> bool:
    """``evening`` over days without an hour: each of them would be at midnight."""
    meta = draft.metadata
    parted = {c.member for c in conditions_of(plan) if c.part in _HOURS}
    parted |= {d.member for d in plan.dimensions if d.grain in _HOURS}
    return any(path in meta.members and is_of_days(meta, path) for path in parted)


def _span_before_lost(draft: Draft) -> bool:
    """``in the week before Christmas``: a week, and not all that was before."""
    for one, two in zip(draft.items, draft.items[1:], strict=False):
        ahead = [token.lower for token in draft.tokens[max(0, one.start - 1) : one.start]]
        if one.kind == "grain" and two.kind == "period" and ahead == ["the"]:
            return two.text.lower().split()[0] in _BEFORE
    return False


def _done_lost(plan: Plan, draft: Draft) -> bool:
    """``how many visits did we do``: those that were done, where a state says of each whether it was."""
    if _DID.search(" ".join(token.lower for token in draft.tokens)) is None:
        return False
    known = [m for word in _DONE for m, _, _ in draft.metadata.values.whole.get((stem(word),), ())]
    own = {path for path in known if path.split(".", 1)[0] == plan.scope[0]}
    return bool(own) and not any(c.member in own for c in conditions_of(plan))


def _state_lost(plan: Plan, draft: Draft) -> bool:
    """``patients without a completed appointment``: where a value says that of rows which take part, it is tested."""
    meta = draft.metadata
    near = {*plan.scope, *(e.relation for e in plan.exists), *(e.relation for m in plan.measures for e in m.exists)}
    # Shown it is of all of them, whatever it says of each.
    used = _used(plan.with_(columns=()), meta)
    for _, word in _deeds(draft):
        alike = _DONE if word in _DONE else (word,)
        known = {
            m for one in alike for m, _, _ in meta.values.whole.get((stem(one),), ()) if m.split(".", 1)[0] in near
        }
        if known and word in _STATES and not known & used and not any(_root_in(path, word, meta) for path in used):
            return not _is_value(plan, word)
    return False


def _deeds(draft: Draft) -> Iterator[tuple[int, str]]:
    """Words that say what was done, with their places."""
    for place, token in enumerate(draft.tokens):
        if token.kind == "word" and (is_participle(token.lower) or token.lower in PARTICIPLES):
            yield place, token.lower


def _times_of(word: str, relation: str, meta: Metadata) -> list[str]:
    """The times of a relation that are called after a deed."""
    return [
        path for path in meta.members if path.startswith(f"{relation}.") and meta.is_time(path)
        and meta.members[path].kind == "dimension" and _root_in(path, word, meta)
    ]  # fmt: skip


def _root_in(path: str, word: str, meta: Metadata) -> bool:
    return path in meta.members and root(word) in {root(part) for part in meta.parts(path)}


def _is_value(plan: Plan, word: str) -> bool:
    """Whether a condition holds the deed as a value (``status is shipped``)."""
    return any(root(str(value).lower()) == root(word) for c in conditions_of(plan) for value in c.values)


def _used(plan: Plan, meta: Metadata) -> set[str]:
    used = {path for c in conditions_of(plan) for path in (c.member, c.other) if path}
    used |= {d.member for d in plan.dimensions} | set(plan.columns) | {o.member for o in plan.order if o.member}
    return used | {path for m in measures_of(plan) for path in (m.member, m.other, meta.plain(m).member) if path}
