"""Joins: those that are declared, and those found by names and borne out by values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .keys import GENERIC, KEY_WORDS, Keys
from .profile import TableProfile, included, kind_of
from .reading import Looker
from .tables import Column, Database, KnownJoin, Table
from .words import Vocabulary, singular

__all__ = ["FoundJoin", "find_joins"]

_SELF = frozenset(("parent", "manager", "supervisor", "boss", "previous", "replaces", "mentor", "referrer"))
_ENOUGH, _ENOUGH_FOR_SAME_NAME = 0.95, 0.5
_SAME_NAME = 5
_TELLING = 3  # different values, from which on being included tells something


@dataclass(frozen=True, slots=True)
class FoundJoin:
    """``many`` refers to ``one``; ``relationship`` reads from ``many`` to ``one``."""

    many: str
    many_columns: tuple[str, ...]
    one: str
    one_columns: tuple[str, ...]
    relationship: str = "many_to_one"


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
            target = _target(table, column, database, profiles, keys, vocabulary, looker, least)
            if target is None or (table.name, column.name) in used:
                continue
            if database.declared_joins and (looker is None or frozenset((table.name, target)) in linked):
                continue
            itself = keys.get(table.name) == (column.name,)
            relationship = "one_to_one" if itself else "many_to_one"
            found.append(FoundJoin(table.name, (column.name,), target, keys[target], relationship))
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
) -> str | None:
    """The table whose key this column refers to, by name first, then by values."""
    candidates: list[tuple[int, str]] = []
    for other in database.tables:
        key = keys.get(other.name, ())
        if len(key) != 1 or (other.name == table.name and key[0] == column.name):
            continue
        likeness = _likeness(column.name, key[0], other.name, vocabulary, same=other.name == table.name)
        itself = keys.get(table.name) == (column.name,)
        if not _comparable(column, other.column(key[0])) or (itself and not _owns(other, key[0], table, vocabulary)):
            continue
        if likeness < least or (least and not _owns(other, key[0], table, vocabulary)):
            continue
        if likeness or _may_hold_codes(table.name, column, other.name, profiles, keys):
            candidates.append((likeness, other.name))
    fitting = [
        (likeness, name)
        for likeness, name in sorted(candidates, key=lambda pair: -pair[0])
        if _borne_out(likeness, (table.name, column.name), (name, keys[name][0]), profiles, looker)
    ]
    named = [name for likeness, name in fitting if likeness]
    return named[0] if named else fitting[0][1] if len(fitting) == 1 else None


def _owns(other: Table, key: str, table: Table, vocabulary: Vocabulary) -> bool:
    """Whether a key is named after ``other`` and not after ``table``, which then is a part of it."""
    rest = [singular(word) for word in vocabulary.words(key)[:-1]]
    names = [[singular(w) for w in vocabulary.words(t.name.rpartition(".")[2])] for t in (other, table)]
    return bool(rest) and names[0] == rest and names[1] != rest


def _may_hold_codes(table: str, column: Column, other: str, profiles: Mapping[str, TableProfile], keys: Keys) -> bool:
    """Whether a column without a telling name (``origin``) is worth comparing with another table's text key."""
    here, there = profiles[table].columns.get(column.name), profiles[other].columns.get(keys[other][0])
    if table == other or here is None or there is None or kind_of(column.physical) != "string":
        return False
    return _TELLING <= here.distinct <= there.distinct and here.distinct < here.filled and here.reading is None


def _borne_out(
    likeness: int,
    child: tuple[str, str],
    parent: tuple[str, str],
    profiles: Mapping[str, TableProfile],
    looker: Looker | None,
) -> bool:
    if looker is None or not profiles[child[0]].rows or not profiles[parent[0]].rows:
        return likeness > 0
    return included(looker, child, parent) >= (_ENOUGH_FOR_SAME_NAME if likeness == _SAME_NAME else _ENOUGH)


def _comparable(column: Column, key: Column | None) -> bool:
    return key is not None and kind_of(column.physical) == kind_of(key.physical)


def _likeness(column: str, key: str, table: str, vocabulary: Vocabulary, *, same: bool) -> int:
    """How clearly ``column`` names ``key`` of ``table``; 0 for not at all."""
    if same:
        words = vocabulary.words(column)
        return 2 if len(words) == 2 and words[0] in _SELF and words[1] in KEY_WORDS else 0
    words = [singular(word) for word in vocabulary.words(column)]
    key_words = [singular(word) for word in vocabulary.words(key)]
    about = [singular(word) for word in vocabulary.words(table.rpartition(".")[2])]
    if not words:
        return 0
    if words == key_words and key_words != ["id"] and not set(key_words) <= GENERIC:
        return _SAME_NAME
    if len(words) > 1 and words[-1] in KEY_WORDS and key_words[-1:] and key_words[-1] in KEY_WORDS:
        rest = words[:-1]
        if rest == about:
            return 4
        if about and rest[-len(about) :] == about:
            return 3  # billing_customer_id
        if len(key_words) > 1 and words[-len(key_words) :] == key_words:
            return 3
        if about and rest == about[-len(rest) :]:
            return 2
    return 0
