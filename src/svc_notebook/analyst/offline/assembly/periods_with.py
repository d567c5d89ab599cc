"""Spans of time in which there was something: *on which days did it rain*, *how many months had returns*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..plans.plan import Condition, Dimension, Having, Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..walk.draft import Draft
from ..words.cues import Cue
from ..words.text import singular

__all__ = ["periods_with"]

_SPANS = frozenset({"day", "week", "month", "quarter", "year"})
_BEING = frozenset("did do does was were are is had have has with without when there".split())
_LASTING = frozenset(
    "take takes took taken last lasts lasted stay stayed spend spent need needed work worked old ago left until since "
    "between pass passed remain remaining long".split()
)  # how many days something takes is how long it is
_DENYING = frozenset({"no", "without", "not", "never", "none", "didn't", "wasn't", "weren't"})
_MORE = frozenset({"top", "order", "agg", "group", "calc", "series", "average", "spread", "trend"})


def periods_with(draft: Draft, conditions: Sequence[tuple[str, Condition, int]]) -> Plan | None:
    """The days (weeks, …) on which there was some of what is named, told one by one, so that they are counted too."""
    place = _asked(draft)
    denied = {token.lower for token in draft.tokens} & _DENYING
    if place is None or any(item.cue is not None and _says_more(item.cue) for item in draft.items):
        return None
    grain = draft.items[place].grain
    # "no" also made a condition of nought: it is the denial itself, said of the days.
    conditions = [
        entry for entry in conditions if not (denied and entry[1].operator == "=" and entry[1].values == (0,))
    ]
    met = _met(draft, place, conditions)
    if grain is None or met is None or any(joiner == "or" for joiner, _, _ in conditions):
        return None
    # A number that is nought or not has its own denial; rows that are not so on any day are found by their flag
    # turned.
    if denied and met.member is None:
        if not conditions:
            draft.unmet.append(denied.pop())  # of days without any rows there are none to tell
        flags = tuple(replace(c, operator="true") for _, c, _ in conditions if c.operator == "false")
        if len(flags) != 1:
            return None
        met = replace(met, conditions=flags)
        conditions = [entry for entry in conditions if entry[1].operator != "false"]
    relation = met.entity or (met.member or "").split(".", 1)[0]
    times = draft.metadata.times([relation])
    scope = draft.metadata.scope([relation, *(c.member.split(".", 1)[0] for _, c, _ in conditions if c.member)])
    if not times or scope is None:
        return None
    return Plan(
        scope=scope,
        measures=(met,),
        dimensions=(Dimension(times[0], grain.unit),),
        conditions=tuple(Condition(times[0], *_rest(c)) if not c.member else c for _, c, _ in conditions),
        having=(Having(0, "=" if denied else ">", (0.0,)),),
        hidden=(0,),
        unread=tuple(dict.fromkeys(draft.unread)),
    )


def _says_more(cue: Cue) -> bool:
    """Whether more is asked for than that there was some, or none."""
    return cue.kind in _MORE or cue.kind == "compare" and cue.value != "null"


def _rest(condition: Condition) -> tuple[str, tuple[object, ...], str | None, str]:
    return condition.operator, condition.values, condition.part, condition.words


def _asked(draft: Draft) -> int | None:
    """Where the spans of time are that are asked for: ``how many rainy days``, ``on which days did …``."""
    words = [token.lower for token in draft.tokens]
    if _LASTING & set(words):
        return None
    for place, item in enumerate(draft.items):
        if item.grain is None or item.grain.unit not in _SPANS:
            continue
        word = words[item.start]
        head = next((p for p in range(place - 1, max(-1, place - 3), -1) if _asks(draft, p)), None)
        # In the singular ("which day") one is asked for, and how many of something.
        if head is None or singular(word) == word or head > 1:
            return None
        behind = words[item.end] if item.end < len(words) else ""
        described = place - head > 1 and behind in ("", "?", "were", "are", "did", "in", "last", "this")
        return place if described or place - head == 1 and behind in _BEING else None
    return None


def _asks(draft: Draft, place: int) -> bool:
    item = draft.items[place]
    return item.is_cue("ask", "which") or item.is_cue("count") and item.text.lower() == "how many"


def _met(draft: Draft, place: int, conditions: Sequence[tuple[str, Condition, int]]) -> Measure | None:
    """What there was some of: a number of rows that is nought else, or rows."""
    meta, rows, numbers = draft.metadata, set[str](), list[Measure]()
    stated = {at for _, _, at in conditions}
    for at in range(len(draft.items)):
        named = draft.resolution.choice.get(at)
        if at == place or at in stated or not isinstance(named, Candidate):
            continue
        if named.member is None:
            rows.add(named.relation)
            continue
        if meta.is_time(named.member):
            continue
        found = _some(named.member, meta)
        if found is None:
            # Something else that is measured is asked of the days: it is no question of whether.
            return None
        numbers.append(found)
    if len(numbers) > 1:
        return None
    if numbers:
        return numbers[0]
    rows |= {c.member.split(".", 1)[0] for _, c, _ in conditions if c.member}
    facts = [name for name in rows if meta.times([name])]
    return Measure(None, "count", entity=facts[0]) if len(facts) == 1 and (conditions or rows) else None


def _some(path: str, meta: Metadata) -> Measure | None:
    """A number of which there may be none: its sum, or a count of the model's own."""
    known = meta.member(path)
    if meta.is_measure(path):
        return Measure(path, "measure") if known.agg_type in ("count", "sum") else None
    if not meta.is_number(path) or meta.is_key(path) or meta.is_year(path) or {"day", "days"} & set(meta.parts(path)):
        return None
    # A number that starts at nought can be none of it; any other is a size that is always there.
    return Measure(path, "sum") if as_number(meta.profile(path).low) == 0 else None
