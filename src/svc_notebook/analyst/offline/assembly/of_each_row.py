"""``shipment cost by region``, where the cost is kept with the kind of each: what every row comes to is summed."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..walk.draft import Draft

__all__ = ["of_each_row"]

_FOLDS = frozenset({"sum", "avg"})
_OF = frozenset({"of", "for", "on"})
_SMALL = frozenset({"the", "all", "our", "their", "these"})


def of_each_row(plan: Plan, draft: Draft) -> Plan:
    """A number of what rows belong to, once for each row where it is said to be of these rows: the model's own number
    has every kind once, however many rows there are of it.
    """
    if plan.shape != "aggregate" or len(plan.scope) < 2 or plan.parts or plan.nested is not None:
        return plan
    told = tuple(_of_rows(measure, plan.scope[0], draft) for measure in plan.measures)
    if told == plan.measures:
        return plan
    changed = dict(zip(plan.measures, told, strict=True))
    order = tuple(replace(one, measure=changed.get(one.measure, one.measure)) if one.measure else one
                  for one in plan.order)  # fmt: skip
    return plan.with_(measures=told, order=order)


def _of_rows(measure: Measure, root: str, draft: Draft) -> Measure:
    meta = draft.metadata
    plain = meta.plain(measure)
    path = plain.member if plain.aggregate in _FOLDS and not plain.exists else None
    if path is None or path not in meta.members or measure.aggregate != "measure":
        return measure
    kind = path.split(".", 1)[0]
    if kind == root or not meta.leads_to(root, kind) or not _is_said_of(path, str(measure.member), root, draft):
        return measure
    return plain


def _is_said_of(path: str, member: str, root: str, draft: Draft) -> bool:
    """Whether the noun for rows stands right before the number's name, in it, or behind an *of*."""
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if not isinstance(said, Candidate) or said.member not in (path, member):
            continue
        behind = item.end + (_word(item.end, draft) in _OF)
        while behind > item.end and _word(behind, draft) in _SMALL:
            behind += 1
        places = [*range(max(item.start - 1, 0), item.end), *([behind] if behind > item.end else [])]
        if any(_names_rows(at, root, draft.metadata, draft) for at in places):
            return True
    return False


def _word(at: int, draft: Draft) -> str:
    return draft.tokens[at].lower if at < len(draft.tokens) else ""


def _names_rows(at: int, root: str, metadata: Metadata, draft: Draft) -> bool:
    return at < len(draft.tokens) and root in metadata.kind_names.rows.get(draft.tokens[at].stem, ())
