"""What is shown where only entities or conditions were named."""

from __future__ import annotations

from ..plans.plan import Dimension
from ..schema.member_kinds import doers, labels_of, people
from .assembly import Assembly
from .superlatives import asks_who

__all__ = ["fall_back"]


_MOST = 12  # columns that are shown where nobody asks for all of them
_BEING_THERE = frozenset("from come comes came live lives lived based located".split())
_PLACES = ("country", "nationality", "origin", "hometown", "state", "region", "city", "town")


def fall_back(state: Assembly) -> None:
    """Only entities or conditions were named: a count, a list, or yes and no."""
    for taken in _WAYS:
        if taken(state):
            return


def _each_by_how_many(state: Assembly) -> bool:
    """What is told of each row whose rows of another kind are bounded in number."""
    draft = state.draft
    counted = {m.entity for m, _, _ in draft.having}
    other = next((r for r, _ in draft.entities if r not in counted), None) if counted else None
    label = state.meta.label_of(other) if other else None
    if label is None:
        return False
    state.dimensions.append(Dimension(label))
    state.measures.append(draft.having[0][0])
    return True


def _by_place(state: Assembly) -> bool:
    place = _asked_where(state)
    if place is None:
        return False
    state.dimensions.append(Dimension(place))
    state.measures.append(state.count_of(place.split(".", 1)[0]))
    said = {token.text for token in state.draft.tokens if token.lower in _BEING_THERE}
    state.unread = [word for word in state.unread if word not in said]
    return True


def _names_of_some(state: Assembly) -> bool:
    """Rows of one kind that have others or none, or that lie beyond the average: by their names."""
    draft = state.draft
    out = any(c.operator in ("above_average", "below_average") for _, c, _ in state.conditions)
    if not (state.exists or out) or draft.counting or draft.yesno:
        return False
    subject = next((r for r, _ in draft.entities if r not in {e.relation for e in state.exists}), None)
    label = state.meta.label_of(subject) if subject is not None else None
    if label is None:
        return False
    state.columns, state.shape = [label], "distinct"
    return True


def _count(state: Assembly) -> bool:
    draft = state.draft
    if not (draft.entities or state.conditions) or draft.listing or draft.which:
        return False
    state.measures.append(state.count_of(None))
    return True


def _groups_alone(state: Assembly) -> bool:
    """Which groups there are is asked, no more."""
    draft = state.draft
    if not (draft.having and state.dimensions) or draft.counting or draft.spread or draft.trend:
        return False
    state.measures, state.hidden_measures = [draft.having[0][0]], [0]
    return True


def _count_of_groups(state: Assembly) -> bool:
    draft = state.draft
    if not (draft.counting or draft.spread or state.dimensions or draft.yesno or draft.trend):
        return False
    state.measures.append(state.count_of(None))
    return True


def _list(state: Assembly) -> bool:
    """Those that are asked for, by name where they have one; rows where they have none."""
    draft = state.draft
    entity = next((relation for relation, _ in draft.entities), None)
    if not (entity is not None and (draft.which or draft.listing) or state.conditions):
        return False
    relation = entity or state.scope[0]
    label = state.meta.label_of(relation)
    if asks_who(state) and (near := _asked_near(state, relation)):
        state.columns, state.shape = list(near), "distinct"
        # `who works in …`: the verb is read by naming those who do; any other word there stays unread.
        state.unread = [word for word in state.unread if word != draft.tokens[1].text or not word.endswith("s")]
    elif draft.which and label is not None and draft.entities:
        state.columns, state.shape = [label], "distinct"
    elif asks_who(state) and (asked := _asked_whom(state, relation)):
        state.columns, state.shape = list(asked), "distinct"
    else:
        members = [m for m in state.meta.relation(relation).members.values() if m.kind == "dimension"]
        every = any(token.lower in ("columns", "fields") for token in draft.tokens)
        paths = [m.path for m in members if m.path in state.meta.members]
        state.columns, state.shape = paths if every else paths[:_MOST], "rows"
    return True


_WAYS = (_each_by_how_many, _by_place, _names_of_some, _count, _groups_alone, _count_of_groups, _list)
"""In the order in which they are tried; each tells whether it has taken the question."""


def _asked_whom(state: Assembly, relation: str) -> tuple[str, ...]:
    """``who painted Still Life``: whom a row belongs to, where its own relation names nobody."""
    if people(state.meta, [relation]):
        return ()
    doer = doers(state.meta, [relation])
    return labels_of(state.meta, doer) if doer is not None and state.meta.leads_to(relation, doer) else ()


def _asked_where(state: Assembly) -> str | None:
    """``where do our students come from``: the place that is known of each of them."""
    words = [token.lower for token in state.draft.tokens]
    named = {relation for relation, _ in state.draft.entities}
    if words[:1] != ["where"] or not set(words) & _BEING_THERE or len(named) != 1 or state.conditions:
        return None
    own = [m.path for m in state.meta.relation(next(iter(named))).members.values() if m.type == "string"]
    texts = [path for path in own if path in state.meta.members and not state.meta.is_key(path)]
    ends = [(state.meta.parts(path)[-1], path) for path in texts if state.meta.parts(path)]
    places = [(_PLACES.index(end), path) for end, path in ends if end in _PLACES]
    return min(places)[1] if places else None


def _asked_near(state: Assembly, relation: str) -> tuple[str, ...]:
    """``who works in Chicago``: those whose rows point at the place, where nobody is named."""
    if people(state.meta, [relation]):
        return ()
    doer = doers(state.meta, [relation])
    return labels_of(state.meta, doer) if doer is not None and state.meta.leads_to(doer, relation) else ()
