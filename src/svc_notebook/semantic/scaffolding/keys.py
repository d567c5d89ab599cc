"""Primary keys, from what is declared, from names, and from what the values bear out."""

from __future__ import annotations

from collections.abc import Mapping

from .profile import TableProfile, kind_of
from .reading import Looker, quoted
from .readings import is_whole
from .tables import Column, Database, Table
from .words import Vocabulary, singular

__all__ = ["CODES", "GENERIC", "KEY_WORDS", "Keys", "find_keys", "is_key_like"]

Keys = Mapping[str, tuple[str, ...]]
KEY_WORDS = ("id", "key", "code", "cd", "no", "nr", "number", "uuid", "guid", "identifier", "pk")
CODES = ("code", "iata", "icao", "faa", "iso", "symbol", "ticker", "sku", "ean", "isbn", "abbreviation", "abbr")
_GLUED_KEYS = ("nr", "nummer")  # Kundennr
_LINES = frozenset(("line", "position", "pos", "seq", "sequence", "item", "row"))
# Numbers without gaps that rank or place, and name nothing.
_NEVER_KEYS = frozenset(
    ("rank", "ranking", "position", "age", "hour", "minute", "quarter", "week", "weekday", "x", "y")
)
_REFERENCES = frozenset(("ref", "reference"))
_SOME_ROWS = 10  # from which on values without gaps are no chance
GENERIC = frozenset(
    ("name", "title", "description", "type", "status", "date", "year", "month", "day", "city", "country", "state",
     "value", "category", "amount", "price", "count", "email", "comment", "text", "note", "notes", "gender", "age",
     "created")
)  # fmt: skip


def is_key_like(words: list[str]) -> bool:
    """Whether a name reads like a key: ``customer id``, ``vat no``, ``code``."""
    return bool(words) and (words[-1] in KEY_WORDS or (len(words[-1]) > 4 and words[-1].endswith(_GLUED_KEYS)))


def find_keys(
    database: Database, profiles: Mapping[str, TableProfile], vocabulary: Vocabulary, looker: Looker | None = None
) -> Keys:
    """The primary key of each table: declared, or the best unique column with a key's name, or two columns."""
    found: dict[str, tuple[str, ...]] = {}
    for table in database.tables:
        if table.primary_key:
            found[table.name] = table.primary_key
            continue
        scored = [
            (_score(column, table, vocabulary, database, profiles[table.name]), -position, column.name)
            for position, column in enumerate(table.columns)
            if _may_identify(column, profiles[table.name], vocabulary)
        ]
        best = max(scored, default=(0, 0, ""))
        # Without rows the values cannot speak for it, so the name must say more.
        least = 3 if profiles[table.name].rows else 4
        if best[0] >= least:
            found[table.name] = (best[2],)
        elif looker is not None and (several := _composite(table, profiles[table.name], vocabulary, looker)):
            found[table.name] = several
    return found


def _may_identify(column: Column, profile: TableProfile, vocabulary: Vocabulary) -> bool:
    kind = kind_of(column.physical)
    if kind not in ("string", "number"):
        return False
    if kind == "number" and not is_whole(column.physical) and not is_key_like(vocabulary.words(column.name)):
        return False  # the tips of tips may all differ, and are amounts
    empty = profile.rows == 0 and column.name in profile.columns  # then its name decides
    return empty or profile.unique(column.name)


def _numbers_the_rows(column: Column, table: Table, words: list[str], profile: TableProfile) -> bool:
    """Whether a first column counts the rows through, whatever it is called, or refers to them by numbers with gaps."""
    known = profile.columns.get(column.name)
    if known is None or not known.whole or table.columns[0] is not column or profile.rows < _SOME_ROWS:
        return False
    through = known.high - known.low + 1 == profile.rows or words[-1:] and words[-1] in _REFERENCES
    return bool(through) and not (_NEVER_KEYS | GENERIC) & set(words)


def _composite(table: Table, profile: TableProfile, vocabulary: Vocabulary, looker: Looker) -> tuple[str, ...]:
    """Two columns that identify the rows together: a key and a line's number, or a table of nothing but two keys."""
    if profile.rows < _SOME_ROWS:
        return ()
    names = {c.name: vocabulary.words(c.name) for c in table.columns if kind_of(c.physical) in ("string", "number")}
    full = [name for name in names if profile.columns[name].filled == profile.rows]
    keys = [name for name in full if is_key_like(names[name])]
    lines = [name for name in full if _LINES & set(names[name]) and profile.columns[name].whole]
    pairs = [(key, line) for key in keys if key not in lines for line in lines]
    if len(keys) == len(table.columns) == 2:
        pairs.append((keys[0], keys[1]))
    for pair in pairs:
        columns = ", ".join(quoted(name) for name in pair)
        counted = looker.rows(f"SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {looker.place(table.name)})")
        if int(counted[0][0]) == profile.rows:
            return pair
    return ()


def _score(column: Column, table: Table, vocabulary: Vocabulary, database: Database, profile: TableProfile) -> int:
    """How much a column's name speaks for its being the key; 3 is enough."""
    words = vocabulary.words(column.name)
    about = [singular(word) for word in vocabulary.words(table.name.rpartition(".")[2])]
    if words in (["id"], ["uuid"], ["guid"]):
        return 6
    score = 0
    if is_key_like(words):
        score += 2
        rest = [singular(word) for word in words[:-1]]
        if rest and rest == about[-len(rest) :]:
            score += 4
        elif rest and any(singular(word) in about for word in rest):
            score += 1
    elif [singular(word) for word in words] == about:
        score += 4  # airport of airports
    # The first letters of the table's words and "id".
    elif len(column.name) <= 4 and column.name.lower() == "".join(word[0] for word in about) + "id":
        score += 4  # aid of author
    elif words[-1:] and words[-1] in CODES:
        score += 2
    if table.columns[0].name == column.name:
        score += 1
    if any(word in GENERIC for word in words) and not is_key_like(words):
        return 0
    if score <= 1 and _numbers_the_rows(column, table, words, profile):
        return 3
    elsewhere = [t for t in database.tables if t.name != table.name and t.column(column.name) is not None]
    # A first column of a name that other tables have as well is what they refer to.
    return score + (2 if elsewhere and table.columns[0].name == column.name and len(table.columns) > 1 else 0)
