"""What several rows of one table belong to together: the receipt of receipt lines, the order of order lines.

Told by values alone: a column that only names things comes again and again, and whatever day a row has, all rows of one
name have it. Such things are rows of their own, and people count, list and compare them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from msgspec import Struct

from .elements import MadeDimension, column_sql
from .keys import is_key_like
from .profile import TableProfile
from .reading import Looker, quoted
from .tables import Table
from .words import SHORT_WORDS, Vocabulary, plural, singular

__all__ = ["Header", "header_of"]

# Fewer things, or longer ones, are categories; more rows take seconds to group by every column.
_FEW, _MOST_LINES, _MANY_ROWS = 8, 100, 2_000_000
_LEAST_LINES = 1.15  # rows of a thing on average


class Header(Struct, frozen=True):
    """``things`` are what the rows of a table belong to, by the dimension ``key``; ``dimensions`` are theirs."""

    things: str
    key: MadeDimension
    dimensions: tuple[MadeDimension, ...]
    sql: str


def header_of(
    table: Table,
    made: Sequence[MadeDimension],
    profile: TableProfile,
    taken: Collection[str],
    vocabulary: Vocabulary,
    looker: Looker | None,
) -> Header | None:
    """What the rows of a table belong to, where there is one such thing; ``taken``: columns that refer elsewhere."""
    if looker is None or profile.rows > _MANY_ROWS or not any(dim.kind == "time" for dim in made):
        return None
    found = [
        header
        for dim in made
        if dim.column.name not in taken and _comes_again(dim, profile) and (things := _things(dim, vocabulary))
        if (header := _header(things, dim, table, made, looker)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _comes_again(dim: MadeDimension, profile: TableProfile) -> bool:
    known = profile.columns.get(dim.column.name)
    # dim.key: it refers to something, or is named as if it did.
    if known is None or not dim.key or dim.yaml.get("primary_key") or known.distinct < _FEW:
        return False
    return _LEAST_LINES <= known.filled / known.distinct <= _MOST_LINES


def _things(dim: MadeDimension, vocabulary: Vocabulary) -> str:
    """What the things are called, in the plural: ``Receipt #`` names receipts."""
    words = [word for word in vocabulary.words(dim.column.label or dim.column.name) if not is_key_like([word])]
    said = [SHORT_WORDS.get(word, word) for word in words]
    return "_".join([*said[:-1], plural(singular(said[-1]))]) if said and said[-1].isalpha() else ""


def _header(
    things: str, key: MadeDimension, table: Table, made: Sequence[MadeDimension], looker: Looker
) -> Header | None:
    others = [dim for dim in made if dim is not key and "{" not in _bare(dim) and not dim.yaml.get("primary_key")]
    if not others:
        return None
    ends = [f"min({_compared(dim)}) AS a{at}, max({_compared(dim)}) AS z{at}" for at, dim in enumerate(others)]
    # NULL where a column is empty in all rows, so that it is nobody's.
    differ = [f"max(CASE WHEN a{at} <> z{at} THEN 1 WHEN a{at} = z{at} THEN 0 END)" for at in range(len(others))]
    name, place = quoted(key.column.name), looker.place(table.name)
    inner = f"SELECT {', '.join(ends)} FROM {place} WHERE {name} IS NOT NULL GROUP BY {name}"
    told = looker.rows(f"SELECT {', '.join(differ)} FROM ({inner}) AS things")
    theirs = [dim for dim, unlike in zip(others, told[0], strict=True) if unlike == 0]
    moments = " ".join(_bare(dim) for dim in theirs if dim.kind == "time")
    theirs = [dim for dim in theirs if dim.kind == "time" or f"({_bare(dim)} AS TIME)" not in moments]
    # Without a time of its own the thing is no event; where all columns are its, the rows are mere repetitions.
    if not any(dim.kind == "time" for dim in theirs) or len(theirs) == len(others):
        return None
    numbered = replace(key, yaml={**key.yaml, "meta": {**key.yaml.get("meta", {}), "numbers": things}})
    own = replace(numbered, yaml={**_plain(numbered), "primary_key": True, "public": True})
    columns = ", ".join(f"any_value({_bare(dim)}) AS {quoted(dim.yaml['name'])}" for dim in theirs)
    own_name = quoted(key.yaml["name"])
    sql = f"SELECT {name} AS {own_name}, {columns} FROM {{table}} WHERE {name} IS NOT NULL GROUP BY 1"
    return Header(things, numbered, (own, *(replace(dim, yaml=_plain(dim)) for dim in theirs)), sql)


def _compared(dim: MadeDimension) -> str:
    # PostgreSQL has no min() of booleans.
    return f"CAST({_bare(dim)} AS INTEGER)" if dim.kind == "boolean" else _bare(dim)


def _plain(dim: MadeDimension) -> dict[str, Any]:
    return {**deepcopy(dim.yaml), "sql": column_sql(dim.yaml["name"])}


def _bare(dim: MadeDimension) -> str:
    """The SQL of a dimension over its table alone."""
    return str(dim.yaml["sql"]).replace("{CUBE}.", "")
