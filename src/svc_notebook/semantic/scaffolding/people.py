"""Tables of people: what they are called, what they know, and columns that say who did something."""

from __future__ import annotations

from collections.abc import Mapping

from .profile import TableProfile
from .tables import Table
from .words import SHORT_WORDS, Vocabulary, singular

__all__ = ["doer", "has_names", "is_of_people", "may_be_who", "of_whom"]

_CALLED = frozenset(
    "employee staff crew user person member agent worker customer client guest patient student pupil teacher professor "
    "lecturer doctor nurse driver pilot technician host volunteer donor tenant player officer consultant "
    "librarian instructor rider mechanic trainer coach seller buyer author artist musician judge engineer advisor "
    "adviser".split()
)
_KNOWN_OF = frozenset({"hired", "salary", "fullname"})
_HALVES = (frozenset({"first", "forename", "fname", "given"}), frozenset({"last", "surname", "lname", "family"}))
_NAMES = frozenset({"name", "fullname", "title", "label"})
_ACTING = frozenset(
    "adviser advisor approver assistant author buyer captain checker coach conductor coordinator creator doctor driver "
    "editor engineer examiner guide handler host inspector instructor interviewer judge lecturer mentor nurse "
    "officer operator owner physician pilot presenter professor recruiter referee reporter requester reviewer "
    "seller speaker supervisor surgeon teacher technician tester trainer translator tutor".split()
)
_KEYS = frozenset({"id", "no", "nr", "number", "key", "code"})
# Below 1, so that what the name says goes before what only the values say.
_ALMOST = 0.99
_FEW = 3  # different people, from which on it tells something that all of them are there
_MOST = 0.3  # of the people are named in a column, at the least, where only its values say whose it is


def is_of_people(table: Table, vocabulary: Vocabulary) -> bool:
    """Whether the rows of a table are people: it is called so, or it knows their names or salaries."""
    last = vocabulary.words(table.name.rpartition(".")[2])[-1:]
    called = {SHORT_WORDS.get(word, singular(word)) for word in last}
    columns = [vocabulary.words(column.name) for column in table.columns]
    words = {word for each in columns for word in each} | {"fullname" for each in columns if each == ["full", "name"]}
    return bool(called & _CALLED or words & _KNOWN_OF) or all(words & half for half in _HALVES)


def has_names(table: Table, vocabulary: Vocabulary) -> bool:
    """Whether a table names its rows."""
    words = [vocabulary.words(column.name) for column in table.columns]
    return any(set(each[-1:]) & _NAMES for each in words) or all(
        any(set(each) & half for each in words) for half in _HALVES
    )


def may_be_who(column: str, vocabulary: Vocabulary) -> bool:
    """Whether a column says who did something: ``booked_by``, ``approved_by_id``, ``supervisor_id``."""
    words = vocabulary.words(column)
    bare = words[:-1] if len(words) > 1 and words[-1] in _KEYS else words
    # booked_by; or a person's role before a key's word: driver_id, and not driver, which may be a name.
    return len(bare) > 1 and bare[-1] == "by" or bare[-1:] != words[-1:] and singular(bare[-1]) in _ACTING


def doer(done: str) -> str:
    """Who does what a participle says: *trainer* of ``trained``, *referrer* of ``referred``."""
    if done in _DOERS:
        return _DOERS[done]
    return f"{done.removesuffix('d')}r" if done.endswith("ed") else done


_DOERS = {"supervised": "supervisor", "sponsored": "sponsor", "coached": "coach", "mentored": "mentor", "led": "leader"}


def of_whom(child: tuple[str, str], parent: tuple[str, str], profiles: Mapping[str, TableProfile]) -> float:
    """How many of the people of a table a column names, below 1; 0 for so few that it may be by chance.

    Numbers that begin beyond how many people there are (401 to 510) are of nothing that is counted from one.
    """
    here, there = profiles[child[0]].columns.get(child[1]), profiles[parent[0]]
    part = here.distinct / there.rows if here is not None and there.rows else 0.0
    key = there.columns.get(parent[1])
    own = key is not None and isinstance(key.low, int | float) and key.low > there.rows
    return min(part, _ALMOST) if part >= _MOST or own and here is not None and here.distinct >= _FEW else 0.0
