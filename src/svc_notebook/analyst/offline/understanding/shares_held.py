"""No share is answered of all groups for one of its own, nor of what all its rows are already."""

from __future__ import annotations

from dataclasses import replace

from ..checks.whole_of_itself import tells_itself
from ..forms import Over
from ..forms.walking import parts
from ..plans.plan import Measure, Plan
from ..plans.sql import write_sql
from ..reading.share_frames import is_of_theirs
from ..schema.metadata import Metadata
from ..understood import Understood
from .asked import AskedTurn

__all__ = ["shares_held"]


def shares_held(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, with every share of all the rows that it is of; nothing, where that cannot be mended."""
    if _is_of_all_groups(found) and is_of_theirs(asked.question):
        return Understood(asked.metadata, asked.reading, None, False, lost=("of their own",))
    plan = found.plan if found.followed is None and found.analysis is None else None
    if plan is None or not any(tells_itself(one, plan.conditions, asked.metadata) for one in plan.measures):
        return found
    mended = _mended(plan, asked.metadata)
    if mended is None:
        return Understood(asked.metadata, asked.reading, None, False, lost=("share",))
    return replace(found, plan=mended, statement=write_sql(mended, asked.metadata), form=None, options=())


def _is_of_all_groups(found: Understood) -> bool:
    plan, form = found.plan, found.form
    if plan is not None:
        return bool(plan.dimensions) and any(one.kind == "share" and one.within is None for one in plan.calculations)
    windows = (part for part in parts(form.measures) if isinstance(part, Over)) if form is not None else ()
    return form is not None and bool(form.groups) and any(w.function == "share" and not w.within for w in windows)


def _mended(plan: Plan, metadata: Metadata) -> Plan | None:
    """What rows were picked by is told of those alone that are counted beside the share."""
    shares = [one for one in plan.measures if tells_itself(one, plan.conditions, metadata)]
    own = [c for c in plan.conditions if any(tells_itself(one, (c,), metadata) for one in shares)]
    counts = [metadata.plain(one) for one in plan.measures if one not in shares]
    if not own or not counts or any(one.member is not None or one.aggregate != "count" for one in counts):
        return None
    counted = iter(replace(one, conditions=(*one.conditions, *own)) for one in counts)
    measures: tuple[Measure, ...] = tuple(one if one in shares else next(counted) for one in plan.measures)
    return plan.with_(conditions=tuple(c for c in plan.conditions if c not in own), measures=measures)
