"""What of a model is money, and how much of it a row is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....semantic.naming import PROMISED
from ..words.numbers import CURRENCIES, dimension_of, exact_unit
from ..words.text import singular, stem, tokenize
from .polarity import is_bad_when_high

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = [
    "ADDED_UP", "MONEY_NOUNS", "NO_INCOME", "amounts", "goes_out", "is_amount", "is_tally", "taken_in", "when_paid",
]  # fmt: skip

MONEY_NOUNS = ("revenue", "turnover", "takings", "proceeds", "earnings", "income")
"""Words for what was taken in, which are no words for how often."""
ADDED_UP = frozenset({"revenue", "turnover", "takings", "proceeds", "payroll"})
"""Words for all of it: what a number so called is of each row, they are its sum."""
_MONEY = (
    "revenue", "turnover", "takings", "total", "amount", "sale", "sales", "payment", "paid", "income", "spend", "fare",
    "rent", "gross", "subtotal",
)  # fmt: skip # the likelier first
NO_INCOME = frozenset(map(stem, "fine penalty refund comp compensation damage repair expense tax demerit".split()))
"""Stems of what amounts are called that are no revenue, unless that very word is said."""
_OUTGOING = frozenset(map(stem, "budget tax discount fee penalty fine expenditure wage".split()))
_BESIDE = _OUTGOING | frozenset(map(stem, "tip gratuity surcharge vat shipping freight handling deposit toll".split()))
"""What is paid beside the thing itself: an amount of it is no revenue where there is another."""
_OF_MONEY = frozenset({*_MONEY, "grand", "net", "sum", "sub", "overall", "final", "order", "bill", "invoice", "line"})
_SAID_OF_MONEY = _BESIDE | frozenset(
    map(stem, "amount revenue sale payment paid income price cost charge due balance credit debit value pay".split())
)
_PRICES = frozenset({"price", "cost", "fee", "rate", "charge"})
_COSTS = frozenset(map(stem, "cost expense".split()))
_TIMES = frozenset({"quantity", "qty", "units", "count"})


def amounts(metadata: Metadata) -> list[str]:
    """What says how much money a row is about, the likeliest first: amounts, and prices times quantities.

    A product is written ``line.price*quantity``.
    """
    found: list[tuple[tuple[int, ...], str]] = []
    for relation in metadata.catalog.relations.values():
        numbers = [m.path for m in relation.members.values() if _is_number(metadata, m.path)]
        gone = metadata.flows or ()
        numbers = [path for path in numbers if path not in gone and not _is_timed(metadata, path)]
        # Tables that point at more are nearer to what happened.
        facts = -len(metadata.edges.get(relation.name, ()))
        dated = 0 if metadata.times([relation.name]) else 1
        for path in numbers:
            parts = metadata.parts(path)
            if set(_MONEY) & set(parts) or metadata.members[path].currency:
                beside = {stem(part) for part in parts} & _BESIDE or is_bad_when_high(parts)
                # A currency behind the noun (amount_usd) is not what it is.
                tail = next((part for part in reversed(parts) if part not in CURRENCIES), parts[-1])
                # First what is dated, then what is called so last, then by how much its table points at, then by the
                # likelier word.
                rank = 2 if beside or PROMISED & set(parts) else 0 if tail in _MONEY else 1
                found.append(((dated, rank, facts, _likely(parts)), path))
        prices = [p for p in numbers if _PRICES & set(metadata.parts(p))]
        price = min(prices, key=lambda p: _is_cost(metadata, p), default=None)  # what it cost is not what it brought
        times = next((p for p in numbers if _TIMES & set(metadata.parts(p))), None)
        # Where a column is the amount itself, a product beside it would be the same number twice, or a third one.
        if price and times and not any(is_amount(metadata, path) for path in numbers):
            found.append(((dated, 1, facts, 0), f"{price}*{times.split('.', 1)[1]}"))
        elif (
            price and not times and not dated and "per" not in metadata.parts(price)
        ):  # what each of them cost is all that is known of money
            found.append(((2, 2, facts, 0), price))
    return [path for _, path in sorted(found)]


def taken_in(metadata: Metadata) -> str | None:
    """The measure of the model that sums what rows are about, where it has one; the price that each row of events was
    paid, where nothing else is money.
    """
    likeliest = next(iter(amounts(metadata)), None)
    if likeliest is None or is_tally(metadata, likeliest):
        return None
    if NO_INCOME & {stem(part) for part in _parts(metadata, likeliest)}:
        return None
    if not set(_MONEY) & set(_parts(metadata, likeliest)):
        return likeliest if _is_paid(metadata, likeliest) else None
    relation, _, name = likeliest.partition(".")
    sums = [m.path for m in metadata.relation(relation).members.values() if m.agg_type == "sum" and not m.masked]
    # The model's own sum of it: where it has none, adding it up here would be our idea of its money.
    return next((path for path in sums if path.split(".", 1)[1].partition("_")[2] == name), None)


def _is_timed(metadata: Metadata, path: str) -> bool:
    """Whether a number is told in a unit of time: ``payment_days`` are no money."""
    last = metadata.parts(path)[-1] if metadata.parts(path) else ""
    return dimension_of(exact_unit(last) or "") == "time" and not metadata.members[path].currency


def _is_paid(metadata: Metadata, path: str) -> bool:
    """Whether a number is the price of what happened, and no list price of what other rows refer to."""
    relation = path.split(".", 1)[0]
    referred = any(relation in others for others in metadata.edges.values())
    is_price = bool(_PRICES & set(_parts(metadata, path))) and not _is_cost(metadata, path)
    return is_price and bool(metadata.times([relation])) and not referred


def _is_cost(metadata: Metadata, path: str) -> bool:
    """Whether a number is called what the rows cost whoever keeps them: no revenue, and no price beside one."""
    return bool(_COSTS & {stem(part) for part in _parts(metadata, path)})


def is_amount(metadata: Metadata, path: str) -> bool:
    """Whether a number is called what a row brought: its ``total`` or ``amount``."""
    parts = _parts(metadata, path)
    tail = next((part for part in reversed(parts) if part not in CURRENCIES), "")
    return tail in _MONEY and not {stem(part) for part in parts} & _BESIDE


def is_tally(metadata: Metadata, path: str) -> bool:
    """Whether a number is how many of something there are in all: ``viol_tot``, ``guests_total`` are no money."""
    parts = _parts(metadata, path)
    if path not in metadata.members or metadata.members[path].currency or "total" not in parts:
        return False
    own = {word for name in metadata.catalog.relations for word in metadata.words_of(name)}
    counted = [part for part in parts if part not in _OF_MONEY and part not in CURRENCIES and part not in own]
    return bool(counted) and not any(stem(part) in _SAID_OF_MONEY for part in parts)


def when_paid(metadata: Metadata, relation: str) -> list[str]:
    """The words for those rows that were paid, where rows know whether they were: what is charged is not paid yet."""
    own = [m for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    called = [m for m in own if m.kind == "dimension" and "paid" in metadata.parts(m.path)]
    *before, last = metadata.words_of(relation)
    if len(flags := [m for m in called if m.type == "boolean"]) == 1:
        return ["where", *metadata.parts(flags[0].path)]
    if any(found.member.startswith(f"{relation}.") for found in metadata.values.find(tokenize("paid"), 0)):
        return ["of", "paid", *before, f"{singular(last)}s"]
    dates = [m.path for m in called if m.type == "time" and metadata.may_be_missing(m.path)]
    return ["with", *metadata.parts(dates[0])] if len(dates) == 1 else []


def goes_out(metadata: Metadata, path: str) -> bool:
    """Whether an amount is what somebody pays for the rows rather than what they bring: costs, budgets, taxes."""
    parts = _parts(metadata, path)
    return is_bad_when_high(parts) or bool({stem(part) for part in parts} & _OUTGOING)


def _parts(metadata: Metadata, path: str) -> tuple[str, ...]:
    return metadata.parts(path) if path in metadata.members else ()


def _likely(parts: tuple[str, ...]) -> int:
    return min((_MONEY.index(part) for part in parts if part in _MONEY), default=len(_MONEY))


def _is_number(metadata: Metadata, path: str) -> bool:
    known = path in metadata.members and metadata.is_number(path)
    return known and not metadata.is_key(path) and not metadata.is_year(path)
