"""What an analysis is about where no number is named: that of the turn before, else the main number of the model."""

from __future__ import annotations

from .... import patterns as re
from ..plans.plan import Measure, Plan
from ..schema.metadata import Metadata
from ..schema.money import taken_in
from ..walk.times import default_time

__all__ = ["is_open", "main_number", "names_nothing", "on_its_time", "subject_of"]

_OPEN = re.compile(
    r"^\W*(so |and |but )?(what(['’]?s| is| has| have| was| did| else)?\s+(been\s+)?"
    r"(changed?|happen(s|ed|ing)?|moved?|different|going on|went (wrong|on)|new)\b"
    r"|(is|was|were|are) .+ different\b|how (different|did things)\b)",
    re.IGNORECASE,
)
_FILLING = frozenset(
    "what what's whats has have been did else so and but happen happens happened happening moved move different going "
    "on went wrong new is was were are it this that these those there things thing everything anything something all "
    "overall numbers figures data business how the our my in of from to then here now any some with special".split()
)
_POINTING = frozenset("it this that they them".split())


def on_its_time(plan: Plan, metadata: Metadata) -> Plan:
    """The plan with the nearest relation that says when its rows happened, where they do not say it themselves."""
    if default_time(metadata, plan.scope[:1]) is not None:
        return plan
    wider = metadata.dated(plan.scope)
    return plan.with_(scope=wider) if wider is not None else plan


def is_open(question: str) -> bool:
    """Whether a question asks what changed or happened, and of what it does not say."""
    return _OPEN.match(question) is not None


def names_nothing(words: str) -> bool:
    """Whether words only fill: they name no number, no rows and nothing else that could be meant."""
    return not set(_words(words)) - _FILLING


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.lower().replace("’", "'"))


def subject_of(words: str, metadata: Metadata, before: Plan | None) -> Plan | None:
    """The number that words without a name of one are about; None where they name something, or point at nothing."""
    said = _words(words)
    if not names_nothing(words):
        return None
    if before is not None and before.shape == "aggregate" and len(before.measures) == 1:
        return before.with_(
            dimensions=(), order=(), limit=None, limit_per=None, calculations=(), having=(), hidden=(), claim=(),
            compare=False,
        )  # fmt: skip
    return None if set(said) & _POINTING else main_number(metadata)


def main_number(metadata: Metadata) -> Plan | None:
    """What was taken in, where the model sums that; else how many rows of events there are."""
    path = taken_in(metadata)
    if path is not None and metadata.members[path].agg_type == "sum":
        return Plan((path.split(".", 1)[0],), measures=(Measure(path, "measure"),))
    dated = (name for name in metadata.catalog.relations if metadata.times([name]))
    facts = metadata.main_facts() or next(dated, None)
    return Plan((facts,), measures=(_rows(facts, metadata),)) if facts is not None else None


def _rows(relation: str, metadata: Metadata) -> Measure:
    """How many rows there are: the model's own number, which says what of, where it has one."""
    counts = (m.path for m in metadata.relation(relation).members.values() if m.agg_type == "count")
    plain = (Measure(path, "measure") for path in counts if path in metadata.members)
    return next((m for m in plain if metadata.plain(m) == Measure()), Measure(entity=relation))
