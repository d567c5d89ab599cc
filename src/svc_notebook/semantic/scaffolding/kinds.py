"""What a number is: an amount that is summed, a rate or price that is averaged, or a name that is neither.

Told from the words of its name, its unit, its values and its type; what these leave open stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from ...records import dataclass
from .profile import ColumnProfile
from .units import unit_of
from .words import singular

__all__ = ["NumberKind", "number_kind"]


def _words(text: str) -> frozenset[str]:
    return frozenset(map(singular, text.split()))


_RATES = _words(
    "average avg bmi expectancy factor fraction frequency index likelihood mean median pct per percent "
    "percentage percentile probability rate ratio share yield "
    "anteil durchschnitt prozent prozentsatz quote moyenne pourcentage taux promedio porcentaje tasa media percentuale"
)
_PRICES = _words(
    "fare msrp price rent rrp salary tariff wage "
    "einzelpreis gehalt listenpreis lohn miete preis stückpreis loyer prix salaire tarif precio sueldo prezzo"
)
_EXCHANGE = _words("close high low open")  # of a day at the exchange: the whole name, or its end
_LEVELS = _words(
    "age altitude depth direction elevation gpa grade gust height horsepower humidity intensity latitude length "
    "level longitude magnitude max maximum min minimum mpg offset point position pressure rank ranking rating "
    "satisfaction score size speed stars temperature thickness velocity version visibility voltage width wind x y "
    "alter bewertung geschwindigkeit größe höhe temperatur âge hauteur taille température vitesse "
    "altura edad temperatura"
)
_MONEY = _words(
    "amount bill billing bonus budget charge commission cost debt deposit discount "
    "donation earning expenditure expense fee fine fund grant gross income invest investment loss net paid pay "
    "payment payout premium proceeds profit purchase receipts refund revenue sale sales spend spending subsidy "
    "surcharge tax tip toll total turnover vat mrr arr acv tcv gmv "
    "ausgabe betrag einnahme erlös gebühr gewinn kosten rabatt rechnungsbetrag steuer umsatz verkauf "
    "affaire bénéfice ca coût depense dépense facture frais montant paiement recette revenu vente "
    "beneficio coste gasto importe ingreso venta costo fatturato ricavo spesa vendita"
)
_QUANTITIES = _words(
    "accident adult arrival attendance attendee bag birth boarding booking box call case "
    "casualty child click consumption conversion downtime electricity energy labor labour overtime uptime "
    "copy count death delivery departure download emission enrollment "
    "event fatality follower generation goal guest impression injured injury install item kill killed like "
    "message mileage minute nights number order output pageview passenger passing pickup piece precipitation "
    "production quantity rain rainfall reply return ride seat session shipment signup snow snowfall sold strike "
    "student subscriber sunshine ticket tonnage transaction trip unit units view visit visitor vote volume "
    "anzahl menge stück stückzahl besucher nombre quantité quantite unité unite visiteur cantidad unidad quantità"
)
_STOCKS = _words(
    "balance capacity employees headcount inventory population staff stock "
    "bestand bevölkerung einwohner lagerbestand mitarbeiterzahl saldo effectif habitant solde población"
)
_TALLIES = _words("count cnt num number qty quantity")
_DURATIONS = _words(
    "duration elapsed runtime delay wait latency dauer verspätung wartezeit durée duree retard duración"
)
_SUMS = _words("amount total")
_SPANS = ("milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years")
_ENERGY = ("Wh", "kWh", "MWh", "GWh")
_MASSES = ("m³", "liters", "kilograms", "tons", "tonnes", "kWh", "MWh", "gallons")
_USED = _words("used consumed generated produced delivered imported exported collected recycled")
_OF_ONE = _words("unit list retail")
_SUMMED, _AVERAGED = "sum", "avg"


class NumberKind(Struct, frozen=True):
    """``kind`` in a word, ``aggregate`` that it is taken by (None where that stays open), and why."""

    kind: str
    aggregate: str | None
    because: str
    unit: str | None = None

    @property
    def meta(self) -> dict[str, Any]:
        """As it is written into the YAML."""
        made: dict[str, Any] = {"kind": self.kind} if self.kind != "number" else {}
        if self.aggregate is not None:
            made["aggregate"] = self.aggregate
        return made | ({"unit": self.unit} if self.unit else {})


def number_kind(words: Sequence[str], profile: ColumnProfile | None, *, percent: bool = False) -> NumberKind:
    """What a column of numbers is; keys, years and the like have been set apart before.

    Parameters
    ----------
    words
        The words of its name, lower case, abbreviations written out.
    percent
        Whether its values are shares between 0 and 1.
    """
    unit, rest = unit_of(words)
    rest = [singular(word) for word in rest]
    # "total" says how it was made, and not of what.
    said = [word for word in rest if word not in ("total", "sum")] or rest
    # Values go before names: 0 and 1 are a flag whatever it is called, unless it says how many there were.
    tallied = _tally(_Name(rest, said, unit)) if not percent else None
    found = tallied or _by_values(profile, percent=percent) or _by_name(rest, said, unit)
    if found.kind == "number" and _were_done(said, profile):
        found = NumberKind("quantity", _SUMMED, f"so many were {said[0]}")
    return NumberKind(found.kind, found.aggregate, found.because, found.unit or unit)


def _by_values(profile: ColumnProfile | None, *, percent: bool) -> NumberKind | None:
    if profile is not None and profile.flag:
        return NumberKind("flag", _AVERAGED, "its values are 0 and 1")
    if percent:
        return NumberKind("rate", _AVERAGED, "a share between 0 and 1")
    return None


def _were_done(said: Sequence[str], profile: ColumnProfile | None) -> bool:
    """Whether whole numbers from nought on are called by what was done to so many: ``damaged``, ``rejected``."""
    counted = profile is not None and profile.whole and profile.low == 0 and profile.reading is None
    return counted and len(said) == 1 and said[0].endswith("ed") and said[0] not in _NO_DEEDS


_NO_DEEDS = frozenset(
    "need seed feed speed breed rated elapsed weighted adjusted expected estimated updated ranked".split()
)


def _by_name(words: Sequence[str], said: Sequence[str], unit: str | None) -> NumberKind:
    name = _Name(words, said, unit)
    return next((kind for rule in _RULES if (kind := rule(name))), NumberKind("number", None, ""))


@dataclass(frozen=True)
class _Name:
    """The words of a column, those of them that say what it is, and its unit."""

    words: Sequence[str]
    said: Sequence[str]
    unit: str | None

    @property
    def last(self) -> str:
        return self.said[-1] if self.said else ""

    def first_of(self, known: Collection[str]) -> str | None:
        return next((word for word in self.said if word in known), None)

    def last_of(self, known: Collection[str]) -> str | None:
        """From the end: the last word of an English compound is the thing itself."""
        return next((word for word in reversed(self.said) if word in known), None)


def _rate(name: _Name) -> NumberKind | None:
    if rate := name.first_of(_RATES):
        return NumberKind("rate", _AVERAGED, f"its name says '{rate}'")
    return NumberKind("rate", _AVERAGED, "its unit is %") if name.unit == "%" else None


def _of_one_piece(name: _Name) -> NumberKind | None:
    if _OF_ONE & set(name.said[:-1]) and name.last in _MONEY | _PRICES:
        return NumberKind("price", _AVERAGED, f"'{name.said[0]} {name.last}' is of one piece")
    return None


def _price(name: _Name) -> NumberKind | None:
    price = name.first_of(_PRICES)
    if price is None:
        return None
    # A fare is of one ride; the fare amount of a trip is what was taken in, and a total price is that of all of it.
    if _SUMS & set(name.words):
        return NumberKind("amount", _SUMMED, f"its name says '{price}'")
    return NumberKind("price", _AVERAGED, f"its name says '{price}'")


def _at_an_exchange(name: _Name) -> NumberKind | None:
    alone = len(name.said) == 1 or name.said[:1] and name.said[0].startswith("adj")
    return NumberKind("price", _AVERAGED, "a price at the exchange") if name.last in _EXCHANGE and alone else None


def _tally(name: _Name) -> NumberKind | None:
    if name.said and (name.said[0] in _TALLIES or name.last in _TALLIES):
        return NumberKind("quantity", _SUMMED, "its name says that something is counted")
    return None


def _level(name: _Name) -> NumberKind | None:
    level = name.last_of(_LEVELS)
    return NumberKind("level", _AVERAGED, f"its name says '{level}'") if level else None


def _used(name: _Name) -> NumberKind | None:
    """``Gas used (m³)``: so much was, in its unit."""
    used = name.unit in _MASSES and set(name.said[-1:]) & _USED
    return NumberKind("quantity", _SUMMED, "its name says what was done with so much") if used else None


def _energy(name: _Name) -> NumberKind | None:
    return NumberKind("quantity", _SUMMED, f"its unit is {name.unit}") if name.unit in _ENERGY else None


def _duration(name: _Name) -> NumberKind | None:
    took = _DURATIONS & set(name.said)
    return NumberKind("duration", _AVERAGED, "its name says how long something took") if took else None


def _stock(name: _Name) -> NumberKind | None:
    stock = name.first_of(_STOCKS)
    return NumberKind("stock", None, f"'{stock}' adds up over places, not over time") if stock else None


def _amount(name: _Name) -> NumberKind | None:
    money = name.last_of(_MONEY)
    return NumberKind("amount", _SUMMED, f"its name says '{money}'") if money else None


def _quantity(name: _Name) -> NumberKind | None:
    quantity = name.last_of(_QUANTITIES)
    return NumberKind("quantity", _SUMMED, f"its name says '{quantity}'") if quantity else None


def _total(name: _Name) -> NumberKind | None:
    total = len(name.said) < len(name.words) or list(name.words[:1]) == [singular("total")]
    return NumberKind("amount", _SUMMED, "its name says 'total'") if total else None


def _span(name: _Name) -> NumberKind | None:
    return NumberKind("duration", _AVERAGED, f"its unit is {name.unit}") if name.unit in _SPANS else None


_RULES: tuple[Callable[[_Name], NumberKind | None], ...] = (
    _rate,  # first, since a rate of anything is a rate: the average price, the share of revenue
    _of_one_piece, _price, _at_an_exchange, _tally, _level, _energy, _used, _duration, _stock, _amount, _quantity,
    _total,  # behind all names: a total of what no list knows is a total still
    _span,
)  # fmt: skip
"""What a name says of a number: the first rule that has an answer."""
