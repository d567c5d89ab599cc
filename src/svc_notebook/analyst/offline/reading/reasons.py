"""Why rows are as they are, where a column says it: *why do deliveries fail*, *why were so many orders cancelled*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Form
from ..plans.plan import Condition, Dimension, Measure, Order, Plan
from ..plans.sql import write_sql
from ..words.text import stem, tokenize
from .one_number import LONGEST
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["reason_columns", "reasons_of"]

_WHY = re.compile(r"^\W*(?:(?:so|and|but|ok)\b\W*)?why\s+(?:do|does|did|are|is|were|was|have|has)\b", re.IGNORECASE)
_NOUN = r"(?:reasons|causes)"
_REASONS_FOR = re.compile(rf"^\W*(?:the\s+)?(?:main\s+)?{_NOUN}\s+(?:for|of|behind)\s+(?P<what>.+)$", re.IGNORECASE)
_REASONS_BEHIND = re.compile(rf"^\W*(?P<what>[^:;?]+?)\s*[,:-]?\s+{_NOUN}\W*$", re.IGNORECASE)
_REASONS = frozenset(map(stem, "reason cause rsn why".split()))
_DIVIDED = re.compile(r"\b(?:by|per|each|every|which|how|what|show|list|number|count|different|all)\b", re.IGNORECASE)
_SHORTEST = 4  # letters that names are cut to
_SAID = frozenset({"why", "so", "many", "much"})


def reasons_of(question: str, metadata: Metadata, read: Callable[..., Reading]) -> Form | None:
    """The number of rows for each reason that their own column gives, the commonest first.

    A reason that all rows have is none of the state that some are in.
    """
    asked = _asked(question) if len(question) <= LONGEST else ""
    if not asked:
        return None
    found = [plan for path in reason_columns(metadata) if (plan := _by(path, asked, metadata, read)) is not None]
    form = read_back(write_sql(found[0], metadata).sql, metadata) if len(found) == 1 else None
    return form if isinstance(form, Form) else None


def _asked(question: str) -> str:
    """The question whose rows the reasons are of: *failed jobs* of *reasons for failed jobs*."""
    if _WHY.match(question) is not None:
        return question
    said = _REASONS_FOR.match(question) or _REASONS_BEHIND.match(question)
    return f"number of {said['what']}" if said is not None and not _DIVIDED.search(said["what"]) else ""


def reason_columns(metadata: Metadata) -> Iterator[str]:
    """The columns that say why rows are as they are."""
    for path, member in metadata.members.items():
        known = member.kind == "dimension" and member.type == "string" and not member.masked
        told = known and metadata.relation(member.relation).kind == "cube"
        if told and _REASONS & set(map(stem, metadata.parts(path))):
            yield path


def _by(path: str, question: str, metadata: Metadata, read: Callable[..., Reading]) -> Plan | None:
    home = path.split(".", 1)[0]
    reading = read(question, prefer=(home,))
    plan = reading.plan
    if plan is None or {*reading.unread, *reading.missed, *reading.lost} - _SAID or plan.scope[:1] != (home,):
        return None
    if plan.having or plan.exists or plan.nested or plan.parts or plan.calculations or plan.dimensions:
        return None
    states = [c for c in plan.conditions if _is_state(c, home)]
    few = metadata.profile(path).missing > 0
    if not _is_of(path, question, metadata) or states and not few:
        return None
    known = () if states or not few else (Condition(path, "not null"),)
    return plan.with_(
        shape="aggregate", measures=(Measure(None, "count", entity=home),), dimensions=(Dimension(path),), columns=(),
        conditions=(*plan.conditions, *known), order=(Order("measure", 0, descending=True),), limit=None, near=(),
    )  # fmt: skip


def _is_state(condition: Condition, home: str) -> bool:
    """Whether a condition picks rows by what became of them."""
    return condition.member.split(".", 1)[0] == home and condition.operator in ("in", "=", "true")


def _is_of(path: str, question: str, metadata: Metadata) -> bool:
    """Whether a column tells reasons of what is asked about, as far as it says of what: *cancel* of ``canc_rsn``."""
    said = [part for part in metadata.parts(path) if stem(part) not in _REASONS and len(part) >= _SHORTEST]
    words = [token.lower for token in tokenize(question)]
    return not said or any(word.startswith(part[:_SHORTEST]) for part in said for word in words)
