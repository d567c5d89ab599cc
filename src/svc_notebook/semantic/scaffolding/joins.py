"""Joins: those that are declared, and those found by names and borne out by values."""

from __future__ import annotations

from collections.abc import Mapping

from .composite_joins import joins_of_several_columns
from .found import FoundJoin
from .keys import CODES, GENERIC, KEY_WORDS, Keys
from .people import is_of_people, may_be_who, of_whom
from .profile import TableProfile, included, kind_of
from .reading import Looker
from .tables import Column, Database, KnownJoin, Table
from .words import SHORT_WORDS, Vocabulary, singular

__all__ = ["find_joins"]

_SELF = frozenset("parent previous replaces mother father dam sire sibling predecessor successor".split())
_SELF_OF_PEOPLE = frozenset(
    "manager mgr supervisor boss mentor referrer referred ref reports coordinator leader head chief director trained "
    "introduced recruited invited recommended sponsored mentored coached supervised sibling brother sister partner "
    "spouse buddy sponsor trainer coach".split()
)
_PEOPLE = frozenset(("employee", "staff", "user", "person", "people", "member", "agent"))
_IN_A_ROLE = frozenset(
    ("agent", "assignee", "author", "manager", "owner", "rep", "representative", "reviewer", "salesperson", "seller")
)
_CODES = tuple([word] for word in CODES)
# The same name as another table's key says so much that half of the values are enough; a likeness needs nearly all.
_ENOUGH, _ENOUGH_FOR_SAME_NAME = 0.95, 0.5
_SAME_NAME = 5
_TELLING = 3  # different values, from which on being included tells something


def find_joins(
    database: Database, profiles: Mapping[str, TableProfile], keys: Keys, vocabulary: Vocabulary, looker: Looker | None
) -> list[FoundJoin]:
    """Declared joins, the many side first, then joins found by names and borne out by values.

    Where joins are declared, only columns named exactly as another table's key are added to them, where that table
    gives the key its name: foreign keys of real databases are seldom declared in full.
    """
    found = [_turned(join, profiles, keys) for join in database.joins]
    linked = {frozenset((join.many, join.one)) for join in found}
    used = {(join.many, column) for join in found for column in join.many_columns}
    least = _SAME_NAME if database.declared_joins else 0
    for table in database.tables:
        for column in table.columns:
            found_there = _target(table, column, database, profiles, keys, vocabulary, looker, least)
            if found_there is None or (table.name, column.name) in used:
                continue
            target, key, sure = found_there
            # Two tables that a declared join links are not linked a second time by a guess.
            if database.declared_joins and (looker is None or frozenset((table.name, target)) in linked):
                continue
            itself = keys.get(table.name) == (column.name,)
            relationship = "one_to_one" if itself else "many_to_one"
            found.append(FoundJoin(table.name, (column.name,), target, (key,), relationship, by_values=not sure))
    if looker is not None and not database.joins and not database.declared_joins:
        found += joins_of_several_columns(database, profiles, looker, {frozenset((j.many, j.one)) for j in found})
    return found


def _turned(join: KnownJoin, profiles: Mapping[str, TableProfile], keys: Keys) -> FoundJoin:
    forth = FoundJoin(join.from_table, join.from_columns, join.to_table, join.to_columns)
    back = FoundJoin(join.to_table, join.to_columns, join.from_table, join.from_columns)
    if join.relationship in ("many_to_one", "one_to_one"):
        return FoundJoin(forth.many, forth.many_columns, forth.one, forth.one_columns, join.relationship)
    if join.relationship == "one_to_many":
        return back
    from_one = _identifies(join.from_table, join.from_columns, profiles, keys)
    to_one = _identifies(join.to_table, join.to_columns, profiles, keys)
    if from_one and to_one:
        from_key, to_key = (
            keys.get(t) == c for t, c in ((join.from_table, join.from_columns), (join.to_table, join.to_columns))
        )
        if from_key == to_key:
            return FoundJoin(forth.many, forth.many_columns, forth.one, forth.one_columns, "one_to_one")
        return back if from_key else forth
    return back if from_one else forth


def _identifies(table: str, columns: tuple[str, ...], profiles: Mapping[str, TableProfile], keys: Keys) -> bool:
    return keys.get(table) == columns or (len(columns) == 1 and profiles[table].unique(columns[0]))


def _target(
    table: Table,
    column: Column,
    database: Database,
    profiles: Mapping[str, TableProfile],
    keys: Keys,
    vocabulary: Vocabulary,
    looker: Looker | None,
    least: int,
) -> tuple[str, str, bool] | None:
    """Table and column that this column refers to, by name, then by values; and whether its name says so."""
    candidates: list[tuple[float, str, str]] = []
    itself = keys.get(table.name) == (column.name,)
    for other, key in _identifying(database, profiles, keys, vocabulary):
        if other.name == table.name and (key == column.name or (key,) != keys.get(other.name)):
            continue
        likeness: float = _likeness(column.name, key, other.name, vocabulary, same=other.name == table.name)
        if not _comparable(column, other.column(key)) or (itself and not _owns(other, key, table, vocabulary)):
            continue
        if likeness < least or (least and not _owns(other, key, table, vocabulary)):
            continue
        if same := other.name == table.name:
            # A bool: what may not refer to itself is not alike at all.
            likeness *= _may_refer_to_itself(column.name, table, vocabulary)
        elif not (likeness or itself) and may_be_who(column.name, vocabulary) and is_of_people(other, vocabulary):
            likeness = of_whom((table.name, column.name), (other.name, key), profiles)  # below 1: by its values alone
        if likeness or not same and _may_hold_codes(table.name, column, other.name, key, profiles):
            candidates.append((likeness, other.name, key))
    as_text = kind_of(column.physical) == "string"
    fitting = [
        (likeness, (name, key))
        # By likeness alone: of equals the first in the order of tables is looked at first.
        for likeness, name, key in sorted(candidates, key=lambda found: -found[0])
        if _borne_out(likeness, (table.name, column.name), (name, key), profiles, looker, as_text=as_text)
    ]
    named = [(*place, likeness >= 1) for likeness, place in fitting if likeness]
    # Without a telling name only one table may fit: values of two letters are in many.
    return named[0] if named else (*fitting[0][1], True) if len(fitting) == 1 else None


def _may_refer_to_itself(column: str, table: Table, vocabulary: Vocabulary) -> bool:
    """Whether a row may have another row of its table for its parent, or a person for their supervisor."""
    said = vocabulary.words(column)[:1]
    return bool(set(said) & _SELF) or is_of_people(table, vocabulary)


def _identifying(
    database: Database, profiles: Mapping[str, TableProfile], keys: Keys, vocabulary: Vocabulary
) -> list[tuple[Table, str]]:
    """The columns that may be referred to: keys, and beside them codes of which every row has its own or none."""
    found: list[tuple[Table, str]] = []
    for table in database.tables:
        key = keys.get(table.name, ())
        found += [(table, key[0])] if len(key) == 1 else []
        for column in table.columns:
            seen = profiles[table.name].columns.get(column.name)
            is_code = kind_of(column.physical) == "string" and _names_a_code(column.name, table.name, vocabulary)
            # Each that is there is there once; some rows may have none.
            if is_code and (column.name,) != key and seen is not None and seen.filled == seen.distinct > 1:
                found.append((table, column.name))
    return found


def _names_a_code(column: str, table: str, vocabulary: Vocabulary) -> bool:
    """``iata``, ``code``, ``airport_code`` of airports; not ``postal_code``, which is of a place."""
    words = [singular(word) for word in vocabulary.words(column)]
    about = [singular(word) for word in vocabulary.words(table.rpartition(".")[2])]
    return words[-1:] in _CODES and (words[-1] != "code" or words[:-1] in ([], about))


def _owns(other: Table, key: str, table: Table, vocabulary: Vocabulary) -> bool:
    """Whether a key is named after ``other`` and not after ``table``, which then is a part of it."""
    rest = [singular(word) for word in vocabulary.words(key)[:-1]]
    names = [[singular(w) for w in vocabulary.words(t.name.rpartition(".")[2])] for t in (other, table)]
    return bool(rest) and names[0] == rest and names[1] != rest


def _may_hold_codes(table: str, column: Column, other: str, key: str, profiles: Mapping[str, TableProfile]) -> bool:
    """Whether a column without a telling name (``origin``) is worth comparing with another table's text key."""
    here, there = profiles[table].columns.get(column.name), profiles[other].columns.get(key)
    if table == other or here is None or there is None or kind_of(column.physical) != "string":
        return False
    return _TELLING <= here.distinct <= there.distinct and here.distinct < here.filled and here.reading is None


def _borne_out(
    likeness: float,
    child: tuple[str, str],
    parent: tuple[str, str],
    profiles: Mapping[str, TableProfile],
    looker: Looker | None,
    *,
    as_text: bool,
) -> bool:
    if looker is None or not profiles[child[0]].rows or not profiles[parent[0]].rows:
        return likeness > 0
    return included(looker, child, parent, as_text=as_text) >= (
        _ENOUGH_FOR_SAME_NAME if likeness == _SAME_NAME else _ENOUGH
    )


def _comparable(column: Column, key: Column | None) -> bool:
    return key is not None and kind_of(column.physical) == kind_of(key.physical)


def _likeness(column: str, key: str, table: str, vocabulary: Vocabulary, *, same: bool) -> int:
    """How clearly ``column`` names ``key`` of ``table``; 0 for not at all."""
    if same:
        return _own_likeness(column, table, vocabulary)
    words = [singular(word) for word in vocabulary.words(column)]
    key_words = [singular(word) for word in vocabulary.words(key)]
    about = [singular(word) for word in vocabulary.words(table.rpartition(".")[2])]
    if not words:
        return 0
    if words == key_words and key_words != ["id"] and not set(key_words) <= GENERIC:
        return _SAME_NAME
    keys = words[-1] in KEY_WORDS and _ends_as_key(key_words)
    return keys and _keyed_likeness(words[:-1], words, key_words, about) or _named_likeness(words, key_words, about)


def _own_likeness(column: str, table: str, vocabulary: Vocabulary) -> int:
    """How clearly a column names another row of its own table: ``parent_id``, ``line_manager_id``."""
    words = vocabulary.words(column)
    own = {*KEY_WORDS, "to", "by", *map(singular, vocabulary.words(table.rpartition(".")[2]))}
    said = [word for word in words if singular(word) not in own]
    alone = words[:1] and words[0] in _SELF | _SELF_OF_PEOPLE and set(map(singular, words[1:])) <= own
    return 2 if alone or said[-1:] and said[-1] in _SELF_OF_PEOPLE else 0


def _ends_as_key(words: list[str]) -> bool:
    return bool(words) and words[-1] in KEY_WORDS


def _keyed_likeness(rest: list[str], words: list[str], key_words: list[str], about: list[str]) -> int:
    """The same where both end as keys do; ``rest`` stands before that."""
    if not rest:
        return 0
    if rest == about:
        return 4
    if about and rest[-len(about) :] == about:
        return 3  # billing_customer_id
    if len(key_words) > 1 and words[-len(key_words) :] == key_words:
        return 3
    if about and rest == about[-len(rest) :]:
        return 2
    in_a_role = rest[-1] in _IN_A_ROLE and about[-1:] and about[-1] in _PEOPLE
    return 1 if in_a_role else 0  # support_rep_id, of employees


def _named_likeness(words: list[str], key_words: list[str], about: list[str]) -> int:
    """The same by what the key is of, or what the table is about."""
    thing = key_words[:-1] if _ends_as_key(key_words) else []
    if thing and words[-len(thing) :] == thing and not set(thing) <= GENERIC:
        return 2  # from_stn, of what is known by its stn_id
    if about and _written_out(words)[-len(about) :] == _written_out(about):
        return 2  # from_airport, dept
    return 0


def _written_out(words: list[str]) -> list[str]:
    return [SHORT_WORDS.get(word, word) for word in words]
