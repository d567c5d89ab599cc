"""Two of one name are two: what is grouped by a name that several rows have is grouped by their key as well."""

from __future__ import annotations

from ..plans.plan import Condition, Dimension, Plan
from ..schema.metadata import Metadata
from ..walk.draft import Draft

__all__ = ["is_shared_name", "of_those_there_are", "told_apart"]


def told_apart(plan: Plan, draft: Draft | None) -> Plan:
    """``which playlist has the most tracks``: each playlist, also where two are called alike.

    Groups of what a question does not speak of as rows (``by name``), and of pictures, stay as they are.
    """
    if draft is not None and plan.shape == "distinct":
        return _each_listed(plan, draft)
    drawn = plan.chart.mark is not None or plan.chart.channels
    if draft is None or plan.shape != "aggregate" or drawn or plan.nested is not None or plan.parts or plan.compare:
        return plan
    meta = draft.metadata
    spoken = {relation for relation, _ in (*draft.entities, *draft.grouped_entities)}
    if draft.tokens and draft.tokens[0].lower in ("who", "whose"):  # each of them is one of those people
        spoken |= {owner for d in plan.dimensions if meta.is_of_people(owner := d.member.split(".", 1)[0])}
    found: list[Dimension] = []
    moved: dict[int, int] = {}
    for place, dimension in enumerate(plan.dimensions):
        moved[place] = len(found)
        found.append(dimension)
        owner = dimension.member.split(".", 1)[0]
        key = meta.key_of(owner)
        alone = key is not None and all(d.member != key for d in plan.dimensions)
        named = owner in spoken and dimension.grain is None and dimension.member == meta.label_of(owner)
        if named and alone and key is not None and is_shared_name(dimension.member, meta):
            # A limit within a group is one within each key, which stands where the name stood.
            found.insert(moved[place] + (plan.limit_per != place), Dimension(key))
    if len(found) == len(plan.dimensions):
        return plan
    if plan.limit_per is not None:
        plan = plan.with_(limit_per=moved[plan.limit_per])
    # Orders name groups by place: one put between moves those behind.
    order = tuple(o if o.by != "dimension" else type(o)(o.by, moved[o.place], o.descending) for o in plan.order)
    return plan.with_(dimensions=tuple(found), order=order)


def is_shared_name(label: str, meta: Metadata) -> bool:
    """Whether several rows are called alike, by what is a name and no kind of them."""
    profile, parts = meta.profile(label), meta.parts(label)
    # Each house has a flat of number 1; the number of something else is a kind of rows.
    numbered = parts[-1] in _NUMBERS and parts[:-1] == meta.words_of(label.split(".", 1)[0])[-1:]
    named = (parts[-1] in _NAMES or numbered) and profile.distinct < profile.rows - profile.missing
    return named or meta.has_namesakes(label)


_NAMES = frozenset({"name", "nm", "fullname"})
_NUMBERS = frozenset({"number", "nr"})


def _each_listed(plan: Plan, draft: Draft) -> Plan:
    """``pets that were never seen``: each of them with its key, where names alone would make one of two."""
    meta, label = draft.metadata, plan.columns[0]
    owner = label.split(".", 1)[0]
    key = meta.key_of(owner)
    spoken = any(relation == owner for relation, _ in draft.entities)
    alone = len(plan.columns) == 1 and label == meta.label_of(owner) and key is not None and key != label
    if not (alone and spoken) or key is None or draft.unique or meta.profile(label).unique:
        return plan
    return plan.with_(columns=(label, key))


def of_those_there_are(plan: Plan, metadata: Metadata) -> Plan:
    """``the three composers with the most songs``: of those there are, and not the songs that nobody is known for."""
    if plan.shape != "aggregate" or len(plan.dimensions) != 1 or not (_is_ranked(plan) or _is_of_names(plan)):
        return plan
    [dimension] = plan.dimensions
    path = dimension.member
    plain = dimension.grain is None and dimension.bin is None and metadata.members[path].type == "string"
    plain = plain or dimension.grain is not None and metadata.is_time(path)  # what has not happened is in no month
    if not plain or not metadata.profile(path).missing or any(c.member == path for c in plan.conditions):
        return plan
    return plan.with_(conditions=(*plan.conditions, Condition(path, "not null")))


def _is_ranked(plan: Plan) -> bool:
    by = [order.by for order in plan.order[:1]]
    return bool(plan.limit) and plan.limit_per is None and by in (["measure"], ["calculation"])


def _is_of_names(plan: Plan) -> bool:
    """Whether groups are told by their names alone: ``which planes made more than 500 flights``."""
    return bool(plan.having) and bool(plan.measures) and set(plan.hidden) == set(range(len(plan.measures)))
