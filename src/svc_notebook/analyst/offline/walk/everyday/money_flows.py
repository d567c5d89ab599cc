"""What went out and came in, where a model has both: *how much did I spend*, *where does my money go*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["flow_done", "money_goes", "most_spent"]

_HELPING = frozenset("did do does have has had was is were been be".split())
_BEING = frozenset({"is", "are", "was", "were"})
_WHO = frozenset("i we you they".split())
_OUT, _IN = "outgoings", "income"  # as both are called besides their names
_SPENDING = frozenset("spend spent spending pay paid paying put".split())
_EARNING = frozenset("earn earned receive received get got make made".split())
_MOVED = {"go": "out", "went": "out", "goes": "out", "going": "out", "come": "in", "came": "in", "comes": "in"}
_WHOLE = frozenset({"the", "most", "least", "more", "less"})
_ENDS = {"most": "highest", "least": "lowest", "more": "highest", "less": "lowest"}
_SPENT_ON = frozenset({"on", "at", "with"})
_UNITS = frozenset("day week month quarter year".split())
_KINDS = frozenset({"category", "kind", "type"})
_NAMED = frozenset({"payee", "merchant", "vendor", "description", "counterparty", "name", "recipient"})


def flow_done(w: Wording, at: int) -> Found | None:
    """``how much did I spend on food``, ``what came in this year``, ``how much on food``: the total of it."""
    if at or w.meta.flows is None or w.at(0) not in ("how", "what", "what's"):
        return None
    place = 2 if w.words[:2] == ["how", "much"] else 1 if w.at(0).startswith("what") else 0
    if not place:
        return None
    place += w.at(place) == "money"
    if (paid := _pays_us(w, place)) is not None:
        return [*w.said(0, "total", _IN, "from"), *w.tokens[place + 1 : paid]], paid + 2
    if w.at(place) in _SPENT_ON and w.at(0) == "how":
        return w.said(0, "total", _OUT), place
    if w.at(0) == "how" and w.at(place) in _BEING and w.meta.values.find(w.tokens, place + 1):
        return w.said(0, "total", _OUT, "for"), place + 1  # how much is Netflix
    place += w.at(place) in _HELPING
    place += w.at(place) in _WHO
    verb, behind = w.at(place), w.at(place + 1)
    if _MOVED.get(verb) == behind and verb:
        return w.said(0, "total", _OUT if behind == "out" else _IN), place + 2
    if verb in _SPENDING and not _is_end(w, place + 1):
        place += 1 + (behind == "out")
        if w.at(place) in ("a", "an") and w.at(place + 1) in _UNITS:
            return w.said(0, "total", _OUT, "per"), place + 1
        return w.said(0, "total", _OUT), place
    # What I got for something else is not asked of an account.
    if verb in _EARNING and w.at(place - 1) in _WHO and w.at(0) == "how":
        return w.said(0, "total", _IN), place + 1 + (behind in ("in", "paid"))
    return None


def most_spent(w: Wording, at: int) -> Found | None:
    """``which month did I spend the most``, ``what do I spend most on``: the one with the highest total."""
    if at or w.meta.flows is None or w.at(0) not in ("which", "what", "where", "when"):
        return None
    helper = next((place for place in range(1, 4) if w.at(place) in _HELPING), 0)
    if not helper or w.at(helper + 1) not in _WHO:
        return None
    verb = helper + 2
    flow = _OUT if w.at(verb) in _SPENDING else _IN if w.at(verb) in _EARNING else ""
    end = verb + 1 + (w.at(verb + 1) == "the")
    if not flow or w.at(end) not in _ENDS:
        return None
    asked = w.words[1:helper] or _kind(w)
    if not asked or w.at(0) == "when":
        return None
    told = w.said(0, "which", *asked, "has", "the", _ENDS[w.at(end)], "total", flow)
    end += 1 + (w.at(end + 1) == "money")
    return told, end + (w.at(end) in ("on", "at", "in") and _is_last(w, end))


def money_goes(w: Wording, at: int) -> Found | None:
    """``where does most of my money go``, ``where is the money going``: what went out, by its kind."""
    if at or w.meta.flows is None or w.at(0) != "where" or w.at(1) not in _HELPING or "money" not in w.words[:6]:
        return None
    money = w.words.index("money")
    if w.at(money + 1) not in _MOVED or not (kind := _kind(w)):
        return None
    end = money + 2
    if "most" in w.words[:money]:
        return w.said(0, "which", *kind, "has", "the", "highest", "total", _OUT), end
    return w.said(0, "total", _OUT, "by", *kind), end


def _pays_us(w: Wording, place: int) -> int | None:
    """Where *pay us* stands in ``how much did Brown & Co pay us``."""
    if w.at(place) not in _HELPING or w.at(place + 1) in _WHO:
        return None
    found = (at for at in range(place + 2, w.end) if w.at(at) in ("pay", "paid", "send", "sent"))
    verb = next(found, None)
    return verb if verb is not None and w.at(verb + 1) in ("us", "me") else None


def _is_end(w: Wording, place: int) -> bool:
    """Whether what is asked for is the one with the most of it."""
    return w.at(place) in _WHOLE and (w.at(place) != "the" or w.at(place + 1) in _ENDS)


def _is_last(w: Wording, place: int) -> bool:
    return place + 1 >= w.end or w.at(place + 1) in ("in", "this", "last", "since", "during", "?")


def _kind(w: Wording) -> list[str]:
    """The words of the column that says of what kind what went out was, or else to whom it went."""
    if w.meta.flows is None:
        return []
    relation = w.meta.relation(w.meta.flows[0].split(".", 1)[0])
    texts = [m.path for m in relation.members.values() if m.kind == "dimension" and m.type == "string" and not m.masked]
    for words in (_KINDS, _NAMED):
        for path in texts:
            if words & set(w.meta.parts(path)):
                return list(w.meta.parts(path))
    return []
