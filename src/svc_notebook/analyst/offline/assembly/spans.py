"""How long something takes: the time between two dates, named both or only by what ends it."""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Aggregate, Measure
from ..schema.lasting import usual_unit
from ..schema.metadata import Metadata
from ..words.families import root
from ..words.text import stem
from .assembly import Assembly

__all__ = ["spans"]


_UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
_LASTING = frozenset("duration elapsed long time difference gap".split())
_ENDING: dict[str, tuple[str, ...]] = {
    "settle": ("close", "settle", "resolve", "pay"),
    "resolve": ("close", "resolve", "complete"),
    "close": ("close",),
    "finish": ("end", "finish", "complete"),
    "complete": ("complete", "end", "finish", "close"),
    "deliver": ("deliver", "arrive"),
    "delivery": ("deliver", "arrive"),
    "ship": ("ship", "dispatch"),
    "shipping": ("ship", "dispatch"),
    "pay": ("pay", "payment"),
    "payment": ("pay", "payment"),
    "repair": ("repair", "finish", "complete"),
}
_PLANNED = frozenset({"due", "planned", "scheduled", "expected", "estimated", "next", "birth", "updated"})
_OPENING = "open start create begin order place issue dispatch request receive submit report book admit hire".split()


def spans(state: Assembly) -> None:
    """``days between order and delivery``, ``time from hiring to leaving``, ``average time to settle a claim``."""
    _edge_dates(state)
    words = [token.lower for token in state.draft.tokens]
    lasting = _names_lasting(state, words)
    # A measure that was said is what is asked for, and the time is some condition of it.
    if state.measures and not lasting and not all(m.aggregate in ("count", "count_values") for m in state.measures):
        return
    unit = next((u for u in _UNITS for word in words if word in (u, u + "s")), None)
    if unit is None and not _LASTING & set(words):
        return
    named = list(dict.fromkeys(m.member for m in state.draft.mentions if state.meta.is_time(m.member)))
    # Two dates make a span where words join them: `ordered in March and delivered` names both as well.
    joined = "between" in words or "from" in words and "to" in words
    pair = (named[0], named[1]) if len(named) == 2 and joined else _taken(state, words) if len(named) < 2 else None
    pair = pair or _takes_to(state, words)
    if pair is None:
        return
    fold = _folded(state)
    state.measures = [Measure(pair[0], "span", other=pair[1], unit=unit or _usual(state.meta, *pair), fold=fold)]
    # The word `time` was read as a time of the rows: here it is the span itself.
    clock = {i for i, item in enumerate(state.draft.items) if item.text.lower() == "time"}
    state.draft.mentions = [m for m in state.draft.mentions if m.member not in pair and m.place not in clock]
    state.conditions = [entry for entry in state.conditions if entry[2] not in clock]
    state.draft.dimensions = [d for d in state.draft.dimensions if d.member not in pair]
    # A date that is grouped by on purpose stays.
    state.dimensions = [d for d in state.dimensions if d.member not in pair or d.member in state.draft.each]
    state.draft.measures, state.draft.counting = list(state.measures), None
    state.draft.grains = [g for g in state.draft.grains if g[0] != unit or g[2]]
    state.draft.calculations = [c for c in state.draft.calculations if c not in ("gap", "difference")]
    # What it takes is said by these verbs: none of them restricts anything.
    ending = {stem(word) for word in _ENDING}
    ending |= {stem("long")} if lasting else set()
    state.unread = [word for word in state.unread if stem(word.lower()) not in ending]


def _edge_dates(state: Assembly) -> None:
    """``last visit date per patient``: the latest or earliest of the dates of a group."""
    draft = state.draft
    if state.measures or not (draft.each or draft.grouped_entities or state.dimensions):
        return
    for mention in draft.mentions:
        if not state.meta.is_time(mention.member) or mention.role:
            continue
        start = draft.items[mention.place].start
        before = {token.lower for token in draft.tokens[max(0, start - 2) : start + 1]}
        last, first = before & {"last", "latest", "recent", "newest"}, before & {"first", "earliest", "oldest"}
        if last or first:
            state.measures = [Measure(mention.member, "max" if last else "min")]
            draft.measures, draft.top = list(state.measures), None
            draft.mentions = [m for m in draft.mentions if m.member != mention.member]
            return


def _names_lasting(state: Assembly, words: list[str]) -> bool:
    """``delivery time``, ``time to settle``: the words name a time that something takes."""
    pairs = set(pairwise(words))
    told = any((verb, "time") in pairs or {("time", "to"), ("to", verb)} <= pairs for verb in _ENDING)
    return told or _takes_to(state, words) is not None


def _takes_to(state: Assembly, words: list[str]) -> tuple[str, str] | None:
    """``how long does it take to repair a gearbox``: until the time that the verb behind *to* is of."""
    if words[:2] != ["how", "long"] or not {"take", "takes", "took"} & set(words):
        return None
    verbs = {root(after) for word, after in pairwise(words) if word == "to"}
    for relation in state.scope:
        # A plan or a birth is no beginning of anything that was done.
        times = [t for t in state.meta.times([relation]) if t in state.meta.members]
        last = [t for t in times if verbs & {root(part) for part in state.meta.parts(t)}]
        first = [t for t in times if t not in last and not _PLANNED & set(state.meta.parts(t))]
        starts = [t for t in first if {stem(p) for p in state.meta.parts(t)} & {stem(w) for w in _OPENING}] or first
        # With two beginnings, or two ends, it is not known which is meant.
        if len(last) == len(starts) == 1:
            return starts[0], last[0]
    return None


def _folded(state: Assembly) -> Aggregate:
    """Which of the times of several rows is told: their average unless another is said."""
    said = next((item.cue.value for item in state.draft.items if item.is_cue("agg") and item.cue), None)
    if said in ("min", "max", "sum", "median", "avg"):
        return said  # type: ignore[return-value]  # one of the aggregates just named
    return "avg"


def _taken(state: Assembly, words: list[str]) -> tuple[str, str] | None:
    """The two dates of ``time to settle a claim``: when it was opened, and when what the verb says came."""
    if not ({"time", "long"} & set(words)):
        return None
    verbs = [ends for word in words for verb, ends in _ENDING.items() if stem(word) == stem(verb)]
    if not verbs:
        return None
    ends = {stem(word) for word in verbs[0]}
    starts = {stem(word) for word in _OPENING}
    for relation in state.scope:
        times = state.meta.times([relation])
        last = [t for t in times if {stem(p) for p in state.meta.parts(t)} & ends]
        first = [t for t in times if {stem(p) for p in state.meta.parts(t)} & starts and t not in last]
        if last and first:
            return first[0], last[0]
    return None


def _usual(metadata: Metadata, start: str, end: str) -> str:
    return usual_unit(metadata, start, end) if start.split(".", 1)[0] == end.split(".", 1)[0] else "day"
