"""Where rows are: points on a map."""

from __future__ import annotations

from functools import partial

from ..... import patterns as re
from ...plans.phrases import describe
from ...plans.plan import Dimension, Measure, Plan
from ...schema.metadata import Metadata
from ..places import coordinates_of, places
from .analysis import Analysis, Reader, about
from .words import without

__all__ = ["mapped"]

_NO_PLACE = (
    "Nothing here says where on a map that is: a map wants two numbers for a row, its latitude and its longitude. "
    "I can show it as a table or as bars."
)
_ON_MAP = re.compile(
    r"\b(on|in|as) (a |the )?map\b|\b(a |the )?map (of|showing|with|for)\b|\bmap\b(?=\W*$)", re.IGNORECASE
)
_MAP_WORDS = re.compile(r"\b(show|draw|plot|put|display|me|all|the|our|where|are|is|located|lie)\b", re.IGNORECASE)


def mapped(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    """``stations on a map``, ``average delay by destination on a map``: where rows are that have coordinates."""
    if not _ON_MAP.search(question):
        return None
    rest = without(_ON_MAP, question)
    bare = without(_MAP_WORDS, rest)
    # As it is, without words of drawing, and counted: a bare noun is no question to the reader.
    plans = [plan for text in (rest, bare, f"how many {bare}") if text and (plan := read(text)) is not None]
    found = [one for plan in plans[:2] if (one := _placed(plan, rest, metadata)) is not None]
    return next((one for one in found if one.recipe is not None), found[0] if found else None)


def _placed(plan: Plan, rest: str, metadata: Metadata) -> Analysis | None:
    """What a plan speaks of, on a map; in words that it has no place there."""
    if plan.limit is not None or len(plan.dimensions) > 1 or any(d.grain for d in plan.dimensions):
        return None
    listed = plan.columns[0] if plan.shape != "aggregate" and plan.columns else None
    apart = plan.measures and metadata.plain(plan.measures[0]).aggregate == "count_distinct" and not plan.dimensions
    asked = [listed] if listed else [d.member for d in plan.dimensions]
    near = [word for path in asked for word in metadata.parts(path)] + rest.lower().split()
    relations = [*(path.split(".", 1)[0] for path in asked), *plan.scope, *metadata.catalog.relations]
    at = coordinates_of(list(dict.fromkeys(relations)), near, metadata)
    owner = at.latitude.split(".", 1)[0] if at is not None else ""
    if at is not None and listed is not None and set(metadata.parts(at.latitude)[:-1]) & set(metadata.parts(listed)):
        # Coordinates of the very column that is listed: each of its values is a place, and how many rows it has its
        # size.
        plan = Plan(plan.scope[:1], measures=(Measure(),), dimensions=(Dimension(listed),), conditions=plan.conditions)
    elif listed is not None:
        apart = apart or listed != metadata.label_of(owner)
        plan = Plan(plan.scope[:1], measures=(Measure(),), conditions=plan.conditions)
    scope = metadata.scope([*plan.scope, owner]) if owner else None
    if at is None or scope is None or apart:  # different things that rows name are at no place of their own
        return Analysis(plan, "A map", None, _NO_PLACE)
    plan = plan.with_(scope=scope, shape="aggregate", measures=plan.measures or (Measure(),))
    return about(plan, metadata, f"{describe(plan, metadata)} on a map", partial(places, plan, at, metadata))
