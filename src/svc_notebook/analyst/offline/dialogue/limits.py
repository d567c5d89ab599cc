"""``only those above 10``: a number that the groups of the last answer are compared with."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from .... import patterns as re
from ..forms import ROWS, Compare, Condition, Expression, Filter, Form, Over, Range, Ratio, Value
from ..forms.vocabulary import ComparisonName
from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from ..words.percents import PERCENT
from ..words.text import stem
from .conditions import about, conditions_of
from .editing import aggregate_of, main_number, number_words
from .expressing import is_named, members_of, relations_of
from .hearing import Heard

__all__ = ["limited", "renumbered"]

_NAMED = re.compile(
    r"^\W*(?:the\s+)?(?P<group>\w+)\s+(?P<has>(?:with|that have|who have|which have|having)\s+)?", re.IGNORECASE
)
_LIMITS = frozenset((">", ">=", "<", "<="))
_NUMBER = r"(?P<{}>-?\d[\d,]*(?:\.\d+)?)(?P<{}>k\b)?"
_BARE = re.compile(
    r"^\W*(?:(?:the|make|it|(?P<so_many>first|top))\W+)*(?P<number>\d[\d,]*(?:\.\d+)?)\W*$", re.IGNORECASE
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")


@cache
def _operators() -> dict[str, ComparisonName]:
    """What is said before a number that something is compared with."""
    known = load_lexicon().saying("compare")
    return {words: operator for words, operator in known.items() if operator in _LIMITS}  # type: ignore[misc]


@cache
def _alone() -> re.Pattern[str]:
    """A turn that is a comparison and nothing else."""
    words = "|".join(sorted(map(re.escape, _operators()), key=len, reverse=True))
    return re.compile(
        rf"^\W*(?:(?:those|these|them|ones|of|the|that|which|who|are|is|have|has|had|with|where|it['’]?s?|its|they|was|were"
        rf"|show|me|give|see|keep|if|when|whose|(?:number|value|figure)s?|come|comes|came|lie|lies)\s+)*"
        rf"(?:(?P<how>{words})\s*{_NUMBER.format('number', 'thousand')}"
        rf"|between\s+{_NUMBER.format('low', 'thousand_low')}\s+and\s+{_NUMBER.format('high', 'thousand_high')})"
        rf"\s*(?P<unit>%|[a-z]+)?(?:\s+(?P<more>[a-z]+))?\W*$",
        re.IGNORECASE,
    )


def limited(heard: Heard, form: Form, metadata: Metadata) -> Form | None:
    """The groups of a form whose number is so; None where a turn is no such comparison, or may be one of rows.

    A unit that is not the number's own speaks of something else, and so may a number without groups.
    """
    named = _NAMED.match(heard.rest)
    whole = named is not None and any(is_named(c.expression, named["group"], metadata) for c in form.groups)
    said = _alone().match(heard.rest[named.end() :] if whole and named is not None else heard.rest)
    has = whole and named is not None and named["has"]
    number = _counted(form, metadata) if has else main_number(form)
    grouped = bool(form.groups and form.measures) and not isinstance(number, Over)
    if said is None or number is None or not grouped or _compares_rows(form):
        return None
    unit = (said["unit"] or "").lower()
    if unit not in PERCENT and not _is_in(unit, form, number, metadata) or said["more"]:
        return None
    scale = 1.0 if isinstance(number, Ratio) and number.percent else 0.01
    if unit in PERCENT and not _is_share(number, metadata):
        return None
    condition = _condition(said, number, scale if unit in PERCENT else 1.0)
    kept = [f for f in form.having if about(f.condition) != about(condition)]
    return form.with_(having=(*kept, Filter(condition)), limit=None)


def renumbered(heard: Heard, form: Form) -> list[Form]:
    """What a turn that is a number and nothing else makes of a form: so many rows of a list that was cut, and that
    number in a comparison that is there.
    """
    said = _BARE.match(heard.rest)
    if said is None or _YEAR.match(said["number"]):
        return []
    number = float(said["number"].replace(",", ""))
    made = [form.with_(limit=replace(form.limit, count=int(number)))] if _cuts(form, number) and form.limit else []
    if said["so_many"]:  # of groups, and no bound of theirs
        return made
    for name in ("where", "having"):
        items: tuple[Filter, ...] = getattr(form, name)
        for place, item in enumerate(items):
            test = item.condition
            if isinstance(test, Compare) and test.operator in _LIMITS and _is_number(test.right):
                other = Filter(replace(test, right=Value(int(number) if number.is_integer() else number)))
                made.append(form.with_(**{name: (*items[:place], other, *items[place + 1 :])}))
    return made


def _cuts(form: Form, number: float) -> bool:
    return form.limit is not None and number.is_integer() and number > 0


def _counted(form: Form, metadata: Metadata) -> Expression | None:
    """What ``branches with more than 100`` has so many of: the rows, where they are shown beside other numbers."""
    counts = [c.expression for c in form.measures if aggregate_of(c.expression, metadata) in ("rows", "count")]
    return counts[0] if len(counts) == 1 else main_number(form)


def _condition(said: re.Match[str], number: Expression, scale: float) -> Condition:
    if said["how"]:
        return Compare(number, _operators()[said["how"].lower()], _value(said["number"], said["thousand"], scale))
    low, high = (_value(said[end], said[f"thousand_{end}"], scale) for end in ("low", "high"))
    return Range(number, low, high, closed=True)


def _value(digits: str, thousand: str | None, scale: float) -> Value:
    found = float(digits.replace(",", "")) * (1000 if thousand else 1) * scale
    return Value(int(found) if found.is_integer() else round(found, 12))


def _compares_rows(form: Form) -> bool:
    """Whether rows are compared with a number already, which another number would take the place of."""
    return any(isinstance(c, Compare) and _is_number(c.right) for c in conditions_of(form))


def _is_number(of: Expression) -> bool:
    return isinstance(of, Value) and isinstance(of.value, (int, float)) and not isinstance(of.value, bool)


def _is_share(number: Expression, metadata: Metadata) -> bool:
    if isinstance(number, Ratio):
        return number.percent or number.below == ROWS
    members = [metadata.members.get(member.path) for member in members_of(number)]
    return bool(members) and all(known is not None and (known.format or "").startswith("percent") for known in members)


def _is_in(unit: str, form: Form, number: Expression, metadata: Metadata) -> bool:
    """Whether a number is counted in a unit, or of rows that are called so."""
    if not unit:
        return True
    members = [metadata.members[member.path] for member in members_of(number) if member.path in metadata.members]
    said = [str(member.meta.get("unit") or "") for member in members]
    words = [*number_words(number, metadata), *said]
    counted = not members or all(member.agg_type == "count" for member in members)
    if counted:
        words += [word for relation in (relations_of(form) or ())[:1] for word in metadata.words_of(relation)]
    return stem(unit) in {stem(word) for word in words}
