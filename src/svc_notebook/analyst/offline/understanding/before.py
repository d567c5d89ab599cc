"""The turns before one: what was answered last, what of it is asked again, and words that were not understood yet."""

from __future__ import annotations

from .... import patterns as re
from ...base import Turn
from ..checks.coverage import left_out
from ..dialogue import Unmet, earlier, outstanding
from ..plans.forms_as_plans import plan_of
from ..plans.plan import Condition, Plan, from_memory
from ..plans.sql import write_sql
from ..reading.followups import is_refinement, refine
from ..reading.foreign import is_statement
from ..reading.reading import Reading
from ..schema.metadata import Metadata
from ..understood import Understood
from ..why import asked_group
from ..words.text import stem

__all__ = ["asks_why", "group_asked_for", "is_read_alone", "pending_words", "plan_before", "redrawn", "why_that"]

_WHY = re.compile(r"\s*why\b", re.IGNORECASE)


def asks_why(question: str) -> bool:
    """Whether a question opens so."""
    return bool(_WHY.match(question))


def plan_before(turn: Turn, metadata: Metadata) -> Plan | None:
    """The plan of the last turn that was answered, when all its members are still there for this asker."""
    forms = earlier(turn, metadata.catalog)
    kept = forms[0].turn.memory.get("plan") if forms else None
    if kept is None:
        return plan_of(forms[0].form, metadata) if forms else None
    plan = from_memory(kept)
    members = [d.member for d in plan.dimensions] + [m.member for m in plan.measures if m.member] + list(plan.columns)
    members += [c.member for c in plan.conditions]
    known = all(member in metadata.members for member in members) and all(
        r in metadata.catalog.relations for r in plan.scope
    )
    return plan if known else None


def pending_words(turn: Turn) -> str:
    """Words of refused turns right before this one: said piece by piece, they may make a question together."""
    if turn.history and turn.history[-1].memory.get("fragments"):
        return str(turn.history[-1].memory["fragments"])
    words: list[str] = []
    for past in reversed(turn.history):
        pending = past.memory.get("pending")
        if past.memory.get("topic") or past.memory.get("choices"):
            return ""  # a question that was whole is not made whole by what is said next, and that hung on it
        if not pending or is_statement(str(pending)):
            break
        words.insert(0, str(pending))
    return ". ".join(words)


def is_read_alone(reading: Reading) -> bool:
    """Whether a question stands on its own, so that words said before it are not needed to read it."""
    draft = reading.draft
    return draft is not None and bool(
        draft.measures or draft.counted_entities or len(draft.mentions) + len(draft.dimensions) > 1
    )


def redrawn(question: str, reading: Reading, before: Plan, metadata: Metadata) -> Plan | None:
    """A picture whose channels are spoken of, drawn otherwise."""
    new = reading.plan.chart.channels if reading.plan is not None else ()
    if not (before.chart.channels or new) or reading.missed or not is_refinement(question, reading, before):
        return None
    changed = refine(question, reading, before, metadata)
    if changed is None or reading.draft is not None and not changed.parts and left_out(reading.draft, changed):
        return None
    return changed


def group_asked_for(question: str, reading: Reading, before: Plan) -> Condition | None:
    """The group of the plan before whose number is to be explained."""
    if not before.measures or reading.plan is None or not asks_why(question):
        return None
    if not _names_number(reading, before):
        return None  # "why was revenue lower in May" is not about the orders that were shown
    return asked_group(reading.plan.conditions, before)


def _names_number(reading: Reading, before: Plan) -> bool:
    """Whether what a question measures, if it names anything, was measured before: by a word of its name."""
    named = [m.member for m in reading.draft.measures if m.member is not None] if reading.draft is not None else []
    shown = {word for m in before.measures for word in _stems_of(m.member or m.entity)}
    return not named or any(shown.intersection(_stems_of(path)) for path in named)


def _stems_of(path: str | None) -> set[str]:
    """The words of what a number is called; rows are called what their relation is."""
    relation, _, name = (path or "").partition(".")
    return {stem(word) for word in (relation if name in ("", "count") else name).split("_")}


def why_that(turn: Turn, reading: Reading, before: Plan, metadata: Metadata) -> Understood:
    """``why is that?``: of the group that stood out."""
    group = outstanding(earlier(turn, metadata.catalog)[0].turn.memory, before)
    if group is None:
        reason = Unmet("it shows no groups of which one stands out; ask for the number by something first")
        return Understood(metadata, reading, None, False, unmet=reason)
    return Understood(metadata, reading, before, True, write_sql(before, metadata), before, group)
