"""Dimensions and measures of one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ... import patterns as re
from ...records import dataclass
from ..naming import UNITS
from ..references import find_references
from .headings import asked, per_of, scale_of, unscaled
from .keys import is_key_like
from .kinds import NumberKind, number_kind
from .profile import ColumnProfile, TableProfile, kind_of
from .tables import Column, Table
from .units import CURRENCIES, unit_of
from .words import SHORT_WORDS as _SHORT_WORDS
from .words import Vocabulary, identifier, plural

__all__ = ["Names", "column_sql", "dimension", "measures", "rows_called", "without_date", "without_units"]

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        # Those that DuckDB or PostgreSQL do not take as a column's name without quotes.
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
# Hidden in the model, for the author to show if it is none.
_SECRET = frozenset(("password", "passwd", "pwd", "secret", "token", "hash", "salt", "apikey", "ssn"))
# Written in digits, and nothing that is added up.
_NUMERALS = frozenset(("zip", "zipcode", "postcode", "phone", "fax", "mobile", "version"))
_KINDS_OF = frozenset(("group", "grp", "category", "type"))  # numbers that say of which kind something is
_NO_MEASURE = frozenset(
    ("year", "month", "quarter", "week", "weekday", "day", "hour", "minute", "latitude", "longitude", "lat", "lon",
     "lng")
) | _NUMERALS | _KINDS_OF  # fmt: skip
_YEARS = frozenset(("year", "yr", "fy", "yob"))
_HAPPENED = frozenset(
    ("built", "established", "founded", "born", "since", "opened", "closed", "launched", "vintage", "date", "released",
     "release")
)  # fmt: skip
_SHARES = frozenset(("percent", "percentage", "pct", "share", "ratio", "rate", "margin", "probability"))
# A table this wide would have hundreds of measures; sums and averages are left of them.
_MANY_NUMBERS = 40
_PLACES = frozenset(("zip", "post", "postal"))  # codes that are the thing itself


class Names:
    """Member names of one cube: identifiers, each given once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    @property
    def given(self) -> int:
        return len(self._taken)

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
    number: NumberKind | None = None


def dimension(
    column: Column, profile: ColumnProfile | None, key: bool, refers: bool, vocabulary: Vocabulary, names: Names
) -> MadeDimension | None:
    """The dimension of a column; None for a column whose values have no place in a table of results."""
    kind = kind_of(column.physical)
    # Lists, structs and the like have no kind.
    if kind is None or find_references(column.name):  # a name in braces could not be told from a reference
        return None
    words = vocabulary.words(column.label or column.name)
    bare = unit_of(words)[1]
    question = asked(bare)
    sql = column_sql(column.name)
    named = is_key_like(words) or kind == "number" and _is_numbering(words, profile)
    reading = profile.reading if profile is not None and not (key or refers or named) else None
    if reading is not None:
        kind, sql = reading.kind, reading.sql(sql if sql.startswith("{") else f"{{CUBE}}.{sql}")
    short = question is not None and kind == "number" and not column.label  # the number is what was asked for
    if question is not None and short:
        words = [*question.name, *words[len(bare) :]]
    made: dict[str, Any] = {
        "name": names.give(identifier(unscaled(column.name), f"column_{names.given + 1}")),
        "sql": sql,
        "type": kind,
    }
    chosen = question is not None and kind == "string" and words[:1] and words[0] in ("which", "what")
    title = vocabulary.title(
        "_".join(question.name if question is not None and chosen else words) if short or chosen else column.name
    )
    title = column.label[:1].upper() + column.label[1:] if column.label else title
    if title.lower() != made["name"].replace("_", " "):
        made["title"] = title
    if column.description:
        made["description"] = column.description
    if key:
        # Said, since a key is hidden unless it says so; here its values are what people look rows up by.
        made |= {"primary_key": True, "public": True}
    if not key and _SECRET & {word.lower() for word in words}:
        made["public"] = False
    year = kind == "number" and _is_year(words, profile)
    if reading is not None:
        made |= reading.shown
    elif kind == "number" and (key or refers or year or named or words[-1:] and words[-1] in _NUMERALS):
        made["format"] = "id"
    elif kind == "number":
        made |= _format(words, profile)
    number = _number(made, words, profile, counted=kind == "number" and made.get("format") != "id", year=year)
    if number is not None and scale_of(column.name) and number.kind not in ("year", "id", "flag"):
        number = NumberKind("level", "avg", "its heading names a scale")
    elif number is not None and (per := per_of(column.name)) and number.kind not in ("year", "id", "flag"):
        number = NumberKind("rate", "avg", "its unit is one over another", per)
    if number is not None and number.meta:
        made["meta"] = number.meta
    if question is not None and (also := [one for one in question.synonyms if one != title.lower()]):
        made["meta"] = {**made.get("meta", {}), "synonyms": also}
    return MadeDimension(made, column, kind, tuple(words), key or refers or named, year, number)


def without_units(dimensions: Sequence[MadeDimension], vocabulary: Vocabulary) -> None:
    """Titles that end in a unit do without it (``budget_usd``: Budget) where no other column is then called so."""
    shorter = {at: vocabulary.title("_".join(rest)) for at, dim in enumerate(dimensions) if (rest := _bare(dim))}
    titles = Counter([*shorter.values(), *(_title_of(dim) for at, dim in enumerate(dimensions) if at not in shorter)])
    for at, title in shorter.items():
        if titles[title] == 1:
            dimensions[at].yaml["title"] = title


def _bare(dim: MadeDimension) -> list[str]:
    """The words of a number's name without its unit; none where it has none."""
    if dim.number is None or dim.number.unit is None or dim.column.label:
        return []
    if dim.number.unit == "%" and not dim.column.name.rstrip(" )]").endswith("%"):  # a share is not its whole
        return []
    rest = unit_of(dim.words)[1]
    return rest if len(rest) < len(dim.words) else []


def _title_of(dim: MadeDimension) -> str:
    title: str = dim.yaml.get("title") or dim.yaml["name"].replace("_", " ")
    return title[:1].upper() + title[1:]


def _number(
    made: dict[str, Any], words: list[str], profile: ColumnProfile | None, *, counted: bool, year: bool
) -> NumberKind | None:
    """What a number is; None for what is no number."""
    if year:
        return NumberKind("year", "none", "its values are years")
    if made.get("format") == "id":
        return NumberKind("id", "none", "it is a key, or named like one")
    if not counted:
        return None
    if _is_no_measure(words):
        kind = "coordinate" if words[-1].startswith(("lat", "lon", "lng")) else "calendar"
        kind = "category" if words[-1] in _KINDS_OF else kind
        return NumberKind(kind, "none", f"its name says '{words[-1]}'")
    expanded = [part for word in words for part in _SHORT_WORDS.get(word, word).split()]
    return number_kind(expanded, profile, percent=made.get("format") == "percent")


def _is_no_measure(words: Sequence[str]) -> bool:
    """Whether a name ends in a time, a place or a kind; so much *per week* is measured."""
    return bool(_NO_MEASURE & set(words[-1:])) and tuple(words[-2:-1]) != ("per",)


def _is_numbering(words: list[str], profile: ColumnProfile | None) -> bool:
    """Whether numbers without gaps only name things: no level, price or duration is what their name says."""
    said = profile is not None and profile.counted_through and number_kind(words, None).kind
    return said in ("number", "amount", "quantity")


def _is_year(words: list[str], profile: ColumnProfile | None) -> bool:
    known = profile is not None and profile.low is not None and profile.high is not None
    # From the first years that are written in four digits to plans for a long time.
    within = bool(profile and known and profile.low >= 1000 and profile.high <= 2200)
    if _YEARS & set(words):
        return words[-1] in _YEARS if not known else within
    return bool(_HAPPENED & set(words[-1:])) and within and bool(profile and profile.whole)


def _format(words: list[str], profile: ColumnProfile | None) -> dict[str, Any]:
    """Only where name and values leave no doubt."""
    for word in words:
        if word in CURRENCIES:
            return {"format": "currency", "currency": CURRENCIES[word]}
    return {"format": "percent"} if _is_share(words, profile) else {}


def _is_share(words: list[str], profile: ColumnProfile | None) -> bool:
    if not words or words[-1] not in _SHARES or profile is None or profile.low is None or profile.high is None:
        return False
    # 0 and 1 alone are a flag, whatever the name says.
    between = profile.distinct > 2 or 0 < profile.high < 1
    return bool(profile.low >= 0 and profile.high <= 1 and between)


_NO_NOUNS = frozenset("data dataset df frame dataframe table sheet csv file query result".split())
_KEPT_AS = _NO_NOUNS | frozenset("export exports extract dump download final clean cleaned raw full".split())
_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september "
    "october november december".split()
)
_ANSWERED = frozenset("survey questionnaire poll feedback".split())
_ANSWERS = frozenset("results responses answers replies".split())
_WRITTEN = frozenset("log journal diary".split())


def rows_called(label: str) -> str:
    """What several rows are called: what the table is, unless its name only says that it is one.

    >>> [rows_called(one) for one in ("customer", "transactions export", "visitor survey 2026", "home energy log")]
    ['customers', 'transactions', 'visitor survey responses', 'home energy log entries']
    """
    if set(label.split()) <= _NO_NOUNS:
        return "rows"
    words = without_date(label).split()
    if len(words) == 1 and _is_date(words[0]) or set(words) <= _KEPT_AS:
        return "rows"
    words = words[:-1] if words[-1] in _ANSWERS and words[-2:-1] and words[-2] in _ANSWERED else words
    if words[-1] in _ANSWERED:
        return f"{' '.join(words)} responses"
    return f"{' '.join(words)} entries" if words[-1] in _WRITTEN else plural(" ".join(words))


def without_date(label: str) -> str:
    """What a table is called, without that it is an export, and of when."""
    words = label.split()
    if len(words) > 2 and words[-2].lower() == "q" and words[-1] in "1234":
        words = words[:-2]
    while len(words) > 1 and (words[-1].lower() in _KEPT_AS or _is_date(words[-1])):
        words = words[:-1]
    # A month is said of a year behind it, and may be a name.
    if len(words) > 1 and words[-1].lower() in _MONTHS and label.split()[-1] != words[-1]:
        words = words[:-1]
        while len(words) > 1 and words[-1].lower() in _KEPT_AS:
            words = words[:-1]
    return " ".join(words)


def _is_date(word: str) -> bool:
    return word.isdigit() and len(word) in (2, 4, 6, 8)


def measures(
    table: Table, profile: TableProfile, made: list[MadeDimension], vocabulary: Vocabulary, names: Names
) -> list[dict[str, Any]]:
    """A count; totals, averages and extremes of what is measured; how many different things are referred to."""
    label = (table.label or vocabulary.thing(table.name)).lower()
    found: list[dict[str, Any]] = [
        {"name": names.give("count"), "type": "count", "title": f"Number of {rows_called(label)}"}
    ]
    measured = [
        dim for dim in made if dim.kind == "number" and not dim.key and not dim.year and not _is_no_measure(dim.words)
    ]
    kinds = _KINDS if len(measured) <= _MANY_NUMBERS else _KINDS[:2]
    for dim in measured:
        found += _of_number(dim, profile.columns.get(dim.column.name), names, kinds)
    for dim in made:
        if dim.key and not dim.yaml.get("primary_key") and "public" not in dim.yaml:
            found.append(_of_reference(dim, vocabulary, names))
    return found


_KINDS = (("sum", "total", "Total"), ("avg", "avg", "Average"), ("min", "min", "Smallest"), ("max", "max", "Largest"))


def _of_number(
    dim: MadeDimension, profile: ColumnProfile | None, names: Names, kinds: Sequence[tuple[str, str, str]]
) -> list[dict[str, Any]]:
    name = dim.yaml["name"]
    title = dim.yaml.get("title") or " ".join(UNITS.get(word.lower(), word) for word in name.split("_"))
    # A second capital is an abbreviation: GPA is not gPA.
    lowered = title if title[1:2].isupper() else title[:1].lower() + title[1:]
    shown: dict[str, Any] = {key: dim.yaml[key] for key in ("format", "currency") if key in dim.yaml}
    if dim.number is not None and dim.number.unit and "currency" not in shown:
        shown["meta"] = {"unit": dim.number.unit}
    is_flag = dim.number is None or dim.number.kind == "flag"
    if profile is not None and profile.flag and is_flag:  # 0 or 1: how many, and which share
        return [
            {"name": names.give(f"total_{name}"), "sql": f"{{{name}}}", "type": "sum", "title": f"Total {lowered}"},
            {"name": names.give(f"avg_{name}"), "sql": f"{{{name}}}", "type": "avg", "title": f"Share of {lowered}"}
            | {"format": "percent"},
        ]
    return [
        {"name": names.give(f"{short}_{name}"), "sql": f"{{{name}}}", "type": kind, "title": _titled(word, lowered)}
        | shown
        for kind, short, word in kinds
        if kind != "sum" or _is_additive(dim, profile)
    ]


def _titled(word: str, thing: str) -> str:
    return f"Sum of {thing}" if word == "Total" and "total" in thing.split() else f"{word} {thing}"


def _is_additive(dim: MadeDimension, profile: ColumnProfile | None) -> bool:
    if dim.number is not None and dim.number.kind in ("rate", "price", "level"):
        return False
    # A column of one value says something of the table, and is not added up over its rows.
    return profile is None or profile.distinct != 1


def _of_reference(dim: MadeDimension, vocabulary: Vocabulary, names: Names) -> dict[str, Any]:
    words = list(dim.words)
    if not set(words) & _PLACES:
        words = [word for word in vocabulary.words(dim.column.name) if not is_key_like([word])] or words
    things = plural(" ".join(_SHORT_WORDS.get(word, word) for word in words))
    wanted = identifier(f"distinct_{plural('_'.join(words))}")
    return {
        "name": names.give(wanted),
        "sql": f"{{{dim.yaml['name']}}}",
        "type": "count_distinct",
        "title": f"Distinct {things}",
    }
