"""Most of all together: *the heaviest total harvest*, *who paid us the most*, *guests who spent over the average*."""

from __future__ import annotations

from ...schema.derivations import is_derived
from ...schema.money import amounts, when_paid
from ...words.rewriting import Found
from ...words.text import singular
from ...words.thesaurus import ADJECTIVES
from .wording import Wording

__all__ = ["extreme_total", "paid_most", "paid_over_average"]

_TOTAL = frozenset({"total", "combined", "overall"})
_OF_ANY = frozenset({"highest", "lowest"})  # of any number
_LEAST = frozenset({"lightest", "shortest", "smallest", "cheapest", "lowest"})
_PAYING = frozenset({"paid", "spent", "pays", "spends", "pay", "spend"})
_PAYERS = frozenset(
    "customer client buyer guest member patron subscriber payer donor tenant patient passenger pupil student".split()
)
_PAID = frozenset({"price", "fee", "charge", "cost", "fare"})
_EARNING = frozenset("made earned makes earns make earn brought".split())
_BEHIND = frozenset({"us", "with", "at", "here", "in", "total", "all", "altogether", "overall"})
_SIDES = {"more": "above", "less": "below"}
_ENDS = frozenset({"", "?", ".", "!"})


def extreme_total(w: Wording, at: int) -> Found | None:
    """``the heaviest total harvest``: the highest total weight, and no average of each."""
    hints = frozenset(ADJECTIVES.get(w.at(at), "").split()) if w.at(at).endswith("est") else frozenset()
    homes = set(w.rows_at(at + 2))
    if not hints or w.at(at + 1) not in _TOTAL or not homes or w.at(at) in _OF_ANY or _names_number(w, at + 2):
        return None
    own = [p for p in w.numbers if p.split(".", 1)[0] in homes & set(w.cubes) and hints & set(w.meta.parts(p))]
    if len(own) != 1:
        return None
    return w.said(at, "lowest" if w.at(at) in _LEAST else "highest", "total", *w.meta.parts(own[0])), at + 3


def _names_number(w: Wording, at: int) -> bool:
    """Whether a noun is a number's name or the beginning or end of one: that is added up, whatever rows it is for."""
    return (w.tokens[at].stem,) in w.meta.number_names.partly


def paid_most(w: Wording, at: int) -> Found | None:
    """``who paid us the most``: which of those who pay has the highest total of what is paid."""
    place = 2 + (w.at(2) == "us")
    if at or w.at(0) != "who" or not _pays(w, 1) or w.words[place : place + 2] != ["the", "most"]:
        return None
    behind = place + 2 + (w.at(place + 2) == "most")
    end = next((p for p in range(behind, len(w.words) + 1) if w.at(p) not in _BEHIND), len(w.words))
    amount = _money(w)
    payer = _payer(w, amount) if amount is not None and w.at(end) in _ENDS else None
    if amount is None or payer is None:
        return None
    home = amount.split(".", 1)[0]
    paid = when_paid(w.meta, home) if w.tokens[1].text.lower() not in ("spent", "spends", "spend") else []
    said = w.said(0, "which", *w.meta.words_of(payer), "has", "the", "highest", "total", *w.meta.parts(amount), *paid)
    return said, end


def paid_over_average(w: Wording, at: int) -> Found | None:
    """``guests who spent more than the average guest``: whose total is above the overall average."""
    start = w.kind_start(at)
    verb = at + (w.at(at) in ("who", "that", "which"))
    more = verb + 1 + (w.at(verb + 1) == "us")
    side = _SIDES.get(w.at(more))
    if start is None or not (_pays(w, verb) or _earns(w, verb)) or side is None or w.at(more + 1) != "than":
        return None
    mean = more + 2 + (w.at(more + 2) in ("the", "an"))
    kind = [singular(word) for word in w.words[start:at]]
    end = mean + 1 + len(kind)
    same = [singular(word) for word in w.words[mean + 1 : end]] == kind
    if w.at(mean) != "average" or not (same or w.at(mean + 1) in _ENDS):
        return None
    amount = _money(w)
    if amount is None:
        return None
    said = w.said(at, "whose", "total", *w.meta.parts(amount), "is", side, "the", "overall", "average")
    return said, mean + 1 if w.at(mean + 1) in _ENDS else end


def _pays(w: Wording, at: int) -> bool:
    """Whether a word is one for paying, whatever it is read for."""
    return at < len(w.tokens) and w.tokens[at].text.lower() in _PAYING


def _earns(w: Wording, at: int) -> bool:
    """Whether a word is one for earning, and the model calls nothing so."""
    return w.at(at) in _EARNING and w.tokens[at].stem not in w.meta.vocabulary


def _money(w: Wording) -> str | None:
    """What is paid: an amount, or the one price of what happened."""
    known = [path for path in amounts(w.meta) if not is_derived(path) and path.split(".", 1)[0] in w.facts]
    if known:
        return known[0]
    paid = [p for p in w.numbers if p.split(".", 1)[0] in set(w.facts) & set(w.cubes) and _PAID & set(w.meta.parts(p))]
    return paid[0] if len(paid) == 1 else None


def _payer(w: Wording, amount: str) -> str | None:
    """Who pays it: the one relation that its rows are of, or of several the one that is called so."""
    home = amount.split(".", 1)[0]
    others = [name for name in w.cubes if name != home and w.meta.joins.refers(home, name)]
    led = [name for name in w.cubes if name != home and w.meta.leads_to(home, name)]
    called = [name for name in led if singular(w.meta.words_of(name)[-1]) in _PAYERS]
    found = called or others
    return found[0] if len(found) == 1 else None
