"""Money that is owed still, where rows know what they are about and whether they were paid: *how much are we owed*."""

from __future__ import annotations

from ...schema.money import amounts
from ...words.rewriting import Found
from .overdue import PAID
from .wording import Wording

__all__ = ["how_much_is_owed", "owes_most"]

_OWED = frozenset({"owed", "owing", "outstanding", "unpaid", "due"})
_OWING = frozenset({"owe", "owes", "owed"})
_CHARGED = frozenset({"charged", "billed", "invoiced", "due"})
_LITTLE = frozenset(
    "money is are was were do does did we they us people customers clients still to in all total".split()
)
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "by", "per", "for", "from", "at", "right", "now"})
_WHOLE = (("all", "in", "all"), ("in", "all"), ("in", "total"), ("altogether",), ("overall",))
_LISTED = frozenset({"list", "unit", "cost", "per"})
_FARTHEST = 8


def how_much_is_owed(w: Wording, at: int) -> Found | None:
    """``how much money are we still owed``: the total of what was not paid."""
    start = next((place for place in range(3) if w.words[place : place + 2] == ["how", "much"]), None)
    if at or start is None or any(word not in ("and", "so") for word in w.words[:start]):
        return None
    place = start + 2
    while place < start + _FARTHEST and w.at(place) in _LITTLE:
        place += 1
    said = w.at(place) in _OWED | _OWING or w.words[place : place + 2] == ["not", "paid"]
    said = said or w.at(place) == "open" and w.at(start + 2) == "money"
    owed = _owed(w, place) if said else None
    end = place + 1 + (w.at(place) == "not")
    end += w.at(end) == "to" and w.at(end + 1) == "us" and 2
    end += w.at(end) == "us"
    end += next((len(words) for words in _WHOLE if tuple(w.words[end : end + len(words)]) == words), 0)
    return (w.said(0, "total", *owed), end) if owed is not None and w.at(end) in _ENDS else None


def owes_most(w: Wording, at: int) -> Found | None:
    """``which client owes us the most``: with the highest total of what was not paid."""
    if w.at(at) not in _OWING or not at:
        return None
    place = at + 1 + (w.at(at + 1) in ("us", "them"))
    place += w.at(place) == "the"
    owed = _owed(w, at) if w.at(place) == "most" else None
    end = place + 1 + (w.at(place + 1) == "money")
    end += w.words[end : end + 2] == ["to", "us"] and 2
    return (
        (w.said(at, "has", "the", "highest", "total", *owed), end) if owed is not None and w.at(end) in _ENDS else None
    )


def _owed(w: Wording, at: int) -> list[str] | None:
    """The words for what was not paid: an amount of rows that were not, or what was charged without what was paid."""
    if w.tokens[at].stem in w.meta.vocabulary - {"unpaid"} or w.meta.values.find(w.tokens, at):
        return None
    found = [said for name in w.cubes if (said := _of_rows(w, name)) is not None]
    return found[0] if len(found) == 1 else None


def _is_asked_for(w: Wording, path: str, relation: str) -> bool:
    """Whether money is of these rows, and what they were to pay rather than what such things cost."""
    own = path.split(".", 1)[0] == relation and "*" not in path
    return own and _LISTED.isdisjoint(w.meta.parts(path))


def _of_rows(w: Wording, relation: str) -> list[str] | None:
    own = [m for m in w.meta.relation(relation).members.values() if m.kind == "dimension" and m.path in w.meta.members]
    paid = [m for m in own if PAID & set(w.meta.parts(m.path))]
    charged = [m.path for m in own if m.type == "number" and _CHARGED & set(w.meta.parts(m.path))]
    both = [m.path for m in paid if m.type == "number"]
    if len(charged) == len(both) == 1:
        return [*w.meta.parts(charged[0]), "minus", *w.meta.parts(both[0])]
    money = next((path for path in amounts(w.meta) if _is_asked_for(w, path, relation)), None)
    dates = [m for m in paid if m.type == "time" and w.meta.profile(m.path).missing]
    flags = [m for m in paid if m.type == "boolean"]
    if money is None or len(flags) > 1 or not flags and len(dates) != 1:
        return None
    parts = w.meta.parts(money)
    return ["unpaid", *parts] if flags else [*parts, "without", *w.meta.parts(dates[0].path)]
