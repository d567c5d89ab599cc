"""Amounts with a sign, as on a bank's statement: what went out and what came in, each as a number of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .elements import MadeDimension, Names
from .kinds import NumberKind
from .profile import kind_of
from .reading import Looker, quoted
from .words import SHORT_WORDS, singular

__all__ = ["in_and_out"]

_PLAIN = frozenset(
    map(singular, "amount value sum total transaction payment betrag umsatz montant importe importo".split())
)
_CURRENCIES = frozenset("usd eur gbp chf jpy cad aud sek pln inr cny dollar euro".split())
_SOME = 0.15  # of the amounts at the least are below nought: fewer are corrections of sales, such as returns
_OUT = (
    "spending", "spend", "spent", "expense", "expenses", "expenditure", "money out", "outgoing", "paid out",
    "payments out", "outflow", "amount spent", "withdrawals",
)  # fmt: skip
_BOTH = ("net", "net amount", "cash flow", "net flow")
_IN = ("money in", "received", "incoming", "earned", "earnings", "inflow", "paid in", "payments in", "amount received")


def in_and_out(made: Sequence[MadeDimension], names: Names, looker: Looker, place: str) -> list[MadeDimension]:
    """``outgoings`` and ``income`` of the one amount that is below nought as well as above it.

    Nothing where a column is called so already, or where the amount is called more than an amount: a profit is one
    number, whatever its sign.
    """
    said = {word for dim in made for word in dim.words}
    # A value may be anything, unless a balance stands beside it.
    kinds = ("amount", "number") if {"balance", "saldo", "solde"} & said else ("amount",)
    amounts = [dim for dim in made if dim.number is not None and dim.number.kind in kinds and _is_plain(dim)]
    if len(amounts) != 1 or said & {"debit", "credit", "income", "expense", "spent", "spending", "outgoings"}:
        return []
    amount = amounts[0]
    if kind_of(amount.column.physical) != "number" or not _has_both(amount, looker, place):
        return []
    meta = {**amount.yaml.get("meta", {}), "kind": "amount", "aggregate": "sum", "synonyms": list(_BOTH)}
    amount.yaml["meta"] = meta
    own = f"{{{amount.yaml['name']}}}"
    return [
        _part(amount, names, "outgoings", f"CASE WHEN {own} < 0 THEN -{own} END", _OUT),
        _part(amount, names, "income", f"CASE WHEN {own} > 0 THEN {own} END", _IN),
    ]


def _is_plain(dim: MadeDimension) -> bool:
    words = {singular(part) for word in dim.words for part in SHORT_WORDS.get(word, word).split()}
    return bool(words & _PLAIN) and words <= _PLAIN | _CURRENCIES


def _has_both(amount: MadeDimension, looker: Looker, place: str) -> bool:
    name = quoted(amount.column.name)
    counts = ", ".join(f"count(CASE WHEN {name} {sign} 0 THEN 1 END)" for sign in "<>")
    below, above = looker.rows(f"SELECT {counts} FROM {place}")[0]
    return bool(above) and below >= _SOME * (below + above)


def _part(amount: MadeDimension, names: Names, name: str, sql: str, synonyms: Sequence[str]) -> MadeDimension:
    shown: dict[str, Any] = {key: amount.yaml[key] for key in ("format", "currency") if key in amount.yaml}
    unit = {"unit": amount.number.unit} if amount.number is not None and amount.number.unit else {}
    meta = {
        "kind": "amount",
        "aggregate": "sum",
        **unit,
        "computed": True,
        "flow": "out" if name == "outgoings" else "in",
        "synonyms": list(synonyms),
    }
    which = "below" if name == "outgoings" else "above"
    yaml = {
        "name": names.give(name), "sql": sql, "type": "number", **shown,
        "description": f"{amount.yaml['name']} where it is {which} nought", "meta": meta,
    }  # fmt: skip
    number = NumberKind("amount", "sum", f"{amount.yaml['name']} has both signs", unit.get("unit"))
    return replace(amount, yaml=yaml, words=tuple(name.split("_")), number=number)
