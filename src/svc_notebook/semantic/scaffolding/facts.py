"""What is known of a table as a whole: the amount that speaks for it, when its rows happened, what a row is called."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..naming import PROMISED
from .elements import MadeDimension, Names
from .kinds import NumberKind
from .profile import TableProfile, kind_of
from .reading import Looker, quoted
from .words import SHORT_WORDS, Vocabulary, plural, singular

__all__ = ["derived", "facts_of"]

# In the order in which one speaks for a row: what was taken in before what is left or was given.
_HEADLINES = [
    singular(word)
    for word in "revenue sales turnover umsatz erlös betrag amount gross income total net spending spend payment "
    "donation profit affaire ca ventes montant recette importe ingreso ventas fatturato ricavo".split()
]
_PRICES = frozenset(
    map(singular, ("price", "preis", "einzelpreis", "prix", "precio", "prezzo", "cost", "msrp", "rate", "fare"))
)
_QUANTITIES = frozenset(
    map(singular, "quantity units menge anzahl stück stückzahl pieces quantité quantite cantidad quantità".split())
)
_DISCOUNTS = frozenset(("discount", "rabatt", "remise", "descuento", "sconto"))
_TOGETHER = 0.5  # how closely a price goes with a quantity that it is of: one of one piece hardly does
_OF_ONE = frozenset({"unit", "per", "tariff"})
_WORD = re.compile(r"[a-z]+")
_BOUGHT = frozenset("fuel fill refill refuel purchase supply feed expense energy electricity diesel petrol".split())
"""What tables are called whose rows somebody paid for who keeps them."""
_USED = frozenset(map(singular, ("consumption", "usage", "used", "use", "consumed")))
_MADE = frozenset(map(singular, ("generation", "production", "delivery", "volume", "produced", "delivered")))
_EARNED, _SPENT = ("revenue", "sales", "turnover"), ("spend", "spending", "bill", "expense")
# In the order of how much they are the row's own event.
_HAPPENED = (
    "order", "sale", "sold", "invoice", "purchase", "transaction", "event", "booking", "payment", "visit", "start",
    "started", "opened", "posted", "published", "released", "created", "registered", "joined", "signup", "hired",
)  # fmt: skip
_NOT_YET = (["valid", "until"], ["valid", "to"], ["next"], ["due"], ["planned"], ["expected"], ["expiry"], ["expires"])
_AFTERWARDS = frozenset(
    "updated modified changed synced closed ended finished resolved deleted cancelled left end birth born dob birthday "
    "birthdate geburtsdatum naissance died deceased death paid".split()
)  # when something else than the row's own event happened
_BEFOREHAND = frozenset("booked requested reserved quoted enquired announced".split())  # what it was arranged by
_PLAIN_DATES = (["date"], ["datetime"], ["day"], ["timestamp"], ["time"], ["when"], ["datum"])
_ANSWERING = ("responses", "respondents", "people", "participants", "persons")
_NAMES = ("name", "title", "label", "full name", "product name")
_HALVES = frozenset({"first", "last", "given", "family", "forename", "surname"})


def derived(
    made: Sequence[MadeDimension], profile: TableProfile, names: Names, looker: Looker | None, table: str
) -> list[MadeDimension]:
    """Dimensions that the columns only imply: price × quantity × (1 − discount), where no amount is there itself."""
    if headline(made) is not None:
        return []
    price = _only(made, _PRICES, ("price",)) or _by_unit(made)
    quantity = _only(made, _QUANTITIES, ("quantity",))
    if quantity is None and price is not None:
        quantity = _per_unit(made, price) or _priced(made, price) or _metered(made)
    if price is None or quantity is None or looker and is_of_all(price, quantity, looker, looker.place(table)):
        return []
    spent = bool(
        _USED & set(map(singular, quantity.words)) or _BOUGHT & set(map(singular, _WORD.findall(table.lower())))
    )
    sql = f"{_factor(price)} * {_factor(quantity)}"
    said = [price.yaml["name"], quantity.yaml["name"]]
    if (discount := _only(made, _DISCOUNTS, ("rate", "amount", "number"))) is not None:
        factor = _share(discount, profile)
        if factor is None:
            return []
        sql, said = f"{sql} * (1 - {factor})", [*said, f"(1 - {discount.yaml['name']})"]
    because = f"{' × '.join(said)}, since no column is the amount itself"
    meta = {"kind": "amount", "aggregate": "sum", "computed": True, "synonyms": list(_SPENT if spent else _EARNED)}
    shown: dict[str, Any] = {key: price.yaml[key] for key in ("format", "currency") if key in price.yaml}
    name = "cost" if spent else "amount"
    yaml = {"name": names.give(name), "sql": sql, "type": "number", **shown, "meta": meta}
    return [replace(price, yaml=yaml, words=(name,), number=NumberKind("amount", "sum", because))]


def is_of_all(price: MadeDimension, quantity: MadeDimension, looker: Looker, place: str) -> bool:
    """Whether a price is that of the whole row already, and not of one piece: it grows with how many they are.

    Where its name says that it is of one, or where either is no plain column, it is taken to be of one.
    """
    plain = all(dim.kind == "number" and kind_of(dim.column.physical) == "number" for dim in (price, quantity))
    if not plain or _OF_ONE & set(price.words):
        return False
    one, two = (f"{quoted(dim.column.name)}::DOUBLE" for dim in (price, quantity))
    means = ", ".join(f"avg({of})" for of in (one, two, f"{one} * {two}", f"{one} * {one}", f"{two} * {two}"))
    known = f"{quoted(price.column.name)} IS NOT NULL AND {quoted(quantity.column.name)} IS NOT NULL"
    found = [float(mean or 0) for mean in looker.rows(f"SELECT {means} FROM {place} WHERE {known}")[0]]
    spread = (found[3] - found[0] ** 2) * (found[4] - found[1] ** 2)
    return spread > 0 and (found[2] - found[0] * found[1]) / math.sqrt(spread) > _TOGETHER


def _by_unit(made: Sequence[MadeDimension]) -> MadeDimension | None:
    """The price of one unit of what the rows have so much of."""
    price = _only(made, _PRICES, ("rate",))
    return price if price is not None and _per_unit(made, price) is not None else None


def _per_unit(made: Sequence[MadeDimension], price: MadeDimension) -> MadeDimension | None:
    """The only number that is called as the unit of a price is: ``kg`` beside ``price_per_kg``."""
    *before, unit = _WORD.findall(price.column.name.lower()) or [""]
    if before[-1:] != ["per"]:
        return None
    named = [dim for dim in made if dim.kind == "number" and not dim.key and dim.number is not None]
    found = [d for d in named if [*map(singular, _WORD.findall(d.column.name.lower()))] == [singular(unit)]]
    return found[0] if len(found) == 1 else None


def _priced(made: Sequence[MadeDimension], price: MadeDimension) -> MadeDimension | None:
    """The only quantity of what a price is of: ``tickets_sold`` beside ``ticket_price``."""
    of = set(map(singular, price.words)) - _PRICES
    counted = [dim for dim in made if dim.number is not None and dim.number.kind == "quantity"]
    found = [dim for dim in counted if of & set(map(singular, dim.words))]
    return found[0] if len(found) == 1 else None


def _metered(made: Sequence[MadeDimension]) -> MadeDimension | None:
    """What a price of one unit is of, where nothing is called a quantity: the only number of things used or made."""
    of_one = any(dim.number is not None and dim.number.kind == "price" and _OF_ONE & set(dim.words) for dim in made)
    counted = [dim for dim in made if dim.number is not None and dim.number.kind == "quantity"]
    used = [dim for dim in counted if (_USED | _MADE) & set(map(singular, dim.words))]
    return used[0] if of_one and len(used) == len(counted) == 1 else None


def _factor(dim: MadeDimension) -> str:
    return f"{{{dim.yaml['name']}}}"


def _share(discount: MadeDimension, profile: TableProfile) -> str | None:
    """A discount as a share of one: between 0 and 1 as it is, up to 100 by the hundred; None where it is an amount."""
    known = profile.columns.get(discount.column.name)
    if known is None or known.reading is not None or known.low is None or known.low < 0:
        return _factor(discount) if discount.yaml.get("format") == "percent" else None
    if known.high <= 1:
        return _factor(discount)
    percent = discount.number is not None and discount.number.unit == "%"
    return f"{_factor(discount)} / 100.0" if percent and known.high <= 100 else None


def _only(made: Sequence[MadeDimension], words: frozenset[str], kinds: tuple[str, ...]) -> MadeDimension | None:
    """The one number of these kinds whose name says one of the words; of several the one whose name says no more."""
    found = [
        dim
        for dim in made
        if dim.number is not None and dim.number.kind in kinds and words & set(map(singular, _written_out(dim)))
    ]
    if len(found) > 1:
        found = [dim for dim in found if not set(map(singular, _written_out(dim))) - words - _OF_ONE]
    return found[0] if len(found) == 1 else None


def _written_out(dim: MadeDimension) -> list[str]:
    return [part for word in dim.words for part in SHORT_WORDS.get(word, word).split()]


def headline(made: Sequence[MadeDimension]) -> MadeDimension | None:
    """The amount that speaks for the table's rows: what *best*, *top* and *against* go by when nothing else is said."""
    ranked = [
        (bool(PROMISED & set(_written_out(dim))), min(_HEADLINES.index(word) for word in said), place, dim)
        for place, dim in enumerate(made)
        if dim.number is not None
        and dim.number.kind == "amount"
        and dim.yaml.get("public", True)
        and (said := set(map(singular, _written_out(dim))) & set(_HEADLINES))
    ]
    # The dimensions themselves have no order.
    return min(ranked, key=lambda item: item[:3])[3] if ranked else None


def facts_of(
    table: str, made: Sequence[MadeDimension], measures: Sequence[Mapping[str, Any]], vocabulary: Vocabulary
) -> dict[str, Any]:
    """What goes into the cube's ``meta``: ``headline``, ``time``, ``label`` and further nouns for a row."""
    facts: dict[str, Any] = {}
    about = [singular(word) for word in vocabulary.words(table)]
    key = next((dim for dim in made if dim.yaml.get("primary_key")), None)
    if key is not None and sum(bool(dim.yaml.get("primary_key")) for dim in made) == 1:
        rest = [word for word in key.words[:-1] if word.isalpha() and len(word) > 2]
        if rest and [singular(word) for word in rest] != about and singular(rest[-1]) not in about:
            facts["synonyms"] = [" ".join([*rest[:-1], plural(rest[-1])])]
    if (amount := next(filter(_is_spent, made), None) or headline(made)) is not None:
        total = f"total_{amount.yaml['name']}"
        facts |= {"headline": total} if any(measure["name"] == total for measure in measures) else {}
    if any(map(_is_spent, made)) and "transaction" not in about:
        facts["synonyms"] = [*facts.get("synonyms", ()), "transactions"]
    keyed = key is not None and {"response", "respondent"} & set(map(singular, key.words))
    if keyed or {"survey", "questionnaire", "feedback"} & set(about):
        facts["synonyms"] = [*dict.fromkeys([*facts.get("synonyms", ()), *_ANSWERING])]
    times = [dim for dim in made if dim.kind == "time"]
    if len(times) > 1:
        facts["time"] = min(times, key=lambda dim: _eventfulness(dim, about)).yaml["name"]
    texts = {" ".join(dim.words): dim for dim in made if dim.kind == "string"}
    somebody = len({word for name in texts for word in name.split()} & _HALVES) > 1  # whose title is what they do
    names = [name for name in _NAMES if not (somebody and name == "title")]
    label = next((texts[name] for name in (*names, f"{' '.join(about)} name") if name in texts), None)
    return facts | ({"label": label.yaml["name"]} if label is not None and key is not None else {})


def _is_spent(dim: MadeDimension) -> bool:
    """Whether a number is what went out of an account: of its rows most are spoken of by that."""
    return bool(dim.yaml.get("meta", {}).get("flow") == "out")


def _eventfulness(dim: MadeDimension, about: list[str]) -> int:
    """How far a time is from saying when the row happened; 0 for ``order_date`` of orders."""
    said = _written_out(dim)
    words = [singular(word) for word in said]
    if _AFTERWARDS & set(said) or any(set(late) <= set(said) for late in _NOT_YET):
        return len(_HAPPENED) + 2
    # order_date of orders, harvested of harvests, or a date that says nothing else.
    if said in _PLAIN_DATES or {*words, *map(singular, dim.words)} & set(about) or _done(about) & set(said):
        return 0
    if _BEFOREHAND & set(said):
        return len(_HAPPENED) + 2
    return next((1 + at for at, word in enumerate(_HAPPENED) if singular(word) in words), len(_HAPPENED) + 1)


def _done(about: Sequence[str]) -> set[str]:
    """What was done where rows are called after it: ``harvested`` of harvests, ``delivered`` of deliveries."""
    # The few ways in which English makes a noun of a verb: sale has none of them, delivery has.
    verbs = {word.removesuffix(ending) for word in about for ending in ("", "e", "y", "ing", "ment", "ion")}
    return {f"{verb}ed" for verb in verbs if len(verb) > 2}
