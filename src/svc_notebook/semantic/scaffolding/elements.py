"""Dimensions and measures of one table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..references import find_references
from .keys import is_key_like
from .profile import ColumnProfile, TableProfile, kind_of
from .tables import Column, Table
from .words import SHORT_WORDS as _SHORT_WORDS
from .words import Vocabulary, identifier, plural

__all__ = ["Names", "column_sql", "dimension", "measures"]

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        "all and any array as asc between both by case cast check collate column constraint create cross current_date "
        "current_time current_timestamp current_user default desc distinct do else end except exists false fetch "
        "for foreign "
        "from full grant group having in inner intersect into is join lateral leading left like limit natural "
        "not null offset "
        "on only or order outer over overlaps placing primary qualify references returning right select "
        "session_user similar "
        "some summarize symmetric table then to trailing true union unique user using values when where window with",
    )
)
_SECRET = frozenset(("password", "passwd", "pwd", "secret", "token", "hash", "salt", "apikey", "ssn"))
_NOT_ADDITIVE = frozenset(
    ("age", "altitude", "average", "avg", "direction", "elevation", "factor", "gpa", "grade", "gust", "height",
     "humidity", "index", "latitude", "level", "longitude", "magnitude", "max", "mean", "median", "min", "offset",
     "percent", "percentage", "percentile", "point", "position", "pressure", "price", "rank", "ranking", "rate",
     "rating", "ratio", "score", "share", "size", "speed", "temperature", "unit", "version", "visibility", "width",
     "x", "y")
)  # fmt: skip
_NO_MEASURE = frozenset(
    (
        "year",
        "month",
        "quarter",
        "week",
        "weekday",
        "day",
        "hour",
        "minute",
        "latitude",
        "longitude",
        "lat",
        "lon",
        "lng",
    )
) | {"zip", "zipcode", "postcode", "phone", "version"}
_SHARES = frozenset(("percent", "percentage", "pct", "share", "ratio", "rate"))
_CURRENCIES = {
    "usd": "USD",
    "dollar": "USD",
    "dollars": "USD",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "gbp": "GBP",
}


class Names:
    """Member names of one cube: identifiers, each given once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def give(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def column_sql(name: str) -> str:
    """A column as a fragment: plain where it can be, else quoted."""
    if _PLAIN.match(name) and name not in _RESERVED:
        return name
    escaped = name.replace('"', '""')
    return f'{{CUBE}}."{escaped}"'


@dataclass(frozen=True, slots=True)
class MadeDimension:
    """A dimension as YAML, with what the measures need to know."""

    yaml: dict[str, Any]
    column: Column
    kind: str
    words: tuple[str, ...]
    key: bool
    year: bool


def dimension(
    column: Column, profile: ColumnProfile | None, key: bool, refers: bool, vocabulary: Vocabulary, names: Names
) -> MadeDimension | None:
    """The dimension of a column; None for a column whose values have no place in a table of results."""
    kind = kind_of(column.physical)
    if kind is None or find_references(column.name):  # a name in braces could not be told from a reference
        return None
    words = vocabulary.words(column.label or column.name)
    sql = column_sql(column.name)
    if kind == "string" and profile is not None and profile.time_format == "comma":
        kind, sql = "number", _as_number(sql)
    elif kind == "string" and profile is not None and profile.time_format is not None:
        kind, sql = "time", _as_time(sql, profile.time_format)
    if column.kind == "time" and kind == "string":
        kind = "string"  # declared as a time, but its values are not readable as one
    made: dict[str, Any] = {"name": names.give(identifier(column.name)), "sql": sql, "type": kind}
    title = column.label[:1].upper() + column.label[1:] if column.label else vocabulary.title(column.name)
    if title.lower() != made["name"].replace("_", " "):
        made["title"] = title
    if column.description:
        made["description"] = column.description
    if key:
        made |= {"primary_key": True, "public": True}
    if not key and _SECRET & {word.lower() for word in words}:
        made["public"] = False
    if kind == "number" and (key or refers or _is_year(words, profile) or is_key_like(words)):
        made["format"] = "id"
    elif kind == "number":
        made |= _format(words, profile)
    year = kind == "number" and _is_year(words, profile)
    return MadeDimension(made, column, kind, tuple(words), key or refers or is_key_like(words), year)


def _as_number(sql: str) -> str:
    text = sql if sql.startswith("{") else f"{{CUBE}}.{sql}"
    return f"TRY_CAST(replace(replace({text}, '.', ''), ',', '.') AS DOUBLE)"


def _as_time(sql: str, pattern: str) -> str:
    text = sql if sql.startswith("{") else f"{{CUBE}}.{sql}"
    return f"TRY_CAST({text} AS TIMESTAMP)" if pattern == "iso" else f"TRY_STRPTIME({text}, '{pattern}')"


def _is_year(words: list[str], profile: ColumnProfile | None) -> bool:
    if not {"year", "yr"} & set(words):
        return False
    known = profile is not None and profile.low is not None and profile.high is not None
    return words[-1] in ("year", "yr") if not known else bool(profile and profile.low >= 1000 and profile.high <= 2200)


def _format(words: list[str], profile: ColumnProfile | None) -> dict[str, Any]:
    """Only where name and values leave no doubt."""
    for word in words:
        if word in _CURRENCIES:
            return {"format": "currency", "currency": _CURRENCIES[word]}
    if not words or words[-1] not in _SHARES or profile is None or profile.low is None or profile.high is None:
        return {}
    return {"format": "percent"} if profile.low >= 0 and profile.high <= 1 and profile.distinct > 2 else {}


def measures(
    table: Table, profile: TableProfile, made: list[MadeDimension], vocabulary: Vocabulary, names: Names
) -> list[dict[str, Any]]:
    """A count; totals, averages and extremes of what is measured; how many different things are referred to."""
    label = (table.label or " ".join(vocabulary.words(table.name.rpartition(".")[2]))).lower()
    found: list[dict[str, Any]] = [
        {"name": names.give("count"), "type": "count", "title": f"Number of {plural(label)}"}
    ]
    for dim in made:
        if dim.kind == "number" and not dim.key and not dim.year and not _NO_MEASURE & set(dim.words[-1:]):
            found += _of_number(dim, profile.columns.get(dim.column.name), names)
    for dim in made:
        if dim.key and not dim.yaml.get("primary_key") and "public" not in dim.yaml:
            found.append(_of_reference(dim, vocabulary, names))
    return found


def _of_number(dim: MadeDimension, profile: ColumnProfile | None, names: Names) -> list[dict[str, Any]]:
    name, title = dim.yaml["name"], dim.yaml.get("title") or dim.yaml["name"].replace("_", " ")
    shown: dict[str, Any] = {key: dim.yaml[key] for key in ("format", "currency") if key in dim.yaml}
    additive = not _NOT_ADDITIVE & set(dim.words) and (profile is None or profile.distinct != 1)
    kinds = [
        ("sum", "total", "Total"),
        ("avg", "avg", "Average"),
        ("min", "min", "Smallest"),
        ("max", "max", "Largest"),
    ]
    lowered = title if title[1:2].isupper() else title[:1].lower() + title[1:]
    return [
        {
            "name": names.give(f"{short}_{name}"),
            "sql": f"{{{name}}}",
            "type": kind,
            "title": f"{word} {lowered}",
            **shown,
        }
        for kind, short, word in kinds
        if kind != "sum" or additive
    ]


def _of_reference(dim: MadeDimension, vocabulary: Vocabulary, names: Names) -> dict[str, Any]:
    words = [word for word in vocabulary.words(dim.column.name) if not is_key_like([word])] or list(dim.words)
    things = plural(" ".join(_SHORT_WORDS.get(word, word) for word in words))
    wanted = identifier(f"distinct_{plural('_'.join(words))}")
    return {
        "name": names.give(wanted),
        "sql": f"{{{dim.yaml['name']}}}",
        "type": "count_distinct",
        "title": f"Distinct {things}",
    }
