"""How many of them: *orders per month and how many of them were returned*, all of them and some beside each other."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..plans.plan import Measure, Plan
from ..schema.metadata import Metadata

__all__ = ["of_them"]

_OF_THEM = re.compile(
    r"^(?P<head>.+?),?\s+and\s+(?P<how>how\s+many|(?:what|which)\s+(?:share|percentage|percent|part|fraction)|the\s+share)"
    r"\s+of\s+(?:them|those|these)\b",
    re.IGNORECASE,
)


def of_them(question: str, plan: Plan, metadata: Metadata, read: Callable[[str], Plan | None]) -> Plan | None:
    """The plan of all and of how many of them are so, where a question asks for both and ``plan`` is of those alone."""
    said = _OF_THEM.match(question.strip())
    whole = read(said["head"]) if said is not None else None
    if said is None or whole is None or whole.shape != "aggregate" or whole.unread or plan.exists != whole.exists:
        return None
    plain = metadata.plain(whole.measures[0]) if len(whole.measures) == 1 else Measure("", "sum")
    if plain.aggregate != "count" or plain.conditions or whole.limit is not None or whole.nested or whole.having:
        return None
    shares = tuple(c for measure in plan.measures if measure.aggregate == "share_true" for c in measure.conditions)
    inner = shares or tuple(condition for condition in plan.conditions if condition not in whole.conditions)
    relation = plain.entity or (whole.measures[0].member or whole.scope[0]).split(".", 1)[0]
    own = {relation, *(c.member.split(".", 1)[0] for c in inner)}
    if not inner or set(plan.dimensions) != set(whole.dimensions) or plan.alternatives or not own <= set(whole.scope):
        return None
    counted = said["how"].lower().startswith("how")
    some = Measure(None, "count" if counted else "share_true", inner, entity=relation)
    return whole.with_(measures=(whole.measures[0], some))
