"""How many lie in each of several bands of one number: asked of one band, and of all of them by a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ... import patterns as re
from ..base import Turn
from .forms import (
    Aggregate,
    And,
    Case,
    Clause,
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Member,
    Missing,
    Or,
    Order,
    Over,
    Range,
    Value,
)  # fmt: skip
from .forms.walking import conjuncts, parts
from .plans.sql import write_sql
from .reader import is_writable
from .reading.band_words import Band, Banded, banded
from .reading.read_back import read_back
from .schema.metadata import Metadata
from .understood import Understood
from .words.numbers import CURRENCIES, exact_unit
from .words.percents import PERCENT
from .words.shares_said import SHARE
from .words.text import singular, stem

__all__ = ["as_bands"]

_PUT = re.compile(
    r"^(?:can you |could you |please |pls )?(?:put|split|group|sort|divide|bucket|break|class(?:ify)?|cut|sum up)"
    r"(?: up| down)? (?:all )?(?:the |our |all )?(?P<rows>.+?)(?: (?:in|into|by|as|up into|up by|to))?$",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"^how \w+ (?:are|were|is|was) (?:the |our |all )?(?P<rows>[\w ]+?)[:,;]? +(?:the )?(?:number|count|how many)"
    r"(?: of them| are| there are)?(?: (?:with|of|for|from))?$",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"^(?:how many|number of|count of|count|the number of) (?:the |our )?(?P<rows>.+?)"
    r"(?: (?:were|are|was|is|had|have|has|there are|did we have|do we have|we have|affect(?:s|ed)?|involved?"
    r"|reach(?:ed)?|concern(?:ed)?|cover(?:ed)?|took))*"
    r"(?P<link> with| of| from| for| in| aged| had)?$",
    re.IGNORECASE,
)
_BY = re.compile(
    r"^(?P<of>.+) (?:by|with an?|with|of|whose|having|in bands of|per|for) (?P<number>[\w ]+?)"
    r"(?: (?:is|are|was|were|of))?$"
)
_SHORT = 3  # letters of a name that is written short
_AGED = re.compile(r" (?:aged|ages|age|by age|between the ages of|of age|aged between)$", re.IGNORECASE)
_LINK = re.compile(r" (?:with|of|from|that are|that were|were|are|in|into|had|have|for|between)$", re.IGNORECASE)
_EACH = re.compile(
    r"^(?:(?:so )?(?:how many|number|count|what number|tell me how many)"
    r"(?: (?:are|were|is|do we have|did we have|there are|have we got))?(?: (?:in|of|for|per))?"
    r"(?: (?:each|every one|every|them|all))?(?: (?:of (?:them|these|those)|band|group|bucket|class|range))?"
    r"|(?:in |for |of |per )?each(?: of them| one| band| group)?)\b[ ,]*",
    re.IGNORECASE,
)
_LITTLE = frozenset("by per in on at to of for and or with from than last this that how each the is are were".split())
_GROUPED = re.compile(r"^(?:by|per|for each|for every|in each) ", re.IGNORECASE)
_SHARE = re.compile(
    r"^(?:(?:what(?:'s| is)?|how (?:big|large|high)(?: is| are)?) )?(?:the |a )?"
    rf"{SHARE}s? of (?:all |the |our )*(?P<rows>.+)$",
    re.IGNORECASE,
)
_AND_SHARE = re.compile(
    rf",?\s+(?:and|with|plus|&)\s+(?:(?:what|which|the|a)\s+)?{SHARE}"
    r"(?:\s+of\s+(?:them|those|these|all|the\s+total|(?:all|the|total)\s+\w+))?\s*,?(?=\s|$)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"^(?:what(?:'s| is| are| was| were)? )?(?:the |our )?"
    r"(?:average|avg|mean|median|total|sum|number|highest|lowest|revenue)\b",
    re.IGNORECASE,
)


def as_bands(turn: Turn, metadata: Metadata, again: Callable[[Turn], Understood]) -> Understood | None:
    """What is asked of each band of a number, in the order they were said; None where no bands are."""

    def is_unit(word: str) -> bool:
        known = exact_unit(word) is not None or word in CURRENCIES or word in PERCENT
        return known or word not in _LITTLE and stem(word) in metadata.vocabulary

    found = banded(turn.question, is_unit)
    if found is None:
        return None
    probe = next((band for band in found.bands if band.low is not None and band.high is not None), found.bands[-1])
    before = _AND_SHARE.sub("", found.before)
    numbered = before != found.before
    of, link = _of_what(before, found.behind)
    tail = _EACH.sub("", found.behind).strip(" ,-")
    grouped = tail if _GROUPED.match(tail) else ""
    by = _form(again(replace(turn, question=f"{of} {grouped}")), metadata) if grouped else None
    if grouped and (by is None or by.where or by.having or by.limit):
        return None
    for question in _asked(of, link, found.unit, "" if grouped else tail, _bound(probe)):
        read = again(replace(turn, question=question))
        form = _form(read, metadata)
        form = _grouped(form, by) if form is not None and by is not None else form
        form = _shared(form) if form is not None and (numbered or _SHARE.match(before)) else form
        parted = _parted(form, probe, found, metadata) if form is not None else None
        if parted is not None and is_writable(parted):
            return replace(read, plan=None, statement=None, form=parted, options=(), followed=None, taken=None)
    return None


def _form(read: Understood, metadata: Metadata) -> Form | None:
    if read.lost or read.unread or read.plan is not None and (read.plan.unread or read.plan.claim):
        return None
    if read.plan is not None:
        form = read_back(write_sql(read.plan, metadata).sql, metadata)
        return form if isinstance(form, Form) else None
    return read.form


def _shared(form: Form) -> Form:
    """Beside how many there are what part of all that is."""
    return form.with_(measures=(*form.measures, *(Clause(Over("share", one.expression)) for one in form.measures)))


def _grouped(form: Form, by: Form) -> Form | None:
    """The form of a band by the groups of all rows, where these are of the same rows."""
    if form.root != by.root or len(form.measures) != len(by.measures) or form.groups or form.joins and by.joins:
        return None
    return form.with_(groups=by.groups, measures=by.measures, joins=form.joins or by.joins, order=by.order)


def _asked(of: str, link: str, unit: str, tail: str, bound: str) -> Iterator[str]:
    """The ways to ask for one band alone."""
    if link == "aged":
        yield f"{of} with age {bound} {tail}".strip()
        yield f"{of} aged {bound} {tail}".strip()
        return
    for word in dict.fromkeys((link, "with", "")):
        yield " ".join(f"{of} {word} {bound} {unit} {tail}".split())
    if unit and not _is_unit(unit):
        yield " ".join(f"{of} with {unit} {bound} {tail}".split())


def _of_what(before: str, behind: str) -> tuple[str, str]:
    """What is asked of the rows of a band, and the words between them and their bound."""
    shared = _SHARE.match(before)
    before = f"number of {shared['rows']}" if shared is not None else before
    said = _PUT.match(before) or _SIZE.match(before)
    if said is None and (said := _MANY.match(before)) is None:
        if _AGED.search(before):
            of = _AGED.sub("", before)
            return (of if _MEASURED.match(of) else f"number of {of}"), "aged"
        measured = _MEASURED.match(before) and not before.lower().startswith("number")
        return _with_number(before if measured else f"number of {before}")
    if _AGED.search(f"{said['rows']}{said.groupdict().get('link') or ''}"):
        return f"number of {_AGED.sub('', said['rows'])}", "aged"
    return _with_number(f"number of {said['rows']}")


def _with_number(of: str) -> tuple[str, str]:
    """``jobs by invoice amount`` → ``jobs``, ``with invoice amount``."""
    named = _BY.match(of)
    if named is not None and len(named["of"]) > len("number of"):
        return named["of"], f"with {named['number']}"
    return _LINK.sub("", of), "with"


def _bound(band: Band) -> str:
    if band.low is not None and band.high is not None:
        return f"between {band.low:g} and {band.high:g}"
    if band.low is not None:
        return f"{'at least' if band.with_low else 'more than'} {band.low:g}"
    return f"{'at most' if band.with_high else 'less than'} {band.high:g}"


def _parted(form: Form, probe: Band, found: Banded, metadata: Metadata) -> Form | None:
    """The form of one band as that of all of them."""
    if not form.measures or form.having or form.limit or form.columns or form.order and not form.groups:
        return None
    terms = [term for item in form.where for term in conjuncts(item.condition)]
    bounding = [(term, sized) for term in terms if (sized := _sized(term, probe)) is not None]
    if len(bounding) != 1:
        return None
    if found.unit and not _is_unit(found.unit) and not _is_of(bounding[0][1][0], found.unit, metadata):
        return None
    (_, (number, scale)), rest = bounding[0], [Filter(one) for one in terms if one != bounding[0][0]]
    conditions = _conditions(found, number, scale)
    labels = [Value(band.said) for band in found.bands]
    group = Case(tuple(zip(conditions, labels, strict=True)))
    places = Case(tuple((condition, Value(place)) for place, condition in enumerate(conditions)))
    outside = _outside(found, conditions, number, scale)
    if outside is None and not (isinstance(number, Member) and not metadata.profile(number.path).missing):
        outside = Missing(number, negated=True)
    return form.with_(
        groups=(*(one for one in form.groups if one.expression != number), Clause(group, name="band")),
        where=(*rest, *([Filter(outside)] if outside is not None else [])),
        order=(*(one for one in form.order if one.by != number), Order(Aggregate("min", places))),
    )  # fmt: skip


def _is_unit(word: str) -> bool:
    return exact_unit(word) is not None or word in CURRENCIES or word in PERCENT


def _is_of(number: Expression, noun: str, metadata: Metadata) -> bool:
    """Whether a number is of what its bounds are said of, and not of the next best: ``cust_aff`` of customers."""
    paths = [part.path for part in parts(number) if isinstance(part, Member)]
    named = {part for path in paths for part in (*metadata.parts(path), *metadata.words_of(path.split(".", 1)[0]))}
    said = singular(noun)
    return not paths or any(stem(said) == stem(part) or len(part) >= _SHORT and said.startswith(part) for part in named)


def _sized(term: Condition, probe: Band) -> tuple[Expression, float] | None:
    """The number that a condition bounds by the ends of a band, and how much one of what was said is of it."""
    match term:
        case Range(of, Value(low), Value(high), negated=False):
            ends: tuple[object, ...] = (low, high)
        case Compare(of, "<" | "<=" | ">" | ">=", Value(end)):
            ends = (end,)
        case _:
            return None
    said = [end for end in (probe.low, probe.high) if end is not None]
    if len(ends) != len(said) or any(isinstance(end, bool) or not isinstance(end, (int, float)) for end in ends):
        return None
    numbers = [end for end in ends if isinstance(end, (int, float))]
    scales = {round(float(end) / one, 9) for end, one in zip(numbers, said, strict=True) if one}
    return (of, scales.pop()) if len(scales) == 1 else None


def _conditions(found: Banded, number: Expression, scale: float) -> list[Condition]:
    """What is so of each band, of the first that holds: 100.5, between 100 and 101, is of the band above."""
    whole = [_ends(band, number, scale) for band in found.bands]
    if not found.adjoining:
        return [ends[0] if len(ends) == 1 else And(ends) for ends in whole]
    upper = [Compare(number, "<=" if b.with_high else "<", _value((b.high or 0) * scale)) for b in found.bands[:-1]]
    last, before = found.bands[-1], found.bands[-2]
    beyond = Compare(number, ">" if before.with_high else ">=", _value((before.high or 0) * scale))
    return [*upper, beyond if last.high is None else whole[-1][-1]]


def _ends(band: Band, number: Expression, scale: float) -> tuple[Condition, ...]:
    low = (band.low, ">=" if band.with_low else ">")
    high = (band.high, "<=" if band.with_high else "<")
    return tuple(Compare(number, sign, _value(end * scale)) for end, sign in (low, high) if end is not None)  # type: ignore[arg-type]  # signs


def _outside(found: Banded, conditions: Sequence[Condition], number: Expression, scale: float) -> Condition | None:
    """What rows must meet that lie in any band; None where all that have the number do."""
    if not found.adjoining:
        return Or(tuple(conditions))
    first, last = found.bands[0], found.bands[-1]
    ends = (*_ends(replace(first, high=None), number, scale), *_ends(replace(last, low=None), number, scale))
    return And(ends) if len(ends) > 1 else ends[0] if ends else None


def _value(number: float) -> Value:
    return Value(int(number) if float(number).is_integer() else number)
