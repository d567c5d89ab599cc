"""An aggregate of an aggregate: what is worked out for each first, and then over all."""

from __future__ import annotations

from ..plans.plan import Condition, Dimension, Measure, Nested, Plan
from ..schema.metadata import Metadata
from .assembly import Assembly
from .counted_kinds import tells_apart

__all__ = ["nest", "on_units_without"]

_UNITS = ("hour", "day", "week", "month", "quarter", "year")  # the shortest first: days of each month


def nest(state: Assembly) -> None:
    """``average number of flights per day by carrier``: the count per day comes first, then its average."""
    said = next((d.split(":")[1] for d in state.draft.doubts if d.startswith("nested:")), None)
    said = said or _averaged(state)
    if said is None or state.shape != "aggregate" or len(state.measures) != 1:
        return
    units = {unit for unit, _, adverb in state.draft.grains if not adverb}
    inner = min((d for d in state.dimensions if d.grain in units), key=_length, default=None)
    inner = inner or next((d for d in state.dimensions if d.member in state.draft.each), None)
    if inner is None and len(state.dimensions) == 1 and state.draft.grouped_entities:
        inner = state.dimensions[0]
    inner = _each_row(state, inner) if inner is not None else None
    counted = state.measures[0].entity or (state.measures[0].member or "").split(".", 1)[0]
    if inner is not None and state.is_count(state.measures[0]) and tells_apart(state, inner, counted):
        # A count per thing of which each has one is one everywhere: its average tells nothing.
        state.draft.unmet.append("per")  # one of each: something else is counted
    if inner is None:
        state.unread.append({"avg": "average", "min": "minimum", "max": "maximum"}.get(said, said))
    else:
        # The name goes with its key: either of them left would group the outer number by what it averages over.
        gone = (inner.member, _label_for(state, inner.member))
        state.dimensions = [d for d in state.dimensions if d.member not in gone or _is_around(d, inner)]
        if _is_known_missing(state, inner.member):  # rows of nobody are no group that has a number
            state.merged.append(("and", Condition(inner.member, "not null"), len(state.draft.items)))
        state.nested = Nested(said, inner)  # type: ignore[arg-type]  # one of the aggregates that entity() notes


def on_units_without(plan: Plan, metadata: Metadata) -> Plan:
    """``cancellations per day``: days on which rows were and none of them so have none, and count."""
    counted = plan.measures[0] if len(plan.measures) == 1 else None
    if plan.nested is None or plan.nested.dimension.grain is None or counted is None or plan.alternatives:
        return plan
    known = metadata.member(counted.member).agg_type if counted.aggregate == "measure" and counted.member else None
    if counted.conditions or counted.exists or "count" not in (counted.aggregate, known):
        return plan
    home = plan.scope[0]
    so = tuple(c for c in plan.conditions if c.operator in ("true", "false") and c.member.startswith(f"{home}."))
    if not so:
        return plan
    counted = Measure(None, "count", so, entity=home)
    return plan.with_(measures=(counted,), conditions=tuple(c for c in plan.conditions if c not in so))


def _length(of: Dimension) -> int:
    return _UNITS.index(of.grain) if of.grain in _UNITS else len(_UNITS)


def _is_around(outer: Dimension, inner: Dimension) -> bool:
    """Whether a time tells apart what is worked out for shorter ones: days of each month."""
    return outer.member == inner.member and bool(outer.grain and inner.grain) and outer.grain != inner.grain


def _each_row(state: Assembly, inner: Dimension) -> Dimension:
    """``visits per pet``: of each, also where many are called alike."""
    owner = inner.member.split(".", 1)[0]
    spoken = {relation for relation, _ in (*state.draft.grouped_entities, *state.draft.entities)}
    key = state.meta.key_of(owner)
    named = owner in spoken and inner.grain is None and inner.member == state.meta.label_of(owner)
    return Dimension(key) if named and key and not state.meta.profile(inner.member).unique else inner


def _label_for(state: Assembly, key: str) -> str | None:
    """The name of the rows that a key tells apart."""
    owner = key.split(".", 1)[0]
    return state.meta.label_of(owner) if state.meta.key_of(owner) == key else None


def _is_known_missing(state: Assembly, member: str) -> bool:
    known = {c.member for _, c, _ in state.merged if c.operator == "not null"}
    return member not in known and not state.meta.is_time(member) and bool(state.meta.profile(member).missing)


def _averaged(state: Assembly) -> str | None:
    """``how many flights per week on average``: an average said of nothing but a number per unit or per thing."""
    if not any(doubt == "aggregate:avg" for doubt in state.draft.doubts):
        return None
    counted = (
        state.draft.counting or state.draft.counted_entities or state.measures and state.is_count(state.measures[0])
    )
    # The unit said as an adverb ("monthly") groups; "per month" is what is counted first.
    said = {unit for unit, _, adverb in state.draft.grains if not adverb}
    if len(state.draft.grains) == 1 or len(said) > 1:
        return "avg" if (counted or _adds_up(state)) and said else None
    _take_owner(state)
    each = [d for d in state.dimensions if d.member in state.draft.each]
    alone = len(state.dimensions) == 1 and (bool(each) or bool(state.draft.grouped_entities))
    return "avg" if alone and (counted or _adds_up(state)) else None


def _take_owner(state: Assembly) -> None:
    """``how many visits does a member have on average``: whose they are, where nothing is grouped by."""
    counted = {relation for relation, _ in state.draft.counted_entities}
    others = [(r, place) for r, place in state.draft.entities if r not in counted]
    label = state.meta.label_of(others[0][0]) if len(others) == 1 and counted and not state.dimensions else None
    if label is not None and not state.exists:
        state.draft.grouped_entities = [others[0]]
        state.dimensions = [Dimension(label)]


def _adds_up(state: Assembly) -> bool:
    """Whether the number is a sum, of which each group has its own."""
    return len(state.measures) == 1 and state.meta.plain(state.measures[0]).aggregate in ("sum", "count")
