"""Rows that are still to come, or over: *upcoming lessons*, *past stays*, *booked for March*, by the clock."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from ..schema.lasting import ends_in, stay_in
from ..turning.rules import said_so
from ..walk.own_nouns import own_nouns
from ..words.text import singular, stem, tokenize

if TYPE_CHECKING:
    from ..schema.metadata import Metadata

__all__ = ["before_or_after_now", "in_the_month_ahead"]

_SAID = said_so(r"\b(?P<when>upcoming|forthcoming|future|coming|past|elapsed) (?P<noun>[a-z]+s)\b(?! of the )")
_MONTHS = tuple("january february march april may june july august september october november december".split())
_PLANNED = said_so(
    r"\b(?:(?:booked|arranged|reserved|registered|enrolled|signed up) for|"
    r"(?:scheduled|planned|due|coming up) (?:for|in)) "
    rf"(?P<month>{'|'.join(_MONTHS)})\b(?! \d| of)"
)
_CALLED_OFF = (("cancelled",), ("canceled",))
_AHEAD = frozenset({"upcoming", "forthcoming", "future", "coming"})


def before_or_after_now(question: str, metadata: Metadata, now: datetime | None) -> str:
    """``upcoming lessons`` as those that begin after today, ``past stays`` as those that ended before it.

    Only where some of the rows lie ahead, and nothing of the model is called so.
    """
    said = _SAID.search(question) if now is not None else None
    if said is None or now is None or stem(said["when"].lower()) in metadata.vocabulary:
        return question
    ahead = said["when"].lower() in _AHEAD
    relation = _relation_of(said["noun"].lower(), question, metadata)
    time = _time_of(relation, metadata, now.date(), ahead=ahead)
    if not time:
        return question
    day = f"{now.day} {_MONTHS[now.month - 1].capitalize()} {now.year}"
    which = _on(relation, question, metadata) if ahead else ""
    told = f"{said['noun']} with {' '.join(metadata.parts(time))} {'after' if ahead else 'before'} {day}{which}"
    return f"{question[: said.start()]}{told}{question[said.end() :]}"


def _on(relation: str, question: str, metadata: Metadata) -> str:
    """What was cancelled is not to come, where a yes or no of the rows says so and nobody speaks of it."""
    own = (member.path for member in metadata.relation(relation).members.values() if member.type == "boolean")
    off = [path for path in own if path in metadata.members and metadata.parts(path) in _CALLED_OFF]
    return f" that are not {metadata.parts(off[0])[0]}" if off and "cancel" not in question.lower() else ""


def in_the_month_ahead(question: str, metadata: Metadata, now: datetime | None) -> str:
    """``booked for March`` as March of the year that is still to come, where rows lie that far ahead."""
    said = _PLANNED.search(question) if now is not None else None
    if said is None or now is None:
        return question
    month = _MONTHS.index(said["month"].lower()) + 1
    year = now.year + (month < now.month)
    highs = (_day(metadata.profile(path).high) for path in metadata.times(metadata.catalog.relations))
    if month == now.month or max(highs, default="") < f"{year}-{month:02d}-01":
        return question
    return f"{question[: said.end()]} {year}{question[said.end() :]}"


def _relation_of(noun: str, question: str, metadata: Metadata) -> str:
    """The rows that a noun is for, or that have a text which is called so."""
    found = {name for name in metadata.kind_names.rows.get(stem(noun), ()) if len(metadata.words_of(name)) == 1}
    found = found or {own.relation for own in own_nouns(tokenize(question), metadata) if own.said == noun}
    if not found:
        texts = (path for path, member in metadata.members.items() if member.type == "string")
        found = {path.split(".", 1)[0] for path in texts if metadata.parts(path) == (singular(noun),)}
    return found.pop() if len(found) == 1 else ""


def _time_of(relation: str, metadata: Metadata, today: date, *, ahead: bool) -> str:
    """When rows begin, or end, of the time that runs beyond today in some of them."""
    own = [path for path in metadata.times([relation]) if path.split(".", 1)[0] == relation] if relation else []
    later = [path for path in own if _day(metadata.profile(path).high) > today.isoformat()]
    ends = (stay_in(metadata, relation) or ends_in(metadata, relation)) if relation else None
    if ends is not None and set(ends) & set(later):
        return ends[0] if ahead else ends[1]
    return later[0] if len(later) == 1 else ""


def _day(value: object) -> str:
    return str(value)[:10] if value is not None else ""
