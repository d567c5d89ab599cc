"""``since when are they with us``, ``who bought that``: what of those that were shown is asked for."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Form
from ..reading.reading import Reading
from ..schema.metadata import Metadata
from ..walk.everyday.since import BEGUN
from ..words.leads import LEAD
from ..words.text import stem
from .expressing import relations_of
from .hearing import Heard

__all__ = ["asked_of_shown", "time_asked"]

_LEAD = LEAD
_WHEN = re.compile(rf"{_LEAD}(?:when|on which (?:day|date))\b", re.IGNORECASE)
_SINCE = re.compile(
    rf"{_LEAD}since when (?:is|are|was|were|has|have|had|do|does|did)\s+(?:they|he|she|it|those|these)\b", re.IGNORECASE
)
_WHO = re.compile(
    rf"{_LEAD}who (?:has |have |had )?(?P<did>\w+) (?:it|that|this|them|those|these)(?: ones?)?\W*$", re.IGNORECASE
)
_TAKING = frozenset(
    map(
        stem,
        "bought buys buy ordered purchased rented booked hired borrowed paid took own owns owned returned cancelled "
        "reviewed rated complained reserved subscribed requested".split(),
    )
)
_TAKERS = frozenset(
    map(
        stem,
        "customer client buyer purchaser guest member tenant borrower renter user subscriber patient owner".split(),
    )
)
_NO_DEED = frozenset({"is", "are", "was", "were", "of", "with", "in"})


def asked_of_shown(heard: Heard, form: Form, metadata: Metadata) -> str:
    """The name of what a turn asks of those that were shown, and says by a question word alone; else nothing."""
    return _began(heard, form, metadata) or _doers(heard, form, metadata)


def _began(heard: Heard, form: Form, metadata: Metadata) -> str:
    """The one time at which those that were shown began."""
    root = (relations_of(form) or ("",))[0]
    if _SINCE.match(heard.text) is None or not root:
        return ""
    begun = [path for path in metadata.times([root]) if BEGUN & {stem(part) for part in metadata.parts(path)}]
    return " ".join(metadata.parts(begun[0])) if len(begun) == 1 else ""


def time_asked(heard: Heard, alone: Reading, metadata: Metadata) -> str:
    """``when were they published``: the name of the one time that is asked for of those that were shown."""
    if _WHEN.match(heard.text) is None or alone.draft is None:
        return ""
    times = {one.member for one in alone.draft.mentions if metadata.is_time(one.member)}
    return " ".join(metadata.parts(times.pop())) if len(times) == 1 else ""


def _doers(heard: Heard, form: Form, metadata: Metadata) -> str:
    """The one kind of people who can have done it: customers what is bought, others whatever else is done."""
    said, root = _WHO.match(heard.text), (relations_of(form) or ("",))[0]
    if said is None or said["did"].lower() in _NO_DEED or not root:
        return ""
    people = [name for name in metadata.catalog.relations if metadata.is_of_people(name)]
    near = [name for name in people if name != root and metadata.scope([root, name]) is not None]
    takes = stem(said["did"].lower()) in _TAKING
    fit = [name for name in near if takes == bool(_TAKERS & {stem(word) for word in metadata.words_of(name)})]
    return f"by {' '.join(metadata.words_of(fit[0]))}" if len(fit) == 1 else ""
