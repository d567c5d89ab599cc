"""What a relation's times say together: from when to when a row lasts, and how old somebody is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache

from ..words.numbers import exact_unit
from ..words.text import stem
from .derivations import age_path, span_path, years_path
from .members import BEGUN
from .metadata import Metadata

__all__ = [
    "BIRTH",
    "DUE",
    "PLANNED",
    "age_in",
    "birth_in",
    "ends_in",
    "is_length",
    "named_time",
    "span_of",
    "stay_in",
    "times_of_rows",
    "usual_unit",
    "years_since",
]

BIRTH = frozenset({"birth", "birthdate", "birthday", "born", "dob", "dateofbirth"})


def _stemmed(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_FIRST = _stemmed(
    "start started begin began opened created admitted admission checkin loaned borrowed rented ordered order applied "
    "application pickup hired requested received submitted issued listed reported raised filed "
    "lodged"
)
_LAST = _stemmed(
    "end ended finished closed completed discharged discharge returned return checkout shipped ship delivered delivery "
    "decided dropoff resolved paid until left settled repaired fixed solved restored reopened recovered lifted"
)
_OF_DAYS = _stemmed("admitted admission checkin loaned borrowed ordered order applied application hired listed")
_ALIKE = 4  # letters that a noun and a time's name share: admission, admitted_at


def birth_in(metadata: Metadata, relation: str) -> str | None:
    """When somebody was born, where no column holds an age."""
    times = [p for p in metadata.times([relation]) if p in metadata.members]
    # A column of ages says it better than a birth and today's date.
    if any("age" in metadata.parts(m.path) for m in metadata.relation(relation).members.values() if not m.masked):
        return None
    return next((path for path in times if BIRTH & set(metadata.parts(path))), None)


def age_in(metadata: Metadata, relation: str, today: date) -> str | None:
    """The age of those a relation's rows are, in whole years."""
    born = birth_in(metadata, relation)
    return age_path(born, today) if born is not None else _age_by_year(metadata, relation, today)


def _age_by_year(metadata: Metadata, relation: str, today: date) -> str | None:
    """The age where no more than the year of birth is known, and no column says it."""
    own = [m.path for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    if any("age" in metadata.parts(path) for path in own):
        return None
    born = [path for path in own if BIRTH & set(metadata.parts(path)) and metadata.is_year(path)]
    return years_path(born[0], today.year) if len(born) == 1 else None


def years_since(metadata: Metadata, relation: str, year: int) -> str | None:
    """How many years ago what the rows are was built or founded, by the one year that says so."""
    own = [m.path for m in metadata.relation(relation).members.values() if m.kind == "dimension"]
    years = [path for path in own if path in metadata.members and metadata.is_year(path)]
    begun = [path for path in years if (BEGUN | BIRTH) & set(metadata.parts(path))]
    return years_path(begun[0], year) if len(begun) == 1 else None


def ends_in(metadata: Metadata, relation: str) -> tuple[str, str] | None:
    """When a row begins and ends: when somebody comes and goes, its only two times, or the only that are called so."""
    stay = stay_in(metadata, relation)
    if stay is not None:
        return stay
    times = times_of_rows(metadata, relation)
    # Of several times those that were only planned are none of the two ends.
    if len(times) > 2:
        times = [path for path in times if not PLANNED & set(metadata.parts(path))]
    if len(times) > 2:
        # Exactly one beginning and one end: otherwise which of them is meant is a guess.
        first, last = ([p for p in times if _stems(metadata, p) & words] for words in (_FIRST, _LAST))
        if not first and len(last) == 1 and times[0] not in last:
            first = times[:1]  # no time is called a beginning: the rows' own is theirs
        times = [*first, *last] if len(first) == len(last) == 1 and first != last else []
    return _in_order(metadata, times[0], times[1]) if len(times) == 2 else None


_STAYS = (("in", "out"), ("arrival", "departure"), ("arrived", "departed"), ("from", "until"), ("from", "to"))


def stay_in(metadata: Metadata, relation: str) -> tuple[str, str] | None:
    """When somebody comes and goes, by the names of two times: ``check_in`` and ``check_out``."""
    last = {metadata.parts(p)[-1]: p for p in times_of_rows(metadata, relation) if p.split(".", 1)[0] == relation}
    return next(((last[one], last[other]) for one, other in _STAYS if one in last and other in last), None)


def span_of(metadata: Metadata, start: str, end: str, said: str | None = None) -> str:
    """The time between two times, in the unit that was said or is usual."""
    return span_path(start, end, said or usual_unit(metadata, start, end))


def is_length(metadata: Metadata, path: str) -> bool:
    """Whether a number says how long a row lasts, and not how much work or waiting there was in it."""
    parts = [part for part in metadata.parts(path) if exact_unit(part) is None]
    own = {stem(word) for word in metadata.words_of(path.split(".", 1)[0])}
    return bool(_LENGTHS & set(parts)) or not {stem(part) for part in parts} - own - _TOTALS


_LENGTHS = frozenset({"duration", "length", "runtime", "elapsed"})
PLANNED = frozenset({"due", "planned", "scheduled", "expected", "estimated", "updated"})
DUE = frozenset({"due", "expiry", "expires", "expiration", "deadline", "next"})
"""Words for when something will have to be done, which is no time of what happened."""
_TOTALS = _stemmed("total actual overall time trip ride stay loan play")


def usual_unit(metadata: Metadata, start: str, end: str) -> str:
    """Days where the times are dates, or stays and loans; else hours."""
    if _stems(metadata, start) & _OF_DAYS or all(_is_date(metadata, path) for path in (start, end)):
        return "day"
    return "hour"


def named_time(metadata: Metadata, relation: str, word: str) -> str | None:
    """The time of a relation that a noun speaks of: ``discharge`` of ``discharged_at``."""
    lower = word.lower()
    if len(lower) < _ALIKE:
        return None
    found = [
        path
        for path in times_of_rows(metadata, relation)
        if any(_alike(lower, part) for part in metadata.parts(path) if len(part) >= _ALIKE and part not in _WHEN)
    ]
    return found[0] if len(found) == 1 else None


_WHEN = frozenset({"date", "time", "datetime", "timestamp", "when"})


@lru_cache(4096)
def _alike(word: str, part: str) -> bool:
    shared = next((n for n, (a, b) in enumerate(zip(word, part, strict=False)) if a != b), min(len(word), len(part)))
    # "admission" and "admitted" share their first letters and no stem.
    return stem(word) == stem(part) or shared >= max(_ALIKE, min(len(word), len(part)) - 4)


def times_of_rows(metadata: Metadata, relation: str) -> list[str]:
    """The times that date rows: of those of people none is when they were born."""
    known = [path for path in metadata.times([relation]) if path in metadata.members]
    return [path for path in known if not BIRTH & set(metadata.parts(path))]


def _stems(metadata: Metadata, path: str) -> set[str]:
    return {stem(part) for part in metadata.parts(path)}


def _in_order(metadata: Metadata, one: str, other: str) -> tuple[str, str] | None:
    """The two as the data have them: what begins earlier also ends earlier."""
    # By the data and not by the names: dates of return may come before those of loan in a table.
    low, high = ([_moment(getattr(metadata.profile(path), side)) for path in (one, other)] for side in ("low", "high"))
    if any(moment is None for moment in (*low, *high)):
        return None
    if low[0] <= low[1] and high[0] <= high[1]:  # type: ignore[operator]  # none of them is None
        return one, other
    if low[1] <= low[0] and high[1] <= high[0]:  # type: ignore[operator]  # as above
        return other, one
    return _as_called(metadata, one, other)


def _as_called(metadata: Metadata, one: str, other: str) -> tuple[str, str] | None:
    """The two as their names have them: what began last has not ended yet, so that the data do not tell."""
    first = [bool(_stems(metadata, path) & _FIRST) and not _stems(metadata, path) & _LAST for path in (one, other)]
    last = [bool(_stems(metadata, path) & _LAST) and not _stems(metadata, path) & _FIRST for path in (one, other)]
    if first[0] and last[1]:
        return one, other
    return (other, one) if first[1] and last[0] else None


def _is_date(metadata: Metadata, path: str) -> bool:
    profile = metadata.profile(path)
    ends: Iterable[datetime | None] = (_moment(profile.low), _moment(profile.high))
    return all(end is not None and (end.hour, end.minute, end.second) == (0, 0, 0) for end in ends)


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None
