"""What a number is: an amount that is summed, a rate or price that is averaged, or a name that is neither.

Told from the words of its name, its unit, its values and its type; what these leave open stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
    "surcharge tax tip toll total turnover mrr arr acv tcv gmv "
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
    "production quantity rainfall reply return ride seat session shipment signup sold strike student subscriber "
    "ticket tonnage transaction trip unit units view visit visitor vote volume "
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
_OF_ONE = _words("unit list retail")
_SUMMED, _AVERAGED = "sum", "avg"


@dataclass(frozen=True, slots=True)
class NumberKind:
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
    # Values go before names: 0 and 1 are a flag whatever it is called.
    found = _by_values(profile, percent=percent) or _by_name(rest, said, unit)
    return NumberKind(found.kind, found.aggregate, found.because, found.unit or unit)


def _by_values(profile: ColumnProfile | None, *, percent: bool) -> NumberKind | None:
    if profile is not None and profile.flag:
        return NumberKind("flag", _AVERAGED, "its values are 0 and 1")
    if percent:
        return NumberKind("rate", _AVERAGED, "a share between 0 and 1")
    return None


def _by_name(words: Sequence[str], said: Sequence[str], unit: str | None) -> NumberKind:
    last = said[-1] if said else ""
    # First, since a rate of anything is a rate: the average price, the share of revenue.
    if (rate := next((word for word in said if word in _RATES), None)) or unit == "%":
        return NumberKind("rate", _AVERAGED, f"its name says '{rate}'" if rate else "its unit is %")
    if _OF_ONE & set(said[:-1]) and last in _MONEY | _PRICES:
        return NumberKind("price", _AVERAGED, f"'{said[0]} {last}' is of one piece")
    if price := next((word for word in said if word in _PRICES), None):
        # A fare is of one ride; the fare amount of a trip is what was taken in.
        kind = "amount" if price == singular("fare") and _SUMS & set(words) else "price"
        return NumberKind(kind, _SUMMED if kind == "amount" else _AVERAGED, f"its name says '{price}'")
    if last in _EXCHANGE and (len(said) == 1 or said[0].startswith("adj")):
        return NumberKind("price", _AVERAGED, "a price at the exchange")
    if said and (said[0] in _TALLIES or last in _TALLIES):
        return NumberKind("quantity", _SUMMED, "its name says that something is counted")
    # From the end: the last word of an English compound is the thing itself.
    if level := next((word for word in reversed(said) if word in _LEVELS), None):
        return NumberKind("level", _AVERAGED, f"its name says '{level}'")
    if unit in _ENERGY:
        return NumberKind("quantity", _SUMMED, f"its unit is {unit}")
    if _DURATIONS & set(said):
        return NumberKind("duration", _AVERAGED, "its name says how long something took")
    if stock := next((word for word in said if word in _STOCKS), None):
        return NumberKind("stock", None, f"'{stock}' adds up over places, not over time")
    if money := next((word for word in reversed(said) if word in _MONEY), None):
        return NumberKind("amount", _SUMMED, f"its name says '{money}'")
    if quantity := next((word for word in reversed(said) if word in _QUANTITIES), None):
        return NumberKind("quantity", _SUMMED, f"its name says '{quantity}'")
    # Last but units: a total of what no list knows is a total still.
    if len(said) < len(words) or words[:1] == [singular("total")]:
        return NumberKind("amount", _SUMMED, "its name says 'total'")
    if unit in _SPANS:
        return NumberKind("duration", _AVERAGED, f"its unit is {unit}")
    return NumberKind("number", None, "")
