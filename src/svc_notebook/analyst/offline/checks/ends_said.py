"""Ends and quotients that were said, and are not what a plan goes by: *highest offer*, *first ride*, *per minute*."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .... import patterns as re
from ..plans.plan import Plan
from ..plans.walking import ordered_by
from ..schema.lexicon import Candidate
from ..walk.draft import Draft
from ..words.text import singular
from .unasked import ENDS

__all__ = ["ends_lost"]

_OF_A_NUMBER = frozenset(
    "highest lowest largest smallest biggest dearest cheapest priciest costliest longest shortest heaviest lightest "
    "fastest slowest".split()
)
_BY_NUMBER = frozenset({"fewest", "busiest", "interest", "request", "forest", "guest", "harvest", "invest"})
_SIZES = frozenset({"largest", "biggest", "smallest"})
_OF_MONEY = frozenset("cheapest dearest priciest costliest expensive".split())
_OF_MANY = frozenset("largest biggest smallest greatest commonest quietest rarest emptiest".split())  # by how many
_SHORT = 4  # letters: best, rest, test
_COMMON = frozenset({"most common", "most popular", "most frequent", "most used", "commonest", "least common"})
_ASKS = frozenset({"which", "who", "what", "where", "whose", "how"})
_EACH = frozenset({"per", "for each", "of each", "in each", "each", "for every", "of every", "in every"})
_AMOUNTS = frozenset(
    "minute km kilometre kilometer mile kg kilo kilogram tonne ton litre liter "
    "sqm m2 seat dock piece page sheet".split()
)
_PER = re.compile(r"\b(?:per|by the) (?:square )?(\w+)")
_RATIO = re.compile(r"\bratio of (\w+) to (\w+)(?: (?:\w+))?\W*$")
_COUNTS = frozenset({"count", "count_distinct"})
_BOTH = 2


def ends_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """The words of an end or a quotient that nothing of a plan is."""
    for check in _CHECKS:
        yield from check(plan, draft)


def _size_of_rows(plan: Plan, draft: Draft) -> Iterator[str]:
    """``bidder with the highest offer``: the row with the largest number, and not whoever has most rows."""
    counted = _ordered_count(plan, draft)
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        of_rows = isinstance(said, Candidate) and said.member is None and said.relation == counted
        if counted and of_rows and _is_of_size(item.text):
            yield item.text


def _size_of_nothing(plan: Plan, draft: Draft) -> Iterator[str]:
    """``which destination lies highest``: by how high they lie, and not by rows that nobody spoke of."""
    counted = _ordered_count(plan, draft)
    named = [one for one in draft.resolution.choice.values() if isinstance(one, Candidate)]
    told = [one.member for one in named if one.member in draft.metadata.members]
    spoken = any(one.member is None and one.relation == counted for one in named)
    spoken = spoken or any(map(draft.metadata.is_measure, told))
    if counted is None or spoken or draft.counting or any(item.is_cue("count") for item in draft.items):
        return
    for item in draft.items:
        word = item.text.lower().split()[-1]
        if item.is_cue("top") and _is_of_size(word) and word not in _OF_MANY:
            yield item.text


def _size_of_others(plan: Plan, draft: Draft) -> Iterator[str]:
    """``which room is the largest``: by its size, and by no number of bookings; people are by what they do."""
    meta, counted = draft.metadata, _ordered_count(plan, draft)
    spoken = {one.relation for one in draft.resolution.choice.values() if isinstance(one, Candidate)}
    told = {dimension.member.split(".", 1)[0] for dimension in plan.dimensions}
    if counted is None or counted in spoken | told or any(map(meta.is_of_people, told)) or draft.counting:
        return
    for item in draft.items:
        if item.text.lower().split()[-1] in _SIZES:
            yield item.text


def _price_of_nothing(plan: Plan, draft: Draft) -> Iterator[str]:
    """``cheapest month to fly``: where nothing has a price, no month is."""
    known = [draft.metadata.members.get(m.member or "") for m in plan.measures]
    told = zip(plan.measures, known, strict=True)
    counted = [m.aggregate in _COUNTS or k is not None and k.agg_type in _COUNTS for m, k in told]
    ranked = plan.limit is not None and bool(counted) and all(counted)
    for item in draft.items:
        if item.text.lower().split()[-1] in _OF_MONEY and ranked:
            yield item.text


def _time_of_rows(plan: Plan, draft: Draft) -> Iterator[str]:
    """``first flight of each day``: by its time, and by no number of flights."""
    if not _ordered_count(plan, draft):
        return
    shown = {dimension.member for dimension in plan.dimensions}
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        if item.text.lower() in ENDS and isinstance(said, Candidate) and (said.member is None or said.member in shown):
            yield item.text
    last = draft.items[-1].text.lower()
    if last in ("last", "first") and draft.tokens[0].lower in _ASKS:
        yield last  # which horse she rode last


def _each_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``largest order per customer``, ``most common type per make``: one of each, and no single one of all."""
    if plan.limit != 1 or plan.limit_per is not None or plan.parts or plan.nested is not None:
        return
    if not draft.tokens or draft.tokens[0].lower in _ASKS:
        return
    for place, item in enumerate(draft.items[1:-1], 1):
        if item.is_cue("group") and item.text.lower() in _EACH and _is_of_rows(draft, place):
            yield item.text


def _is_of_rows(draft: Draft, place: int) -> bool:
    """Whether what stands before a group is a row that is largest of its kind, or a kind that is most common."""
    for at in range(place):
        said, item = draft.resolution.choice.get(at + 1), draft.items[at]
        word = item.text.lower()
        if word in _COMMON and at + 1 < place:
            return True
        of_rows = isinstance(said, Candidate) and said.member is None
        if of_rows and (word in ENDS or _is_of_size(word)) and at + 1 < place:
            return True
    return False


def _is_of_size(text: str) -> bool:
    """Whether a word tells which of some rows by what they are like, and not by how many there are."""
    word = text.lower().split()[-1]
    return word in _OF_A_NUMBER or word.endswith("est") and len(word) > _SHORT and word not in _BY_NUMBER


def _undivided(plan: Plan, draft: Draft) -> Iterator[str]:
    """``price per minute by type``: divided by that, and no sum of prices."""
    meta = draft.metadata
    numbers = [meta.plain(m) for one in (plan, *plan.parts) for m in one.measures]
    divided = plan.parts or plan.nested or any(m.aggregate in ("ratio", "share_true", "number") for m in numbers)
    called = {part for m in plan.measures if m.member for part in meta.parts(m.member)} | {
        part for path in plan.columns for part in meta.parts(path)
    }
    for found in _PER.finditer(" ".join(token.lower for token in draft.tokens)):
        unit = singular(found.group(1))
        if unit in _AMOUNTS and not divided and not called & {"per", unit, "rate", "speed"} and not draft.axes:
            yield "per"


def _other_kinds_divided(plan: Plan, draft: Draft) -> Iterator[str]:
    """``ratio of sold to withdrawn listings``: so many to so many, and no sum to a number of rows."""
    if len(plan.parts) == _BOTH and _RATIO.search(" ".join(token.lower for token in draft.tokens)):
        kinds = {draft.metadata.plain(m).aggregate for part in plan.parts for m in part.measures}
        tested = [bool(part.conditions) for part in plan.parts]
        if len(kinds) > 1 and any(tested) and not all(tested):
            yield "ratio"


def _grouped_by_its_number(plan: Plan, draft: Draft) -> Iterator[str]:
    """``most rides per dock``: for each of them, and not by how many there are."""
    meta = draft.metadata
    if plan.limit is None or not _ordered_count(plan, draft) or len(plan.dimensions) != 1:
        return
    path = plan.dimensions[0].member
    plain = meta.is_number(path) and not (meta.is_key(path) or meta.is_year(path) or meta.is_flag(path))
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        if plain and item.is_cue("group") and isinstance(said, Candidate) and said.member == path:
            yield item.text


def _ordered_count(plan: Plan, draft: Draft) -> str | None:
    """The relation whose rows are counted to rank groups by."""
    if plan.limit is None and plan.limit_per is None or plan.shape != "aggregate":
        return None
    order = next(iter(plan.order), None)
    if order is None or order.by == "measure" and order.measure is None and order.place >= len(plan.measures):
        return None
    measure = order.measure or (plan.measures[order.place] if order.by == "measure" else None)
    if measure is None or ordered_by(order, plan) is None and measure.aggregate != "count":
        return None
    plain = draft.metadata.plain(measure)
    if plain.aggregate not in _COUNTS:
        return None
    return plain.entity or (plain.member or measure.member or plan.scope[0]).split(".", 1)[0]


_CHECKS: Sequence[Callable[[Plan, Draft], Iterator[str]]] = (
    _size_of_rows, _size_of_nothing, _size_of_others, _price_of_nothing,
    _time_of_rows, _each_lost, _undivided, _other_kinds_divided,
    _grouped_by_its_number,
)  # fmt: skip
