"""Groups that have no such row: *which airlines never fly from Boston*, *products that were not sold in March*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..plans.plan import Condition, Dimension, Having, Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..words.text import singular

__all__ = ["denied_of_groups", "denies_rows_alone"]

_VERBS = frozenset(
    "never|did not|didn't|do not|don't|does not|doesn't|have not|has not|haven't|hasn't|had not|hadn't".split("|")
)
_NOUNS = frozenset(
    "have no|has no|had no|with no|without any|without an|without a|without|do not have|does not have|don't have".split(
        "|"
    )
)
# What is said behind the denial came with it: turned back, it is what rows must not meet.
_TURNED = {"not in": "in", "!=": "=", "false": "true", "not period": "period", "null": "not null"}
# Below it a name is a guess, which decides nothing about what else is asked.
_NEARLY = 0.9
_ARTICLES = frozenset({"a", "an", "any"})


def denied_of_groups(draft: Draft, conditions: Sequence[tuple[str, Condition, int]]) -> Plan | None:
    """The groups of which no row meets what is said behind a *never* or *do not*; None where none is denied of groups.

    Rows that are otherwise would be another answer: nearly everybody who flies from Boston also flies from elsewhere.
    """
    found = _denied(draft, conditions)
    if found is None:
        return None
    path, place, grain = found
    if draft.metadata.is_measure(path):
        return None
    inner = [replace(c, operator=_TURNED.get(c.operator, c.operator)) for _, c, at in conditions if at >= place]
    inner = [c for c in inner if c.member != path]
    outer = [c for _, c, at in conditions if at < place]
    # Of two denied things it is not said whether both or one must be missing.
    if any(joiner == "or" for joiner, _, _ in conditions):
        return None
    # A number or rank before it bounds something else than having no such row.
    if any(item.is_cue("top") or item.kind == "number" for item in draft.items[:place]):
        return None
    # Counted with conditions of its own, so that groups without any such row are still there with nought.
    met = Measure(None, "count", tuple(inner), entity=path.split(".", 1)[0])
    return Plan(
        scope=(path.split(".", 1)[0],),
        measures=(met,),
        dimensions=(Dimension(path, grain),),
        conditions=tuple(outer),
        having=(Having(0, "=", (0.0,)),),
        hidden=(0,),
    )


def denies_rows_alone(plan: Plan, draft: Draft) -> bool:
    """Whether a plan takes rows that are otherwise for groups that have no such row."""
    met = any(having.operator == "=" and having.values == (0.0,) for having in plan.having)
    return not met and _denied(draft, draft.conditions) is not None


def _denied(draft: Draft, conditions: Sequence[tuple[str, Condition, int]]) -> tuple[str, int, str | None] | None:
    """A column whose values are asked for, the place of the denial, and a unit of time: rows tell what each did."""
    place = next((at for at in range(len(draft.items)) if _denies(draft, at)), None)
    if place is None or not any(at >= place for _, _, at in conditions):
        return None
    spans = [_span_of_time(draft, at) for at in range(place)]
    if (unit := next(filter(None, spans), None)) is not None:
        others = [at for at in range(place) if draft.items[at].kind == "name" and spans[at] is None]
        relations = {c.member.split(".", 1)[0] for _, c, _ in conditions}
        # Only where nothing else is named and one relation is spoken of do its rows say which days there are.
        times = draft.metadata.times(sorted(relations)) if len(relations) == 1 and not others else []
        return (times[0], place, unit) if times else None
    named = [draft.resolution.choice.get(at) for at in range(place) if draft.items[at].kind == "name"]
    alone = {item.names[0] for item in draft.items[:place] if len(item.names) == 1}  # *towns* of one municipality
    paths = [c.member for c in named if isinstance(c, Candidate) and (c.full or c in alone) and c.member is not None]
    if len(named) != 1 or len(paths) != 1:
        return None
    meta = draft.metadata
    path = _counted(paths[0], meta)
    relation = path.split(".", 1)[0]
    known = meta.members.get(path)
    groups = known is not None and known.type == "string" and not known.primary_key
    if known is None or not groups and not (known.agg_type or "").startswith("count_distinct"):
        return None
    # A condition on the column that is asked for, or on other tables' rows, says something else than what its rows
    # did.
    if any(c.member.split(".", 1)[0] != relation or c.member == path for _, c, at in conditions if at != place):
        return None
    for at in range(place + 1, len(draft.items)):
        other = draft.resolution.choice.get(at)
        full = isinstance(other, Candidate) and other.full and other.quality >= _NEARLY and other.member is not None
        if draft.items[at].kind == "name" and full and not any(p == at for _, _, p in conditions):
            return None  # something else is asked for there
    return path, place, None


def _span_of_time(draft: Draft, place: int) -> str | None:
    """The unit of ``a day without losses``, also where a time is called so."""
    item, said = draft.items[place], draft.resolution.choice.get(place)
    if item.grain is not None:
        return item.grain.unit
    word = singular(item.text.lower())
    called = isinstance(said, Candidate) and said.member is not None and draft.metadata.is_time(said.member)
    return word if called and word in ("day", "week", "month", "quarter", "year") else None


def _counted(path: str, metadata: Metadata) -> str:
    """What a number of different values counts: the answer names them, and so says how many there are."""
    plain = metadata.plain(Measure(path, "measure")) if metadata.is_measure(path) else Measure(path)
    return plain.member if plain.aggregate == "count_distinct" and plain.member is not None else path


def _denies(draft: Draft, place: int) -> bool:
    text = draft.items[place].text.lower()
    if text in _VERBS:
        return True
    at = place + 1
    while at < len(draft.items) and draft.items[at].text.lower() in _ARTICLES:
        at += 1
    behind = draft.resolution.choice.get(at)
    if text in _NOUNS and isinstance(behind, ValueMatch):
        return True  # "patients without a vaccination"
    behind = draft.resolution.choice.get(place + 1)
    if text not in _NOUNS or not isinstance(behind, Candidate):
        return False
    known = draft.metadata.members.get(behind.member or "")
    return behind.member is None or known is not None and known.type == "boolean"
