"""One number of rows over another: *asking price per sqm by area*, *net per night*, *injuries per 100 trips*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import (
    ROWS,
    Aggregate,
    Arithmetic,
    Clause,
    Expression,
    Filter,
    Form,
    Member,
    Missing,
    Ratio,
    Role,
    Value,
)  # fmt: skip
from ..forms.walking import changed
from ..plans.sql import write_sql
from ..schema.derivations import expression_of, members_of
from ..schema.lasting import ends_in, span_of, stay_in
from ..schema.member_kinds import labels_of
from ..walk.own_nouns import own_nouns
from ..words.numbers import exact_unit
from ..words.text import singular, stem, tokenize
from .one_number import LONGEST, one_number
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["per_unit"]

_SAID = re.compile(
    r"^\W*(?:(?:show(?: me)?|give me|what(?:['’]s| is| are| was| were)|list)\s+)?(?:the\s+|our\s+)?"
    r"(?:(?P<mean>average|avg|mean)\s+(?P<number>number of\s+|count of\s+)?)?(?P<above>[\w ]+?)\s+"
    r"(?:per|(?P<each>for each|for every)|in every|out of every)\s+"
    r"(?:(?P<size>100|1,?000|10,?000|100,?000|(?:a |one |ten )?(?:hundred|thousand)|(?:a |one )?million)\s+)?"
    r"(?P<unit>[a-z]+)"
    r"(?P<rest>(?:\s*,)?\s+(?:by|in|for|of|at|on|last|this|since|from|with|per|where|during)\s+.+?)?[?.! ]*$",
    re.IGNORECASE,
)
_CALENDAR = frozenset({"day", "week", "month", "quarter", "year", "weekday", "weekend", "season", "date"})
_MONEY = frozenset({"price", "amount", "cost", "fee", "money", "value"})
_BY_TIME = re.compile(
    r"^\s*,?\s*(?:by|per|for each|each)\s+(?:day of the week|weekday|day|week|month|quarter|year|hour)\b", re.IGNORECASE
)
_HAD_ANY = re.compile(
    r"\s+(?:among|over|of|for)\s+(?:only\s+)?(?:those|the ones|all|[a-z]+s)\s+"
    r"(?:(?:who|that|which)\s+(?:had|have|did|took|got)|with)\s+(?:any|some|one|at least one)(?=\W*$)",
    re.IGNORECASE,
)  # what is divided by are those that have some
_GROUPED = re.compile(r"\b(?:by|per|each|every)\s+(?!far\b)[a-z]", re.IGNORECASE)
_SIZES = {"hundred": 100, "thousand": 1000, "ten thousand": 10_000, "million": 1_000_000}
_NOT_SUMMED = frozenset({"count", "number", "rate", "share", "percentage", "most", "median", "total"})


def per_unit(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of all of one number over all of another of the same rows: no mean of their quotients."""
    said = _SAID.match(_HAD_ANY.sub("", question)) if len(question) <= LONGEST else None
    if said is None or _NOT_SUMMED & set(said["above"].lower().split()):
        return None
    if said["number"] and stem(said["above"].split()[-1].lower()) in metadata.kind_names.rows:
        return None  # so many rows, and nothing that adds up
    if _is_known(said["above"], said["unit"], metadata) or said["each"] and not _is_unit(said["unit"].lower()):
        return None
    theirs = _per_owner(said, metadata, read) if said["mean"] and not said["size"] else None
    if theirs is not None or said["number"]:
        return theirs
    size = _size(said["size"] or "")
    by_time = _BY_TIME.match(said["rest"] or "") is not None
    if not (size or by_time) and _is_kind(said["unit"].lower(), metadata):
        return None
    rest = said["rest"] or ""
    tried = (one_number(f"total {above}{rest}", metadata, read) for above in _amounts(said["above"]))
    whole = next((one for one in tried if one is not None and one.plain.aggregate == "sum"), None)
    if whole is None or whole.plain.member is None or whole.plain.conditions:
        return None
    if metadata.kind_names.rows.get(stem(said["unit"].lower()), ()) == (whole.relation,):
        form = read_back(write_sql(whole.plan, metadata).sql, metadata)
        return _for_so_many(form, size or 1) if isinstance(form, Form) else None
    found = list(_below(said["unit"].lower(), whole.relation, metadata))
    form = read_back(write_sql(whole.plan, metadata).sql, metadata)
    if len(found) != 1 or not isinstance(form, Form) or form.root != Role(whole.relation) or len(form.measures) != 1:
        return None
    summed = Aggregate("sum", expression_of(whole.plain.member))
    known = tuple(Filter(Missing(of, negated=True)) for of in _gaps((whole.plain.member, found[0]), metadata))
    above = Arithmetic("*", summed, Value(size)) if size else summed
    ratio = Ratio(above, Aggregate("sum", expression_of(found[0])))
    where = _of_the_stay(form.where, found[0], metadata)
    return form.with_(measures=(Clause(ratio),), where=(*where, *known), order=())


def _is_unit(word: str) -> bool:
    """``for each kilometre``, ``for every night``; for each visibility is a group."""
    return exact_unit(word) is not None or word == "night"


def _is_known(above: str, unit: str, metadata: Metadata) -> bool:
    """Whether the model has the very number: ``price_per_night``."""
    said = {*map(stem, above.lower().split()), stem("per"), stem(unit.lower())}
    rates = (path for path in metadata.number_names.paths if "per" in metadata.parts(path))
    return any(said <= {stem(part) for part in metadata.parts(path)} for path in rates)


def _per_owner(said: re.Match[str], metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """``average number of hours per employee``, ``average amount per booking by country``: all over how many have some.

    It is no list of all of them: a number is asked for, there are groups of its own, or nothing names them.
    """
    rest = said["rest"] or ""
    whole = one_number(f"total {said['above']}{rest}", metadata, read)
    if whole is None or whole.plain.aggregate != "sum" or whole.plain.member is None or whole.plain.conditions:
        return None
    owner = _owner(said["unit"].lower(), said.string, whole.relation, metadata)
    keys = metadata.join_keys(whole.relation, owner) if owner else None
    if not owner or keys is None:
        return None
    nameless = metadata.label_of(owner) in (None, metadata.key_of(owner)) and len(labels_of(metadata, owner)) == 1
    form = read_back(write_sql(whole.plan, metadata).sql, metadata)
    adds_up = metadata.adds_up(whole.plain.member) or metadata.is_flow(whole.plain.member)
    if not (said["number"] or adds_up and (nameless or _GROUPED.search(rest))) or not isinstance(form, Form):
        return None
    if form.root != Role(whole.relation) or len(form.measures) != 1 or form.groups and not _GROUPED.search(rest):
        return None
    ratio = Ratio(Aggregate("sum", expression_of(whole.plain.member)), Aggregate("count_distinct", Member(keys[0])))
    return form.with_(measures=(Clause(ratio),), order=())


def _owner(unit: str, question: str, relation: str, metadata: Metadata) -> str:
    """The relation that rows belong to and a word is for a row of."""
    called = [*metadata.kind_names.rows.get(stem(unit), ())]
    called = called or [noun.relation for noun in own_nouns(tokenize(question), metadata) if noun.said == unit]
    refers = metadata.joins.refers
    found = [
        name for name in dict.fromkeys(called) if name in metadata.edges.get(relation, ()) and refers(relation, name)
    ]
    plain = [name for name in found if len(metadata.words_of(name)) == 1] or found  # and none in another role
    return plain[0] if len(plain) == 1 else ""


def _for_so_many(form: Form, size: int) -> Form | None:
    """All of a number for so many of the rows: *injuries per 100 trips*."""
    if len(form.measures) != 1 or not isinstance(form.root, Role):
        return None
    of = form.measures[0].expression
    order = tuple(one for one in form.order if one.by != of)
    above = Arithmetic("*", of, Value(size)) if size > 1 else of
    return form.with_(measures=(Clause(Ratio(above, ROWS)),), order=order)


def _size(said: str) -> int:
    """For how many it is told: a hundred, 1,000; 0 where that is not said."""
    words = said.lower().removeprefix("a ").removeprefix("one ").replace(",", "")
    return int(words) if words.isdigit() else _SIZES.get(words, 0)


def _of_the_stay(where: tuple[Filter, ...], below: str, metadata: Metadata) -> tuple[Filter, ...]:
    """Nights of a year are those that begin in it, whenever they were booked."""
    begins = members_of(below)[0]
    usual = metadata.times([begins.split(".", 1)[0]])[0] if begins != below else ""
    return changed(where, lambda part: Member(begins) if part == Member(usual) else part)


def _amounts(above: str) -> Iterator[str]:
    """What an amount may be called: *asking price* of what is asked, *net* of a net amount."""
    yield above
    *words, last = above.split()
    if words and last.lower() in _MONEY:
        yield " ".join(words)
    elif not words:
        yield f"{above} amount"


def _is_kind(unit: str, metadata: Metadata) -> bool:
    """Whether a unit is something of which there are rows or values, and which its number is counted by."""
    return unit in _CALENDAR or (stem(unit),) in metadata.kind_names.called or singular(unit) != unit


def _below(unit: str, relation: str, metadata: Metadata) -> Iterator[str]:
    """The numbers of the rows that a unit is one of: ``sqm``, ``minutes``; of nights the time from their start on."""
    own = [path for path in metadata.number_names.paths if path.split(".", 1)[0] == relation]
    kept = exact_unit(unit)
    own = [path for path in own if "per" not in metadata.parts(path)]  # a rate is no size
    named = [p for p in own if stem(unit) in {stem(part) for part in metadata.parts(p)[-1:]}]
    named = named or [p for p in own if kept is not None and exact_unit(metadata.parts(p)[-1]) == kept]
    yield from named
    ends = ends_in(metadata, relation) or stay_in(metadata, relation) if not named and unit == "night" else None
    if ends is not None:
        yield span_of(metadata, *ends, "day")


def _gaps(paths: tuple[str, ...], metadata: Metadata) -> Iterator[Expression]:
    """What of two numbers may be missing, where one of them without the other would be in only one of the sums."""
    for path in paths:
        of = expression_of(path)
        if isinstance(of, Member) and metadata.profile(path).missing:
            yield of
